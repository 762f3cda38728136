//! The written forms of a fingerprint (SPEC 7.4): the string `sd1:` and base32, and the two forms without a
//! scheme for exchange with other tools, hexadecimal and decimal.
//!
//! Printing and parsing are inverse; parsing takes nothing else than what printing gives, except that ASCII
//! letters may be of either case. Nothing is trimmed, skipped or guessed.

use std::fmt;
use std::str::FromStr;

use crate::base32::{base32, base32_length, bytes_and_rest, digit_value};
use crate::{Fingerprint, Scheme, UnknownScheme};

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.scheme(), base32(&self.to_bytes())))
    }
}

impl FromStr for Fingerprint {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, ParseFingerprintError> {
        let Some((id, code)) = text.split_once(':') else {
            return Err(ParseFingerprintError::NoScheme);
        };
        let scheme: Scheme = id.parse().map_err(ParseFingerprintError::UnknownScheme)?;
        // Ids are ASCII, so the id's length in bytes is its length in code points.
        let start = id.len() + 1;
        for (offset, character) in code.chars().enumerate() {
            if digit_value(character).is_none() {
                return Err(ParseFingerprintError::Alphabet {
                    position: start + offset,
                    character,
                });
            }
        }
        // From here on every character is one byte.
        let expected = base32_length(scheme.bytes());
        if code.len() != expected {
            return Err(ParseFingerprintError::Length { scheme, expected, found: code.len() });
        }
        let (bytes, pending) = bytes_and_rest(code);
        match Self::from_bytes(scheme, &bytes) {
            Some(fingerprint) if pending == 0 => Ok(fingerprint),
            _ => Err(ParseFingerprintError::TrailingBits {
                character: code.chars().next_back().unwrap_or_default(),
            }),
        }
    }
}

/// Why a string is not a fingerprint. Each variant is a reason of SPEC [7.7], in the order in which they are
/// tried.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseFingerprintError {
    /// There is no colon.
    NoScheme,
    /// What stands before the first colon is not an id that this build knows.
    UnknownScheme(UnknownScheme),
    /// A character after the colon is not of the base32 alphabet.
    Alphabet {
        /// The first such character's offset in code points from the start of the string, counted from 0.
        position: usize,
        /// That character.
        character: char,
    },
    /// Too few or too many characters follow the colon.
    Length {
        /// The scheme that was named.
        scheme: Scheme,
        /// The number of characters that a fingerprint of this scheme has after the colon.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// The bits of the last character that carry nothing are not 0.
    TrailingBits {
        /// The last character.
        character: char,
    },
}

impl ParseFingerprintError {
    /// The reason's name in the standard, e.g. `no-scheme`: for tools and tests; people read the error's text.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::NoScheme => "no-scheme",
            Self::UnknownScheme(_) => "unknown-scheme",
            Self::Alphabet { .. } => "alphabet",
            Self::Length { .. } => "length",
            Self::TrailingBits { .. } => "trailing-bits",
        }
    }
}

impl fmt::Display for ParseFingerprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoScheme => f.write_str(
                "a fingerprint begins with its scheme and a colon, such as \"sd1:\"; there is no colon",
            ),
            Self::UnknownScheme(error) => error.fmt(f),
            Self::Alphabet { position, character } => write!(
                f,
                "'{}' at position {position} is not a base32 character; only a-z and 2-7 may follow the colon",
                character.escape_debug()
            ),
            Self::Length { scheme, expected, found } => write!(
                f,
                "{found} characters follow the colon, but a fingerprint of scheme {scheme} has \
                    exactly {expected}; check whether it was truncated or extended"
            ),
            Self::TrailingBits { character } => write!(
                f,
                "the last character '{character}' sets unused bits, so no fingerprint ends in \
                    it; check for a typing error"
            ),
        }
    }
}

impl std::error::Error for ParseFingerprintError {}

/// The forms without a scheme, for exchange with other tools. Whoever reads them must be told the scheme.
impl Fingerprint {
    /// Two lower-case hexadecimal digits for each byte.
    #[must_use]
    pub fn to_hex(&self) -> String {
        use fmt::Write as _;
        let mut text = String::new();
        for byte in self.to_bytes() {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// Reads what [`to_hex`](Self::to_hex) writes, digits in either case.
    ///
    /// # Errors
    /// On any character that is not a hexadecimal digit, and on any other number of digits than the scheme has.
    pub fn from_hex(scheme: Scheme, text: &str) -> Result<Self, ParseExchangeError> {
        let error = ParseExchangeError { form: ExchangeForm::Hexadecimal, scheme };
        // The length first: from_str_radix alone would take signs and short numbers.
        if text.len() != scheme.bytes() * 2 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(error);
        }
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        let bytes: Vec<u8> =
            text.as_bytes().chunks(2).map(|two| digit(two[0]) << 4 | digit(two[1])).collect();
        Self::from_bytes(scheme, &bytes).ok_or(error)
    }

    /// The value as an unsigned decimal number without leading zeros; `None` if the scheme's fingerprints are
    /// not of 64 bits.
    #[must_use]
    pub fn to_decimal(&self) -> Option<String> {
        self.as_u64().map(|value| value.to_string())
    }

    /// Reads what [`to_decimal`](Self::to_decimal) writes.
    ///
    /// # Errors
    /// On anything else: signs, leading zeros, numbers that are too large.
    pub fn from_decimal(scheme: Scheme, text: &str) -> Result<Self, ParseExchangeError> {
        let error = ParseExchangeError { form: ExchangeForm::Decimal, scheme };
        let digits_only = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits_only || (text.len() > 1 && text.starts_with('0')) {
            return Err(error);
        }
        let value = text.parse().map_err(|_| error.clone())?;
        Self::from_u64(scheme, value).ok_or(error)
    }
}

/// A hexadecimal or decimal number, or a text in base64, is not a fingerprint of the scheme it was said to be of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseExchangeError {
    form: ExchangeForm,
    scheme: Scheme,
}

