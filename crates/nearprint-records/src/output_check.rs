//! Whether outputs may be written where they are to go: never over an input, and over another file only where that is
//! allowed.
//!
//! Files are compared by device and inode, so that other names, links and redirected standard streams are seen through.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nearprint_output::{FileIdentity, OutputPlace, Standard, remove_abandoned_parts};

use crate::parts::wrote_output;
use crate::{Content, FileSettings, FileSource, escape};

/// The outputs of some work, to be checked before it begins.
///
/// Inputs are the files that are named, the files that are taken of the directories named, and what standard input
/// comes from. What is not a regular file (a device, a named pipe) may always be written to.
///
/// ```
/// use nearprint_records::{FileSettings, OutputCheck, OutputRefusal};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let (rows, other) = (directory.path().join("rows.jsonl"), directory.path().join("other"));
/// # std::fs::write(&rows, "{}").unwrap();
/// # std::fs::write(&other, "old").unwrap();
/// let mut check = OutputCheck::new(false);
/// check.file(&rows)?;
/// let refused = check.against([rows], &FileSettings::default()).unwrap_err();
/// assert!(matches!(refused, OutputRefusal::IsInput { .. }));
///
/// let mut check = OutputCheck::new(false);
/// check.file(&other)?;
/// let refused = check.against([], &FileSettings::default()).unwrap_err();
/// assert!(matches!(refused, OutputRefusal::Exists { .. }));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct OutputCheck {
    /// Whether files that are not input may be replaced.
    overwrite: bool,
    /// Regular files that are there already, with the names they go by in messages.
    there: HashMap<FileIdentity, String>,
    /// Those of them that would be replaced.
    replaced: Vec<PathBuf>,
    /// The paths of all outputs that appear at the end, without links, and as they were named.
    appearing: Vec<(PathBuf, String)>,
    /// The job's directory, with the path as it was named.
    job: Option<PathBuf>,
}

/// Why an output may not be written. The names are escaped as ids are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputRefusal {
    /// It is an input, too.
    IsInput {
        /// The output.
        output: String,
        /// The input that leads to the same file.
        input: String,
    },
    /// A file is there already.
    Exists {
        /// The output.
        output: String,
    },
    /// Two outputs go to one file.
    SameFile {
        /// The output.
        output: String,
        /// The other one.
        other: String,
    },
    /// While the work is done it lies in a directory that is read, and its files would be read as documents.
    ReadAsInput {
        /// The output or the job's directory.
        output: String,
        /// The directory.
        directory: String,
    },
}

impl fmt::Display for OutputRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IsInput { output, input } if output == input => {
                write!(f, "{output} is both an input and an output")
            }
            Self::IsInput { output, input } => {
                write!(f, "{output} is the same file as the input {input}")
            }
            Self::Exists { output } => write!(f, "{output} exists"),
            Self::SameFile { output, other } if output == other => {
                write!(f, "{output} is named for two outputs")
            }
            Self::SameFile { output, other } => {
                write!(f, "the outputs {output} and {other} are the same file")
            }
            Self::ReadAsInput { output, directory } => {
                write!(
                    f,
                    "{output} is in {directory}, whose files are inputs, so it would be read as \
                        a document"
                )
            }
        }
    }
}

impl std::error::Error for OutputRefusal {}

/// How standard output is called in messages.
const STANDARD_OUTPUT: &str = "standard output";

fn name(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes())
}

impl OutputCheck {
    /// No outputs yet. `overwrite` says whether files that are not input may be replaced.
    #[must_use]
    pub fn new(overwrite: bool) -> Self {
        Self { overwrite, ..Self::default() }
    }

