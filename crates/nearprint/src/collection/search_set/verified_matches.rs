//! Matches of queries of which the texts themselves were compared, the most similar first.

use std::convert::Infallible;

use nearprint_fingerprint::Fingerprint;
use nearprint_records::{Document, DocumentId, FingerprintRecord, MatchRow, Outcome, Source};
use nearprint_search::tasks;

use super::Search;
use super::queries::Near;
use crate::{
    Error, FeatureStore, NearCounts, Pipeline, PrintSet, RefusedPairs, SimilarTexts, Tally,
    TextFeatures, TextRequest, Verification,
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

/// A document of which the text is similar to that of a query, by positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SimilarDocument {
    pub(crate) query: u32,
    pub(crate) similar: SimilarTexts,
    pub(crate) distance: u32,
    pub(crate) position: u32,
}

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

    /// A query by a document, read by a pipeline whose scheme is the one of what it is compared with, with the features
    /// that a verification compares, if there is one; `None` where the pipeline was cancelled.
    ///
    /// # Errors
    /// The record of a document that has no fingerprint.
    pub fn of(
        pipeline: &Pipeline<'_>,
        document: Document,
        verification: Option<Verification>,
    ) -> Result<Option<Self>, Box<FingerprintRecord>> {
        let mut source = std::iter::once(Ok(document));
        let mut found = None;
        let wanted = verification.map(TextRequest::from).unwrap_or_default();
        let done = pipeline.read(&mut source, &wanted, |record, made, _| {
            found = Some((record, made.and_then(|made| made.features)));
            Ok::<_, Infallible>(())
        });
        let Ok(_) = done;
        match found {
            Some((record, features)) if features.is_some() || verification.is_none() => {
                let Outcome::Print { fingerprint, .. } = record.outcome else {
                    return Err(Box::new(record));
                };
                let features = features.map(|features| features.unpack()).unwrap_or_default();
                Ok(Some(Self { id: record.id, fingerprint, features }))
            }
            Some((record, _)) => Err(Box::new(record)),
            None => Ok(None),
        }
    }
}

