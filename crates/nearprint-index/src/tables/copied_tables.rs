//! The tables of an index: the segments on disk, and in memory the documents that are in none yet.
//!
//! What is held here is a copy of one state of the store, known by its number of changes. A query goes to the copy
//! that fits the state it is answered in, and brings the copy up to date where the store has moved on: after a commit
//! of this process or of another.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use nearprint::IndexMatch;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::DocumentId;
use redb::ReadTransaction;

use crate::IndexError;
use crate::segment::{Segment, SegmentMatch};
use crate::store::description::Description;
use crate::store::record::damaged;
use crate::store::rows::{AscendingNumbers, Rows, StoredRows};
use crate::store::source::{Source, View, changes};
use crate::store::{DOCUMENTS, NEXT, REMOVED, SEGMENTS, STATE};
use crate::tables::nearest::Nearest;
use crate::tables::removed_numbers::RemovedNumbers;
use crate::tables::segment_writer;
use crate::tables::table_print::{Reach, SegmentProblem, TablePrint};
use crate::tables::table_set::{Candidate, TableSet};

/// The tables of fingerprints of one kind.
pub(crate) struct Tables<P: TablePrint>(RwLock<State<P>>);

struct State<P: TablePrint> {
    changes: Option<u64>,
    segments: Arc<Vec<Open>>,
    /// The first sequence number that is in no segment.
    first: u64,
    /// The first one that is not in `fresh` either.
    seen: u64,
    /// Documents by their sequence numbers counted from `first`, removed ones among them.
    fresh: P::Fresh,
    /// The ids of these; `None` where there is no such document, or it was removed.
    fresh_ids: Vec<Option<DocumentId>>,
}

/// An open segment, in one state of the store.
#[derive(Clone)]
struct Open {
    segment: Arc<Segment>,
    description: Description,
    removed: Arc<RemovedNumbers>,
    /// How many matches were looked up in the store because not all removed documents are known.
    looked_up: Arc<AtomicU64>,
}

impl<P: TablePrint> Tables<P> {
    pub(crate) fn new() -> Self {
        Self(RwLock::new(State {
            changes: None,
            segments: Arc::default(),
            first: 0,
            seen: 0,
            fresh: P::fresh(),
            fresh_ids: Vec::new(),
        }))
    }

    /// What is near each fingerprint in a state of the store: the documents that are in no segment, and those in each
    /// segment. `None` where that state can no longer be read.
    fn search(
        &self,
        view: &View<'_>,
        asked: &[P],
        reach: Reach,
    ) -> Result<Option<Nearby>, IndexError> {
        let (mut nearby, segments) = loop {
            let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if state.changes > Some(view.changes) {
                return Ok(None);
            }
            if state.changes == Some(view.changes) {
                let nearby = Nearby { fresh: state.near(asked, reach), segments: Vec::new() };
                break (nearby, Arc::clone(&state.segments));
            }
            drop(state);
            let Some(at) = view.transaction()? else { return Ok(None) };
            self.refresh(view.source, at)?;
        };
        for open in segments.iter() {
            let mut found = P::near(&open.segment, asked, reach)?;
            if !self.leave_out_removed(view, open, &mut found)? {
                return Ok(None);
            }
            nearby.segments.push((open.clone(), found));
        }
        Ok(Some(nearby))
    }