    /// Removes what killed processes have left of these outputs, unfinished. For a job that is resumed: while its
    /// folder is locked, no other process writes them.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove_abandoned(&self) -> io::Result<()> {
        self.appearing.iter().try_for_each(|(path, _)| remove_abandoned_parts(path))
    }

    /// Adds an output that is one file; `-` is standard output.
    ///
    /// # Errors
    /// If the path leads to a directory or cannot be examined.
    pub fn file(&mut self, path: &Path) -> io::Result<()> {
        if path.as_os_str() == "-" {
            self.standard_output();
            return Ok(());
        }
        let place = OutputPlace::of(path)?;
        if place.is_standard_output() {
            self.standard_output();
        } else if let Some(identity) = place.identity() {
            self.there.insert(identity.clone(), name(path));
            self.replaced.push(path.to_owned());
            self.appearing.push((real(path), name(path)));
        } else if let Some(path_of_new) = place.path() {
            // A link that leads to nothing is there, too, and what it names may be anywhere.
            if path.is_symlink() {
                self.replaced.push(path.to_owned());
            }
            self.appearing.push((real(path_of_new), name(path)));
        }
        Ok(())
    }

    /// Adds an output that is a directory. It must be new or empty, which [`FinishedFolder`](crate::FinishedFolder)
    /// sees to.
    pub fn folder(&mut self, path: &Path) {
        self.appearing.push((real(path), name(path)));
    }

    /// Adds standard output, which may have been redirected to a file.
    pub fn standard_output(&mut self) {
        let is_file = Standard::Output.metadata().is_some_and(|found| found.is_file());
        if let Some(identity) = Standard::Output.identity().filter(|_| is_file) {
            self.there.insert(identity, STANDARD_OUTPUT.to_owned());
        }
    }

    /// Adds the directory of a job that can be resumed. What such a job wrote before it was interrupted may be written
    /// again.
    pub fn job(&mut self, path: &Path) {
        self.job = Some(path.to_owned());
    }

    /// The output that a path leads to, by its name.
    fn is_output(&self, input: &Path) -> Option<&str> {
        if self.there.is_empty() {
            return None;
        }
        let identity = if input.as_os_str() == "-" {
            Standard::Input.identity()?
        } else {
            FileIdentity::of(input).ok()?
        };
        self.there.get(&identity).map(String::as_str)
    }

    /// Compares the outputs with the inputs, as `settings` take them, and with what is there. Directories are walked
    /// only where an output is a file that is there already.
    ///
    /// # Errors
    /// The first output that may not be written.
    pub fn against(
        &self,
        inputs: impl IntoIterator<Item = PathBuf>,
        settings: &FileSettings,
    ) -> Result<(), OutputRefusal> {
        for input in inputs {
            self.against_input(&input, settings)?;
        }
        self.compare_outputs()?;
        if self.overwrite {
            return Ok(());
        }
        let wrote = |path: &&PathBuf| !self.job.as_ref().is_some_and(|job| wrote_output(job, path));
        match self.replaced.iter().find(wrote) {
            Some(path) => Err(OutputRefusal::Exists { output: name(path) }),
            None => Ok(()),
        }
    }

    /// Compares the outputs with one input, a file or a directory: for inputs whose names are known only while the work
    /// is done.
    ///
    /// # Errors
    /// The output that is the same file, or would be read as part of the directory.
    pub fn against_input(
        &self,
        input: &Path,
        settings: &FileSettings,
    ) -> Result<(), OutputRefusal> {
        let same = |path: &Path| match self.is_output(path) {
            Some(output) => {
                Err(OutputRefusal::IsInput { output: output.to_owned(), input: name(path) })
            }
            None => Ok(()),
        };
        if !input.is_dir() {
            return same(input);
        }
        self.read_as_input(input, settings)?;
        if self.there.is_empty() {
            return Ok(());
        }
        for found in FileSource::new([input], settings.clone()).flatten() {
            if let Content::File { path, .. } = &found.content {
                same(path)?;
            }
        }
        Ok(())
    }

    /// Whether unfinished outputs or the job's files would be read as files of this directory.
    fn read_as_input(&self, input: &Path, settings: &FileSettings) -> Result<(), OutputRefusal> {
        let directory = real(input);
        // A file of each, by the names that they have while the work is done.
        let parts = self.appearing.iter().map(|(path, named)| {
            let file = path.file_name().map(|file| file.to_string_lossy()).unwrap_or_default();
            (path.with_file_name(format!(".{file}.1-0.part")), named.clone())
        });
        let job = self.job.iter().map(|job| (real(job).join("job.json"), name(job)));
        for (path, output) in parts.chain(job) {
            let Ok(relative) = path.strip_prefix(&directory) else { continue };
            let above = relative.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
            let selection = &settings.selection;
            if selection.takes(relative) && above.into_iter().all(|above| selection.enters(above)) {
                return Err(OutputRefusal::ReadAsInput { output, directory: name(input) });
            }
        }
        Ok(())
    }

    fn compare_outputs(&self) -> Result<(), OutputRefusal> {
        let mut met: HashMap<&Path, &str> = HashMap::new();
        for (path, output) in &self.appearing {
            if let Some(other) = met.insert(path, output) {
                return Err(OutputRefusal::SameFile {
                    output: other.to_owned(),
                    other: output.clone(),
                });
            }
        }
        Ok(())
    }
}

