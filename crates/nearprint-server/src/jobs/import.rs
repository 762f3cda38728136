//! Documents of files of the server into a collection.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint::extract::Hints;
use nearprint::records::{
    DocumentId, ErrorRecord, FingerprintRecord, IndexChangeRow, Outcome, Place, ReasonCode,
};
use nearprint::{
    CaptureKey, Documents, Engine, InputSettings, Inputs, InputsError, Settings, TextRequest,
};
use nearprint_index::{
    Addition, Admission, CaptureDetails, CaptureEntry, Revisit, Revisits, StoredDocument,
};

use super::capture_index::{is_capture_index, lines, parted};
use super::run::{JobEnd, ResultFile};
use super::{Job, JobRequest};
use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// Documents and bytes of text of one commit.
const COMMIT: usize = 1_000;
const COMMIT_BYTES: usize = 64 << 20;

/// Captures without documents of one commit.
const ENTRIES_COMMIT: usize = 10_000;

impl From<InputsError> for JobEnd {
    fn from(error: InputsError) -> Self {
        Self::Failed(Problem::new(ProblemKind::Unsupported, error.to_string()))
    }
}

/// Documents on their way into a collection.
struct ImportRun<'a> {
    job: &'a Job,
    request: &'a JobRequest,
    collection: &'a Collection,
    batch: Vec<StoredDocument>,
    /// Captures without documents.
    entries: Vec<CaptureEntry>,
    bytes: usize,
    revisits: Revisits,
    change: IndexChangeRow,
    read: Arc<AtomicU64>,
    total: u64,
}

impl Job {
    /// Adds the documents of a file or folder. Rows are those of documents that have no fingerprint, and at the end
    /// what changed. What was added before the job is cancelled, or fails, stays.
    pub(super) fn import(
        &self,
        request: &JobRequest,
        collection: &Collection,
        engine: &Engine,
        imports: Option<&Path>,
        file: &mut ResultFile,
    ) -> Result<(), JobEnd> {
        let (root, path) = request.imported(imports)?;
        let mut settings = InputSettings::default();
        let fields = &mut settings.reading.fields;
        (fields.text, fields.id) = (request.text_field.clone(), request.id_field.clone());
        settings.reading.form = request.table_form()?;
        settings.reading.revisits = request.revisits.unwrap_or(false);
        // That a page is gone, or has moved, is news; it is not a document.
        settings.reading.any_status = true;
        let (indexes, inputs) = found(&path, &settings)?;
        let mut source = inputs.source()?;
        let mut importing = ImportRun {
            job: self,
            request,
            collection,
            batch: Vec::new(),
            entries: Vec::new(),
            bytes: 0,
            revisits: Revisits::default(),
            change: IndexChangeRow::default(),
            read: source.bytes_read(),
            total: inputs.length().unwrap_or(0),
        };
        let main_content = request.main_content.unwrap_or(false);
        let explicit_charset = request.charset.clone();
        let hints = Hints { main_content, explicit_charset, ..Hints::default() };
        let settings = Settings::default().scheme(collection.scheme()).hints(hints);
        let kept = collection.index.wanted();
        let wanted = TextRequest { main_content: kept.main_content && !main_content, ..kept };
        let pipeline = engine.pipeline(settings);
        let mut without_document = 0;
        let tally = pipeline.read(&mut source, &wanted, |mut record, made, _| {
            self.set_progress(importing.read.load(Ordering::Relaxed), importing.total);
            name_below(&mut record, &root);
            let status = record.capture.as_ref().and_then(|capture| capture.status);
            if status.is_some_and(|status| status != 200) {
                let failed = matches!(&record.outcome, Outcome::Nothing { reason, .. } if reason.is_failure());
                without_document += u64::from(failed);
                let made = made.unwrap_or_default();
                let page =
                    CaptureDetails::of_page(made.title.as_deref(), made.language.as_deref());
                return importing.push_entry(entry(&record, page));
            }
            let Some(record) = importing.revisits.take(record) else {
                return match importing.revisits.are_many() {
                    true => importing.settle(file),
                    false => Ok(()),
                };
            };
            match StoredDocument::of_record(&record, made) {
                Some(document) => importing.push(document),
                None => {
                    importing.push_entry(entry(&record, CaptureDetails::default()))?;
                    Ok(file.push(&record)?)
                }
            }
        })?;
        for index in indexes {
            self.set_progress(importing.read.load(Ordering::Relaxed), importing.total);
            importing.read_captures(&index, &root, file)?;
        }
        importing.settle(file)?;
        let mut change = importing.change;
        change.documents = collection.index.len()?;
        change.failed += tally.failed.saturating_sub(without_document);
        file.push(&change)?;
        Ok(())
    }
}

