//! Which document of a cluster is kept.

use std::fmt;
use std::str::FromStr;
use std::time::UNIX_EPOCH;

use nearprint_records::{DocumentId, FingerprintRecord, OrderKey, Outcome, capture_seconds};

/// The order in which documents are wanted; of equal ones the first in the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Keep {
    /// By the order of the input: files as they are named.
    #[default]
    First,
    /// Those of most words first.
    Longest,
    /// The oldest first: captures by the time they were made, files by that of their last change. What has neither
    /// comes last.
    Oldest,
    /// By the value of a field: numbers by their size and before texts, texts byte by byte; what has none comes last.
    /// Of captures the fields are `url`, `date`, `status`, `mime` and `digest`.
    Field {
        /// The field; of lines of JSON a name or a pointer.
        name: String,
        /// Whether the greatest value is wanted most, not the smallest.
        greatest: bool,
    },
}

impl Keep {
    /// The field that decides, where one does.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Field { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Where a document stands: least is wanted most.
    pub(super) fn rank(&self, record: &FingerprintRecord) -> u64 {
        match (self, &record.outcome) {
            (Self::Longest, Outcome::Print { tokens, .. }) => u64::MAX - tokens,
            (Self::Oldest, _) => time(record).unwrap_or(u64::MAX),
            _ => 0,
        }
    }

    /// The value by which a document is put in order: `order`, or that of the capture.
    pub(super) fn key(
        &self,
        record: &FingerprintRecord,
        order: Option<OrderKey>,
    ) -> Option<OrderKey> {
        let (name, capture) = (self.field()?, record.capture.as_ref());
        order.or_else(|| match (name, capture?) {
            ("url", capture) => OrderKey::of_text(&capture.url),
            ("date", capture) => OrderKey::of_text(capture.date.as_deref()?),
            ("status", capture) => capture.status.map(|status| OrderKey::of_number(status.into())),
            ("mime", capture) => OrderKey::of_text(capture.mime.as_deref()?),
            ("digest", capture) => OrderKey::of_text(capture.digest.as_deref()?),
            _ => None,
        })
    }
}

/// When a document came to be, in seconds since 1970.
fn time(record: &FingerprintRecord) -> Option<u64> {
    if let Some(capture) = &record.capture {
        return u64::try_from(capture_seconds(capture.date.as_deref()?)?).ok();
    }
    // The place of a text at hand, and of a document that a collection keeps, is its id, which may be a path by chance.
    let is_extracted = record.extraction.as_ref().is_some_and(|note| note.extractor != "text");
    if !is_extracted || record.place.offset.is_some() || record.place.row.is_some() {
        return None;
    }
    let path = DocumentId::new(record.place.file.clone()).ok()?.to_path()?;
    let changed = std::fs::metadata(path).ok()?.modified().ok()?;
    changed.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs())
}

/// Which documents are decided about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DecidedDocuments {
    /// All: of those without a text, copies of the same bytes are dropped.
    #[default]
    All,
    /// Those with a text. The others are kept, and nothing is said about them.
    Text,
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Longest => "longest",
            Self::Oldest => "oldest",
            Self::Field { name, greatest: false } => return write!(f, "field:{name}:min"),
            Self::Field { name, greatest: true } => return write!(f, "field:{name}:max"),
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
            _ => {
                let field = name.strip_prefix("field:").and_then(|field| {
                    let greatest = field.strip_suffix(":max");
                    let name = greatest.or_else(|| field.strip_suffix(":min")).unwrap_or(field);
                    let field = Self::Field { name: name.to_owned(), greatest: greatest.is_some() };
                    (!name.is_empty()).then_some(field)
                });
                field.ok_or_else(|| UnknownKeep { name: name.to_owned() })
            }
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
            "unknown order \"{}\"; use first, longest, oldest, field:NAME or field:NAME:max",
            self.name.escape_debug()
        )
    }
}

impl std::error::Error for UnknownKeep {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_as_they_are_printed() {
        for keep in [Keep::First, Keep::Longest, Keep::Oldest] {
            assert_eq!(keep.to_string().parse(), Ok(keep));
        }
        let field = |name: &str, greatest| Keep::Field { name: name.to_owned(), greatest };
        for (name, keep) in [
            ("field:score", field("score", false)),
            ("field:score:min", field("score", false)),
            ("field:score:max", field("score", true)),
            ("field:/a/b:c:max", field("/a/b:c", true)),
            ("field:max", field("max", false)),
        ] {
            assert_eq!(name.parse(), Ok(keep.clone()), "{name}");
            assert_eq!(keep.to_string().parse(), Ok(keep));
        }
        for bad in ["field:", "field::max", "field"] {
            assert!(bad.parse::<Keep>().is_err(), "{bad}");
        }
        assert!("newest".parse::<Keep>().unwrap_err().to_string().contains("oldest"));
    }
}
