//! Documents into an index, each decided by what is there at its turn.

use nearprint::fingerprint::{Fingerprint, UnlikeSchemes};
use nearprint::records::DocumentId;
use nearprint::{
    Dedup, Error, Index, IndexMatch, InsertCounts, InsertOutcome, OnDuplicate, Relation,
    TextFeatures, VerifiedQuery,
};

use crate::IndexError;
use crate::cancellation::check;
use crate::changes::capture_words::{StoredWords, count_words};
use crate::changes::group::Weight;
use crate::changes::plan::{Draft, Plan};
use crate::changes::prepared_document::PreparedDocument;
use crate::disk_index::DiskIndex;
use crate::disk_index::admission::{Admission, Budget};
use crate::store::kept_features::features_verification;
use crate::store::record::StoredDocument;

/// What became of a document that was to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// It was added.
    Added {
        /// How many others are similar, where there is a budget of them.
        similar: Option<u64>,
    },
    /// It took the place of the one of its id.
    Replaced {
        /// How many others are similar, where there is a budget of them.
        similar: Option<u64>,
    },
    /// The one of its id stays, as was asked for.
    Skipped,
    /// The one of its id stays, and that is an error.
    Refused,
    /// It was there already, with the same content.
    Unchanged,
    /// It was not added, because these are within the distance, or similar to it and as many as the budget has.
    Near(Vec<IndexMatch>),
}

/// What an insertion that first looks for similar documents did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfNew {
    /// Nothing was within the distance: the document was inserted.
    Inserted(InsertOutcome),
    /// These were within the distance: the document was not inserted.
    Near(Vec<IndexMatch>),
}

/// What an insertion of many documents that first looks for similar ones did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInsertions {
    /// What was done with those that lie near no other.
    pub counts: InsertCounts,
    /// The others by their positions, with what lies near them.
    pub known: Vec<(usize, Vec<IndexMatch>)>,
}

/// What an id that is there already means for the other documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// Where one is refused, all are.
    All,
    /// Each is refused by itself, and one that comes again is unchanged.
    Each,
}

/// Documents that are to be inserted in one change.
struct Insertion {
    documents: Vec<PreparedDocument>,
    on_duplicate: OnDuplicate,
    admission: Admission,
    refusal: Refusal,
    /// Words of stored documents that the new ones will be beside.
    words: StoredWords,
}

impl Insertion {
    fn weight(&self) -> Weight {
        let bytes = self.documents.iter().map(PreparedDocument::bytes).sum();
        Weight { documents: self.documents.len(), bytes, looks: self.admission != Admission::All }
    }

    fn decide(self, plan: &mut Plan<'_>) -> Result<Vec<Addition>, Error> {
        let ids: Vec<&DocumentId> = self.documents.iter().map(|new| &new.id).collect();
        let places = plan.places(&ids)?;
        let mut near = match self.admission.distance() {
            Some(k) => {
                let prints = self.documents.iter().map(|new| new.fingerprint.clone());
                plan.near(&prints.collect::<Vec<Fingerprint>>(), k)?
            }
            None => Vec::new(),
        };
        let Self { on_duplicate, admission, refusal, .. } = self;
        let rule = Rule { on_duplicate, admission, refusal };
        let mut draft = plan.draft();
        let mut additions = Vec::with_capacity(self.documents.len());
        for (at, document) in self.documents.into_iter().enumerate() {
            check()?;
            let there = draft.place(&document.id).unwrap_or(places[at]);
            let near = near.get_mut(at).map(std::mem::take).unwrap_or_default();
            let addition = rule.decide(plan, &draft, &document, there, near)?;
            if matches!(addition, Addition::Added { .. } | Addition::Replaced { .. }) {
                draft.insert(document, there)?;
            }
            additions.push(addition);
        }
        plan.absorb(draft)?;
        plan.take_words(self.words);
        Ok(additions)
    }
}

/// What decides about a document.
struct Rule {
    on_duplicate: OnDuplicate,
    admission: Admission,
    refusal: Refusal,
}

impl Rule {
    /// Decides about a document whose id leads to `there`, with `near` as the plan has it.
    fn decide(
        &self,
        plan: &Plan<'_>,
        draft: &Draft,
        document: &PreparedDocument,
        there: Option<u64>,
        near: Vec<IndexMatch>,
    ) -> Result<Addition, Error> {
        if let (Some(sequence), Refusal::Each) = (there, self.refusal) {
            let is_new = matches!(self.admission, Admission::New(_));
            if is_new && is_same(plan, draft, document, sequence)? {
                return Ok(Addition::Unchanged);
            }
            match self.on_duplicate {
                OnDuplicate::Refuse => return Ok(Addition::Refused),
                OnDuplicate::Skip => return Ok(Addition::Skipped),
                OnDuplicate::Replace => {}
            }
        }
        let mut similar = None;
        match &self.admission {
            Admission::All => {}
            Admission::New(k) => {
                let mut near = draft.near(near, &document.fingerprint, *k)?;
                if self.on_duplicate == OnDuplicate::Replace {
                    near.retain(|near| near.id != document.id);
                }
                if let Some(own) = document.kept_features() {
                    near = duplicates_among(plan, draft, near, &own.features.unpack())?;
                }
                if !near.is_empty() {
                    return Ok(Addition::Near(near));
                }
            }
            Admission::Budget(budget) => {
                let others = similar_to(plan, draft, (document, near), budget)?;
                // One that is there takes no more room than it has.
                if there.is_none() && budget.is_spent(others.len()) {
                    return Ok(Addition::Near(others));
                }
                similar = Some(others.len() as u64);
            }
        }
        match (there, self.on_duplicate) {
            (None, _) => Ok(Addition::Added { similar }),
            (Some(_), OnDuplicate::Refuse) => Err(Error::DuplicateId { id: document.id.clone() }),
            (Some(_), OnDuplicate::Skip) => Ok(Addition::Skipped),
            (Some(_), OnDuplicate::Replace) => Ok(Addition::Replaced { similar }),
        }
    }
}

