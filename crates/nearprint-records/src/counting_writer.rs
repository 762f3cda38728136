//! Bytes counted on their way.

use std::io::{self, Write};

/// Writer that counts what another one took.
///
/// ```
/// use std::io::Write;
///
/// let mut out = nearprint_records::CountingWriter::new(Vec::new());
/// out.write_all(b"harbour")?;
/// assert_eq!((out.bytes(), out.into_inner()), (7, b"harbour".to_vec()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct CountingWriter<W> {
    out: W,
    bytes: u64,
}

impl<W> CountingWriter<W> {
    /// Counts what `out` takes from now on.
    pub fn new(out: W) -> Self {
        Self { out, bytes: 0 }
    }

    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