impl Search<'_> {
    /// The documents of a set that are similar to one query, the most similar first, then the nearest, then in the
    /// order of the set, and how many were compared: all within the distance. `store` has a document for each print of
    /// the set.
    pub(crate) fn similar(
        &self,
        (set, store): (&PrintSet, &FeatureStore),
        query: &VerifiedQuery,
        verification: Verification,
    ) -> Result<(NearCounts, Vec<SimilarDocument>), Error> {
        let near = self.near(set, &query.fingerprint)?;
        let refused = RefusedPairs::default();
        let verify = |some: &[(u32, usize)]| {
            let mut features = TextFeatures::default();
            let mut found = Vec::new();
            for &(distance, at) in some {
                store.read(at, &mut features)?;
                let similar = refused.similar(&verification, &query.features, &features);
                let position = at as u32;
                found.extend(similar.map(|similar| SimilarDocument {
                    query: 0,
                    similar,
                    distance,
                    position,
                }));
            }
            Ok::<_, std::io::Error>(found)
        };
        let mut found: Vec<SimilarDocument> = Vec::new();
        for some in near.chunks(VERIFIED_AT_ONCE) {
            if self.cancel.is_cancelled() {
                break;
            }
            let passed = self.in_pool(|| tasks::map(some.chunks(TOGETHER).collect(), verify))?;
            for some in passed {
                found.extend(some.map_err(Error::TemporaryFile)?);
            }
        }
        found.sort_unstable_by(in_order);
        Ok((NearCounts::new(Some(near.len() as u64), &refused), found))
    }

    /// The documents of a set that are similar to each of many queries: in the order of the queries, of each as
    /// [`similar`](Self::similar). Each store has a document for each print of its set. Returns how many were compared.
    pub(crate) fn similar_each<E: From<Error> + Send>(
        &self,
        (set, store): (&PrintSet, &FeatureStore),
        (queries, asked): (&PrintSet, &FeatureStore),
        verification: Verification,
        mut take: impl FnMut(SimilarDocument) -> Result<(), E>,
    ) -> Result<NearCounts, E> {
        let (mut candidates, refused) = (0, RefusedPairs::default());
        let mut pending: Vec<Near> = Vec::new();
        let mut passed: Vec<SimilarDocument> = Vec::new();
        let mut give = |passed: &mut Vec<SimilarDocument>, before: u32| -> Result<(), E> {
            passed.sort_unstable_by(in_order);
            let done = passed.partition_point(|found| found.query < before);
            passed.drain(..done).try_for_each(&mut take)
        };
        self.near_each(set, queries, &mut |near: Near| {
            candidates += 1;
            pending.push(near);
            if pending.len() >= VERIFIED_AT_ONCE {
                passed.extend(self.verified_near(
                    &pending,
                    (asked, store),
                    verification,
                    &refused,
                )?);
                pending.clear();
                // Of the last query there may be more.
                give(&mut passed, near.0)?;
            }
            Ok::<_, E>(())
        })?;
        passed.extend(self.verified_near(&pending, (asked, store), verification, &refused)?);
        give(&mut passed, u32::MAX)?;
        Ok(NearCounts::new(Some(candidates), &refused))
    }

    /// Those of some candidates that are confirmed.
    fn verified_near(
        &self,
        candidates: &[Near],
        (asked, store): (&FeatureStore, &FeatureStore),
        verification: Verification,
        refused: &RefusedPairs,
    ) -> Result<Vec<SimilarDocument>, Error> {
        let verify = |some: &[Near]| {
            let (mut read, mut found) = (LastQuery::default(), Vec::new());
            for &(query, distance, position) in some {
                if read.number != Some(query) {
                    read.number = None;
                    asked.read(query as usize, &mut read.query)?;
                    read.number = Some(query);
                }
                store.read(position as usize, &mut read.document)?;
                let similar = refused.similar(&verification, &read.query, &read.document);
                let found_in = |similar| SimilarDocument { query, similar, distance, position };
                found.extend(similar.map(found_in));
            }
            Ok::<_, std::io::Error>(found)
        };
        let passed = self.in_pool(|| tasks::map(candidates.chunks(TOGETHER).collect(), verify))?;
        let mut found = Vec::new();
        for some in passed {
            found.extend(some.map_err(Error::TemporaryFile)?);
        }
        Ok(found)
    }

    /// The documents of a source that match one query, the most similar first, then the nearest, then in the order of
    /// the source. Each is read, compared and let go. `nothing` gets the records of the documents without a
    /// fingerprint.
    pub(crate) fn matches_among(
        &self,
        (pipeline, source): (&Pipeline<'_>, &mut dyn Source),
        query: &VerifiedQuery,
        verification: Option<Verification>,
        mut nothing: impl FnMut(&FingerprintRecord),
    ) -> Result<(Vec<MatchRow>, NearCounts, Tally), Error> {
        let (mut found, refused) = (Vec::new(), RefusedPairs::default());
        let wanted = verification.map(TextRequest::from).unwrap_or_default();
        let tally = pipeline.read(source, &wanted, |record, made, _| {
            let Outcome::Print { fingerprint, .. } = &record.outcome else {
                nothing(&record);
                return Ok(());
            };
            let distance = query.fingerprint.distance(fingerprint)?;
            if distance > self.distance {
                return Ok(());
            }
            let estimate = query.fingerprint.similarity(fingerprint)?;
            let features = made.and_then(|made| made.features);
            let similar = match (verification, features) {
                (None, _) => None,
                (Some(verification), Some(features)) => {
                    match refused.similar(&verification, &query.features, &features.unpack()) {
                        None => return Ok(()),
                        similar => similar,
                    }
                }
                (Some(_), None) => return Ok(()),
            };
            let mut row = MatchRow::new(query.id.clone(), record.id, distance, estimate);
            row.measure = verification.map(|verification| verification.measure().name());
            row.similarity = similar.map(|similar| similar.similarity);
            row.verdict = similar.map(SimilarTexts::verdict).unwrap_or_default();
            found.push(row);
            Ok::<_, Error>(())
        })?;
        let similarity = |row: &MatchRow| row.similarity.unwrap_or_default();
        found.sort_by(|one, other| {
            let by_similarity = similarity(other).total_cmp(&similarity(one));
            by_similarity.then(one.distance.cmp(&other.distance))
        });
        Ok((found, NearCounts::new(None, &refused), tally))
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
fn in_order(one: &SimilarDocument, other: &SimilarDocument) -> std::cmp::Ordering {
    let rest = |found: &SimilarDocument| (found.distance, found.position);
    let by_query = one.query.cmp(&other.query);
    by_query
        .then(other.similar.similarity.total_cmp(&one.similar.similarity))
        .then_with(|| rest(one).cmp(&rest(other)))
}
