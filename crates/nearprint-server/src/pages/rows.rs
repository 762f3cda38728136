//! The result of a job, some rows at a time: clusters with their members, and why they are together, or pairs.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint::records::{IndexChangeRow, Row as _};
use nearprint::report::{escaped, grouped};
use serde::Deserialize;
use serde_json::Value;

use crate::access::Access;
use crate::address::encoded;
use crate::jobs::{JobRecord, JobState, JobType};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Parameters, PathName};
use crate::state::SharedApp;
use crate::work::Lane;

use super::document_names::DocumentNames;
use super::html::{Page, Tab};

/// Rows of a page.
const SHOWN_ROWS: usize = 25;

/// Members from which on a cluster has a plot of their distances, and the most distances of it.
const PLOTTED: usize = 4;
const MOST_BARS: u64 = 40;

/// Members of a cluster that are listed.
const SHOWN_MEMBERS: usize = 100;

/// Bytes of a row that is shown; a longer one is named only.
const LONGEST_ROW: u64 = 4 << 20;

/// Bytes of a result that are looked through for a page of rows with a reason.
const MOST_READ: u64 = 256 << 20;

/// The reasons of decisions by which a document is dropped.
const DROPS: [&str; 4] = ["same-bytes", "identical", "same-words", "near"];

/// Bytes of a row in which its reason ends.
const REASON_WITHIN: usize = 160;

/// What the last line begins with.
const END: &[u8] = b"{\"schema\":\"nearprint/end/1\"";

/// Where the page begins.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RowsParameters {
    /// Bytes of the result before it.
    at: u64,
    /// The reason of the decisions that are shown; all where it is empty.
    reason: String,
}

/// Some rows of a result.
struct Rows {
    rows: Vec<Value>,
    /// Where the next begin; `None` at the end.
    next: Option<u64>,
}

/// Reads rows from the place `at`, which must be the beginning of one: those of a reason, or all where it is empty.
fn read(file: &Path, at: u64, reason: &str) -> io::Result<Rows> {
    let mut file = File::open(file)?;
    if at > 0 {
        let mut before = [0];
        file.seek(SeekFrom::Start(at - 1))?;
        file.read_exact(&mut before)?;
        if before != *b"\n" {
            return Err(io::ErrorKind::InvalidInput.into());
        }
    }
    let mut reader = BufReader::new(file);
    let (mut rows, mut next) = (Vec::new(), at);
    let wanted = format!("\"reason\":\"{reason}\"");
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.by_ref().take(LONGEST_ROW).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            return Ok(Rows { rows, next: None });
        }
        let mut whole = length;
        if line.last() != Some(&b'\n') {
            whole += skip_line(&mut reader)?;
        }
        // It is among the first fields.
        let mut begin = line[..line.len().min(REASON_WITHIN)].windows(wanted.len());
        let is_wanted = reason.is_empty() || begin.any(|part| part == wanted.as_bytes());
        if !is_wanted && next - at < MOST_READ && !line.starts_with(END) {
            next += whole;
            continue;
        }
        let row: Value = serde_json::from_slice(&line).unwrap_or(Value::Null);
        if row["schema"] == "nearprint/end/1" {
            return Ok(Rows { rows, next: None });
        }
        if rows.len() == SHOWN_ROWS || next - at >= MOST_READ {
            return Ok(Rows { rows, next: Some(next) });
        }
        next += whole;
        if is_wanted {
            rows.push(row);
        }
    }
}

