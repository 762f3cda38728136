//! Queries answered by comparing every document: the rule that all other answers follow.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::{Documents, NearCounts, NearDocument, NearRequest};
use crate::{Error, PackedFeatures, RefusedPairs};

/// Compares every document with every query. What matches is held until all documents were visited.
pub(super) fn near<D: Documents + ?Sized>(
    documents: &D,
    request: &NearRequest<'_>,
    take: &mut dyn FnMut(NearDocument) -> ControlFlow<()>,
) -> Result<NearCounts, Error> {
    let &NearRequest { queries, search, candidates, filter, .. } = request;
    queries.check(documents.scheme())?;
    let verification = candidates.map(|candidates| candidates.verification());
    let asked = (0..queries.len()).map(|at| queries.document(at)).collect::<Result<Vec<_>, _>>()?;
    let mut found: Vec<Vec<NearDocument>> = vec![Vec::new(); asked.len()];
    let (mut count, mut failed, refused) = (0, None, RefusedPairs::default());
    documents.visit(&request.parts(), filter, &mut |document| {
        let features = document.features.as_ref().map(PackedFeatures::unpack);
        for (query, (asked, found)) in asked.iter().zip(&mut found).enumerate() {
            let distance = match asked.fingerprint().distance(&document.fingerprint) {
                Ok(distance) if distance <= search.distance() => distance,
                Ok(_) => continue,
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            };
            count += 1;
            let similar = match (verification, &features) {
                (None, _) => None,
                (Some(verification), Some(features)) => {
                    let similar = refused.similar(&verification, asked.features(), features);
                    let Some(similar) = similar else { continue };
                    Some(similar)
                }
                (Some(_), None) => continue,
            };
            found.push(NearDocument { query, id: document.id.clone(), distance, similar });
        }
        if search.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    for mut found in found {
        // Stable: what is alike stays in the order of addition.
        found.sort_by(in_order);
        for near in found {
            if take(near).is_break() {
                return Ok(NearCounts::none());
            }
        }
    }
    Ok(NearCounts::new(verification.map(|_| count), &refused))
}

/// The most similar first, then the nearest.
fn in_order(one: &NearDocument, other: &NearDocument) -> Ordering {
    let similarity = |near: &NearDocument| near.similar.map_or(0.0, |similar| similar.similarity);
    let by_similarity = similarity(other).total_cmp(&similarity(one));
    by_similarity.then(one.distance.cmp(&other.distance))
}
