//! Documents, texts and columns of fingerprints into an index.

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{
    DocumentId, FingerprintRecord, IndexChangeRow, MatchOfMany, Outcome, Source,
};
use nearprint::{Documents as _, Error, OnDuplicate};
use nearprint_index::{
    AddedCounts, DiskIndex, DocumentInserter, LookFor, ReadStep, StoredDocument,
};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::data::{Data, Documents, GIVE, named_prints, named_texts, paths, prints};
use crate::engine::{ReadSummary, for_index, prints_of};
use crate::error::{invalid, refused, wrong_type};
use crate::fingerprint::Fingerprint as Print;
use crate::index_handle::InUse;
use crate::job::{Job, run};
use crate::options::Options;
use crate::summary::{failures, summary};
use crate::table::Table;

/// What an index is given: to add, or to look for.
pub(crate) enum IndexInput {
    Documents(Documents),
    Prints(Vec<(DocumentId, Fingerprint)>),
}

impl IndexInput {
    pub(crate) fn of(
        data: Option<&Bound<'_, PyAny>>,
        texts: Option<&Bound<'_, PyAny>>,
        ids: Option<&Bound<'_, PyAny>>,
        scheme: Scheme,
    ) -> PyResult<Self> {
        match (data, texts) {
            (Some(data), None) => match paths(data)? {
                Some(_) if ids.is_some() => {
                    Err(wrong_type("ids are the names of texts or fingerprints, not of paths"))
                }
                Some(paths) => Ok(Self::Documents(Documents::Paths(paths))),
                None if data.cast::<Print>().is_ok() => {
                    let list = PyList::new(data.py(), [data])?;
                    named_prints(&prints(&list, Some(scheme))?, ids).map(Self::Prints)
                }
                None => match Data::of_object(data, Some(scheme))? {
                    Data::Documents(_) if ids.is_some() => {
                        Err(wrong_type("a table has a column of ids: id_field names it"))
                    }
                    Data::Documents(documents) => Ok(Self::Documents(documents)),
                    Data::Prints(prints) => named_prints(&prints, ids).map(Self::Prints),
                },
            },
            (None, Some(texts)) => named_texts(texts, ids).map(Self::Documents),
            _ => Err(wrong_type(GIVE)),
        }
    }

    /// Gives `take` each document as an index on disk stores it.
    pub(crate) fn each(
        self,
        (index, options): (&DiskIndex, &Options),
        source: Option<Box<dyn Source>>,
        read: &mut ReadSummary,
        job: &Job,
        mut take: impl FnMut(ReadStep) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(source) = source {
            return for_index(&options.reading(index.scheme()), index, source, read, job, take);
        }
        self.each_print(read, job, |id, print| {
            take(ReadStep::Document(Box::new(StoredDocument::new(id, print))))
        })
    }

    /// Gives `take` the id and the fingerprint of each document.
    pub(crate) fn each_fingerprint(
        self,
        (scheme, options): (Scheme, &Options),
        source: Option<Box<dyn Source>>,
        read: &mut ReadSummary,
        job: &Job,
        mut take: impl FnMut(DocumentId, Fingerprint) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(mut source) = source else { return self.each_print(read, job, take) };
        prints_of(&options.reading(scheme), &mut *source, read, job, |record: FingerprintRecord| {
            match record.outcome {
                Outcome::Print { fingerprint, .. } => take(record.id, fingerprint),
                Outcome::Nothing { .. } => Ok(()),
            }
        })
    }

    /// Gives `take` the fingerprints that were given.
    fn each_print(
        self,
        read: &mut ReadSummary,
        job: &Job,
        mut take: impl FnMut(DocumentId, Fingerprint) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self::Prints(prints) = self else { return Ok(()) };
        for (id, print) in prints {
            if job.cancel.is_cancelled() {
                break;
            }
            read.tally.count_prints(1);
            take(id, print)?;
        }
        Ok(())
    }

