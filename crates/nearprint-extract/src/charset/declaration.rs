//! The charset a document declares about itself: the XML declaration, HTML's `meta`, and the
//! `coding:` line of editors.

/// Bytes in which HTML must declare its charset; some generators need a little longer than the standard's
/// 1,024.
const PRESCAN: usize = 4096;

/// The label declared in `bytes`, if any. Only charsets that keep ASCII can be declared this way.
pub(super) fn find(bytes: &[u8]) -> Option<&str> {
    let mut head = &bytes[..bytes.len().min(PRESCAN)];
    if head.len() < bytes.len() {
        // A label that continues after the window would be another one, cut.
        let whole = head.iter().rposition(|b| !is_label(*b)).map_or(0, |at| at + 1);
        head = &head[..whole];
    }
    let start = head.trim_ascii_start();
    let label = if start.starts_with(b"<") {
        xml_declaration(start).or_else(|| html_meta(start))
    } else {
        coding_line(head)
    }?;
    std::str::from_utf8(label).ok().filter(|l| !l.is_empty())
}

fn xml_declaration(head: &[u8]) -> Option<&[u8]> {
    let rest = head.strip_prefix(b"<?xml")?;
    let end = memchr::memchr(b'>', rest)?;
    value_of(&rest[..end], b"encoding")
}

/// `<meta charset=...>` and `<meta http-equiv=... content="...; charset=...">` alike: both have the
/// word `charset`, an equals sign and the label inside one `meta` tag outside comments.
fn html_meta(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head;
    loop {
        rest = &rest[memchr::memchr(b'<', rest)?..];
        if rest.starts_with(b"<!--") {
            rest = &rest[memchr::memmem::find(rest, b"-->")?..];
            continue;
        }
        let tag = &rest[..memchr::memchr(b'>', rest)?];
        if tag.len() > 6
            && tag[1..5].eq_ignore_ascii_case(b"meta")
            && (tag[5].is_ascii_whitespace() || tag[5] == b'/')
            && let Some(label) = value_of(tag, b"charset")
        {
            return Some(label);
        }
        rest = &rest[1..];
    }
}

/// `-*- coding: latin-1 -*-` in one of the first two lines.
fn coding_line(head: &[u8]) -> Option<&[u8]> {
    let lines = head.split(|b| *b == b'\n').take(2);
    lines.filter(|line| memchr::memmem::find(line, b"-*-").is_some()).find_map(|line| {
        let at = memchr::memmem::find(line, b"coding:")?;
        Some(label_at(line[at + 7..].trim_ascii_start()))
    })
}

/// The value after `name`, blanks, `=`, blanks and perhaps a quote.
fn value_of<'a>(tag: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut from = 0;
    while let Some(at) = tag[from..].windows(name.len()).position(|w| w.eq_ignore_ascii_case(name))
    {
        from += at + name.len();
        let rest = tag[from..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            let value = value.trim_ascii_start();
            let value = value.strip_prefix(b"\"").unwrap_or(value);
            return Some(label_at(value.strip_prefix(b"'").unwrap_or(value).trim_ascii_start()));
        }
    }
    None
}

fn label_at(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|b| !is_label(*b)).unwrap_or(bytes.len());
    &bytes[..end]
}

fn is_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_:.+".contains(&byte)
}
