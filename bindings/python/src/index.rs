//! A collection of fingerprints that changes and is queried: in memory, or on disk.

use std::path::PathBuf;

use nearprint::records::DocumentId;
use nearprint::{
    Clusters, Dedup, Error, IndexMatch, InsertOutcome, Matches, MemoryIndex, OnDuplicate, Pairs,
    Parts,
};
use nearprint_index::{
    DiskIndex, IndexError, LookFor, Settings, StoredDocument, check_metadata, until_cancelled,
};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::dedup::dedup_index;
use crate::error::{invalid, refused};
use crate::fingerprint::Fingerprint;
use crate::index_additions::{IndexInput, Rules, add};
use crate::index_handle::{InUse, IndexHandle, OnDisk, Store};
use crate::index_queries::{self, filter};
use crate::job::{Job, run};
use crate::json::to_python;
use crate::options::Options;
use crate::question::question;
use crate::scheme::{scheme, scheme_name};
use crate::table::Table;

/// Queries that are answered between two looks at whether the caller goes on.
const QUERIES: usize = 1024;

#[doc = stub!(Index)]
#[pyclass(frozen, module = "nearprint", name = "Index")]
pub(crate) struct Index(IndexHandle);

#[pymethods]
impl Index {
    #[new]
    #[pyo3(signature = (scheme="sd1"))]
    fn new(scheme: &str) -> PyResult<Self> {
        let index = MemoryIndex::new(self::scheme(scheme)?);
        Ok(Self(IndexHandle::new(Store::Memory(index))))
    }

