//! Documents that were read to be searched: one place for all verbs and all doors.

mod answers;
pub(crate) mod candidates;
pub(crate) mod documents;
pub mod index;
mod questions;
pub(crate) mod search_set;

pub use questions::{FoundClusters, SearchCounts};
use search_set::QueryLookup;

use std::fmt;
use std::path::PathBuf;

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::{DocumentId, FingerprintRecord, Outcome, Source};

use crate::{
    Candidates, DocumentView, Engine, Error, FeatureStore, MemoryShares, PackedFeatures, Pipeline,
    PrintSet, Search, Tally, TextRequest, TextStore, TextVerification, Verification,
};

/// What a [`Collection`] keeps of its documents.
///
/// From [`Candidates`] it follows what their verification needs; from a [`Scheme`], fingerprints alone.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CollectionSettings {
    /// The scheme of the fingerprints.
    pub scheme: Scheme,
    /// By what pairs are verified; their features are kept. `None` keeps fingerprints alone.
    pub verification: Option<Verification>,
    /// By what pairs (not clusters and matches) of whole texts are verified instead; the texts are kept. Default
    /// nothing.
    pub measured: Option<TextVerification>,
    /// Whether the texts are kept too, for passages that documents share. Default no.
    pub texts: bool,
    /// Documents of fewer words are read and not kept. Default 0.
    pub least_words: u64,
    /// Whether there will be references, which take their part of the memory. Default no.
    pub references: bool,
    /// How many collections share the memory of one call: 2 where one is searched for what is like the other's
    /// documents. Default 1.
    pub collections: u64,
}

impl CollectionSettings {
    /// One empty set of fingerprints within its share of the memory.
    fn set(&self, shares: &MemoryShares, directory: PathBuf) -> PrintSet {
        let sets = self.collections.max(1) * (1 + u64::from(self.references));
        PrintSet::within(self.scheme, shares.set(sets), directory)
    }
}

impl From<Candidates> for CollectionSettings {
    fn from(candidates: Candidates) -> Self {
        let scheme = Self::from(candidates.scheme());
        match candidates.texts() {
            Some(measured) => Self { measured: Some(measured), texts: true, ..scheme },
            None => Self { verification: Some(candidates.verification()), ..scheme },
        }
    }
}

impl From<Scheme> for CollectionSettings {
    fn from(scheme: Scheme) -> Self {
        Self {
            scheme,
            verification: None,
            measured: None,
            texts: false,
            least_words: 0,
            references: false,
            collections: 1,
        }
    }
}

/// Documents that were read: ids and fingerprints, and where texts are compared, their features.
///
/// What exceeds its share of the engine's memory is kept in a temporary file. Questions about a collection are asked by
/// a [`Search`]; where the collection keeps features, what the fingerprints propose is verified.
///
/// ```
/// use nearprint::records::{Document, DocumentId, ErrorRecord};
/// use nearprint::search::{Linkage, Measure};
/// use nearprint::{Candidates, Engine, Error, Settings, Verification};
///
/// let engine = Engine::default();
/// let candidates = Candidates::of(Verification::new(Measure::Jaccard));
/// let mut collection = engine.collection(candidates);
/// let pages = [
///     ("a", "Fog came in at noon and stayed over the harbour until the bells rang."),
///     ("b", "It rained on the hills for a week, and every brook became a river."),
///     ("c", "Fog came in at noon and stayed over the harbour until the bells rang twice."),
/// ];
/// let mut source = pages.into_iter().map(|(id, text)| {
///     let id = DocumentId::new(id).expect("short and plain");
///     Ok::<_, ErrorRecord>(Document::from_text(id, text))
/// });
/// let pipeline = engine.pipeline(Settings::default().scheme(candidates.scheme()));
/// collection.read(&pipeline, &mut source, |_| Ok::<_, Error>(()))?;
///
/// let search = collection.search(candidates.search());
/// let mut pairs = Vec::new();
/// let found = collection.pairs(&search, None, |pair| Ok::<_, Error>(pairs.push(pair)))?;
/// assert_eq!((found.candidates, found.found), (Some(1), 1));
/// assert_eq!((pairs[0].a.as_str(), pairs[0].b.as_str()), ("a", "c"));
/// let clusters = collection.clusters(&search, Linkage::Components)?;
/// assert_eq!(clusters.rows[0].size, 2);
/// # Ok::<(), Error>(())
/// ```
pub struct Collection {
    engine: Engine,
    settings: CollectionSettings,
    shares: MemoryShares,
    prints: PrintSet,
    references: Option<PrintSet>,
    /// Features of the documents, then of the references.
    features: Option<FeatureStore>,
    /// Their texts, in the same order.
    texts: Option<TextStore>,
    /// What single fingerprints are looked up in.
    lookup: Option<QueryLookup>,
}

