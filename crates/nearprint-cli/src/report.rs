//! The summary of a run: a line of JSON for programs, or a page for people if the name of the file ends in .html.

use std::path::Path;

use nearprint::records::{Format, Pace, Row, SummaryRow};
use nearprint::report::Report;

use crate::exit_status::Failure;
use crate::output::Output;
use crate::talk::Talk;

/// Writes the summary of a run for programs.
pub(crate) fn report(file: Option<&Path>, mut row: SummaryRow, talk: &Talk) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    row.pace = Pace::of(row.documents, row.bytes, talk.elapsed());
    write_row(file, &row)
}

/// Writes the one row of a report.
pub(crate) fn write_row<R: Row>(file: &Path, row: &R) -> Result<(), Failure> {
    let mut out = Output::open(Some(file), Format::Jsonl)?;
    out.row(row)?;
    out.finish()
}

/// Writes a report, if one is asked for: its one row, or the page that `page` makes for this file.
pub(crate) fn row_or_page<R: Row>(
    file: Option<&Path>,
    row: &R,
    page: impl FnOnce(&Path) -> Result<Report, Failure>,
) -> Result<(), Failure> {
    match file {
        Some(file) if is_page(file) => write_page(file, &page(file)?),
        Some(file) => write_row(file, row),
        None => Ok(()),
    }
}

/// Whether a report is a page for people: the ending of its name says so.
pub(crate) fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
}

/// Writes a page for people.
pub(crate) fn write_page(file: &Path, report: &Report) -> Result<(), Failure> {
    let mut out = Output::open(Some(file), Format::Jsonl)?;
    out.text(report.html().as_bytes())?;
    out.finish()
}
