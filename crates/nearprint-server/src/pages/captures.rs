//! The captures of one address through time: a timeline of how much changed, and where to look at it.

use std::fmt::Write;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint::report::{escaped, grouped};
use serde::Deserialize;

use crate::access::Access;
use crate::address::encoded;
use crate::api::captures::{after_capture, range};
use crate::api::documents::cursor;
use crate::captures::{CaptureView, replay, seen};
use crate::problem::Problem;
use crate::request::{Parameters, PathName, flag};
use crate::state::SharedApp;
use crate::work::Lane;

use super::html::{Page, Tab};
use super::timeline::{calendar, timeline};

/// Captures of a page: the texts of each are compared.
const SHOWN: usize = 200;

/// Which captures are shown; without an address, the form alone.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ShowParameters {
    url: String,
    from: String,
    to: String,
    /// Compare only the main content of HTML pages.
    #[serde(rename = "main-content", deserialize_with = "flag")]
    main_content: bool,
    cursor: Option<String>,
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<ShowParameters>,
) -> Result<Response, Problem> {
    let ShowParameters { url, from, to, main_content, cursor: at } = parameters;
    app.collection(&access, &name).await?;
    let mut page = Page::new(&access, "Captures", Tab::Collections);
    page.push(&format!(
        "<p class=\"kicker\"><a href=\"/collections/{name}\">{name}</a> · captures</p>\n"
    ));
    if url.trim().is_empty() {
        page.heading("How did a page change?");
        page.push("<p class=\"lead\">The captures of one address, and how much changed between them.</p>\n");
        form(&mut page, &name, (&url, &from, &to), main_content);
        return Ok(page.answer(StatusCode::OK));
    }
    let range = range(&url, Some(from.clone()), Some(to.clone()))?;
    let wanted = at.clone();
    let (found, more) = app
        .with_collection(&access, &name, Lane::Bulk, move |collection| {
            let after = after_capture(collection, wanted.as_deref())?;
            seen(collection, &range, after, SHOWN, main_content)
        })
        .await?;
    page.heading(&url);
    form(&mut page, &name, (&url, &from, &to), main_content);
    if found.is_empty() {
        page.empty("There is no capture of this address at this time.");
        return Ok(page.answer(StatusCode::OK));
    }
    facts(&mut page, &found);
    timeline(&mut page, &found);
    calendar(&mut page, &found);
    let shown = CaptureRows { name: &name, url: &url, replay: app.replay.as_deref(), main_content };
    shown.table(&mut page, &found);
    let next = found.last().filter(|_| more).map(|last| cursor(&last.document().id));
    let address = format!(
        "/collections/{name}/captures?url={}&amp;from={}&amp;to={}{}",
        encoded(&url),
        encoded(&from),
        encoded(&to),
        if main_content { "&amp;main-content=true" } else { "" }
    );
    page.push("<nav class=\"pages\" aria-label=\"Pages of captures\">\n");
    if at.is_some() {
        page.push(&format!("<a href=\"{address}\">First page</a>\n"));
    }
    if let Some(next) = next {
        page.push(&format!("<a href=\"{address}&amp;cursor={next}\" rel=\"next\">Next page</a>\n"));
    }
    page.push("</nav>\n");
    Ok(page.answer(StatusCode::OK))
}

fn form(page: &mut Page, name: &str, (url, from, to): (&str, &str, &str), main_content: bool) {
    let time = |id: &str, label: &str, value: &str| {
        format!(
            "<p class=\"field\"><label for=\"{id}\">{label}</label>\n<input id=\"{id}\" name=\"{id}\" value=\"{}\" \
             inputmode=\"numeric\" pattern=\"[0-9]{{0,14}}\" placeholder=\"2026\" autocomplete=\"off\"></p>\n",
            escaped(value)
        )
    };
    page.push(&format!(
        "<form class=\"card line\" method=\"get\" action=\"/collections/{name}/captures\" role=\"search\">\n\
         <p class=\"field wide\"><label for=\"url\">Address</label>\n<input id=\"url\" name=\"url\" type=\"text\" required \
         value=\"{}\" placeholder=\"https://example.org/page\" autocomplete=\"off\"></p>\n{}{}\
         <p class=\"check\"><input id=\"main-content\" name=\"main-content\" type=\"checkbox\" value=\"true\"{}> \
         <label for=\"main-content\">Only main content</label></p>\n\
         <p><button type=\"submit\">Show</button></p>\n</form>\n",
        escaped(url),
        time("from", "From", from),
        time("to", "To", to),
        if main_content { " checked" } else { "" }
    ));
}