impl Engine {
    /// A collection without documents, within the engine's memory.
    #[must_use]
    pub fn collection(&self, settings: impl Into<CollectionSettings>) -> Collection {
        Collection::new(self, settings.into())
    }
}

impl Collection {
    fn new(engine: &Engine, settings: CollectionSettings) -> Self {
        let shares = engine.memory_shares();
        let verified = settings.verification.is_some();
        let texts = settings.measured.is_some() || settings.texts;
        let shares = match (verified, texts) {
            (true, _) => shares.verified(texts),
            (false, true) => shares.of_texts(),
            (false, false) => shares,
        };
        let directory = engine.temporary_directory();
        let many = settings.collections.max(1);
        let features =
            || FeatureStore::new(shares.features() / many).in_directory(directory.clone());
        Self {
            engine: engine.clone(),
            settings,
            shares,
            prints: settings.set(&shares, directory.clone()),
            references: None,
            features: verified.then(features),
            texts: texts.then(|| TextStore::new(shares.texts() / many, directory.clone())),
            lookup: None,
        }
    }

    /// Reads documents of a source and adds those that have a fingerprint. Every record goes to `each`, in the source's
    /// order.
    ///
    /// # Errors
    /// [`Error::UnlikeSchemes`] where the pipeline makes fingerprints of another scheme, [`Error::LateReference`] where
    /// references were read before; temporary files that cannot be written; the first error of `each`, which ends the
    /// call.
    pub fn read<E: From<Error>>(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        each: impl FnMut(&FingerprintRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        if self.references.is_some() {
            return Err(Error::LateReference.into());
        }
        self.lookup = None;
        read_into(
            &mut self.prints,
            (&mut self.features, &mut self.texts),
            &self.settings,
            (pipeline, source),
            each,
        )
    }

    /// Reads references: documents that those of the collection are compared with, and not with one another. They come
    /// after all others.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    ///
    /// # Panics
    /// Never.
    pub fn read_references<E: From<Error>>(
        &mut self,
        pipeline: &Pipeline<'_>,
        source: &mut dyn Source,
        each: impl FnMut(&FingerprintRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.references_mut();
        let references = self.references.as_mut().expect("made above");
        read_into(
            references,
            (&mut self.features, &mut self.texts),
            &self.settings,
            (pipeline, source),
            each,
        )
    }

    /// Adds a document that was read before: its fingerprint, and what verification compares, where the collection is
    /// verified. Returns whether it was added: a document without features is not, where they are needed,
    /// nor is any where texts are kept.
    ///
    /// # Errors
    /// [`Error::LateReference`] where there are references, those of [`PrintSet::push`], and temporary files that
    /// cannot be written.
    pub fn push(
        &mut self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        features: Option<&PackedFeatures>,
    ) -> Result<bool, Error> {
        if self.references.is_some() {
            return Err(Error::LateReference);
        }
        self.lookup = None;
        push_into(
            &mut self.prints,
            (&mut self.features, self.texts.is_some()),
            (id, fingerprint, features),
        )
    }

    /// The same for a reference.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    ///
    /// # Panics
    /// Never.
    pub fn push_reference(
        &mut self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        features: Option<&PackedFeatures>,
    ) -> Result<bool, Error> {
        self.references_mut();
        let references = self.references.as_mut().expect("made above");
        push_into(
            references,
            (&mut self.features, self.texts.is_some()),
            (id, fingerprint, features),
        )
    }

    /// Adds a document of another collection with all parts that this one keeps.
    fn push_view(&mut self, document: &DocumentView, is_reference: bool) -> Result<(), Error> {
        let DocumentView { id, fingerprint, features, text, .. } = document;
        let set = match self.references {
            _ if is_reference => self.references_mut(),
            Some(_) => return Err(Error::LateReference),
            None => self.prints_mut(),
        };
        set.push(id, fingerprint)?;
        if let Some((store, features)) = self.features.as_mut().zip(features.as_ref()) {
            store.push_packed(features).map_err(Error::TemporaryFile)?;
        }
        if let Some(store) = &mut self.texts {
            store.push(text.as_deref().unwrap_or_default()).map_err(Error::TemporaryFile)?;
        }
        Ok(())
    }

    /// What it keeps.
    #[must_use]
    pub fn settings(&self) -> &CollectionSettings {
        &self.settings
    }

    /// The ids and fingerprints.
    #[must_use]
    pub fn prints(&self) -> &PrintSet {
        &self.prints
    }

    /// The ids and fingerprints, to add some that were made before. A collection that is verified needs documents
    /// instead.
    pub fn prints_mut(&mut self) -> &mut PrintSet {
        self.lookup = None;
        &mut self.prints
    }

    /// The references' ids and fingerprints, where there are any.
    #[must_use]
    pub fn references(&self) -> Option<&PrintSet> {
        self.references.as_ref()
    }

    /// The references' ids and fingerprints, to add some that were made before.
    pub fn references_mut(&mut self) -> &mut PrintSet {
        let (settings, shares) = (&self.settings, &self.shares);
        let directory = self.engine.temporary_directory();
        self.references.get_or_insert_with(|| settings.set(shares, directory))
    }

    /// How the memory of its call is divided.
    #[must_use]
    pub fn memory_shares(&self) -> MemoryShares {
        self.shares
    }

    /// This search by the engine's threads, within what memory the collection leaves.
    #[must_use]
    pub fn search<'w>(&self, search: Search<'w>) -> Search<'w> {
        search.on(&self.engine).memory(Some(self.shares.search()))
    }
}

