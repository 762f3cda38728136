//! The index in memory: a table of ids beside the query index of their fingerprints.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hashbrown::HashTable;
use nearprint_fingerprint::{Family, Fingerprint, Scheme, UnlikeSchemes};
use nearprint_records::DocumentId;
use nearprint_search::{MAX_QUERY_DISTANCE, QueryIndex, sketch_distance};

use super::{Index, InsertCounts, InsertOutcome, OnDuplicate};
use crate::store::print_set::{Word, is_searchable};
use crate::{DocumentView, Documents, Error, Filter, NearCounts, NearDocument, NearRequest, Parts};

/// An [`Index`] in memory, gone when it is dropped.
///
/// Up to 2^32 - 1 documents. Of each it takes the id, its fingerprint twice and some 50 bytes. Queries
/// of simhashes within 12 bits use a [`QueryIndex`]; others compare with all fingerprints. Queries run
/// side by side, changes one at a time.
#[derive(Debug)]
pub struct MemoryIndex {
    scheme: Scheme,
    content: RwLock<Content>,
}

impl MemoryIndex {
    /// An empty index for fingerprints of one scheme.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        let content = Content {
            ids: Vec::new(),
            numbers: Vec::new(),
            added: 0,
            free: Vec::new(),
            by_id: Ids::default(),
            prints: Prints::of(scheme),
        };
        Self { scheme, content: RwLock::new(content) }
    }

    fn check_scheme(&self, fingerprint: &Fingerprint) -> Result<(), Error> {
        UnlikeSchemes::check(self.scheme, fingerprint.scheme())?;
        match is_searchable(self.scheme) {
            true => Ok(()),
            false => Err(Error::NotSearchable { scheme: self.scheme }),
        }
    }

    // A thread that panics while it holds the lock has not left a change half made: every step that can
    // fail comes before the first that changes anything.
    fn read(&self) -> RwLockReadGuard<'_, Content> {
        self.content.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Content> {
        self.content.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Documents for MemoryIndex {
    fn scheme(&self) -> Scheme {
        self.scheme
    }

    fn len(&self) -> Result<u64, Error> {
        Ok(self.read().by_id.table.len() as u64)
    }

    fn parts(&self) -> Parts {
        Parts::default()
    }

    fn visit(
        &self,
        wanted: &Parts,
        filter: &Filter,
        visit: &mut dyn FnMut(DocumentView) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.check(&filter.parts(wanted))?;
        let content = self.read();
        let mut slots: Vec<u32> = (0..content.ids.len() as u32).collect();
        slots.sort_unstable_by_key(|&slot| content.numbers[slot as usize]);
        let mut documents =
            slots.into_iter().filter_map(|slot| content.document(self.scheme, slot));
        let _ = documents.try_for_each(visit);
        Ok(())
    }

    fn get(&self, id: &DocumentId, wanted: &Parts) -> Result<Option<DocumentView>, Error> {
        self.check(wanted)?;
        let content = self.read();
        Ok(content.find(id).and_then(|slot| content.document(self.scheme, slot)))
    }

    fn near(
        &self,
        request: &NearRequest<'_>,
        take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
    ) -> Result<NearCounts, Error> {
        self.check(&request.parts())?;
        request.queries.check(self.scheme)?;
        let content = self.read();
        let all: Vec<usize> = (0..request.queries.len()).collect();
        for some in all.chunks(TOGETHER) {
            let asked = some.iter().map(|&query| request.queries.fingerprint(query));
            let asked = asked.collect::<Result<Vec<_>, _>>()?;
            let found = content.near(&asked, request.search.distance())?;
            for (&query, near) in some.iter().zip(found) {
                let mut near = content.in_order(query, near);
                if near.try_for_each(&mut *take).is_break() {
                    return Ok(NearCounts::none());
                }
            }
        }
        Ok(NearCounts::none())
    }
}

impl Index for MemoryIndex {
    fn insert(
        &self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        on_duplicate: OnDuplicate,
    ) -> Result<InsertOutcome, Error> {
        self.check_scheme(fingerprint)?;
        self.write().insert(id, fingerprint, on_duplicate)
    }

    fn insert_batch(
        &self,
        documents: &[(DocumentId, Fingerprint)],
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        documents.iter().try_for_each(|(_, fingerprint)| self.check_scheme(fingerprint))?;
        let mut content = self.write();
        content.check_room(documents, on_duplicate)?;
        let mut counts = InsertCounts::default();
        for (id, fingerprint) in documents {
            counts.count(content.insert(id, fingerprint, on_duplicate)?);
        }
        Ok(counts)
    }

    fn remove(&self, id: &DocumentId) -> Result<bool, Error> {
        Ok(self.write().remove(id))
    }
}

/// Queries that are answered together.
const TOGETHER: usize = 1024;

/// A document by its slot, with its distance.
type Near = (u32, u32);

/// A fingerprint that is asked for.
type Print<'q> = Cow<'q, Fingerprint>;

/// Slots by the ids of their documents, which are not stored a second time.
#[derive(Debug, Default)]
struct Ids {
    table: HashTable<u32>,
    hasher: RandomState,
}

#[derive(Debug)]
struct Content {
    /// The id of each slot; `None` where it is free.
    ids: Vec<Option<DocumentId>>,
    /// The number of each slot's document in the order of addition, from 1.
    numbers: Vec<u64>,
    /// Documents that were ever added.
    added: u64,
    free: Vec<u32>,
    by_id: Ids,
    prints: Prints,
}

impl Content {
    fn find(&self, id: &DocumentId) -> Option<u32> {
        let hash = self.by_id.hasher.hash_one(id);
        let is_it = |&slot: &u32| self.ids[slot as usize].as_ref() == Some(id);
        self.by_id.table.find(hash, is_it).copied()
    }

    /// Refuses a batch that could not be inserted whole.
    fn check_room(
        &self,
        documents: &[(DocumentId, Fingerprint)],
        on_duplicate: OnDuplicate,
    ) -> Result<(), Error> {
        if on_duplicate == OnDuplicate::Refuse {
            let mut seen = HashSet::new();
            for (id, _) in documents {
                if self.find(id).is_some() || !seen.insert(id) {
                    return Err(Error::DuplicateId { id: id.clone() });
                }
            }
        }
        let new = documents.len().saturating_sub(self.free.len());
        if self.ids.len() + new > u32::MAX as usize {
            return Err(Error::TooManyDocuments);
        }
        Ok(())
    }

    fn insert(
        &mut self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        on_duplicate: OnDuplicate,
    ) -> Result<InsertOutcome, Error> {
        if let Some(slot) = self.find(id) {
            return match on_duplicate {
                OnDuplicate::Refuse => Err(Error::DuplicateId { id: id.clone() }),
                OnDuplicate::Skip => Ok(InsertOutcome::Skipped),
                OnDuplicate::Replace => {
                    self.prints.remove(slot);
                    self.put(slot, fingerprint);
                    Ok(InsertOutcome::Replaced)
                }
            };
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.ids.len()).ok().filter(|&slot| slot < u32::MAX);
                let slot = slot.ok_or(Error::TooManyDocuments)?;
                self.ids.push(None);
                slot
            }
        };
        self.ids[slot as usize] = Some(id.clone());
        self.put(slot, fingerprint);
        let Ids { table, hasher } = &mut self.by_id;
        let ids = &self.ids;
        table.insert_unique(hasher.hash_one(id), slot, |&slot| {
            // The id of a slot in the table is there.
            hasher.hash_one(ids[slot as usize].as_ref().expect("an id in the table"))
        });
        Ok(InsertOutcome::Added)
    }

    /// Stores the fingerprint of the newest document in a slot that has none.
    fn put(&mut self, slot: u32, fingerprint: &Fingerprint) {
        self.prints.put(slot, fingerprint);
        self.added += 1;
        set(&mut self.numbers, slot, self.added);
    }

    /// The document in a slot; `None` where it is free.
    fn document(&self, scheme: Scheme, slot: u32) -> Option<DocumentView> {
        let id = self.ids[slot as usize].clone()?;
        let fingerprint = self.prints.fingerprint(scheme, slot);
        Some(DocumentView::new(self.numbers[slot as usize], id, fingerprint))
    }

    fn remove(&mut self, id: &DocumentId) -> bool {
        let Ids { table, hasher } = &mut self.by_id;
        let is_it = |&slot: &u32| self.ids[slot as usize].as_ref() == Some(id);
        let Ok(entry) = table.find_entry(hasher.hash_one(id), is_it) else { return false };
        let (slot, _) = entry.remove();
        self.prints.remove(slot);
        self.ids[slot as usize] = None;
        self.free.push(slot);
        true
    }

    fn near(&self, fingerprints: &[Print<'_>], k: u32) -> Result<Vec<Vec<Near>>, Error> {
        match &self.prints {
            #[cfg(feature = "widths")]
            Prints::Narrow(words) => words.near(fingerprints, k, &self.ids),
            Prints::Words(words) => words.near(fingerprints, k, &self.ids),
            #[cfg(feature = "widths")]
            Prints::Wide(words) => words.near(fingerprints, k, &self.ids),
            Prints::Sketches(sketches) => {
                let of = |asked: &Print<'_>| {
                    let asked = asked.as_sketch().expect("the scheme was checked");
                    let distance = |slot: usize| sketch_distance(asked, &sketches[slot]);
                    compared(&self.ids, k, distance)
                };
                Ok(fingerprints.iter().map(of).collect())
            }
        }
    }

    /// What is near a query, nearest first, then in the order of addition.
    fn in_order(&self, query: usize, mut near: Vec<Near>) -> impl Iterator<Item = NearDocument> {
        near.sort_unstable_by_key(|&(slot, distance)| (distance, self.numbers[slot as usize]));
        near.into_iter().filter_map(move |(slot, distance)| {
            let id = self.ids[slot as usize].clone()?;
            Some(NearDocument { query, id, distance, similar: None })
        })
    }
}

