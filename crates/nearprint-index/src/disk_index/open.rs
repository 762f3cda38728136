//! Creating and opening an index.

use std::path::Path;
use std::sync::{Arc, Mutex};

use nearprint::Candidates;
use nearprint::fingerprint::Scheme;
use nearprint::records::durability;

use crate::IndexError;
use crate::changes::group::Queue;
use crate::disk_index::DiskIndex;
use crate::index_state::IndexState;
use crate::lock::{WriterLock, refuse_network_file_system};
use crate::maintenance::BackgroundMerge;
use crate::policy;
use crate::store::description::Description;
use crate::store::header::Header;
use crate::store::kept_features::features_verification;
use crate::store::recent_ids::Recent;
use crate::store::source::{Newest, Source, View};
use crate::store::{SEGMENTS, Store};
use crate::tables;

/// How an index is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Bytes of the store that are held in memory at most.
    pub cache: usize,
    /// Documents that are looked through in memory before they are written as a segment. Of four times as many, the ids
    /// are in memory before the store's table of ids gets them.
    pub fresh: u64,
    /// Whether segments are merged by a thread of the index's own, while the index is used. Otherwise whoever inserts
    /// waits for it.
    pub background: bool,
    /// Whether a new index keeps the features of its documents' texts, so that matches can be verified. What an index
    /// keeps is decided when it is created.
    pub features: bool,
    /// Whether a new index keeps the texts of its documents. What an index keeps is decided when it is created.
    pub texts: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cache: 256 << 20,
            fresh: policy::FRESH,
            background: true,
            features: false,
            texts: false,
        }
    }
}

impl Settings {
    /// With another bound for what of the store is held in memory.
    #[must_use]
    pub fn cache(self, bytes: usize) -> Self {
        Self { cache: bytes, ..self }
    }

    /// With another number of documents from which on a segment is written; 1 at least.
    #[must_use]
    pub fn fresh(self, documents: u64) -> Self {
        Self { fresh: documents.max(1), ..self }
    }

    /// With segments merged in the background or not.
    #[must_use]
    pub fn background(self, background: bool) -> Self {
        Self { background, ..self }
    }

    /// With features kept by a new index, or not.
    #[must_use]
    pub fn features(self, features: bool) -> Self {
        Self { features, ..self }
    }

    /// With texts kept by a new index, or not.
    #[must_use]
    pub fn texts(self, texts: bool) -> Self {
        Self { texts, ..self }
    }
}

/// The scheme of a new index and whether it keeps features, where a caller names neither or one of both.
///
/// Features are kept with the scheme that proposes what `pairs` verifies, which is also the one of an index for which
/// nothing is named, so that its queries find what `pairs` finds. An index of another scheme keeps none, and one
/// that is to keep none is of `sd1`.
#[must_use]
pub fn default_parts(scheme: Option<Scheme>, features: Option<bool>) -> (Scheme, bool) {
    let verified = Candidates::of(features_verification()).scheme();
    let features = features.unwrap_or(scheme.is_none_or(|scheme| scheme == verified));
    (scheme.unwrap_or(if features { verified } else { Scheme::SD1 }), features)
}

impl DiskIndex {
    /// Whether a directory has the files of an index.
    #[must_use]
    pub fn is_at(directory: &Path) -> bool {
        Store::file(directory).is_file() && Description::directory(directory).is_dir()
    }

    /// Creates an index for fingerprints of one scheme in a new directory, and opens it for writing.
    ///
    /// # Errors
    /// Where there is something already, or the directory cannot be written to.
    pub fn create(path: &Path, scheme: Scheme, settings: Settings) -> Result<Self, IndexError> {
        let features = settings.features.then(|| features_verification().features_name());
        let header = Header { features, texts: settings.texts, ..Header::new(scheme) };
        Self::create_with(path, &header, settings)
    }

