//! Documents that are captures of the Web, in archives: WARC (ISO 28500) and ARC.
//!
//! The reader is this crate's own, because others were found to end silently at damage, to give cut records out as
//! whole, or to allocate what a header promises. Here a record is a document only when it ends where it says, what a
//! header promises is a bound and never an allocation, and after damage the next record is looked for.

mod arc;
mod block;
#[cfg(feature = "archives")]
mod capture_links;
#[cfg(not(feature = "archives"))]
#[path = "archive/capture_links_none.rs"]
mod capture_links;
mod http;
mod record_head;
mod revisit;
mod searched_stretch;
#[cfg(feature = "archives")]
mod sha1;
#[cfg(not(feature = "archives"))]
#[path = "archive/sha1_none.rs"]
mod sha1;
mod stored_records;
mod trouble;
mod warc;

pub(crate) use capture_links::CaptureLinks;
pub use revisit::{RevisitReference, RevisitTarget};
pub use stored_records::{StoredKind, StoredPayload, StoredRecord, StoredRecords};

use self::searched_stretch::SearchedStretch;
use self::trouble::{Fault, Then, Trouble, compressed};
use crate::ReadSettings;
use crate::expansion::{Beginning, Cost, Damage, Expansion};
use crate::{
    Capture, CaptureIds, Container, Content, Document, DocumentId, ErrorRecord, HttpBody, Place,
    Position, REVISIT_TYPE, ReasonCode, RecordCounter, Source,
};

/// Bytes of a record's header (<=), and of the header of an HTTP message in it. Some addresses hold whole images.
const LONGEST_HEADER: usize = 1 << 20;

/// Bytes in which the first line of a record is looked for.
const LOOK: usize = 8 << 10;

/// Bytes that tell a record of WARC.
const MARK: usize = 8;

/// The header of a record, from either form of archive.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    kind: &'static str,
    /// Whether the record may be a document.
    is_document: bool,
    /// Bytes of the block after the header.
    length: u64,
    /// Whether the block is an HTTP message where it looks like one.
    is_http: bool,
    record_id: Option<String>,
    media_type: Option<String>,
    capture: Capture,
}

/// The records of one archive.
pub(crate) struct Archive {
    place: Place,
    stream: Expansion,
    is_arc: bool,
    settings: ReadSettings,
    counts: RecordCounter,
    /// Bytes that the body of a response may expand to.
    longest_body: u64,
    beginning: Option<Beginning>,
    /// Where no line ends, and where no header does.
    no_line: SearchedStretch,
    no_head: SearchedStretch,
    /// What is noted of captures, where they are parts of a package.
    links: Option<CaptureLinks>,
    ended: bool,
}

impl Archive {
    pub(crate) fn new(
        place: Place,
        stream: Expansion,
        container: Container,
        settings: ReadSettings,
        counts: RecordCounter,
    ) -> Self {
        let is_arc = container == Container::Arc;
        let longest_body = settings.max_bytes;
        Self {
            place,
            stream,
            is_arc,
            settings,
            counts,
            longest_body,
            beginning: None,
            no_line: SearchedStretch::default(),
            no_head: SearchedStretch::default(),
            links: None,
            ended: false,
        }
    }

    /// The same with bodies that expand to no more than `longest_body` bytes.
    pub(crate) fn with_bodies_of(self, longest_body: u64) -> Self {
        Self { longest_body, ..self }
    }

    /// The same, with captures and revisits noted in `links`.
    #[cfg(feature = "archives")]
    pub(crate) fn noting_links(self, links: CaptureLinks) -> Self {
        Self { links: Some(links), ..self }
    }

    /// What was noted.
    #[cfg(feature = "archives")]
    pub(crate) fn take_links(&mut self) -> Option<CaptureLinks> {
        self.links.take()
    }

    /// Counts a record that was read.
    fn count(&mut self, head: &Head) {
        self.counts.add(head.kind);
        if let Some(links) = &mut self.links {
            links.note(head);
        }
    }

