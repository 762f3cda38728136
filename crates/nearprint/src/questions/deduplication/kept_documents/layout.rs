//! Which file of the input becomes which of the output.

use std::io;
use std::path::{Component, Path, PathBuf};

use nearprint_records::{FinishedFile, FinishedFolder, OutputPlace};

/// Where kept documents go: which file of the input becomes which of the output.
///
/// - One file is named: the output is a file.
/// - One directory is named: the output is a directory with the same files below it.
/// - Several are named: the output is a directory, and in it each has the path it was named by, less root and dots.
#[derive(Debug, Clone)]
pub struct KeptLayout {
    /// The directory that was named, where it was the only input.
    root: Option<PathBuf>,
    out: PathBuf,
    single: bool,
}

/// The output on its way.
#[derive(Debug)]
pub enum KeptOutput {
    /// One file.
    File(FinishedFile),
    /// Several, in a directory.
    Folder(FinishedFolder),
}

impl KeptLayout {
    /// The layout at `out` of these inputs, as they were named, and perhaps further ones.
    #[must_use]
    pub fn new(inputs: &[PathBuf], further: bool, out: &Path) -> Self {
        let only = match inputs {
            [only] if !further => Some(only),
            _ => None,
        };
        let root = only.filter(|only| only.is_dir()).cloned();
        Self { single: only.is_some() && root.is_none(), root, out: out.to_owned() }
    }

    /// Whether the output is one file, not a directory.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.single
    }

    /// Whether the output is `-`, which is standard output where it is one file.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        self.out.as_os_str() == "-"
    }

    /// Where the output goes, with links resolved.
    ///
    /// # Errors
    /// Where a directory is in the place of a file, or the path cannot be looked at.
    pub fn place(&self) -> io::Result<OutputPlace> {
        match (self.single, self.is_standard_output()) {
            (true, true) => Ok(OutputPlace::standard_output()),
            (true, false) => OutputPlace::of(&self.out),
            (false, _) => Ok(OutputPlace::new(&self.out)),
        }
    }

    /// Begins the output, whatever is there now: whether a file may be replaced,
    /// [`OutputCheck`](nearprint_records::OutputCheck) says.
    ///
    /// # Errors
    /// Where it cannot be made, or would replace a directory that is not empty.
    pub fn begin(&self) -> io::Result<KeptOutput> {
        Ok(if self.single {
            KeptOutput::File(FinishedFile::at(&self.place()?)?)
        } else {
            KeptOutput::Folder(FinishedFolder::create(&self.out)?)
        })
    }

    /// The path of a file of the input below the output directory.
    pub(super) fn below(&self, file: &Path) -> PathBuf {
        let within = self.root.as_ref().and_then(|root| file.strip_prefix(root).ok());
        let parts = within.unwrap_or(file).components();
        parts.filter(|part| matches!(part, Component::Normal(_))).collect()
    }
}

impl KeptOutput {
    /// Where it is until it is finished, for whoever must clean up before the process ends; `None` where it is written
    /// to as it is.
    #[must_use]
    pub fn part(&self) -> Option<&Path> {
        match self {
            Self::File(file) => file.part(),
            Self::Folder(folder) => Some(folder.part()),
        }
    }
}
