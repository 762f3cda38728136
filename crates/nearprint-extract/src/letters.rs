//! How many letters a document has, counted by a pass that knows nothing of what extractors leave out: a text that has
//! next to none of them has lost something, whatever the reason.

use crate::media::Media;

/// Letters of a document from which the share of them that became text is looked at.
const LEAST: u64 = 200;

/// Letters of a document for each letter of its text, beyond which there is little text.
const SHARE: u64 = 10;

/// What a document has, and what of it became text, where that is little.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) seen: u64,
    pub(crate) kept: u64,
}

/// The loss of a document by its extraction; none where a tenth of its letters or more became text.
///
/// Most documents are not looked at: their text is long enough, however many letters they have.
pub(crate) fn loss(document: &str, media: Media, text: &str) -> Option<Loss> {
    if text.len() >= document.len() / 2 {
        return None;
    }
    let kept = letters(text.as_bytes());
    let is_little = |seen: u64| seen > LEAST && kept.saturating_mul(SHARE) < seen;
    if !is_little(document.len() as u64) {
        return None;
    }
    let seen = match media {
        Media::Html | Media::Xhtml | Media::Xml => outside_tags(document.as_bytes()),
        Media::Latex | Media::Texinfo | Media::Roff => outside_commands(document),
        _ => letters(document.as_bytes()),
    };
    is_little(seen).then_some(Loss { seen, kept })
}

/// The loss of a document that is not a text itself, by the letters that were counted in its parts.
pub(crate) fn loss_of_parts(seen: u64, text: &str) -> Option<Loss> {
    let may_be = seen > LEAST && (text.len() as u64 / SHARE) < seen;
    let kept = if may_be { letters(text.as_bytes()) } else { return None };
    (kept.saturating_mul(SHARE) < seen).then_some(Loss { seen, kept })
}

/// Whether so many bytes may hold letters of which the text has next to none: whether they are to be counted.
pub(crate) fn may_be_lost(bytes: usize, text: &str) -> bool {
    loss_of_parts(bytes as u64, text).is_some()
}

/// Letters and digits: those of ASCII, and all characters beyond it, by their first bytes.
pub(crate) fn letters(bytes: &[u8]) -> u64 {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0xC0;
    // Counted in pieces whose sums fit into a byte, in loops that become vector instructions.
    bytes
        .chunks(usize::from(u8::MAX))
        .map(|chunk| u64::from(chunk.iter().map(|byte| u8::from(is_letter(byte))).sum::<u8>()))
        .sum()
}

/// Letters outside tags, comments, scripts and style sheets.
pub(crate) fn outside_tags(bytes: &[u8]) -> u64 {
    let mut seen = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        seen += letters(&bytes[at..at + found]);
        at += found + 1;
        let rest = &bytes[at..];
        let begins = |name: &[u8]| {
            rest.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
        };
        let end: &[u8] = if begins(b"!--") {
            b"-->"
        } else if begins(b"script") {
            b"</script"
        } else if begins(b"style") {
            b"</style"
        } else {
            b">"
        };
        // CDATA is text.
        let length = if begins(b"![CDATA[") {
            Some(8)
        } else {
            memchr::memmem::find(rest, end).map(|length| length + end.len())
        };
        let Some(length) = length else { return seen };
        at += length;
    }
    seen + letters(&bytes[at..])
}

/// Letters outside the names of commands, of which the first sign is a backslash or an at sign, and outside of lines
/// that are comments or requests.
fn outside_commands(text: &str) -> u64 {
    let mut seen = 0;
    for line in text.lines().filter(|line| !line.starts_with(['%', '.', '\''])) {
        let mut pieces = line.split(['\\', '@']);
        seen += pieces.next().map_or(0, |piece| letters(piece.as_bytes()));
        for piece in pieces {
            let name = piece.bytes().take_while(u8::is_ascii_alphabetic).count();
            seen += letters(&piece.as_bytes()[name..]);
        }
    }
    seen
}

/// Letters in the elements of Office Open XML that hold text, whatever they are in.
pub(crate) fn in_text_elements(bytes: &[u8]) -> u64 {
    let mut seen = 0;
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = &rest[at + 1..];
        let name = rest.iter().take(8).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let local = rest[name..].strip_prefix(b":").unwrap_or(rest);
        if !local.starts_with(b"t") || !matches!(local.get(1), Some(b'>' | b' ' | b'\n')) {
            continue;
        }
        let Some(end) = memchr::memchr(b'>', rest) else { return seen };
        let is_empty = rest[..end].ends_with(b"/");
        rest = &rest[end + 1..];
        if !is_empty {
            let end = memchr::memchr(b'<', rest).unwrap_or(rest.len());
            seen += letters(&rest[..end]);
        }
    }
    seen
}

