//! A table once more, with other texts in some of its rows.

use std::io::{self, Write};
use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch,
    StringArray, StringViewArray,
};
use arrow_schema::DataType;

use crate::decoder_thread::damaged;
use crate::row_copy::{BatchEdit, CopiedRows, changed, copy_table};

/// Writes a table to `to` with other texts in a column: `texts` are the numbers of rows, which count from 1, ascending,
/// and what they have there. All else stays, as with [`copy_rows_without`](crate::copy_rows_without). Returns what was
/// written. Where the texts are in a structure, in a dictionary or of a fixed size, they stay too, which the result
/// says, and nothing is taken of `texts`.
///
/// # Errors
/// As [`copy_rows_without`](crate::copy_rows_without).
pub fn copy_rows_with_texts(
    path: &Path,
    column: &str,
    texts: impl IntoIterator<Item = io::Result<(u64, String)>, IntoIter: Send>,
    to: &mut (dyn Write + Send),
) -> io::Result<CopiedRows> {
    let texts = texts.into_iter().peekable();
    let mut edit = TextEdit { column, texts, keeps_texts: false, met: 0, unreadable: Vec::new() };
    let bytes = copy_table(path, &mut edit, to)?;
    Ok(CopiedRows { bytes, unreadable: edit.unreadable, keeps_texts: edit.keeps_texts })
}

/// New texts on their way into a table.
struct TextEdit<'c, I: Iterator> {
    column: &'c str,
    texts: Peekable<I>,
    /// Whether no text of the table can be another.
    keeps_texts: bool,
    /// Rows met.
    met: u64,
    /// Those that could not be read.
    unreadable: Vec<RangeInclusive<u64>>,
}

impl<I: Iterator<Item = io::Result<(u64, String)>>> TextEdit<'_, I> {
    /// The next new text of a row up to this one.
    fn next(&mut self, last: u64) -> Result<Option<(u64, String)>, String> {
        if self.keeps_texts {
            return Ok(None);
        }
        let is_due =
            |next: &io::Result<(u64, String)>| next.as_ref().map_or(true, |(row, _)| *row <= last);
        match self.texts.next_if(is_due) {
            None => Ok(None),
            Some(Ok((row, _))) if row <= self.met => Err(changed()),
            Some(next) => next.map(Some).map_err(|error| error.to_string()),
        }
    }
}

/// Texts with new ones in some of their places, which count from 0; `None` where their type does not allow it.
fn replaced(old: &ArrayRef, new: &[(usize, String)]) -> Option<ArrayRef> {
    Some(match old.data_type() {
        DataType::Utf8 => {
            Arc::new(each(old.as_string::<i32>().iter(), new, |new| new).collect::<StringArray>())
        }
        DataType::LargeUtf8 => Arc::new(
            each(old.as_string::<i64>().iter(), new, |new| new).collect::<LargeStringArray>(),
        ),
        DataType::Utf8View => {
            Arc::new(each(old.as_string_view().iter(), new, |new| new).collect::<StringViewArray>())
        }
        DataType::Binary => Arc::new(
            each(old.as_binary::<i32>().iter(), new, str::as_bytes).collect::<BinaryArray>(),
        ),
        DataType::LargeBinary => Arc::new(
            each(old.as_binary::<i64>().iter(), new, str::as_bytes).collect::<LargeBinaryArray>(),
        ),
        DataType::BinaryView => Arc::new(
            each(old.as_binary_view().iter(), new, str::as_bytes).collect::<BinaryViewArray>(),
        ),
        _ => return None,
    })
}

fn each<'t, T: ?Sized + 't>(
    old: impl Iterator<Item = Option<&'t T>>,
    new: &'t [(usize, String)],
    value: fn(&'t str) -> &'t T,
) -> impl Iterator<Item = Option<&'t T>> {
    let mut new = new.iter().peekable();
    old.enumerate().map(move |(at, old)| match new.next_if(|(row, _)| *row == at) {
        Some((_, text)) => Some(value(text)),
        None => old,
    })
}

impl<I: Iterator<Item = io::Result<(u64, String)>> + Send> BatchEdit for TextEdit<'_, I> {
    fn met(&self) -> u64 {
        self.met
    }

    fn edited(&mut self, batch: &RecordBatch) -> Result<RecordBatch, String> {
        let behind = self.met + batch.num_rows() as u64;
        let at = batch.schema_ref().index_of(self.column).ok();
        // An array without rows shows its type.
        let column = at.map(|at| batch.column(at).slice(0, 0));
        self.keeps_texts = column.is_none_or(|column| replaced(&column, &[]).is_none());
        let mut new = Vec::new();
        while let Some((row, text)) = self.next(behind)? {
            new.push(((row - self.met - 1) as usize, text));
        }
        self.met = behind;
        let Some(at) = at.filter(|_| !new.is_empty()) else { return Ok(batch.clone()) };
        let mut columns = batch.columns().to_vec();
        columns[at] = replaced(&columns[at], &new).ok_or_else(changed)?;
        RecordBatch::try_new(batch.schema(), columns).map_err(damaged)
    }

    fn miss(&mut self, last: u64) -> Result<(), String> {
        while self.next(last)?.is_some() {}
        self.unreadable.push(self.met + 1..=last);
        self.met = last;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        if !self.keeps_texts && self.texts.peek().is_some() { Err(changed()) } else { Ok(()) }
    }
}