/// The other documents that are similar to one, nearest first; `near` are those within the distance of the budget in
/// the plan, where fingerprints alone decide.
fn similar_to(
    plan: &Plan<'_>,
    draft: &Draft,
    (document, near): (&PreparedDocument, Vec<IndexMatch>),
    budget: &Budget,
) -> Result<Vec<IndexMatch>, Error> {
    let mut similar = match (budget.candidates(), document.kept_features()) {
        (Some(candidates), Some(own)) => {
            let (id, print) = (document.id.clone(), document.fingerprint.clone());
            let query = VerifiedQuery::new(id, print, own.features.unpack());
            let stored = plan.similar(&query, candidates)?;
            let new = plan.near_new(&document.fingerprint, candidates.distance())?;
            let new = draft.near(new, &document.fingerprint, candidates.distance())?;
            let verification = candidates.verification();
            let mut similar = draft.left(stored);
            for near in new {
                check()?;
                let Some(features) = features_of(plan, draft, &near)? else { continue };
                if verification.similar(query.features(), &features).is_some() {
                    similar.push(near);
                }
            }
            similar
        }
        _ => draft.near(near, &document.fingerprint, budget.distance())?,
    };
    similar.retain(|similar| similar.id != document.id);
    similar.sort_by_key(|similar| similar.distance);
    Ok(similar)
}

/// The features of a document of a plan or of a draft on top of it; `None` where it is not there.
fn features_of(
    plan: &Plan<'_>,
    draft: &Draft,
    near: &IndexMatch,
) -> Result<Option<TextFeatures>, Error> {
    let place = match draft.place(&near.id) {
        Some(place) => place,
        None => plan.places(&[&near.id])?[0],
    };
    let Some(sequence) = place else { return Ok(None) };
    let features = match draft.inserted(sequence).and_then(PreparedDocument::kept_features) {
        Some(features) => features,
        None => plan.features(sequence)?,
    };
    Ok(Some(features.features.unpack()))
}

/// What of documents that are near is duplicated by one of these features, by the rule by which `dedup` drops.
fn duplicates_among(
    plan: &Plan<'_>,
    draft: &Draft,
    near: Vec<IndexMatch>,
    own: &TextFeatures,
) -> Result<Vec<IndexMatch>, Error> {
    let rule = Dedup::default().rule();
    let mut duplicates = Vec::new();
    for near in near {
        check()?;
        let Some(features) = features_of(plan, draft, &near)? else { continue };
        if rule.relation(&features, own) == Relation::Duplicate {
            duplicates.push(near);
        }
    }
    Ok(duplicates)
}

/// Whether the document of a sequence number has the same content: whoever sends a document again, because the answer
/// was lost, is answered as before.
fn is_same(
    plan: &Plan<'_>,
    draft: &Draft,
    document: &PreparedDocument,
    sequence: u64,
) -> Result<bool, Error> {
    let scheme = plan.shared.source.scheme;
    let there = match draft.inserted(sequence) {
        Some(there) => there.document(scheme),
        None => Some(plan.document(sequence)?),
    };
    let (there, new) = (there.as_ref(), document.document(scheme));
    Ok(there.zip(new.as_ref()).is_some_and(|(there, new)| there.has_content_of(new)))
}

impl DiskIndex {
    /// Inserts documents, all or none of them, in one commit.
    ///
    /// Commits of several threads become one: each of these calls is still all or nothing by itself.
    ///
    /// # Errors
    /// As for [`insert`](nearprint::Index::insert), and where the metadata of a document are too long.
    pub fn insert_documents(
        &self,
        documents: &[StoredDocument],
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        let additions = self.inserted(documents, on_duplicate, Admission::All, Refusal::All)?;
        Ok(counted(&additions))
    }