    pub(crate) fn create_with(
        path: &Path,
        header: &Header,
        settings: Settings,
    ) -> Result<Self, IndexError> {
        refuse_big_endian()?;
        let is_empty =
            |path: &Path| std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
        if path.exists() && !is_empty(path) {
            return Err(IndexError::Exists { path: path.to_owned() });
        }
        let tables = Description::directory(path);
        std::fs::create_dir_all(&tables).map_err(IndexError::io(&tables))?;
        refuse_network_file_system(path)?;
        let lock = WriterLock::take(path)?;
        let store = Store::create(path, settings.cache)?;
        let transaction = store.begin_write()?;
        // An index without its header is none: whoever ends here leaves nothing that can be opened.
        header.write(&store, &transaction)?;
        store.commit(transaction)?;
        let named = durability::sync_names(path).and_then(|()| durability::sync_names_beside(path));
        named.map_err(IndexError::io(path))?;
        Self::with(path, store, header.clone(), Some(lock), settings)
    }

    /// Opens an index for reading and writing, alone.
    ///
    /// # Errors
    /// Where there is no index, another process writes to it, it is of another version or an unknown scheme, or the
    /// store or a file of tables is damaged.
    pub fn open(path: &Path, settings: Settings) -> Result<Self, IndexError> {
        let (store, header, lock) = Self::opened(path, &settings)?;
        // Before the thread for merges runs, whose new files are not named yet.
        let named = store.guarded(|| {
            let at = store.begin_read()?;
            store.segments(&store.tried(at.open_table(SEGMENTS))?)
        })?;
        tables::remove_leavings(path, &named)?;
        Self::with(path, store, header, Some(lock), settings)
    }

    /// Opens an index for writing, on a store of which a test watches the file.
    #[cfg(test)]
    pub(crate) fn open_on<B: redb::StorageBackend>(
        path: &Path,
        settings: Settings,
        watched: impl FnOnce(&Path) -> B,
    ) -> Result<Self, IndexError> {
        let lock = WriterLock::take(path)?;
        let store = Store::open_on(path, settings.cache, watched)?;
        let header = Header::read(&store, &store.begin_read()?, path)?;
        Self::with(path, store, header, Some(lock), settings)
    }

    /// Opens an index for reading, while another process may write to it.
    ///
    /// # Errors
    /// As for [`open`](Self::open), except that a writer does not matter.
    pub fn open_read_only(path: &Path, settings: Settings) -> Result<Self, IndexError> {
        refuse_big_endian()?;
        let store = Store::open_read_only(path, settings.cache)?;
        let header = store.guarded(|| Header::read(&store, &store.begin_read()?, path))?;
        Self::with(path, store, header, None, settings)
    }

    /// The store of an index and the right to write to it, without its tables.
    pub(crate) fn opened(
        path: &Path,
        settings: &Settings,
    ) -> Result<(Store, Header, WriterLock), IndexError> {
        refuse_big_endian()?;
        // Looking for an index leaves nothing where there is none.
        Store::is_there(path)?;
        refuse_network_file_system(path)?;
        let lock = WriterLock::take(path)?;
        let store = Store::open(path, true, settings.cache)?;
        let header = store.guarded(|| Header::read(&store, &store.begin_read()?, path))?;
        Ok((store, header, lock))
    }

    fn with(
        path: &Path,
        store: Store,
        header: Header,
        lock: Option<WriterLock>,
        settings: Settings,
    ) -> Result<Self, IndexError> {
        let tables = tables::of_scheme(header.scheme);
        let is_writer = lock.is_some();
        let mut source = Source::new(path.to_owned(), store, &header);
        if is_writer {
            let changes =
                source.store.guarded(|| Ok::<_, IndexError>(View::newest(&source)?.changes));
            source.newest = Some(Newest::new(changes?));
        }
        let shared = IndexState {
            source,
            header,
            tables,
            recent: Recent::default(),
            writer: lock,
            fresh: settings.fresh,
            merge_error: Mutex::default(),
        };
        let shared = Arc::new(shared);
        shared.up_to_date()?;
        let merging = (is_writer && settings.background)
            .then(|| BackgroundMerge::start(&shared))
            .transpose()?;
        Ok(Self { merging, shared, queue: Queue::default() })
    }
}

fn refuse_big_endian() -> Result<(), IndexError> {
    match cfg!(target_endian = "little") {
        true => Ok(()),
        false => Err(IndexError::BigEndian),
    }
}
