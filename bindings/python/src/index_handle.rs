//! An index that is in use: in memory or on disk, until it is closed, in the process that opened it.

use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, PoisonError};

use nearprint::{Documents, Index, MemoryIndex};
use nearprint_index::DiskIndex;
use pyo3::PyResult;

use crate::error::{Class, invalid};

/// Where documents are.
pub(crate) enum Store {
    Memory(MemoryIndex),
    Disk(OnDisk),
}

/// An index on disk, and the process that opened it.
pub(crate) struct OnDisk {
    index: ManuallyDrop<DiskIndex>,
    process: u32,
}

impl OnDisk {
    pub(crate) fn new(index: DiskIndex) -> Self {
        Self { index: ManuallyDrop::new(index), process: std::process::id() }
    }

    fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }
}

impl Drop for OnDisk {
    #[expect(unsafe_code, reason = "whether it may be dropped is known only now")]
    fn drop(&mut self) {
        // The copy that a forked process has leads to threads that it does not have, and to the lock of its parent.
        if self.is_of_this_process() {
            // SAFETY: nobody uses it after this.
            unsafe { ManuallyDrop::drop(&mut self.index) }
        }
    }
}

/// An index, unless it was closed. Calls that are under way end before it closes.
pub(crate) struct IndexHandle(Mutex<Option<Arc<Store>>>);

impl IndexHandle {
    pub(crate) fn new(store: Store) -> Self {
        Self(Mutex::new(Some(Arc::new(store))))
    }

    /// The index for one call.
    pub(crate) fn get(&self) -> PyResult<InUse> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let store = held.ok_or_else(|| invalid("the index is closed"))?;
        match &*store {
            Store::Disk(disk) if !disk.is_of_this_process() => Err(Class::Resource.error(
                "the index was opened by another process, of which this one is a fork: open it again in this one",
            )),
            _ => Ok(InUse(store)),
        }
    }

    /// Takes it from its users, the last of whom closes it.
    pub(crate) fn close(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// An index during a call.
pub(crate) struct InUse(Arc<Store>);

impl InUse {
    /// What all indexes do.
    pub(crate) fn index(&self) -> &dyn Index {
        match &*self.0 {
            Store::Memory(index) => index,
            Store::Disk(disk) => &*disk.index,
        }
    }

    /// The documents, to be asked about.
    pub(crate) fn documents(&self) -> &dyn Documents {
        match &*self.0 {
            Store::Memory(index) => index,
            Store::Disk(disk) => &*disk.index,
        }
    }

    /// The index on disk; an error for one in memory.
    pub(crate) fn disk(&self, what: &str) -> PyResult<&DiskIndex> {
        self.on_disk().ok_or_else(|| {
            invalid(format_args!("{what} is of indexes on disk: Index.create(path) makes one"))
        })
    }

    pub(crate) fn on_disk(&self) -> Option<&DiskIndex> {
        match &*self.0 {
            Store::Memory(_) => None,
            Store::Disk(disk) => Some(&disk.index),
        }
    }
}
