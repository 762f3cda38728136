//! Packages in a build without the features `archives` and `spill`: none is written.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use super::package_parts::{PackageAddition, PackageArchive, PackageCopy};
use crate::ReadSettings;

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
