//! Matches of queries of which the texts themselves were compared, the most similar first.

use std::convert::Infallible;

use nearprint_fingerprint::Fingerprint;
use nearprint_records::{Document, DocumentId, FingerprintRecord, MatchRow, Outcome, Source};
use rayon::prelude::*;

use super::Search;
use super::queries::Near;
use crate::{
    Error, FeatureStore, PackedFeatures, Pipeline, PrintSet, Tally, TextFeatures, Verification,
};

/// Candidates that are verified between two looks at the cancel flag.
const VERIFIED_AT_ONCE: usize = 1 << 14;

/// Candidates that a thread verifies one after the other, so that it reads the query of several only once.
const TOGETHER: usize = 64;

/// A document that others are compared with: its fingerprint, and what verification compares.
#[derive(Debug, Clone)]
pub struct VerifiedQuery {
    id: DocumentId,
    fingerprint: Fingerprint,
    features: TextFeatures,
}

/// A match: query, similarity, distance, document.
type Verified = (u32, f64, u32, u32);

impl VerifiedQuery {
    /// A query by its fingerprint and the features that [`Verification::features`] gives of its text.
    #[must_use]
    pub fn new(id: DocumentId, fingerprint: Fingerprint, features: TextFeatures) -> Self {
        Self { id, fingerprint, features }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &DocumentId {
        &self.id
    }

    /// Its fingerprint.
    #[must_use]
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// What verification compares.
    #[must_use]
    pub fn features(&self) -> &TextFeatures {
        &self.features
    }

    /// A query by a document, read by a pipeline whose scheme is the one of what it is compared with; `None` where the
    /// pipeline was cancelled.
    ///
    /// # Errors
    /// The record of a document that has no fingerprint.
    pub fn of(
        pipeline: &Pipeline<'_>,
        document: Document,
        verification: Verification,
    ) -> Result<Option<Self>, Box<FingerprintRecord>> {
        let mut source = std::iter::once(Ok(document));
        let mut found = None;
        let done = pipeline.read(&mut source, &verification.into(), |record, made, _| {
            found = Some((record, made.and_then(|made| made.features)));
            Ok::<_, Infallible>(())
        });
        let Ok(_) = done;
        match found {
            Some((record, Some(features))) => match record.outcome {
                Outcome::Print { fingerprint, .. } => {
                    Ok(Some(Self { id: record.id, fingerprint, features: features.unpack() }))
                }
                Outcome::Nothing { .. } => Err(Box::new(record)),
            },
            Some((record, None)) => Err(Box::new(record)),
            None => Ok(None),
        }
    }
}

impl Search<'_> {
    /// The documents of a set that match one query, the most similar first, in the order of the set where they are
    /// equally similar. `store` has a document for each print of the set. All that lie within the distance are
    /// compared.
    ///
    /// # Errors
    /// As for [`matches`](Self::matches), and where the store cannot be read.
    pub fn verified_matches(
        &self,
        (set, store): (&PrintSet, &FeatureStore),
        query: &VerifiedQuery,
        verification: Verification,
    ) -> Result<Vec<MatchRow>, Error> {
        let near = self.near(set, &query.fingerprint)?;
        let verify = |features: &mut TextFeatures, &(distance, at): &(u32, usize)| {
            store.read(at, features)?;
            let similarity = verification.verified(&query.features, features);
            Ok(similarity.map(|similarity| (0, similarity, distance, at as u32)))
        };
        let mut found: Vec<Verified> = Vec::new();
        for some in near.chunks(VERIFIED_AT_ONCE) {
            if self.cancel.is_cancelled() {
                break;
            }
            let passed: std::io::Result<Vec<Option<Verified>>> = self.in_pool(|| {
                some.par_iter()
                    .with_min_len(TOGETHER)
                    .map_init(TextFeatures::default, verify)
                    .collect()
            })?;
            found.extend(passed.map_err(Error::TemporaryFile)?.into_iter().flatten());
        }
        found.sort_by(in_order);
        Ok(found
            .into_iter()
            .map(|found| {
                row(&query.id, set.document_id(found.3 as usize), set, verification, found)
            })
            .collect())
    }

