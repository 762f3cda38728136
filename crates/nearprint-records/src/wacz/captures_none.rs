//! Packages of web archives in a build without the feature `archives`: recognised, and refused.

use crate::{ErrorRecord, InputFile, ReadSettings, ReasonCode, RecordCounter, Source};

/// Refuses a package.
pub(crate) fn captures(file: InputFile, _: &ReadSettings, _: &RecordCounter) -> Box<dyn Source> {
    let detail = "this build does not read WACZ packages: compile it with the feature \"archives\"";
    let (place, reason) = (file.place().clone(), ReasonCode::BAD_FILE);
    Box::new(std::iter::once(Err(ErrorRecord { id: None, place, reason, detail: detail.into() })))
}
