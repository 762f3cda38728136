//! The title of an HTML page: what it is called in lists. It is metadata, and no part of the text.

use crate::character_reference;
use crate::charset::decode_within;

/// Bytes of a page (<=) in which its title is looked for.
const LOOK: usize = 128 << 10;

/// Bytes of a title (<=); of a longer one this much is kept.
const LONGEST: usize = 600;

/// The title of an HTML page, with single spaces, cut after 600 bytes; `None` if none begins and ends within the first
/// 128 KiB. `charset` is a label from outside, as in [`Hints`](crate::Hints). O(1).
///
/// ```
/// use nearprint_extract::page_title;
///
/// let page = b"<html><head><title>Fog &amp;\n rain</title></head><body>Fog.</body></html>";
/// assert_eq!(page_title(page, None).as_deref(), Some("Fog & rain"));
/// ```
#[must_use]
pub fn page_title(page: &[u8], charset: Option<&str>) -> Option<String> {
    let beginning = &page[..page.len().min(LOOK)];
    let text = decode_within(beginning, charset, LOOK as u64 * 4).text;
    let (_, rest) = after_tag(&text, "<title")?;
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
    #[cfg(feature = "charsets")]
    fn titles_are_read_in_the_charset_of_the_page() {
        let page = b"<title>\xfcber</title>";
        assert_eq!(page_title(page, Some("iso-8859-1")).as_deref(), Some("über"));
    }
}