/// The fingerprints by slot, without their scheme.
#[derive(Debug)]
enum Prints {
    #[cfg(feature = "widths")]
    Narrow(Words<u32>),
    Words(Words<u64>),
    #[cfg(feature = "widths")]
    Wide(Words<u128>),
    /// Those of free slots stay until the slot is used again.
    Sketches(Vec<[u16; 128]>),
}

/// Words by slot, and the query index of those of slots that are not free.
#[derive(Debug)]
struct Words<W: Word> {
    by_slot: Vec<W>,
    index: QueryIndex<W>,
}

impl Prints {
    fn of(scheme: Scheme) -> Self {
        match (scheme.family(), scheme.positions()) {
            (Family::Sketch, _) => Self::Sketches(Vec::new()),
            #[cfg(feature = "widths")]
            (_, 32) => Self::Narrow(Words::new()),
            #[cfg(feature = "widths")]
            (_, 128) => Self::Wide(Words::new()),
            _ => Self::Words(Words::new()),
        }
    }

    /// Stores the fingerprint of a slot that has none; the slot is the next one or was used before.
    fn put(&mut self, slot: u32, fingerprint: &Fingerprint) {
        match self {
            #[cfg(feature = "widths")]
            Self::Narrow(words) => words.put(slot, fingerprint),
            Self::Words(words) => words.put(slot, fingerprint),
            #[cfg(feature = "widths")]
            Self::Wide(words) => words.put(slot, fingerprint),
            Self::Sketches(sketches) => {
                set(sketches, slot, *fingerprint.as_sketch().expect("the scheme was checked"));
            }
        }
    }