    fn begins(is_arc: bool, bytes: &[u8]) -> bool {
        if is_arc { arc::begins(bytes) } else { warc::begins(bytes) }
    }

    /// Whether a record begins here, and how many bytes were looked at for that.
    fn begins_by(is_arc: bool, bytes: &[u8]) -> (bool, usize) {
        let looked = if is_arc { arc::head_end(bytes).unwrap_or(bytes.len()) } else { MARK };
        (Self::begins(is_arc, bytes), looked)
    }

    /// The next record; `None` if it is skipped, and at the end.
    fn record(&mut self) -> Result<Option<Document>, Trouble> {
        self.beginning = None;
        match self.go_to_record() {
            Ok(true) => {}
            Ok(false) => {
                self.ended = true;
                return Ok(None);
            }
            Err(fault) => return Err(self.trouble(fault, None, false)),
        }
        let head = match self.head() {
            Ok(head) => head,
            Err(fault) => return Err(self.trouble(fault, None, false)),
        };
        let mut head = head;
        let bytes = match self.block(&head) {
            Ok(bytes) => bytes,
            Err(fault) => return Err(self.trouble(fault, Some(&head), false)),
        };
        let Some(bytes) = bytes else {
            if head.is_document {
                let detail = format!(
                    "the record has {} bytes, but the limit is {} (max_bytes)",
                    head.length, self.settings.max_bytes
                );
                let damage = Damage { reason: ReasonCode::TOO_LARGE, detail };
                return Err(self.trouble((damage, Then::Here), Some(&head), true));
            }
            self.count(&head);
            if head.capture.revisited.is_none() || !self.settings.revisits {
                return Ok(None);
            }
            head.capture.mime = Some(REVISIT_TYPE.to_owned());
            return self.document(head, Content::Text(String::new()), None).map(Some);
        };
        let content = match self.content(&mut head, bytes) {
            Ok(content) => content,
            Err(damage) => return Err(self.trouble((damage, Then::Here), Some(&head), true)),
        };
        self.count(&head);
        let Some((content, charset)) = content else { return Ok(None) };
        self.document(head, content, charset).map(Some)
    }

    /// The document of the record that was just read.
    fn document(
        &self,
        head: Head,
        content: Content,
        charset: Option<String>,
    ) -> Result<Document, Trouble> {
        let place = self.place_of(Some(&head), true);
        let Some(id) = self.id(&head, &place) else {
            let damage = Damage {
                reason: ReasonCode::BAD_ID,
                detail: "neither the record nor its place is a valid id".to_owned(),
            };
            return Err(self.trouble((damage, Then::Here), Some(&head), true));
        };
        let mut document = Document::new(id, place, content);
        document.charset = charset;
        document.capture = Some(Box::new(head.capture));
        Ok(document)
    }

    /// Goes over what may stand between records; false at the end of the file.
    fn go_to_record(&mut self) -> Result<bool, Fault> {
        loop {
            let ahead = self.stream.peek(1).map_err(compressed)?;
            match ahead.iter().position(|&byte| byte != b'\r' && byte != b'\n') {
                Some(blanks) => {
                    self.stream.take(blanks);
                    self.stream.charge(blanks + 1).map_err(compressed)?;
                    self.beginning = Some(self.stream.begin());
                    return Ok(true);
                }
                None if ahead.is_empty() => {
                    if !self.stream.advance().map_err(compressed)? {
                        return Ok(false);
                    }
                }
                None => {
                    let blanks = ahead.len();
                    self.stream.take(blanks);
                    self.stream.charge(blanks).map_err(compressed)?;
                }
            }
        }
    }

