//! The captures of one address through time: when they were made, how much changed, and where to look at it.

use std::fmt::Write;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint::report::{escaped, grouped};
use nearprint_index::ListedCapture;
use serde::Deserialize;

use crate::access::Access;
use crate::address::encoded;
use crate::api::captures::range;
use crate::capture_overview::{CaptureKind, CaptureOverview, CaptureView, RowChoice};
use crate::captures::{change, changed, cursor, date, replay, row_after};
use crate::problem::Problem;
use crate::request::{Parameters, PathName, flag};
use crate::state::SharedApp;
use crate::work::Lane;

use super::html::{Page, Tab};
use super::timeline::{bars, calendar, time_name};

/// Rows of a page.
const SHOWN: usize = 100;

/// Names and texts of the kinds of captures that rows may be limited to.
const KINDS: [(&str, CaptureKind, &str); 5] = [
    ("", CaptureKind::All, "All captures"),
    ("changed", CaptureKind::Changed(0), "That changed"),
    ("changed-5", CaptureKind::Changed(5), "That changed by over 5 %"),
    ("changed-25", CaptureKind::Changed(25), "That changed by over 25 %"),
    ("other-status", CaptureKind::OtherStatus, "Redirects and errors"),
];

/// Which captures are shown; without an address, the form alone.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ShowParameters {
    url: String,
    from: String,
    to: String,
    /// Which kind of captures: a name of [`KINDS`].
    only: String,
    /// Compare only the main content of HTML pages.
    #[serde(rename = "main-content", deserialize_with = "flag")]
    main_content: bool,
    cursor: Option<String>,
}

impl ShowParameters {
    /// The address of the page, for attributes, without its times and cursor.
    fn address(&self, name: &str) -> String {
        format!(
            "/collections/{name}/captures?url={}&amp;only={}{}",
            encoded(&self.url),
            encoded(&self.only),
            if self.main_content { "&amp;main-content=true" } else { "" }
        )
    }

    /// The year, month or day that is shown alone; nothing where it is none of these.
    fn within(&self) -> &str {
        let is_time = matches!(self.from.len(), 4 | 6 | 8) && self.from == self.to;
        if is_time { &self.from } else { "" }
    }

    fn choice(&self) -> Result<RowChoice, Problem> {
        let kind = KINDS.iter().find(|(name, ..)| *name == self.only);
        let kind =
            kind.ok_or_else(|| Problem::invalid("?only", "this is not a kind of captures"))?;
        Ok(RowChoice {
            from: self.from.clone(),
            to: self.to.clone(),
            kind: kind.1,
            main_content: self.main_content,
            after: row_after(self.cursor.as_deref())?,
            most: SHOWN,
        })
    }
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(asked): Parameters<ShowParameters>,
) -> Result<Response, Problem> {
    app.collection(&access, &name).await?;
    let mut page = Page::new(&access, "Captures", Tab::Collections);
    page.push(&format!(
        "<p class=\"kicker\"><a href=\"/collections/{name}\">{name}</a> · <a \
         href=\"/collections/{name}/addresses\">addresses</a> · captures</p>\n"
    ));
    if asked.url.trim().is_empty() {
        page.heading("How did a page change?");
        page.push("<p class=\"lead\">The captures of one address, and how much changed between them.</p>\n");
        form(&mut page, &name, &asked);
        return Ok(page.answer(StatusCode::OK));
    }
    // Says what is wrong with a time.
    range(&asked.url, Some(asked.from.clone()), Some(asked.to.clone()))?;
    let (choice, url) = (asked.choice()?, asked.url.trim().to_owned());
    let shared = app.clone();
    let found = app.with_collection(&access, &name, Lane::Bulk, move |collection| {
        let replay = collection.replay().or_else(|| shared.replay.clone());
        Ok((CaptureOverview::of(collection, &url, &choice)?, replay))
    });
    let (overview, replay) = found.await?;
    // A page that is gone or has moved is called what it was called.
    let titled = |is_shown: fn(&CaptureView) -> bool| {
        let shown = overview.rows.iter().rev().filter(|row| is_shown(row));
        shown.filter_map(|row| row.captured.details.title.clone()).next()
    };
    let title = titled(|row| row.captured.details.status == Some(200)).or_else(|| titled(|_| true));
    page.heading(title.as_deref().unwrap_or(&asked.url));
    if title.is_some() {
        page.push(&format!("<p class=\"lead address\">{}</p>\n", escaped(&asked.url)));
    }
    form(&mut page, &name, &asked);
    if overview.all.captures == 0 {
        page.empty("There is no capture of this address.");
        return Ok(page.answer(StatusCode::OK));
    }
    facts(&mut page, &overview);
    let address = asked.address(&name);
    bars(&mut page, &overview, asked.within(), &address);
    calendar(&mut page, &overview, asked.within(), &address);
    let table = CaptureTable { name: &name, asked: &asked, replay: replay.as_deref() };
    table.push(&mut page, &overview);
    mementos(&mut page, &name, &asked.url, replay.is_some());
    Ok(page.answer(StatusCode::OK))
}

