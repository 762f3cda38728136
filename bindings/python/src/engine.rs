//! Documents through the library's pipeline. Nothing else in this crate names it.

use nearprint::extract::Extraction;
use nearprint::records::{
    ContaminationRow, Document, DocumentId, ErrorRecord, FingerprintRecord, MatchRow, Outcome,
    Place, ReasonCode, Source,
};
use nearprint::{
    Calibration, Collection, Decontaminate, Dedup, DedupDocuments, Diff, Edition, Engine, Error,
    Filter, Inputs, InputsError, ItemCounts, LabelledPairs, Matches, NearCounts, PassageDocuments,
    Pipeline, ResolvedQuestion, Role, Search, Settings, Tally, TextRequest, VerifiedQuery,
};

use nearprint_index::{DiskIndex, ReadStep};

use crate::job::{Job, Progress};

/// A document without a fingerprint: its id, place, reason and what happened.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) id: String,
    pub(crate) place: Place,
    pub(crate) reason: String,
    pub(crate) detail: String,
}

impl Failure {
    /// Why a document has no fingerprint, where it has none; what is said of an earlier document holds for its copies.
    fn of(record: &FingerprintRecord) -> Option<Self> {
        let Outcome::Nothing { reason, detail, .. } = &record.outcome else { return None };
        if *reason == ReasonCode::SAME_BYTES {
            return None;
        }
        Some(Self {
            id: record.id.to_string(),
            place: record.place.clone(),
            reason: reason.as_str().to_owned(),
            detail: detail.to_string(),
        })
    }
}

/// What came of many documents.
#[derive(Debug, Default)]
pub(crate) struct ReadSummary {
    pub(crate) tally: Tally,
    pub(crate) failures: Vec<Failure>,
    /// Documents that were not extracted, as an index had their payload.
    pub(crate) reused: u64,
}

/// What a call reads documents by.
#[derive(Debug, Clone)]
pub(crate) struct DocumentReader {
    pub(crate) engine: Engine,
    pub(crate) settings: Settings,
}

impl DocumentReader {
    pub(crate) fn pipeline<'j>(&self, job: &'j Job) -> Pipeline<'j> {
        let pipeline = self.engine.pipeline(self.settings.clone()).cancelled_by(&job.cancel);
        pipeline.watched_by(|tally| {
            job.report(Progress { stage: "documents", done: tally.documents, total: None });
        })
    }
}

/// The text of one document.
pub(crate) fn extract(
    reading: &DocumentReader,
    document: Document,
    job: &Job,
) -> Result<Extraction, ErrorRecord> {
    reading.pipeline(job).extract(document)
}

/// Every record of a source with its text, where it has a fingerprint.
pub(crate) fn records<E>(
    reading: &DocumentReader,
    source: &mut dyn Source,
    job: &Job,
    mut take: impl FnMut(FingerprintRecord, Option<String>) -> Result<(), E>,
) -> Result<Tally, E> {
    let wanted = TextRequest { text: true, ..TextRequest::default() };
    reading
        .pipeline(job)
        .read(source, &wanted, |record, made, _| take(record, made.and_then(|made| made.text)))
}

/// All documents of a source, added to a collection.
pub(crate) fn gather(
    reading: &DocumentReader,
    source: &mut dyn Source,
    collection: &mut Collection,
    role: Role,
    read: &mut ReadSummary,
    job: &Job,
) -> Result<(), Error> {
    let pipeline = reading.pipeline(job);
    let each = |record: &FingerprintRecord| {
        read.failures.extend(Failure::of(record));
        Ok::<_, Error>(())
    };
    let tally = match role {
        Role::Candidate => collection.read(&pipeline, source, each)?,
        Role::Reference => collection.read_references(&pipeline, source, each)?,
    };
    read.tally.add(&tally);
    Ok(())
}