/// Letters of RTF outside its control words, and outside groups that begin with what readers may skip, with a table, a
/// picture or what is known of the document.
pub(crate) fn in_rtf(bytes: &[u8]) -> u64 {
    const SKIPPED: [&[u8]; 6] = [b"*", b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict"];
    let (mut seen, mut at) = (0, 0);
    // The groups that are open, and how many were when the one began that is skipped.
    let (mut depth, mut skipped) = (0u64, None);
    while let Some(length) = memchr::memchr3(b'{', b'}', b'\\', &bytes[at..]) {
        let is_seen = skipped.is_none();
        if is_seen {
            seen += letters(&bytes[at..at + length]);
        }
        at += length + 1;
        match bytes[at - 1] {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                skipped = skipped.filter(|outer| *outer <= depth);
            }
            _ => {
                let rest = &bytes[at..];
                let word = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                let number = rest[word..].iter().take_while(|b| matches!(b, b'-' | b'0'..=b'9'));
                let length = word + number.count();
                let begins_group = bytes[..at - 1].trim_ascii_end().ends_with(b"{");
                if is_seen
                    && begins_group
                    && SKIPPED.contains(&&rest[..word.max(usize::from(rest.starts_with(b"*")))])
                {
                    skipped = Some(depth);
                }
                // A character by its code is one letter, with what stands for it after it.
                match (word, rest.first()) {
                    (0, Some(b'\'')) => {
                        seen += u64::from(is_seen);
                        at += 3;
                    }
                    (0, _) => at += 1,
                    (1, Some(b'u')) => at += length,
                    (3, _) if rest.starts_with(b"bin") => {
                        let count = std::str::from_utf8(&rest[word..length]).ok();
                        let count = count.and_then(|count| count.parse::<usize>().ok());
                        at = at.saturating_add(length + count.unwrap_or(0));
                    }
                    _ => at += length,
                }
            }
        }
        at = at.min(bytes.len());
    }
    let is_seen = skipped.is_none();
    if is_seen { seen + letters(&bytes[at..]) } else { seen }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_less_than_a_tenth_of_more_than_two_hundred_letters() {
        let words = |count: usize| "word ".repeat(count);
        let loss_of = |document: String, media, text: &str| loss(&document, media, text);
        assert_eq!(loss_of(words(51), Media::Plain, "word"), Some(Loss { seen: 204, kept: 4 }));
        assert_eq!(loss_of(words(50), Media::Plain, "word"), None);
        assert_eq!(
            loss_of(words(100), Media::Plain, &words(9)),
            Some(Loss { seen: 400, kept: 36 })
        );
        assert_eq!(loss_of(words(100), Media::Plain, &words(10)), None);
    }

    #[test]
    fn letters_of_parts_are_judged_as_those_of_documents() {
        let words = |count: usize| "word ".repeat(count);
        assert_eq!(loss_of_parts(400, &words(9)), Some(Loss { seen: 400, kept: 36 }));
        assert_eq!(loss_of_parts(400, &words(10)), None);
        assert_eq!(loss_of_parts(200, ""), None);
        assert!(may_be_lost(201, "") && !may_be_lost(200, ""));
    }

    #[test]
    fn markup_is_not_seen() {
        let page = "<p class='a b c'>é1<!-- x -->2<script>x</script><STYLE>x</style>3<b>4</b><![CDATA[5]]>";
        assert_eq!(outside_tags(page.as_bytes()), 6);
        assert_eq!(outside_tags(b"a<p b c"), 1);
        assert_eq!(outside_commands("% x\n\\textbf{ab} @code{c}\n.SH x\nd"), 4);
        assert_eq!(letters(&[b'a'; 1000]), 1000);
        let runs = b"<w:t>ab</w:t><w:tab/>x<a:t xml:space='preserve'> c</a:t><t>d</t><w:t/>x<w:delText>x</w:delText><w:t";
        assert_eq!(in_text_elements(runs), 4);
        let rtf = b"{\\rtf1\\ansi{\\fonttbl{\\f0 xx;}}{\\*\\x xx{x}}{\\pict 0a}a{\\b b\\'e9}\\u233?\\bin2 }}c\\{d}e";
        assert_eq!(in_rtf(rtf), 6);
        assert_eq!(in_rtf(b"{{{\\*x}y\\"), 1);
    }
}
