//! The sections of a page about passages.

use std::cmp::Reverse;
use std::fmt::Write;

use nearprint_records::TextRange;

use super::examples::{PassageExamples, PassageGroup, ShownPassage};
use crate::report::{escaped, grouped};

/// The sections of pairs and of frequent passages.
pub(super) fn fragment(examples: &PassageExamples) -> String {
    let mut html = String::from("<section>\n<h2>Documents that share most</h2>\n");
    if examples.pairs.is_empty() {
        html.push_str("<p class=\"none\">No two documents share a passage.</p>\n");
    }
    let mut pairs: Vec<&PassageGroup> = examples.pairs.iter().collect();
    pairs.sort_by_key(|group| Reverse(group.weight));
    for group in pairs {
        let passages = match group.count {
            1 => "1 passage".to_owned(),
            count => format!("{} passages", grouped(count)),
        };
        // Writing to a string does not fail.
        let _ = write!(
            html,
            "<article>\n<h3><span class=\"size\">{} words in {passages}</span> {}</h3>\n",
            grouped(group.weight),
            group.documents.iter().map(|id| escaped(id)).collect::<Vec<_>>().join(" · ")
        );
        for (number, passage) in group.passages.iter().enumerate() {
            passage.write(number == 0, &mut html);
        }
        if group.count > group.passages.len() as u64 {
            let more = grouped(group.count - group.passages.len() as u64);
            let _ = writeln!(html, "<p class=\"note\">and {more} more passages</p>");
        }
        html.push_str("</article>\n");
    }
    html.push_str("</section>\n");
    if examples.frequent.is_empty() {
        return html;
    }
    html.push_str("<section>\n<h2>Passages of most documents</h2>\n");
    for group in &examples.frequent {
        let _ = write!(
            html,
            "<article>\n<h3><span class=\"size\">{} documents</span></h3>\n",
            grouped(group.weight)
        );
        group.passages.iter().for_each(|passage| passage.write(true, &mut html));
        let _ =
            write!(html, "<details>\n<summary>The documents</summary>\n<ul class=\"members\">\n");
        for id in &group.documents {
            let _ = writeln!(html, "<li>{}</li>", escaped(id));
        }
        html.push_str("</ul>\n");
        if group.weight > group.documents.len() as u64 {
            let more = grouped(group.weight - group.documents.len() as u64);
            let _ = writeln!(html, "<p class=\"note\">and {more} more</p>");
        }
        html.push_str("</details>\n</article>\n");
    }
    html.push_str("</section>\n");
    html
}

impl ShownPassage {
    /// The passage in its places, side by side.
    fn write(&self, is_open: bool, html: &mut String) {
        let open = if is_open { " open" } else { "" };
        let beginning = self.sides.iter().find_map(|side| side.excerpt.as_ref());
        let beginning = beginning.map_or("", |[_, passage, _]| passage);
        let words: Vec<&str> = beginning.split(' ').take(12).collect();
        let _ = write!(
            html,
            "<details{open}>\n<summary><span class=\"pill\">{} words</span> {}…</summary>\n<div class=\"pair\">",
            grouped(self.tokens),
            escaped(&words.join(" "))
        );
        for side in &self.sides {
            let id = escaped(&side.id);
            let name = match &side.link {
                Some(link) => format!("<a href=\"{}\">{id}</a>", escaped(link)),
                None => id,
            };
            let TextRange { start, end, .. } = side.range;
            let _ = write!(html, "<div><p class=\"note\">{name}, characters {start}–{end}</p>");
            match &side.excerpt {
                Some([before, passage, after]) => {
                    let [before, passage, after] =
                        [before, passage, after].map(|text| escaped(text));
                    let _ =
                        write!(html, "<p dir=\"auto\">{before} <mark>{passage}</mark> {after}</p>");
                }
                None => html.push_str("<p class=\"none\">The text could not be read again.</p>"),
            }
            html.push_str("</div>");
        }
        html.push_str("</div>\n</details>\n");
    }
}
