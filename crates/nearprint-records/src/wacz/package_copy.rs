//! A package once more, with other WARC files: its indexes, its lists of pages and what it says of itself follow.
//!
//! WARC files and compressed indexes are stored, as the format asks, and as readers that look up a capture by its place
//! need it; other members are compressed. What was signed is another package now, so the signature goes.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::archive_file::ArchiveFile;
use super::directory::{Member, members};
use super::index_copy::IndexCopy;
use super::manifest::{MANIFEST, MANIFEST_DIGEST, read_description, stated_digest};
use super::member_reader::{MemberReader, OpenPackage};
use super::moved_records::{MovedRecords, last_part};
use super::package_parts::{PackageAddition, PackageArchive, PackageCopy};
use super::package_writer::PackageWriter;
use super::page_copy::{copy_pages, is_list};
use super::{is_archive, is_index};
use crate::{ReadSettings, escape};

/// Gives all WARC files of a package to `take`, in the order of its members. What is not a package has none.
///
/// # Errors
/// Where the package or a temporary file cannot be read, and the first one of `take`.
pub fn each_package_archive(
    path: &Path,
    settings: &ReadSettings,
    mut take: impl FnMut(PackageArchive<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let (package, members) = open(path, settings)?;
    for member in members.iter().filter(|member| is_archive(&member.name)) {
        let file = on_its_own(&package, member)?;
        take(PackageArchive { member: &escape(member.name.as_bytes()), path: file.path() })?;
    }
    Ok(())
}

/// Copies a package to `to`. `rewrite` is asked about each WARC file: it writes what comes in its place and gives the
/// stretches of records that are not in it, ascending, or `None` where the file stays as it is; all other records must
/// be there in their order. `addition` is a file more, which is written by the closure. Temporary files take as much
/// disk as the package and its largest WARC file twice.
///
/// # Errors
/// Those of the files and of `rewrite`; [`io::ErrorKind::Unsupported`] where a WARC file that changes is compressed as
/// a whole.
pub fn copy_package(
    path: &Path,
    settings: &ReadSettings,
    addition: Option<PackageAddition<'_>>,
    mut rewrite: impl FnMut(
        PackageArchive<'_>,
        &mut (dyn Write + Send),
    ) -> io::Result<Option<Vec<Range<u64>>>>,
    to: &mut (dyn Write + Send),
) -> io::Result<PackageCopy> {
    let (package, members) = open(path, settings)?;
    let mut out = PackageWriter::create()?;
    let mut copy = PackageCopy::default();
    let mut moved = MovedRecords::default();
    let mut description = None;
    check_names(&members)?;
    for member in &members {
        let name = &*member.name;
        if is_archive(name) {
            let file = on_its_own(&package, member)?;
            let mut changed = ArchiveFile::create()?;
            let shown = escape(name.as_bytes());
            let archive = PackageArchive { member: &shown, path: file.path() };
            match rewrite(archive, changed.file_mut())? {
                None => out.copy(name, &mut file.reopen()?)?,
                Some(dropped) => {
                    moved.take(name, [file.path(), changed.path()], &dropped, settings)?;
                    out.copy(name, &mut changed.reopen()?)?;
                }
            }
        } else if name == MANIFEST {
            description = Some(read_description(&package, member)?);
        } else if name == MANIFEST_DIGEST {
            let bytes = read_description(&package, member)?;
            copy.lost_signature = stated_digest(&bytes).is_some_and(|(_, is_signed)| is_signed);
        } else if !is_index(name)
            && !is_list(name)
            && addition.as_ref().is_none_or(|(added, _)| name != *added)
        {
            out.copy(name, &mut MemberReader::open(&package, member)?)?;
        }
    }
    for member in members.iter().filter(|member| is_list(&member.name)) {
        out.begin(&member.name)?;
        let reader = MemberReader::open(&package, member)?;
        copy_pages(reader, &moved, &mut out)?;
    }
    let indexes = IndexCopy { package: &package, members: &members, moved: &moved };
    indexes.write(settings, &mut out)?;
    if let Some((name, write)) = addition {
        out.begin(name)?;
        write(&mut out)?;
    }
    copy.bytes = out.finish(description.as_deref(), to)?;
    Ok(copy)
}

fn open(path: &Path, settings: &ReadSettings) -> io::Result<(OpenPackage, Vec<Member>)> {
    let package = OpenPackage::new(File::open(path)?, settings, Arc::default())?;
    let members = members(&package.file, package.length)?;
    Ok((package, members))
}

/// Indexes name WARC files by the last parts of their names, so two files must not share one.
fn check_names(members: &[Member]) -> io::Result<()> {
    let mut names = HashSet::new();
    for member in members.iter().filter(|member| is_archive(&member.name)) {
        if !names.insert(last_part(&member.name)) {
            let name = last_part(&member.name).escape_debug();
            let text = format!(
                "two WARC files of the package are called {name}: its index tells them not apart"
            );
            return Err(io::Error::new(io::ErrorKind::Unsupported, text));
        }
    }
    Ok(())
}

/// A member as a file of its own.
fn on_its_own(package: &OpenPackage, member: &Member) -> io::Result<ArchiveFile> {
    let mut file = ArchiveFile::create()?;
    io::copy(&mut MemberReader::open(package, member)?, file.file_mut())?;
    Ok(file)
}

/// Reads a line with its end, of [`LONGEST_LINE`](crate::lines::LONGEST_LINE) bytes at most; false at the end.
pub(super) fn next_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let most = crate::lines::LONGEST_LINE as u64;
    from.take(most).read_until(b'\n', line)?;
    if line.len() as u64 == most && !line.ends_with(b"\n") {
        let text = format!("a line of an index or of a list of pages has more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(!line.is_empty())
}