    /// The source of documents, which is opened where an error can still be raised.
    pub(crate) fn source(&self, options: &Options) -> PyResult<Option<Box<dyn Source>>> {
        match self {
            Self::Documents(documents) => documents.source(options, None).map(Some),
            Self::Prints(_) => Ok(None),
        }
    }
}

/// How documents are added.
pub(crate) struct Rules {
    pub(crate) on_duplicate: OnDuplicate,
    pub(crate) look_for: LookFor,
    /// A JSON object.
    pub(crate) metadata: Option<String>,
}

/// Adds documents; the table of what is near those that were looked for.
pub(crate) fn add(
    py: Python<'_>,
    held: &InUse,
    given: IndexInput,
    rules: &Rules,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let scheme = held.index().scheme();
    let source = given.source(options)?;
    let Some(disk) = held.on_disk() else {
        if rules.metadata.is_some() || rules.look_for != LookFor::Nothing {
            return Err(invalid(
                "if_new, matches and metadata are of indexes on disk: Index.create(path) makes one",
            ));
        }
        return into_memory(py, held, (given, source), rules, options, progress);
    };
    let work = |job: &Job| {
        let (mut read, mut rows) = (ReadSummary::default(), Vec::new());
        let take = |document: &StoredDocument, near: Vec<nearprint::IndexMatch>| {
            let row = |near: nearprint::IndexMatch| MatchOfMany(near.row(&document.id, scheme));
            rows.extend(near.into_iter().map(row));
            Ok::<_, Error>(())
        };
        let mut adding = DocumentInserter::new(disk, rules.on_duplicate, rules.look_for, take);
        given.each((disk, options), source, &mut read, job, |step| match step {
            ReadStep::Document(document) => {
                let metadata = rules.metadata.clone();
                adding.push(StoredDocument { metadata, ..*document })
            }
            ReadStep::Commit => adding.commit_now(),
        })?;
        // What is cancelled keeps the commits that are done, and no others.
        let counts = match job.cancel.is_cancelled() {
            true => AddedCounts::default(),
            false => adding.finish()?,
        };
        Ok::<_, Error>((rows, read, counts))
    };
    let (rows, read, counts) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    Table::of_rows(scheme, &rows)?.added(py, held, counts, &read)
}

fn into_memory(
    py: Python<'_>,
    held: &InUse,
    (given, source): (IndexInput, Option<Box<dyn Source>>),
    rules: &Rules,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let scheme = held.index().scheme();
    let work = |job: &Job| {
        let (mut read, mut batch) = (ReadSummary::default(), Vec::new());
        given.each_fingerprint((scheme, options), source, &mut read, job, |id, print| {
            batch.push((id, print));
            Ok(())
        })?;
        if job.cancel.is_cancelled() {
            batch.clear();
        }
        let counts = held.index().insert_batch(&batch, rules.on_duplicate)?;
        Ok::<_, Error>((read, counts))
    };
    let (read, counts) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    let (added, replaced, skipped) = (counts.added, counts.replaced, counts.skipped);
    let counts = AddedCounts { added, replaced, skipped, near: 0 };
    Table::of_rows::<MatchOfMany>(scheme, &[])?.added(py, held, counts, &read)
}

impl Table {
    /// With what was added as the summary.
    fn added(
        self,
        py: Python<'_>,
        held: &InUse,
        counts: AddedCounts,
        read: &ReadSummary,
    ) -> PyResult<Self> {
        let AddedCounts { added, replaced, skipped, near } = counts;
        let documents = held.index().len().map_err(|error| refused(&error))?;
        let failed = read.tally.failed;
        let mut row = IndexChangeRow::default();
        (row.added, row.replaced, row.skipped, row.near) = (added, replaced, skipped, near);
        (row.documents, row.failed, row.reused) = (documents, failed, read.reused);
        let summary = summary(py, &row, None, 0)?;
        Ok(self.with(summary, failures(py, read)?))
    }
}
