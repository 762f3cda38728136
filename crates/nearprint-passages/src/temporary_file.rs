//! A file without a name, whose errors say what it holds and where it is.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::unnamed_file;

/// A temporary file that is written at its end and read anywhere. The system frees it when it is dropped, or when the
/// process ends, however that happens.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: File,
    length: u64,
    directory: PathBuf,
}

impl TemporaryFile {
    pub(crate) fn create(directory: &Path) -> io::Result<Self> {
        let file = unnamed_file::create(directory).map_err(|error| {
            named(&error, "cannot create a temporary file for passages", directory)
        })?;
        Ok(Self { file, length: 0, directory: directory.to_owned() })
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes, self.length)?;
        self.length += bytes.len() as u64;
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
