//! The kind of a text, by its marks and the name of its file.

use super::{head, latex, roff, texinfo};
use crate::media::Media;
use crate::{citations, markup};

/// The kind of a text, of which the name of its file suggests one, perhaps.
pub(crate) fn text_kind(text: &str, named: Option<Media>) -> Media {
    let found = markup(text);
    let is_silent = match found {
        Media::Plain | Media::Markdown | Media::Restructured | Media::Asciidoc | Media::Wiki => {
            true
        }
        // An element may begin a page of a wiki, and HTML be shown in it.
        Media::Html | Media::Xml => !declares_markup(head(text)),
        _ => false,
    };
    named.filter(|_| is_silent).unwrap_or(found)
}

/// Whether a text says that it is HTML or XML.
fn declares_markup(head: &str) -> bool {
    let mut rest = skip_blanks(head);
    while let Some((_, after)) = rest.strip_prefix("<!--").and_then(|rest| rest.split_once("-->")) {
        rest = skip_blanks(after);
    }
    ["<?xml", "<!doctype", "<html"].iter().any(|mark| strip_ignoring_case(rest, mark).is_some())
}

/// The kind of a text by its content alone.
fn markup(text: &str) -> Media {
    let mut rest = skip_blanks(head(text));
    let mut xml = false;
    loop {
        if let Some(after) = rest.strip_prefix("<?") {
            xml |= after.starts_with("xml");
            let Some(end) = after.find("?>") else { break };
            rest = skip_blanks(&after[end + 2..]);
        } else if let Some(after) = rest.strip_prefix("<!--") {
            let Some(end) = after.find("-->") else { break };
            rest = skip_blanks(&after[end + 3..]);
        } else {
            break;
        }
    }
    if let Some(doctype) = strip_ignoring_case(rest, "<!doctype") {
        let name = doctype.trim_start();
        let name = name.split(|c: char| c.is_whitespace() || c == '>' || c == '[').next();
        return match name {
            Some(name) if name.eq_ignore_ascii_case("html") => {
                if xml {
                    Media::Xhtml
                } else {
                    Media::Html
                }
            }
            Some("") => Media::Html,
            _ => Media::Xml,
        };
    }
    let Some(name) = root_name(rest) else {
        return if xml { Media::Xml } else { unmarked(text) };
    };
    let local = name.rsplit(':').next().unwrap_or(name);
    if local.eq_ignore_ascii_case("html") {
        return if xml { Media::Xhtml } else { Media::Html };
    }
    if xml {
        return Media::Xml;
    }
    if html_begins_with(name) {
        return if markup::is_wiki_page(head(text)) { Media::Wiki } else { Media::Html };
    }
    // Some viewers keep the pages of a manual in one file, each in an element of their own making.
    if wraps_html(rest) {
        return Media::Html;
    }
    if is_whole_element(rest, text, name) { Media::Xml } else { unmarked(text) }
}

/// Whether the first thing in the element that a text begins with is a page.
fn wraps_html(rest: &str) -> bool {
    rest.split_once('>').is_some_and(|(_, inside)| {
        let inside = skip_blanks(inside);
        strip_ignoring_case(inside, "<!doctype html").is_some()
            || strip_ignoring_case(inside, "<html").is_some_and(|r| r.starts_with(['>', ' ', '\n']))
    })
}

/// The kind of a text that does not begin with a tag.
fn unmarked(text: &str) -> Media {
    let head = head(text);
    if texinfo::is_texinfo(head) {
        Media::Texinfo
    } else if citations::is_ris(head) {
        Media::Ris
    } else if citations::is_bibtex(head) {
        Media::Bibtex
    } else if is_html_behind_something(text) {
        Media::Html
    } else if roff::is_roff(head) {
        Media::Roff
    } else if latex::is_latex(head) {
        Media::Latex
    } else {
        markup::sniff(head).unwrap_or(Media::Plain)
    }
}