/// A document that others are compared with; its failure where it has no fingerprint, and nothing where the job was
/// cancelled.
pub(crate) fn query(
    reading: &DocumentReader,
    document: Document,
    question: &ResolvedQuestion<Matches>,
    job: &Job,
) -> Result<Option<VerifiedQuery>, ErrorRecord> {
    let found = question.query(&reading.pipeline(job), document);
    found.map_err(|record| {
        let (reason, detail) = match record.outcome {
            Outcome::Nothing { reason, detail, .. } => (reason, detail),
            Outcome::Print { .. } => (ReasonCode::INTERNAL, "no features".into()),
        };
        ErrorRecord { id: Some(record.id), place: record.place, reason, detail }
    })
}

/// The documents of a source that match one query.
pub(crate) fn matches_among(
    reading: &DocumentReader,
    search: &Search<'_>,
    source: &mut dyn Source,
    query: &VerifiedQuery,
    question: &ResolvedQuestion<Matches>,
    job: &Job,
) -> Result<(Vec<MatchRow>, NearCounts, ReadSummary), Error> {
    let mut failures = Vec::new();
    let pipeline = reading.pipeline(job);
    let nothing = |record: &FingerprintRecord| failures.extend(Failure::of(record));
    let (rows, counts, tally) =
        question.run_on_source((&pipeline, source), query, search, nothing)?;
    Ok((rows, counts, ReadSummary { tally, failures, reused: 0 }))
}

/// All documents of a source, on their way to a decision.
pub(crate) fn gather_for_decisions(
    reading: &DocumentReader,
    source: &mut dyn Source,
    role: Role,
    gathered: &mut DedupDocuments,
    read: &mut ReadSummary,
    job: &Job,
) -> Result<(), Error> {
    let wanted = gathered.wanted();
    let tally = reading.pipeline(job).read(source, &wanted, |record, made, arrival| {
        read.failures.extend(Failure::of(&record));
        let features = made.and_then(|made| made.features);
        gathered.push(&record, features.as_ref(), role, arrival)
    })?;
    read.tally.add(&tally);
    Ok(())
}

/// Training documents, the questions of a test, their answers, and the passages they are about.
pub(crate) struct TestSources<'s> {
    pub(crate) train: &'s mut dyn Source,
    pub(crate) questions: &'s mut dyn Source,
    pub(crate) answers: Option<&'s mut (dyn Source + 'static)>,
    pub(crate) passages: Option<&'s mut (dyn Source + 'static)>,
}

/// The items of a test that training documents have.
pub(crate) fn contamination(
    reading: &DocumentReader,
    question: &Decontaminate,
    sources: TestSources<'_>,
    read: &mut ReadSummary,
    job: &Job,
) -> (Vec<ContaminationRow>, ItemCounts) {
    let (pipeline, scheme) = (reading.pipeline(job), reading.settings.scheme);
    let ReadSummary { failures, tally, .. } = read;
    let mut left_out = |error: ErrorRecord| {
        failures.extend(Failure::of(&FingerprintRecord::of_error(error, scheme)));
    };
    let mut items = question.items();
    if let Some(answers) = sources.answers {
        items.read_answers(&pipeline, answers, &mut left_out);
    }
    if let Some(passages) = sources.passages {
        items.read_passages(&pipeline, passages, &mut left_out);
    }
    items.read(&pipeline, sources.questions, &mut left_out);
    let mut rows = Vec::new();
    let Ok(found) = items.find(&pipeline, sources.train, &mut left_out, |row| {
        rows.push(row);
        Ok::<_, std::convert::Infallible>(())
    });
    tally.add(&found.tally);
    (rows, found.counts)
}

/// All documents of a source, among which passages are looked for.
pub(crate) fn gather_passages(
    reading: &DocumentReader,
    source: &mut dyn Source,
    gathered: &mut PassageDocuments,
    read: &mut ReadSummary,
    job: &Job,
) -> Result<(), Error> {
    let left_out = |error| left_out(reading, &mut read.failures, error);
    let tally = gathered.read(&reading.pipeline(job), source, left_out)?;
    read.tally.add(&tally);
    Ok(())
}

/// Notes a document that is left out, if it failed.
pub(crate) fn left_out(
    reading: &DocumentReader,
    failures: &mut Vec<Failure>,
    error: ErrorRecord,
) -> Result<(), Error> {
    let record = FingerprintRecord::of_error(error, reading.settings.scheme);
    failures.extend(Failure::of(&record));
    Ok(())
}

