//! The frame of all pages, and the pieces that several have.

use std::fmt::Write;
use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nearprint::report::{escaped, grouped};
use sha2::{Digest, Sha256};

use crate::access::{Access, Need};
use crate::address::encoded;
use crate::collection::CollectionSummary;
use crate::form::Field;
use crate::lines::answer;
use crate::problem::Problem;

use super::capitalised;

const STYLE: &str = include_str!("style.css");

/// The one script there is: it brings a page of a job up to date. Without it, the page is loaded again by hand.
const LIVE: &str = include_str!("live.js");

fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// What a page may do: show this style, and send forms to this server.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| policy(""));

/// The same for a page that brings itself up to date.
static LIVE_POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    policy(&format!("script-src 'sha256-{}'; connect-src 'self'; ", digest(LIVE)))
});

fn policy(more: &str) -> HeaderValue {
    let style = digest(STYLE);
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src data:; {more}form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("a digest in base64 is plain ASCII")
}

/// A lighthouse between two waves, in the accent colour.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='1' y='3' \
                    width='9' height='9' rx='2' fill='%232f7d6b' opacity='.55'/%3E%3Crect x='6' y='5' width='9' \
                    height='9' rx='2' fill='%232f7d6b'/%3E%3C/svg%3E";

/// Which entry of the navigation a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Check,
    Compare,
    Collections,
    Jobs,
    Tokens,
    Reference,
    None,
}

const TABS: [(Tab, &str, &str, Need); 6] = [
    (Tab::Check, "/", "Check", Need::READ),
    (Tab::Compare, "/compare", "Compare", Need::READ),
    (Tab::Collections, "/collections", "Collections", Need::READ),
    (Tab::Jobs, "/jobs", "Jobs", Need::READ),
    (Tab::Tokens, "/tokens", "Tokens", Need::ADMIN),
    (Tab::Reference, "/reference", "Reference", Need::Nothing),
];

/// What was entered into a form and refused: the form is shown again with it.
pub(super) struct RefusedForm {
    /// The id of the form.
    form: &'static str,
    /// The value of its first field.
    entered: String,
    problem: Problem,
}

impl RefusedForm {
    pub(super) fn new(form: &'static str, entered: &str, problem: Problem) -> Self {
        Self { form, entered: entered.to_owned(), problem }
    }

    /// The status of the page that shows the form again.
    pub(super) fn status(refused: Option<&Self>) -> StatusCode {
        refused.map_or(StatusCode::OK, |refused| refused.problem.status())
    }
}

/// What a form says about what was entered before.
pub(super) struct FormState {
    /// Why it was refused: a line at the top of the form, or nothing.
    pub(super) alert: String,
    /// What was entered into the first field, as an attribute.
    pub(super) value: String,
    /// That the line at the top is about the first field, as attributes.
    pub(super) described: String,
}

impl FormState {
    /// The state of the form of an id; `also` is what else describes the first field.
    pub(super) fn of(refused: Option<&RefusedForm>, form: &str, also: &str) -> Self {
        let about = |ids: &str| match ids {
            "" => String::new(),
            ids => format!(" aria-describedby=\"{ids}\""),
        };
        let Some(RefusedForm { entered, problem, .. }) = refused.filter(|one| one.form == form)
        else {
            let (alert, value) = (String::new(), String::new());
            return Self { alert, value, described: about(also) };
        };
        let mut said = capitalised(&problem.said());
        if let Some(remedy) = &problem.remedy {
            let _ = write!(said, ". {}", capitalised(remedy));
        }
        let alert = format!(
            "<p class=\"warn\" id=\"{form}-wrong\" role=\"alert\">{}.</p>\n",
            escaped(&said)
        );
        let described =
            format!("{} aria-invalid=\"true\"", about(format!("{form}-wrong {also}").trim()));
        Self { alert, value: format!(" value=\"{}\"", escaped(entered)), described }
    }
}

/// A page that is being written. What comes from outside is escaped by whoever writes it.
pub(super) struct Page {
    html: String,
    is_live: bool,
    /// What somebody who looks at it may do.
    access: Access,
}

impl Page {
    pub(super) fn new(access: &Access, title: &str, tab: Tab) -> Self {
        Self { is_live: false, html: Self::head(access, title, tab), access: access.clone() }
    }

    /// A page that is brought up to date as long as it says that it is live.
    pub(super) fn live(access: &Access, title: &str, tab: Tab) -> Self {
        Self { is_live: true, ..Self::new(access, title, tab) }
    }

    /// Whether the one who looks at it may do what needs something: forms for it are shown only then.
    pub(super) fn may(&self, need: Need) -> bool {
        self.access.may(need)
    }

