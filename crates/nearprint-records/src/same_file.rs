//! A path that leads to a file that was read already.

use crate::{DocumentId, ErrorRecord, Place, ReasonCode};

/// Another path to a file: by overlap of what was named, by a link, or by a further name of it.
///
/// ```
/// use nearprint_records::{DocumentId, Place, SameFile};
///
/// let same = SameFile { first: DocumentId::new("crawl/fog.html")? };
/// let place = Place { file: "link/fog.html".into(), ..Place::default() };
/// let record = same.record(DocumentId::new("link/fog.html")?, place);
/// assert_eq!(record.reason.as_str(), "same-file");
/// assert_eq!(SameFile::of_detail(&record.detail), Some(same));
/// # Ok::<(), nearprint_records::BadId>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SameFile {
    /// The path by which it was read.
    pub first: DocumentId,
}

/// What stands before and after the first path.
const BEFORE: &str = "the same file as ";
const AFTER: &str = ", which was read";

impl SameFile {
    /// The record of the other path.
    #[must_use]
    pub fn record(&self, id: DocumentId, place: Place) -> ErrorRecord {
        let detail = format!("{BEFORE}{}{AFTER}", self.first).into();
        ErrorRecord { id: Some(id), place, reason: ReasonCode::SAME_FILE, detail }
    }

    /// What the detail of such a record names.
    #[must_use]
    pub fn of_detail(detail: &str) -> Option<Self> {
        let first = detail.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
        Some(Self { first: DocumentId::new(first).ok()? })
    }
}