/// Passes over the rest of a line; its bytes.
fn skip_line(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(skipped);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(bytes.len(), |end| end + 1);
        reader.consume(used);
        skipped += used as u64;
        if end.is_some() {
            return Ok(skipped);
        }
    }
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
    Parameters(RowsParameters { at, reason }): Parameters<RowsParameters>,
) -> Result<Response, Problem> {
    let job = app.jobs.get(&access, &id)?;
    let record = job.record();
    if record.state != JobState::Done {
        let detail = format!("job {} is {}", record.id, record.state.name());
        return Err(Problem::new(ProblemKind::NoResult, detail));
    }
    if !reason.is_empty() && !record.reasons.contains_key(&reason) {
        return Err(Problem::invalid("?reason", "no decision has this reason"));
    }
    let wanted = reason.clone();
    let Rows { rows, next } = app
        .work
        .run(Lane::Read, move || read(&job.result(), at, &wanted))
        .await?
        .map_err(|_| Problem::invalid("?at", "no row of the result begins here"))?;
    let collection = record.collection();
    // The collection may be gone, or may keep no texts.
    let known = app.collections.descriptions(&access);
    let texts = known.iter().any(|found| found.name == *collection && found.texts);
    let ids: Vec<String> = rows.iter().flat_map(ids_of).map(str::to_owned).collect();
    let looked_up = app.with_collection(&access, collection, Lane::Read, move |collection| {
        DocumentNames::look_up(collection, ids.iter().map(String::as_str))
    });
    let names = looked_up.await.unwrap_or_else(|_| DocumentNames::none(collection));
    let (what, none) = match record.request.kind {
        JobType::Clusters => ("clusters of", "No two documents are within the distance."),
        JobType::Pairs => ("pairs of", "No two documents are within the distance."),
        JobType::Dedup => ("decisions on", "The collection has no documents."),
        JobType::Import => ("rows of an import into", ""),
    };
    let mut page = Page::new(&access, &format!("{what} {collection}"), Tab::Jobs);
    page.push(&format!("<p class=\"kicker\"><a href=\"/jobs/{0}\">Job {0}</a></p>\n", record.id));
    page.heading(&format!("{} {what} {collection}", grouped(record.rows.unwrap_or(0))));
    reasons(&mut page, &record, &reason);
    if rows.is_empty() {
        page.empty(none);
    }
    for row in &rows {
        match record.request.kind {
            JobType::Clusters => cluster(&mut page, (collection, &names), texts, row),
            JobType::Pairs => pair(&mut page, (collection, &names), texts, row),
            JobType::Dedup => decision(&mut page, (collection, &names), texts, row),
            JobType::Import => imported(&mut page, row),
        }
    }
    page.push("<nav class=\"pages\" aria-label=\"Pages of the result\">\n");
    if at > 0 {
        page.push(&format!(
            "<a href=\"{}\">First page</a>\n",
            rows_address(&record.id, &reason, 0)
        ));
    }
    if let Some(next) = next {
        let address = rows_address(&record.id, &reason, next);
        page.push(&format!("<a href=\"{address}\" rel=\"next\">Next page</a>\n"));
    }
    page.push("</nav>\n");
    Ok(page.answer(StatusCode::OK))
}

/// The address of some rows.
fn rows_address(job: &str, reason: &str, at: u64) -> String {
    match reason {
        "" => format!("/jobs/{job}/rows?at={at}"),
        reason => format!("/jobs/{job}/rows?reason={reason}&amp;at={at}"),
    }
}

/// How many decisions have each reason, as links to these, the one that is shown marked.
fn reasons(page: &mut Page, record: &JobRecord, shown: &str) {
    if record.reasons.is_empty() {
        return;
    }
    page.push("<nav class=\"filters\" aria-label=\"Decisions by reason\">\n");
    let link = |page: &mut Page, name: &str, words: &str, count: u64| {
        let current = if name == shown { " aria-current=\"true\"" } else { "" };
        page.push(&format!(
            "<a href=\"{}\"{current}>{words} <span class=\"soft\">{}</span></a>\n",
            rows_address(&record.id, name, 0),
            grouped(count)
        ));
    };
    link(page, "", "all", record.rows.unwrap_or(0));
    let kept = |name: &str| DROPS.iter().all(|drop| *drop != name);
    // What is kept first, each part by its size.
    let mut all: Vec<_> = record.reasons.iter().collect();
    all.sort_by_key(|&(name, count)| (!kept(name), std::cmp::Reverse(*count)));
    for (name, count) in all {
        let verb = if kept(name) { "kept: " } else { "dropped: " };
        link(page, name, &format!("{verb}{}", escaped(&name.replace('-', " "))), *count);
    }
    page.push("</nav>\n");
}

/// The ids of documents that a row names, as far as they are shown.
fn ids_of(row: &Value) -> impl Iterator<Item = &str> {
    let one = ["id", "a", "b", "representative", "nearest"]
        .into_iter()
        .filter_map(|field| row[field].as_str());
    let members = row["members"].as_array().into_iter().flatten();
    one.chain(members.take(SHOWN_MEMBERS + 1).filter_map(Value::as_str))
}