/// The indexes of captures in what is imported, and the other files.
fn found(path: &Path, settings: &InputSettings) -> Result<(Vec<PathBuf>, Inputs), JobEnd> {
    let inputs = Inputs::new([path], settings.clone())?;
    let (indexes, others) = if path.is_dir() {
        parted(inputs.files()?)
    } else if is_capture_index(path) {
        (vec![path.to_owned()], Vec::new())
    } else {
        return Ok((Vec::new(), inputs));
    };
    match indexes.is_empty() {
        true => Ok((indexes, inputs)),
        false => Ok((indexes, Inputs::new(others, settings.clone())?)),
    }
}

/// The capture of a record as one without a document; `None` if it is none, or has no address or time.
fn entry(record: &FingerprintRecord, page: CaptureDetails) -> Option<CaptureEntry> {
    let key = CaptureKey::of(record.capture.as_deref()?);
    let details = page.recorded(record);
    Some(CaptureEntry { key, details }).filter(|entry| entry.check().is_ok())
}

/// A path by its name in the directory of imports.
fn name_in(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

/// Names a file by its path in the directory of imports: clients need not know where that is.
fn name_below(record: &mut FingerprintRecord, root: &Path) {
    let below = |name: &str| {
        let root = root.to_str()?;
        let rest = name.strip_prefix(root)?.strip_prefix('/')?;
        Some(rest.to_owned())
    };
    if let Some(id) = below(record.id.as_str()).and_then(|id| DocumentId::new(id).ok()) {
        record.id = id;
    }
    if let Some(file) = below(&record.place.file) {
        record.place = Place { file: file.into(), ..record.place.clone() };
    }
}

impl ImportRun<'_> {
    fn push(&mut self, document: StoredDocument) -> Result<(), JobEnd> {
        self.bytes += document.text.as_ref().map_or(0, |kept| kept.text.len());
        self.batch.push(document);
        match self.batch.len() >= COMMIT || self.bytes >= COMMIT_BYTES {
            true => self.commit(),
            false => Ok(()),
        }
    }

    /// Adds a capture without a document.
    fn push_entry(&mut self, entry: Option<CaptureEntry>) -> Result<(), JobEnd> {
        self.entries.extend(entry);
        match self.entries.len() >= ENTRIES_COMMIT {
            true => self.commit(),
            false => Ok(()),
        }
    }

    /// Adds the captures that an index of them names, without texts.
    fn read_captures(
        &mut self,
        path: &Path,
        root: &Path,
        file: &mut ResultFile,
    ) -> Result<(), JobEnd> {
        let name = name_in(path, root);
        let unread = |error: std::io::Error| {
            JobEnd::Failed(Problem::new(ProblemKind::Unsupported, format!("{name}: {error}")))
        };
        for line in lines(path, &name).map_err(unread)? {
            let captured = match line {
                Ok((capture, place)) => {
                    let details = CaptureDetails::default().captured(&capture, &place);
                    let entry = CaptureEntry { key: CaptureKey::of(&capture), details };
                    entry.check().map(|()| entry).map_err(str::to_owned)
                }
                Err(error) => Err(error.to_string()),
            };
            match captured {
                Ok(entry) => self.push_entry(Some(entry))?,
                Err(detail) => {
                    self.change.failed += 1;
                    let id = DocumentId::new(&*name).ok();
                    let place = Place { file: (&*name).into(), ..Place::default() };
                    let reason = ReasonCode::BAD_LINE;
                    let error = ErrorRecord { id, place, reason, detail: detail.into() };
                    let scheme = self.collection.scheme();
                    file.push(&FingerprintRecord::of_error(error, scheme))?;
                }
            }
        }
        Ok(())
    }

    /// Puts what is at hand on the disk, and the revisits of it and of what was there before.
    fn settle(&mut self, file: &mut ResultFile) -> Result<(), JobEnd> {
        self.commit()?;
        let mut revisits = std::mem::take(&mut self.revisits);
        revisits.settle(&self.collection.index, |found| match found {
            Ok(Revisit { document, .. }) => {
                self.change.reused += 1;
                self.push(document)
            }
            Err(record) => {
                self.change.failed += 1;
                self.push_entry(entry(&record, CaptureDetails::default()))?;
                Ok(file.push(&record)?)
            }
        })?;
        self.commit()
    }

    /// Puts what is at hand on the disk.
    fn commit(&mut self) -> Result<(), JobEnd> {
        self.job.go_on()?;
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        for addition in self.collection.put(&batch, self.request.rule(), Admission::All)? {
            match addition {
                Addition::Added { .. } => self.change.added += 1,
                Addition::Replaced { .. } => self.change.replaced += 1,
                _ => self.change.skipped += 1,
            }
        }
        let entries = std::mem::take(&mut self.entries);
        if !entries.is_empty() {
            self.change.captures += self.collection.put_captures(entries)?;
        }
        Ok(())
    }
}
