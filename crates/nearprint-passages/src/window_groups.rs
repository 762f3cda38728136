//! What the sorted windows of common anchors propose: pairs of places, if a window is at few of them; if it is at more
//! than the bound, a frequent window with all of its places.
//!
//! Two documents that share a long run share all its windows, so most pairs of places would be proposed many times. A
//! pair is left out where the window before has the same anchor and the same hash in both and is not frequent: then
//! that window proposes it, or one before it. What is proposed is the place of the anchor, not of the window. So a
//! collision of hashes cannot hide a run: all windows with this anchor propose the same pair of places.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::byte_log::ByteLog;
use crate::candidates::Candidates;
use crate::external_sort::{ExternalSort, SortedRecords};
use crate::places::DocumentSets;

/// Windows that are at more places than the bound.
#[derive(Debug)]
pub(crate) struct FrequentWindows {
    /// Of each window: its first place, how many places it has, and where they begin in the list.
    pub(crate) records: ExternalSort<3>,
    /// Places of windows, those of each in order.
    pub(crate) places: ByteLog,
    /// Their hashes, by far fewer than there are windows, each with its first place.
    pub(crate) hashes: HashMap<u64, u64>,
}

impl FrequentWindows {
    pub(crate) fn new(memory: usize, directory: &Path) -> Self {
        Self {
            records: ExternalSort::new(memory / 2, directory),
            places: ByteLog::new(memory / 16 * 8, directory),
            hashes: HashMap::new(),
        }
    }
}

/// Adds the pairs of rare windows to `candidates`, the others to `frequent`.
pub(crate) fn propose_windows(
    windows: &SortedRecords<4>,
    sets: DocumentSets,
    most_places: usize,
    candidates: &mut Candidates,
    frequent: &mut FrequentWindows,
) -> io::Result<()> {
    frequent.hashes = frequent_hashes(windows, most_places)?;
    let mut windows = windows.read()?;
    let (mut group, mut places) = (Vec::new(), Vec::new());
    while let Some(first) = windows.next()? {
        if frequent.hashes.contains_key(&first[0]) {
            let start = frequent.places.len() / 8;
            let (mut count, mut last) = (1, first[1]);
            frequent.places.append_number(first[1])?;
            while let Some([_, place, ..]) = windows.next_of(first[0])? {
                frequent.places.append_number(place)?;
                (count, last) = (count + 1, place);
            }
            if sets.may_pair(first[1], last) {
                frequent.records.push([first[1], count, start])?;
            }
            continue;
        }
        group.clear();
        group.push(first);
        while let Some(next) = windows.next_of(first[0])? {
            group.push(next);
        }
        let is_continued = |before: u64| before != 0 && !frequent.hashes.contains_key(&before);
        // Most windows of long passages are left out by this alone.
        if is_continued(first[2]) && group.iter().all(|window| window[2] == first[2]) {
            continue;
        }
        places.clear();
        places.extend(group.iter().map(|&[_, place, ..]| place));
        sets.each_pair(&places, |a, b| {
            let [(a_before, a_anchor), (b_before, b_anchor)] =
                [a, b].map(|at| (group[at][2], places[at] + group[at][3]));
            if a_before == b_before && is_continued(a_before) {
                return Ok(());
            }
            candidates.push(a_anchor, b_anchor)
        })?;
    }
    Ok(())
}

/// The hashes of windows at more places than the bound, and the first place of each.
fn frequent_hashes(
    windows: &SortedRecords<4>,
    most_places: usize,
) -> io::Result<HashMap<u64, u64>> {
    let mut found = HashMap::new();
    let mut windows = windows.read()?;
    while let Some([hash, first, ..]) = windows.next()? {
        let mut count = 1;
        while windows.next_of(hash)?.is_some() {
            count += 1;
        }
        if count > most_places {
            found.insert(hash, first);
        }
    }
    Ok(found)
}
