//! Open files of the process: how many there may be, and what they are for.

/// Open files that are kept for workers, logs, uploads and what comes and goes.
const KEPT: u64 = 192;

/// Open files of a collection: its store, its lock, and tables while they are read and merged.
const OF_COLLECTION: u64 = 8;

/// Collections that may be open at the same time, of those wanted: they take a quarter of all files at most.
pub(crate) fn for_collections(wanted: usize) -> usize {
    share(wanted, most())
}

fn share(wanted: usize, most: Option<u64>) -> usize {
    let files = most.map_or(u64::MAX, |most| most / 4 / OF_COLLECTION);
    wanted.min(usize::try_from(files).unwrap_or(usize::MAX)).max(2)
}

/// Connections that may be open at the same time, of those wanted, beside so many collections; at least a quarter of
/// all files is theirs.
pub(crate) fn for_connections(wanted: usize, collections: usize) -> u64 {
    let kept = KEPT + OF_COLLECTION * collections as u64;
    let left = most().map_or(u64::MAX, |files| files.saturating_sub(kept).max(files / 4));
    (wanted as u64).min(left).max(1)
}

/// How many files the process may open, after that was raised as far as the system lets it; `None` for no bound.
#[cfg(unix)]
pub(crate) fn most() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        let raised = Rlimit { current: maximum, maximum };
        let _ = setrlimit(Resource::Nofile, raised);
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
pub(crate) fn most() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_leave_files_for_the_rest() {
        for (most, share_of_128) in
            [(Some(64), 2), (Some(1024), 32), (Some(4096), 128), (None, 128)]
        {
            assert_eq!(share(128, most), share_of_128, "{most:?}");
        }
        assert!(for_connections(usize::MAX, 0) > for_connections(usize::MAX, 10));
        assert_eq!(for_connections(0, 0), 1);
    }
}
