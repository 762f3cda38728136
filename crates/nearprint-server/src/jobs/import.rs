//! Documents of files of the server into a collection.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint::extract::Hints;
use nearprint::records::{DocumentId, FingerprintRecord, IndexChangeRow, Place};
use nearprint::{Documents, Engine, InputSettings, Inputs, InputsError, Settings, TextRequest};
use nearprint_index::{Addition, Revisit, Revisits, StoredDocument};

use super::run::{JobEnd, ResultFile};
use super::{Job, JobRequest};
use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// Documents and bytes of text of one commit.
const COMMIT: usize = 1_000;
const COMMIT_BYTES: usize = 64 << 20;

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
        let inputs = Inputs::new([path], settings)?;
        let mut source = inputs.source()?;
        let mut importing = ImportRun {
            job: self,
            request,
            collection,
            batch: Vec::new(),
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
        let tally = pipeline.read(&mut source, &wanted, |mut record, made, _| {
            name_below(&mut record, &root);
            let Some(record) = importing.revisits.take(record) else {
                return match importing.revisits.are_many() {
                    true => importing.settle(file),
                    false => Ok(()),
                };
            };
            match StoredDocument::of_record(&record, made) {
                Some(document) => importing.push(document),
                None => Ok(file.push(&record)?),
            }
        })?;
        importing.settle(file)?;
        let mut change = importing.change;
        change.documents = collection.index.len()?;
        change.failed += tally.failed;
        file.push(&change)?;
        Ok(())
    }
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
        for addition in self.collection.put(&batch, self.request.rule(), None)? {
            match addition {
                Addition::Added => self.change.added += 1,
                Addition::Replaced => self.change.replaced += 1,
                _ => self.change.skipped += 1,
            }
        }
        self.job.set_progress(self.read.load(Ordering::Relaxed), self.total);
        Ok(())
    }
}
