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

/// Letters and digits: those of ASCII, and all characters beyond it, by their first bytes.
fn letters(bytes: &[u8]) -> u64 {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0xC0;
    // Counted in pieces whose sums fit into a byte, in loops that become vector instructions.
    bytes
        .chunks(usize::from(u8::MAX))
        .map(|chunk| u64::from(chunk.iter().map(|byte| u8::from(is_letter(byte))).sum::<u8>()))
        .sum()
}

/// Letters outside tags, comments, scripts and style sheets.
fn outside_tags(bytes: &[u8]) -> u64 {
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
    fn markup_is_not_seen() {
        let page = "<p class='a b c'>é1<!-- x -->2<script>x</script><STYLE>x</style>3<b>4</b><![CDATA[5]]>";
        assert_eq!(outside_tags(page.as_bytes()), 6);
        assert_eq!(outside_tags(b"a<p b c"), 1);
        assert_eq!(outside_commands("% x\n\\textbf{ab} @code{c}\n.SH x\nd"), 4);
        assert_eq!(letters(&[b'a'; 1000]), 1000);
    }
}
