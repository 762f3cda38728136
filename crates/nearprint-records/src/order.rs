//! Values of a field by which documents are put in order.

use std::fmt;

/// A number or a text, as bytes that compare as the values do: numbers by their size, before all texts; texts byte by
/// byte.
///
/// ```
/// use nearprint_records::OrderKey;
///
/// let key = |text| OrderKey::of_text(text);
/// assert!(key("-3") < key("2.5") && key("2.5") < key("10") && key("10") < key("2026-01-31"));
/// assert_eq!(key("7"), Some(OrderKey::of_number(7)));
/// assert_eq!(key(" "), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderKey(pub(crate) Box<[u8]>);

const NUMBER: u8 = 0;
const TEXT: u8 = 1;

impl OrderKey {
    /// A whole number.
    #[must_use]
    pub fn of_number(number: i128) -> Self {
        Self::number(number as f64, number)
    }

    /// Any number; `None` if it is none.
    #[must_use]
    pub fn of_real(number: f64) -> Option<Self> {
        // Both zeros are one.
        (!number.is_nan()).then(|| Self::number(number + 0.0, number as i128))
    }

    /// A text: a number where it is one in decimal digits; `None` if there is nothing in it.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let value = text.trim();
        if value.is_empty() {
            return None;
        }
        if let Ok(number) = value.parse() {
            return Some(Self::of_number(number));
        }
        let is_number = value
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        if let Some(number) = value.parse().ok().filter(|_| is_number) {
            return Self::of_real(number);
        }
        Some(Self([&[TEXT], text.as_bytes()].concat().into()))
    }

    /// `whole` tells apart whole numbers that are one as `number`.
    fn number(number: f64, whole: i128) -> Self {
        let bits = number.to_bits();
        let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        let whole = whole.cast_unsigned() ^ (1 << 127);
        Self([&[NUMBER][..], &ordered.to_be_bytes(), &whole.to_be_bytes()].concat().into())
    }
}

/// The bytes in hexadecimal digits.
impl fmt::Display for OrderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_compare_as_their_values() {
        let texts = [
            "-1e300",
            "-9223372036854775809",
            "-2",
            "-1.5",
            "0",
            "1e-9",
            "3",
            "3.25",
            "1700000000000000001",
            "1700000000000000002",
            "1e300",
            "-",
            "2026-01-30T10:00:00Z",
            "2026-01-31",
            "3 apples",
            "a",
            "b",
        ];
        let keys: Vec<_> = texts.iter().map(|text| OrderKey::of_text(text).unwrap()).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        assert_eq!(OrderKey::of_real(-0.0), OrderKey::of_text("0"));
        assert_eq!(OrderKey::of_real(3.0), Some(OrderKey::of_number(3)));
        assert_eq!(OrderKey::of_real(f64::NAN), None);
        for key in keys {
            let line = serde_json::to_string(&key).unwrap();
            assert_eq!(serde_json::from_str::<OrderKey>(&line).unwrap(), key);
        }
        for bad in ["\"0\"", "\"0x\"", "7"] {
            assert!(serde_json::from_str::<OrderKey>(bad).is_err());
        }
    }
}
