//! Documents out of an index: by their ids, or by conditions on their metadata.

use nearprint::records::DocumentId;
use nearprint::{Error, Filter};

use crate::cancellation::check;
use crate::changes::group::Weight;
use crate::changes::plan::Plan;
use crate::disk_index::DiskIndex;

/// Removes documents and returns how many there were.
fn removed(plan: &mut Plan<'_>, ids: &[DocumentId]) -> Result<u64, Error> {
    let places = plan.places(&ids.iter().collect::<Vec<_>>())?;
    let mut draft = plan.draft();
    let mut count = 0;
    for (id, place) in ids.iter().zip(places) {
        check()?;
        // An id may be given twice.
        if let Some(sequence) = draft.place(id).unwrap_or(place) {
            draft.remove(id, sequence)?;
            count += 1;
        }
    }
    plan.absorb(draft)?;
    Ok(count)
}

impl DiskIndex {
    /// Removes documents, in one commit, and returns how many there were.
    ///
    /// # Errors
    /// Where the index cannot be written.
    pub fn remove_batch(&self, ids: &[DocumentId]) -> Result<u64, Error> {
        let weight = Weight { documents: ids.len(), bytes: 0, looks: false };
        let ids = ids.to_vec();
        self.change(weight, move |plan| removed(plan, &ids))
    }

    /// Removes every document that a filter allows, in one commit, and returns how many there were. O(n) for n
    /// documents in the index.
    ///
    /// # Errors
    /// Where the index cannot be read or written.
    pub fn remove_where(&self, filter: &Filter) -> Result<u64, Error> {
        let weight = Weight { documents: usize::MAX, bytes: 0, looks: false };
        let filter = filter.clone();
        self.change(weight, move |plan| {
            let ids = plan.ids_where(&filter)?;
            removed(plan, &ids)
        })
    }
}
