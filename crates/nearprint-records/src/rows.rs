//! The rows of results: one struct for each schema. What their fields mean to a reader of the lines is stated once
//! more, for people without Rust, in docs/FORMAT.md.

mod calibration;
mod cdxj;
mod check;
mod comparison;
mod contamination;
mod decision;
mod difference;
mod fingerprint;
mod health;
mod idf_table;
mod index;
mod passage;
mod passages_summary;
mod relations;
mod repeat;
mod scheme;
mod shared_passage;
#[cfg(feature = "files")]
mod stated_decision;
mod summary;

pub use calibration::{CalibrationRow, KindRow};
pub use cdxj::write_cdxj_line;
pub use check::CheckRow;
pub use comparison::{ComparisonRow, Grade, TextGrade, WordRow};
pub use contamination::{ContaminationRow, ItemPart, TextPiece, Verdict};
pub use decision::{Decision, DecisionReason, DecisionRow, DeduplicationRow};
pub use difference::{DifferenceKind, DifferenceRow};
pub(crate) use fingerprint::FINGERPRINT_SCHEMA;
pub use fingerprint::{
    ExtractionFailure, ExtractionNote, ExtractionRow, FingerprintRecord, Note, Outcome,
};
pub use health::{ChanceRow, HealthRow};
pub use idf_table::IdfTableRow;
pub use index::{
    CaptureEntryRow, ExportEndRow, ExportHeadRow, IndexChangeRow, IndexRow, IndexedRow,
};
pub use passage::{FoundIn, PassageRow};
pub use passages_summary::PassagesSummaryRow;
pub use relations::{ClusterRow, MatchOfMany, MatchRow, PairRow, TextVerdict};
pub use repeat::RepeatRow;
pub use scheme::SchemeRow;
pub use shared_passage::{Containment, PassagePlaceRow, SharedPassageRow, TextRange};
#[cfg(feature = "files")]
pub use stated_decision::{StatedDecision, StatedDecisionError};
pub use summary::{Pace, SummaryRow};
