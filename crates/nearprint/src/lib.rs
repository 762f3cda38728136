//! Near-duplicate documents: from files to fingerprints, pairs and clusters.
//!
//! This crate is the one to depend on. It joins four that know nothing of one another's business and re-exports them:
//! [`records`] (documents in, rows of results out: [`Document`](records::Document), [`PairRow`](records::PairRow)),
//! [`extract`](mod@extract) (bytes to text), [`fingerprint`] (text to fingerprint, the standard) and [`search`]
//! (fingerprints to pairs). What is here itself is the way between them:
//!
//! - [`Engine`]: what all calls share: workers, threads, memory; a call makes its own [`Pipeline`] or [`Search`] from
//!   it;
//! - [`Inputs`]: what is named to be read: paths, patterns, lists, archives, tables and their fields;
//! - [`ResultWriter`]: rows of results as text, JSON lines, CSV, Parquet or Arrow, by name;
//! - [`Pipeline`]: documents of a [`Source`](records::Source) to [`FingerprintRecord`](records::FingerprintRecord)s, on
//!   all cores, in order, in bounded memory;
//! - [`Collection`]: documents that were read, and the questions about them: pairs, clusters, matches, verified or not;
//! - [`PrintSet`] and [`Search`]: pairs, clusters and matches among many fingerprints;
//! - [`Documents`]: what every collection can be asked; [`Index`]: one that changes; [`MemoryIndex`] keeps it in
//!   memory;
//! - [`Verification`] and [`Candidates`]: the texts themselves compared, and which of them;
//! - [`Dedup`]: which documents of many to keep;
//! - [`ResumableJob`]: the same for jobs that may be interrupted;
//! - [`Diff`]: what became of a collection;
//! - [`Passages`]: every passage that documents share; [`Decontaminate`]: items of a test in training data;
//! - [`compare`], [`explain`] and [`passages`](fn@passages): two documents, the words that make them alike or not, and
//!   the passages they share;
//! - [`glossary`]: what every word means.
//!
//! # Texts to verified pairs
//!
//! ```
//! use nearprint::records::{Document, DocumentId, ErrorRecord};
//! use nearprint::search::Measure;
//! use nearprint::{Candidates, Engine, Error, Settings, Verification};
//!
//! let texts = [
//!     ("a", "Fog came in at noon and stayed over the harbour until the bells rang."),
//!     ("b", "It rained on the hills for a week, and every brook became a river."),
//!     ("c", "Fog came in at noon and stayed over the harbour until the bells rang twice."),
//! ];
//! let mut source = texts.into_iter().map(|(id, text)| {
//!     let id = DocumentId::new(id).expect("short and plain");
//!     Ok::<_, ErrorRecord>(Document::from_text(id, text))
//! });
//! // Fingerprints propose candidates, which are compared by what is kept of their texts.
//! let engine = Engine::default();
//! let candidates = Candidates::of(Verification::new(Measure::Jaccard));
//! let mut collection = engine.collection(candidates);
//! let pipeline = engine.pipeline(Settings::default().scheme(candidates.scheme()));
//! collection.read(&pipeline, &mut source, |_| Ok::<_, Error>(()))?;
//!
//! let mut pairs = Vec::new();
//! let search = collection.search(candidates.search());
//! collection.pairs(&search, None, |pair| Ok::<_, Error>(pairs.push(pair)))?;
//! assert_eq!((pairs[0].a.as_str(), pairs[0].b.as_str()), ("a", "c"));
//! assert!(pairs[0].similarity.expect("it is verified") > 0.8);
//! # Ok::<(), Error>(())
//! ```
//!
//! [`Dedup`] decides which of such documents to keep. A folder of files is read by [`Inputs`] or
//! [`FileSource`](records::FileSource) instead of the iterator.
//!
//! # Files to clusters of fingerprints
//!
//! Fingerprints alone are compared where texts are not at hand, or there are very many. What is found are candidates.
//!
//! ```
//! use nearprint::records::{FileSettings, FileSource, Outcome};
//! use nearprint::{Engine, Error, PrintSet, Settings};
//!
//! # let directory = tempfile::tempdir().unwrap();
//! # let path = |name: &str| directory.path().join(name);
//! # std::fs::write(path("fog.txt"), "Fog came in at noon and stayed over the harbour until the bells rang.").unwrap();
//! # std::fs::write(path("fog.html"), "<p>Fog came in at noon and stayed<br>over the harbour until the bells rang.").unwrap();
//! # std::fs::write(path("rain.txt"), "It rained on the hills for a week, and every brook became a river.").unwrap();
//! let settings = Settings::default();
//! let mut set = PrintSet::new(settings.scheme);
//! let mut files = FileSource::new([directory.path()], FileSettings::default());
//! let engine = Engine::default();
//! let tally = engine.pipeline(settings).fingerprint(&mut files, |record| {
//!     match &record.outcome {
//!         Outcome::Print { fingerprint, .. } => set.push(&record.id, fingerprint)?,
//!         Outcome::Nothing { detail, .. } => eprintln!("{}: {detail}", record.place),
//!     }
//!     Ok::<_, Error>(())
//! })?;
//! assert_eq!((tally.documents, tally.failed), (3, 0));
//!
//! let clusters = engine.search(3).clusters(&set)?;
//! assert_eq!(clusters.len(), 1);
//! assert!(clusters[0].members[0].as_str().ends_with("fog.html"));
//! # Ok::<(), Error>(())
//! ```
//!
//! # One text
//!
//! ```
//! use nearprint::fingerprint::{Scheme, fingerprint};
//!
//! let printed = fingerprint(Scheme::SD1, "Fog came in at noon.");
//! let print = printed.fingerprint().expect("there are words in it");
//! assert_eq!(printed.tokens(), 5);
//! assert!(print.to_string().starts_with("sd1:"));
//! ```
//!
//! # What a match means
//!
//! A match of two prints is a *candidate*: under plain term frequency, function words make some unrelated documents of
//! one language alike. [`FalsePairs`] says how many were measured. [`Verification`] compares the texts themselves,
//! exactly, and [`Candidates`] chooses for it the scheme, the distance and the bands that propose what to compare: it
//! is what to use where it matters, and what the command does by default.
//!
//! # Threads, memory, failure
//!
//! Extraction runs on threads of its own, never on the caller's, and of PDF and other heavy media in [`worker`]
//! processes with limits on memory and time ([`EngineSettings::isolation`]). A document that cannot be read, is
//! damaged, goes beyond its [`Limits`](extract::Limits) or kills its worker is one record that says so; the job goes
//! on. Results are in the order of the source, and the same for any number of threads and any isolation.
//!
//! A program that uses this library and is to be one file makes itself its own worker:
//! [`PoolOptions::this_program`](worker::PoolOptions::this_program). Others install `nearprint-worker`. Without either,
//! [`Engine::default`] reads every document in this process, and [`Engine::in_process_note`] says so.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `archives` | documents, lines and web archives that are compressed, and copies of web archives |
//! | `charsets` | charsets other than UTF-8, and the media whose texts are in others: RTF and mail |
//! | `digests` | MD5 and SHA-1 as hashes of custom schemes |
//! | `directories` | directories that are walked, and patterns such as `*.html` |
//! | `edits` | the measure `edit`, the edit distance of two texts |
//! | `files` | documents from files and containers, files of results, jobs that resume, and reports |
//! | `json` | rows and questions as JSON, options by name, conditions on metadata, and deduplication |
//! | `markup` | HTML, XML, TeX, roff, Markdown and other markup |
//! | `office` | EPUB, OpenDocument and Office Open XML |
//! | `passages` | passages that documents share, and items of a test in training data |
//! | `pdf` | PDF |
//! | `spill` | temporary files: what exceeds the memory, and the notes of deduplication |
//! | `tables` | Parquet and Arrow, and the module [`tables`] |
//! | `widths` | search among fingerprints of 32 and of 128 bits, which custom schemes have |
//! | `worker` | heavy documents in processes of their own, and the module [`worker`] |
//! | `vectors` | the vectors of the standard |
//! | `conformance` | checks that hold an [`Index`] of one's own to the answers of the others |
//!
//! All but the last two are on by default. A feature decides what can be read, never what a result is: what needs one
//! that is missing is not there to be called, or is an error record, or an error, that names it. `files`, `passages`
//! and `spill` bring `json`. A program that compares texts of its own needs none of them: `default-features = false`
//! compiles 28 crates instead of 159, without serde and without a procedural macro.