    /// Takes the documents that were removed out of those that were found in a segment. `false` where the state can no
    /// longer be read.
    fn leave_out_removed(
        &self,
        view: &View<'_>,
        open: &Open,
        found: &mut Vec<SegmentMatch>,
    ) -> Result<bool, IndexError> {
        let Description { first, removed, removed_digest, .. } = open.description;
        if removed == 0 {
            return Ok(true);
        }
        let numbers = open.segment.numbers(found)?;
        let store = &view.source.store;
        let mut gone: Vec<bool> =
            numbers.iter().map(|&number| open.removed.contains(number)).collect();
        if !open.removed.are(removed, removed_digest) {
            let Some(at) = view.transaction()? else { return Ok(false) };
            let documents = store.tried(at.open_table(DOCUMENTS))?;
            let table = store.tried(at.open_table(REMOVED))?;
            for (gone, number) in gone.iter_mut().zip(numbers).filter(|(gone, _)| !**gone) {
                let sequence = first + u64::from(number);
                *gone = store.tried(documents.get(sequence))?.is_none();
                if *gone && store.tried(table.get(sequence))?.is_none() {
                    return Err(store.damaged(format!("document number {sequence} is missing")));
                }
            }
            let looked_up = found.len() as u64;
            if open.looked_up.fetch_add(looked_up, Ordering::Relaxed) + looked_up > removed / 4 {
                open.looked_up.store(0, Ordering::Relaxed);
                let known = Arc::new(RemovedNumbers::all(store, &table, &open.description)?);
                let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
                if state.changes == Some(view.changes) {
                    let segments = Arc::make_mut(&mut state.segments);
                    let same = |other: &&mut Open| Arc::ptr_eq(&other.segment, &open.segment);
                    if let Some(same) = segments.iter_mut().find(same) {
                        same.removed = known;
                    }
                }
            }
        }
        let mut gone = gone.into_iter();
        found.retain(|_| gone.next() != Some(true));
        Ok(true)
    }
}

impl<P: TablePrint> TableSet for Tables<P> {
    fn refresh(&self, source: &Source, at: &ReadTransaction) -> Result<(), IndexError> {
        let Source { path, store, id, newest, .. } = source;
        let changes = changes(source, at)?;
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if state.changes >= Some(changes) {
            return Ok(());
        }
        let described = store.segments(&store.tried(at.open_table(SEGMENTS))?)?;
        let mut segments = Vec::with_capacity(described.len());
        for description in described {
            let same = |open: &&Open| open.description.file == description.file;
            segments.push(match state.segments.iter().find(same) {
                Some(open) => Open { description, ..open.clone() },
                None => Open {
                    segment: Arc::new(Segment::open(path, *id, P::WIDTH, &description)?),
                    description,
                    removed: Arc::default(),
                    looked_up: Arc::default(),
                },
            });
        }
        let first = segments.last().map_or(0, |last| last.description.end);
        let next = store.state(&store.tried(at.open_table(STATE))?, NEXT)?;
        let is_other = first != state.first;
        let from = if is_other { first } else { state.seen };
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        let mut added = Vec::new();
        StoredRows { source, documents: &documents, range: (from, next) }.visit(&mut |row| {
            let id = DocumentId::new(row.id);
            let id = id.map_err(|_| store.damaged(damaged(row.sequence)))?;
            let print = P::of_bytes(row.fingerprint);
            added.push(((row.sequence - first) as u32, print, id));
            Ok(())
        })?;
        let removed = store.tried(at.open_table(REMOVED))?;
        let mut numbers = AscendingNumbers::within(first..next);
        let removed: Vec<u64> = store
            .tried(removed.range(first..next))?
            .map(|row| numbers.next(store, store.tried(row)?.0.value()))
            .collect::<Result<_, IndexError>>()?;
        // Nothing fails from here on.
        if is_other {
            (state.fresh, state.fresh_ids) = (P::fresh(), Vec::new());
        }
        for (document, print, id) in added {
            P::insert(&mut state.fresh, document, print);
            let at = document as usize;
            if state.fresh_ids.len() <= at {
                state.fresh_ids.resize(at + 1, None);
            }
            state.fresh_ids[at] = Some(id);
        }
        for sequence in removed {
            if let Some(id) = state.fresh_ids.get_mut((sequence - first) as usize) {
                *id = None;
            }
        }
        for sequence in newest.iter().flat_map(|newest| newest.take_removals(changes)) {
            let at = segments.partition_point(|open| open.description.end <= sequence);
            let open = segments.get_mut(at).filter(|open| open.description.first <= sequence);
            if let Some(Open { description, removed, .. }) = open {
                Arc::make_mut(removed).note(sequence, (sequence - description.first) as u32);
            }
        }
        state.segments = Arc::new(segments);
        (state.first, state.seen, state.changes) = (first, next, Some(changes));
        Ok(())
    }

