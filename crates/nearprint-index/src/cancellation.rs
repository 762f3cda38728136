//! Work on an index that another thread may end.
//!
//! The flag belongs to the thread that works, not to each operation: the loops that take long are the same few below
//! all operations, and most callers never cancel.

use std::cell::RefCell;

use nearprint::CancelFlag;

use crate::IndexError;

thread_local! {
    static FLAG: RefCell<Option<CancelFlag>> = const { RefCell::new(None) };
}

/// Does `work` on this thread. Once `flag` is set, the operation of an index that is under way there ends with
/// [`IndexError::Cancelled`]: a change is not made, and files that were begun are removed, at the latest by the next
/// writer.
///
/// The flag is looked at for each document: when one is inserted or removed, when tables are made or merged, and when
/// an index is verified or copied. Giving space back to the file system, the end of
/// [`compact`](crate::DiskIndex::compact), goes on to its end.
///
/// ```
/// use nearprint::CancelFlag;
/// use nearprint::fingerprint::Scheme;
/// use nearprint_index::{DiskIndex, IndexError, Settings, until_cancelled};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let path = directory.path().join("reports.index");
/// # let index = DiskIndex::create(&path, Scheme::SD1, Settings::default()).unwrap();
/// # let id = nearprint::records::DocumentId::new("fog").unwrap();
/// # let print = "sd1:aerukz4jvpg66".parse().unwrap();
/// # nearprint::Index::insert(&index, &id, &print, nearprint::OnDuplicate::Refuse).unwrap();
/// # drop(index);
/// let flag = CancelFlag::new();
/// flag.cancel();
/// let ended = until_cancelled(&flag, || DiskIndex::rebuild(&path, Settings::default()));
/// assert!(matches!(ended, Err(IndexError::Cancelled)));
/// ```
pub fn until_cancelled<T>(flag: &CancelFlag, work: impl FnOnce() -> T) -> T {
    under(Some(flag), work)
}

/// Does `work` under the flag of another thread, or none, whatever the flag of this one is.
pub(crate) fn under<T>(flag: Option<&CancelFlag>, work: impl FnOnce() -> T) -> T {
    /// Puts the flag of an outer call back, however this one ends.
    struct Outer(Option<CancelFlag>);
    impl Drop for Outer {
        fn drop(&mut self) {
            FLAG.replace(self.0.take());
        }
    }
    let _outer = Outer(FLAG.replace(flag.cloned()));
    work()
}

/// The flag of this thread.
pub(crate) fn flag() -> Option<CancelFlag> {
    FLAG.with_borrow(Clone::clone)
}

/// An error where the work of this thread is to end.
pub(crate) fn check() -> Result<(), IndexError> {
    let cancelled = FLAG.with_borrow(|flag| flag.as_ref().is_some_and(CancelFlag::is_cancelled));
    if cancelled { Err(IndexError::Cancelled) } else { Ok(()) }
}
