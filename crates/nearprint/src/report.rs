//! Reports for people: one HTML page with counts, plots, and examples side by side, marked where they differ.
//!
//! `dedup`, `clusters`, `pairs`, `diff`, `correlate` and `passages` each make a [`Report`] of their results
//! ([`Report::of_deduplication`] and so on). The page needs no scripts and loads nothing. It links to the documents
//! that have an address or a file of their own.

mod correlation;
mod examples;
mod excerpts;
mod links;
mod pages;
#[cfg(feature = "passages")]
mod passages;
mod plot;
pub(crate) mod results;
mod scatter;
mod second_reading;
mod uncompared_documents;

use std::fmt::Write;

pub use examples::{
    ClusterExamples, DifferenceExamples, ExampleDocument, ExampleGroup, ExampleReader, PairExamples,
};

#[cfg(feature = "passages")]
pub use passages::PassageExamples;

use examples::KEPT_TEXT;
use excerpts::{Excerpt, excerpts};
use plot::{Bar, bars};

const STYLE: &str = include_str!("report/style.css");

/// Members of a group that are listed at most: a page must stay one that browsers open.
const LISTED: usize = 5000;

/// How large clusters are, and how similar their members.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distributions {
    /// Clusters by their size: the largest size of a class (2, 3, 4, 8, 16, …), and how many there are.
    pub sizes: Vec<(u64, u64)>,
    /// Documents or pairs by similarity: 20 classes of 0.05, the last with 1 in it.
    pub similarities: Vec<u64>,
}

impl Distributions {
    /// Counts a cluster.
    pub(crate) fn add_size(&mut self, size: u64) {
        let class = if size <= 3 { size } else { size.next_power_of_two() };
        match self.sizes.binary_search_by_key(&class, |&(most, _)| most) {
            Ok(at) => self.sizes[at].1 += 1,
            Err(at) => self.sizes.insert(at, (class, 1)),
        }
    }

    /// Counts a similarity.
    pub(crate) fn add_similarity(&mut self, similarity: f64) {
        self.similarities.resize(20, 0);
        self.similarities[((similarity * 20.0).floor() as usize).min(19)] += 1;
    }
}

