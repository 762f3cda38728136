//! What copies of packages are asked with, and what they give, in any build.

use std::io::{self, Write};
use std::path::Path;

/// What was written of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PackageCopy {
    /// Bytes.
    pub bytes: u64,
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
