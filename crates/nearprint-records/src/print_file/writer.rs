//! Writing: fingerprints and ids gathered, then written one after the other.

use std::hash::Hasher;
use std::io::{self, BufWriter, Read, Seek, Write};

use nearprint_fingerprint::{Fingerprint, Scheme, UnlikeSchemes};
use twox_hash::XxHash3_64;

use super::PrintFileError;
use super::header::Header;
use super::marks::MarkWriter;
use super::reader::put;
use super::spool::{Spool, spool};
use crate::DocumentId;

/// Gathers fingerprints for a binary file of them.
///
/// The header comes first and says how many there are, and the ids come after all fingerprints; so everything is
/// gathered, up to some 100 MiB in memory, beyond that in unnamed files of the system's directory for temporary files
/// (in a build without the feature `spill` in memory). Whatever is written to need not seek: a pipe will do.
pub struct PrintFileWriter {
    scheme: Scheme,
    count: u64,
    id_bytes: u64,
    prints: Part,
    ids: Option<(Part, Part)>,
    /// Which are short, as long as it is known of all.
    marks: Option<MarkWriter<Part>>,
}

type Part = BufWriter<Spool>;

fn part() -> Part {
    BufWriter::with_capacity(1 << 16, spool())
}

impl PrintFileWriter {
    /// A file of fingerprints of one scheme, with ids or without.
    #[must_use]
    pub fn new(scheme: Scheme, with_ids: bool) -> Self {
        let ids = with_ids.then(|| (part(), part()));
        let marks = Some(MarkWriter::new(part()));
        Self { scheme, count: 0, id_bytes: 0, prints: part(), ids, marks }
    }

    /// Adds a fingerprint, with whether it is short. If that is not known of one, the file says it of none.
    ///
    /// # Errors
    /// If it is of another scheme, or there is no room for temporary files.
    pub fn push(
        &mut self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        short: Option<bool>,
    ) -> io::Result<()> {
        UnlikeSchemes::check(self.scheme, fingerprint.scheme()).map_err(io::Error::other)?;
        let mut bytes = Vec::with_capacity(self.scheme.bytes());
        put(fingerprint, &mut bytes);
        self.prints.write_all(&bytes)?;
        self.count += 1;
        if let Some((ends, text)) = &mut self.ids {
            self.id_bytes += id.as_str().len() as u64;
            ends.write_all(&self.id_bytes.to_le_bytes())?;
            text.write_all(id.as_str().as_bytes())?;
        }
        match (&mut self.marks, short) {
            (Some(marks), Some(short)) => marks.push(short)?,
            _ => self.marks = None,
        }
        Ok(())
    }

    /// Number of fingerprints so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Those of `out` and of the temporary files.
    pub fn finish(self, out: &mut dyn Write) -> io::Result<()> {
        let id_bytes = self.ids.is_some().then_some(self.id_bytes);
        let has_marks = self.marks.is_some();
        let header = Header { scheme: self.scheme, count: self.count, id_bytes, has_marks };
        let header = header.to_bytes().map_err(|error: PrintFileError| io::Error::other(error))?;
        let mut out = HashingWriter { out, hasher: XxHash3_64::new() };
        out.write_all(&header)?;
        let (ends, text) = self.ids.unzip();
        let marks = self.marks.map(MarkWriter::finish).transpose()?;
        for part in [Some(self.prints), ends, text, marks].into_iter().flatten() {
            let mut part = part.into_inner().map_err(io::IntoInnerError::into_error)?;
            part.rewind()?;
            let mut buffer = vec![0; 1 << 16];
            loop {
                let read = part.read(&mut buffer)?;
                if read == 0 {
                    break;
                }
                out.write_all(&buffer[..read])?;
            }
        }
        let checksum = out.hasher.finish();
        out.out.write_all(&checksum.to_le_bytes())
    }
}

/// Writer that hashes the bytes that it passes on.
struct HashingWriter<'o> {
    out: &'o mut dyn Write,
    hasher: XxHash3_64,
}

impl HashingWriter<'_> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.write(bytes);
        self.out.write_all(bytes)
    }
}
