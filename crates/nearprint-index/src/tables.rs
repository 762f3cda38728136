//! The tables of an open index: the segments on disk, and in memory the documents that are in none yet.
//!
//! What is held here is a copy of one state of the store, known by its number of changes. A query goes to the copy
//! that fits the transaction it reads in, and brings the copy up to date where the store has moved on: after a commit
//! of this process or of another.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use nearprint::fingerprint::{Family, Fingerprint, Scheme};
use nearprint::search::{MAX_QUERY_DISTANCE, QueryIndex, sketch_distance};
use redb::{ReadTransaction, ReadableTable};

use crate::IndexError;
use crate::description::Description;
use crate::record::{RecordView, damaged};
use crate::segment::{Segment, Word};
use crate::segment_writer::{self, Words};
use crate::store::{CHANGES, DOCUMENTS, NEXT, SEGMENTS, STATE, Store};

/// What the tables of an index are made of.
pub(crate) struct Source {
    /// The directory of the index.
    pub(crate) path: PathBuf,
    pub(crate) store: Store,
    pub(crate) scheme: Scheme,
    /// What the files of the index have in common.
    pub(crate) id: u128,
}

/// A document by its sequence number, with its distance.
pub(crate) type Near = (u64, u32);

/// The tables of an index, whatever the width of its fingerprints.
pub(crate) trait TableSet: Send + Sync {
    /// Brings the copy to the state of a transaction, unless it is newer.
    fn refresh(&self, source: &Source, at: &ReadTransaction) -> Result<(), IndexError>;

    /// All documents within `k`, in no order, removed ones among them. `None` where the copy is newer than the
    /// transaction.
    fn near(
        &self,
        source: &Source,
        at: &ReadTransaction,
        asked: &[Fingerprint],
        k: u32,
    ) -> Result<Option<Vec<Vec<Near>>>, IndexError>;

    /// Writes a segment; `None` where the scheme has no tables.
    fn write(
        &self,
        source: &Source,
        file: u64,
        range: (u64, u64),
        words: Words<'_>,
    ) -> Result<Option<Description>, IndexError>;

    /// Compares a file of tables with the fingerprints it is made of.
    fn verify(
        &self,
        source: &Source,
        described: Description,
        words: Words<'_>,
    ) -> Result<(), IndexError>;

    /// Bytes of memory the tables take.
    fn memory(&self) -> u64;

    /// Reads all segments into memory.
    fn read_all(&self) -> Result<(), IndexError>;
}

/// The tables for a scheme.
pub(crate) fn of_scheme(scheme: Scheme) -> Box<dyn TableSet> {
    match (scheme.family(), scheme.positions()) {
        (Family::Sketch, _) => Box::new(NoTables),
        (_, 32) => Box::new(Tables::<u32>::new()),
        (_, 128) => Box::new(Tables::<u128>::new()),
        _ => Box::new(Tables::<u64>::new()),
    }
}

/// Tables of words.
struct Tables<W: Word>(RwLock<State<W>>);

struct State<W: Word> {
    changes: Option<u64>,
    segments: Vec<Arc<Segment<W>>>,
    /// The first sequence number that is in no segment.
    first: u64,
    /// The first one that is not in `fresh` either.
    seen: u64,
    /// Documents by their sequence numbers counted from `first`, removed ones among them.
    fresh: QueryIndex<W>,
}

fn empty<W: Word>() -> QueryIndex<W> {
    QueryIndex::build(&[]).expect("none are not too many")
}

impl<W: Word> Tables<W> {
    fn new() -> Self {
        let fresh = empty();
        Self(RwLock::new(State { changes: None, segments: Vec::new(), first: 0, seen: 0, fresh }))
    }
}

impl<W: Word> TableSet for Tables<W> {
    fn refresh(&self, source: &Source, at: &ReadTransaction) -> Result<(), IndexError> {
        let Source { path, store, scheme, id } = source;
        let numbers = store.tried(at.open_table(STATE))?;
        let changes = Some(store.state(&numbers, CHANGES)?);
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if state.changes >= changes {
            return Ok(());
        }
        let described = store.segments(&store.tried(at.open_table(SEGMENTS))?)?;
        let mut segments = Vec::with_capacity(described.len());
        for described in described {
            let open = state.segments.iter().find(|open| open.description.file == described.file);
            segments.push(match open {
                Some(open) => Arc::clone(open),
                None => Arc::new(Segment::open(path, *id, described)?),
            });
        }
        let first = segments.last().map_or(0, |last| last.description.end);
        let next = store.state(&numbers, NEXT)?;
        let (mut from, mut fresh) = (state.seen, None);
        if first != state.first {
            (from, fresh) = (first, Some(empty()));
        }
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        let mut added = Vec::new();
        for row in segment_writer::words(store, &documents, *scheme, (from, next))? {
            added.push(row?);
        }
        // Nothing fails from here on.
        if let Some(fresh) = fresh {
            state.fresh = fresh;
        }
        for (sequence, word) in added {
            state.fresh.insert((sequence - first) as u32, W::of(word));
        }
        state.segments = segments;
        (state.first, state.seen, state.changes) = (first, next, changes);
        Ok(())
    }

