//! What a file that is replaced passes on to the file that takes its name.

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;

/// Regular file that is there already.
#[derive(Debug, Clone)]
pub(crate) struct ExistingFile {
    permissions: Permissions,
    #[cfg(unix)]
    owner: (u32, u32),
    /// Whether the file has other names, hard links, which a renamed file would part it from.
    pub(crate) has_other_names: bool,
}

impl ExistingFile {
    pub(crate) fn of(found: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Self {
                permissions: found.permissions(),
                owner: (found.uid(), found.gid()),
                has_other_names: found.nlink() > 1,
            }
        }
        #[cfg(not(unix))]
        Self { permissions: found.permissions(), has_other_names: false }
    }

    /// Gives another file the permissions and, where the system allows it, owner and group.
    pub(crate) fn pass_on(&self, to: &File) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::fchown;
            let (owner, group) = self.owner;
            // Only root gives files away, and others only to groups that they belong to.
            let _ = fchown(to, Some(owner), Some(group)).or_else(|_| fchown(to, None, Some(group)));
        }
        // After the owner, as a change of owner can clear bits.
        to.set_permissions(self.permissions.clone())
    }
}

/// Makes a file that is not there yet. One that will replace another is readable only to its owner until it has the
/// other's permissions.
pub(crate) fn create_beside(path: &Path, replaced: Option<&ExistingFile>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if replaced.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let file = options.open(path)?;
    if let Some(replaced) = replaced
        && let Err(error) = replaced.pass_on(&file)
    {
        // Nothing better can be done about an error here.
        let _ = std::fs::remove_file(path);
        return Err(error);
    }
    Ok(file)
}
