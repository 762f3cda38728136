//! The rows of results: one struct for each schema. What their fields mean to a reader of the lines is stated once
//! more, for people without Rust, in docs/FORMAT.md. Those of texts that are compared are there in every build; the
//! others come with the feature `json`.

#[cfg(feature = "json")]
mod calibration;
#[cfg(feature = "json")]
mod cdxj;
#[cfg(not(feature = "json"))]
#[path = "rows/cdxj_none.rs"]
mod cdxj;
#[cfg(feature = "json")]
mod check;
mod comparison;
#[cfg(feature = "json")]
mod contamination;
#[cfg(feature = "json")]
mod decision;
#[cfg(feature = "json")]
mod difference;
#[cfg(feature = "json")]
mod extraction;
mod fingerprint;
#[cfg(feature = "json")]
mod health;
#[cfg(feature = "json")]
mod idf_table;
#[cfg(feature = "json")]
mod index;
mod passage;
#[cfg(feature = "json")]
mod passages_summary;
mod relations;
#[cfg(feature = "json")]
mod repeat;
#[cfg(feature = "json")]
mod scheme;
#[cfg(feature = "json")]
mod shared_passage;
#[cfg(feature = "files")]
mod stated_decision;
#[cfg(feature = "json")]
mod summary;

pub use comparison::{ComparisonRow, Grade, TextGrade, WordRow};
pub(crate) use fingerprint::FINGERPRINT_SCHEMA;
pub use fingerprint::{ExtractionNote, FingerprintRecord, Note, Outcome};
pub use passage::{FoundIn, PassageRow};
pub use relations::{ClusterRow, MatchOfMany, MatchRow, PairRow, TextVerdict};
#[cfg(feature = "files")]
pub use stated_decision::{StatedDecision, StatedDecisionError};

#[cfg(feature = "json")]
pub use self::{
    calibration::{CalibrationRow, KindRow},
    cdxj::write_cdxj_line,
    check::CheckRow,
    contamination::{ContaminationRow, ItemPart, TextPiece, Verdict},
    decision::{Decision, DecisionReason, DecisionRow, DeduplicationRow},
    difference::{DifferenceKind, DifferenceRow},
    extraction::{ExtractionFailure, ExtractionRow},
    health::{ChanceRow, HealthRow},
    idf_table::IdfTableRow,
    index::{CaptureEntryRow, ExportEndRow, ExportHeadRow, IndexChangeRow, IndexRow, IndexedRow},
    passages_summary::PassagesSummaryRow,
    repeat::RepeatRow,
    scheme::SchemeRow,
    shared_passage::{Containment, PassagePlaceRow, SharedPassageRow, TextRange},
    summary::{Pace, SummaryRow},
};