/// A part of all documents: its style class, its name, and its number of documents.
type Share = (&'static str, String, u64);

/// A plot: its title, a note, and its bars.
type Plot = (&'static str, &'static str, Vec<Bar>);

/// Groups of documents under a heading.
struct ExampleSection {
    heading: &'static str,
    note: String,
    /// What is said where there are no groups.
    nothing: &'static str,
    groups: Vec<ExampleGroup>,
}

/// A page about the results of a verb.
pub struct Report {
    verb: &'static str,
    title: String,
    /// A sentence of HTML.
    lead: String,
    shares: Vec<Share>,
    /// A drawing before the plots: its title, a note, and its SVG.
    drawing: Option<(&'static str, String, String)>,
    plots: Vec<Plot>,
    sections: Vec<ExampleSection>,
    /// Sections of HTML of the verb's own.
    fragment: String,
    /// Further documents by the heading of their list.
    lists: Vec<(&'static str, Vec<ExampleDocument>)>,
    facts: Vec<(&'static str, String)>,
}

impl Report {
    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut html = String::new();
        let (title, verb) = (escaped(&self.title), self.verb);
        // Writing to a string does not fail.
        let _ = write!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{verb}: {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<p class=\"kicker\">{verb}</p>\n<h1>{title}</h1>\n<p class=\"lead\">{}</p>\n",
            self.lead
        );
        if !self.shares.is_empty() {
            self.write_shares(&mut html);
        }
        html.push_str("</header>\n<section class=\"plots\">\n");
        if let Some((title, note, svg)) = &self.drawing {
            let _ = write!(
                html,
                "<figure>\n<figcaption>{title}<small>{note}</small></figcaption>\n{svg}</figure>\n"
            );
        }
        for (title, note, data) in &self.plots {
            let _ = write!(
                html,
                "<figure>\n<figcaption>{title}<small>{note}</small></figcaption>\n{}</figure>\n",
                bars(data)
            );
        }
        html.push_str("</section>\n");
        self.sections.iter().for_each(|section| section.write(&mut html));
        html.push_str(&self.fragment);
        for (heading, documents) in &self.lists {
            let _ = write!(html, "<section>\n<h2>{heading}</h2>\n");
            write_list(&mut html, documents);
            html.push_str("</section>\n");
        }
        html.push_str("<footer>\n<h2>Settings and counts</h2>\n<dl>\n");
        for (name, value) in &self.facts {
            let _ = writeln!(html, "<dt>{name}</dt><dd>{}</dd>", escaped(value));
        }
        html.push_str("</dl>\n</footer>\n</body>\n</html>\n");
        html
    }

    fn write_shares(&self, html: &mut String) {
        let all: u64 = self.shares.iter().map(|(.., count)| count).sum();
        let share = |part: u64| 100.0 * part as f64 / all.max(1) as f64;
        let shares = || self.shares.iter().filter(|(.., count)| *count > 0);
        html.push_str("<div class=\"split\" role=\"img\" aria-label=\"Shares of the documents\">");
        for (class, _, count) in shares() {
            let width = share(*count);
            let _ = write!(html, "<span class=\"{class}\" style=\"width:{width:.3}%\"></span>");
        }
        html.push_str("</div>\n<ul class=\"legend\">\n");
        for (class, name, count) in shares() {
            let _ = writeln!(
                html,
                "<li><i class=\"{class}\"></i><b>{}</b> {} <small>{:.1} %</small></li>",
                grouped(*count),
                escaped(name),
                share(*count)
            );
        }
        html.push_str("</ul>\n");
    }
}

impl ExampleSection {
    fn write(&self, html: &mut String) {
        let _ = write!(html, "<section>\n<h2>{}</h2>\n", self.heading);
        match self.groups.is_empty() {
            true => {
                let _ = writeln!(html, "<p class=\"none\">{}</p>", self.nothing);
            }
            false => {
                let _ = writeln!(html, "<p class=\"note\">{}</p>", self.note);
            }
        }
        for group in &self.groups {
            let size = match group.size {
                0..=2 => String::new(),
                size => format!("<span class=\"size\">{} documents</span> ", grouped(size)),
            };
            let _ = write!(html, "<article>\n<h3>{size}{}</h3>\n", linked(&group.document));
            let shown: Vec<&ExampleDocument> =
                group.members.iter().filter(|member| member.is_shown).collect();
            for (number, member) in shown.iter().enumerate() {
                // The first is open, the others can be opened.
                let open = if number == 0 { " open" } else { "" };
                let _ = write!(
                    html,
                    "<details{open}>\n<summary>{}{}</summary>\n<div class=\"pair\">",
                    pill(member),
                    linked(member)
                );
                match (&group.document.text, &member.text) {
                    (Some(one), Some(other)) => {
                        let (left, right) = excerpts(one, other);
                        write_excerpt(html, &left);
                        write_excerpt(html, &right);
                        if !left.is_marked() && !right.is_marked() {
                            html.push_str("<p class=\"none\">The words are the same.</p>");
                        }
                    }
                    _ => html.push_str("<p class=\"none\">The texts could not be read again.</p>"),
                }
                html.push_str("</div>\n</details>\n");
            }
            if group.members.len() > shown.len() {
                let _ = write!(
                    html,
                    "<details>\n<summary>All {} other documents</summary>\n",
                    grouped(group.members.len() as u64)
                );
                write_list(html, &group.members);
                html.push_str("</details>\n");
            }
            html.push_str("</article>\n");
        }
        html.push_str("</section>\n");
    }
}

/// A list of documents, each with its similarity.
fn write_list(html: &mut String, documents: &[ExampleDocument]) {
    html.push_str("<ul class=\"members\">\n");
    for document in documents.iter().take(LISTED) {
        let _ = writeln!(html, "<li>{}{}</li>", pill(document), linked(document));
    }
    html.push_str("</ul>\n");
    if documents.len() > LISTED {
        let more = grouped((documents.len() - LISTED) as u64);
        let _ = writeln!(html, "<p class=\"note\">and {more} more</p>");
    }
}

/// The similarity or the label of a document.
fn pill(document: &ExampleDocument) -> String {
    let text = match (&document.label, document.similarity) {
        (Some(label), _) => escaped(label),
        (None, Some(similarity)) => format!("{similarity:.3}"),
        (None, None) => return String::new(),
    };
    format!("<span class=\"pill\">{text}</span> ")
}

/// The id of a document, as a link if it leads somewhere.
fn linked(document: &ExampleDocument) -> String {
    let id = escaped(&document.id);
    match &document.link {
        Some(link) => format!("<a href=\"{}\">{id}</a>", escaped(link)),
        None => id,
    }
}

/// Two texts side by side as a fragment of HTML, around the first place where their words differ: the words that only
/// one of them has are in `<mark>`. Of each text the first 64 KiB are compared.
///
/// ```
/// use nearprint::report::side_by_side;
///
/// let html = side_by_side("Fog came in at noon", "fog came in at <i>dusk</i>");
/// assert!(html.contains("<mark>noon</mark>") && html.contains("<mark>&lt;i&gt;dusk&lt;/i&gt;</mark>"));
/// ```
#[must_use]
pub fn side_by_side(a: &str, b: &str) -> String {
    let kept = |text: &'_ str| text.floor_char_boundary(KEPT_TEXT);
    let (left, right) = excerpts(&a[..kept(a)], &b[..kept(b)]);
    let mut html = String::from("<div style=\"display:flex;gap:2em\">");
    for side in [&left, &right] {
        html.push_str("<div style=\"flex:1\">");
        write_excerpt(&mut html, side);
        html.push_str("</div>");
    }
    html.push_str("</div>");
    html
}

/// One side of a pair, with `…` where the text continues.
fn write_excerpt(html: &mut String, excerpt: &Excerpt<'_>) {
    html.push_str("<p dir=\"auto\">");
    if excerpt.begins_within {
        html.push_str("… ");
    }
    for (text, is_marked) in &excerpt.pieces {
        let text = escaped(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        let _ =
            if *is_marked { write!(html, "<mark>{text}</mark> ") } else { write!(html, "{text} ") };
    }
    if excerpt.ends_within {
        html.push('…');
    }
    html.push_str("</p>");
}

/// Text of the input without any markup, for a page or an attribute in quotes. Controls that change the direction of
/// text are shown, not obeyed; other controls, line ends among them, are spaces.
///
/// ```
/// use nearprint::report::escaped;
///
/// assert_eq!(escaped("<b>\"fog\" & rain\n"), "&lt;b&gt;&quot;fog&quot; &amp; rain ");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}

/// A number with thousands separated by narrow spaces.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