fn push_into(
    prints: &mut PrintSet,
    (store, has_texts): (&mut Option<FeatureStore>, bool),
    (id, fingerprint, features): (&DocumentId, &Fingerprint, Option<&PackedFeatures>),
) -> Result<bool, Error> {
    if has_texts {
        return Ok(false);
    }
    match (store, features) {
        (Some(_), None) => return Ok(false),
        (Some(store), Some(features)) => {
            store.push_packed(features).map_err(Error::TemporaryFile)?;
        }
        (None, _) => {}
    }
    prints.push(id, fingerprint)?;
    Ok(true)
}

fn read_into<E: From<Error>>(
    prints: &mut PrintSet,
    (features, texts): (&mut Option<FeatureStore>, &mut Option<TextStore>),
    settings: &CollectionSettings,
    (pipeline, source): (&Pipeline<'_>, &mut dyn Source),
    mut each: impl FnMut(&FingerprintRecord) -> Result<(), E>,
) -> Result<Tally, E> {
    let wanted = TextRequest {
        features: settings.verification,
        text: texts.is_some(),
        ..TextRequest::default()
    };
    pipeline.read(source, &wanted, |record, made, _| {
        if let Outcome::Print { fingerprint, tokens, short, .. } = &record.outcome
            && *tokens >= settings.least_words
        {
            prints.push(&record.id, fingerprint)?;
            prints.note_short(Some(*short));
            let made = made.unwrap_or_default();
            if let Some((store, features)) = features.as_mut().zip(made.features) {
                store.push_packed(&features).map_err(Error::TemporaryFile)?;
            }
            if let Some((store, text)) = texts.as_mut().zip(made.text) {
                store.push(&text).map_err(Error::TemporaryFile)?;
            }
        }
        each(&record)
    })
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collection")
            .field("settings", &self.settings)
            .field("documents", &self.prints.len())
            .field("references", &self.references.as_ref().map(PrintSet::len))
            .finish_non_exhaustive()
    }
}
