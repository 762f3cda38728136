//! The one way of documents: source, extraction, fingerprint, receiver.

mod copies;
pub(crate) mod document;
#[cfg(feature = "files")]
pub(crate) mod done_document;
mod main_content;
#[cfg(feature = "files")]
pub(crate) mod refingerprint;
#[cfg(feature = "files")]
pub(crate) mod resumable;
pub(crate) mod role;
pub(crate) mod settings;
#[cfg(feature = "files")]
pub(crate) mod text_batches;
pub(crate) mod text_request;
mod texts;

pub use self::copies::CopyRegister;
pub(crate) use self::document::TEXT_VERSION;
pub use self::document::extraction_note;

use std::fmt;

use nearprint_fingerprint::Scheme;
use nearprint_records::{
    BadRecords, Document, ErrorRecord, FingerprintRecord, OrderKey, Place, Position, Sha256Digest,
    Source,
};

use self::document::{Work, records_of_error};
use crate::engine::ordered_work::{Bounds, in_order};
use crate::{CancelFlag, Engine, Settings, Tally, TextParts, TextRequest};

/// Told how far a job is; see [`Pipeline::watched_by`].
type Watch<'w> = dyn Fn(&Tally) + Send + Sync + 'w;

/// What a document came with beside what is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Its bytes, as they lay in the input.
    pub bytes: u64,
    /// The value of the field that puts it in order, where one was asked for.
    pub order: Option<OrderKey>,
    /// SHA-256 of its own bytes, where [`TextRequest::digest`] asks for it and they could be read: of a file after
    /// outer decompression, of a row the value of its text field, of a capture its payload. Empty documents have none.
    pub digest: Option<Sha256Digest>,
}

/// What happens to a source while it is read, beside the records of its documents.
pub(crate) enum SourceEvent<'s> {
    /// A batch is done, after which the source has this position.
    Batch(Option<Position>),
    /// A bad record was counted. Where it is beyond the limit, no record of it follows, and this is its place.
    Bad(&'s BadRecords, Option<&'s Place>),
    /// The next record is that of the bad records that were left out, and of no document.
    Rest,
}

/// What is read, and what is known of it before.
struct Intake<'r> {
    source: &'r mut dyn Source,
    /// The bad records that were counted already.
    bad: BadRecords,
    /// What numbers the documents, where copies are not read twice.
    copies: Option<&'r CopyRegister>,
}

impl<'r> Intake<'r> {
    /// A source from its start, of which copies are read like all else.
    fn new(source: &'r mut dyn Source) -> Self {
        Self { source, bad: BadRecords::default(), copies: None }
    }
}

/// One call that turns documents into fingerprints: many at a time, on all cores, in bounded memory, in order. Its
/// workers and threads are those of its [`Engine`].
///
/// ```
/// use nearprint::records::{Document, DocumentId, ErrorRecord, FingerprintRecord};
/// use nearprint::{Engine, Settings};
///
/// let pages = ["<title>Fog</title><p>Fog came in at noon.", "Fog came in at noon.\n"];
/// let mut source = pages.iter().zip(1..).map(|(page, number)| {
///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
///     Ok::<_, ErrorRecord>(Document::from_bytes(id, *page))
/// });
///
/// let mut records: Vec<FingerprintRecord> = Vec::new();
/// let tally = Engine::default().pipeline(Settings::default()).fingerprint(&mut source, |record| {
///     records.push(record);
///     Ok::<_, std::convert::Infallible>(())
/// });
/// assert_eq!(tally?.fingerprints, 2);
/// assert_eq!(records[1].id.as_str(), "page-2");
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub struct Pipeline<'w> {
    engine: Engine,
    settings: Settings,
    cancel: CancelFlag,
    watch: Option<Box<Watch<'w>>>,
}

impl Engine {
    /// One call that reads documents: its cancel flag and its progress are its own.
    #[must_use]
    pub fn pipeline<'w>(&self, settings: Settings) -> Pipeline<'w> {
        Pipeline::new(self, settings)
    }
}

/// Fails to compile where threads could not pass it on or share it.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Pipeline<'static>>();
};

