//! Which file a path or descriptor leads to, whatever its name: hard links and symbolic links have the identity of
//! their file.

use std::fs::Metadata;
use std::io;
use std::path::Path;

/// The identity of a file: its device and inode. On systems without these it is the canonical path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
    #[cfg(not(unix))]
    path: std::path::PathBuf,
}

impl FileIdentity {
    /// The file that a path leads to, links followed.
    ///
    /// # Errors
    /// If it leads to nothing, or cannot be examined.
    pub fn of(path: &Path) -> io::Result<Self> {
        #[cfg(unix)]
        return std::fs::metadata(path).map(|found| Self::of_metadata(&found));
        #[cfg(not(unix))]
        return path.canonicalize().map(|path| Self { path });
    }

    #[cfg(unix)]
    fn of_metadata(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device_and_inode: (found.dev(), found.ino()) }
    }
}

/// A standard stream of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standard {
    /// Standard input.
    Input,
    /// Standard output.
    Output,
}

impl Standard {
    /// What it leads to, where the system can say.
    #[must_use]
    pub fn metadata(self) -> Option<Metadata> {
        self.duplicate()?.metadata().ok()
    }

    /// The identity of what it leads to.
    #[must_use]
    pub fn identity(self) -> Option<FileIdentity> {
        #[cfg(unix)]
        return self.metadata().map(|found| FileIdentity::of_metadata(&found));
        #[cfg(not(unix))]
        return None;
    }

    /// Another descriptor of the same open file: what is written to it comes after what was written before.
    #[must_use]
    pub fn duplicate(self) -> Option<std::fs::File> {
        #[cfg(unix)]
        {
            use std::os::fd::AsFd;
            let owned = match self {
                Self::Input => std::io::stdin().as_fd().try_clone_to_owned(),
                Self::Output => std::io::stdout().as_fd().try_clone_to_owned(),
            };
            owned.ok().map(std::fs::File::from)
        }
        #[cfg(not(unix))]
        None
    }
}
