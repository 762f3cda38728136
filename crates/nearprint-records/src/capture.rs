//! What an archive says about a document it captured from the Web.

use serde::{Deserialize, Serialize};

/// The capture of a document, as its archive tells it. Nothing of it decides the document's text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// The address that was asked for.
    pub url: String,
    /// When it was asked: 14 digits, `YYYYMMDDhhmmss` in UTC, as indexes of archives write it.
    pub date: Option<String>,
    /// The status of the HTTP response.
    pub status: Option<u16>,
    /// The media type it was served as, in lower case without parameters.
    pub mime: Option<String>,
    /// The digest of the payload that the archive states, e.g. `sha1:` and base 32.
    pub digest: Option<String>,
    /// Why the archive holds only the beginning of the document, e.g. `length`.
    pub truncated: Option<String>,
    /// Of a revisit, the capture whose payload it has. Not part of rows.
    #[serde(skip)]
    pub revisited: Option<Box<RevisitedCapture>>,
}

/// The media type of revisits in indexes of captures.
pub const REVISIT_TYPE: &str = "warc/revisit";

/// Capture that a revisit refers to. Its payload digest is that of the revisit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RevisitedCapture {
    /// Its address; that of the revisit if the record names none.
    pub url: Option<String>,
    /// Its time, as 14 digits.
    pub date: Option<String>,
}