    /// Inserts a document unless another one lies within `k` of it, and if the index keeps features, is its duplicate
    /// by the rule of `dedup`. No other change comes between the look and the insertion. A document of the same id
    /// counts as another one, except where it is to be replaced.
    ///
    /// # Errors
    /// As for [`insert`](nearprint::Index::insert) and [`query`](nearprint::Documents::query).
    pub fn insert_if_new(
        &self,
        document: &StoredDocument,
        k: u32,
        on_duplicate: OnDuplicate,
    ) -> Result<IfNew, Error> {
        let documents = std::slice::from_ref(document);
        let NewInsertions { counts, mut known } = self.insert_new(documents, k, on_duplicate)?;
        Ok(match (known.pop(), counts) {
            (Some((_, near)), _) => IfNew::Near(near),
            (None, InsertCounts { replaced: 1, .. }) => IfNew::Inserted(InsertOutcome::Replaced),
            (None, InsertCounts { skipped: 1, .. }) => IfNew::Inserted(InsertOutcome::Skipped),
            (None, _) => IfNew::Inserted(InsertOutcome::Added),
        })
    }

    /// Inserts those documents that lie within `k` of no other, or if the index keeps features, of no other that they
    /// duplicate: each is decided in its turn, by what the index has
    /// after those before it. Returns what lies near each of the others, by their positions. All of it is one change,
    /// and no other comes between.
    ///
    /// # Errors
    /// As for [`insert_if_new`](Self::insert_if_new).
    pub fn insert_new(
        &self,
        documents: &[StoredDocument],
        k: u32,
        on_duplicate: OnDuplicate,
    ) -> Result<NewInsertions, Error> {
        let additions = self.inserted(documents, on_duplicate, Admission::New(k), Refusal::All)?;
        let counts = counted(&additions);
        let known = additions.into_iter().enumerate().filter_map(|(at, addition)| match addition {
            Addition::Near(near) => Some((at, near)),
            _ => None,
        });
        Ok(NewInsertions { counts, known: known.collect() })
    }

    /// Adds documents in one commit, each by itself: one whose id is there does not hinder the others. Of those that
    /// the admission wants to be new, one that is there with the same content is [`Unchanged`](Addition::Unchanged).
    /// Returns what became of each.
    ///
    /// # Errors
    /// As for [`insert_if_new`](Self::insert_if_new), except for ids that are there.
    pub fn add(
        &self,
        documents: &[StoredDocument],
        on_duplicate: OnDuplicate,
        admission: Admission,
    ) -> Result<Vec<Addition>, Error> {
        self.inserted(documents, on_duplicate, admission, Refusal::Each)
    }

    /// Refuses to mix features of two versions in one index.
    fn check_features(&self) -> Result<(), IndexError> {
        let wanted = features_verification().features_name();
        match &self.header().features {
            Some(found) if *found != wanted => {
                let (path, found) = (self.shared.source.path.clone(), found.clone());
                Err(IndexError::OtherFeatures { path, found, wanted })
            }
            _ => Ok(()),
        }
    }

    fn inserted(
        &self,
        documents: &[StoredDocument],
        on_duplicate: OnDuplicate,
        admission: Admission,
        refusal: Refusal,
    ) -> Result<Vec<Addition>, Error> {
        let source = &self.shared.source;
        self.check_features()?;
        for document in documents {
            UnlikeSchemes::check(source.scheme, document.fingerprint.scheme())?;
            document.check()?;
            if source.keeps_features && document.features.is_none() {
                let (path, id) = (source.path.clone(), document.id.clone());
                return Err(IndexError::FeaturesMissing { path, id }.into());
            }
        }
        let prepared = documents.iter().map(|new| PreparedDocument::of(new, source));
        let mut prepared: Vec<_> = prepared.collect();
        let words = source.store.guarded(|| count_words(source, documents, &mut prepared))?;
        let insertion = Insertion { documents: prepared, on_duplicate, admission, refusal, words };
        self.change(insertion.weight(), |plan| insertion.decide(plan))
    }
}

impl Index for DiskIndex {
    fn insert(
        &self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        on_duplicate: OnDuplicate,
    ) -> Result<InsertOutcome, Error> {
        let document = StoredDocument::new(id.clone(), fingerprint.clone());
        let counts = self.insert_documents(&[document], on_duplicate)?;
        Ok(match counts {
            InsertCounts { replaced: 1, .. } => InsertOutcome::Replaced,
            InsertCounts { skipped: 1, .. } => InsertOutcome::Skipped,
            _ => InsertOutcome::Added,
        })
    }

    fn insert_batch(
        &self,
        documents: &[(DocumentId, Fingerprint)],
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        let document = |(id, fingerprint): &(DocumentId, Fingerprint)| {
            StoredDocument::new(id.clone(), fingerprint.clone())
        };
        let documents: Vec<_> = documents.iter().map(document).collect();
        self.insert_documents(&documents, on_duplicate)
    }

    fn remove(&self, id: &DocumentId) -> Result<bool, Error> {
        Ok(self.remove_batch(std::slice::from_ref(id))? == 1)
    }
}

/// How many documents were inserted, and how.
fn counted(additions: &[Addition]) -> InsertCounts {
    let mut counts = InsertCounts::default();
    for addition in additions {
        match addition {
            Addition::Added { .. } => counts.added += 1,
            Addition::Replaced { .. } => counts.replaced += 1,
            Addition::Skipped => counts.skipped += 1,
            Addition::Refused | Addition::Unchanged | Addition::Near(_) => {}
        }
    }
    counts
}
