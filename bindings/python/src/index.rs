//! A collection of fingerprints that changes and is queried.

use std::sync::Arc;

use nearprint::records::DocumentId;
use nearprint::{Index as Collection, IndexMatch, Inserted, MemoryIndex, OnDuplicate};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::error::{invalid, refused};
use crate::fingerprint::Fingerprint;
use crate::scheme::{scheme, scheme_name};

/// Documents with their fingerprints. A persistent one is another `dyn Collection`.
#[pyclass(frozen, module = "nearprint", name = "Index")]
pub(crate) struct Index(Arc<dyn Collection>);

#[pymethods]
impl Index {
    #[new]
    #[pyo3(signature = (scheme="sd1"))]
    fn new(scheme: &str) -> PyResult<Self> {
        Ok(Self(Arc::new(MemoryIndex::new(self::scheme(scheme)?))))
    }

    #[getter]
    fn scheme(&self) -> String {
        scheme_name(self.0.scheme())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let length = py.detach(|| self.0.len()).map_err(|error| refused(&error))?;
        Ok(usize::try_from(length).unwrap_or(usize::MAX))
    }

    fn __contains__(&self, py: Python<'_>, id: &str) -> PyResult<bool> {
        Ok(self.get(py, id)?.is_some())
    }

    #[pyo3(signature = (id, fingerprint, *, on_duplicate="error"))]
    fn insert(
        &self,
        py: Python<'_>,
        id: &str,
        fingerprint: &Fingerprint,
        on_duplicate: &str,
    ) -> PyResult<&'static str> {
        let (id, rule) = (named(id)?, on_duplicate.parse::<OnDuplicate>().map_err(invalid)?);
        let done = py
            .detach(|| self.0.insert(&id, &fingerprint.0, rule))
            .map_err(|error| refused(&error))?;
        Ok(match done {
            Inserted::Added => "added",
            Inserted::Replaced => "replaced",
            Inserted::Skipped => "skipped",
        })
    }

    #[pyo3(signature = (documents, *, on_duplicate="error"))]
    fn insert_many(
        &self,
        py: Python<'_>,
        documents: &Bound<'_, PyAny>,
        on_duplicate: &str,
    ) -> PyResult<(u64, u64, u64)> {
        let rule = on_duplicate.parse::<OnDuplicate>().map_err(invalid)?;
        let mut batch = Vec::new();
        for document in documents.try_iter()? {
            let (id, fingerprint): (String, Bound<'_, Fingerprint>) = document?.extract()?;
            batch.push((named(&id)?, fingerprint.get().0.clone()));
        }
        let counts =
            py.detach(|| self.0.insert_batch(&batch, rule)).map_err(|error| refused(&error))?;
        Ok((counts.added, counts.replaced, counts.skipped))
    }

    /// Removes a document.
    fn remove(&self, py: Python<'_>, id: &str) -> PyResult<()> {
        let document = named(id)?;
        match py.detach(|| self.0.remove(&document)).map_err(|error| refused(&error))? {
            true => Ok(()),
            false => Err(PyKeyError::new_err(id.to_owned())),
        }
    }

    fn get(&self, py: Python<'_>, id: &str) -> PyResult<Option<Fingerprint>> {
        let id = named(id)?;
        let found = py.detach(|| self.0.get(&id)).map_err(|error| refused(&error))?;
        Ok(found.map(Fingerprint))
    }

    #[pyo3(signature = (fingerprint, k=None))]
    fn query(
        &self,
        py: Python<'_>,
        fingerprint: &Fingerprint,
        k: Option<u32>,
    ) -> PyResult<Vec<(String, u32)>> {
        let k = self.distance(k);
        let found =
            py.detach(|| self.0.query(&fingerprint.0, k)).map_err(|error| refused(&error))?;
        Ok(found.into_iter().map(pair).collect())
    }

    #[pyo3(signature = (fingerprints, k=None))]
    fn query_many(
        &self,
        py: Python<'_>,
        fingerprints: Vec<Bound<'_, Fingerprint>>,
        k: Option<u32>,
    ) -> PyResult<Vec<Vec<(String, u32)>>> {
        let k = self.distance(k);
        let asked: Vec<_> = fingerprints.iter().map(|print| print.get().0.clone()).collect();
        let found = py.detach(|| self.0.query_batch(&asked, k)).map_err(|error| refused(&error))?;
        Ok(found.into_iter().map(|found| found.into_iter().map(pair).collect()).collect())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<nearprint.Index of {} documents by {}>", self.__len__(py)?, self.scheme()))
    }
}

impl Index {
    fn distance(&self, k: Option<u32>) -> u32 {
        k.unwrap_or_else(|| self.0.scheme().default_distance())
    }
}

fn named(id: &str) -> PyResult<DocumentId> {
    DocumentId::new(id).map_err(invalid)
}

fn pair(found: IndexMatch) -> (String, u32) {
    (found.id.to_string(), found.distance)
}
