//! What the functions do, in safe Rust.

use std::ops::ControlFlow;
use std::str::FromStr;

use nearprint_fingerprint::{Fingerprint, Fingerprinter, Scheme};
use nearprint_search::{Components, Join, MAX_PLANNED_DISTANCE, Pair, SearchError};

use crate::Status;

/// A fingerprint, and what is known of its text.
pub(crate) struct FoundPrint {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) tokens: u64,
    pub(crate) is_short: bool,
}

pub(crate) fn fingerprint(scheme: &str, text: &[u8]) -> Result<FoundPrint, Status> {
    let scheme = Scheme::from_str(scheme).map_err(|_| Status::UnknownScheme)?;
    let mut fingerprinter = Fingerprinter::new(scheme);
    fingerprinter.update_bytes(text);
    let outcome = fingerprinter.finish();
    let (tokens, is_short) = (outcome.tokens(), outcome.is_short());
    let fingerprint = outcome.into_fingerprint().ok_or(Status::NoTokens)?;
    Ok(FoundPrint { fingerprint, tokens, is_short })
}

pub(crate) fn parse(string: &str) -> Result<Fingerprint, Status> {
    string.parse().map_err(|_| Status::Malformed)
}

pub(crate) fn distance(one: &str, other: &str) -> Result<u32, Status> {
    parse(one)?.distance(&parse(other)?).map_err(|_| Status::UnlikeSchemes)
}

pub(crate) fn similarity(one: &str, other: &str) -> Result<f64, Status> {
    parse(one)?.similarity(&parse(other)?).map_err(|_| Status::UnlikeSchemes)
}

/// All pairs, ascending; `most` is their largest number, or 0.
pub(crate) fn find_all(values: &[u64], distance: u32, most: usize) -> Result<Vec<Pair>, Status> {
    let mut pairs = Vec::new();
    let mut is_full = false;
    join(values, distance, true, &mut |found: &[Pair]| {
        if most != 0 && pairs.len() + found.len() > most {
            is_full = true;
            return ControlFlow::Break(());
        }
        pairs.extend_from_slice(found);
        ControlFlow::Continue(())
    })?;
    if is_full { Err(Status::TooManyPairs) } else { Ok(pairs) }
}

/// Of each value the least position in its cluster.
pub(crate) fn find_clusters(values: &[u64], distance: u32) -> Result<Vec<u32>, Status> {
    let count = u32::try_from(values.len()).map_err(|_| Status::TooManyValues)?;
    let mut components = Components::new(count);
    join(values, distance, false, &mut |found: &[Pair]| {
        for pair in found {
            components.link(pair.a, pair.b);
        }
        ControlFlow::Continue(())
    })?;
    let mut cluster_of: Vec<u32> = (0..count).collect();
    for cluster in components.finish().iter() {
        let Some(&least) = cluster.members.iter().min() else { continue };
        for &member in cluster.members {
            cluster_of[member as usize] = least;
        }
    }
    Ok(cluster_of)
}

fn join(
    values: &[u64],
    distance: u32,
    is_sorted: bool,
    sink: &mut (dyn FnMut(&[Pair]) -> ControlFlow<()> + Send),
) -> Result<(), Status> {
    if distance > MAX_PLANNED_DISTANCE {
        return Err(Status::DistanceRange);
    }
    let join = Join::within(distance);
    let join = if is_sorted { join.sorted() } else { join };
    match join.pairs(values, &mut |found: &[Pair]| sink(found)) {
        Ok(_) => Ok(()),
        Err(SearchError::TooManyPrints { .. }) => Err(Status::TooManyValues),
        Err(_) => Err(Status::Internal),
    }
}
