//! A source of files: named paths, and all files below named directories.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};

#[cfg(feature = "directories")]
mod walk;
#[cfg(not(feature = "directories"))]
#[path = "files/walk_none.rs"]
mod walk;

use self::walk::Walk;
use crate::{Content, Document, DocumentId, ErrorRecord, Place, ReasonCode, Selection};

/// The settings of a [`FileSource`].
#[derive(Debug, Clone)]
pub struct FileSettings {
    /// Which files of directories are read.
    pub selection: Selection,
    /// Whether links found in directories are followed. Named links always are.
    pub follow_links: bool,
    /// Bytes read of standard input, at most one more than this; files are measured, not read, here.
    pub max_bytes: u64,
}

impl Default for FileSettings {
    fn default() -> Self {
        Self { selection: Selection::new(), follow_links: false, max_bytes: 1 << 30 }
    }
}

/// Files as documents. The id of each is its path (see [`DocumentId`]).
///
/// - Paths are read in the order given; the same path twice gives two documents (whoever reads them may see that they
///   are one file).
/// - A **directory** is walked with everything below it, in the byte order of the paths, except what the [`Selection`]
///   excludes. Files below `docs` have ids `docs/...`.
/// - A named **link** is followed. Links found in directories are skipped, unless
///   [`follow_links`](FileSettings::follow_links) is set; then a link to a directory above it is an error record, and
///   so is a broken link.
/// - Named **devices, pipes and sockets** are error records; in directories they are skipped. They are never opened,
///   because opening may block for ever or have side effects. So are files of the kernel (procfs, sysfs, debugfs,
///   tracefs on Linux), which call themselves regular.
/// - `-` is **standard input**, read to its end; a file of that name is named `./-`.
///
/// ```no_run
/// use nearprint_records::{FileSettings, FileSource};
///
/// for found in FileSource::new(["reports", "notes.txt"], FileSettings::default()) {
///     match found {
///         Ok(document) => println!("{} has {} bytes", document.id, document.length()),
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// ```
pub struct FileSource {
    named: Box<dyn Iterator<Item = Result<PathBuf, ErrorRecord>> + Send>,
    settings: FileSettings,
    walk: Option<Walk>,
}

impl FileSource {
    /// The files named by `paths`.
    pub fn new(
        paths: impl IntoIterator<Item = impl Into<PathBuf>>,
        settings: FileSettings,
    ) -> Self {
        let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
        Self::from_results(paths.into_iter().map(Ok), settings)
    }

    /// The same where naming can fail too, as in a [`PathList`](crate::PathList).
    pub fn from_results(
        paths: impl IntoIterator<Item = Result<PathBuf, ErrorRecord>, IntoIter: Send + 'static>,
        settings: FileSettings,
    ) -> Self {
        Self { named: Box::new(paths.into_iter()), settings, walk: None }
    }

    /// What a named path yields immediately; a directory yields nothing yet.
    fn named(&mut self, path: PathBuf) -> Option<Result<Document, ErrorRecord>> {
        if path.as_os_str() == OsStr::new("-") {
            return Some(self.standard_input());
        }
        match std::fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                self.walk = Some(Walk::new(path, &self.settings));
                None
            }
            Ok(found) if found.is_file() => Some(match kernel_file(&path) {
                Some(system) => Err(error(&path, ReasonCode::NOT_A_FILE, not_stored(system))),
                None => document(path, found.len()),
            }),
            Ok(found) => Some(Err(error(
                &path,
                ReasonCode::NOT_A_FILE,
                format!("is {}, not a file; pass its content on standard input (-)", kind(&found)),
            ))),
            Err(cause) => Some(Err(error(&path, ReasonCode::UNREADABLE, cause.to_string()))),
        }
    }

    fn standard_input(&self) -> Result<Document, ErrorRecord> {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(self.settings.max_bytes.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|cause| error(Path::new("-"), ReasonCode::UNREADABLE, cause.to_string()))?;
        let id = DocumentId::new("-").expect("a hyphen is an id");
        Ok(Document::from_bytes(id, bytes))
    }
}

impl Iterator for FileSource {
    type Item = Result<Document, ErrorRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(walk) = &mut self.walk {
                match walk.next() {
                    Some(found) => return Some(found),
                    None => self.walk = None,
                }
            }
            let found = match self.named.next()? {
                Ok(path) => self.named(path),
                Err(error) => Some(Err(error)),
            };
            if found.is_some() {
                return found;
            }
        }
    }
}

fn document(path: PathBuf, length: u64) -> Result<Document, ErrorRecord> {
    match DocumentId::from_path(&path) {
        Ok(id) => {
            let place = Place::file(&path);
            Ok(Document::new(id, place, Content::File { path, length }))
        }
        Err(cause) => Err(error(&path, ReasonCode::BAD_ID, cause.to_string())),
    }
}

fn error(path: &Path, reason: ReasonCode, detail: String) -> ErrorRecord {
    ErrorRecord {
        id: DocumentId::from_path(path).ok(),
        place: Place::file(path),
        reason,
        detail: detail.into(),
    }
}

/// The file system of a file that the kernel makes up when it is read, such as `/proc/kmsg`: reading it may wait for
/// ever.
#[cfg(target_os = "linux")]
pub(crate) fn kernel_file(path: &Path) -> Option<&'static str> {
    const SYSTEMS: [(u64, &str); 4] = [
        (0x9FA0, "procfs"),
        (0x6265_6572, "sysfs"),
        (0x6462_6720, "debugfs"),
        (0x7472_6163, "tracefs"),
    ];
    let kind = u64::try_from(rustix::fs::statfs(path).ok()?.f_type).ok()?;
    SYSTEMS.iter().find(|(magic, _)| *magic == kind).map(|(_, name)| *name)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn kernel_file(_: &Path) -> Option<&'static str> {
    None
}

pub(crate) fn not_stored(system: &str) -> String {
    format!("is a file of {system}, which is not stored; pass its content on standard input (-)")
}

/// What something that is neither file nor directory is, in words.
fn kind(found: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    let _ = found;
    "something else"
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::InputFile;

    /// Reading `/proc/kmsg` waits for the kernel to say something.
    #[test]
    fn files_that_are_not_stored_are_refused_before_they_are_opened() {
        for path in ["/proc/kmsg", "/proc/self/status"] {
            let found: Vec<_> = FileSource::new([path], FileSettings::default()).collect();
            let [Err(error)] = &found[..] else { panic!("{found:?}") };
            assert_eq!(error.reason, ReasonCode::NOT_A_FILE);
            assert!(error.detail.contains("is a file of procfs"), "{error}");
            assert!(InputFile::open(Path::new(path)).is_err());
        }
        let found = FileSource::new(["/proc/self/attr"], FileSettings::default());
        assert_eq!(found.filter(Result::is_ok).count(), 0);
        // A descriptor leads to a file that is stored.
        let file = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
        assert!(FileSource::new([path], FileSettings::default()).all(|found| found.is_ok()));
    }
}
