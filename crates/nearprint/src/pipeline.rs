//! The one way of documents: source, extraction, fingerprint, receiver.

mod texts;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nearprint_extract::{ExtractError, Extraction, ExtractionRecord, Hints, Limits};
use nearprint_fingerprint::{Fingerprinted, Scheme};
use nearprint_records::{
    Capture, Content, Document, ErrorRecord, ExtractionNote, FingerprintRecord, Note, OrderKey,
    Outcome, Position, ReasonCode, Source,
};
use nearprint_worker::{Extractor, PoolCounts};

use crate::ordered::{Bounds, in_order, on_worker_stack};
use crate::{CancelFlag, Settings, Tally};

/// Version of the extractor `text`, which takes a text as it is.
const TEXT_VERSION: u32 = 1;

/// Why a text without tokens has no fingerprint.
const NO_TOKENS: &str = "the text has no word with a letter in it";

/// Told how far a job is; see [`Pipeline::watched_by`].
type Watch<'w> = dyn Fn(&Tally) + 'w;

/// What a document came with beside what is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Its octets, as they lay in the input.
    pub octets: u64,
    /// The value of the field that puts it in order, where one was asked for.
    pub order: Option<OrderKey>,
}

/// Turns documents into fingerprints: many at a time, on all cores, in bounded memory, in order.
///
/// ```
/// use nearprint::records::{Document, DocumentId, ErrorRecord, FingerprintRecord};
/// use nearprint::{Pipeline, Settings};
///
/// let pages = ["<title>Fog</title><p>Fog came in at noon.", "Fog came in at noon.\n"];
/// let mut source = pages.iter().zip(1..).map(|(page, number)| {
///     let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
///     Ok::<_, ErrorRecord>(Document::from_octets(id, *page))
/// });
///
/// let mut records: Vec<FingerprintRecord> = Vec::new();
/// let tally = Pipeline::new(Settings::default()).fingerprint(&mut source, |record| {
///     records.push(record);
///     Ok::<_, std::convert::Infallible>(())
/// });
/// assert_eq!(tally?.fingerprints, 2);
/// assert_eq!(records[1].id.as_str(), "page-2");
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub struct Pipeline<'w> {
    settings: Settings,
    /// Its workers, once there are any, live as long as the pipeline and serve all its calls.
    extractor: Extractor,
    cancel: CancelFlag,
    watch: Option<Box<Watch<'w>>>,
}

