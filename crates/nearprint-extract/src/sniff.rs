//! The kind of a document, detected from its content; names play no part.

use crate::media::Media;
use crate::{latex, mail, markup, package, roff, rtf};

/// Bytes in which a PDF may hide its header after what mail and printers put before it.
const PDF_WINDOW: usize = 1024;

/// Characters of a text that are examined for markup.
const MARKUP_WINDOW: usize = 64 << 10;

/// How office files of before 2007 begin.
const STORAGE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// What the first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signature {
    /// A medium with its own byte format.
    Media(Media),
    /// Something no extractor reads, by name.
    Unsupported(&'static str),
    /// An office document that is encrypted as a whole.
    EncryptedOffice,
    /// Text, or nothing known.
    None,
}

/// Byte formats that are documents to nobody, or that nothing here reads yet: offset, magic, name.
const UNSUPPORTED: [(usize, &[u8], &str); 32] = [
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xFF\xD8\xFF", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (0, b"BM", "image/bmp"),
    (0, b"II*\0", "image/tiff"),
    (0, b"MM\0*", "image/tiff"),
    (8, b"WEBP", "image/webp"),
    (0, b"\0\0\x01\0", "image/x-icon"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"),
    (0, b"AT&TFORM", "image/vnd.djvu"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xDF\xA3", "video/x-matroska"),
    (0, b"OggS", "application/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (8, b"WAVE", "audio/wav"),
    (8, b"AVI ", "video/x-msvideo"),
    (0, b"\x7fELF", "application/x-elf"),
    (0, b"MZ", "application/x-msdownload"),
    (0, b"\xCA\xFE\xBA\xBE", "application/java-vm"),
    (0, b"\0asm", "application/wasm"),
    (0, b"PK\x05\x06", "application/zip"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"7z\xBC\xAF\x27\x1C", "application/x-7z-compressed"),
    (0, b"LZIP\x01", "application/x-lzip"),
    (0, b"\x04\x22\x4D\x18", "application/x-lz4"),
    (0, b"\x1F\x9D", "application/x-compress"),
    (257, b"ustar", "application/x-tar"),
    (0, STORAGE, "application/x-ole-storage"),
    (0, b"SQLite format 3\0", "application/vnd.sqlite3"),
    (0, b"%!PS", "application/postscript"),
    (0, b"wOFF", "font/woff"),
];

/// Whether bytes are of the old LZMA format, which has no magic: a byte of properties (0x5D is all that is in use), the
/// size of the dictionary, a power of two or one and a half, the expanded length or all ones where it is not known, and
/// the first byte of every range coder, 0. The bounds are those of xz. No text begins with so many zeros.
fn is_lzma(bytes: &[u8]) -> bool {
    let Some((header, rest)) = bytes.split_first_chunk::<13>() else { return false };
    let [0x5D, d0, d1, d2, d3, length @ ..] = *header else { return false };
    let dictionary = u32::from_le_bytes([d0, d1, d2, d3]);
    let length = u64::from_le_bytes(length);
    let plain = dictionary.is_power_of_two()
        || (dictionary % 3 == 0 && (dictionary / 3).is_power_of_two() && dictionary > 3);
    plain
        && dictionary >= 1 << 12
        && (length == u64::MAX || length < 1 << 38)
        && rest.first() == Some(&0)
}

/// Whether old office storage holds nothing but an encrypted package: Office Open XML with a password. Its two streams
/// are named in UTF-16LE.
fn is_encrypted_office(bytes: &[u8]) -> bool {
    let has = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(bytes, &name).is_some()
    };
    bytes.starts_with(STORAGE) && has("EncryptionInfo") && has("EncryptedPackage")
}

/// Looks at the first bytes.
pub(crate) fn signature(bytes: &[u8]) -> Signature {
    let window = &bytes[..bytes.len().min(PDF_WINDOW)];
    if memchr::memmem::find(window, b"%PDF-").is_some() {
        return Signature::Media(Media::Pdf);
    }
    if rtf::is_rtf(bytes) {
        return Signature::Media(Media::Rtf);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return package::sniff(bytes);
    }
    if is_encrypted_office(bytes) {
        return Signature::EncryptedOffice;
    }
    for (at, magic, name) in UNSUPPORTED {
        if bytes.get(at..).is_some_and(|rest| rest.starts_with(magic))
            // Two or three letters may well begin a text.
            && (magic.len() > 3 || !looks_like_text(window))
        {
            return Signature::Unsupported(name);
        }
    }
    if is_lzma(bytes) {
        return Signature::Unsupported("application/x-lzma");
    }
    if mail::is_mail(bytes) {
        return Signature::Media(Media::Mail);
    }
    Signature::None
}

/// Whether bytes have none of those that text never has.
fn looks_like_text(bytes: &[u8]) -> bool {
    !bytes.iter().any(|b| *b < 9 || (14..27).contains(b))
}

/// Whether what was decoded has more control characters than text has.
pub(crate) fn has_controls(text: &str) -> bool {
    let head = head(text);
    let bytes = head.as_bytes();
    // Counted by bytes, in loops that become vector instructions: every text passes through here.
    let c0 = bytes.chunks(usize::from(u8::MAX)).map(|chunk| {
        usize::from(chunk.iter().map(|byte| u8::from(is_c0_control(*byte))).sum::<u8>())
    });
    // U+0080 to U+009F are the byte C2 and one more; U+0085 is a line end.
    let c1 = memchr::memchr_iter(0xC2, bytes)
        .filter(|at| matches!(bytes.get(at + 1), Some(0x80..=0x84 | 0x86..=0x9F)));
    c0.sum::<usize>() + c1.count() > 1 + head.chars().count() / 50
}

/// Whether much of what was decoded are replacements for bytes that its charset has not.
pub(crate) fn is_replaced(text: &str) -> bool {
    let head = head(text);
    let replaced = memchr::memmem::find_iter(head.as_bytes(), "\u{FFFD}").count();
    replaced > 1 + head.chars().count() / 5
}

/// Control characters that no text has: backspace, escape, the shifts of old printers and Info's separator occur.
fn is_c0_control(byte: u8) -> bool {
    byte < 8 || (0x10..=0x1A).contains(&byte) || (0x1C..=0x1E).contains(&byte) || byte == 0x7F
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(MARKUP_WINDOW)]
}

/// The kind of a text: HTML, XHTML, XML, or plain.
pub(crate) fn markup(text: &str) -> Media {
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
        return if xml { Media::Xml } else { unmarked(head(text)) };
    };
    let local = name.rsplit(':').next().unwrap_or(name);
    if local.eq_ignore_ascii_case("html") {
        return if xml { Media::Xhtml } else { Media::Html };
    }
    if xml {
        return Media::Xml;
    }
    if html_begins_with(name) {
        return Media::Html;
    }
    // Some viewers keep the pages of a manual in one file, each in an element of their own making.
    if wraps_html(rest) {
        return Media::Html;
    }
    if is_whole_element(rest, text, name) { Media::Xml } else { unmarked(head(text)) }
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
fn unmarked(head: &str) -> Media {
    if is_html_behind_something(head) {
        Media::Html
    } else if roff::is_roff(head) {
        Media::Roff
    } else if latex::is_latex(head) {
        Media::Latex
    } else {
        markup::sniff(head).unwrap_or(Media::Plain)
    }
}

/// Whether HTML follows soon after something else: the header of a message or of a CGI program's answer,
/// the warning of a server.
fn is_html_behind_something(head: &str) -> bool {
    let near = &head[..head.floor_char_boundary(1024)];
    let begins = |line: &str| {
        let line = line.trim_start();
        strip_ignoring_case(line, "<!doctype html").is_some()
            || strip_ignoring_case(line, "<html").is_some_and(|rest| rest.starts_with(['>', ' ']))
    };
    // Texts about HTML show it in fences.
    near.lines().take_while(|line| !line.starts_with("```")).any(begins)
}

/// What follows a header that begins with the type of its content, if there is one.
pub(crate) fn after_content_type(text: &str) -> &str {
    if strip_ignoring_case(text, "content-type:").is_none() {
        return text;
    }
    let end = text.find("\n\n").or_else(|| text.find("\r\n\r\n"));
    end.filter(|at| *at < 1024).map_or(text, |at| &text[at..])
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
    // Autolinks of plain texts, `<https://...>` and `<name@host>`, are no names of elements.
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
            ("About\n```\n<html>\n```\n", Media::Markdown),
            ("<3 you", Media::Plain),
            ("<rant>I say", Media::Plain),
            ("plain <b>text</b>", Media::Plain),
            ("", Media::Plain),
            ("<?xml", Media::Xml),
        ] {
            assert_eq!(markup(text), media, "{text}");
        }
    }

    #[test]
    fn magic_of_two_letters_needs_more_than_letters() {
        assert_eq!(signature(b"BMW builds cars"), Signature::None);
        assert_eq!(signature(b"BM\x36\x84\x03\0\0\0"), Signature::Unsupported("image/bmp"));
        assert_eq!(signature(b"junk\n%PDF-1.4"), Signature::Media(Media::Pdf));
        assert_eq!(signature(b"\x7fELF"), Signature::Unsupported("application/x-elf"));
    }

    #[test]
    fn office_documents_with_a_password_are_told_from_old_ones() {
        let storage = |names: &[&str]| {
            let names =
                names.iter().flat_map(|name| name.encode_utf16().flat_map(u16::to_le_bytes));
            [STORAGE, &[0; 500], &names.collect::<Vec<_>>()].concat()
        };
        let encrypted = storage(&["Root Entry", "EncryptedPackage", "EncryptionInfo"]);
        assert_eq!(signature(&encrypted), Signature::EncryptedOffice);
        let error = crate::extract(&encrypted, &Default::default(), &Default::default());
        assert_eq!(error.unwrap_err().reason(), crate::Reason::Encrypted);
        let old = Signature::Unsupported("application/x-ole-storage");
        assert_eq!(signature(&storage(&["Root Entry", "WordDocument", "EncryptionInfo"])), old);
        assert_eq!(signature(&encrypted[1..]), Signature::None);
    }

    #[test]
    fn lzma_is_told_by_a_plausible_header() {
        let named = |bytes: &[u8]| match signature(bytes) {
            Signature::Unsupported(name) => name,
            _ => "",
        };
        // What `xz --format=lzma` writes of "one two three", and of a length that is known.
        let file = b"\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\x37\x9B\xC9";
        assert_eq!(named(file), "application/x-lzma");
        let known = b"\x5D\0\0\x00\x01\x0E\0\0\0\0\0\0\0\0\x37\x9B";
        assert_eq!(named(known), "application/x-lzma");
        for (at, byte) in [(0, 0x5E), (1, 1), (3, 0x81), (12, 1), (13, 1)] {
            let mut other = known.to_vec();
            other[at] = byte;
            assert_eq!(named(&other), "", "{at}");
        }
        assert_eq!(named(&known[..13]), "");
        let wide: Vec<u8> = "]  one two".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert_eq!(named(&wide), "");
        assert_eq!(named(b"LZIP is a format"), "");
        assert_eq!(named(b"LZIP\x01\x0c"), "application/x-lzip");
    }

    #[test]
    fn binaries_are_no_texts() {
        let is_text = |text: &str| !has_controls(text) && !is_replaced(text);
        assert!(is_text("a\tb\n\x1b[1mbold\x1b[0m N\x08N"));
        assert!(!is_text("\u{1}\u{2}ab\u{3}"));
        assert!(!is_text("a\u{FFFD}\u{FFFD}b"));
        assert!(is_text(""));
    }
}
