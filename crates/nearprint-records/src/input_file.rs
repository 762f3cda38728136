//! A file that may be one document or hold many: examined first, then read as what it is.

pub(crate) mod mbox;
mod translations;

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use mbox::Mbox;
pub use translations::Translations;

use crate::archive::Archive;
use crate::expansion::{Compression, Damage, Expansion, Raw};
use crate::files;
use crate::json_lines::array::JsonArray;
use crate::json_lines::{JsonLines, ObjectFields};
use crate::separated_values::{self, SeparatedValues};
use crate::{Container, ErrorRecord, Place, ReadSettings, ReasonCode, RecordCounter, Source};

/// Bytes of a file, with its compression undone, that are examined to detect what it is; of one whose first row is
/// longer, more.
pub(crate) const HEAD: usize = 64 << 10;
pub(crate) const LARGE_HEAD: usize = 1 << 20;

/// A file that is open and not read further than one has looked ahead.
pub struct InputFile {
    place: Place,
    raw: Raw,
}

impl InputFile {
    /// Opens a file.
    ///
    /// # Errors
    /// Those of the system, and of files that are not stored anywhere.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        if let Some(system) = files::kernel_file(path) {
            return Err(std::io::Error::other(files::not_stored(system)));
        }
        let raw = Raw::of_file(File::open(path)?);
        Ok(Self { place: Place::file(path), raw })
    }

    /// Standard input, called `-`.
    #[must_use]
    pub fn standard_input() -> Self {
        let place = Place { file: "-".into(), ..Place::default() };
        Self { place, raw: Raw::new(Box::new(std::io::stdin())) }
    }

    /// A file that lies elsewhere than on this system's disks, such as in memory or on a network, called as `place`
    /// says.
    #[must_use]
    pub fn from_reader(place: Place, reader: impl Read + Send + 'static) -> Self {
        Self { place, raw: Raw::new(Box::new(reader)) }
    }

    /// Counts the bytes that are read of the file, as they are stored, in `read`, beside others.
    #[must_use]
    pub fn counted_in(self, read: Arc<AtomicU64>) -> Self {
        Self { raw: self.raw.counted_in(read), ..self }
    }

    /// What the file, which is compressed so, expands to at first.
    pub(crate) fn first_expanded(
        &mut self,
        compression: Compression,
    ) -> Result<Vec<u8>, ErrorRecord> {
        Expansion::first(compression, &mut self.raw, HEAD).map_err(|Damage { reason, detail }| {
            let place = self.place.clone();
            ErrorRecord { id: None, place, reason, detail: detail.into() }
        })
    }

    /// Whether the file is compressed as a whole. One that cannot be read is not.
    pub fn is_compressed(&mut self) -> bool {
        self.raw.peek(HEAD).is_ok_and(|head| Compression::sniff(head).is_some())
    }

    /// The records of an archive.
    pub(crate) fn into_archive(
        self,
        container: Container,
        settings: ReadSettings,
        counts: RecordCounter,
    ) -> Archive {
        let stream =
            Expansion::new(self.raw, settings.max_ratio).with_work(settings.max_work_per_byte);
        Archive::new(self.place, stream, container, settings, counts)
    }

    /// The documents of a file that holds many; the file back where nothing in this crate reads them.
    ///
    /// # Errors
    /// The file, for readers of such files.
    pub fn into_documents(
        mut self,
        container: Container,
        settings: &ReadSettings,
        counts: &RecordCounter,
    ) -> Result<Box<dyn Source>, Self> {
        let mut settings = settings.clone();
        let mut longest = settings.max_bytes;
        // Of a stream nobody knows how long it is, and looking ahead in it would wait for what may come much later.
        if let Some(stored) = self.raw.length() {
            longest = settings.longest_expanded(stored);
            if self.is_compressed() {
                settings.max_bytes = longest;
            }
        }
        if matches!(container, Container::Warc | Container::Arc) {
            let archive = self.into_archive(container, settings, counts.clone());
            return Ok(Box::new(archive.with_bodies_of(longest)));
        }
        if container == Container::Wacz {
            return Ok(crate::wacz::captures(self, &settings, counts));
        }
        // Of what is damaged at once nothing is known, and its reader says so.
        let delimiter = matches!(container, Container::Csv | Container::Tsv).then(|| {
            let beginning = self.beginning(&settings);
            beginning
                .map_or(b',', |found| separated_values::separator(&found, container, &settings))
        });
        let Self { place, raw } = self;
        let expand =
            |raw| Expansion::new(raw, settings.max_ratio).with_work(settings.max_work_per_byte);
        if let Some(delimiter) = delimiter {
            return Ok(Box::new(SeparatedValues::new(place, expand(raw), delimiter, &settings)));
        }
        Ok(match container {
            Container::JsonLines | Container::JsonArray => {
                let wanted = match ObjectFields::new(&settings.fields) {
                    Ok(wanted) => wanted.with_work(settings.max_work_per_byte),
                    Err(bad) => {
                        let (reason, detail) = (ReasonCode::BAD_FILE, bad.to_string().into());
                        let error = ErrorRecord { id: None, place, reason, detail };
                        return Ok(Box::new(std::iter::once(Err(error))));
                    }
                };
                match container {
                    Container::JsonLines => {
                        Box::new(JsonLines::new(place, expand(raw), wanted, settings.max_bytes))
                    }
                    _ => Box::new(JsonArray::new(place, expand(raw), wanted, &settings)),
                }
            }
            Container::Mbox => Box::new(Mbox::new(place, expand(raw), &settings)),
            _ => return Err(Self { place, raw }),
        })
    }

    /// The bytes ahead as they are stored: so many or more, fewer only at the end.
    pub(crate) fn peeked(&mut self, count: usize) -> std::io::Result<&[u8]> {
        self.raw.peek(count)
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The bytes of the file with its compression undone, as they come.
    #[must_use]
    pub fn into_reader(self, settings: &ReadSettings) -> impl Read + Send + use<> {
        Expansion::new(self.raw, settings.max_ratio).with_work(settings.max_work_per_byte)
    }

    /// The file, its place, and where bytes that are read of it are counted. What comes from a stream or is compressed
    /// is written to a temporary file.
    #[cfg(feature = "archives")]
    pub(crate) fn into_file(
        mut self,
        settings: &ReadSettings,
    ) -> std::io::Result<(Place, File, Arc<AtomicU64>)> {
        let is_compressed = self.is_compressed();
        let Self { place, raw } = self;
        let read = raw.counter();
        let copied = |mut stream: Box<dyn Read>| -> std::io::Result<File> {
            let mut copy = crate::wacz::stream_copy()?;
            std::io::copy(&mut stream, &mut copy)?;
            Ok(copy)
        };
        let file = if is_compressed {
            let expanded = Expansion::new(raw, settings.max_ratio);
            copied(Box::new(expanded.with_work(settings.max_work_per_byte)))
        } else {
            raw.into_file().or_else(|stream| copied(Box::new(stream)))
        };
        Ok((place, file?, read))
    }

    /// The bytes of the file as they are stored.
    #[must_use]
    pub fn into_stored(self) -> impl std::io::BufRead + Send + use<> {
        self.raw
    }

    /// The bytes of the file, at most one more than `limit`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn into_bytes(self, limit: u64) -> Result<Vec<u8>, ErrorRecord> {
        let Self { place, raw } = self;
        let mut bytes = Vec::new();
        match raw.take(limit.saturating_add(1)).read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => Err(ErrorRecord {
                id: None,
                place,
                reason: ReasonCode::UNREADABLE,
                detail: error.to_string().into(),
            }),
        }
    }

    /// Writes the whole file to `out`, for readers that must go back and forth.
    ///
    /// # Errors
    /// Those of both.
    pub fn copy_to(mut self, out: &mut dyn Write) -> std::io::Result<u64> {
        std::io::copy(&mut self.raw, out)
    }
}

#[cfg(test)]
mod tests;
