//! A table once more, with other texts in some of its rows.

use std::io::{self, Write};
use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, LargeStringArray, RecordBatch, StringArray, StringViewArray};
use arrow_schema::DataType;

use crate::decoder_thread::damaged;
use crate::row_copy::{BatchEdit, CopiedRows, changed, copy_table};

/// Writes a table to `to` with other texts in a column: `texts` are the numbers of rows, which count from 1, ascending,
/// and what they have there. All else stays, as with [`copy_rows_without`](crate::copy_rows_without). Returns what was
/// written.
///
/// # Errors
/// As [`copy_rows_without`](crate::copy_rows_without), and where the table has no such column of plain texts: of type
/// string, large string or string view, not in a dictionary.
pub fn copy_rows_with_texts(
    path: &Path,
    column: &str,
    texts: impl IntoIterator<Item = io::Result<(u64, String)>, IntoIter: Send>,
    to: &mut (dyn Write + Send),
) -> io::Result<CopiedRows> {
    let texts = texts.into_iter().peekable();
    let mut edit = TextEdit { column, texts, met: 0, unreadable: Vec::new() };
    let bytes = copy_table(path, &mut edit, to)?;
    Ok(CopiedRows { bytes, unreadable: edit.unreadable })
}

/// New texts on their way into a table.
struct TextEdit<'c, I: Iterator> {
    column: &'c str,
    texts: Peekable<I>,
    /// Rows met.
    met: u64,
    /// Those that could not be read.
    unreadable: Vec<RangeInclusive<u64>>,
}

impl<I: Iterator<Item = io::Result<(u64, String)>>> TextEdit<'_, I> {
    /// The next new text of a row up to this one.
    fn next(&mut self, last: u64) -> Result<Option<(u64, String)>, String> {
        let is_due =
            |next: &io::Result<(u64, String)>| next.as_ref().map_or(true, |(row, _)| *row <= last);
        match self.texts.next_if(is_due) {
            None => Ok(None),
            Some(Ok((row, _))) if row <= self.met => Err(changed()),
            Some(next) => next.map(Some).map_err(|error| error.to_string()),
        }
    }

    /// Texts with new ones in some of their places, which count from 0.
    fn replaced(&self, old: &ArrayRef, new: &[(usize, String)]) -> Result<ArrayRef, String> {
        let mut new = new.iter().peekable();
        let mut at = 0;
        let mut each = |old: Option<&str>| {
            let next = new.next_if(|(row, _)| *row == at).map(|(_, text)| text.clone());
            at += 1;
            next.or_else(|| old.map(str::to_owned))
        };
        Ok(match old.data_type() {
            DataType::Utf8 => {
                Arc::new(old.as_string::<i32>().iter().map(&mut each).collect::<StringArray>())
            }
            DataType::LargeUtf8 => {
                Arc::new(old.as_string::<i64>().iter().map(&mut each).collect::<LargeStringArray>())
            }
            DataType::Utf8View => {
                Arc::new(old.as_string_view().iter().map(&mut each).collect::<StringViewArray>())
            }
            other => {
                let column = self.column;
                return Err(format!(
                    "texts of the type {other} cannot be replaced (column {column})"
                ));
            }
        })
    }
}

impl<I: Iterator<Item = io::Result<(u64, String)>> + Send> BatchEdit for TextEdit<'_, I> {
    fn met(&self) -> u64 {
        self.met
    }

    fn edited(&mut self, batch: &RecordBatch) -> Result<RecordBatch, String> {
        let behind = self.met + batch.num_rows() as u64;
        let mut new = Vec::new();
        while let Some((row, text)) = self.next(behind)? {
            new.push(((row - self.met - 1) as usize, text));
        }
        self.met = behind;
        if new.is_empty() {
            return Ok(batch.clone());
        }
        let at = batch.schema_ref().index_of(self.column).map_err(damaged)?;
        let mut columns = batch.columns().to_vec();
        columns[at] = self.replaced(&columns[at], &new)?;
        RecordBatch::try_new(batch.schema(), columns).map_err(damaged)
    }

    fn miss(&mut self, last: u64) -> Result<(), String> {
        while self.next(last)?.is_some() {}
        self.unreadable.push(self.met + 1..=last);
        self.met = last;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        if self.texts.peek().is_some() { Err(changed()) } else { Ok(()) }
    }
}
