//! Matches of which the texts were compared: candidates that the tables propose, and the features that are kept of
//! them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::Bands;
use nearprint::{
    Candidates, Filter, IndexMatch, RefusedPairs, Search, SimilarTexts, VerifiedQuery,
};

use crate::IndexError;
use crate::cancellation::check;
use crate::index_state::IndexState;
use crate::segment::layout::{BAND_ROWS, BANDS};
use crate::store::DOCUMENTS;
use crate::store::kept_features::FeatureTable;
use crate::store::record::{RecordView, damaged};
use crate::store::source::Source;
use crate::tables::table_print::Reach;
use crate::tables::table_set::Candidate;

/// The share of what lies just within a distance that bands must propose where none are chosen.
const PROPOSED: f64 = 0.99;

/// Candidates in succession, nearest first, whose texts are refused before the rest is taken to be as little alike:
/// what many documents have in common by a template. Candidates whose estimate reaches the threshold are not counted.
const REFUSED: u32 = 100;

/// The bands by which the candidates of texts are proposed; `None` where all sketches are compared.
fn proposing(candidates: &Candidates) -> Option<Bands> {
    proposed_by((candidates.scheme(), candidates.distance()), candidates.used_bands(), PROPOSED)
}

/// The bands by which fingerprints are proposed, where a search asks for bands or is content with less than all.
pub(crate) fn bands_of_prints(scheme: Scheme, search: &Search<'_>) -> Option<Bands> {
    let (bands, recall) = (search.wanted_bands(), search.wanted_recall());
    if bands.is_none() && recall.is_none() {
        return None;
    }
    proposed_by((scheme, search.distance()), bands, recall.unwrap_or(PROPOSED))
}

/// Some bands, or those of the tables where they find a share of what lies just within a distance. `None` where tables
/// do not have what is needed, and all sketches are compared.
fn proposed_by((scheme, k): (Scheme, u32), asked: Option<Bands>, share: f64) -> Option<Bands> {
    if scheme.family() != Family::Sketch {
        return None;
    }
    let of_tables = Bands::new(BANDS as u32, BAND_ROWS as u32).expect("they fit into a sketch");
    let least = 1.0 - f64::from(k) / f64::from(scheme.positions());
    match asked {
        Some(bands) => Some(bands).filter(|bands| bands.rows() as usize >= BAND_ROWS),
        None => Some(of_tables).filter(|bands| bands.chance(least) >= share),
    }
}

impl IndexState {
    /// The candidates of a query, and of them those whose texts pass the verification, with their similarity: the
    /// most similar first, of equally similar ones the nearest, then in the order of addition. Those that a filter does
    /// not allow are left out.
    ///
    /// Candidates are those within the distance; of sketches, those that agree in one of the bands by which pairs are
    /// found, too. Where bands have a single row, or the candidates name none and few of 64x2 would miss more than a
    /// hundredth of what lies just within the distance, all sketches are compared. Of a value of a band that more than
    /// 10,000 documents of a segment have, the oldest 10,000 become candidates by that band. Where the sketch estimates
    /// the measure (md1 and Jaccard), texts of candidates whose estimate is below the threshold are compared nearest
    /// first, until 100 in succession are refused.
    ///
    /// Each candidate takes one read of the store and 16 bytes of memory.
    pub(crate) fn verified(
        &self,
        query: &VerifiedQuery,
        candidates: &Candidates,
        filter: &Filter,
        counted: &RefusedPairs,
    ) -> Result<Vec<(IndexMatch, SimilarTexts)>, IndexError> {
        let source = &self.source;
        let Source { store, scheme, .. } = source;
        let reach = Reach { k: candidates.distance(), bands: proposing(candidates) };
        let verification = candidates.verification();
        // Where sketches estimate the similarity, the distance of what is as similar as is demanded.
        let expected = match candidates.share() {
            Some(_) => (f64::from(scheme.positions()) * (1.0 - verification.at_least())) as u32,
            None => scheme.positions(),
        };
        let (view, near) = self.answered(|view| {
            // Taken first, so that the documents are those that tables name.
            let Some(_) = view.transaction()? else { return Ok(None) };
            self.tables.candidates(view, query.fingerprint(), reach)
        })?;
        // Nearest first; of very many only the first are looked at.
        let mut near: BinaryHeap<Reverse<Candidate>> = near.into_iter().map(Reverse).collect();
        let at = view.into_transaction().expect("it was taken");
        let Some(table) = FeatureTable::open(source, &at)? else { return Ok(Vec::new()) };
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        let mut passed = Vec::new();
        let mut refused = 0;
        while let Some(Reverse(Candidate { distance, sequence })) = near.pop() {
            if refused == REFUSED {
                break;
            }
            check()?;
            let features = table.get(sequence)?.features.unpack();
            let similar = counted.similar(&verification, query.features(), &features);
            let Some(similar) = similar else {
                refused += u32::from(distance > expected);
                continue;
            };
            refused = 0;
            let record = store.tried(documents.get(sequence))?;
            let view = record
                .as_ref()
                .and_then(|record| RecordView::of(*scheme, sequence, record.value()));
            let document = view.and_then(|view| view.document());
            let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
            if filter.allows(document.metadata.as_deref()) {
                passed.push((IndexMatch { id: document.id, distance }, similar));
            }
        }
        // Stable: candidates come nearest first, then in the order of addition.
        passed.sort_by(|(_, one), (_, other)| other.similarity.total_cmp(&one.similarity));
        Ok(passed)
    }
}
