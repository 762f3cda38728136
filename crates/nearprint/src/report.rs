//! The report of a deduplication as one page: counts, how large clusters are, how similar what was dropped is, and the
//! largest clusters with what is unlike in them side by side. The page needs no scripts and nothing from elsewhere.

mod examples;
mod plot;
mod words;

use std::fmt::Write;

use nearprint_records::DeduplicationRow;

pub use examples::{ClusterExample, MemberExample, read_texts};

use plot::{Bar, bars};
use words::{Side, beside};

const STYLE: &str = include_str!("report/style.css");

/// What the page shows beside the counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distributions {
    /// Clusters by their size: the greatest size of a class (2, 3, 4, 8, 16, …), and how many there are.
    pub sizes: Vec<(u64, u64)>,
    /// Documents dropped by their similarity to the one that is kept: 20 classes of 0.05, the last with 1 in it.
    pub similarities: Vec<u64>,
}

/// The page. `title` is what was deduplicated.
#[must_use]
pub fn page(
    title: &str,
    summary: &DeduplicationRow,
    distributions: &Distributions,
    examples: &[ClusterExample],
) -> String {
    let mut html = String::new();
    let title = escaped(title);
    // Writing to a string does not fail.
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Deduplication of {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    head(&mut html, &title, summary);
    plots(&mut html, summary, distributions);
    clusters(&mut html, summary, examples);
    foot(&mut html, summary);
    html.push_str("</body>\n</html>\n");
    html
}

fn head(html: &mut String, title: &str, summary: &DeduplicationRow) {
    let share = |part: u64| 100.0 * part as f64 / summary.documents.max(1) as f64;
    let _ = write!(
        html,
        "<header>\n<p class=\"kicker\">nearprint dedup</p>\n<h1>{title}</h1>\n<p class=\"lead\">Of <b>{}</b> documents \
         <b>{}</b> are kept; <b>{}</b> repeat one of these.</p>\n",
        grouped(summary.documents),
        grouped(summary.kept),
        grouped(summary.identical + summary.same_words + summary.near)
    );
    let compared = summary.kept - summary.too_short - summary.without_fingerprint;
    let parts = [
        ("kept", "kept", compared),
        ("aside", "kept without being compared", summary.too_short + summary.without_fingerprint),
        ("near", "similar to one that is kept", summary.near),
        ("words", "with the same words as one", summary.same_words),
        ("same", "identical to one", summary.identical),
    ];
    html.push_str("<div class=\"split\" role=\"img\" aria-label=\"Shares of the documents\">");
    for (class, _, count) in parts.iter().filter(|(.., count)| *count > 0) {
        let _ =
            write!(html, "<span class=\"{class}\" style=\"width:{:.3}%\"></span>", share(*count));
    }
    html.push_str("</div>\n<ul class=\"legend\">\n");
    for (class, name, count) in parts.into_iter().filter(|(.., count)| *count > 0) {
        let _ = writeln!(
            html,
            "<li><i class=\"{class}\"></i><b>{}</b> {name} <small>{:.1} %</small></li>",
            grouped(count),
            share(count)
        );
    }
    html.push_str("</ul>\n</header>\n");
}

fn plots(html: &mut String, summary: &DeduplicationRow, distributions: &Distributions) {
    let mut before = 1;
    let sizes: Vec<Bar> = distributions
        .sizes
        .iter()
        .map(|&(most, count)| {
            let name = if most == before + 1 {
                most.to_string()
            } else {
                format!("{}–{most}", before + 1)
            };
            before = most;
            Bar { name, count }
        })
        .collect();
    // What lies below the threshold is empty, but for chains.
    let first = distributions.similarities.iter().position(|&count| count > 0).unwrap_or(0);
    let first = first.min((summary.at * 20.0).floor() as usize).min(19);
    let similarities: Vec<Bar> = (first..distributions.similarities.len())
        .map(|class| Bar {
            name: format!("{:.2}", class as f64 / 20.0),
            count: distributions.similarities[class],
        })
        .collect();
    html.push_str("<section class=\"plots\">\n");
    for (title, note, data) in [
        (
            "Documents in a cluster",
            "clusters by size; heights by the square root of the numbers",
            sizes,
        ),
        (
            "Similarity to the kept document",
            "dropped documents by Jaccard similarity of word 3-shingles and numbers",
            similarities,
        ),
    ] {
        let _ = write!(
            html,
            "<figure>\n<figcaption>{title}<small>{note}</small></figcaption>\n{}</figure>\n",
            bars(&data)
        );
    }
    html.push_str("</section>\n");
}

fn clusters(html: &mut String, summary: &DeduplicationRow, examples: &[ClusterExample]) {
    html.push_str("<section>\n<h2>The largest clusters</h2>\n");
    if !examples.is_empty() {
        let _ = writeln!(
            html,
            "<p class=\"note\">{} of {}. Left what is kept, right what repeats it; words that only one of them has are \
             marked.</p>",
            examples.len(),
            grouped(summary.clusters)
        );
    }
    for example in examples {
        let _ = write!(
            html,
            "<article>\n<h3><span class=\"size\">{} documents</span> {}</h3>\n",
            grouped(example.size),
            escaped(&example.representative)
        );
        for (number, member) in example.members.iter().enumerate() {
            // One is shown, the others may be opened.
            let open = if number == 0 { " open" } else { "" };
            let _ = write!(
                html,
                "<details{open}>\n<summary><span class=\"pill\">{}</span> {}</summary>\n<div class=\"pair\">",
                if member.similarity >= 1.0 {
                    "same".to_owned()
                } else {
                    format!("{:.3}", member.similarity)
                },
                escaped(&member.id)
            );
            match (&example.text, &member.text) {
                (Some(kept), Some(dropped)) => {
                    let (left, right) = beside(kept, dropped);
                    for side in [left, right] {
                        text(html, &side);
                    }
                }
                _ => html
                    .push_str("<p class=\"none\">The texts could not be read a second time.</p>"),
            }
            html.push_str("</div>\n</details>\n");
        }
        html.push_str("</article>\n");
    }
    if examples.is_empty() {
        html.push_str("<p class=\"none\">No document repeats another.</p>\n");
    }
    html.push_str("</section>\n");
}

/// One side of a pair, `…` where it goes on.
fn text(html: &mut String, side: &Side<'_>) {
    html.push_str("<p dir=\"auto\">");
    if side.begins_within {
        html.push_str("… ");
    }
    for (word, own) in &side.words {
        let word = escaped(word);
        let _ = if *own { write!(html, "<mark>{word}</mark> ") } else { write!(html, "{word} ") };
    }
    if side.ends_within {
        html.push('…');
    }
    html.push_str("</p>");
}

fn foot(html: &mut String, summary: &DeduplicationRow) {
    let rows = [
        ("Similar from", format!("{} (shared word 3-shingles by all of both)", summary.at)),
        ("Kept of a cluster", summary.keep.clone()),
        ("Clusters may chain", if summary.chains { "yes" } else { "no" }.to_owned()),
        (
            "Not compared",
            format!(
                "{} with fewer than {} words, {} without a fingerprint",
                grouped(summary.too_short),
                summary.least_words,
                grouped(summary.without_fingerprint)
            ),
        ),
        ("Failed", grouped(summary.failed)),
        ("Only compared with", grouped(summary.references)),
        ("Distinct texts", grouped(summary.distinct_texts)),
        ("Candidates", format!("{}, proposed by {}", grouped(summary.candidates), summary.scheme)),
        ("Bytes read", grouped(summary.bytes)),
    ];
    html.push_str("<footer>\n<h2>How</h2>\n<dl>\n");
    for (name, value) in rows {
        let _ = writeln!(html, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
    }
    html.push_str("</dl>\n</footer>\n");
}

/// Text of the input, so that none of it is markup. Controls that turn the direction of what follows are shown, not obeyed.
fn escaped(text: &str) -> String {
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

/// Thousands set apart.
fn grouped(number: u64) -> String {
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
