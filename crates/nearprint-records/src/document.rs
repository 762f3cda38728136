//! What a source yields: a document that is not extracted yet, or the record of why there is none.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::{
    Batch, Capture, DocumentId, HttpBody, OrderKey, Place, Position, ReasonCode, RecordCounts,
};

/// A document as it was found: named, placed, its bytes at hand or still to be read.
#[derive(Debug, Clone)]
pub struct Document {
    /// What it is called in results.
    pub id: DocumentId,
    /// Where it was found.
    pub place: Place,
    /// Its bytes.
    pub content: Content,
    /// A charset label that came with it (an HTTP header, a container's field), for extraction.
    pub charset: Option<String>,
    /// A media type that came with it and is to be believed, for extraction.
    pub media_type: Option<String>,
    /// What puts it in order among others, where a field for that was asked for.
    pub order: Option<OrderKey>,
    /// What an archive says about it.
    pub capture: Option<Box<Capture>>,
}

/// The bytes of a document.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Content {
    /// Read already.
    Bytes(Vec<u8>),
    /// In a file of its own, read by the thread that processes the document: so several are read at once.
    File {
        /// The file.
        path: PathBuf,
        /// Its length in bytes when it was found; files may change.
        length: u64,
    },
    /// Text at hand, as a field of a table holds it: it is not sniffed, nothing is extracted from it.
    Text(String),
    /// A page as a field of text holds it: markup whose charset is no question.
    Page(String),
    /// The body of an HTTP message with the codings that its header names, undone by the thread that processes the
    /// document.
    Http(HttpBody),
}

impl Document {
    /// A document whose bytes are at hand.
    #[must_use]
    pub fn from_bytes(id: DocumentId, bytes: impl Into<Vec<u8>>) -> Self {
        let place = Place { file: id.as_str().into(), ..Place::default() };
        Self::new(id, place, Content::Bytes(bytes.into()))
    }

    /// A document of which nothing more is known.
    #[must_use]
    pub fn new(id: DocumentId, place: Place, content: Content) -> Self {
        Self { id, place, content, charset: None, media_type: None, order: None, capture: None }
    }

    /// Its length in bytes, for a file as it was when found.
    #[must_use]
    pub fn length(&self) -> u64 {
        match &self.content {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::File { length, .. } => *length,
            Content::Text(text) | Content::Page(text) => text.len() as u64,
            Content::Http(body) => body.length(),
        }
    }

    /// Reads the bytes; from a file never more than `limit` + 1 of them, so that whoever applies the limit
    /// sees that it was passed.
    ///
    /// # Errors
    /// If the file cannot be read, or the body of a message is not what its header says.
    pub fn into_bytes(self, limit: u64) -> Result<Vec<u8>, ErrorRecord> {
        match self.content {
            Content::Bytes(bytes) => Ok(bytes),
            Content::Text(text) | Content::Page(text) => Ok(text.into_bytes()),
            Content::Http(body) => body.decode(limit).map_err(|(reason, detail)| ErrorRecord {
                id: Some(self.id),
                place: self.place,
                reason,
                detail: detail.into(),
            }),
            Content::File { path, length } => {
                let expected = length.min(limit).saturating_add(1);
                // A wrong length costs a reallocation, never more than was read.
                let mut bytes =
                    Vec::with_capacity(usize::try_from(expected).unwrap_or(0).min(64 << 20));
                File::open(&path)
                    .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
                    .map_err(|error| ErrorRecord {
                        id: Some(self.id),
                        place: self.place,
                        reason: ReasonCode::UNREADABLE,
                        detail: error.to_string().into(),
                    })?;
                Ok(bytes)
            }
        }
    }
}

/// Something in the input that is no document, or no longer one: its place and the reason. The work continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorRecord {
    /// The id it would have had, where it got that far.
    pub id: Option<DocumentId>,
    /// Where it was found.
    pub place: Place,
    /// The kind of trouble.
    pub reason: ReasonCode,
    /// What happened, for a person to read.
    pub detail: Box<str>,
}

/// `PLACE: DETAIL`.
impl fmt::Display for ErrorRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.detail)
    }
}

impl std::error::Error for ErrorRecord {}

/// Where documents come from: files today, archives and tables by the same contract.
///
/// A source is an iterator of documents and error records in an order of its own that never changes for the same
/// input. One bad document is one error record, and the next call continues after it; `None` is the end. Anything
/// iterable will do:
///
/// ```
/// use nearprint_records::{Document, DocumentId, ErrorRecord, Source};
///
/// let mut source = ["one", "two"].into_iter().map(|text| {
///     let id = DocumentId::new(text).expect("short words without control characters are ids");
///     Ok::<_, ErrorRecord>(Document::from_bytes(id, text))
/// });
/// assert_eq!(source.next_document().unwrap().unwrap().id.as_str(), "one");
/// ```
pub trait Source: Send {
    /// The next document.
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>>;

    /// The next documents, as many as make a batch; `None` is the end. What [`next_document`](Self::next_document)
    /// gives afterwards is after them.
    fn next_batch(&mut self) -> Option<Batch> {
        Batch::gathered(|| self.next_document())
    }

    /// Says, before anything is read, how many threads will work on what its batches hold: what they can do of reading
    /// is left to them. What the source gives is the same for any number; it is one by default.
    fn expect_workers(&mut self, workers: NonZeroUsize) {
        let _ = workers;
    }

    /// Where the source stands between what it gave and what it gives next: another source of the same input continues
    /// from there ([`go_on`](Self::go_on)). `None` if it cannot say.
    fn position(&self) -> Option<Position> {
        None
    }

    /// Goes to a position of a source of the same input, before anything was read; false if that cannot be done, and
    /// nothing has happened then.
    fn go_on(&mut self, position: &Position) -> bool {
        let _ = position;
        false
    }

    /// How many records of each kind the archives among its files have so far, documents or not.
    fn record_counts(&self) -> RecordCounts {
        RecordCounts::default()
    }
}

impl<I: Iterator<Item = Result<Document, ErrorRecord>> + Send> Source for I {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        self.next()
    }
}
