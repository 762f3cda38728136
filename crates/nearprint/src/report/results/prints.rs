//! Fingerprints on their way out: with the records of their documents, and as files of fingerprints.

use std::fmt;
use std::io::{self, Write};

use nearprint_fingerprint::Scheme;
use nearprint_records::{
    FingerprintRecord, Format, InterchangeError, InterchangeForm, InterchangeHeader,
    InterchangeReason, InterchangeRow, InterchangeWriter, Outcome, PrintFileWriter, PrintRecord,
    RowWriter, write_print_line,
};

use super::{ResultFormat, ResultWriter};
use crate::PrintSet;

/// How the fingerprints of documents are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PrintsFormat {
    /// As results of this format, which also state why a document has no fingerprint.
    Rows(ResultFormat),
    /// Fingerprints as numbers, then a checksum; for many, read at the speed of the disk.
    Binary {
        /// Whether the ids follow the fingerprints.
        ids: bool,
    },
    /// Lines for other parties, with a header that states the scheme and the extractors of this build, and a trailer
    /// (`spec/INTERCHANGE.md`).
    Interchange {
        /// Whether each line has the id.
        ids: bool,
    },
}

impl PrintsFormat {
    /// Whether it is not text for people or line-based programs.
    #[must_use]
    pub fn is_binary(self) -> bool {
        match self {
            Self::Rows(format) => format.is_binary(),
            Self::Binary { .. } => true,
            Self::Interchange { .. } => false,
        }
    }
}

/// Writes the fingerprints of documents to a stream. Does not buffer: give it a writer that does.
///
/// Memory: of the binary format all fingerprints and ids, since their number comes first; else as [`ResultWriter`].
pub struct PrintsWriter<W: Write + Send>(Writer<W>);

#[allow(
    clippy::large_enum_variant,
    reason = "there is one for an output; which is large depends on features"
)]
enum Writer<W: Write + Send> {
    Rows(ResultWriter<W>),
    Binary { prints: PrintFileWriter, out: W },
    Interchange { rows: InterchangeWriter<W>, ids: bool },
}

impl<W: Write + Send> PrintsWriter<W> {
    /// Fingerprints of `scheme` to `out`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(format: PrintsFormat, scheme: Scheme, out: W) -> io::Result<Self> {
        Ok(Self(match format {
            PrintsFormat::Rows(format) => {
                Writer::Rows(ResultWriter::new::<FingerprintRecord>(format, scheme, out)?)
            }
            PrintsFormat::Binary { ids } => {
                Writer::Binary { prints: PrintFileWriter::new(scheme, ids), out }
            }
            PrintsFormat::Interchange { ids } => {
                let refused = |reason| io_error(InterchangeError::Refused { reason, line: 1 });
                let header = interchange_header(scheme, ids).map_err(refused)?;
                let rows = InterchangeWriter::new(out, InterchangeForm::Lines, header);
                Writer::Interchange { rows: rows.map_err(io_error)?, ids }
            }
        }))
    }

    /// Writes the record of one document; binary and interchange files have only those with a fingerprint.
    ///
    /// # Errors
    /// Those of the stream, a fingerprint of another scheme than that of a binary or interchange file, and an id that
    /// makes a line of interchange of more than 1,048,576 bytes.
    pub fn write(&mut self, record: &FingerprintRecord) -> io::Result<()> {
        if let Writer::Rows(out) = &mut self.0 {
            return out.write(record);
        }
        let Outcome::Print { fingerprint, short, .. } = &record.outcome else { return Ok(()) };
        match &mut self.0 {
            Writer::Rows(_) => Ok(()),
            Writer::Binary { prints, .. } => prints.push(&record.id, fingerprint, Some(*short)),
            Writer::Interchange { rows, ids } => {
                let id = ids.then(|| record.id.to_bytes());
                let row = InterchangeRow { fingerprint: fingerprint.clone(), short: *short, id };
                rows.write(&row).map_err(io_error)
            }
        }
    }

    /// Ends the fingerprints and gives the stream back.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Writer::Rows(out) => out.finish(),
            Writer::Binary { prints, mut out } => {
                prints.finish(&mut out)?;
                Ok(out)
            }
            Writer::Interchange { rows, .. } => rows.finish().map_err(io_error),
        }
    }
}

/// The header of fingerprints that this build makes.
fn interchange_header(scheme: Scheme, ids: bool) -> Result<InterchangeHeader, InterchangeReason> {
    let mut header = InterchangeHeader::of(scheme);
    if !ids {
        header.push(InterchangeHeader::IDS, "none")?;
    }
    let mut extractor = concat!("nearprint/", env!("CARGO_PKG_VERSION")).to_owned();
    for (name, version) in nearprint_extract::extractors() {
        extractor.push_str(&format!(" {name}/{version}"));
    }
    header.push(InterchangeHeader::EXTRACTOR, &extractor)?;
    Ok(header)
}

fn io_error(error: InterchangeError) -> io::Error {
    match error {
        InterchangeError::Io(error) => error,
        refused => io::Error::new(io::ErrorKind::InvalidInput, refused),
    }
}

impl<W: Write + Send> fmt::Debug for PrintsWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrintsWriter").finish_non_exhaustive()
    }
}

/// The form of a file of fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PrintFileForm {
    /// Lines FINGERPRINT TAB ID, and TAB short for a short fingerprint.
    Text,
    /// One JSON object per fingerprint, always with the id.
    Jsonl,
    /// The same with a decimal number; sketches, which have no decimal form, as text.
    Decimal,
    /// The same with hexadecimal digits.
    Hex,
    /// The same in base64: the bytes, most significant first, with padding.
    Base64,
    /// Fingerprints as numbers, then ids, then marks of short ones, then a checksum.
    Binary,
}

impl PrintSet {
    /// Writes all fingerprints, in order, as a file of this form; without `ids` they are known by their numbers.
    ///
    /// # Errors
    /// Those of `out`, and of the set's temporary file.
    pub fn write(&self, form: PrintFileForm, ids: bool, out: &mut dyn Write) -> io::Result<()> {
        let mut file = PrintFileWriter::new(self.scheme(), ids);
        let mut rows = RowWriter::new(Format::Jsonl, &mut *out);
        for position in 0..self.len() {
            let fingerprint = self.fingerprint(position).map_err(io::Error::other)?;
            let (id, short) = (self.document_id(position), self.short(position));
            match form {
                PrintFileForm::Binary => file.push(&id, &fingerprint, short)?,
                PrintFileForm::Jsonl => {
                    let extractor = self.extractor(position).cloned();
                    rows.write(&PrintRecord::new(id, fingerprint, short, extractor))?;
                }
                _ => {
                    let number = match form {
                        PrintFileForm::Hex => Some(fingerprint.to_hex()),
                        PrintFileForm::Base64 => Some(fingerprint.to_base64()),
                        PrintFileForm::Decimal => fingerprint.to_decimal(),
                        _ => None,
                    };
                    let print = number.unwrap_or_else(|| fingerprint.to_string());
                    let out = rows.get_mut();
                    match ids {
                        true => write_print_line(out, &print, &id, short)?,
                        false => writeln!(out, "{print}")?,
                    }
                }
            }
        }
        if form == PrintFileForm::Binary { file.finish(out) } else { Ok(()) }
    }
}