    fn head(access: &Access, title: &str, tab: Tab) -> String {
        let mut html = String::with_capacity(16 << 10);
        let _ = write!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{} · nearprint</title>\n<link rel=\"icon\" href=\"{ICON}\">\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
             <header class=\"top\">\n<a class=\"brand\" href=\"/\">nearprint</a>\n<nav aria-label=\"Pages\">\n",
            escaped(title)
        );
        // Only what somebody may look at.
        let is_whole = access.check_whole().is_ok();
        let shown = |tab: Tab, need: Need| access.may(need) && (tab != Tab::Tokens || is_whole);
        for (each, address, name, _) in TABS.into_iter().filter(|&(tab, .., need)| shown(tab, need))
        {
            let current = if each == tab { " aria-current=\"page\"" } else { "" };
            let _ = writeln!(html, "<a href=\"{address}\"{current}>{name}</a>");
        }
        html.push_str("</nav>\n");
        if let (true, Some(token)) = (access.is_signed_in(), access.token()) {
            let _ = writeln!(
                html,
                "<form class=\"who\" method=\"post\" action=\"/sign-out\"><span class=\"soft\">{}</span> <button \
                 class=\"small\" type=\"submit\">Sign out</button></form>",
                escaped(&token.name)
            );
        } else if matches!(access, Access::Nobody) {
            html.push_str("<a class=\"who\" href=\"/sign-in\">Sign in</a>\n");
        }
        html.push_str("</header>\n<main id=\"main\">\n");
        html
    }

    pub(super) fn push(&mut self, html: &str) {
        self.html.push_str(html);
    }

    pub(super) fn kicker(&mut self, text: &str) {
        let _ = writeln!(self.html, "<p class=\"kicker\">{}</p>", escaped(text));
    }

    pub(super) fn heading(&mut self, text: &str) {
        let _ = writeln!(self.html, "<h1 dir=\"auto\">{}</h1>", escaped(text));
    }

    /// Names and values. Values are HTML.
    pub(super) fn facts(&mut self, facts: &[(&str, String)]) {
        self.html.push_str("<dl class=\"facts\">\n");
        for (name, value) in facts {
            let _ = writeln!(self.html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        self.html.push_str("</dl>\n");
    }

    /// A text with its lines, at most `most` bytes of it.
    pub(super) fn text(&mut self, text: &str, most: usize) {
        let shown = &text[..text.floor_char_boundary(most)];
        self.html
            .push_str("<div class=\"text\" tabindex=\"0\" role=\"region\" aria-label=\"Text\">\n");
        let lines: Vec<&str> = shown.lines().map(str::trim).collect();
        for paragraph in lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()) {
            let lines: Vec<String> = paragraph.iter().copied().map(escaped).collect();
            let _ = writeln!(self.html, "<p dir=\"auto\">{}</p>", lines.join("\n"));
        }
        self.html.push_str("</div>\n");
        if shown.len() < text.len() {
            let _ = writeln!(
                self.html,
                "<p class=\"soft\">The first {} of {} bytes are shown.</p>",
                grouped(shown.len() as u64),
                grouped(text.len() as u64)
            );
        }
    }

    /// What is said where there is nothing to show. HTML.
    pub(super) fn empty(&mut self, html: &str) {
        let _ = writeln!(self.html, "<p class=\"empty\">{html}</p>");
    }

    pub(super) fn answer(mut self, status: StatusCode) -> Response {
        let version = env!("CARGO_PKG_VERSION");
        let _ = write!(
            self.html,
            "</main>\n<footer class=\"bottom\"><span>nearprint {version}</span> <a href=\"/openapi.json\">OpenAPI</a> \
             {}</footer>\n",
            if self.may(Need::METRICS) {
                "<a href=\"/healthz\">Health</a> <a href=\"/metrics\">Metrics</a>"
            } else {
                ""
            }
        );
        if self.is_live {
            let _ = write!(
                self.html,
                "<noscript><p class=\"soft bottom\">Load the page again to see how far it is.</p></noscript>\n\
                 <script>{LIVE}</script>\n"
            );
        }
        self.html.push_str("</body>\n</html>\n");
        let policy = if self.is_live { LIVE_POLICY.clone() } else { POLICY.clone() };
        let mut response = answer(status, "text/html; charset=utf-8", self.html.into_bytes());
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
        response
    }
}

/// A similarity, 0 to 1, as a number with a bar.
pub(super) fn similarity(similarity: f64) -> String {
    let percent = (similarity * 100.0).floor();
    format!(
        "<span class=\"similarity\"><meter min=\"0\" max=\"100\" value=\"{percent}\" aria-hidden=\"true\"></meter> \
         {percent} %</span>"
    )
}

/// Bytes in a unit that people read.
pub(super) fn bytes(number: u64) -> String {
    match number {
        0..1_000 => format!("{number} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.1} GB", number as f64 / 1e9),
    }
}

/// A link to the page of a document.
pub(super) fn document_link(collection: &str, id: &str) -> String {
    format!(
        "<a class=\"id\" dir=\"auto\" href=\"/collections/{collection}/document?id={}\">{}</a>",
        encoded(id),
        escaped(id)
    )
}

/// The choices of a collection.
pub(super) fn collection_options<'c>(
    collections: impl IntoIterator<Item = &'c CollectionSummary>,
    chosen: Option<&str>,
) -> String {
    let mut html = String::new();
    for collection in collections {
        let name = &collection.description.name;
        let selected = if chosen == Some(name.as_str()) { " selected" } else { "" };
        let _ = writeln!(
            html,
            "<option value=\"{name}\"{selected}>{name} ({})</option>",
            collection.row.scheme
        );
    }
    html
}

/// The value of a field of a form that is a line of text; `None` where it is empty.
pub(super) fn line<'f>(fields: &'f [Field], name: &str) -> Option<&'f str> {
    let field = fields.iter().find(|field| field.name == name)?;
    let text = std::str::from_utf8(&field.bytes).ok()?.trim();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_all_kinds_fit_into_links() {
        let link = document_link("c", "<script>\"'");
        assert!(!link.contains("<script") && link.contains("&lt;script&gt;&quot;&#39;"), "{link}");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let mut page = Page::new(&Access::Machine, "x", Tab::None);
        page.text("aé<b>\n\nnext", 2);
        assert!(
            page.html.contains("<p dir=\"auto\">a</p>") && page.html.contains("The first 1 of")
        );
    }
}