/// A path without links, as far as it leads to something.
fn real(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let above = match path.parent() {
        Some(above) if above.as_os_str().is_empty() => Path::new(".").canonicalize(),
        Some(above) => Ok(real(above)),
        None => Err(io::ErrorKind::NotFound.into()),
    };
    match (above, path.file_name()) {
        (Ok(above), Some(file)) => above.join(file),
        _ => path.to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::Selection;
    use std::os::unix::fs::symlink;

    fn check(overwrite: bool, output: &Path, inputs: &[&Path]) -> Result<(), OutputRefusal> {
        let mut check = OutputCheck::new(overwrite);
        check.file(output).unwrap();
        check.against(inputs.iter().map(|&path| path.to_owned()), &FileSettings::default())
    }

    #[test]
    fn an_input_is_never_replaced_by_whatever_name() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::create_dir(path("d")).unwrap();
        std::fs::write(path("d/file"), "x").unwrap();
        std::fs::hard_link(path("d/file"), path("hard")).unwrap();
        symlink("d/file", path("soft")).unwrap();
        std::fs::write(path("other"), "x").unwrap();
        for output in ["d/file", "hard", "soft", "d/../d/file"] {
            for input in ["d/file", "hard", "soft", "d"] {
                for overwrite in [false, true] {
                    let refused = check(overwrite, &path(output), &[&path("other"), &path(input)]);
                    assert!(
                        matches!(refused, Err(OutputRefusal::IsInput { .. })),
                        "{output} {input}: {refused:?}"
                    );
                }
            }
        }
        let refused = check(false, &path("other"), &[&path("d")]);
        assert!(matches!(refused, Err(OutputRefusal::Exists { .. })), "{refused:?}");
        assert_eq!(check(true, &path("other"), &[&path("d")]), Ok(()));
        assert_eq!(check(false, &path("d/new"), &[&path("d")]), Ok(()));
        assert_eq!(check(false, Path::new("/dev/null"), &[&path("d")]), Ok(()));
    }

    #[test]
    fn two_outputs_are_two_files() {
        let directory = tempfile::tempdir().unwrap();
        let mut check = OutputCheck::new(true);
        check.file(&directory.path().join("x")).unwrap();
        check.file(&directory.path().join("../").join(directory.path()).join("x")).unwrap();
        let refused = check.against([], &FileSettings::default());
        assert!(matches!(refused, Err(OutputRefusal::SameFile { .. })), "{refused:?}");
    }

    #[test]
    fn what_is_unfinished_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let input = directory.path().to_owned();
        let of = |hidden: bool, job: &str| {
            let mut check = OutputCheck::new(false);
            check.file(&input.join("out")).unwrap();
            check.job(&input.join(job));
            let selection = Selection::new().exclude(&["left-out"]).unwrap().hidden(hidden);
            let settings = FileSettings { selection, ..FileSettings::default() };
            check.against([input.clone()], &settings)
        };
        assert!(matches!(of(false, "job"), Err(OutputRefusal::ReadAsInput { .. })));
        assert!(matches!(of(true, "left-out"), Err(OutputRefusal::ReadAsInput { .. })));
        assert_eq!(of(false, "left-out"), Ok(()));
        assert_eq!(of(false, ".job"), Ok(()));
    }
}