#![cfg_attr(
    not(feature = "files"),
    allow(dead_code, unused_imports, reason = "what only the feature needs stays")
)]

mod collection;
mod engine;
mod error;
#[cfg(feature = "files")]
mod input;
mod pipeline;
pub mod questions;
#[cfg(feature = "files")]
pub mod report;
mod store;
#[cfg(feature = "tables")]
mod table_files;
#[cfg(all(feature = "files", not(feature = "tables")))]
#[path = "table_files_none.rs"]
mod table_files;
mod text;

pub use collection::candidates::Candidates;
pub use collection::documents::{
    CaptureKey, DocumentView, Documents, Filter, IndexMatch, LONGEST_URL_KEY, NearCounts,
    NearDocument, NearRequest, Parts, Queries,
};
#[cfg(feature = "json")]
pub use collection::documents::{Condition, NotACondition, metadata_field};
pub use collection::index;
pub use collection::index::{
    Index, InsertCounts, InsertOutcome, MemoryIndex, OnDuplicate, UnknownOnDuplicate,
};
pub use collection::search_set::{ClusterDoubt, Search, Sets, VerifiedClusters, VerifiedQuery};
pub use collection::{Collection, CollectionSettings, FoundClusters, SearchCounts};
pub use engine::job::{CancelFlag, Tally};
pub use engine::machine::default_memory;
pub use engine::memory_shares::MemoryShares;
pub use engine::{Engine, EngineSettings};
pub use error::Error;
pub use error::error_kind::{ErrorKind, Setting};
pub use error::missing_part::MissingPart;
#[cfg(feature = "files")]
pub use input::input_size::InputSize;
#[cfg(feature = "files")]
pub use input::{
    InputFormat, InputSettings, InputSource, Inputs, InputsError, PrintInputs, SeenFiles,
    UnexpectedInput, UnknownInputFormat, expect_one_document, expect_prints,
};
#[cfg(feature = "files")]
pub use pipeline::done_document::DoneDocument;
#[cfg(feature = "files")]
pub use pipeline::refingerprint::RefingerprintCounts;
#[cfg(feature = "files")]
pub use pipeline::resumable::{JobError, ResumableJob};
pub use pipeline::role::Role;
pub use pipeline::settings::Settings;
#[cfg(feature = "files")]
pub use pipeline::text_batches::TextBatches;
pub use pipeline::text_request::{TextParts, TextRequest};
pub use pipeline::{Arrival, CopyRegister, Pipeline, extraction_note};
#[cfg(feature = "files")]
pub use questions::calibration::{Calibration, LabelledPairs, LabelsError};
#[cfg(feature = "files")]
pub use questions::correlation::{AtDistance, Correlation, CorrelationResult};
#[cfg(all(feature = "passages", feature = "files"))]
pub use questions::decontamination::CleanCounts;
#[cfg(feature = "passages")]
pub use questions::decontamination::{
    Contamination, ContaminationPolicy, Decontaminate, ItemCounts, TestItems,
};
#[cfg(feature = "json")]
pub use questions::deduplication::{
    DecidedDocuments, DecisionCounts, Decisions, Dedup, DedupDocuments, Keep, UnknownKeep,
};
#[cfg(feature = "files")]
pub use questions::deduplication::{
    DecisionChanges, DecisionCheck, DeduplicationForecast, KeptError, KeptLayout, KeptOutput,
    KeptWriter, RevisitCounts, Revisits, WrittenCounts,
};
#[cfg(feature = "files")]
pub use questions::difference::{AddressedSource, Diff, DifferenceCounts, Edition};
pub use questions::false_pairs::{FalsePairs, measured_recall};
#[cfg(feature = "files")]
pub use questions::fingerprint_forecast::FingerprintForecast;
#[cfg(feature = "files")]
pub use questions::health::health;
#[cfg(feature = "passages")]
pub use questions::shared_passages::boilerplate::Boilerplate;
#[cfg(feature = "passages")]
pub use questions::shared_passages::known_passages::KnownPassages;
#[cfg(all(feature = "passages", feature = "files"))]
pub use questions::shared_passages::repeats::CutCounts;
#[cfg(feature = "passages")]
pub use questions::shared_passages::repeats::{CollectionRepeats, RepeatDocuments, Repeats};
#[cfg(feature = "passages")]
pub use questions::shared_passages::{FoundPassage, PassageDocuments, Passages};
#[cfg(feature = "files")]
pub use questions::verification_forecast::VerificationForecast;
pub use questions::{
    Bound, Clusters, Compare, ComparedDocument, Distance, Matches, Pairs, QuestionError,
    ResolvedCompare, ResolvedQuestion, SearchMethod, SimilarityMeasure, Subject,
};
#[cfg(feature = "json")]
pub use questions::{FieldValues, OptionDescription, Options, PairConditions, ValueKind};
#[cfg(feature = "files")]
pub use report::results::{
    PrintFileForm, PrintsFormat, PrintsWriter, ResultFormat, ResultWriter, UnknownResultFormat,
};
pub use store::document_frequencies::DocumentFrequencies;
pub use store::feature_store::FeatureStore;
#[cfg(feature = "files")]
pub use store::print_set::PrintFileEvent;
pub use store::print_set::PrintSet;
pub use store::text_store::TextStore;
pub use text::comparison::{
    MeasuredTexts, TextComparison, compare, compare_features, compare_texts, explain, grade,
    measure_texts,
};
pub use text::differences::{Contradictions, Differences, ElementKind};
pub use text::duplicate_rule::{DuplicateRule, Policy, RelatedTexts, Relation};
pub use text::named_scheme::{NamedSchemeError, named_scheme, named_schemes, read_idf_table};
pub use text::packed_features::PackedFeatures;
pub use text::passages::{longest_passages, passages};
pub use text::refused_pairs::RefusedPairs;
pub use text::similar_texts::{Duplication, SimilarTexts};
pub use text::text_digests::{Sameness, TextDigests};
pub use text::text_features::TextFeatures;
pub use text::text_measure::{TextMeasure, TextMeasureError, TextSimilarity};
pub use text::text_verification::TextVerification;
pub use text::verification::Verification;
pub use text::word_counts::{WordChange, WordCounts};

pub use nearprint_extract as extract;
pub use nearprint_fingerprint as fingerprint;
#[cfg(feature = "passages")]
pub use nearprint_passages::{PassageCounts, PassageProgress, SearchStep};
pub use nearprint_records as records;
pub use nearprint_search as search;
#[cfg(feature = "tables")]
pub use nearprint_tables as tables;
#[cfg(feature = "worker")]
pub use nearprint_worker as worker;

#[doc = include_str!("../GLOSSARY.md")]
pub mod glossary {}
