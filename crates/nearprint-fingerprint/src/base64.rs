//! The base64 form of a fingerprint's bytes (RFC 4648, section 4, with padding), for tools that keep bytes as text. A
//! sketch takes 344 characters, as hexadecimal digits 512.

use data_encoding::{BASE64, BASE64_NOPAD};

use crate::notation::ExchangeForm;
use crate::{Fingerprint, ParseExchangeError, Scheme};

impl Fingerprint {
    /// The bytes, most significant first, in base64 with padding. The form has no scheme: whoever reads it must be
    /// given the scheme.
    #[must_use]
    pub fn to_base64(&self) -> String {
        BASE64.encode(&self.to_bytes())
    }

    /// Reads what [`to_base64`](Self::to_base64) writes.
    ///
    /// # Errors
    /// On anything else: other alphabets, missing padding, white space, another length than the scheme has.
    pub fn from_base64(scheme: Scheme, text: &str) -> Result<Self, ParseExchangeError> {
        let (groups, digits) = (scheme.bytes().div_ceil(3), (scheme.bytes() * 8).div_ceil(6));
        let padding = &"=="[..groups * 4 - digits];
        // The padding is taken off here, as `BASE64` would also read it between two groups. Longer texts are refused
        // before memory is taken for them.
        text.strip_suffix(padding)
            .filter(|text| text.len() == digits)
            .and_then(|text| BASE64_NOPAD.decode(text.as_bytes()).ok())
            .and_then(|bytes| Self::from_bytes(scheme, &bytes))
            .ok_or_else(|| ParseExchangeError::new(ExchangeForm::Base64, scheme))
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
            "AAA=AAAAAAAA",
            "AAAAAAA=AAAA",
            "AAAAAAAAAAA\n",
            "AAAAAAAAAAAAAAA=",
        ] {
            let error = Fingerprint::from_base64(Scheme::SD1, bad).unwrap_err().to_string();
            assert!(error.contains("12 characters"), "{bad}: {error}");
        }
    }
}
