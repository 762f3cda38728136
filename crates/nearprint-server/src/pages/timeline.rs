//! Captures drawn over time: bars of years, months or days, and calendars. Each bar and each day is a link to its
//! captures.

use std::fmt::Write;

use nearprint::records::capture_seconds;
use nearprint::report::grouped;

use crate::capture_overview::{CaptureCount, CaptureOverview};

use super::captures::percent;
use super::html::Page;

/// Size of the bars, in units of their drawing.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 120.0;

/// The height of a bar of one capture.
const LEAST: f64 = 4.0;

/// Bars that are named (<=).
const MOST_NAMES: usize = 12;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What a time is called: `2020`, `May 2020`, `2020-05-04`.
pub(super) fn time_name(time: &str) -> String {
    let month = |digits: &str| {
        digits.parse::<usize>().ok().and_then(|month| MONTHS.get(month.wrapping_sub(1)))
    };
    match (time.get(..4), time.get(4..6), time.get(6..8)) {
        (Some(year), Some(month), Some(day)) => format!("{year}-{month}-{day}"),
        (Some(year), Some(digits), None) => {
            month(digits).map_or(time.to_owned(), |month| format!("{month} {year}"))
        }
        _ => time.to_owned(),
    }
}

/// `12 captures, 3 changed, 1 redirect or error`.
fn count_words(count: &CaptureCount) -> String {
    let mut words = match count.captures {
        1 => "1 capture".to_owned(),
        captures => format!("{} captures", grouped(captures)),
    };
    if count.changed > 0 {
        let _ = write!(words, ", {} changed", grouped(count.changed));
    }
    if let Some(largest) = count.largest.filter(|largest| *largest > 0.0) {
        let _ = write!(words, " by up to {}", percent(largest));
    }
    match count.other_status {
        0 => {}
        1 => words.push_str(", 1 redirect or error"),
        other => {
            let _ = write!(words, ", {} redirects or errors", grouped(other));
        }
    }
    words
}

/// The times of the bars within a time: of nothing all years, of a year its months, of a month its days.
fn times_within(overview: &CaptureOverview, within: &str) -> Vec<String> {
    let number = |digits: &str| digits.parse::<u32>().unwrap_or(0);
    match within.len() {
        0 => {
            let (first, last) = (overview.first.get(..4), overview.last.get(..4));
            let (first, last) = (first.map_or(0, number), last.map_or(0, number));
            let years = last.saturating_sub(first);
            // Of one year the months say more.
            if years == 0 {
                return times_within(overview, overview.first.get(..4).unwrap_or("0000"));
            }
            (first..=last).map(|year| format!("{year:04}")).collect()
        }
        4 => (1..=12).map(|month| format!("{within}{month:02}")).collect(),
        _ => {
            let days = (1..=31).map(|day| format!("{}{day:02}", &within[..within.len().min(6)]));
            days.filter(|day| capture_seconds(&format!("{day}000000")).is_some()).collect()
        }
    }
}

/// Bars over time: as high as captures are many, and filled as far as they changed. `address` is that of the page, to
/// which a time is added.
pub(super) fn bars(page: &mut Page, overview: &CaptureOverview, within: &str, address: &str) {
    let times = times_within(overview, within);
    let counts = |time: &str| overview.counts.get(time).copied().unwrap_or_default();
    let most = times.iter().map(|time| counts(time).captures).max().unwrap_or(0);
    if overview.all.captures < 2 || most == 0 {
        return;
    }
    let place = WIDTH / times.len() as f64;
    let width = (place * 0.8).min(60.0);
    let height = |captures: u64| match captures {
        0 => 0.0,
        captures => LEAST + captures as f64 / most as f64 * (HEIGHT - LEAST),
    };
    let mut svg = format!(
        "<svg class=\"timeline\" viewBox=\"0 0 {WIDTH} {}\" role=\"group\" aria-label=\"Captures over time\">\n",
        HEIGHT + 26.0
    );
    let step = times.len().div_ceil(MOST_NAMES);
    for (at, time) in times.iter().enumerate() {
        let count = counts(time);
        let middle = (at as f64 + 0.5) * place;
        if count.captures > 0 {
            let (all, changed) = (height(count.captures), height(count.changed));
            let x = middle - width / 2.0;
            let name = format!("{}: {}", time_name(time), count_words(&count));
            let _ = writeln!(
                svg,
                "<a href=\"{address}&amp;from={time}&amp;to={time}\" aria-label=\"{name}\"><title>{name}</title>\
                 <rect class=\"room\" x=\"{:.1}\" y=\"0\" width=\"{place:.1}\" height=\"{HEIGHT}\"/>\
                 <rect class=\"same\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{all:.1}\" rx=\"1.5\"/>\
                 <rect class=\"bar\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{changed:.1}\" rx=\"1.5\"/></a>",
                middle - place / 2.0,
                HEIGHT - all,
                HEIGHT - changed,
            );
        }
        if at % step == 0 {
            let name = match time.len() {
                6 => time_name(time).get(..3).unwrap_or_default().to_owned(),
                8 => time.get(6..).unwrap_or_default().to_owned(),
                _ => time.clone(),
            };
            let _ = writeln!(
                svg,
                "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\" aria-hidden=\"true\">{name}</text>",
                HEIGHT + 20.0
            );
        }
    }
    svg.push_str("</svg>\n");
    page.push(&svg);
}

