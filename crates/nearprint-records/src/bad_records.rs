//! Bad records of one input, counted: after some thousand, those that follow are one record together.
//!
//! A bad line of two bytes is a record of 400 bytes and a message of 100. A file of nothing else would be amplified
//! hundreds of times, and tells nobody more than that it is the wrong file.

use crate::{ErrorRecord, Place, ReasonCode};

/// The bad records of the input that is read, against a limit. An input is a file, or standard input.
///
/// ```
/// use nearprint_records::{BadRecords, ErrorRecord, Place, ReasonCode};
///
/// let place = |line| Place { file: "a.jsonl".into(), line: Some(line), ..Place::default() };
/// let bad = |line| ErrorRecord { id: None, place: place(line), reason: ReasonCode::BAD_LINE, detail: "".into() };
/// let mut records = BadRecords::default();
/// let left_out: Vec<u64> = (1..=5).filter(|line| records.leaves_out(&bad(*line), 2)).collect();
/// assert_eq!(left_out, [3, 4, 5]);
/// let rest = records.rest(2).unwrap();
/// assert_eq!((rest.place.line, rest.detail.starts_with("3 more records")), (Some(3), true));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(deny_unknown_fields))]
pub struct BadRecords {
    /// The input's name.
    file: Box<str>,
    /// Its bad records so far.
    count: u64,
    /// The first of them beyond the limit.
    first: Option<Beyond>,
}

/// A bad record beyond the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(deny_unknown_fields))]
struct Beyond {
    place: Place,
    reason: ReasonCode,
    /// How many there are from it on.
    count: u64,
}

impl BadRecords {
    /// The usual limit.
    pub const USUAL_LIMIT: u64 = 10_000;

    /// Counts a bad record; whether it is one beyond `limit`, to be left out.
    pub fn leaves_out(&mut self, error: &ErrorRecord, limit: u64) -> bool {
        if self.file != error.place.file {
            *self = Self { file: error.place.file.clone(), ..Self::default() };
        }
        self.count += 1;
        if self.count <= limit {
            return false;
        }
        let ErrorRecord { place, reason, .. } = error;
        let first = || Beyond { place: place.clone(), reason: reason.clone(), count: 0 };
        self.first.get_or_insert_with(first).count += 1;
        true
    }

    /// The record of those that were left out, where what is read now is of another input, `file`.
    pub fn rest_before(&mut self, file: &str, limit: u64) -> Option<ErrorRecord> {
        if *self.file == *file { None } else { self.rest(limit) }
    }

    /// The record of those that were left out, at the end of their input.
    pub fn rest(&mut self, limit: u64) -> Option<ErrorRecord> {
        let Beyond { place, reason, count } = std::mem::take(self).first?;
        let at = match (place.line, place.row, place.offset) {
            (Some(line), _, Some(offset)) => format!("line {line}, byte {offset}"),
            (None, Some(row), _) => format!("row {row}"),
            (_, _, offset) => format!("byte {}", offset.unwrap_or(0)),
        };
        let detail = format!(
            "{count} more records of this input are bad, the first at {at}; they are not listed \
             (max_bad_records = {limit})"
        );
        // Of how many the place is not the length of one.
        let place = Place { length: None, ..place };
        Some(ErrorRecord { id: None, place, reason, detail: detail.into() })
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