fn text<'v>(row: &'v Value, field: &str) -> &'v str {
    row[field].as_str().unwrap_or("")
}

/// The address that shows two documents side by side.
fn side_by_side(collection: &str, a: &str, b: &str) -> String {
    format!(
        "<a class=\"aside\" href=\"/compare?a-collection={collection}&amp;a-id={}&amp;b-collection={collection}&amp;b-id={}\">side \
         by side</a>",
        encoded(a),
        encoded(b)
    )
}

/// A distance with its unit.
fn bits(distance: u64) -> String {
    format!("{distance} {}", if distance == 1 { "bit" } else { "bits" })
}

fn cluster(page: &mut Page, (collection, names): (&str, &DocumentNames), texts: bool, row: &Value) {
    if row.is_null() {
        page.empty("This cluster is too large to be shown; download the result to see it.");
        return;
    }
    let (size, representative) = (row["size"].as_u64().unwrap_or(0), text(row, "representative"));
    let none = Vec::new();
    let members = row["members"].as_array().unwrap_or(&none);
    let distances = row["distances"].as_array().unwrap_or(&none);
    let distance = |at: usize| distances.get(at).and_then(Value::as_u64).unwrap_or(0);
    let farthest = (0..members.len()).map(distance).max().unwrap_or(0);
    let all: Vec<u64> = (0..members.len()).map(distance).collect();
    let is_plotted = members.len() >= PLOTTED && farthest > 0;
    let plot = if is_plotted { distances_plot(&all) } else { String::new() };
    page.push(&format!(
        "<section class=\"card cluster\">\n<h2><span class=\"size\">{} documents</span> {}</h2>\n<p class=\"soft\">They are \
         connected by pairs within the distance; the farthest differs from the first in {}.</p>\n{}<ul \
         class=\"members\">\n",
        grouped(size),
        names.link(representative),
        bits(farthest),
        plot
    ));
    let others = members.iter().enumerate().filter(|(_, id)| id.as_str() != Some(representative));
    for (at, id) in others.take(SHOWN_MEMBERS) {
        let id = id.as_str().unwrap_or("");
        let compare =
            if texts { side_by_side(collection, representative, id) } else { String::new() };
        page.push(&format!(
            "<li><span class=\"pill\">{}</span> {} {compare}</li>\n",
            bits(distance(at)),
            names.link(id)
        ));
    }
    page.push("</ul>\n");
    if size > SHOWN_MEMBERS as u64 + 1 {
        let more = grouped(size - 1 - SHOWN_MEMBERS as u64);
        page.push(&format!("<p class=\"soft\">and {more} more</p>\n"));
    }
    page.push("</section>\n");
}

