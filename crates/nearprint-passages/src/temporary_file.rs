//! A file of a search, whose errors say what it holds and where it is: without a name, or with one, so that another
//! process can go on with it.

use std::fmt;
use std::fs::File;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

use crate::unnamed_file;

/// Bytes that are read together where a whole file is.
const READ: usize = 1 << 20;

/// A file that is written at its end and read anywhere. One without a name is freed by the system when it is dropped,
/// or when the process ends, however that happens.
pub(crate) struct TemporaryFile {
    file: File,
    length: u64,
    directory: PathBuf,
    /// Of a file with a name, what the digest of its bytes so far is made from.
    hasher: Option<XxHash3_64>,
}

impl fmt::Debug for TemporaryFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, length, directory, hasher: _ } = self;
        f.debug_struct("TemporaryFile")
            .field("file", file)
            .field("length", length)
            .field("directory", directory)
            .finish_non_exhaustive()
    }
}

impl TemporaryFile {
    /// A file without a name in a directory.
    pub(crate) fn create(directory: &Path) -> io::Result<Self> {
        let file = unnamed_file::create(directory).map_err(|error| {
            named(&error, "cannot create a temporary file for passages", directory)
        })?;
        Ok(Self { file, length: 0, directory: directory.to_owned(), hasher: None })
    }

    /// An empty file of this path, which stays.
    pub(crate) fn create_named(path: &Path) -> io::Result<Self> {
        let options = File::options().read(true).write(true).create(true).truncate(true).open(path);
        let file = options
            .map_err(|error| named(&error, "cannot create a file of saved passages", path))?;
        let hasher = Some(XxHash3_64::with_seed(0));
        Ok(Self { file, length: 0, directory: path.to_owned(), hasher })
    }

    /// A file that is there; it is read once, for its digest.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut opened = Self { file, length, directory: path.to_owned(), hasher: None };
        let (mut hasher, mut bytes, mut at) = (XxHash3_64::with_seed(0), Vec::new(), 0);
        while at < length {
            // It is no more than a constant.
            bytes.resize((length - at).min(READ as u64) as usize, 0);
            opened.read(&mut bytes, at)?;
            hasher.write(&bytes);
            at += bytes.len() as u64;
        }
        opened.hasher = Some(hasher);
        Ok(opened)
    }

    /// The digest of all bytes, of a file with a name that was written by [`append`](Self::append) alone.
    pub(crate) fn digest(&self) -> Option<u64> {
        self.hasher.as_ref().map(Hasher::finish)
    }

    /// Makes the bytes last.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_all().map_err(|error| named(&error, "cannot save passages", &self.directory))
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes, self.length)?;
        self.length += bytes.len() as u64;
        self.hasher.iter_mut().for_each(|hasher| hasher.write(bytes));
        Ok(())
    }

    /// Appends `length` bytes, which `write` writes from this offset on by [`write`](Self::write).
    pub(crate) fn append_by(
        &mut self,
        length: u64,
        write: impl FnOnce(&Self, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        write(self, self.length)?;
        self.length += length;
        Ok(())
    }

    /// Writes bytes at this offset, which is for whoever appends them.
    pub(crate) fn write(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        write_all_at(&self.file, bytes, offset).map_err(|error| {
            named(&error, "cannot write passages to a temporary file", &self.directory)
        })
    }

    /// Fills `bytes` from this offset on.
    pub(crate) fn read(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        read_exact_at(&self.file, bytes, offset).map_err(|error| {
            named(&error, "cannot read passages from a temporary file", &self.directory)
        })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }
}

fn named(error: &io::Error, what: &str, directory: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{what} in {}: {error}", directory.display()))
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}
