//! Indexes of captures (CDX, CDXJ) among the files of an import: they name captures, and are not documents.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use nearprint::records::{CaptureLines, InputFile, ReadSettings};

/// Bytes of a file that say whether it is an index of captures.
const LOOK: u64 = 64 << 10;

/// Whether a file is an index of captures, compressed or not. Files in folders are looked into only where their names
/// say so.
pub(super) fn is_capture_index(path: &Path) -> bool {
    let Ok(file) = InputFile::open(path) else { return false };
    let mut beginning = Vec::new();
    let reader = file.into_reader(&ReadSettings::default());
    if reader.take(LOOK).read_to_end(&mut beginning).is_err() && beginning.is_empty() {
        return false;
    }
    CaptureLines::<&[u8]>::is_begun_by(&beginning)
}

/// Whether the name of a file says that it is an index of captures.
fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
    name.is_some_and(|name| name.split('.').skip(1).any(|part| matches!(part, "cdx" | "cdxj")))
}

/// The indexes of captures among files, and the other files.
pub(super) fn parted(files: impl Iterator<Item = PathBuf>) -> (Vec<PathBuf>, Vec<PathBuf>) {
    files.partition(|file| is_named_so(file) && is_capture_index(file))
}

/// The lines of an index of captures, which is called `name` in errors.
pub(super) fn lines(
    path: &Path,
    name: &str,
) -> std::io::Result<CaptureLines<impl std::io::BufRead>> {
    let reader = InputFile::open(path)?.into_reader(&ReadSettings::default());
    Ok(CaptureLines::new(name, BufReader::new(reader)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_told_by_name_and_content() {
        let directory = tempfile::tempdir().unwrap();
        let line = "e 20260101020304 {\"url\":\"http://e.org/\"}\n";
        for (name, text, is_index, is_parted) in [
            ("a.cdxj", line, true, true),
            ("b.CDX.txt", line, true, true),
            ("c.txt", line, true, false),
            ("d.cdx", "Fog came in at noon", false, false),
        ] {
            let path = directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(is_capture_index(&path), is_index, "{name}");
            let (indexes, others) = parted(std::iter::once(path.clone()));
            assert_eq!(
                (indexes.len(), others.len()),
                (usize::from(is_parted), usize::from(!is_parted))
            );
            assert_eq!(lines(&path, name).unwrap().filter(Result::is_ok).count() == 1, is_index);
        }
        assert!(!is_capture_index(&directory.path().join("missing.cdx")));
    }
}