impl<'w> Pipeline<'w> {
    /// A pipeline with these settings. No worker starts before a document calls for one.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let extractor = Extractor::new(settings.isolation, settings.workers.clone());
        Self { settings, extractor, cancel: CancelFlag::new(), watch: None }
    }

    /// Stops where this flag is set.
    #[must_use]
    pub fn cancelled_by(mut self, flag: &CancelFlag) -> Self {
        self.cancel = flag.clone();
        self
    }

    /// Tells `watch`, on the caller's thread and after every document, what became of all documents so far.
    #[must_use]
    pub fn watched_by(mut self, watch: impl Fn(&Tally) + 'w) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many worker processes were started, died and were replaced so far.
    #[must_use]
    pub fn worker_counts(&self) -> PoolCounts {
        self.extractor.counts()
    }

    /// Fingerprints all documents of a source and gives a record for each to `take`, on the caller's thread, in the
    /// source's order.
    ///
    /// A document that fails is a record that says so, whatever happens in its extraction: the job goes on.
    /// Small documents are worked on some at a time. Memory is bounded by [`Settings::octets_in_flight`]; where `take` is slow,
    /// reading waits.
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn fingerprint<E>(
        &self,
        source: &mut dyn Source,
        mut take: impl FnMut(FingerprintRecord) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.fingerprint_and(source, |_| (), |record, _| take(record))
    }

    /// The same, and makes something more of each text that has a fingerprint, on the workers' threads: what `derive` gives
    /// comes to `take` with the record.
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn fingerprint_and<X: Send, E>(
        &self,
        source: &mut dyn Source,
        derive: impl Fn(&str) -> X + Sync,
        mut take: impl FnMut(FingerprintRecord, Option<X>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.fingerprint_each(source, derive, |record, derived, _| take(record, derived))
    }

    /// The same, and tells `take` what each document came with, too.
    ///
    /// # Errors
    /// The first one of `take`, which ends the job.
    pub fn fingerprint_each<X: Send, E>(
        &self,
        source: &mut dyn Source,
        derive: impl Fn(&str) -> X + Sync,
        mut take: impl FnMut(FingerprintRecord, Option<X>, Arrival) -> Result<(), E>,
    ) -> Result<Tally, E> {
        self.fingerprint_until(source, derive, &mut take, |_| Ok(()))
    }

    /// The same, and tells `stands` behind the documents of every batch where the source stands there.
    ///
    /// # Errors
    /// The first one of `take` and `stands`, which ends the job.
    pub(crate) fn fingerprint_until<X: Send, E>(
        &self,
        source: &mut dyn Source,
        derive: impl Fn(&str) -> X + Sync,
        mut take: impl FnMut(FingerprintRecord, Option<X>, Arrival) -> Result<(), E>,
        mut stands: impl FnMut(Option<Position>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let (settings, extractor) = (&self.settings, &self.extractor);
        self.each(
            source,
            |found| match found {
                Ok(document) => fingerprint_by_own_scheme(document, settings, extractor, &derive),
                Err(error) => (FingerprintRecord::of_error(error, settings.scheme), None),
            },
            |tally, (record, derived), arrival| {
                tally.count(&record, arrival.octets);
                take(record, derived, arrival)
            },
            &mut stands,
        )
    }

    /// Fingerprints all documents of a source by several schemes, of which the settings' own is not one unless it is named: each document is
    /// read, extracted and divided into tokens once, and `take` gets its records in the order of `schemes`. Else as
    /// [`fingerprint`](Self::fingerprint).
    ///
    /// ```
    /// use nearprint::fingerprint::Scheme;
    /// use nearprint::records::{Document, DocumentId, ErrorRecord};
    /// use nearprint::{Pipeline, Settings};
    ///
    /// let page = Document::from_octets(DocumentId::new("page")?, "<p>Fog came in at noon.");
    /// let mut source = [Ok::<_, ErrorRecord>(page)].into_iter();
    /// Pipeline::new(Settings::default()).fingerprint_by(&mut source, &[Scheme::SD1, Scheme::MD1], |records| {
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
        let (settings, extractor) = (&self.settings, &self.extractor);
        self.each(
            source,
            |found| match found {
                Ok(document) => {
                    fingerprint_document(document, settings, schemes, extractor, &|_| ()).0
                }
                Err(error) => records_of_error(&error, schemes),
            },
            |tally, records, arrival| {
                if let Some(first) = records.first() {
                    tally.count(first, arrival.octets);
                }
                take(records.into_iter())
            },
            |_| Ok(()),
        )
    }

    /// Does `work` on all documents of a source, on the workers' threads, and gives what comes of each to `take`, which counts it, and
    /// behind every batch where the source stands to `stands`: on the caller's thread, in order.
    fn each<R: Send, E>(
        &self,
        source: &mut dyn Source,
        work: impl Fn(Result<Document, ErrorRecord>) -> R + Sync,
        mut take: impl FnMut(&mut Tally, R, Arrival) -> Result<(), E>,
        mut stands: impl FnMut(Option<Position>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let done = |found: Result<Document, ErrorRecord>| {
            let arrival = found.as_ref().map_or_else(
                |_| Arrival::default(),
                |document| Arrival { octets: document.length(), order: document.order.clone() },
            );
            (work(found), arrival)
        };
        source.expect_workers(self.settings.thread_count());
        let (mut tally, mut left_early) = (Tally::default(), false);
        let stopped = in_order(
            self.bounds(),
            || source.next_batch().map(|batch| (batch, source.position())),
            |(batch, _)| batch.weight(),
            |(batch, position)| {
                let done: Vec<_> = batch.into_documents().into_iter().map(done).collect();
                (done, position)
            },
            || self.cancel.is_cancelled(),
            |(done, position)| {
                for (result, arrival) in done {
                    if self.cancel.is_cancelled() {
                        left_early = true;
                        return Ok(());
                    }
                    take(&mut tally, result, arrival)?;
                    if let Some(watch) = &self.watch {
                        watch(&tally);
                    }
                }
                stands(position)
            },
        )?;
        tally.records = source.record_counts();
        tally.cancelled = stopped || left_early;
        Ok(tally)
    }

    fn bounds(&self) -> Bounds {
        let Settings { octets_in_flight: weight, .. } = self.settings;
        Bounds { threads: self.settings.thread_count(), weight }
    }

    /// Fingerprints one document.
    #[must_use]
    pub fn fingerprint_one(&self, document: Document) -> FingerprintRecord {
        let (settings, extractor) = (&self.settings, &self.extractor);
        on_worker_stack(|| fingerprint_by_own_scheme(document, settings, extractor, &|_| ()).0)
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

/// The records of a document by each of the schemes, and what is derived from its text where it has a print by the first.
fn fingerprint_document<X>(
    document: Document,
    settings: &Settings,
    schemes: &[Scheme],
    extractor: &Extractor,
    derive: &impl Fn(&str) -> X,
) -> (Vec<FingerprintRecord>, Option<X>) {
    let capture = document.capture.clone();
    guarded(document, |document| printed(document, settings, schemes, extractor, derive))
        .unwrap_or_else(|error| {
            let mut records = records_of_error(&error, schemes);
            records.iter_mut().for_each(|record| record.capture.clone_from(&capture));
            (records, None)
        })
}

/// The same by the scheme of the settings.
fn fingerprint_by_own_scheme<X>(
    document: Document,
    settings: &Settings,
    extractor: &Extractor,
    derive: &impl Fn(&str) -> X,
) -> (FingerprintRecord, Option<X>) {
    let (mut records, derived) =
        fingerprint_document(document, settings, &[settings.scheme], extractor, derive);
    (records.pop().expect("there is one for the one scheme"), derived)
}

fn records_of_error(error: &ErrorRecord, schemes: &[Scheme]) -> Vec<FingerprintRecord> {
    let record = |&scheme| FingerprintRecord::of_error(error.clone(), scheme);
    schemes.iter().map(record).collect()
}

fn printed<X>(
    document: Document,
    settings: &Settings,
    schemes: &[Scheme],
    extractor: &Extractor,
    derive: &impl Fn(&str) -> X,
) -> Result<(Vec<FingerprintRecord>, Option<X>), ErrorRecord> {
    let (id, place) = (document.id.clone(), document.place.clone());
    let capture = document.capture.clone();
    let extraction = extract_document(document, settings, extractor)?;
    let all = nearprint_fingerprint::fingerprint_by(schemes, &extraction.text);
    let has_print = all.first().is_some_and(|printed| printed.fingerprint().is_some());
    let derived = has_print.then(|| derive(&extraction.text));
    let note = noted(extraction.record, capture.as_deref());
    let record = |printed: Fingerprinted| {
        let (scheme, tokens, short) = (printed.scheme(), printed.tokens(), printed.is_short());
        // Sketches have no counters.
        let weak_bits = (settings.weak_bits && printed.counters().len() >= 16)
            .then(|| nearprint_search::weakest_bits(printed.counters()));
        let outcome = match printed.into_fingerprint() {
            Some(fingerprint) => Outcome::Print { fingerprint, tokens, short },
            None => Outcome::Nothing { reason: ReasonCode::NO_TOKENS, detail: NO_TOKENS.into() },
        };
        FingerprintRecord {
            id: id.clone(),
            place: place.clone(),
            scheme,
            outcome,
            extraction: Some(note.clone()),
            weak_bits,
            capture: capture.clone(),
        }
    };
    Ok((all.into_iter().map(record).collect(), derived))
}

fn extract_document(
    document: Document,
    settings: &Settings,
    extractor: &Extractor,
) -> Result<Extraction, ErrorRecord> {
    let (id, place) = (document.id.clone(), document.place.clone());
    let failed =
        |reason, detail: String| ErrorRecord { id: Some(id), place, reason, detail: detail.into() };
    let limit = settings.limits.max_input_bytes;
    let length = document.length();
    if length > limit {
        let detail = format!(
            "the document has {length} octets, {limit} are allowed: raise the limit (--max-bytes)"
        );
        return Err(failed(ReasonCode::TOO_LARGE, detail));
    }
    if let Content::Text(text) = document.content {
        return text_at_hand(text, &settings.limits)
            .map_err(|(reason, detail)| failed(reason, detail));
    }
    let hints = Hints {
        charset: settings.hints.charset.clone().or_else(|| document.charset.clone()),
        media_type: settings.hints.media_type.clone().or_else(|| document.media_type.clone()),
        password: settings.hints.password.clone(),
        main_content: settings.hints.main_content,
    };
    let octets = document.into_octets(limit)?;
    match extractor.extract(&octets, &hints, &settings.limits) {
        Ok(outcome) => outcome.map_err(|error| failed(reason(&error), error.detail().to_owned())),
        // Documents that need no worker are none the worse for it, so the job goes on.
        Err(error) => Err(failed(ReasonCode::WORKER_UNAVAILABLE, error.to_string())),
    }
}

/// The extraction of a text that needs none.
fn text_at_hand(text: String, limits: &Limits) -> Result<Extraction, (ReasonCode, String)> {
    let most = limits.max_text_bytes;
    if text.len() as u64 > most {
        let detail = format!("the text is longer than max_text_bytes = {most}");
        return Err((ReasonCode::from_static("text-limit"), detail));
    }
    if !text.chars().any(char::is_alphanumeric) {
        let (code, detail) = match text.is_empty() {
            true => ("empty", "the document has no bytes"),
            false => ("no-text", "the document (text/plain) was read and holds no text"),
        };
        return Err((ReasonCode::from_static(code), detail.to_owned()));
    }
    let record = ExtractionRecord {
        media_type: "text/plain".to_owned(),
        wrappers: Vec::new(),
        charset: None,
        charset_source: None,
        extractor: "text".to_owned(),
        extractor_version: TEXT_VERSION,
        pages: None,
        characters: text.chars().count() as u64,
        main_content: None,
        warnings: Vec::new(),
    };
    Ok(Extraction { text, record })
}

/// Does the work on one document so that a panic in it becomes that document's error.
///
/// Extraction promises not to panic on any input. If it does all the same, the damage ends here: nothing it was working
/// on is used again.
fn guarded<R>(
    document: Document,
    work: impl FnOnce(Document) -> Result<R, ErrorRecord>,
) -> Result<R, ErrorRecord> {
    let (id, place) = (document.id.clone(), document.place.clone());
    catch_unwind(AssertUnwindSafe(|| work(document))).unwrap_or_else(|panic| {
        let detail = format!("a fault of nearprint's own, please report it: {}", said(&*panic));
        Err(ErrorRecord {
            id: Some(id),
            place,
            reason: ReasonCode::INTERNAL,
            detail: detail.into(),
        })
    })
}

fn reason(error: &ExtractError) -> ReasonCode {
    ReasonCode::from_static(error.reason().code())
}

/// The same of a document from an archive, which may hold only its beginning.
fn noted(record: ExtractionRecord, capture: Option<&Capture>) -> ExtractionNote {
    let mut note = extraction_note(record);
    if let Some(why) = capture.and_then(|capture| capture.truncated.as_deref()) {
        let detail = format!("the archive holds only the beginning of the document ({why})");
        note.warnings.push(Note { code: Note::TRUNCATED.to_owned(), detail });
    }
    note
}

/// The record of an extraction as rows of results carry it.
#[must_use]
pub fn extraction_note(record: ExtractionRecord) -> ExtractionNote {
    ExtractionNote {
        media_type: record.media_type,
        wrappers: record.wrappers,
        charset: record.charset,
        charset_source: record.charset_source,
        extractor: record.extractor,
        extractor_version: record.extractor_version,
        pages: record.pages,
        characters: record.characters,
        main_content: record.main_content.map(|found| found.code().to_owned()),
        warnings: record
            .warnings
            .into_iter()
            .map(|warning| Note { code: warning.code.code().to_owned(), detail: warning.detail })
            .collect(),
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "no words"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_records::DocumentId;

    #[test]
    fn a_panic_is_the_error_of_its_document() {
        let document = || Document::from_octets(DocumentId::new("odd").unwrap(), "text");
        let fault =
            |work: fn(Document) -> Result<u64, ErrorRecord>| guarded(document(), work).unwrap_err();
        let error = fault(|document| panic!("length {}", document.length()));
        assert_eq!((error.id.unwrap().as_str(), error.reason), ("odd", ReasonCode::INTERNAL));
        assert!(error.detail.ends_with("length 4"), "{}", error.detail);
        assert!(fault(|_| panic!("plain")).detail.ends_with("plain"));
        assert_eq!(guarded(document(), |document| Ok(document.length())), Ok(4));
    }
}
