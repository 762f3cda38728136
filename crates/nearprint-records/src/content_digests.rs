//! SHA-256 digests of documents, to tell equal ones from nearly equal ones and to find them elsewhere.

use std::fmt;
use std::str::FromStr;

/// The SHA-256 digests of a document, as JSON lines and tables carry them: 64 lower-case hexadecimal digits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ContentDigests {
    /// Of the bytes that the text was extracted from; of a text that came in a field, of its UTF-8.
    pub content: Option<Sha256Digest>,
    /// Of the extracted text in UTF-8.
    pub text: Option<Sha256Digest>,
}

/// A SHA-256 digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256Digest(pub [u8; 32]);

impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Sha256Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.as_bytes();
        let mut digest = [0; 32];
        if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err("a SHA-256 digest has 64 hexadecimal digits".to_owned());
        }
        let value = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        for (byte, two) in digest.iter_mut().zip(digits.chunks(2)) {
            *byte = value(two[0]) << 4 | value(two[1]);
        }
        Ok(Self(digest))
    }
}