fn facts(page: &mut Page, found: &[CaptureView]) {
    let changes = || found.iter().filter_map(|seen| seen.changed);
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return };
    let mut facts = vec![
        ("Captures", grouped(found.len() as u64)),
        ("First", day(&first.date)),
        ("Last", day(&last.date)),
    ];
    if changes().next().is_some() {
        let unchanged = changes().filter(|changed| *changed <= 0.0).count();
        facts.push(("Unchanged", grouped(unchanged as u64)));
        facts.push(("Largest change", percent(changes().fold(0.0, f64::max))));
    }
    page.facts(&facts);
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
fn day(date: &str) -> String {
    match (date.get(..4), date.get(4..6), date.get(6..8)) {
        (Some(year), Some(month), Some(day)) => format!("{year}-{month}-{day}"),
        _ => escaped(date),
    }
}

/// `04:05` of 14 digits.
fn hour(date: &str) -> String {
    match (date.get(8..10), date.get(10..12)) {
        (Some(hour), Some(minute)) => format!("{hour}:{minute}"),
        _ => String::new(),
    }
}

/// What the rows of the captures lead to.
struct CaptureRows<'a> {
    name: &'a str,
    url: &'a str,
    /// Where captures are replayed.
    replay: Option<&'a str>,
    main_content: bool,
}

impl CaptureRows<'_> {
    fn table(&self, page: &mut Page, found: &[CaptureView]) {
        page.push(
            "<div class=\"scroll\"><table>\n<thead><tr><th>Captured</th><th>Words changed</th><th><span \
             class=\"hidden\">Links</span></th></tr></thead>\n<tbody>\n",
        );
        let mut before: Option<&CaptureView> = None;
        for seen in found {
            page.push(&format!(
                "<tr><td><a href=\"/collections/{}/document?id={}\"><time datetime=\"{}\">{}</time></a> <span \
                 class=\"soft\">{}</span></td><td>{}</td><td class=\"number\">{}</td></tr>\n",
                self.name,
                encoded(seen.document().id.as_str()),
                day(&seen.date),
                day(&seen.date),
                hour(&seen.date),
                change(seen),
                self.links(before, seen)
            ));
            before = Some(seen);
        }
        page.push("</tbody>\n</table></div>\n");
    }

    /// To what changed since the capture before, and to where this one is replayed.
    fn links(&self, before: Option<&CaptureView>, seen: &CaptureView) -> String {
        let Self { name, url, replay: template, main_content } = *self;
        let mut links = String::new();
        if let (Some(before), Some(_)) = (before, seen.changed) {
            let _ = write!(
                links,
                "<a class=\"aside\" href=\"/compare?a-collection={name}&amp;a-id={}&amp;b-collection={name}&amp;b-id={}{}\">\
                 what changed</a>",
                encoded(before.document().id.as_str()),
                encoded(seen.document().id.as_str()),
                if main_content { "&amp;main-content=true" } else { "" }
            );
        }
        if let Some(template) = template {
            let address = replay(template, &seen.date, url);
            let _ = write!(
                links,
                " <a class=\"aside\" rel=\"noreferrer\" href=\"{}\">replay</a>",
                escaped(&address)
            );
        }
        links
    }
}

/// How much changed since the capture before.
fn change(seen: &CaptureView) -> String {
    match (seen.changed, seen.distance) {
        (Some(changed), _) if changed <= 0.0 => "<span class=\"soft\">unchanged</span>".to_owned(),
        (Some(changed), _) => format!(
            "<span class=\"similarity\"><meter min=\"0\" max=\"100\" value=\"{:.0}\" aria-hidden=\"true\"></meter> \
             {}</span>",
            (changed * 100.0).ceil(),
            percent(changed)
        ),
        (None, Some(distance)) => format!("<span class=\"pill\">{distance} bits</span>"),
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
}
