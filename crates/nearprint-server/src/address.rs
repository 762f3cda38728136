//! Values in addresses.

use std::fmt::Write;

/// A value of an address's parameter.
pub(crate) fn encoded(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for &byte in value.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                out.push(char::from(byte));
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_all_kinds_fit_into_addresses() {
        assert_eq!(
            encoded("https://example.org/a b?c=d&e#f"),
            "https://example.org/a%20b%3Fc%3Dd%26e%23f"
        );
        assert_eq!(encoded("é\"<"), "%C3%A9%22%3C");
    }
}
