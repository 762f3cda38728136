//! A store for spilled joins: one file a run, in a folder of its own that goes with it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use nearprint_search::{Spill, SpillError};

pub struct Folder {
    path: PathBuf,
    runs: HashMap<u32, File>,
    pub bytes: u64,
}

impl Folder {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("nearprint-bench-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self { path, runs: HashMap::new(), bytes: 0 }
    }
}

impl Spill for Folder {
    fn append(&mut self, run: u32, bytes: &[u8]) -> Result<(), SpillError> {
        let file = match self.runs.entry(run) {
            std::collections::hash_map::Entry::Occupied(file) => file.into_mut(),
            std::collections::hash_map::Entry::Vacant(empty) => {
                let path = self.path.join(run.to_string());
                empty.insert(File::options().create_new(true).read(true).write(true).open(path)?)
            }
        };
        self.bytes += bytes.len() as u64;
        Ok(file.write_all(bytes)?)
    }

    fn read(&mut self, run: u32, offset: u64, into: &mut [u8]) -> Result<(), SpillError> {
        let file = self.runs.get(&run).ok_or("no such run")?;
        Ok(file.read_exact_at(into, offset)?)
    }

    fn remove(&mut self, run: u32) -> Result<(), SpillError> {
        if self.runs.remove(&run).is_some() {
            fs::remove_file(self.path.join(run.to_string()))?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over is in the system's folder for such files.
        let _ = fs::remove_dir_all(&self.path);
    }
}