    fn near(
        &self,
        view: &View<'_>,
        asked: &[Fingerprint],
        reach: Reach,
        most: usize,
    ) -> Result<Option<Vec<Vec<IndexMatch>>>, IndexError> {
        let asked: Vec<P> = asked.iter().filter_map(P::of).collect();
        let nearby = self.search(view, &asked, reach)?;
        let Some(Nearby { mut fresh, segments }) = nearby else { return Ok(None) };
        let mut near = vec![Vec::new(); asked.len()];
        let of_segments = segments.iter().flat_map(|(_, found)| found);
        let distances = of_segments.map(|found| (found.query, found.distance));
        let distances = distances.chain(fresh.iter().map(|found| (found.query, found.distance)));
        let mut nearest = Nearest::of(asked.len(), most, distances);
        // In the order of addition: segments are, the documents of each, and then those that are in none.
        for (open, mut found) in segments {
            found.retain(|found| nearest.may_have(found.query, found.distance));
            found.sort_unstable_by_key(|found| found.document);
            found.retain(|found| nearest.takes(found.query, found.distance));
            let ids = open.segment.ids(&found)?;
            for (SegmentMatch { query, distance, .. }, id) in found.into_iter().zip(ids) {
                near[query].push(IndexMatch { id, distance });
            }
        }
        fresh.sort_unstable_by_key(|found| found.sequence);
        fresh.retain(|found| nearest.takes(found.query, found.distance));
        for FreshMatch { query, id, distance, .. } in fresh {
            near[query].push(IndexMatch { id, distance });
        }
        near.iter_mut().for_each(|near| near.sort_by_key(|near| near.distance));
        Ok(Some(near))
    }

    fn candidates(
        &self,
        view: &View<'_>,
        asked: &Fingerprint,
        reach: Reach,
    ) -> Result<Option<Vec<Candidate>>, IndexError> {
        let asked: Vec<P> = P::of(asked).into_iter().collect();
        let nearby = self.search(view, &asked, reach)?;
        let Some(Nearby { fresh, segments }) = nearby else { return Ok(None) };
        let mut candidates = Vec::new();
        for (open, found) in segments {
            let numbers = open.segment.numbers(&found)?;
            candidates.extend(found.iter().zip(numbers).map(|(found, number)| Candidate {
                sequence: open.description.first + u64::from(number),
                distance: found.distance,
            }));
        }
        let fresh = fresh.into_iter();
        candidates.extend(
            fresh.map(|FreshMatch { sequence, distance, .. }| Candidate { sequence, distance }),
        );
        Ok(Some(candidates))
    }

    fn write(
        &self,
        source: &Source,
        file: u64,
        range: (u64, u64),
        rows: &dyn Rows,
    ) -> Result<Description, IndexError> {
        segment_writer::write::<P>((&source.path, source.id), file, range, rows)
    }

    fn verify(
        &self,
        source: &Source,
        described: Description,
        rows: &dyn Rows,
    ) -> Result<(), IndexError> {
        let segment = Segment::open(&source.path, source.id, P::WIDTH, &described)?;
        P::verify(&segment, rows).map_err(|problem| match problem {
            SegmentProblem::Differs(detail) => segment.damaged(detail),
            SegmentProblem::Unread(error) => error,
        })
    }

    fn memory(&self) -> u64 {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        P::memory(&state.fresh)
            + state.segments.iter().map(|open| open.segment.memory()).sum::<u64>()
    }

    fn read_all(&self) -> Result<(), IndexError> {
        let segments = self.0.read().unwrap_or_else(PoisonError::into_inner).segments.clone();
        segments.iter().try_for_each(|open| open.segment.read_all())
    }
}

/// What is near some queries.
struct Nearby {
    fresh: Vec<FreshMatch>,
    segments: Vec<(Open, Vec<SegmentMatch>)>,
}

/// A document within reach of a query that is in no segment.
struct FreshMatch {
    /// The position of the query.
    query: usize,
    sequence: u64,
    id: DocumentId,
    distance: u32,
}

impl<P: TablePrint> State<P> {
    /// The documents within reach that are in no segment.
    fn near(&self, asked: &[P], reach: Reach) -> Vec<FreshMatch> {
        let mut near = Vec::new();
        P::near_fresh(
            &self.fresh,
            asked,
            reach,
            &mut |SegmentMatch { query, document, distance }| {
                if let Some(Some(id)) = self.fresh_ids.get(document as usize) {
                    let sequence = self.first + u64::from(document);
                    near.push(FreshMatch { query, sequence, id: id.clone(), distance });
                }
            },
        );
        near
    }
}
