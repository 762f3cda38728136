//! Writing a file, row by row. [15.1] to [15.8]

use std::io::Write;

use nearprint_fingerprint::Scheme;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{
    FORMAT, InterchangeError, InterchangeForm, InterchangeHeader, InterchangeReason,
    InterchangeRow, LONGEST_LINE, VERSION, hexadecimal, id_text,
};

/// Writes a file of fingerprints: the header at once, then rows, and the trailer by [`finish`](Self::finish).
///
/// ```
/// use nearprint_fingerprint::Scheme;
/// use nearprint_records::{InterchangeForm, InterchangeHeader, InterchangeReader, InterchangeRow, InterchangeWriter};
///
/// let header = InterchangeHeader::of(Scheme::SD1);
/// let mut writer = InterchangeWriter::new(Vec::new(), InterchangeForm::Lines, header)?;
/// let row = InterchangeRow {
///     fingerprint: "sd1:tohkysuixv3oy".parse().unwrap(),
///     short: true,
///     id: Some((*b"a.txt").into()),
/// };
/// writer.write(&row)?;
/// let file = writer.finish()?;
/// let read: Result<Vec<_>, _> = InterchangeReader::open(&file[..], InterchangeForm::Lines)?.collect();
/// assert_eq!(read?, [row]);
/// # Ok::<(), nearprint_records::InterchangeError>(())
/// ```
#[derive(Debug)]
pub struct InterchangeWriter<W> {
    out: W,
    form: InterchangeForm,
    has_ids: bool,
    scheme: Scheme,
    count: u64,
    digest: Sha256,
}

impl<W: Write> InterchangeWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If the output fails, if the header names no scheme that is known, or if it has a line that is too long.
    pub fn new(
        mut out: W,
        form: InterchangeForm,
        header: InterchangeHeader,
    ) -> Result<Self, InterchangeError> {
        let scheme = header
            .scheme_of_rows()
            .map_err(|reason| InterchangeError::Refused { reason, line: 1 })?;
        match form {
            InterchangeForm::Lines => {
                write_line(&mut out, &format!("{FORMAT}/{VERSION}"), 1)?;
                for (name, value) in header.fields() {
                    write_line(&mut out, &format!("{name}: {value}"), 1)?;
                }
                write_line(&mut out, "", 1)?;
            }
            InterchangeForm::JsonLines => {
                let mut names = Map::new();
                for (name, value) in
                    header.fields().filter(|(name, _)| *name != InterchangeHeader::EXTRACTOR)
                {
                    names.insert(name.to_owned(), Value::from(value));
                }
                let extractors: Vec<_> = header.values(InterchangeHeader::EXTRACTOR).collect();
                if !extractors.is_empty() {
                    names.insert(InterchangeHeader::EXTRACTOR.to_owned(), json!(extractors));
                }
                let names = Value::Object(names).to_string();
                write_line(&mut out, &format!("{{\"{FORMAT}\":{VERSION},{}", &names[1..]), 1)?;
            }
        }
        let has_ids = header.has_ids();
        Ok(Self { out, form, has_ids, scheme, count: 0, digest: Sha256::new() })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If the output fails, if the fingerprint is of another scheme than the file, if the row has an id where there
    /// are none, an empty one, or none, or if its line would have more than 1,048,576 bytes.
    pub fn write(&mut self, row: &InterchangeRow) -> Result<(), InterchangeError> {
        self.count += 1;
        let refused = |reason| Err(InterchangeError::Refused { reason, line: self.count });
        if row.id.is_some() != self.has_ids || row.id.as_deref().is_some_and(<[u8]>::is_empty) {
            return refused(InterchangeReason::Row);
        }
        if row.fingerprint.scheme() != self.scheme {
            return refused(InterchangeReason::Foreign);
        }
        let line = row.line();
        match self.form {
            InterchangeForm::Lines => {
                write_line(&mut self.out, line.trim_end_matches('\n'), self.count)?;
            }
            InterchangeForm::JsonLines => {
                let print = Value::from(row.fingerprint.to_string());
                let id = row.id.as_ref().map_or_else(String::new, |id| {
                    format!(",\"id\":{}", Value::from(id_text::encode(id)))
                });
                let object = format!("{{\"print\":{print},\"short\":{}{id}}}", row.short);
                write_line(&mut self.out, &object, self.count)?;
            }
        }
        self.digest.update(&line);
        Ok(())
    }

    /// Writes the trailer and returns the output, which is not flushed.
    ///
    /// # Errors
    /// If the output fails.
    pub fn finish(mut self) -> Result<W, InterchangeError> {
        let (count, sha256) = (self.count, hexadecimal(&self.digest));
        match self.form {
            InterchangeForm::Lines => writeln!(self.out, "end\t{count}\t{sha256}")?,
            InterchangeForm::JsonLines => {
                writeln!(self.out, "{{\"end\":{{\"count\":{count},\"sha256\":\"{sha256}\"}}}}")?;
            }
        }
        Ok(self.out)
    }
}

/// Writes a line and its end, or refuses one that is too long. [15.1]
fn write_line(out: &mut impl Write, line: &str, number: u64) -> Result<(), InterchangeError> {
    if line.len() > LONGEST_LINE {
        let reason = InterchangeReason::LineLength;
        return Err(InterchangeError::Refused { reason, line: number });
    }
    Ok(writeln!(out, "{line}")?)
}
