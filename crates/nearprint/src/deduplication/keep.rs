//! Which document of a cluster is kept.

use std::fmt;
use std::str::FromStr;
use std::time::UNIX_EPOCH;

use nearprint_records::{DocumentId, FingerprintRecord, Outcome};

/// The order in which documents are wanted; of equal ones the first in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Keep {
    /// By the order of the input: files as they are named.
    #[default]
    First,
    /// Those of most words first.
    Longest,
    /// The oldest first: captures by the time they were made, files by that of their last change. What has neither comes last.
    Oldest,
}

impl Keep {
    /// Where a document stands: least is wanted most.
    pub(super) fn rank(self, record: &FingerprintRecord) -> u64 {
        match (self, &record.outcome) {
            (Self::Longest, Outcome::Print { tokens, .. }) => u64::MAX - tokens,
            (Self::Oldest, _) => time(record).unwrap_or(u64::MAX),
            _ => 0,
        }
    }
}

/// When a document came to be, in seconds since 1970.
fn time(record: &FingerprintRecord) -> Option<u64> {
    if let Some(capture) = &record.capture {
        return seconds(capture.date.as_deref()?);
    }
    if record.place.offset.is_some() || record.place.row.is_some() {
        return None;
    }
    let path = DocumentId::new(record.place.file.clone()).ok()?.to_path()?;
    let changed = std::fs::metadata(path).ok()?.modified().ok()?;
    changed.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs())
}

/// Seconds since 1970 of a time written `YYYYMMDDhhmmss`, by the proleptic Gregorian calendar.
fn seconds(date: &str) -> Option<u64> {
    if date.len() != 14 || !date.bytes().all(|octet| octet.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| date[from..to].parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(4, 6)?, number(6, 8)?);
    // Years begin with March, so that the day that may be missing is the last one.
    let (year, month) =
        if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    // Of 1 January 1970, counted so.
    let days = days.checked_sub(719_469)?;
    Some(days * 86_400 + number(8, 10)? * 3600 + number(10, 12)? * 60 + number(12, 14)?)
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "first",
            Self::Longest => "longest",
            Self::Oldest => "oldest",
        })
    }
}

impl FromStr for Keep {
    type Err = UnknownKeep;

    fn from_str(name: &str) -> Result<Self, UnknownKeep> {
        match name {
            "first" => Ok(Self::First),
            "longest" => Ok(Self::Longest),
            "oldest" => Ok(Self::Oldest),
            _ => Err(UnknownKeep { name: name.to_owned() }),
        }
    }
}

/// A name that is no [`Keep`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKeep {
    name: String,
}

impl fmt::Display for UnknownKeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no order to keep by: there are first, longest and oldest",
            self.name.escape_debug()
        )
    }
}

impl std::error::Error for UnknownKeep {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (date, wanted) in [
            ("19700101000000", Some(0)),
            ("19700101000001", Some(1)),
            ("20000229120000", Some(951_825_600)),
            ("20000301000000", Some(951_868_800)),
            ("20260131235959", Some(1_769_903_999)),
            ("19691231235959", None),
            ("2026", None),
            ("2026013123595x", None),
        ] {
            assert_eq!(seconds(date), wanted, "{date}");
        }
    }

    #[test]
    fn names_are_parsed_as_they_are_printed() {
        for keep in [Keep::First, Keep::Longest, Keep::Oldest] {
            assert_eq!(keep.to_string().parse(), Ok(keep));
        }
        assert!("newest".parse::<Keep>().unwrap_err().to_string().contains("oldest"));
    }
}
