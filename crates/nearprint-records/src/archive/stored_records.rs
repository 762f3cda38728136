//! Records of a WARC file as they are stored: what a copy of the file changes, and what of a payload tells that it is
//! stored elsewhere too.

use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::searched_stretch::SearchedStretch;
use super::sha1::{self, Sha1};
use super::trouble::{Fault, Then};
use super::{Archive, Head, LONGEST_HEADER, http, warc};
use crate::ReadSettings;
use crate::expansion::Compression;
use crate::{Capture, Container, InputFile, Place, RecordCounter, Sha256Digest};

/// What a stored record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoredKind {
    /// A server's answer.
    Response,
    /// A note that a server's answer had the payload of another.
    Revisit,
    /// All else.
    Other,
}

/// A whole record of a WARC file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StoredRecord {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: StoredKind,
    /// Its header, with the line that ends it.
    pub head: Vec<u8>,
    /// Its id, without angle brackets.
    pub record_id: Option<String>,
    /// What its header says of the capture; of an HTTP response also the status.
    pub capture: Capture,
    /// Of a response the header of its HTTP message; of a revisit the whole block, where it has not more bytes than
    /// [`ReadSettings::max_bytes`]; else nothing.
    pub block: Vec<u8>,
    /// The payload of an HTTP response.
    pub payload: Option<StoredPayload>,
}

/// The payload of an HTTP response, as it is stored: chunks and compression are not undone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredPayload {
    /// Bytes.
    pub length: u64,
    /// Of these bytes.
    pub sha256: Sha256Digest,
    /// The same digest as indexers of archives compute where a record states none: `sha1:` and base 32.
    pub sha1: String,
    /// The values of `Transfer-Encoding` and `Content-Encoding`, in lower case, on which it depends what the bytes
    /// mean.
    pub codings: String,
}

/// The whole records of a WARC file one after the other. Where the file is damaged it goes on at the next record.
pub struct StoredRecords {
    archive: Archive,
}

impl StoredRecords {
    /// Opens a file; `None` if it is no WARC file.
    ///
    /// # Errors
    /// Those of the system, and [`io::ErrorKind::Unsupported`] in a build without the feature `archives`.
    pub fn open(path: &Path, settings: &ReadSettings) -> io::Result<Option<Self>> {
        let mut file = InputFile::open(path)?;
        // What cannot be examined is no WARC file that could be read.
        let container = file.container(settings).ok().flatten();
        if let (Some(Container::Warc), Some(missing)) = (container, sha1::MISSING) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, missing));
        }
        Ok((container == Some(Container::Warc)).then(|| {
            let (settings, counts) = (settings.clone(), RecordCounter::default());
            Self { archive: file.into_archive(Container::Warc, settings, counts) }
        }))
    }

    /// The compression of the file, or of each of its records.
    pub(crate) fn compression(&self) -> Option<Compression> {
        self.archive.stream.compression()
    }

    fn record(&mut self) -> Result<Option<StoredRecord>, Then> {
        let archive = &mut self.archive;
        let then = |(_, then): Fault| then;
        archive.beginning = None;
        if !archive.go_to_record().map_err(then)? {
            archive.ended = true;
            return Ok(None);
        }
        let length = archive.head_length().map_err(then)?;
        let bytes = archive.stream.ahead()[..length].to_vec();
        let mut head = warc::head(&bytes).map_err(|_| Then::Search)?;
        archive.stream.take(length);
        let mut block = Block::of(&head, archive.settings.max_bytes);
        archive.parts_of_block(&head, |part| block.take(part)).map_err(then)?;
        let place = archive.place_of(Some(&head), true);
        let payload = block.payload(&mut head.capture);
        let kind = match head.kind {
            "response" => StoredKind::Response,
            "revisit" => StoredKind::Revisit,
            _ => StoredKind::Other,
        };
        let Head { record_id, capture, .. } = head;
        Ok(Some(StoredRecord {
            place,
            kind,
            head: bytes,
            record_id,
            capture,
            block: block.held,
            payload,
        }))
    }
}