    fn remove(&mut self, slot: u32) {
        match self {
            #[cfg(feature = "widths")]
            Self::Narrow(words) => words.remove(slot),
            Self::Words(words) => words.remove(slot),
            #[cfg(feature = "widths")]
            Self::Wide(words) => words.remove(slot),
            Self::Sketches(_) => {}
        }
    }

    fn fingerprint(&self, scheme: Scheme, slot: u32) -> Fingerprint {
        let slot = slot as usize;
        let made = match self {
            #[cfg(feature = "widths")]
            Self::Narrow(words) => Fingerprint::from_u128(scheme, words.by_slot[slot].into()),
            Self::Words(words) => Fingerprint::from_u64(scheme, words.by_slot[slot]),
            #[cfg(feature = "widths")]
            Self::Wide(words) => Fingerprint::from_u128(scheme, words.by_slot[slot]),
            Self::Sketches(sketches) => Fingerprint::from_sketch(scheme, sketches[slot]),
        };
        made.expect("the index holds the form that its scheme has")
    }
}

impl<W: Word> Words<W> {
    fn new() -> Self {
        let index = QueryIndex::build(&[]).expect("none are not too many");
        Self { by_slot: Vec::new(), index }
    }

    fn put(&mut self, slot: u32, fingerprint: &Fingerprint) {
        let word = W::of_print(fingerprint).expect("the scheme was checked");
        set(&mut self.by_slot, slot, word);
        self.index.insert(slot, word);
    }