/// Whether HTML follows soon after something else: the header of a message or of a CGI program's answer, the warning of
/// a server. Texts and programs show pages, too: after other lines than those of a header it is one only if it is the
/// rest of the text, from a line that is not indented to the end.
fn is_html_behind_something(text: &str) -> bool {
    let near = &text[..text.floor_char_boundary(1024)];
    let begins = |line: &str| {
        strip_ignoring_case(line, "<!doctype html").is_some()
            || strip_ignoring_case(line, "<html").is_some_and(|rest| rest.starts_with(['>', ' ']))
    };
    let (mut is_header, mut is_comment) = (true, false);
    for line in near.lines() {
        // Comments of the page may stand between.
        is_comment |= is_header && line.trim_start().starts_with("<!--");
        if is_comment {
            is_comment = !line.contains("-->");
            continue;
        }
        if begins(line.trim_start()) {
            let is_indented = line.starts_with([' ', '\t']);
            return is_header || (!is_indented && ends_as_page(text));
        }
        // Texts about HTML show it in fences.
        if line.starts_with("```") || line.starts_with("~~~") {
            return false;
        }
        is_header &= is_header_line(line);
    }
    false
}

/// Whether a line is one of a header, or of the warnings that servers write in the same form: a name, a colon and a
/// value. Empty lines are, and the first line of an answer.
fn is_header_line(line: &str) -> bool {
    let is_name = |name: &str| {
        (1..=LONGEST_HEADER_NAME).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b' '))
            && (name.contains('-') || name.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    line.trim().is_empty()
        || line.starts_with("HTTP/")
        || line.split_once(": ").is_some_and(|(name, _)| is_name(name))
}

/// Bytes of the name of a header (<=).
const LONGEST_HEADER_NAME: usize = 40;

/// Whether a text ends with the end of a page, perhaps with comments after it.
fn ends_as_page(text: &str) -> bool {
    let tail = &text[text.floor_char_boundary(text.len().saturating_sub(4096))..];
    let end = tail.as_bytes().windows(7).rposition(|end| end.eq_ignore_ascii_case(b"</html>"));
    end.is_some_and(|at| {
        let rest = tail[at + 7..].trim();
        rest.is_empty() || rest.starts_with("<!--") && rest.ends_with("-->")
    })
}

fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches(['\u{FEFF}', ' ', '\t', '\n', '\r', '\x0c'])
}

fn strip_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// The name of the tag that a text begins with.
fn root_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
    let name = &rest[..end];
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (begins && name.chars().all(|c| c.is_alphanumeric() || "_:.-".contains(c))).then_some(name)
}

