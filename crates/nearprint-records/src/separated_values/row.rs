//! One row of separated values, as the parser takes it apart.

use csv_core::ReadRecordResult;

use crate::{MissingField, escape};

/// One row: its values one after the other, and where each ends.
#[derive(Default)]
pub(super) struct Row {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Bytes and ends that are in use while the row is read.
    used: (usize, usize),
    /// Whether it ended before its line did.
    pub(super) is_cut: bool,
}

impl Row {
    /// How many values it has.
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn value(&self, index: usize) -> &[u8] {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[begin..self.ends[index]]
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count()).map(|index| self.value(index))
    }

    /// Whether nothing was read of it.
    pub(super) fn is_empty(&self) -> bool {
        self.used == (0, 0)
    }

    /// Adds a line, which has its end; whether the row is whole with it.
    pub(super) fn read(&mut self, parser: &mut csv_core::Reader, mut line: &[u8]) -> bool {
        loop {
            let (bytes, ends) = &mut self.used;
            let (result, read, written, ended) =
                parser.read_record(line, &mut self.bytes[*bytes..], &mut self.ends[*ends..]);
            line = &line[read..];
            *bytes += written;
            *ends += ended;
            match result {
                ReadRecordResult::OutputFull => {
                    let length = self.bytes.len();
                    self.bytes.resize((2 * length).max(256), 0);
                }
                ReadRecordResult::OutputEndsFull => {
                    let length = self.ends.len();
                    self.ends.resize((2 * length).max(16), 0);
                }
                ReadRecordResult::Record => {
                    self.bytes.truncate(self.used.0);
                    self.ends.truncate(self.used.1);
                    self.is_cut = !line.trim_ascii().is_empty();
                    return true;
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End => return false,
            }
        }
    }
}

pub(super) fn parser(delimiter: u8) -> csv_core::Reader {
    csv_core::ReaderBuilder::new().delimiter(delimiter).build()
}

/// What columns are called: by the first row, or by their numbers from 1.
pub(super) struct ColumnNames<'r> {
    pub(super) first: &'r Row,
    pub(super) no_header: bool,
}

impl ColumnNames<'_> {
    /// The column of this name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        if self.no_header {
            let number: usize = name.parse().ok()?;
            return number.checked_sub(1).filter(|index| *index < self.first.count());
        }
        self.first.values().position(|value| value == name.as_bytes())
    }

    /// The first names, for messages.
    pub(super) fn shown(&self) -> Vec<String> {
        let named = self.first.values().take(MissingField::NAMED).enumerate();
        named
            .map(|(at, name)| if self.no_header { (at + 1).to_string() } else { escape(name) })
            .collect()
    }
}