    fn remove(&mut self, slot: u32) {
        self.index.remove(slot, self.by_slot[slot as usize]);
    }

    fn near(
        &self,
        fingerprints: &[Print<'_>],
        k: u32,
        ids: &[Option<DocumentId>],
    ) -> Result<Vec<Vec<Near>>, Error> {
        let asked: Vec<W> =
            fingerprints.iter().filter_map(|fingerprint| W::of_print(fingerprint)).collect();
        if k > MAX_QUERY_DISTANCE {
            let of =
                |asked: &W| compared(ids, k, |slot| asked.hamming_distance(self.by_slot[slot]));
            return Ok(asked.iter().map(of).collect());
        }
        let mut near = vec![Vec::new(); asked.len()];
        self.index.query_batch(&asked, k, &mut |query, found| {
            near[query].push((found.document, found.distance));
            ControlFlow::Continue(())
        })?;
        Ok(near)
    }
}

/// The slots in use whose distance is at most `k`.
fn compared(ids: &[Option<DocumentId>], k: u32, distance: impl Fn(usize) -> u32) -> Vec<Near> {
    let used = ids.iter().enumerate().filter(|(_, id)| id.is_some());
    let near = used.map(|(slot, _)| (slot as u32, distance(slot)));
    near.filter(|&(_, distance)| distance <= k).collect()
}

/// Sets the entry of a slot, which is at most one beyond the end.
fn set<T>(entries: &mut Vec<T>, slot: u32, value: T) {
    match entries.get_mut(slot as usize) {
        Some(entry) => *entry = value,
        None => entries.push(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::index::conformance;

    #[test]
    fn the_index_in_memory_conforms() {
        for scheme in conformance::schemes() {
            for seed in 0..3 {
                conformance::check(&MemoryIndex::new(scheme), 4_000, seed);
            }
        }
    }

    #[test]
    fn segments_and_merges_conform() {
        // Beyond the 2,048 fingerprints that a query index looks through one by one.
        let index = MemoryIndex::new(Scheme::SD1);
        let documents: Vec<_> = (0..7_000u64)
            .map(|n| {
                let id = DocumentId::new(format!("bulk/{n}")).expect("short and plain");
                let word = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (id, Fingerprint::from_u64(Scheme::SD1, word).expect("64 bits"))
            })
            .collect();
        let counts = index.insert_batch(&documents, OnDuplicate::Refuse).expect("room for them");
        assert_eq!(counts, InsertCounts { added: 7_000, ..InsertCounts::default() });
        for (id, fingerprint) in documents.iter().step_by(2) {
            assert!(index.remove(id).expect("in memory"), "{id}");
            assert_eq!(index.query(fingerprint, 0).expect("in memory"), []);
        }
        for (id, fingerprint) in documents.iter().skip(1).step_by(2) {
            let found = index.query(fingerprint, 3).expect("in memory");
            assert_eq!((&found[0].id, found[0].distance), (id, 0));
        }
        assert_eq!(index.len().expect("in memory"), 3_500);
    }

    #[test]
    fn threads_share_one_index() {
        let index = MemoryIndex::new(Scheme::SD1);
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let index = &index;
                scope.spawn(move || {
                    for n in 0..200u64 {
                        let id = DocumentId::new(format!("{thread}/{n}")).expect("short and plain");
                        let word = (thread << 32 | n) * 0x1_0001;
                        let print = Fingerprint::from_u64(Scheme::SD1, word).expect("64 bits");
                        index.insert(&id, &print, OnDuplicate::Refuse).expect("a new id");
                        let found = index.query(&print, 0).expect("in memory");
                        assert!(found.iter().any(|near| near.id == id), "a change is visible");
                    }
                });
            }
        });
        assert_eq!(index.len().expect("in memory"), 1_600);
    }
}
