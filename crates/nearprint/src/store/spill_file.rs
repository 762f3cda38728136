//! Where a join puts what does not fit in memory: runs of bytes in one file without a name.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::store::temporary_file::TemporaryFile;
use nearprint_search::{Spill, SpillError};

/// All runs of a join. Stretches of runs that are done with are given back to the file system where it can take them.
#[derive(Debug)]
pub(crate) struct SpillFile {
    file: TemporaryFile,
    end: u64,
    runs: HashMap<u32, Vec<Stretch>>,
}

/// Bytes of a run that lie together.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    at: u64,
    length: u64,
}

impl SpillFile {
    /// An empty file in a directory.
    pub(crate) fn create(directory: &Path) -> io::Result<Self> {
        Ok(Self { file: TemporaryFile::create("pairs", directory)?, end: 0, runs: HashMap::new() })
    }
}

impl Spill for SpillFile {
    fn append(&mut self, run: u32, bytes: &[u8]) -> Result<(), SpillError> {
        self.file.write_all_at(bytes, self.end)?;
        let (at, length) = (self.end, bytes.len() as u64);
        self.end += length;
        let stretches = self.runs.entry(run).or_default();
        match stretches.last_mut() {
            Some(last) if last.at + last.length == at => last.length += length,
            _ => stretches.push(Stretch { at, length }),
        }
        Ok(())
    }

    fn read(&mut self, run: u32, offset: u64, mut into: &mut [u8]) -> Result<(), SpillError> {
        let mut skip = offset;
        for stretch in self.runs.get(&run).map_or(&[][..], Vec::as_slice) {
            if skip >= stretch.length {
                skip -= stretch.length;
                continue;
            }
            let here = (stretch.length - skip).min(into.len() as u64);
            let (now, later) = into.split_at_mut(here as usize);
            self.file.read_exact_at(now, stretch.at + skip)?;
            (into, skip) = (later, 0);
            if into.is_empty() {
                return Ok(());
            }
        }
        if into.is_empty() {
            Ok(())
        } else {
            Err(io::Error::from(io::ErrorKind::UnexpectedEof).into())
        }
    }

    fn remove(&mut self, run: u32) -> Result<(), SpillError> {
        for stretch in self.runs.remove(&run).unwrap_or_default() {
            give_back(self.file.file(), stretch);
        }
        Ok(())
    }
}

/// Frees a stretch; where the file system cannot, it is freed with the file.
#[cfg(all(feature = "spill", any(target_os = "linux", target_os = "android")))]
fn give_back(file: &File, stretch: Stretch) {
    use rustix::fs::{FallocateFlags, fallocate};

    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    let _ = fallocate(file, flags, stretch.at, stretch.length);
}

#[cfg(not(all(feature = "spill", any(target_os = "linux", target_os = "android"))))]
fn give_back(_: &File, _: Stretch) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_as_they_were_appended_and_leave_no_name() {
        let directory = tempfile::tempdir().unwrap();
        let mut spill = SpillFile::create(directory.path()).unwrap();
        let mut wanted = vec![Vec::new(); 3];
        for step in 0..200u32 {
            let run = (step * step + step / 5) % 3;
            let bytes = vec![step as u8; step as usize % 17];
            spill.append(run, &bytes).unwrap();
            wanted[run as usize].extend(bytes);
        }
        for (run, wanted) in (0u32..).zip(&wanted) {
            for (offset, length) in [(0, wanted.len()), (1, wanted.len() / 2), (wanted.len(), 0)] {
                let length = length.min(wanted.len() - offset);
                let mut found = vec![0; length];
                spill.read(run, offset as u64, &mut found).unwrap();
                assert_eq!(found, wanted[offset..offset + length]);
            }
            assert!(spill.read(run, 1, &mut vec![0; wanted.len()]).is_err());
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        spill.remove(1).unwrap();
        assert!(spill.read(1, 0, &mut [0]).is_err());
        spill.append(1, b"anew").unwrap();
        let mut anew = [0; 4];
        spill.read(1, 0, &mut anew).unwrap();
        assert_eq!(&anew, b"anew");
    }
}
