//! A table once more, with other texts in some of its rows, or without them.

use std::io::{self, Write};
use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, LargeBinaryArray,
    LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use arrow_select::filter::filter_record_batch;

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
    let texts = texts.into_iter().map(|text| text.map(|(row, text)| (row, Some(text))));
    TextEdit::new(column, texts, false).copy(path, to)
}

/// Writes a table to `to` with other texts in a column, and without some rows: `changes` are the numbers of rows, which
/// count from 1, ascending, and what they have there; rows without that are left out, and so are all of them where the
/// texts are in a structure, in a dictionary or of a fixed size, which the result says. All else is as with
/// [`copy_rows_with_texts`].
///
/// # Errors
/// As [`copy_rows_without`](crate::copy_rows_without).
pub fn copy_rows_changed(
    path: &Path,
    column: &str,
    changes: impl IntoIterator<Item = io::Result<(u64, Option<String>)>, IntoIter: Send>,
    to: &mut (dyn Write + Send),
) -> io::Result<CopiedRows> {
    TextEdit::new(column, changes.into_iter(), true).copy(path, to)
}

/// New texts on their way into a table.
struct TextEdit<'c, I: Iterator> {
    column: &'c str,
    texts: Peekable<I>,
    /// Whether rows are left out whose texts cannot be others.
    drops: bool,
    /// Whether no text of the table can be another.
    keeps_texts: bool,
    /// Rows met.
    met: u64,
    /// Those that could not be read.
    unreadable: Vec<RangeInclusive<u64>>,
}

/// A row, and its new text.
type RowText = (u64, Option<String>);

impl<'c, I: Iterator<Item = io::Result<RowText>> + Send> TextEdit<'c, I> {
    fn new(column: &'c str, texts: I, drops: bool) -> Self {
        let (texts, unreadable) = (texts.peekable(), Vec::new());
        Self { column, texts, drops, keeps_texts: false, met: 0, unreadable }
    }

    fn copy(mut self, path: &Path, to: &mut (dyn Write + Send)) -> io::Result<CopiedRows> {
        let bytes = copy_table(path, &mut self, to)?;
        Ok(CopiedRows { bytes, unreadable: self.unreadable, keeps_texts: self.keeps_texts })
    }

    /// The next change of a row up to this one.
    fn next(&mut self, last: u64) -> Result<Option<RowText>, String> {
        if self.keeps_texts && !self.drops {
            return Ok(None);
        }
        let is_due =
            |next: &io::Result<RowText>| next.as_ref().map_or(true, |(row, _)| *row <= last);
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

impl<I: Iterator<Item = io::Result<RowText>> + Send> BatchEdit for TextEdit<'_, I> {
    fn met(&self) -> u64 {
        self.met
    }

    fn edited(&mut self, batch: &RecordBatch) -> Result<RecordBatch, String> {
        let behind = self.met + batch.num_rows() as u64;
        let at = batch.schema_ref().index_of(self.column).ok();
        // An array without rows shows its type.
        let column = at.map(|at| batch.column(at).slice(0, 0));
        self.keeps_texts = column.is_none_or(|column| replaced(&column, &[]).is_none());
        let (mut new, mut stays) = (Vec::new(), vec![true; batch.num_rows()]);
        let mut last = self.met;
        while let Some((row, text)) = self.next(behind)? {
            if row <= last {
                return Err(changed());
            }
            last = row;
            let at = (row - self.met - 1) as usize;
            match text.filter(|_| !self.keeps_texts) {
                Some(text) => new.push((at, text)),
                None => stays[at] = false,
            }
        }
        self.met = behind;
        let mut edited = batch.clone();
        if let Some(at) = at.filter(|_| !new.is_empty()) {
            let mut columns = batch.columns().to_vec();
            columns[at] = replaced(&columns[at], &new).ok_or_else(changed)?;
            edited = RecordBatch::try_new(batch.schema(), columns).map_err(damaged)?;
        }
        match stays.contains(&false) {
            true => filter_record_batch(&edited, &BooleanArray::from(stays)).map_err(damaged),
            false => Ok(edited),
        }
    }

    fn miss(&mut self, last: u64) -> Result<(), String> {
        while self.next(last)?.is_some() {}
        self.unreadable.push(self.met + 1..=last);
        self.met = last;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        if (!self.keeps_texts || self.drops) && self.texts.peek().is_some() {
            Err(changed())
        } else {
            Ok(())
        }
    }
}
