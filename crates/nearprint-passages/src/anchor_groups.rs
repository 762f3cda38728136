//! What the sorted anchors propose: pairs of places with the same anchor, if they are few; if they are many, the
//! windows around them, which are sorted once more.
//!
//! Common phrases make anchors that thousands of documents have, of which few share T tokens. So from
//! [`MOST_ENUMERATED`] places on an anchor decides nothing by itself: each of its places gives the hashes of the
//! windows whose anchor it is. A window has one anchor, so there are never more of these than tokens.

use std::io;

use rayon::iter::ParallelIterator;
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::candidates::Candidates;
use crate::document_store::{DocumentReader, DocumentStore};
use crate::error::PassageError;
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::places::{DocumentSets, document, place, token};
use crate::progress::Watch;
use crate::selection::AnchorSelection;

/// Places of an anchor whose pairs are candidates as they are, at most.
const MOST_ENUMERATED: usize = 16;

/// Places whose windows are made together, and by one thread.
const BATCH: usize = 16 * 1024;
const PIECE: usize = 1024;

/// A window: its hash; its place; the hash of the window before it if that has the same anchor, else 0; how many tokens
/// after the first its anchor begins.
pub(crate) type WindowRecord = [u64; 4];

/// What anchors are compared with.
pub(crate) struct AnchorGroups<'s> {
    pub(crate) store: &'s DocumentStore,
    pub(crate) selection: AnchorSelection,
    pub(crate) sets: DocumentSets,
    /// The most places of a run whose pairs are reported.
    pub(crate) most_places: usize,
    /// Whether any pairs are.
    pub(crate) pairs: bool,
}

impl AnchorGroups<'_> {
    /// Adds the pairs of rare anchors to `candidates`, and the windows of the others to `windows`, or the first numbers
    /// of each; returns how many these are. `memory` bytes are for places of anchors.
    pub(crate) fn propose<const N: usize>(
        &self,
        anchors: &SortedRecords<2>,
        candidates: &mut Candidates,
        windows: &mut ExternalSort<N>,
        memory: usize,
        watch: &mut Watch<'_>,
    ) -> Result<u64, PassageError> {
        let mut count = 0;
        let most = self.most_places.min(MOST_ENUMERATED);
        let most_pending = (memory / size_of::<u64>()).max(BATCH);
        let mut anchors = anchors.read_groups()?;
        let (mut group, mut pending) = (Vec::new(), Vec::new());
        while let Some([hash, first]) = anchors.next()? {
            watch.step()?;
            watch.skip(anchors.left_out())?;
            group.clear();
            group.push(first);
            let mut is_large = false;
            while let Some([_, next]) = anchors.next_of(hash)? {
                watch.step()?;
                if group.len() == most.max(1) {
                    is_large = true;
                    pending.append(&mut group);
                    if pending.len() >= most_pending {
                        count += self.push_windows(&mut pending, windows)?;
                    }
                }
                group.push(next);
            }
            if is_large {
                pending.append(&mut group);
                continue;
            }
            if !self.pairs {
                continue;
            }
            self.sets.each_pair(&group, |a, b| candidates.push(group[a], group[b]))?;
        }
        Ok(count + self.push_windows(&mut pending, windows)?)
    }

    /// Adds the windows of some anchors. They are read in the order of the collection: the more there are at once, the
    /// less is read again and the nearer it lies together.
    fn push_windows<const N: usize>(
        &self,
        anchors: &mut Vec<u64>,
        windows: &mut ExternalSort<N>,
    ) -> Result<u64, PassageError> {
        let mut count = 0;
        anchors.par_sort_unstable();
        for batch in anchors.chunks(BATCH) {
            let found: Vec<io::Result<Vec<[u64; N]>>> = batch
                .par_chunks(PIECE)
                .map_init(|| self.store.reader(), |reader, piece| self.windows_of(piece, reader))
                .collect();
            for found in found {
                let found = found?;
                count += found.len() as u64;
                windows.extend(&found)?;
            }
        }
        anchors.clear();
        Ok(count)
    }

    fn windows_of<const N: usize>(
        &self,
        anchors: &[u64],
        reader: &mut DocumentReader<'_>,
    ) -> io::Result<Vec<[u64; N]>> {
        let AnchorSelection { least, gram, .. } = self.selection;
        let mut records = Vec::new();
        let (mut tokens, mut grams, mut windows) = (Vec::new(), Vec::new(), Vec::new());
        // Anchors whose windows overlap are read together.
        let is_near = |one: &u64, next: &u64| {
            document(*one) == document(*next) && token(*next) - token(*one) <= token(least as u64)
        };
        for anchors in anchors.chunk_by(is_near) {
            let (Some(&first), Some(&last)) = (anchors.first(), anchors.last()) else { continue };
            let number = document(first);
            reader.open(number)?;
            // All windows that have one of the anchors in them.
            let from = (token(first) as usize).saturating_sub(least - gram);
            let to = (token(last) as usize + least).min(reader.tokens());
            tokens.clear();
            for at in from..to {
                tokens.push(nearprint_fingerprint::stages::token_hash(reader.token(at)?));
            }
            self.selection.hash_grams(&tokens, &mut grams);
            self.selection.hash_windows(&tokens, &mut windows);
            let mut left = anchors.iter().map(|&anchor| token(anchor) as usize).peekable();
            self.selection.each_anchor(&grams, |found| {
                while left.next_if(|&anchor| anchor < from + found.at).is_some() {}
                if left.peek() != Some(&(from + found.at)) {
                    return;
                }
                for start in found.windows.clone() {
                    let before =
                        start.checked_sub(1).filter(|before| found.windows.contains(before));
                    let before = before.map_or(0, |before| windows[before]);
                    // Numbers of tokens have 31 bits.
                    let window = place(number, (from + start) as u32);
                    let record: WindowRecord =
                        [windows[start], window, before, (found.at - start) as u64];
                    records.push(std::array::from_fn(|at| record[at]));
                }
            });
        }
        Ok(records)
    }
}
