//! One writer at a time, known by name to whoever comes second.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::IndexError;

/// The longest text about a holder that is shown.
const LONGEST: u64 = 300;

/// The right to write to an index: a lock on a file in it, which the system ends with the process.
#[derive(Debug)]
pub(crate) struct WriterLock(#[expect(dead_code, reason = "held for its lock")] File);

impl WriterLock {
    /// Takes the lock of the index at `path` and writes into its file who holds it.
    pub(crate) fn take(path: &Path) -> Result<Self, IndexError> {
        let place = path.join("writer.lock");
        let failed = || IndexError::io(&place);
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&place);
        let mut file = options.map_err(failed())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Whatever is there is only shown.
                let _ = file.take(LONGEST).read_to_string(&mut holder);
                let holder = match holder.trim() {
                    "" => "a process that has not written down its name yet".to_owned(),
                    holder => holder.escape_debug().to_string(),
                };
                return Err(IndexError::Held { path: path.to_owned(), holder });
            }
            Err(TryLockError::Error(error)) => return Err(failed()(error)),
        }
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let line = format!(
            "process {} on {}, since {} seconds after 1970\n",
            std::process::id(),
            machine(),
            since.map_or(0, |since| since.as_secs())
        );
        file.seek(SeekFrom::Start(0)).map_err(failed())?;
        file.set_len(0).map_err(failed())?;
        file.write_all(line.as_bytes()).map_err(failed())?;
        Ok(Self(file))
    }
}

#[cfg(unix)]
fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn machine() -> String {
    "this machine".to_owned()
}

/// Refuses file systems that several machines share: their locks and their order of writes are not to be relied on.
#[cfg(target_os = "linux")]
pub(crate) fn refuse_network_file_system(path: &Path) -> Result<(), IndexError> {
    const SHARED: [(i64, &str); 9] = [
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB 2"),
        (0x5346_414f, "AFS"),
        (0x00c3_6400, "Ceph"),
        (0x0bd0_0bd0, "Lustre"),
        (0x4750_4653, "GPFS"),
        (0x0116_1970, "GFS2"),
    ];
    let found = rustix::fs::statfs(path).map_err(|error| IndexError::io(path)(error.into()))?;
    match SHARED.into_iter().find(|&(magic, _)| magic == found.f_type as i64) {
        Some((_, name)) => Err(IndexError::NetworkFileSystem { path: path.to_owned(), name }),
        None => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn refuse_network_file_system(_: &Path) -> Result<(), IndexError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_writer_learns_who_the_first_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let first = WriterLock::take(directory.path()).expect("nobody holds it");
        let error = WriterLock::take(directory.path()).expect_err("it is held").to_string();
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
        drop(first);
        WriterLock::take(directory.path()).expect("nobody holds it any more");
    }
}