    #[doc = stub!(Index.create)]
    #[staticmethod]
    #[pyo3(signature = (path, scheme=None, *, features=None, texts=false))]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        scheme: Option<&str>,
        features: Option<bool>,
        texts: bool,
    ) -> PyResult<Self> {
        let scheme = scheme.map(self::scheme).transpose()?;
        let (scheme, features) = nearprint_index::default_parts(scheme, features);
        let settings = Settings::default().features(features).texts(texts);
        opened(py.detach(|| DiskIndex::create(&path, scheme, settings)))
    }

    #[doc = stub!(Index.open)]
    #[staticmethod]
    #[pyo3(signature = (path, *, read_only=false))]
    fn open(py: Python<'_>, path: PathBuf, read_only: bool) -> PyResult<Self> {
        opened(py.detach(|| match read_only {
            true => DiskIndex::open_read_only(&path, Settings::default()),
            false => DiskIndex::open(&path, Settings::default()),
        }))
    }

    #[doc = stub!(Index.verify)]
    #[staticmethod]
    fn verify(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        let found =
            long(py, || DiskIndex::verify(&path, Settings::default()).map_err(Error::from))?;
        Ok(found.problems.iter().map(ToString::to_string).collect())
    }

    #[doc = stub!(Index.compact)]
    #[staticmethod]
    fn compact(py: Python<'_>, path: PathBuf) -> PyResult<()> {
        long(py, || Ok(DiskIndex::compact(&path, Settings::default())?))
    }

    #[doc = stub!(Index.rebuild)]
    #[staticmethod]
    fn rebuild(py: Python<'_>, path: PathBuf) -> PyResult<()> {
        long(py, || Ok(DiskIndex::rebuild(&path, Settings::default())?))
    }

    #[doc = stub!(Index.scheme)]
    #[getter]
    fn scheme(&self) -> PyResult<String> {
        Ok(scheme_name(self.0.get()?.index().scheme()))
    }

    #[doc = stub!(Index.path)]
    #[getter]
    fn path(&self) -> PyResult<Option<PathBuf>> {
        Ok(self.0.get()?.on_disk().map(|disk| disk.path().to_owned()))
    }

    #[doc = stub!(Index.close)]
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let held = self.0.get()?;
        let length = asked(py, || held.index().len())?;
        Ok(usize::try_from(length).unwrap_or(usize::MAX))
    }

    fn __contains__(&self, py: Python<'_>, id: &str) -> PyResult<bool> {
        Ok(self.get(py, id)?.is_some())
    }

    #[doc = stub!(Index.insert)]
    #[pyo3(signature = (id, fingerprint, *, on_duplicate="error", metadata=None))]
    fn insert(
        &self,
        py: Python<'_>,
        id: &str,
        fingerprint: &Fingerprint,
        on_duplicate: &str,
        metadata: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<&'static str> {
        let (held, id, rule) = (self.0.get()?, named(id)?, rule(on_duplicate)?);
        let done = match json(metadata)? {
            None => asked(py, || held.index().insert(&id, &fingerprint.0, rule))?,
            metadata => {
                let document = StoredDocument::new(id, fingerprint.0.clone());
                let document = StoredDocument { metadata, ..document };
                let disk = held.disk("metadata")?;
                let counts = asked(py, || disk.insert_documents(&[document], rule))?;
                match (counts.replaced, counts.skipped) {
                    (1, _) => InsertOutcome::Replaced,
                    (_, 1) => InsertOutcome::Skipped,
                    _ => InsertOutcome::Added,
                }
            }
        };
        Ok(match done {
            InsertOutcome::Added => "added",
            InsertOutcome::Replaced => "replaced",
            InsertOutcome::Skipped => "skipped",
        })
    }

    #[doc = stub!(Index.insert_many)]
    #[pyo3(signature = (documents, *, on_duplicate="error"))]
    fn insert_many(
        &self,
        py: Python<'_>,
        documents: &Bound<'_, PyAny>,
        on_duplicate: &str,
    ) -> PyResult<(u64, u64, u64)> {
        let (held, rule) = (self.0.get()?, rule(on_duplicate)?);
        let mut batch = Vec::new();
        for document in documents.try_iter()? {
            let (id, fingerprint): (String, Bound<'_, Fingerprint>) = document?.extract()?;
            batch.push((named(&id)?, fingerprint.get().0.clone()));
        }
        let counts = long(py, || held.index().insert_batch(&batch, rule))?;
        Ok((counts.added, counts.replaced, counts.skipped))
    }

    #[doc = stub!(Index.add)]
    #[pyo3(signature = (data=None, *, texts=None, ids=None, on_duplicate="error", if_new=false, matches=false, k=None, metadata=None,
        progress=None, **options))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn add(
        &self,
        py: Python<'_>,
        data: Option<&Bound<'_, PyAny>>,
        texts: Option<&Bound<'_, PyAny>>,
        ids: Option<&Bound<'_, PyAny>>,
        on_duplicate: &str,
        if_new: bool,
        matches: bool,
        k: Option<u32>,
        metadata: Option<&Bound<'_, PyDict>>,
        progress: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let (held, options) = (self.0.get()?, Options::of(py, options)?);
        let usual = held.on_disk().filter(|_| if_new).map(nearprint_index::DiskIndex::new_distance);
        let distance = distance(&held, k.or(usual));
        let look_for = match (if_new, matches) {
            (true, true) => return Err(invalid("give one of if_new and matches")),
            (true, _) => LookFor::New(distance),
            (_, true) => LookFor::Matches(distance),
            _ if k.is_some() => return Err(invalid("k is for if_new and matches")),
            _ => LookFor::Nothing,
        };
        let on_duplicate = rule(on_duplicate)?;
        let rules = Rules { on_duplicate, look_for, metadata: json(metadata)? };
        let given = IndexInput::of(data, texts, ids, held.index().scheme())?;
        add(py, &held, given, &rules, &options, progress)
    }

    #[doc = stub!(Index.merge)]
    #[pyo3(signature = (other, *, on_duplicate="error"))]
    fn merge(
        &self,
        py: Python<'_>,
        other: &Bound<'_, Index>,
        on_duplicate: &str,
    ) -> PyResult<(u64, u64, u64)> {
        let (held, other, rule) = (self.0.get()?, other.get().0.get()?, rule(on_duplicate)?);
        long(py, || match (held.on_disk(), other.on_disk()) {
            (Some(held), Some(other)) => {
                let counts = held.merge_whole(other, rule)?;
                Ok((counts.added, counts.replaced, counts.skipped))
            }
            _ => {
                let counts = held.index().merge(other.documents(), rule)?;
                Ok((counts.added, counts.replaced, counts.skipped))
            }
        })
    }

    #[doc = stub!(Index.remove)]
    fn remove(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        let (held, document) = (self.0.get()?, named(id)?);
        match asked(py, || held.index().remove(&document))? {
            true => Ok(()),
            false => Err(PyKeyError::new_err(id.to_owned())),
        }
    }

    #[doc = stub!(Index.remove_many)]
    #[pyo3(signature = (ids=None, *, r#where=None))]
    fn remove_many(
        &self,
        py: Python<'_>,
        ids: Option<Vec<String>>,
        r#where: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let (held, filter) = (self.0.get()?, filter(r#where)?);
        match (ids, filter.is_empty()) {
            (Some(ids), true) => {
                let ids: Vec<_> = ids.iter().map(|id| named(id)).collect::<PyResult<_>>()?;
                match held.on_disk() {
                    Some(disk) => long(py, || disk.remove_batch(&ids)),
                    None => long(py, || {
                        let removed = ids.iter().map(|id| held.index().remove(id).map(u64::from));
                        removed.sum()
                    }),
                }
            }
            (None, false) => {
                let disk = held.disk("where")?;
                long(py, || disk.remove_where(&filter))
            }
            _ => Err(invalid("give either ids or where")),
        }
    }

    #[doc = stub!(Index.get)]
    fn get(&self, py: Python<'_>, id: &str) -> PyResult<Option<Fingerprint>> {
        let (held, id) = (self.0.get()?, named(id)?);
        let found = asked(py, || held.index().get(&id, &Parts::default()))?;
        Ok(found.map(|found| Fingerprint(found.fingerprint)))
    }

    #[doc = stub!(Index.document)]
    fn document(&self, py: Python<'_>, id: &str) -> PyResult<Option<Py<PyAny>>> {
        let (held, id) = (self.0.get()?, named(id)?);
        let disk = held.disk("document")?;
        let found = asked(py, || disk.document_with_text(&id))?;
        found.map(|found| to_python(py, &index_queries::row(found))).transpose()
    }

    #[doc = stub!(Index.query)]
    #[pyo3(signature = (fingerprint, k=None))]
    fn query(
        &self,
        py: Python<'_>,
        fingerprint: &Fingerprint,
        k: Option<u32>,
    ) -> PyResult<Vec<(String, u32)>> {
        let held = self.0.get()?;
        let k = distance(&held, k);
        let found = asked(py, || held.index().query(&fingerprint.0, k))?;
        Ok(found.into_iter().map(pair).collect())
    }

    #[doc = stub!(Index.query_many)]
    #[pyo3(signature = (fingerprints, k=None))]
    fn query_many(
        &self,
        py: Python<'_>,
        fingerprints: Vec<Bound<'_, Fingerprint>>,
        k: Option<u32>,
    ) -> PyResult<Vec<Vec<(String, u32)>>> {
        let held = self.0.get()?;
        let k = distance(&held, k);
        let queries: Vec<_> = fingerprints.iter().map(|print| print.get().0.clone()).collect();
        let work = |job: &Job| {
            let mut all = Vec::with_capacity(queries.len());
            for some in queries.chunks(QUERIES) {
                if job.cancel.is_cancelled() {
                    break;
                }
                all.extend(held.index().query_batch(some, k)?);
            }
            Ok::<_, Error>(all)
        };
        let found = run(py, None, work)?.map_err(|error| refused(&error))?;
        Ok(found.into_iter().map(|found| found.into_iter().map(pair).collect()).collect())
    }

    #[doc = stub!(Index.matches)]
    #[pyo3(signature = (data=None, *, texts=None, ids=None, r#where=None, progress=None, **options))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn matches(
        &self,
        py: Python<'_>,
        data: Option<&Bound<'_, PyAny>>,
        texts: Option<&Bound<'_, PyAny>>,
        ids: Option<&Bound<'_, PyAny>>,
        r#where: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let (held, filter) = (self.0.get()?, filter(r#where)?);
        let (question, options) = question::<Matches>(py, options)?;
        let given = IndexInput::of(data, texts, ids, held.index().scheme())?;
        index_queries::matches(py, &held, given, (&question, &filter), &options, progress)
    }

    #[doc = stub!(Index.pairs)]
    #[pyo3(signature = (*, r#where=None, not_same=None, progress=None, **options))]
    fn pairs(
        &self,
        py: Python<'_>,
        r#where: Option<&Bound<'_, PyAny>>,
        not_same: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let (held, filter) = (self.0.get()?, filter(r#where)?);
        let (question, options) = question::<Pairs>(py, options)?;
        let disk = held.disk("pairs")?;
        index_queries::pairs(py, disk, (&question, &filter, not_same), &options, progress)
    }

    #[doc = stub!(Index.clusters)]
    #[pyo3(signature = (*, r#where=None, progress=None, **options))]
    fn clusters(
        &self,
        py: Python<'_>,
        r#where: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let (held, filter) = (self.0.get()?, filter(r#where)?);
        let (question, options) = question::<Clusters>(py, options)?;
        let disk = held.disk("clusters")?;
        index_queries::clusters(py, disk, (&question, &filter), &options, progress)
    }

    #[doc = stub!(Index.dedup)]
    #[pyo3(signature = (*, r#where=None, progress=None, **options))]
    fn dedup(
        &self,
        py: Python<'_>,
        r#where: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let (held, filter) = (self.0.get()?, filter(r#where)?);
        let (question, options) = question::<Dedup>(py, options)?;
        dedup_index(py, held.disk("dedup")?, (&question, &filter), &options, progress)
    }

    #[doc = stub!(Index.export)]
    #[pyo3(signature = (*, r#where=None, progress=None))]
    fn export(
        &self,
        py: Python<'_>,
        r#where: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let (held, filter) = (self.0.get()?, filter(r#where)?);
        index_queries::export(py, held.disk("export")?, &filter, progress)
    }

    #[doc = stub!(Index.list)]
    #[pyo3(signature = (prefix="", *, after=None, limit=None))]
    fn list(
        &self,
        py: Python<'_>,
        prefix: &str,
        after: Option<&str>,
        limit: Option<usize>,
    ) -> PyResult<Table> {
        let (held, after) = (self.0.get()?, after.map(named).transpose()?);
        index_queries::list(py, held.disk("list")?, prefix, after, limit)
    }

    #[doc = stub!(Index.snapshot)]
    fn snapshot(&self, py: Python<'_>, to: PathBuf) -> PyResult<u64> {
        let held = self.0.get()?;
        let disk = held.disk("snapshot")?;
        long(py, || disk.snapshot(&to))
    }

    #[doc = stub!(Index.stats)]
    fn stats(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let held = self.0.get()?;
        let disk = held.disk("stats")?;
        let found = asked(py, || disk.statistics())?;
        to_python(py, &found.row(disk.header()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Ok(held) = self.0.get() else { return Ok("<nearprint.Index, closed>".to_owned()) };
        let place = held.on_disk().map(|disk| format!(" at {}", disk.path().display()));
        let (place, count) = (place.unwrap_or_default(), self.__len__(py)?);
        Ok(format!("<nearprint.Index{place} of {count} documents by {}>", self.scheme()?))
    }
}

impl Index {
    /// The index for one call.
    pub(crate) fn in_use(&self) -> PyResult<InUse> {
        self.0.get()
    }
}

fn opened(index: Result<DiskIndex, IndexError>) -> PyResult<Index> {
    let index = index.map_err(of_index)?;
    Ok(Index(IndexHandle::new(Store::Disk(OnDisk::new(index)))))
}

fn of_index(error: IndexError) -> PyErr {
    refused(&Error::from(error))
}

/// An answer of an index, for which the interpreter is released.
fn asked<T: Send>(py: Python<'_>, ask: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    py.detach(ask).map_err(|error| refused(&error))
}

/// Work that takes long, which Ctrl-C ends.
fn long<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    run(py, None, |job: &Job| until_cancelled(&job.cancel, work))?.map_err(|error| refused(&error))
}

fn distance(held: &InUse, k: Option<u32>) -> u32 {
    k.unwrap_or_else(|| held.index().scheme().default_distance())
}

fn rule(name: &str) -> PyResult<OnDuplicate> {
    name.parse().map_err(invalid)
}

fn named(id: &str) -> PyResult<DocumentId> {
    DocumentId::new(id).map_err(invalid)
}

/// Metadata as the JSON object that is stored.
fn json(metadata: Option<&Bound<'_, PyDict>>) -> PyResult<Option<String>> {
    let Some(metadata) = metadata else { return Ok(None) };
    let text: String =
        metadata.py().import("json")?.call_method1("dumps", (metadata,))?.extract()?;
    check_metadata(&text).map_err(of_index)?;
    Ok(Some(text))
}

fn pair(found: IndexMatch) -> (String, u32) {
    (found.id.to_string(), found.distance)
}
