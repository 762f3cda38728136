//! The title and the language of an HTML page: what it is called in lists. They are metadata, and not part of the text.

use crate::character_reference;
use crate::charset::decode_within;

/// Bytes of a page (<=) in which its title is looked for.
const LOOK: usize = 128 << 10;

/// Bytes of a title (<=); of a longer one this much is kept.
const LONGEST: usize = 600;

/// Bytes of the name of a language (<=), as BCP 47 advises.
const LONGEST_LANGUAGE: usize = 35;

/// What an HTML page says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageHead {
    /// Its title, with single spaces, cut after 600 bytes; `None` if none begins and ends within the first 128 KiB.
    pub title: Option<String>,
    /// The language that its root element states (`lang`), such as `de` or `pt-BR`, in at most 35 bytes.
    pub language: Option<String>,
}

/// What an HTML page says about itself. `charset` is a label from outside, as in [`Hints`](crate::Hints). O(1).
///
/// ```
/// use nearprint_extract::page_head;
///
/// let page = b"<html lang=en><head><title>Fog &amp;\n rain</title></head><body>Fog.</body></html>";
/// let head = page_head(page, None);
/// assert_eq!(head.title.as_deref(), Some("Fog & rain"));
/// assert_eq!(head.language.as_deref(), Some("en"));
/// ```
#[must_use]
pub fn page_head(page: &[u8], charset: Option<&str>) -> PageHead {
    let beginning = &page[..page.len().min(LOOK)];
    let text = decode_within(beginning, charset, LOOK as u64 * 4).text;
    PageHead { title: title(&text), language: language(&text) }
}

/// The language of the root element.
fn language(page: &str) -> Option<String> {
    let (_, rest) = after_tag(page, "<html")?;
    let mut rest = &rest[..rest.find('>')?];
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        let name_end = rest.find(|c: char| c == '=' || c.is_ascii_whitespace());
        let (name, after) = rest.split_at(name_end.unwrap_or(rest.len()));
        let after = after.trim_start();
        let Some(value) = after.strip_prefix('=').map(str::trim_start) else {
            rest = after;
            continue;
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let value = &value[quote.map_or(0, char::len_utf8)..];
        let end = match quote {
            Some(quote) => value.find(quote)?,
            None => value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len()),
        };
        let is_language = ["lang", "xml:lang"].iter().any(|one| name.eq_ignore_ascii_case(one));
        let stated = value[..end].trim();
        let is_name = |text: &str| {
            let letters = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            letters && (2..=LONGEST_LANGUAGE).contains(&text.len())
        };
        if is_language && is_name(stated) {
            return Some(stated.to_owned());
        }
        rest = &value[end + usize::from(quote.is_some())..];
    }
    None
}

/// The title of a page.
fn title(page: &str) -> Option<String> {
    let (_, rest) = after_tag(page, "<title")?;
    let rest = &rest[rest.find('>')? + 1..];
    let (title, _) = after_tag(rest, "</title")?;
    let title = character_reference::resolved(title);
    let mut words = String::new();
    for word in title.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.len() > LONGEST {
            words.truncate(words.floor_char_boundary(LONGEST));
            break;
        }
    }
    (!words.is_empty()).then_some(words)
}

/// What stands before the first tag that begins with these letters, in any case, and what after them.
fn after_tag<'t>(text: &'t str, tag: &str) -> Option<(&'t str, &'t str)> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'<', bytes).find_map(|at| {
        let end = at + tag.len();
        let found = bytes.get(at..end)?.eq_ignore_ascii_case(tag.as_bytes());
        let is_whole = !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
        (found && is_whole).then(|| (&text[..at], &text[end..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_those_that_a_browser_shows() {
        let page_title = |page: &[u8], charset| page_head(page, charset).title;
        let long = format!("<title>{}</title>", "nebel über ".repeat(200));
        for (page, expected) in [
            ("", None),
            ("<p>x", None),
            ("<title></title>", None),
            ("<title>  \n</title>", None),
            ("<title>open", None),
            ("<titles>x</titles>", None),
            ("<TITLE lang=de>Nebel&nbsp;&uuml;ber</Title >", Some("Nebel über")),
            ("<title>a &lt;b&gt; & c &#x26; d</title>", Some("a <b> & c & d")),
            ("<title>a</titles></title>", Some("a</titles>")),
        ] {
            assert_eq!(page_title(page.as_bytes(), None).as_deref(), expected, "{page}");
        }
        let found = page_title(long.as_bytes(), None).expect("a title");
        assert!((590..=LONGEST).contains(&found.len()), "{}", found.len());
        let late = format!("{}<title>x</title>", " ".repeat(LOOK));
        assert_eq!(page_title(late.as_bytes(), None), None);
        for end in 0..long.len().min(60) {
            let _ = page_title(&long.as_bytes()[..end], Some("utf-16"));
        }
    }

    #[test]
    fn languages_are_those_of_the_root_element() {
        let long = format!("<html lang=x{}>", "-y".repeat(20));
        for (page, expected) in [
            ("", None),
            ("<html>", None),
            ("<html lang>", None),
            ("<html lang=>", None),
            ("<html lang=de", None),
            ("<html lang='de>", None),
            ("<html lang='not a name'>", None),
            (&long, None),
            ("<p lang=de>", None),
            ("<html lang=de>", Some("de")),
            ("<!DOCTYPE html>\n<HTML class=\"a b\" dir = ltr LANG = 'pt-BR'>", Some("pt-BR")),
            ("<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"fr\"/>", Some("fr")),
            ("<html data-lang=x class=lang lang=\" nl \">", Some("nl")),
            ("<html é=ü lang=ja>", Some("ja")),
        ] {
            assert_eq!(page_head(page.as_bytes(), None).language.as_deref(), expected, "{page}");
        }
    }

    #[test]
    #[cfg(feature = "charsets")]
    fn titles_are_read_in_the_charset_of_the_page() {
        let page = b"<title>\xfcber</title>";
        assert_eq!(page_head(page, Some("iso-8859-1")).title.as_deref(), Some("über"));
    }
}