impl<'w> Pipeline<'w> {
    pub(crate) fn new(engine: &Engine, settings: Settings) -> Self {
        Self { engine: engine.clone(), settings, cancel: CancelFlag::new(), watch: None }
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Stops where this flag is set.
    #[must_use]
    pub fn cancelled_by(mut self, flag: &CancelFlag) -> Self {
        self.cancel = flag.clone();
        self
    }

    /// The flag that stops it.
    pub(crate) fn cancel(&self) -> &CancelFlag {
        &self.cancel
    }

    /// Tells whoever watches what became of all documents so far.
    pub(crate) fn report(&self, tally: &Tally) {
        if let Some(watch) = &self.watch {
            watch(tally);
        }
    }

    /// Tells `watch`, on the caller's thread and after every document, what became of all documents so far.
    #[must_use]
    pub fn watched_by(mut self, watch: impl Fn(&Tally) + Send + Sync + 'w) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Fingerprints all documents of a source and gives a record for each to `take`, on the caller's thread, in the
    /// source's order.
    ///
    /// A document that fails is a record that says so, whatever happens in its extraction: the job goes on. Small
    /// documents are worked on some at a time. Memory is bounded by
    /// [`EngineSettings::bytes_in_flight`](crate::EngineSettings::bytes_in_flight); where `take` is slow, reading
    /// waits.
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn fingerprint<E>(
        &self,
        source: &mut dyn Source,
        mut take: impl FnMut(FingerprintRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.read(source, &TextRequest::default(), |record, _, _| take(record))
    }

    /// Reads all documents of a source as [`fingerprint`](Self::fingerprint) does, and gives `take` three things of
    /// each: its record, what was made of its text if it has a fingerprint, and what it came with.
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn read<E>(
        &self,
        source: &mut dyn Source,
        wanted: &TextRequest,
        take: impl FnMut(FingerprintRecord, Option<TextParts>, Arrival) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.read_noting(source, wanted, BadRecords::default(), take, |_| Ok(()))
    }

    /// Reads as [`read`](Self::read) does after these bad records, and gives `note` what happens beside the records.
    ///
    /// # Errors
    /// The first one of `take` and `note`, which ends the job.
    pub(crate) fn read_noting<E>(
        &self,
        source: &mut dyn Source,
        wanted: &TextRequest,
        bad: BadRecords,
        mut take: impl FnMut(FingerprintRecord, Option<TextParts>, Arrival) -> Result<(), E>,
        mut note: impl FnMut(SourceEvent<'_>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let (settings, extractor) = (&self.settings, &self.engine.extractor(&self.cancel));
        let work = Work { settings, schemes: &[settings.scheme], extractor, wanted };
        self.each(
            Intake { source, bad, copies: wanted.copies.as_ref() },
            |found, number| match found {
                Ok(document) => {
                    let (done, digest) = work.one(document, number);
                    ((done, number), digest)
                }
                Err(error) => {
                    let record = FingerprintRecord::of_error(error, settings.scheme);
                    (((record, None), number), None)
                }
            },
            |tally, ((mut record, mut made), number), arrival| {
                if wanted.copies.as_ref().is_some_and(|copies| copies.is_late_copy(number)) {
                    // What comes of it must not depend on which thread was first.
                    (record, made) = (document::record_of_copy(record), None);
                }
                tally.count(&record, arrival.bytes);
                take(record, made, arrival)
            },
            &mut note,
        )
    }

    /// Fingerprints all documents of a source by several schemes, of which the settings' own is not one unless it is
    /// named: each document is read, extracted and divided into tokens once, and `take` gets its records in the order
    /// of `schemes`. Else as [`fingerprint`](Self::fingerprint).
    ///
    /// ```
    /// use nearprint::fingerprint::Scheme;
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{Engine, Settings};
    ///
    /// let page = Document::from_bytes(DocumentId::new("page")?, "<p>Fog came in at noon.");
    /// let mut source = [Ok::<_, ErrorRecord>(page)].into_iter();
    /// Engine::default().pipeline(Settings::default()).fingerprint_by(&mut source, &[Scheme::SD1, Scheme::MD1], |records| {
    ///     assert_eq!(records.map(|record| record.scheme.id()).collect::<Vec<_>>(), ["sd1", "md1"]);
    ///     Ok::<_, std::convert::Infallible>(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn fingerprint_by<E>(
        &self,
        source: &mut dyn Source,
        schemes: &[Scheme],
        mut take: impl FnMut(std::vec::IntoIter<FingerprintRecord>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let (settings, extractor) = (&self.settings, &self.engine.extractor(&self.cancel));
        let wanted = &TextRequest::default();
        let work = Work { settings, schemes, extractor, wanted };
        self.each(
            Intake::new(source),
            |found, number| match found {
                Ok(document) => (work.all(document, number).records, None),
                Err(error) => (records_of_error(&error, schemes), None),
            },
            |tally, records, arrival| {
                if let Some(first) = records.first() {
                    tally.count(first, arrival.bytes);
                }
                take(records.into_iter())
            },
            |_| Ok(()),
        )
    }

    /// Does `work` on all documents of a source, on the workers' threads, with the number that `copies` gives to each,
    /// and gives what comes of each to `take`, which counts it, and what else happens to `note`: on the caller's
    /// thread, in order. There bad records are counted, so that the same ones are left out for any number of threads.
    fn each<R: Send, E>(
        &self,
        Intake { source, mut bad, copies }: Intake<'_>,
        work: impl Fn(Result<Document, ErrorRecord>, u64) -> (R, Option<Sha256Digest>) + Sync,
        mut take: impl FnMut(&mut Tally, R, Arrival) -> Result<(), E>,
        mut note: impl FnMut(SourceEvent<'_>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let limit = self.settings.limits.max_bad_records;
        let done = |(found, number): (Result<Document, ErrorRecord>, u64)| {
            let (bytes, order) = found
                .as_ref()
                .map_or((0, None), |document| (document.length(), document.order.clone()));
            let origin = found.as_ref().map(|document| document.place.file.clone());
            let origin = origin.map_err(Clone::clone);
            let (result, digest) = work(found, number);
            (result, Arrival { bytes, order, digest }, origin)
        };
        source.expect_workers(self.engine.thread_count());
        let (mut tally, mut left_early) = (Tally::default(), false);
        let stopped = in_order(
            self.bounds(),
            || {
                let batch = source.next_batch()?;
                let first = copies.map_or(0, |copies| copies.number(batch.count() as u64));
                Some((batch, first, source.position()))
            },
            |(batch, ..)| batch.weight(),
            |(batch, first, position)| {
                let documents = batch.into_documents();
                let count = documents.len();
                let numbered = documents.into_iter().zip(first..);
                let wanted = numbered.take_while(|_| !self.cancel.is_cancelled());
                let done: Vec<_> = wanted.map(done).collect();
                (count == done.len()).then_some((done, position))
            },
            || self.cancel.is_cancelled(),
            |whole| {
                // A cancelled job leaves out the rest of a batch.
                let Some((done, position)) = whole else {
                    left_early = true;
                    return Ok(());
                };
                for (result, mut arrival, origin) in done {
                    if self.cancel.is_cancelled() {
                        left_early = true;
                        return Ok(());
                    }
                    let file = origin.as_ref().unwrap_or_else(|error| &error.place.file);
                    if let Some(rest) = bad.rest_before(file, limit) {
                        note(SourceEvent::Rest)?;
                        take(&mut tally, work(Err(rest), 0).0, Arrival::default())?;
                    }
                    if let Err(error) = &origin {
                        let is_left_out = bad.leaves_out(error, limit);
                        note(SourceEvent::Bad(&bad, is_left_out.then_some(&error.place)))?;
                        if is_left_out {
                            continue;
                        }
                    }
                    if let (Some(copies), Some(digest)) = (copies, &mut arrival.digest) {
                        digest.0 = copies.expanded(digest.0);
                    }
                    take(&mut tally, result, arrival)?;
                    self.report(&tally);
                }
                note(SourceEvent::Batch(position))
            },
        )?;
        if !stopped
            && !left_early
            && let Some(rest) = bad.rest(limit)
        {
            note(SourceEvent::Rest)?;
            take(&mut tally, work(Err(rest), 0).0, Arrival::default())?;
        }
        tally.records = source.record_counts();
        tally.cancelled = stopped || left_early;
        Ok(tally)
    }

    fn bounds(&self) -> Bounds {
        let weight = self.engine.settings().bytes_in_flight;
        Bounds { threads: self.engine.thread_count(), weight }
    }

    /// Reads one document as [`read`](Self::read) does, on a thread of the engine that is there already: for whoever
    /// reads documents one by one, starting threads would take longer than reading a short one.
    #[must_use]
    pub fn read_one(
        &self,
        document: Document,
        wanted: &TextRequest,
    ) -> (FingerprintRecord, Option<TextParts>) {
        let (settings, extractor) = (&self.settings, &self.engine.extractor(&self.cancel));
        let number = wanted.copies.as_ref().map_or(0, |copies| copies.number(1));
        let work = Work { settings, schemes: &[settings.scheme], extractor, wanted };
        self.engine.on_document_thread(|| work.one(document, number)).0
    }

    /// Fingerprints one document.
    #[must_use]
    pub fn fingerprint_one(&self, document: Document) -> FingerprintRecord {
        self.read_one(document, &TextRequest::default()).0
    }
}

impl fmt::Debug for Pipeline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("settings", &self.settings)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}
