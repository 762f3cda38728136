//! By what captures of the Web are found: the key of the address, the time, and the digest of the payload.

use nearprint_records::{Capture, url_key};

/// The longest key of an address, in bytes. Captures of longer ones have no key.
pub const LONGEST_URL_KEY: usize = 4096;

/// The longest digest of a payload, in bytes.
const LONGEST_DIGEST: usize = 255;

/// By what an index finds a capture of the Web.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaptureKey {
    /// The key of the address (SURT), such as `org,example)/page`: at most [`LONGEST_URL_KEY`] bytes, without spaces;
    /// empty if there is none.
    pub url_key: String,
    /// When it was captured, as 14 digits (`YYYYMMDDhhmmss`, UTC); `None` if unknown.
    pub date: Option<String>,
    /// The digest of the payload as the archive states it, such as `sha1:` and base 32; at most 255 bytes.
    pub payload_digest: Option<String>,
}

impl CaptureKey {
    /// The key of a capture. What is too long to be a key, or is not one, is left out.
    #[must_use]
    pub fn of(capture: &Capture) -> Self {
        let url_key = Some(url_key(&capture.url)).filter(|key| is_url_key(key));
        let date = capture.date.clone().filter(|date| is_date(date));
        let payload_digest = capture.digest.clone().filter(|digest| is_digest(digest));
        Self { url_key: url_key.unwrap_or_default(), date, payload_digest }
    }

    /// Refuses what an index cannot hold.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check(&self) -> Result<(), &'static str> {
        if !self.url_key.is_empty() && !is_url_key(&self.url_key) {
            return Err("the key of an address has 1 to 4,096 bytes and no space");
        }
        if self.date.as_deref().is_some_and(|date| !is_date(date)) {
            return Err("the time of a capture has 14 digits");
        }
        if self.payload_digest.as_deref().is_some_and(|digest| !is_digest(digest)) {
            return Err("the digest of a payload has 1 to 255 bytes");
        }
        Ok(())
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.url_key.is_empty() && self.date.is_none() && self.payload_digest.is_none()
    }
}

fn is_url_key(key: &str) -> bool {
    (1..=LONGEST_URL_KEY).contains(&key.len())
        && !key.bytes().any(|byte| byte <= b' ')
        && key != "-"
}

fn is_date(date: &str) -> bool {
    date.len() == 14 && date.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_digest(digest: &str) -> bool {
    (1..=LONGEST_DIGEST).contains(&digest.len())
}