/// The documents of an index that a filter allows, on their way to a decision.
pub(crate) fn gather_stored(
    reading: &DocumentReader,
    settings: &Dedup,
    (index, filter): (&DiskIndex, &Filter),
    role: Role,
    gathered: &mut DedupDocuments,
    job: &Job,
) -> Result<Tally, Error> {
    settings.read_stored(&reading.pipeline(job), index, filter, role, gathered)
}

/// Why an edition cannot be read.
pub(crate) enum UnreadInput {
    Inputs(InputsError),
    Error(Error),
}

impl From<InputsError> for UnreadInput {
    fn from(error: InputsError) -> Self {
        Self::Inputs(error)
    }
}

impl From<Error> for UnreadInput {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// The edition at a path.
pub(crate) fn edition_at(
    reading: &DocumentReader,
    difference: &Diff,
    inputs: &Inputs,
    read: &mut ReadSummary,
    job: &Job,
) -> Result<Edition, UnreadInput> {
    let note = |record: &FingerprintRecord| read.failures.extend(Failure::of(record));
    let (edition, tally) = difference.read::<UnreadInput>(&reading.pipeline(job), inputs, note)?;
    read.tally.add(&tally);
    Ok(edition)
}

/// The edition that a source is.
pub(crate) fn edition_of(
    reading: &DocumentReader,
    difference: &Diff,
    source: &mut dyn Source,
    read: &mut ReadSummary,
    job: &Job,
) -> Result<Edition, UnreadInput> {
    let mut edition = difference.edition(&reading.engine);
    let tally =
        reading.pipeline(job).read(source, &difference.wanted(), |record, made, arrival| {
            read.failures.extend(Failure::of(&record));
            edition.push(record, made.and_then(|made| made.features), arrival.digest)
        })?;
    read.tally.add(&tally);
    Ok(edition)
}

/// Documents into the sample of a calibration; how many labelled pairs are left out.
pub(crate) fn calibrated(
    reading: &DocumentReader,
    source: &mut dyn Source,
    labels: Option<&LabelledPairs>,
    calibration: &mut Calibration,
    read: &mut ReadSummary,
    job: &Job,
) -> u64 {
    let note = |record: &FingerprintRecord| read.failures.extend(Failure::of(record));
    let (tally, left_out) = calibration.read(&reading.pipeline(job), source, labels, note);
    read.tally.add(&tally);
    left_out
}

/// Ids and texts of all documents that have a fingerprint.
pub(crate) fn texts(
    reading: &DocumentReader,
    source: &mut dyn Source,
    read: &mut ReadSummary,
    job: &Job,
    mut take: impl FnMut(DocumentId, String),
) {
    let Ok(tally) = records(reading, source, job, |record, text| {
        match (&record.outcome, text) {
            (Outcome::Print { .. }, Some(text)) => take(record.id, text),
            _ => read.failures.extend(Failure::of(&record)),
        }
        Ok::<_, std::convert::Infallible>(())
    });
    read.tally.add(&tally);
}

/// All documents of a source as an index on disk stores them.
pub(crate) fn for_index(
    reading: &DocumentReader,
    index: &DiskIndex,
    source: Box<dyn Source>,
    read: &mut ReadSummary,
    job: &Job,
    take: impl FnMut(ReadStep) -> Result<(), Error>,
) -> Result<(), Error> {
    let failures = &mut read.failures;
    let nothing = |record: &FingerprintRecord| failures.extend(Failure::of(record));
    let found = index.read_documents(&reading.pipeline(job), source, take, nothing)?;
    read.tally.add(&found.tally);
    read.reused += found.reused;
    Ok(())
}

/// Every record of a source.
pub(crate) fn prints_of<E>(
    reading: &DocumentReader,
    source: &mut dyn Source,
    read: &mut ReadSummary,
    job: &Job,
    mut take: impl FnMut(FingerprintRecord) -> Result<(), E>,
) -> Result<(), E> {
    let tally = reading.pipeline(job).fingerprint(source, |record| {
        read.failures.extend(Failure::of(&record));
        take(record)
    })?;
    read.tally.add(&tally);
    Ok(())
}
