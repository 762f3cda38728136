//! Compression of files in a build without the feature `archives`, which reads no compressed file that could be written
//! again.

use std::io::{self, Write};

use crate::expansion::Compression;

/// Passes on the bytes of a file that is not compressed.
pub(crate) struct Compressor<W: Write>(W);

impl<W: Write> Compressor<W> {
    /// Refuses a compression.
    pub(crate) fn new(compression: Option<Compression>, out: W) -> io::Result<Self> {
        match compression {
            None => Ok(Self(out)),
            Some(compression) => {
                let detail = format!(
                    "this build does not write {}: compile it with the feature \"archives\"",
                    compression.name()
                );
                Err(io::Error::new(io::ErrorKind::Unsupported, detail))
            }
        }
    }

    /// Gives back what was written to.
    pub(crate) fn finish(self) -> io::Result<W> {
        Ok(self.0)
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
