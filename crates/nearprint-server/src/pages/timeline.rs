//! Captures drawn over time: bars as high as what changed, and the months of each year.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use nearprint::records::capture_seconds;

use crate::captures::CaptureView;

use super::captures::percent;
use super::html::Page;

/// Size of the timeline, in units of its drawing.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 120.0;

/// The change that is drawn as high as the timeline, unless there is a larger one.
const SCALE: f64 = 0.25;

/// The height of a bar of no change.
const LEAST: f64 = 3.0;

/// Years of the calendar; of more, the timeline alone is drawn.
const MOST_YEARS: usize = 40;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Bars over time, as high as what changed; the table says the same in words.
pub(super) fn timeline(page: &mut Page, found: &[CaptureView]) {
    let times: Vec<i64> =
        found.iter().map(|seen| capture_seconds(&seen.date).unwrap_or(0)).collect();
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return };
    if found.len() < 2 || last <= first {
        return;
    }
    let place = |time: i64| 10.0 + (time - first) as f64 / (last - first) as f64 * (WIDTH - 20.0);
    let mut svg = format!(
        "<svg class=\"timeline\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"Changes over time; the table below \
         has them in words\">\n",
        HEIGHT + 26.0
    );
    let year = |date: &str| date.get(..4).and_then(|year| year.parse::<i64>().ok()).unwrap_or(0);
    let (from, to) = (year(&found[0].date), year(&found[found.len() - 1].date));
    // At most some ten years are named.
    let step = ((to - from) / 10 + 1).max(1);
    for named in (from..=to).filter(|named| (named - from) % step == 0) {
        let Some(at) = capture_seconds(&format!("{named:04}0101000000")).filter(|at| *at >= first)
        else {
            continue;
        };
        if at > last {
            continue;
        }
        let x = place(at);
        let _ = writeln!(
            svg,
            "<line class=\"tick\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{HEIGHT}\"/><text x=\"{x:.1}\" y=\"{}\" \
             text-anchor=\"middle\">{named}</text>",
            HEIGHT + 20.0
        );
    }
    // Small changes are seen beside each other, but none is drawn as if it were everything.
    let largest = found.iter().filter_map(|seen| seen.changed).fold(SCALE, f64::max);
    for (seen, &time) in found.iter().zip(&times) {
        let height = LEAST + seen.changed.unwrap_or(0.0) / largest * (HEIGHT - LEAST);
        let kind =
            if seen.changed.is_some_and(|changed| changed > 0.0) { "bar" } else { "bar same" };
        let _ = writeln!(
            svg,
            "<rect class=\"{kind}\" x=\"{:.1}\" y=\"{:.1}\" width=\"4\" height=\"{height:.1}\" rx=\"1.5\"/>",
            place(time) - 2.0,
            HEIGHT - height
        );
    }
    svg.push_str("</svg>\n");
    page.push(&svg);
}

/// The captures of a month.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Month {
    captures: usize,
    /// The largest change in it, where texts were compared.
    largest: Option<f64>,
}

/// The months of each year that has captures.
fn months(found: &[CaptureView]) -> BTreeMap<u16, [Month; 12]> {
    let mut years: BTreeMap<u16, [Month; 12]> = BTreeMap::new();
    for seen in found {
        let number = |range: Range<usize>| seen.date.get(range)?.parse::<u16>().ok();
        let (Some(year), Some(month @ 1..=12)) = (number(0..4), number(4..6)) else { continue };
        let cell = &mut years.entry(year).or_default()[usize::from(month) - 1];
        cell.captures += 1;
        cell.largest = match (cell.largest, seen.changed) {
            (Some(largest), Some(changed)) => Some(largest.max(changed)),
            (largest, changed) => largest.or(changed),
        };
    }
    years
}

/// Years and months, with the number of captures and the largest change of each month.
pub(super) fn calendar(page: &mut Page, found: &[CaptureView]) {
    let years = months(found);
    if found.len() < 2 || years.len() > MOST_YEARS {
        return;
    }
    let mut table = "<div class=\"scroll\" role=\"region\" aria-label=\"Calendar\" tabindex=\"0\"><table class=\"calendar\">\n<caption>Captures of each month; the darker, the more \
                     changed</caption>\n<thead><tr><th scope=\"col\">Year</th>"
        .to_owned();
    for month in MONTHS {
        let _ = write!(table, "<th scope=\"col\">{month}</th>");
    }
    table.push_str("</tr></thead>\n<tbody>\n");
    for (year, months) in years {
        let _ = write!(table, "<tr><th scope=\"row\">{year}</th>");
        for Month { captures, largest } in months {
            match captures {
                0 => table.push_str("<td></td>"),
                _ => {
                    let change = largest.map(|largest| {
                        format!(" <span class=\"hidden\">up to {} changed</span>", percent(largest))
                    });
                    let _ = write!(
                        table,
                        "<td class=\"shade-{}\">{captures}{}</td>",
                        shade(largest),
                        change.unwrap_or_default()
                    );
                }
            }
        }
        table.push_str("</tr>\n");
    }
    table.push_str("</tbody>\n</table></div>\n");
    page.push(&table);
}

/// How dark a month is, 0 to 4, by its largest change.
fn shade(largest: Option<f64>) -> u8 {
    match largest.unwrap_or(0.0) {
        0.0 => 0,
        largest if largest < 0.02 => 1,
        largest if largest < 0.1 => 2,
        largest if largest < 0.3 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use nearprint::fingerprint::{Fingerprint, Scheme};
    use nearprint::records::DocumentId;
    use nearprint_index::{StoredCapture, StoredDocument};

    use super::*;

    fn seen(date: &str, changed: Option<f64>) -> CaptureView {
        let print = Fingerprint::from_bytes(Scheme::SD1, &[7; 8]).unwrap();
        let document = StoredDocument::new(DocumentId::new(date).unwrap(), print);
        let captured = StoredCapture { number: 1, document };
        CaptureView { captured, date: date.to_owned(), distance: None, changed }
    }

    #[test]
    fn months_have_their_captures_and_the_largest_change() {
        let found = [
            seen("20250101000000", None),
            seen("20250131000000", Some(0.5)),
            seen("20250131000001", Some(0.2)),
            seen("20261205000000", None),
            seen("20261305000000", None),
            seen("unknown", None),
        ];
        let years = months(&found);
        assert_eq!(years.keys().copied().collect::<Vec<_>>(), [2025, 2026]);
        assert_eq!(years[&2025][0], Month { captures: 3, largest: Some(0.5) });
        assert_eq!(years[&2026][11], Month { captures: 1, largest: None });
        assert_eq!(years[&2026][0], Month::default());
    }

    #[test]
    fn months_are_darker_where_more_changed() {
        let shades = [None, Some(0.0), Some(0.001), Some(0.05), Some(0.2), Some(1.0)].map(shade);
        assert_eq!(shades, [0, 0, 1, 2, 3, 4]);
    }
}
