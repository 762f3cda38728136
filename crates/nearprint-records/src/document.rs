//! What a source yields: a document that is not extracted yet, or an error record.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[cfg(feature = "files")]
use crate::HttpBody;
use crate::{Batch, Capture, DocumentId, OrderKey, Place, Position, ReasonCode, RecordCounts};

/// A document as it was found, with its id and place. Its bytes may still have to be read.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its id in results.
    pub id: DocumentId,
    /// Where it was found.
    pub place: Place,
    /// Its bytes.
    pub content: Content,
    /// A charset label that came with it (an HTTP header, a field of a container), as a hint for extraction.
    pub charset: Option<String>,
    /// A trusted media type that came with it, for extraction.
    pub media_type: Option<String>,
    /// The value by which it is ordered among others, if a field for that was requested.
    pub order: Option<OrderKey>,
    /// Its capture, if it is from a web archive.
    pub capture: Option<Box<Capture>>,
}

/// The bytes of a document.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Content {
    /// Read already.
    Bytes(Vec<u8>),
    /// In its own file, which the thread that processes the document reads, so that several are read at once.
    File {
        /// The file.
        path: PathBuf,
        /// Its length in bytes when it was found; files may change.
        length: u64,
    },
    /// Text, such as that of a field of a table: its type is not detected, and nothing is extracted from it.
    Text(String),
    /// An HTML page from a text field: its charset is known.
    Page(String),
    /// The body of an HTTP message with the encodings that its header names, which the thread that processes the
    /// document undoes.
    #[cfg(feature = "files")]
    Http(HttpBody),
}

impl Document {
    /// A document whose bytes are at hand. Their type is detected, as a file's is: what begins as HTML, RTF or PDF do
    /// is read as that. For a text that is compared as it is there is [`from_text`](Self::from_text).
    #[must_use]
    pub fn from_bytes(id: DocumentId, bytes: impl Into<Vec<u8>>) -> Self {
        Self::at_its_id(id, Content::Bytes(bytes.into()))
    }

    /// A document that is this text, whatever it looks like: nothing is extracted from it.
    #[must_use]
    pub fn from_text(id: DocumentId, text: impl Into<String>) -> Self {
        Self::at_its_id(id, Content::Text(text.into()))
    }

    /// A document whose place is its id.
    fn at_its_id(id: DocumentId, content: Content) -> Self {
        let place = Place { file: id.as_str().into(), ..Place::default() };
        Self::new(id, place, content)
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
            #[cfg(feature = "files")]
            Content::Http(body) => body.length(),
        }
    }

    /// Reads the bytes. From a file it reads at most `limit` + 1 of them, so that the caller can see that the limit was
    /// exceeded.
    ///
    /// # Errors
    /// If the file cannot be read, or the body of a message is not what its header says.
    pub fn into_bytes(self, limit: u64) -> Result<Vec<u8>, ErrorRecord> {
        match self.content {
            Content::Bytes(bytes) => Ok(bytes),
            Content::Text(text) | Content::Page(text) => Ok(text.into_bytes()),
            #[cfg(feature = "files")]
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

/// Something in the input that could not be read as a document: its place and the reason. The work continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorRecord {
    /// Its id, if it is known.
    pub id: Option<DocumentId>,
    /// Where it was found.
    pub place: Place,
    /// The reason.
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

/// A source of documents, such as files, archives or tables.
///
/// A source is an iterator of documents and error records, whose order never changes for the same input. One bad
/// document is one error record, and the next call continues after it; `None` is the end. Any iterator can be a source:
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

    /// Announces, before anything is read, how many threads will process its batches, so that it can leave work to
    /// them. The documents are the same for any number; the default is one.
    fn expect_workers(&mut self, workers: NonZeroUsize) {
        let _ = workers;
    }

    /// The position after the last document. Another source of the same input can continue from there
    /// ([`go_on`](Self::go_on)). `None` if the source has no positions.
    fn position(&self) -> Option<Position> {
        None
    }

    /// Moves to a position of a source of the same input, before anything is read. Returns false, without any effect,
    /// if that is not possible.
    fn go_on(&mut self, position: &Position) -> bool {
        let _ = position;
        false
    }

    /// How many records of each kind the archives among its files have so far, documents or not.
    fn record_counts(&self) -> RecordCounts {
        RecordCounts::default()
    }
}

impl Source for Box<dyn Source> {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        (**self).next_document()
    }

    fn next_batch(&mut self) -> Option<Batch> {
        (**self).next_batch()
    }

    fn expect_workers(&mut self, workers: NonZeroUsize) {
        (**self).expect_workers(workers);
    }

    fn position(&self) -> Option<Position> {
        (**self).position()
    }

    fn go_on(&mut self, position: &Position) -> bool {
        (**self).go_on(position)
    }

    fn record_counts(&self) -> RecordCounts {
        (**self).record_counts()
    }
}

impl<I: Iterator<Item = Result<Document, ErrorRecord>> + Send> Source for I {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        self.next()
    }
}
