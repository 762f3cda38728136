//! Octets counted on their way.

use std::io::{self, Write};

/// A writer that counts what another one took.
///
/// ```
/// use std::io::Write;
///
/// let mut out = nearprint_records::Counted::new(Vec::new());
/// out.write_all(b"harbour")?;
/// assert_eq!((out.octets(), out.into_inner()), (7, b"harbour".to_vec()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Counted<W> {
    out: W,
    octets: u64,
}

impl<W> Counted<W> {
    /// Counts what `out` takes from now on.
    pub fn new(out: W) -> Self {
        Self { out, octets: 0 }
    }

    /// Octets so far.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.out.write(octets)?;
        self.octets += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
