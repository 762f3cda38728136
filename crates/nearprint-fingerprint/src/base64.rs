//! The base64 form of a fingerprint's bytes (RFC 4648, section 4, with padding), for tools that keep bytes as text. A
//! sketch takes 344 characters, as hexadecimal digits 512.

use crate::notation::ExchangeForm;
use crate::{Fingerprint, ParseExchangeError, Scheme};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Fingerprint {
    /// The bytes, most significant first, in base64 with padding. The form has no scheme: whoever reads it must be
    /// given the scheme.
    #[must_use]
    pub fn to_base64(&self) -> String {
        let mut text = String::new();
        for three in self.to_bytes().chunks(3) {
            let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
            let group = byte(0) << 16 | byte(1) << 8 | byte(2);
            for digit in 0..4 {
                let value = (group >> (18 - 6 * digit)) as usize & 63;
                text.push(if digit > three.len() { '=' } else { char::from(ALPHABET[value]) });
            }
        }
        text
    }

    /// Reads what [`to_base64`](Self::to_base64) writes.
    ///
    /// # Errors
    /// On anything else: other alphabets, missing padding, white space, another length than the scheme has.
    pub fn from_base64(scheme: Scheme, text: &str) -> Result<Self, ParseExchangeError> {
        let error = || ParseExchangeError::new(ExchangeForm::Base64, scheme);
        // Longer texts are refused before memory is taken for them.
        if text.len() != scheme.bytes().div_ceil(3) * 4 {
            return Err(error());
        }
        let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
        for four in text.as_bytes().chunks(4) {
            let value = |digit: &u8| ALPHABET.iter().position(|known| known == digit).unwrap_or(0);
            let group = four.iter().fold(0, |group, digit| group << 6 | value(digit));
            bytes.extend([(group >> 16) as u8, (group >> 8) as u8, group as u8]);
        }
        bytes.truncate(scheme.bytes());
        // Each fingerprint has one form, so what differs from it is none.
        Self::from_bytes(scheme, &bytes).filter(|read| read.to_base64() == text).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_the_rfc() {
        let print = |bytes: &[u8; 8]| Fingerprint::from_bytes(Scheme::SD1, bytes).unwrap();
        for (bytes, wanted) in [
            (&[0; 8], "AAAAAAAAAAA="),
            (b"foobarfo", "Zm9vYmFyZm8="),
            (&[0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF, 0, 1], "++++////AAE="),
        ] {
            assert_eq!(print(bytes).to_base64(), wanted);
            assert_eq!(Fingerprint::from_base64(Scheme::SD1, wanted), Ok(print(bytes)));
        }
        let numbers = std::array::from_fn(|at| at as u16 * 501);
        let sketch = Fingerprint::from_sketch(Scheme::MD1, numbers).unwrap();
        let text = sketch.to_base64();
        assert_eq!((text.len(), text.ends_with("==")), (344, true));
        assert_eq!(Fingerprint::from_base64(Scheme::MD1, &text), Ok(sketch));
    }

    #[test]
    fn nothing_else_is_read() {
        for bad in [
            "",
            "AAAAAAAAAAA",
            "AAAAAAAAAAB=",
            "AAAAAAAAAA==",
            "AAAAAAAAAAAA",
            "AAAAAAAA-AA=",
            "AAAAAAAAAAA= ",
            "AAAAÄAAAAA=",
            "=AAAAAAAAAA=",
            "AAAAAAAAAAAAAAA=",
        ] {
            let error = Fingerprint::from_base64(Scheme::SD1, bad).unwrap_err().to_string();
            assert!(error.contains("12 characters"), "{bad}: {error}");
        }
    }
}