/// A cell of a calendar: a link to the captures of its time.
fn cell(count: &CaptureCount, time: &str, address: &str) -> String {
    if count.captures == 0 {
        return "<td></td>".to_owned();
    }
    format!(
        "<td class=\"shade-{}\"><a href=\"{address}&amp;from={time}&amp;to={time}\" title=\"{words}\" aria-label=\"{}: \
         {words}\">{}</a></td>",
        shade(count.largest),
        time_name(time),
        grouped(count.captures),
        words = count_words(count),
    )
}

/// Years and months; of one year its months and days. Cells are links.
pub(super) fn calendar(page: &mut Page, overview: &CaptureOverview, within: &str, address: &str) {
    if overview.all.captures < 2 {
        return;
    }
    let count = |time: &str| overview.counts.get(time).copied().unwrap_or_default();
    let year = within.get(..4);
    let mut table = format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"Calendar\" tabindex=\"0\"><table class=\"calendar{}\">\n\
         <caption>Captures of each {}. The stronger the colour, the more the text changed.</caption>\n<thead><tr><th \
         scope=\"col\">{}</th>",
        if year.is_some() { " days" } else { "" },
        if year.is_some() { "day" } else { "month" },
        if year.is_some() { "Month" } else { "Year" },
    );
    match year {
        Some(year) => {
            for day in 1..=31 {
                let _ = write!(table, "<th scope=\"col\">{day}</th>");
            }
            table.push_str("</tr></thead>\n<tbody>\n");
            for (month, of_month) in overview.counts_of(year, 6) {
                let _ = write!(
                    table,
                    "<tr><th scope=\"row\"><a href=\"{address}&amp;from={month}&amp;to={month}\" title=\"{}\">{}</a></th>",
                    count_words(&of_month),
                    time_name(month).get(..3).unwrap_or(month)
                );
                for day in 1..=31 {
                    let time = format!("{month}{day:02}");
                    table.push_str(&cell(&count(&time), &time, address));
                }
                table.push_str("</tr>\n");
            }
        }
        None => {
            for month in MONTHS {
                let _ = write!(table, "<th scope=\"col\">{month}</th>");
            }
            table.push_str("</tr></thead>\n<tbody>\n");
            for (year, of_year) in overview.counts_of("", 4) {
                let _ = write!(
                    table,
                    "<tr><th scope=\"row\"><a href=\"{address}&amp;from={year}&amp;to={year}\" title=\"{}\">{year}</a></th>",
                    count_words(&of_year)
                );
                for month in 1..=12 {
                    let time = format!("{year}{month:02}");
                    table.push_str(&cell(&count(&time), &time, address));
                }
                table.push_str("</tr>\n");
            }
        }
    }
    table.push_str("</tbody>\n</table></div>\n");
    page.push(&table);
}

/// How strong the colour of a time is, 0 to 4, by its largest change.
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
    use super::*;

    #[test]
    fn colours_are_stronger_where_more_changed() {
        let shades = [None, Some(0.0), Some(0.001), Some(0.05), Some(0.2), Some(1.0)].map(shade);
        assert_eq!(shades, [0, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn times_have_names() {
        let names = ["2020", "202005", "20200504", "202013", ""].map(time_name);
        assert_eq!(names, ["2020", "May 2020", "2020-05-04", "202013", ""]);
    }

    #[test]
    fn bars_are_those_of_the_calendar() {
        let overview = CaptureOverview {
            first: "20190504000000".to_owned(),
            last: "20210101000000".to_owned(),
            ..CaptureOverview::default()
        };
        assert_eq!(times_within(&overview, ""), ["2019", "2020", "2021"]);
        assert_eq!(times_within(&overview, "2020").len(), 12);
        assert_eq!(times_within(&overview, "202002").len(), 29);
        assert_eq!(times_within(&overview, "20210228").len(), 28);
        let one = CaptureOverview { last: "20190601000000".to_owned(), ..overview };
        assert_eq!(times_within(&one, "")[4], "201905");
    }

    #[test]
    fn counts_are_in_words() {
        let count = |captures, changed, other_status, largest| {
            count_words(&CaptureCount { captures, changed, other_status, largest })
        };
        assert_eq!(count(1, 0, 0, None), "1 capture");
        assert_eq!(
            count(1200, 3, 1, Some(0.25)),
            "1\u{202f}200 captures, 3 changed by up to 25 %, 1 redirect or error"
        );
        assert_eq!(count(2, 0, 2, Some(0.0)), "2 captures, 2 redirects or errors");
    }
}
