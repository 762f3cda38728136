//! Comparing everything with everything: what is hurt, by name.

use nearprint::search::{QuerySegment, SegmentArrays};
use redb::ReadableTable;

use crate::IndexError;
use crate::record::{RecordView, damaged};
use crate::segment::Word;
use crate::segment_writer::{self, Words};
use crate::store::{DOCUMENTS, IDS, NEXT, SEGMENTS, STATE};
use crate::tables::{Source, TableSet};

/// What is wrong with a segment.
pub(crate) enum Problem {
    /// It is not what the store has.
    Differs(String),
    /// The store could not be read.
    Unread(IndexError),
}

/// What was compared, and what was found to be wrong.
#[derive(Debug, Default)]
pub struct Verified {
    /// Documents in the store.
    pub documents: u64,
    /// Files of tables.
    pub segments: u64,
    /// What is wrong; nothing where the index is whole.
    pub problems: Vec<IndexError>,
}

/// Compares a segment, all of whose blocks fit their checksums, with the fingerprints that are in the store: each must
/// be in it. Removed documents may be in it too.
pub(crate) fn compare<W: Word>(
    arrays: SegmentArrays<'_, W>,
    first: u64,
    words: Words<'_>,
) -> Result<(), Problem> {
    let differs = |detail: &str| Err(Problem::Differs(detail.to_owned()));
    let entries = arrays.fingerprints(0).iter().zip(arrays.documents());
    let mut entries: Vec<(u32, W)> = entries.map(|(&word, &document)| (document, word)).collect();
    entries.sort_unstable();
    let mut rest = &entries[..];
    for row in words {
        let (sequence, word) = row.map_err(Problem::Unread)?;
        let document = (sequence - first) as u32;
        let before = rest.partition_point(|&(other, _)| other < document);
        match &rest[before..] {
            [(other, stored), after @ ..] if *other == document && *stored == W::of(word) => {
                rest = after;
            }
            _ => {
                return differs(
                    "it lacks a document of the store, or has another fingerprint for it",
                );
            }
        }
    }
    let (documents, prints): (Vec<u32>, Vec<W>) = entries.into_iter().unzip();
    let built = QuerySegment::build(&prints, &documents)
        .map_err(|error| Problem::Differs(error.to_string()))?;
    let built = built.arrays();
    let same = built.bits() == arrays.bits()
        && (0..SegmentArrays::<W>::TABLES).all(|table| {
            built.directory(table) == arrays.directory(table)
                && built.fingerprints(table) == arrays.fingerprints(table)
        });
    match same {
        true => Ok(()),
        false => differs("its tables are not those of its fingerprints"),
    }
}

/// Verifies a whole index.
pub(crate) fn all(source: &Source, tables: &dyn TableSet) -> Result<Verified, IndexError> {
    let mut verified = Verified::default();
    let found = source.store.guarded(|| {
        store(source, &mut verified)?;
        segments(source, tables, &mut verified)
    });
    // A store that cannot be read any further is a finding too.
    if let Err(error) = found {
        verified.problems.push(error);
    }
    Ok(verified)
}

/// Every record, and the way from each id to its record and back.
fn store(source: &Source, verified: &mut Verified) -> Result<(), IndexError> {
    let Source { store, scheme, .. } = source;
    let at = store.begin_read()?;
    let documents = store.tried(at.open_table(DOCUMENTS))?;
    let ids = store.tried(at.open_table(IDS))?;
    let next = store.state(&store.tried(at.open_table(STATE))?, NEXT)?;
    let mut problem = |detail: String| verified.problems.push(store.damaged(detail));
    for row in store.tried(documents.iter())? {
        let (sequence, record) = store.tried(row)?;
        let sequence = sequence.value();
        verified.documents += 1;
        let view = RecordView::of(*scheme, sequence, record.value());
        let Some(document) = view.and_then(|view| view.document()) else {
            problem(damaged(sequence));
            continue;
        };
        let named = store.tried(ids.get(document.id.as_str().as_bytes()))?;
        if named.map(|named| named.value()) != Some(sequence) {
            problem(format!("the id {} does not lead to its document", document.id));
        }
        if store.tried(documents.get(sequence))?.is_none() || sequence >= next {
            problem(format!("document number {sequence} is not found by its number"));
        }
    }
    let mut named = 0;
    for row in store.tried(ids.iter())? {
        let (_, sequence) = store.tried(row)?;
        named += 1;
        if store.tried(documents.get(sequence.value()))?.is_none() {
            problem(format!(
                "an id leads to document number {}, which is missing",
                sequence.value()
            ));
        }
    }
    if named != verified.documents {
        problem(format!("there are {named} ids of {} documents", verified.documents));
    }
    Ok(())
}

/// Every file of tables.
fn segments(
    source: &Source,
    tables: &dyn TableSet,
    verified: &mut Verified,
) -> Result<(), IndexError> {
    let Source { store, scheme, .. } = source;
    let at = store.begin_read()?;
    let documents = store.tried(at.open_table(DOCUMENTS))?;
    for described in store.segments(&store.tried(at.open_table(SEGMENTS))?)? {
        verified.segments += 1;
        let range = (described.first, described.end);
        let mut words = segment_writer::words(store, &documents, *scheme, range)?;
        let Err(error) = tables.verify(source, described, &mut words) else { continue };
        // A process that writes may have merged it meanwhile, and removed its file.
        let now = store.begin_read()?;
        let named = store.segments(&store.tried(now.open_table(SEGMENTS))?)?;
        if named.iter().any(|named| named.file == described.file) {
            verified.problems.push(error);
        }
    }
    Ok(())
}