    /// What is in a record's block, with its charset; `None` if it is not a document after all.
    fn content(
        &self,
        head: &mut Head,
        mut block: Vec<u8>,
    ) -> Result<Option<(Content, Option<String>)>, Damage> {
        let capture = &mut head.capture;
        if !(head.is_http && block.starts_with(b"HTTP/")) {
            capture.mime = head.media_type.as_deref().and_then(http::essence);
            let charset = head.media_type.as_deref().and_then(http::charset);
            let is_text =
                head.kind == "conversion" && capture.mime.as_deref() == Some("text/plain");
            let content = match String::from_utf8(block) {
                Ok(text) if is_text => Content::Text(text),
                Ok(text) => Content::Bytes(text.into_bytes()),
                Err(error) => Content::Bytes(error.into_bytes()),
            };
            return Ok(Some((content, charset)));
        }
        let end = warc::head_end(&block).unwrap_or(block.len());
        if end > LONGEST_HEADER {
            let text =
                format!("the header of the HTTP message has more than {LONGEST_HEADER} bytes");
            return Err(Damage::new(text));
        }
        let message = http::head(&block[..end]);
        capture.status = message.status;
        let media_type = message.value("content-type");
        capture.mime = media_type.and_then(http::essence);
        let charset = media_type.and_then(http::charset);
        if message.status != Some(200) && !self.settings.any_status {
            head.kind = "other-status";
            return Ok(None);
        }
        block.drain(..end);
        let mut body = HttpBody::new(block, self.settings.max_ratio).at_most(self.longest_body);
        for value in message.values("content-encoding") {
            body = body.with_content_encoding(value);
        }
        for value in message.values("transfer-encoding") {
            body = body.with_transfer_encoding(value);
        }
        if capture.truncated.is_some() {
            body = body.cut_short();
        }
        Ok(Some((Content::Http(body), charset)))
    }

    /// What a record is called.
    fn id(&self, head: &Head, place: &Place) -> Option<DocumentId> {
        let Capture { url, date, .. } = &head.capture;
        let id = match self.settings.ids {
            CaptureIds::Record => head.record_id.clone(),
            CaptureIds::Url => Some(url.clone()),
            CaptureIds::DateAndUrl => {
                Some(format!("{}/{url}", date.as_deref().unwrap_or_default()))
            }
        };
        id.and_then(|id| DocumentId::new(id).ok())
            .or_else(|| DocumentId::new(place.to_string()).ok())
    }

    /// The place of the present record, whole or not.
    fn place_of(&self, head: Option<&Head>, whole: bool) -> Place {
        let extent = self.beginning.map(|beginning| match whole {
            true => self.stream.extent(beginning),
            false => self.stream.extent_of_beginning(beginning),
        });
        let record = head.and_then(|head| DocumentId::new(head.record_id.clone()?).ok());
        match extent {
            Some(extent) => Place {
                offset: Some(extent.offset),
                length: extent.length,
                wrapper: extent.wrapper.map(Into::into),
                record,
                ..self.place.clone()
            },
            None => Place { offset: Some(self.stream.stored()), ..self.place.clone() },
        }
    }
}

impl Source for Archive {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        while !self.ended {
            match self.record() {
                Ok(Some(document)) => return Some(Ok(document)),
                Ok(None) => {}
                Err(Trouble { damage, id, place, then }) => {
                    self.recover(then);
                    let Damage { reason, detail } = damage;
                    return Some(Err(ErrorRecord { id, place, reason, detail: detail.into() }));
                }
            }
        }
        None
    }

    fn position(&self) -> Option<Position> {
        let (offset, expanded) = self.stream.standing().filter(|_| !self.ended)?;
        let Cost { reread, work } = self.stream.cost();
        Some(Position { offset, expanded, reread, work, ..Position::default() })
    }

    fn go_on(&mut self, position: &Position) -> bool {
        let cost = Cost { reread: position.reread, work: position.work };
        self.stream.go_on((position.offset, position.expanded), cost)
    }
}

/// Whether an archive begins with these bytes, and which.
pub(crate) fn sniff(head: &[u8]) -> Option<Container> {
    if warc::begins(head) {
        Some(Container::Warc)
    } else if head.starts_with(b"filedesc://") {
        Some(Container::Arc)
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
