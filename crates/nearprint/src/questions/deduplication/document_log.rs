//! What is to be said about each document, in a temporary file: read in order, or one at a time.

use std::io;
use std::path::Path;

use crate::store::temporary_file::TemporaryFile;
use nearprint_records::{Capture, DocumentId, Place, ReasonCode};
use serde::de::IgnoredAny;

/// Documents that are written and read at once: memory is 8 bytes for so many.
const STEP: usize = 32;

/// A document as it was met.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LoggedDocument {
    pub(super) id: DocumentId,
    pub(super) place: Place,
    /// Why it has no fingerprint, where it has none.
    pub(super) reason: Option<ReasonCode>,
    /// The path by which its file was read, where that is another one.
    pub(super) first: Option<DocumentId>,
    /// What its archive says about it, if it is a capture.
    pub(super) capture: Option<Box<Capture>>,
}

/// As it is written: without names, and without the file where that is the one of the document before.
type Line = (DocumentId, Place, Option<ReasonCode>, Option<DocumentId>, Option<Box<Capture>>);

/// Documents in the order they were met, in a file without a name that is gone when this is.
#[derive(Debug)]
pub(super) struct DocumentLog {
    file: TemporaryFile,
    /// Where every [`STEP`] documents begin, and where the last of these end.
    offsets: Vec<u64>,
    /// Documents that are not written yet, fewer than [`STEP`].
    held: Vec<LoggedDocument>,
    /// Documents that were read last, and the number of the first.
    read: (u64, Vec<LoggedDocument>),
}

impl DocumentLog {
    pub(super) fn new(directory: &Path) -> io::Result<Self> {
        let file = TemporaryFile::create("notes about documents", directory)?;
        Ok(Self { file, offsets: vec![0], held: Vec::new(), read: (0, Vec::new()) })
    }

    /// Number of documents.
    pub(super) fn len(&self) -> u64 {
        ((self.offsets.len() - 1) * STEP + self.held.len()) as u64
    }

    /// Bytes of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// The same for each document that is in it.
    pub(super) fn bytes_each(&self) -> f64 {
        let written = (self.offsets.len() - 1) * STEP;
        self.bytes() as f64 / written.max(1) as f64
    }

    pub(super) fn push(&mut self, document: LoggedDocument) -> io::Result<()> {
        self.held.push(document);
        if self.held.len() < STEP {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(STEP * 128);
        let mut file: Box<str> = "".into();
        for LoggedDocument { id, mut place, reason, first, capture } in self.held.drain(..) {
            if place.file == file {
                place.file = "".into();
            } else {
                file.clone_from(&place.file);
            }
            let line: Line = (id, place, reason, first, capture);
            serde_json::to_writer(&mut bytes, &line)?;
            bytes.push(b'\n');
        }
        let at = self.bytes();
        self.file.write_all_at(&bytes, at)?;
        self.offsets.push(at + bytes.len() as u64);
        Ok(())
    }

    /// The document of a number, from 0. Neighbours are read together, so that reading in order is fast.
    ///
    /// # Panics
    /// Where the number is not below the length.
    pub(super) fn get(&mut self, number: u64) -> io::Result<&LoggedDocument> {
        let part = number / STEP as u64 * STEP as u64;
        let within = (number - part) as usize;
        let written = ((self.offsets.len() - 1) * STEP) as u64;
        if number >= written {
            return Ok(&self.held[within]);
        }
        if self.read.0 != part || self.read.1.is_empty() {
            self.read = (part, parse(&self.part(part)?)?);
        }
        Ok(&self.read.1[within])
    }

    /// The id of the document of a number, from 0. Nothing else of its neighbours is read than where they end, so that
    /// looking up what documents repeat, which may be anywhere, is fast.
    ///
    /// # Panics
    /// As for [`get`](Self::get).
    pub(super) fn id(&mut self, number: u64) -> io::Result<DocumentId> {
        let part = number / STEP as u64 * STEP as u64;
        let is_at_hand = part >= (self.offsets.len() - 1) as u64 * STEP as u64
            || self.read.0 == part && !self.read.1.is_empty();
        if is_at_hand {
            return Ok(self.get(number)?.id.clone());
        }
        let bytes = self.part(part)?;
        let line = bytes.split(|&byte| byte == b'\n').nth((number - part) as usize);
        type WithId = (DocumentId, IgnoredAny, IgnoredAny, IgnoredAny, IgnoredAny);
        let (id, ..): WithId = serde_json::from_slice(line.unwrap_or_default())?;
        Ok(id)
    }

    /// The lines of a part that is written, by the number of its first document.
    fn part(&self, part: u64) -> io::Result<Vec<u8>> {
        let at = (part / STEP as u64) as usize;
        let (start, end) = (self.offsets[at], self.offsets[at + 1]);
        let mut bytes = vec![0; (end - start) as usize];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes)
    }
}

fn parse(bytes: &[u8]) -> io::Result<Vec<LoggedDocument>> {
    let mut file: Box<str> = "".into();
    let lines = serde_json::Deserializer::from_slice(bytes).into_iter::<Line>();
    let documents = lines.map(|line| {
        let (id, mut place, reason, first, capture) = line?;
        if place.file.is_empty() {
            place.file.clone_from(&file);
        } else {
            file.clone_from(&place.file);
        }
        Ok(LoggedDocument { id, place, reason, first, capture })
    });
    documents.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_back_in_any_order() {
        let mut log = DocumentLog::new(&std::env::temp_dir()).unwrap();
        let document = |number: u64| LoggedDocument {
            id: DocumentId::new(format!("page \"{number}\"")).unwrap(),
            place: Place {
                file: format!("file-{}", number / 20).into(),
                offset: (!number.is_multiple_of(3)).then_some(number),
                ..Place::default()
            },
            reason: number.is_multiple_of(5).then_some(ReasonCode::NO_TOKENS),
            first: number.is_multiple_of(9).then(|| DocumentId::new("page").unwrap()),
            capture: number.is_multiple_of(7).then(|| {
                Box::new(Capture { url: format!("http://e.org/{number}"), ..Capture::default() })
            }),
        };
        for number in 0..100 {
            assert_eq!(log.len(), number);
            log.push(document(number)).unwrap();
        }
        assert!(log.bytes() > 0);
        for number in (0..100).chain([99, 0, 31, 32, 95, 96, 64, 5]) {
            assert_eq!(log.get(number).unwrap(), &document(number));
            for other in [number, number / 2, 99 - number, 97] {
                assert_eq!(log.id(other).unwrap(), document(other).id);
            }
        }
    }
}
