//! Whether an output that is there already was written by the job that is resumed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::{Head, number_of};

/// Bytes of a head's line, at most; it has five short fields.
const LONGEST_HEAD: u64 = 1 << 16;

/// Whether the job in `folder` has all its records, and `output` was written after them: only then does a job write its
/// output, and it was interrupted before its folder was removed.
pub(crate) fn wrote_output(folder: &Path, output: &Path) -> bool {
    last_part(folder).is_some_and(|part| {
        let written = |path: &Path| std::fs::metadata(path).and_then(|found| found.modified());
        matches!((written(&part), written(output)), (Ok(part), Ok(output)) if part <= output)
    })
}

/// The part that says that no further one follows.
fn last_part(folder: &Path) -> Option<std::path::PathBuf> {
    let names = std::fs::read_dir(folder).ok()?.flatten();
    let numbers = names.filter_map(|entry| number_of(entry.file_name().to_str()?));
    let path = folder.join(super::part_name(numbers.max()?));
    let mut head = Vec::new();
    BufReader::new(File::open(&path).ok()?.take(LONGEST_HEAD)).read_until(b'\n', &mut head).ok()?;
    let head: Head = serde_json::from_slice(&head).ok()?;
    head.last.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folder, PartSize, Parts};

    #[test]
    fn only_a_job_with_all_its_records_has_written() {
        let directory = tempfile::tempdir().unwrap();
        let (folder, output) = (directory.path().join("job"), directory.path().join("out"));
        std::fs::write(&output, "before").unwrap();
        let open =
            || Parts::open(Folder::open(&folder).unwrap(), "x", PartSize::default()).unwrap();
        let mut parts = open();
        parts.push(b"one", "a").unwrap();
        parts.commit().unwrap();
        std::fs::write(&output, "meanwhile").unwrap();
        assert!(!wrote_output(&folder, &output));
        std::thread::sleep(std::time::Duration::from_millis(20));
        parts.finish().unwrap();
        assert!(!wrote_output(&folder, &output), "older than the records");
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::fs::write(&output, "after").unwrap();
        assert!(wrote_output(&folder, &output));
        assert!(!wrote_output(&directory.path().join("none"), &output));
    }
}