    fn near(
        &self,
        source: &Source,
        at: &ReadTransaction,
        asked: &[Fingerprint],
        k: u32,
    ) -> Result<Option<Vec<Vec<Near>>>, IndexError> {
        let store = &source.store;
        let changes = Some(store.state(&store.tried(at.open_table(STATE))?, CHANGES)?);
        let asked: Vec<W> = asked.iter().filter_map(Fingerprint::as_u128).map(W::of).collect();
        let mut near = vec![Vec::new(); asked.len()];
        let segments = loop {
            let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if state.changes > changes {
                return Ok(None);
            }
            if state.changes == changes {
                state.near(&asked, k, &mut near);
                break state.segments.clone();
            }
            drop(state);
            self.refresh(source, at)?;
        };
        for segment in segments {
            segment.query_batch(&asked, k, &mut |query, sequence, distance| {
                near[query].push((sequence, distance));
            })?;
        }
        Ok(Some(near))
    }

    fn write(
        &self,
        source: &Source,
        file: u64,
        range: (u64, u64),
        words: Words<'_>,
    ) -> Result<Option<Description>, IndexError> {
        segment_writer::write::<W>((&source.path, source.id), file, range, words).map(Some)
    }

    fn verify(
        &self,
        source: &Source,
        described: Description,
        words: Words<'_>,
    ) -> Result<(), IndexError> {
        let segment = Segment::<W>::open(&source.path, source.id, described)?;
        segment.whole(|arrays| crate::verify::compare(arrays, described.first, words))?.map_err(
            |problem| match problem {
                crate::verify::Problem::Differs(detail) => segment.damaged(detail),
                crate::verify::Problem::Unread(error) => error,
            },
        )
    }

    fn memory(&self) -> u64 {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        state.fresh.memory() + state.segments.iter().map(|segment| segment.memory()).sum::<u64>()
    }

    fn read_all(&self) -> Result<(), IndexError> {
        let segments = self.0.read().unwrap_or_else(PoisonError::into_inner).segments.clone();
        segments.iter().try_for_each(|segment| segment.read_all())
    }
}

impl<W: Word> State<W> {
    /// The documents within `k` that are in no segment.
    fn near(&self, asked: &[W], k: u32, near: &mut [Vec<Near>]) {
        if k <= MAX_QUERY_DISTANCE {
            let answered = self.fresh.query_batch(asked, k, &mut |query, found| {
                near[query].push((self.first + u64::from(found.document), found.distance));
                ControlFlow::Continue(())
            });
            return answered.expect("k was compared with the largest there is");
        }
        self.fresh.for_each(&mut |document, word| {
            for (asked, near) in asked.iter().zip(&mut *near) {
                let distance = asked.hamming_distance(word);
                if distance <= k {
                    near.push((self.first + u64::from(document), distance));
                }
            }
        });
    }
}

/// Sketches have no tables: every query is compared with every document of the store.
struct NoTables;

impl TableSet for NoTables {
    fn refresh(&self, _: &Source, _: &ReadTransaction) -> Result<(), IndexError> {
        Ok(())
    }

    fn near(
        &self,
        source: &Source,
        at: &ReadTransaction,
        asked: &[Fingerprint],
        k: u32,
    ) -> Result<Option<Vec<Vec<Near>>>, IndexError> {
        let (store, mut near) = (&source.store, vec![Vec::new(); asked.len()]);
        let asked: Vec<_> = asked.iter().filter_map(Fingerprint::as_sketch).collect();
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        for row in store.tried(documents.iter())? {
            let (sequence, record) = store.tried(row)?;
            let sequence = sequence.value();
            let view = RecordView::of(source.scheme, sequence, record.value());
            let print = view.and_then(|view| view.fingerprint());
            let print = print.ok_or_else(|| store.damaged(damaged(sequence)))?;
            let Some(sketch) = print.as_sketch() else { continue };
            for (asked, near) in asked.iter().zip(&mut near) {
                let distance = sketch_distance(asked, sketch);
                if distance <= k {
                    near.push((sequence, distance));
                }
            }
        }
        Ok(Some(near))
    }

    fn write(
        &self,
        _: &Source,
        _: u64,
        _: (u64, u64),
        _: Words<'_>,
    ) -> Result<Option<Description>, IndexError> {
        Ok(None)
    }

    fn verify(
        &self,
        source: &Source,
        described: Description,
        _: Words<'_>,
    ) -> Result<(), IndexError> {
        let file = described.path(&source.path);
        Err(IndexError::Tables { file, detail: "sketches have no tables".to_owned() })
    }

    fn memory(&self) -> u64 {
        0
    }

    fn read_all(&self) -> Result<(), IndexError> {
        Ok(())
    }
}

/// The files of tables in a directory that the store does not name: left by a process that was ended.
pub(crate) fn remove_leavings(index: &Path, named: &[Description]) -> Result<(), IndexError> {
    let directory = Description::directory(index);
    for entry in std::fs::read_dir(&directory).map_err(IndexError::io(&directory))? {
        let path = entry.map_err(IndexError::io(&directory))?.path();
        let is_tables = path.extension().is_some_and(|ending| ending == "tables");
        if is_tables && named.iter().all(|named| named.path(index) != path) {
            std::fs::remove_file(&path).map_err(IndexError::io(&path))?;
        }
    }
    Ok(())
}