impl ParseExchangeError {
    pub(crate) fn new(form: ExchangeForm, scheme: Scheme) -> Self {
        Self { form, scheme }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExchangeForm {
    Hexadecimal,
    Decimal,
    Base64,
}

impl fmt::Display for ParseExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.scheme;
        match self.form {
            ExchangeForm::Hexadecimal => write!(
                f,
                "not a hexadecimal fingerprint: scheme {scheme} needs exactly {} digits 0-9 a-f and nothing else",
                scheme.bytes() * 2
            ),
            ExchangeForm::Base64 => write!(
                f,
                "not a fingerprint in base64: scheme {scheme} needs exactly {} characters of RFC 4648, with padding",
                scheme.bytes().div_ceil(3) * 4
            ),
            ExchangeForm::Decimal if scheme.positions() != 64 => {
                write!(
                    f,
                    "fingerprints of scheme {scheme} have no decimal form: use strings or hexadecimal digits"
                )
            }
            ExchangeForm::Decimal => write!(
                f,
                "not a decimal fingerprint: scheme {scheme} needs a number from 0 to {} without sign or leading zeros",
                u64::MAX
            ),
        }
    }
}

impl std::error::Error for ParseExchangeError {}

#[cfg(feature = "serde")]
mod serde_forms {
    use std::fmt;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use crate::{Fingerprint, Scheme};

    impl Serialize for Fingerprint {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl Serialize for Scheme {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.id())
        }
    }

    struct FromStrVisitor<T>(&'static str, std::marker::PhantomData<T>);

    impl<T: FromStr<Err: fmt::Display>> de::Visitor<'_> for FromStrVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }

    impl<'de> Deserialize<'de> for Fingerprint {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_str(FromStrVisitor(
                "a fingerprint such as sd1:aaaaaaaaaaaaa",
                std::marker::PhantomData,
            ))
        }
    }

    impl<'de> Deserialize<'de> for Scheme {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_str(FromStrVisitor(
                "the id of a scheme, such as sd1",
                std::marker::PhantomData,
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(text: &str) -> &'static str {
        text.parse::<Fingerprint>().unwrap_err().reason()
    }

    #[test]
    fn refusals_name_the_first_reason_that_applies() {
        for (text, expected) in [
            ("", "no-scheme"),
            ("aerukz4jvpg66", "no-scheme"),
            (":aerukz4jvpg66", "unknown-scheme"),
            (" sd1:aerukz4jvpg66", "unknown-scheme"),
            ("sd2:aerukz4jvpg66", "unknown-scheme"),
            ("sd1:aerukz4jvpg6 ", "alphabet"),
            ("sd1:aerukz4jvpg66\n", "alphabet"),
            ("sd1:sd1:aerukz4jvpg66", "alphabet"),
            ("sd1:1erukz4jvpg6", "alphabet"),
            ("sd1:", "length"),
            ("sd1:aerukz4jvpg6", "length"),
            ("sd1:aerukz4jvpg66a", "length"),
            ("sd1:aerukz4jvpg67", "trailing-bits"),
        ] {
            assert_eq!(reason(text), expected, "{text:?}");
        }
    }

    #[test]
    fn position_counts_code_points_of_the_whole_string() {
        let error = "sd1:aé1".parse::<Fingerprint>().unwrap_err();
        assert_eq!(error, ParseFingerprintError::Alphabet { position: 5, character: 'é' });
        let error = "sd1:aа0".parse::<Fingerprint>().unwrap_err();
        assert_eq!(error, ParseFingerprintError::Alphabet { position: 5, character: 'а' });
    }

    #[test]
    fn every_error_text_says_what_and_what_to_do() {
        let text = |input: &str| input.parse::<Fingerprint>().unwrap_err().to_string();
        assert!(text("").contains("\"sd1:\""));
        assert!(text("x:").contains("this build knows sd1, sl1, md1, wd1"));
        assert!(text("sd1:!").contains("position 4"));
        assert!(text("sd1:a").contains("exactly 13"));
        assert!(text("sd1:aaaaaaaaaaaab").contains("'b'"));
        let error = Fingerprint::from_hex(Scheme::SD1, "+123456789abcdef").unwrap_err();
        assert!(error.to_string().contains("exactly 16 digits"));
        let error = Fingerprint::from_decimal(Scheme::SD1, "18446744073709551616").unwrap_err();
        assert!(error.to_string().contains("18446744073709551615"));
    }

    #[test]
    fn exchange_forms_take_only_what_they_write() {
        let print = Fingerprint::from_u64(Scheme::SD1, 0x00ab).unwrap();
        assert_eq!(print.to_hex(), "00000000000000ab");
        assert_eq!(Fingerprint::from_hex(Scheme::SD1, "00000000000000AB"), Ok(print.clone()));
        assert_eq!(print.to_decimal().as_deref(), Some("171"));
        assert_eq!(Fingerprint::from_decimal(Scheme::SD1, "171"), Ok(print));
        for bad in ["", "ab", "0x000000000000ab", "00000000000000ag", " 0000000000000ab"] {
            assert!(Fingerprint::from_hex(Scheme::SD1, bad).is_err(), "{bad:?}");
        }
        for bad in ["", "+1", "-1", "01", "00", " 1", "1 ", "1_0", "٣"] {
            assert!(Fingerprint::from_decimal(Scheme::SD1, bad).is_err(), "{bad:?}");
        }
        assert!(Fingerprint::from_decimal(Scheme::SD1, "0").is_ok());
    }
}