/// Where programs find the captures, or why they do not.
fn mementos(page: &mut Page, name: &str, url: &str, is_replayed: bool) {
    let url = encoded(url);
    page.push(&format!(
        "<p class=\"soft\">For programs: <a href=\"/v1/collections/{name}/captures?url={url}&amp;format=cdxj\">index of \
         captures (CDXJ)</a>{}</p>\n",
        match is_replayed {
            true => format!(
                ", <a href=\"/v1/collections/{name}/timemap?url={url}\">TimeMap</a>, <a \
                 href=\"/v1/collections/{name}/timegate?url={url}\">TimeGate</a> (RFC 7089)"
            ),
            false => ". There are no links to a replay, no TimeMap and no TimeGate: the collection does not say where \
                      its captures are replayed (<code>replay</code>)"
                .to_owned(),
        }
    ));
}

fn form(page: &mut Page, name: &str, asked: &ShowParameters) {
    let time = |id: &str, label: &str, value: &str| {
        format!(
            "<p class=\"field\"><label for=\"{id}\">{label}</label>\n<input id=\"{id}\" name=\"{id}\" value=\"{}\" \
             inputmode=\"numeric\" pattern=\"[0-9]{{0,14}}\" placeholder=\"2026\" autocomplete=\"off\"></p>\n",
            escaped(value)
        )
    };
    let mut kinds = String::new();
    for (kind, _, text) in KINDS {
        let selected = if kind == asked.only { " selected" } else { "" };
        let _ = writeln!(kinds, "<option value=\"{kind}\"{selected}>{text}</option>");
    }
    page.push(&format!(
        "<form class=\"card line\" method=\"get\" action=\"/collections/{name}/captures\" role=\"search\">\n\
         <p class=\"field wide\"><label for=\"url\">Address</label>\n<input id=\"url\" name=\"url\" type=\"text\" required \
         value=\"{}\" placeholder=\"https://example.org/page\" autocomplete=\"off\"></p>\n{}{}\
         <p class=\"field\"><label for=\"only\">Captures</label>\n<select id=\"only\" name=\"only\">\n{kinds}</select></p>\n\
         <p class=\"check\"><input id=\"main-content\" name=\"main-content\" type=\"checkbox\" value=\"true\"{}> \
         <label for=\"main-content\">Only main content</label></p>\n\
         <p><button type=\"submit\">Show</button></p>\n</form>\n",
        escaped(&asked.url),
        time("from", "From", &asked.from),
        time("to", "To", &asked.to),
        if asked.main_content { " checked" } else { "" }
    ));
}

fn facts(page: &mut Page, overview: &CaptureOverview) {
    let all = &overview.all;
    let more = if overview.is_cut { "over " } else { "" };
    let mut facts = vec![
        ("Captures", format!("{more}{}", grouped(all.captures))),
        ("First", day(&overview.first)),
        ("Last", day(&overview.last)),
    ];
    if let Some(largest) = all.largest {
        facts.push(("Changed", grouped(all.changed)));
        facts.push(("Largest change", percent(largest)));
    }
    if all.other_status > 0 {
        facts.push(("Redirects and errors", grouped(all.other_status)));
    }
    page.facts(&facts);
    if overview.is_cut {
        page.push(&format!(
            "<p class=\"soft\">The first {} captures are summed up. Choose times to see later ones.</p>\n",
            grouped(all.captures)
        ));
    }
}

/// A share in percent; what is more than nothing is never called 0.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".to_owned(),
        percent if percent < 1.0 => "under 1 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

