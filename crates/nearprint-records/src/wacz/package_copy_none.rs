//! Packages in a build without the features `archives` and `spill`: none is written.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use crate::ReadSettings;

/// What was written of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PackageCopy {
    /// Bytes.
    pub bytes: u64,
    /// Pages that are not listed any more, as their captures are gone.
    pub pages: u64,
    /// Whether it was signed, and is not any more.
    pub lost_signature: bool,
}

/// A member that a copy has besides: its name, and what writes it.
pub type PackageAddition<'a> = (&'a str, &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>);

/// A WARC file of a package, which is a file of its own while it is looked at.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PackageArchive<'a> {
    /// Its name in the package, escaped as places have it.
    pub member: &'a str,
    /// Where it is meanwhile.
    pub path: &'a Path,
}

/// Refuses a package.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`].
pub fn each_package_archive(
    _: &Path,
    _: &ReadSettings,
    _: impl FnMut(PackageArchive<'_>) -> io::Result<()>,
) -> io::Result<()> {
    Err(missing())
}

/// Refuses a package.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`].
pub fn copy_package(
    _: &Path,
    _: &ReadSettings,
    _: Option<PackageAddition<'_>>,
    _: impl FnMut(PackageArchive<'_>, &mut (dyn Write + Send)) -> io::Result<Option<Vec<Range<u64>>>>,
    _: &mut (dyn Write + Send),
) -> io::Result<PackageCopy> {
    Err(missing())
}

fn missing() -> io::Error {
    let text = "this build does not write WACZ packages: compile it with the features \"archives\" and \"spill\"";
    io::Error::new(io::ErrorKind::Unsupported, text)
}