/// How many members lie at each distance from the first: what holds the cluster together is seen at once.
fn distances_plot(distances: &[u64]) -> String {
    let farthest = distances.iter().copied().max().unwrap_or(0);
    let count = |distance: u64| distances.iter().filter(|&&found| found == distance).count();
    let counts: Vec<usize> = (0..=farthest.min(MOST_BARS)).map(count).collect();
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let shown: Vec<String> =
        (0..).zip(&counts).map(|(at, count)| format!("{count} at {}", bits(at))).collect();
    let mut svg = format!(
        "<svg class=\"distances\" viewBox=\"0 0 {} 62\" role=\"img\" aria-label=\"Members by distance from the first: {}\">\n",
        counts.len() * 24,
        shown.join(", ")
    );
    for (at, &count) in counts.iter().enumerate() {
        let (x, height) = (at * 24, count as f64 / most as f64 * 40.0);
        let _ = writeln!(
            svg,
            "<rect class=\"bar\" x=\"{}\" y=\"{:.1}\" width=\"16\" height=\"{height:.1}\" rx=\"1.5\"/><text x=\"{}\" y=\"58\" \
             text-anchor=\"middle\">{at}</text>",
            x + 4,
            42.0 - height,
            x + 12
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn pair(page: &mut Page, (collection, names): (&str, &DocumentNames), texts: bool, row: &Value) {
    let (a, b) = (text(row, "a"), text(row, "b"));
    let compare = if texts { side_by_side(collection, a, b) } else { String::new() };
    page.push(&format!(
        "<section class=\"card pair\"><span class=\"pill\">{}</span> {}<br>{} {compare}</section>\n",
        bits(row["distance"].as_u64().unwrap_or(0)),
        names.link(a),
        names.link(b)
    ));
}

/// Whether a document is kept, and what it repeats if it is not.
fn decision(
    page: &mut Page,
    (collection, names): (&str, &DocumentNames),
    texts: bool,
    row: &Value,
) {
    let (id, decision) = (text(row, "id"), text(row, "decision"));
    page.push(&format!(
        "<section class=\"card pair\"><span class=\"pill\">{}</span> {} <span class=\"soft\">{}</span>",
        escaped(decision),
        names.link(id),
        escaped(&text(row, "reason").replace('-', " "))
    ));
    let representative = text(row, "representative");
    if decision == "drop" {
        let compare =
            if texts { side_by_side(collection, representative, id) } else { String::new() };
        let percent = 100.0 * row["similarity"].as_f64().unwrap_or(0.0);
        let of = names.link(representative);
        page.push(&format!("<br>repeats {of} to {percent:.0} % {compare}"));
    }
    if let (Some(nearest), Some(kinds)) = (row["nearest"].as_str(), row["contradicts"].as_str()) {
        let compare = if texts { side_by_side(collection, nearest, id) } else { String::new() };
        let of = names.link(nearest);
        page.push(&format!("<br>contradicts {of} by {} {compare}", escaped(kinds)));
    }
    page.push("</section>\n");
}

/// Why a document was not imported; or what the import changed.
fn imported(page: &mut Page, row: &Value) {
    if row["schema"] == IndexChangeRow::SCHEMA {
        let count = |field: &str| grouped(row[field].as_u64().unwrap_or(0));
        page.facts(&[
            ("Added", count("added")),
            ("Replaced", count("replaced")),
            ("Skipped", count("skipped")),
            ("Captures without a text", count("captures")),
            ("Failed", count("failed")),
            ("Documents now", count("documents")),
        ]);
        return;
    }
    page.push(&format!(
        "<section class=\"card pair\"><span class=\"pill\">{}</span> {} <span class=\"soft\">{}</span></section>\n",
        escaped(text(row, "reason")),
        escaped(text(row, "id")),
        escaped(text(row, "detail"))
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_rows_follow_one_another() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("rows");
        let mut text: String = (0..60).map(|n| format!("{{\"n\":{n}}}\n")).collect();
        text.push_str("{\"schema\":\"nearprint/end/1\",\"rows\":60}\n");
        std::fs::write(&file, &text).unwrap();
        let of = |n: u64| format!("{{\"decision\":\"keep\",\"reason\":\"{}\",\"n\":{n}}}\n", n % 3);
        let reasoned: String = (0..90).map(of).collect();
        std::fs::write(&file, reasoned + "{\"schema\":\"nearprint/end/1\",\"rows\":90}\n").unwrap();
        let first = read(&file, 0, "1").unwrap();
        let second = read(&file, first.next.unwrap(), "1").unwrap();
        let seen = |rows: &[Value]| rows.iter().map(|row| row["n"].as_u64()).collect::<Vec<_>>();
        assert_eq!(seen(&first.rows), (0..25).map(|n| Some(3 * n + 1)).collect::<Vec<_>>());
        assert_eq!(seen(&second.rows), (25..30).map(|n| Some(3 * n + 1)).collect::<Vec<_>>());
        assert_eq!(second.next, None);
        std::fs::write(&file, &text).unwrap();
        let (mut at, mut seen) = (Some(0), Vec::new());
        while let Some(from) = at {
            let rows = read(&file, from, "").unwrap();
            seen.extend(rows.rows.iter().map(|row| row["n"].as_u64().unwrap()));
            at = rows.next;
        }
        assert_eq!(seen, (0..60).collect::<Vec<_>>());
        assert!(read(&file, 3, "").is_err(), "within a row");
        assert!(read(&file, u64::MAX, "").is_err(), "beyond the end");
    }
}