    /// The documents of a set that match each of many queries: in the order of the queries; of each the most similar
    /// first, in the order of the set where they are equally similar. Each store has a document for each print of its
    /// set. Gives the number of candidates and that of matches.
    ///
    /// # Errors
    /// As for [`matches_of_all`](Self::matches_of_all), and where a store cannot be read.
    pub fn verified_matches_of_all<E: From<Error> + Send>(
        &self,
        (set, store): (&PrintSet, &FeatureStore),
        (queries, asked): (&PrintSet, &FeatureStore),
        verification: Verification,
        mut take: impl FnMut(MatchRow) -> Result<(), E>,
    ) -> Result<(u64, u64), E> {
        let (mut candidates, mut matches) = (0, 0);
        let mut pending: Vec<Near> = Vec::new();
        let mut passed: Vec<Verified> = Vec::new();
        let mut give = |passed: &mut Vec<Verified>, before: u32| -> Result<(), E> {
            passed.sort_by(in_order);
            let done = passed.partition_point(|found| found.0 < before);
            matches += done as u64;
            passed.drain(..done).try_for_each(|found| {
                let query = queries.document_id(found.0 as usize);
                take(row(&query, set.document_id(found.3 as usize), set, verification, found))
            })
        };
        self.near_each(set, queries, &mut |near: Near| {
            candidates += 1;
            pending.push(near);
            if pending.len() >= VERIFIED_AT_ONCE {
                passed.extend(self.verified_near(&pending, (asked, store), verification)?);
                pending.clear();
                // Of the last query there may be more.
                give(&mut passed, near.0)?;
            }
            Ok::<_, E>(())
        })?;
        passed.extend(self.verified_near(&pending, (asked, store), verification)?);
        give(&mut passed, u32::MAX)?;
        Ok((candidates, matches))
    }

    /// Those of some candidates that are confirmed.
    fn verified_near(
        &self,
        candidates: &[Near],
        (asked, store): (&FeatureStore, &FeatureStore),
        verification: Verification,
    ) -> Result<Vec<Verified>, Error> {
        let verify = |read: &mut LastQuery, &(query, distance, document): &Near| {
            if read.number != Some(query) {
                read.number = None;
                asked.read(query as usize, &mut read.query)?;
                read.number = Some(query);
            }
            store.read(document as usize, &mut read.document)?;
            let similarity = verification.verified(&read.query, &read.document);
            Ok(similarity.map(|similarity| (query, similarity, distance, document)))
        };
        let passed: std::io::Result<Vec<Option<Verified>>> = self.in_pool(|| {
            let some = candidates.par_iter().with_min_len(TOGETHER);
            some.map_init(LastQuery::default, verify).collect()
        })?;
        Ok(passed.map_err(Error::TemporaryFile)?.into_iter().flatten().collect())
    }

    /// The documents of a source that match one query, the most similar first, in the order of the source where they
    /// are equally similar. Each is read, compared and let go, so that this takes no memory but for the matches; they
    /// are the same as [`verified_matches`](Self::verified_matches) finds, and all there are where the search is
    /// [`Candidates::search_of_one`](crate::Candidates::search_of_one). `nothing` gets the records of the documents
    /// without a fingerprint.
    ///
    /// The pipeline makes fingerprints of the query's scheme.
    ///
    /// # Errors
    /// Where the pipeline's scheme is another one.
    pub fn verified_matches_among(
        &self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        query: &VerifiedQuery,
        verification: Verification,
        mut nothing: impl FnMut(&FingerprintRecord),
    ) -> Result<(Vec<MatchRow>, Tally), Error> {
        let mut found = Vec::new();
        let tally = pipeline.read(source, &verification.into(), |record, made, _| {
            let Outcome::Print { fingerprint, .. } = &record.outcome else {
                nothing(&record);
                return Ok(());
            };
            let distance = query.fingerprint.distance(fingerprint)?;
            let estimate = query.fingerprint.similarity(fingerprint)?;
            let features = made.and_then(|made| made.features);
            let features = features.filter(|_| distance <= self.distance);
            let compared = |features: PackedFeatures| {
                verification.verified(&query.features, &features.unpack())
            };
            if let Some(similarity) = features.and_then(compared) {
                found.push(MatchRow {
                    query: query.id.clone(),
                    id: record.id,
                    distance,
                    estimate,
                    measure: Some(verification.measure().name()),
                    similarity: Some(similarity),
                });
            }
            Ok::<_, Error>(())
        })?;
        found.sort_by(|one, other| {
            let by_similarity = other.similarity.partial_cmp(&one.similarity);
            by_similarity
                .unwrap_or(std::cmp::Ordering::Equal)
                .then(one.distance.cmp(&other.distance))
        });
        Ok((found, tally))
    }
}

/// What was read last: candidates come in the order of their queries.
#[derive(Default)]
struct LastQuery {
    number: Option<u32>,
    query: TextFeatures,
    document: TextFeatures,
}

/// By query, then the most similar first, then the nearest, then in the order of the set.
fn in_order(one: &Verified, other: &Verified) -> std::cmp::Ordering {
    let rest = |found: &Verified| (found.2, found.3);
    let by_query = one.0.cmp(&other.0);
    by_query.then(other.1.total_cmp(&one.1)).then_with(|| rest(one).cmp(&rest(other)))
}

fn row(
    query: &DocumentId,
    id: DocumentId,
    set: &PrintSet,
    verification: Verification,
    (_, similarity, distance, _): Verified,
) -> MatchRow {
    MatchRow {
        query: query.clone(),
        id,
        distance,
        estimate: set.estimate(distance),
        measure: Some(verification.measure().name()),
        similarity: Some(similarity),
    }
}