/// `2026-11-23` of 14 digits.
pub(super) fn day(date: &str) -> String {
    escaped(&time_name(date.get(..8).unwrap_or(date)))
}

/// `04:05` of 14 digits.
fn hour(date: &str) -> String {
    match (date.get(8..10), date.get(10..12)) {
        (Some(hour), Some(minute)) => format!("{hour}:{minute}"),
        _ => String::new(),
    }
}

/// The status of a capture in words that say what happened to the page.
pub(super) fn status_words(status: u16) -> String {
    let words = match status {
        200..=299 => "",
        300..=399 => " redirect",
        404 => " not found",
        410 => " gone",
        400..=499 => " refused",
        _ => " error",
    };
    format!("{status}{words}")
}

/// The rows of captures, of which any two may be compared.
struct CaptureTable<'a> {
    name: &'a str,
    asked: &'a ShowParameters,
    /// Where captures are replayed.
    replay: Option<&'a str>,
}

impl CaptureTable<'_> {
    fn push(&self, page: &mut Page, overview: &CaptureOverview) {
        let Self { name, asked, .. } = *self;
        let within = asked.within();
        let of =
            if within.is_empty() { String::new() } else { format!(" of {}", time_name(within)) };
        let address = asked.address(name);
        page.push(&format!("<h2>Captures{of}</h2>\n"));
        if !within.is_empty() {
            page.push(&format!("<p><a href=\"{address}\">Captures of all times</a></p>\n"));
        }
        if overview.rows.is_empty() {
            page.empty("There is no capture of this kind at this time.");
            return;
        }
        let with_document = |row: &&CaptureView| row.captured.document.is_some();
        let comparable = overview.rows.iter().filter(with_document).count() > 1;
        if comparable {
            page.push(&format!(
                "<form method=\"get\" action=\"/compare\">\n<input type=\"hidden\" name=\"a-collection\" \
                 value=\"{name}\"><input type=\"hidden\" name=\"b-collection\" value=\"{name}\">{}\n",
                if asked.main_content {
                    "<input type=\"hidden\" name=\"main-content\" value=\"true\">"
                } else {
                    ""
                }
            ));
        }
        page.push(&format!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"Captures\" tabindex=\"0\"><table class=\"captures\">\n<thead><tr>{}<th>Captured</th><th>Title</th><th>Status</th>\
             <th>Type</th><th>Words changed</th><th><span class=\"hidden\">Links</span></th></tr></thead>\n<tbody>\n",
            if comparable { "<th>First</th><th>Second</th>" } else { "" }
        ));
        let first = overview.rows.iter().position(|row| with_document(&row));
        let last = overview.rows.iter().rposition(|row| with_document(&row));
        for (at, row) in overview.rows.iter().enumerate() {
            page.push("<tr>");
            if comparable {
                page.push(&chosen(&row.captured, first == Some(at), last == Some(at)));
            }
            page.push(&self.row(row));
            page.push("</tr>\n");
        }
        page.push("</tbody>\n</table></div>\n");
        if comparable {
            page.push("<p class=\"after\"><button type=\"submit\">Compare first with second</button></p>\n</form>\n");
        }
        let times =
            format!("{address}&amp;from={}&amp;to={}", encoded(&asked.from), encoded(&asked.to));
        page.push("<nav class=\"pages\" aria-label=\"Pages of captures\">\n");
        if asked.cursor.is_some() {
            page.push(&format!("<a href=\"{times}\">First page</a>\n"));
        }
        if let Some(last) = overview.rows.last().filter(|_| overview.has_more) {
            let next = cursor(&last.captured);
            page.push(&format!(
                "<a href=\"{times}&amp;cursor={next}\" rel=\"next\">Next page</a>\n"
            ));
        }
        page.push("</nav>\n");
    }

    fn row(&self, row: &CaptureView) -> String {
        let captured = &row.captured;
        let details = &captured.details;
        let time = date(captured);
        let shown = format!("<time datetime=\"{}\">{}</time>", day(time), day(time));
        let shown = match &captured.document {
            Some(document) => format!(
                "<a href=\"/collections/{}/document?id={}\">{shown}</a>",
                self.name,
                encoded(document.id.as_str())
            ),
            None => shown,
        };
        let title = details.title.as_deref().map_or_else(|| "–".to_owned(), escaped);
        let other = details.url.as_deref().filter(|url| *url != self.asked.url);
        let other = other.map_or_else(String::new, |url| {
            format!("<br><span class=\"soft address\">{}</span>", escaped(url))
        });
        let status = details.status.map_or_else(|| "–".to_owned(), status_words);
        let revisit = if details.is_revisit { " <span class=\"pill\">revisit</span>" } else { "" };
        format!(
            "<td>{shown} <span class=\"soft\">{}</span></td><td dir=\"auto\">{title}{other}</td><td>{status}{revisit}</td>\
             <td class=\"soft\">{}</td><td>{}</td><td class=\"number\">{}</td>",
            hour(time),
            details.mime.as_deref().map_or_else(|| "–".to_owned(), escaped),
            change_words(captured, self.asked.main_content),
            self.links(row)
        )
    }

    /// To what changed since the document before, and to where this capture is replayed.
    fn links(&self, row: &CaptureView) -> String {
        let Self { name, asked, replay: template } = *self;
        let mut links = String::new();
        let is_changed =
            changed(&row.captured, asked.main_content).is_some_and(|share| share > 0.0);
        if let (Some(before), Some(document), true) =
            (&row.before, &row.captured.document, is_changed)
        {
            let _ = write!(
                links,
                "<a class=\"aside\" href=\"/compare?a-collection={name}&amp;a-id={}&amp;b-collection={name}&amp;b-id={}{}\">\
                 what changed</a>",
                encoded(before.as_str()),
                encoded(document.id.as_str()),
                if asked.main_content { "&amp;main-content=true" } else { "" }
            );
        }
        if let (Some(template), time @ [_, ..]) = (template, date(&row.captured).as_bytes()) {
            let url = row.captured.details.url.as_deref().unwrap_or(&asked.url);
            let address = replay(template, &String::from_utf8_lossy(time), url);
            let _ = write!(
                links,
                " <a class=\"aside\" rel=\"noreferrer\" href=\"{}\">replay</a>",
                escaped(&address)
            );
        }
        links
    }
}

