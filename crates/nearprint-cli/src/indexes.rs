//! Indexes on disk where a verb takes a collection: `index:PATH`, or the directory of an index.
//!
//! What an index keeps of its documents is read, and no document is.

use std::path::{Path, PathBuf};

use nearprint::fingerprint::Scheme;
use nearprint::records::{JobIdentity, escape};
use nearprint::{Collection, Dedup, DedupDocuments, Documents, Filter, Pipeline, Role};
use nearprint_index::{DiskIndex, IndexError, Settings};

use crate::exit_status::Failure;
use crate::remedies::with_index_remedy;
use crate::unexpected_input;

/// What the name of an index begins with. A file whose name begins so is named with `./` before it.
const PREFIX: &str = "index:";

/// Indexes that are named among inputs, open for reading.
#[derive(Debug, Default)]
pub(crate) struct Indexes(Vec<DiskIndex>);

/// What of the path of an index follows its prefix.
pub(crate) fn index_path(path: &Path) -> Option<&Path> {
    path.to_str()?.strip_prefix(PREFIX).map(Path::new)
}

/// Refuses indexes where documents or fingerprints in files are expected: the files of an index are neither.
pub(crate) fn refuse_indexes(paths: &[PathBuf]) -> Result<(), Failure> {
    let is_index = |path: &&PathBuf| {
        let named = index_path(path).filter(|_| !path.exists());
        DiskIndex::is_at(named.unwrap_or(path))
    };
    let Some(path) = paths.iter().find(is_index) else { return Ok(()) };
    let name = escape(path.as_os_str().as_encoded_bytes());
    Err(Failure::Usage(format!(
        "{name} is an index, which is not read here; name the documents, or use pairs, clusters, query, diff, or the \
         verbs of `nearprint index`"
    )))
}

/// The index of this path, open for reading.
pub(crate) fn open_index(path: &Path) -> Result<DiskIndex, Failure> {
    DiskIndex::open_read_only(path, Settings::default()).map_err(failure)
}

/// What was named wrongly is wrong usage; everything else stops the work.
pub(crate) fn failure(error: IndexError) -> Failure {
    match error {
        IndexError::NotAnIndex { .. }
        | IndexError::Exists { .. }
        | IndexError::WithoutFeatures { .. }
        | IndexError::OtherFeatures { .. }
        | IndexError::WithoutPart { .. } => Failure::Usage(with_index_remedy(&error)),
        error => Failure::Work(with_index_remedy(&error)),
    }
}

impl Indexes {
    /// The indexes among paths, and the other paths.
    pub(crate) fn among(paths: &[PathBuf]) -> Result<(Self, Vec<PathBuf>), Failure> {
        let (mut indexes, mut others) = (Self::default(), Vec::new());
        for path in paths {
            match index_path(path) {
                Some(path) => indexes.0.push(open_index(path)?),
                None if DiskIndex::is_at(path) => indexes.0.push(open_index(path)?),
                None => others.push(path.clone()),
            }
        }
        Ok((indexes, others))
    }

    /// Whether none is named.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The index, where one alone is named.
    pub(crate) fn only(&self) -> Option<&DiskIndex> {
        if let [index] = &*self.0 { Some(index) } else { None }
    }

    /// The first index, where one is named.
    pub(crate) fn into_only(self) -> Option<DiskIndex> {
        self.0.into_iter().next()
    }

    /// The scheme of their fingerprints; `None` where none is named.
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        self.0.first().map(Documents::scheme)
    }

    /// Refuses indexes that keep fingerprints alone, where texts are compared.
    pub(crate) fn expect_features(&self) -> Result<(), Failure> {
        match self.0.iter().find(|index| !index.keeps_features()) {
            Some(index) => Err(unexpected_input::without_features(index.path())),
            None => Ok(()),
        }
    }

    /// Adds all documents that a filter allows to a collection.
    pub(crate) fn read_into(
        &self,
        collection: &mut Collection,
        filter: &Filter,
    ) -> Result<(), Failure> {
        for index in &self.0 {
            collection.push_all(index, filter)?;
        }
        Ok(())
    }

    /// Adds all documents to the references of a collection.
    pub(crate) fn read_references(&self, collection: &mut Collection) -> Result<(), Failure> {
        for index in &self.0 {
            collection.push_all_references(index, Filter::all())?;
        }
        Ok(())
    }

    /// Adds all documents to the references of a deduplication.
    pub(crate) fn gather_into(
        &self,
        settings: &Dedup,
        pipeline: &Pipeline<'_>,
        gathered: &mut DedupDocuments,
    ) -> Result<(), Failure> {
        for index in &self.0 {
            settings.read_stored(pipeline, index, Filter::all(), Role::Reference, gathered)?;
        }
        Ok(())
    }

    /// Adds to the identity of a job which indexes in which state it compares with.
    pub(crate) fn identify(&self, mut identity: JobIdentity) -> Result<JobIdentity, Failure> {
        for index in &self.0 {
            let state = format!("{:032x} after {} changes", index.header().id, index.changes()?);
            identity = identity.with("index", state);
        }
        Ok(identity)
    }
}