impl Iterator for StoredRecords {
    type Item = StoredRecord;

    fn next(&mut self) -> Option<StoredRecord> {
        while !self.archive.ended {
            match self.record() {
                Ok(found) => return found,
                Err(then) => self.archive.recover(then),
            }
        }
        None
    }
}

impl StoredRecord {
    /// The value of a field of its header, named in lower case, as it stands there.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<String> {
        let mut fields = warc::fields(&self.head).into_iter();
        fields.find(|(found, _)| found == name).map(|(_, value)| value)
    }
}

/// A record's block while it is read.
struct Block {
    kind: Kind,
    held: Vec<u8>,
    /// Where the header of the message does not end.
    no_head: SearchedStretch,
    /// Bytes of the payload.
    length: u64,
    sha256: Sha256,
    sha1: Sha1,
}

/// What of a block is of interest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    /// All of it.
    Whole,
    /// A message whose header is not complete yet.
    HttpHead,
    /// One whose payload has begun.
    Payload,
}

impl Block {
    fn of(head: &Head, most: u64) -> Self {
        let kind = match head.kind {
            "response" if head.is_http => Kind::HttpHead,
            "revisit" if head.length <= most => Kind::Whole,
            _ => Kind::Nothing,
        };
        let (sha256, sha1) = (Sha256::new(), Sha1::default());
        let (held, no_head) = (Vec::new(), SearchedStretch::default());
        Self { kind, held, no_head, length: 0, sha256, sha1 }
    }

    fn take(&mut self, part: &[u8]) {
        match self.kind {
            Kind::Nothing => {}
            Kind::Whole => self.held.extend_from_slice(part),
            Kind::Payload => self.take_payload(part),
            Kind::HttpHead => {
                self.held.extend_from_slice(part);
                let end = self.no_head.find(0, &self.held, warc::head_end);
                if let Some(end) = end.filter(|end| *end <= LONGEST_HEADER) {
                    let rest = self.held.split_off(end);
                    self.kind = Kind::Payload;
                    self.take_payload(&rest);
                } else if self.held.len() > LONGEST_HEADER {
                    self.kind = Kind::Nothing;
                    self.held = Vec::new();
                }
            }
        }
    }

    fn take_payload(&mut self, part: &[u8]) {
        self.length += part.len() as u64;
        self.sha256.update(part);
        self.sha1.update(part);
    }

    /// The payload, where there is one. Takes the status into the capture.
    fn payload(&self, capture: &mut Capture) -> Option<StoredPayload> {
        if self.kind != Kind::Payload || !self.held.starts_with(b"HTTP/") {
            return None;
        }
        let message = http::head(&self.held);
        capture.status = message.status;
        let values = |name| message.values(name).collect::<Vec<_>>().join(",").to_ascii_lowercase();
        Some(StoredPayload {
            length: self.length,
            sha256: Sha256Digest(self.sha256.clone().finalize().into()),
            sha1: self.sha1.clone().finish(),
            codings: format!("{};{}", values("transfer-encoding"), values("content-encoding")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header that comes byte by byte, as in members of gzip that have a byte each, is searched once.
    #[test]
    fn headers_that_come_in_pieces_are_searched_once() {
        let head = Head { kind: "response", is_http: true, ..Head::default() };
        let mut block = Block::of(&head, u64::MAX);
        let message = [b"HTTP/1.1 200 OK\r\n".as_slice(), &b"a:\r\n".repeat(5_000)].concat();
        for byte in &message {
            block.take(&[*byte]);
        }
        assert!(block.kind == Kind::HttpHead && block.held == message);
        let work = block.no_head.take_work();
        assert!(work <= 10 * message.len(), "{work} for {}", message.len());
        block.take(b"\r");
        block.take(b"\nbody");
        assert!(block.kind == Kind::Payload && block.length == 4);
    }
}