/// The choices of a capture as the first and the second of a comparison.
fn chosen(captured: &ListedCapture, is_first: bool, is_last: bool) -> String {
    let Some(document) = &captured.document else { return "<td></td><td></td>".to_owned() };
    let (id, day) = (escaped(document.id.as_str()), day(date(captured)));
    let choice = |name: &str, label: &str, is_chosen: bool| {
        let checked = if is_chosen { " checked" } else { "" };
        format!(
            "<td><input type=\"radio\" name=\"{name}\" value=\"{id}\" aria-label=\"{day} as the {label}\"{checked}></td>"
        )
    };
    choice("a-id", "first", is_first) + &choice("b-id", "second", is_last)
}

/// How much changed since the document before.
fn change_words(captured: &ListedCapture, main_content: bool) -> String {
    let distance = change(captured).map(|change| change.distance);
    match (changed(captured, main_content), distance) {
        (Some(share), _) if share <= 0.0 => "<span class=\"soft\">unchanged</span>".to_owned(),
        (Some(share), _) => format!(
            "<span class=\"similarity\"><meter min=\"0\" max=\"100\" value=\"{:.0}\" aria-hidden=\"true\"></meter> \
             {}</span>",
            (share * 100.0).ceil(),
            percent(share)
        ),
        (None, Some(distance)) => format!("<span class=\"pill\">{distance} bits</span>"),
        (None, None) if captured.document.is_none() => {
            "<span class=\"soft\">no text</span>".to_owned()
        }
        (None, None) => "<span class=\"soft\">first</span>".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_a_little_is_not_called_nothing() {
        let shown: Vec<_> = [0.0, 0.001, 0.0149, 0.5, 1.0].map(percent).into_iter().collect();
        assert_eq!(shown, ["0 %", "under 1 %", "1 %", "50 %", "100 %"]);
    }

    #[test]
    fn times_are_shown_as_days() {
        assert_eq!(
            (day("20261123070809"), hour("20261123070809")),
            ("2026-11-23".into(), "07:08".into())
        );
        assert_eq!((day("<"), hour("<")), ("&lt;".into(), String::new()));
    }

    #[test]
    fn a_status_says_what_happened() {
        let words = [200, 301, 404, 410, 403, 500].map(status_words);
        assert_eq!(
            words,
            ["200", "301 redirect", "404 not found", "410 gone", "403 refused", "500 error"]
        );
    }
}