/// The tags that begin HTML fragments in practice. Others that begin a text are XML or no markup at all.
fn html_begins_with(name: &str) -> bool {
    const NAMES: [&str; 34] = [
        "head",
        "body",
        "script",
        "style",
        "title",
        "meta",
        "link",
        "base",
        "iframe",
        "div",
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "ul",
        "ol",
        "dl",
        "a",
        "b",
        "i",
        "br",
        "hr",
        "font",
        "span",
        "center",
        "pre",
        "blockquote",
        "main",
        "header",
        "nav",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a text without any declaration is one XML element: its root is closed at its end.
fn is_whole_element(rest: &str, text: &str, name: &str) -> bool {
    let end = text.trim_end();
    let closed = end
        .strip_suffix('>')
        .map(str::trim_end)
        .and_then(|t| t.strip_suffix(name))
        .is_some_and(|t| t.ends_with("</"));
    // Autolinks of plain texts, `<https://...>` and `<name@host>`, are not names of elements.
    closed || rest.starts_with(&format!("<{name} xmlns"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_told_by_what_comes_first() {
        for (text, media) in [
            ("<!DOCTYPE html><p>x", Media::Html),
            ("\u{FEFF}\n <!-- x --><HTML>", Media::Html),
            (
                "<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML'><html/>",
                Media::Xhtml,
            ),
            ("<?xml version='1.0'?><html xmlns='x'/>", Media::Xhtml),
            ("<?xml version='1.0'?>\n<?style?><TEI/>", Media::Xml),
            ("<!DOCTYPE book [<!ENTITY x 'y'>]><book/>", Media::Xml),
            ("<article><p>x</p></article>\n", Media::Xml),
            ("<div>x</div>", Media::Html),
            ("<page file='a'>\n<html><body>x</html></page>", Media::Html),
            ("<page>html</page>", Media::Xml),
            ("<p>x", Media::Html),
            ("<https://example.org> is a link", Media::Plain),
            ("<name@example.org> wrote:", Media::Plain),
            ("Content-type: text/html\n\n<!DOCTYPE HTML>\n<p>x", Media::Html),
            ("Content-type: text/html\n\n<!-- x\n y -->\n\n  <HTML>\n  <p>x", Media::Html),
            ("A page:\n<!-- x -->\n  <HTML>\n  <p>x", Media::Plain),
            ("About\n```\n<html>\n```\n", Media::Markdown),
            ("About\n~~~\n<html>\n</html>\n~~~\nEnd", Media::Plain),
            ("HTTP/1.1 200 OK\nServer: x\n\n<html>\n<p>x", Media::Html),
            ("Warning: no file in x.php on line 3\n<!DOCTYPE html>\n<p>x", Media::Html),
            ("Fatal server notice\n<html>\n<p>x\n</html>\n<!-- x -->\n", Media::Html),
            (
                "def page():\n    return \"\"\"\n<!DOCTYPE html>\n<p>x</html>\n\"\"\"\n",
                Media::Plain,
            ),
            ("const page = `\n<!DOCTYPE html>\n<html>\n</html>`;\n", Media::Plain),
            ("cat > x <<EOF\n<html>\n</html>\nEOF\n", Media::Plain),
            ("A page is written so:\n\n    <!DOCTYPE html>\n    <html></html>\n", Media::Plain),
            ("page: |\n  <!DOCTYPE html>\n  <html></html>\n", Media::Plain),
            ("<3 you", Media::Plain),
            ("<rant>I say", Media::Plain),
            ("plain <b>text</b>", Media::Plain),
            ("", Media::Plain),
            ("<?xml", Media::Xml),
        ] {
            assert_eq!(markup(text), media, "{text}");
        }
    }

    /// A name decides nothing that the content says.
    #[test]
    fn names_decide_where_the_content_is_silent() {
        let markdown = Some(Media::Markdown);
        for (text, named, media) in [
            ("# One\n\nText\n", markdown, Media::Markdown),
            ("[[Two words]]\n[[#top|Top]]\n[[Category:Fog]]\n", None, Media::Plain),
            ("[[one]]\n[[two,Two words]]\n", None, Media::Asciidoc),
            ("# One\n\nText\n", None, Media::Plain),
            ("<p align=center>\n<b>x</b>\n</p>\n\n# One\n", markdown, Media::Markdown),
            ("<!-- x --><!DOCTYPE html><p>x", markdown, Media::Html),
            ("<?xml version='1.0'?><a/>", markdown, Media::Xml),
            ("\\documentclass{x}\n", markdown, Media::Latex),
            ("<poem>\n'''Fog'''\n</poem>", Some(Media::Wiki), Media::Wiki),
            ("<poem>\n'''Fog'''\n</poem>", None, Media::Xml),
            ("A chapter.\n@section Two\n", Some(Media::Texinfo), Media::Texinfo),
            ("\\input texinfo\n", markdown, Media::Texinfo),
            ("% -*-texinfo-*-\n\\def\\x{}\n\\input texinfo  @c x\n", None, Media::Texinfo),
            ("A manual begins with\n\\input texinfo\n", None, Media::Plain),
            ("Text of a chapter, \\emph{a} part.\n", Some(Media::Latex), Media::Latex),
            ("<para>One", Some(Media::Xml), Media::Xml),
            ("TY  - JOUR\nTI  - x\n", None, Media::Ris),
            ("@book{k, title = {x}}", None, Media::Bibtex),
        ] {
            assert_eq!(text_kind(text, named), media, "{text}");
        }
    }
}
