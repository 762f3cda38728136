//! The first documents of an input, by which it is told how many there are in all and what they take.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

use nearprint_records::{FingerprintRecord, Place, Source};

use crate::{Arrival, InputSettings, InputSize, InputSource, Pipeline, TextParts, TextRequest};

/// Documents that are read for an estimate, at most.
pub(crate) const SAMPLE: u64 = 2_000;

/// Bytes of a file from which on it is asked how many rows it has, before any of it is read: what smaller ones add is
/// estimated.
const ASKED: u64 = 1 << 20;

/// What the first documents say of all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    /// Documents read for it.
    pub(crate) sample: u64,
    /// Documents in all.
    pub(crate) documents: f64,
    /// Seconds to fingerprint all, at the speed of the sample.
    pub(crate) seconds: f64,
}

impl Estimate {
    /// How many documents each of the sample stands for.
    pub(crate) fn times(&self) -> f64 {
        self.documents / self.sample.max(1) as f64
    }
}

/// Fingerprints the first documents of an input of this size, and gives them to `take` as
/// [`Pipeline::read`] does.
pub(crate) fn sample<E>(
    pipeline: &Pipeline<'_>,
    source: &mut InputSource,
    size: &InputSize,
    wanted: &TextRequest,
    mut take: impl FnMut(FingerprintRecord, Option<TextParts>, Arrival) -> Result<(), E>,
) -> Result<Estimate, E> {
    let begun = Instant::now();
    let mut sampled = SampleProgress::default();
    // One more than the sample says that there is more.
    let mut some = std::iter::from_fn(|| source.next_document()).take(SAMPLE as usize + 1);
    let mut met = 0;
    pipeline.read(&mut some, wanted, |record, made, arrival| {
        met += 1;
        if met > SAMPLE {
            return Ok(());
        }
        sampled.met(&record.place, arrival.bytes);
        take(record, made, arrival)
    })?;
    let sample = met.min(SAMPLE);
    let read = source.bytes_read().load(Ordering::Relaxed);
    let documents = match met > SAMPLE {
        true => sampled.documents(size, read, source.settings()).max(met as f64),
        false => met as f64,
    };
    let seconds = begun.elapsed().as_secs_f64() * documents / sample.max(1) as f64;
    Ok(Estimate { sample, documents, seconds })
}

/// Where the first documents are.
#[derive(Debug, Default)]
struct SampleProgress {
    seen: HashMap<Box<str>, FileSample>,
    /// The file of the last document, and how far that was read.
    last: (Box<str>, SamplePosition),
}

/// What was met of a file.
#[derive(Debug, Clone, Copy, Default)]
struct FileSample {
    documents: u64,
    /// Bytes of their content.
    content: u64,
}

/// How far a file was read.
#[derive(Debug, Clone, Copy, Default)]
enum SamplePosition {
    /// It is a document.
    #[default]
    End,
    /// So many of its bytes.
    Stored(u64),
    /// Some bytes of what it expands to.
    Expanded,
    /// Rows of a table, which are stored by columns.
    Rows,
}

impl SampleProgress {
    /// Notes a document with so many bytes.
    fn met(&mut self, place: &Place, bytes: u64) {
        let seen = self.seen.entry(place.file.clone()).or_default();
        seen.documents += 1;
        seen.content += bytes;
        let reached = match (place.offset, place.length, &place.wrapper) {
            // Bytes of a member say nothing of where it is.
            _ if place.member.is_some() => SamplePosition::Expanded,
            (Some(offset), Some(length), None) => SamplePosition::Stored(offset + length),
            (Some(_), _, Some(_)) => SamplePosition::Expanded,
            _ if place.row.is_some() => SamplePosition::Rows,
            // The end of what is damaged is not known.
            (Some(offset), None, None) => SamplePosition::Stored(offset),
            _ => SamplePosition::End,
        };
        self.last = (place.file.clone(), reached);
    }

    /// Documents of all files, of which `read` bytes were read, as they are stored.
    ///
    /// Files that were read to their ends are counted, tables asked; of the file that reading stopped in, and of those
    /// behind it, documents are as dense as in what was read.
    fn documents(&self, size: &InputSize, read: u64, settings: &InputSettings) -> f64 {
        let (last, reached) = &self.last;
        let done = self.seen.keys().filter(|name| *name != last);
        let before: u64 = done.map(|name| size.bytes_of(name)).sum();
        // Documents of files, and their bytes; bytes of files of which nothing is known.
        let (mut documents, mut bytes, mut unknown) = (0.0, 0u64, 0u64);
        for (name, file) in size.each() {
            let found = match self.seen.get(name) {
                Some(seen) if name == &**last => {
                    let met = seen.documents as f64;
                    let of = |stored: u64| {
                        met * file.bytes as f64 / stored.clamp(1, file.bytes.max(1)) as f64
                    };
                    match reached {
                        SamplePosition::End => Some(met),
                        SamplePosition::Stored(stored) => Some(of(*stored)),
                        SamplePosition::Expanded => Some(of(read.saturating_sub(before))),
                        SamplePosition::Rows => {
                            let rows = file.rows(settings).map(|rows| rows as f64);
                            rows.or(Some(of(seen.content)))
                        }
                    }
                }
                Some(seen) => Some(seen.documents as f64),
                None if file.bytes >= ASKED => file.rows(settings).map(|rows| rows as f64),
                None => None,
            };
            match found {
                Some(found) => {
                    documents += found;
                    bytes += file.bytes;
                }
                None => unknown += file.bytes,
            }
        }
        documents + unknown as f64 * documents / bytes.max(1) as f64
    }
}
