//! How much an input is before it is read: its files' lengths, and the rows that tables say they have.

use std::collections::HashMap;
use std::path::PathBuf;

use nearprint_records::{Content, FileSource, InputFile};

use crate::{InputFormat, InputSettings, table_files};

/// The files of an input, as they were when it was made.
///
/// ```
/// use nearprint::{InputSettings, InputSize};
/// # let directory = tempfile::tempdir().unwrap();
/// # std::fs::write(directory.path().join("page.txt"), "Fog came in at noon.").unwrap();
///
/// let size = InputSize::of([directory.path()], &InputSettings::default());
/// assert_eq!((size.files(), size.bytes()), (1, 20));
/// ```
#[derive(Debug, Clone, Default)]
pub struct InputSize {
    /// By their escaped paths.
    files: HashMap<Box<str>, FileSize>,
    bytes: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct FileSize {
    path: PathBuf,
    pub(crate) bytes: u64,
}

/// Bytes of input from which on work takes some seconds, and a sample of it next to nothing.
const LARGE: u64 = 64 << 20;

impl InputSize {
    /// Whether it is worth stating what the work takes before it is begun: 64 MiB and more.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.bytes >= LARGE
    }

    /// Looks for the files that an [`InputSource`](crate::InputSource) of these paths finds. Nothing in them is read.
    pub fn of(
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
        settings: &InputSettings,
    ) -> Self {
        let mut size = Self::default();
        for document in FileSource::new(paths, settings.files.clone()).flatten() {
            if let Content::File { path, length: bytes } = document.content {
                size.bytes += bytes;
                size.files.insert(document.place.file, FileSize { path, bytes });
            }
        }
        size
    }

    /// Number of files.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files.len() as u64
    }

    /// Bytes of all of them, as they are stored.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes of the largest package of web archives (WACZ), by the names of the files.
    #[must_use]
    pub fn largest_package(&self) -> u64 {
        let is_package = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wacz"))
        };
        let packages = self.files.values().filter(|file| is_package(&file.path));
        packages.map(|file| file.bytes).max().unwrap_or(0)
    }

    /// The files by their escaped paths.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&str, &FileSize)> {
        self.files.iter().map(|(name, file)| (&**name, file))
    }

    /// Bytes of the file of this name.
    pub(crate) fn bytes_of(&self, name: &str) -> u64 {
        self.files.get(name).map_or(0, |file| file.bytes)
    }
}

impl FileSize {
    /// Rows that the file says it has, where it is a table.
    pub(crate) fn rows(&self, settings: &InputSettings) -> Option<u64> {
        let container = match settings.format {
            InputFormat::Auto => {
                InputFile::open(&self.path).ok()?.container(&settings.reading).ok()?
            }
            InputFormat::Files => None,
            InputFormat::Container(container) => Some(container),
        };
        table_files::rows(&self.path, container?)
    }
}
