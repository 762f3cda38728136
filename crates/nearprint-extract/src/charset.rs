//! Bytes to Unicode: which charset, how that was found, and the decoded text.
//!
//! A charset that the caller is sure of is used as it is ([`decode_as`]). Otherwise the order is byte order mark, the
//! label that came with the document, the document's own declaration, validity as UTF-8, detection. Labels are wrong on
//! a few documents in a hundred, bytes never: a label that contradicts valid UTF-8 with letters outside ASCII loses.
//! Invalid bytes become U+FFFD, one for each maximal subpart, as the Encoding Standard has it; nothing is ever deleted.

mod declaration;
#[cfg(feature = "charsets")]
mod encoding;
#[cfg(not(feature = "charsets"))]
#[path = "charset/encoding_none.rs"]
mod encoding;
mod utf32;
mod wide;

use std::borrow::Cow;

pub(crate) use self::encoding::{COMPILED, Encoding, MACINTOSH, WINDOWS_1252, utf8_valid_up_to};
use self::encoding::{ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, ascii_valid_up_to};
use self::utf32::Utf32;

/// Bytes the detector looks at: it reads 11 MB/s, and 64 KiB decide as well as 64 MiB.
const DETECTION_WINDOW: usize = 64 << 10;

/// Valid multi-byte sequences for each invalid one from which a text is UTF-8 with some damage, rather than
/// another charset: text in other charsets forms such sequences by accident only now and then.
const DAMAGED_UTF8_RATIO: usize = 20;

/// How a charset was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharsetSource {
    Explicit,
    Bom,
    Hint,
    Declaration,
    Utf8Valid,
    Detected,
}

impl CharsetSource {
    /// The word kept in records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Bom => "bom",
            Self::Hint => "hint",
            Self::Declaration => "declaration",
            Self::Utf8Valid => "utf-8-valid",
            Self::Detected => "detected",
        }
    }
}

impl CharsetSource {
    const ALL: [Self; 6] =
        [Self::Explicit, Self::Bom, Self::Hint, Self::Declaration, Self::Utf8Valid, Self::Detected];
}

/// Whether this is a word of how charsets are found.
pub(crate) fn is_source(word: &str) -> bool {
    CharsetSource::ALL.iter().any(|source| source.name() == word)
}

/// Whether this is the name of a charset as records have it.
pub(crate) fn is_canonical(name: &str) -> bool {
    [Utf32::Little, Utf32::Big].iter().any(|order| order.name() == name)
        || Encoding::for_label(name).is_some_and(|found| found.decodes(b"") && found.name() == name)
}

/// Text of a document, decoded.
pub(crate) struct DecodedText<'a> {
    pub(crate) text: Cow<'a, str>,
    /// WHATWG name of the charset, or UTF-32LE, UTF-32BE, which the standard leaves out.
    pub(crate) charset: &'static str,
    pub(crate) source: CharsetSource,
    /// Whether any bytes were replaced by U+FFFD.
    pub(crate) replaced: bool,
    /// The label that the bytes overruled.
    pub(crate) overruled: Option<String>,
    /// Whether the text is longer than it may be, and was cut off.
    pub(crate) is_cut: bool,
    /// Whether this build does not have the charset, so that this is not the text.
    pub(crate) is_missing: bool,
}

/// Either of the two families of charsets.
#[derive(Clone, Copy)]
enum Charset {
    Whatwg(Encoding),
    Utf32(Utf32),
}

impl Charset {
    fn name(self) -> &'static str {
        match self {
            Self::Whatwg(encoding) => encoding.name(),
            Self::Utf32(order) => order.name(),
        }
    }

    /// Whether it has a byte order.
    fn is_wide(self) -> bool {
        match self {
            Self::Whatwg(encoding) => encoding == UTF_16LE || encoding == UTF_16BE,
            Self::Utf32(_) => true,
        }
    }

    fn decoded(
        self,
        bytes: &[u8],
        source: CharsetSource,
        overruled: Option<String>,
        most: u64,
    ) -> DecodedText<'_> {
        let (text, replaced) = self.decode(bytes, most);
        let is_cut = matches!(text, Cow::Owned(_)) && text.len() as u64 > most;
        let is_missing = matches!(self, Self::Whatwg(encoding) if !encoding.decodes(bytes));
        let charset = self.name();
        DecodedText { text, charset, source, replaced, overruled, is_cut, is_missing }
    }

    /// The text, and whether any of it was replaced; no more than about `most` bytes of what is not UTF-8 already.
    fn decode(self, bytes: &[u8], most: u64) -> (Cow<'_, str>, bool) {
        match self {
            Self::Whatwg(encoding) => encoding.decode_within(bytes, most),
            Self::Utf32(order) => {
                let (text, replaced) = order.decode(bytes);
                (Cow::Owned(text), replaced)
            }
        }
    }
}

/// Decodes a part of a document; `hint` is a label from outside (HTTP, the caller).
pub(crate) fn decode<'a>(bytes: &'a [u8], hint: Option<&str>) -> DecodedText<'a> {
    decode_within(bytes, hint, u64::MAX)
}

/// Like [`decode`], but no more than `most` bytes of text, if it is no UTF-8.
pub(crate) fn decode_within<'a>(bytes: &'a [u8], hint: Option<&str>, most: u64) -> DecodedText<'a> {
    let (charset, source, skip, overruled) = choose(bytes, hint);
    charset.decoded(&bytes[skip..], source, overruled, most)
}

/// Decodes a document by the charset of this label, whatever its bytes look like; `None` if there is no such charset.
///
/// A byte order mark is read in that charset like everything else. Where it is that charset's own, it is left out: the
/// standard deletes U+FEFF ([4.3]), so the fingerprint is the same. The labels `utf-16` and `utf-32` name no byte
/// order; there, and only there, a mark decides it.
/// Decodes no more than `most` bytes of text, if it is no UTF-8.
pub(crate) fn decode_as<'a>(bytes: &'a [u8], label: &str, most: u64) -> Option<DecodedText<'a>> {
    let mut charset = charset_for(label)?;
    let mark = match Utf32::from_bom(bytes) {
        Some(order) if matches!(charset, Charset::Utf32(_)) => Some((Charset::Utf32(order), 4)),
        _ => Encoding::for_bom(bytes).map(|(encoding, length)| (Charset::Whatwg(encoding), length)),
    };
    let mut skip = 0;
    if let Some((marked, length)) = mark {
        let names_no_order = label.trim().len() == "utf-16".len() && charset.is_wide();
        if charset.name() == marked.name() || (names_no_order && marked.is_wide()) {
            charset = marked;
            skip = length;
        }
    }
    Some(charset.decoded(&bytes[skip..], CharsetSource::Explicit, None, most))
}

fn choose(bytes: &[u8], hint: Option<&str>) -> (Charset, CharsetSource, usize, Option<String>) {
    // UTF-32LE begins like UTF-16LE, so it is asked first.
    if let Some(order) = Utf32::from_bom(bytes) {
        return (Charset::Utf32(order), CharsetSource::Bom, 4, None);
    }
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return (Charset::Whatwg(encoding), CharsetSource::Bom, length, None);
    }
    let utf8 = Utf8Evidence::of(bytes);
    let labels =
        [(hint, CharsetSource::Hint), (declaration::find(bytes), CharsetSource::Declaration)];
    let mut overruled = None;
    for (label, source) in labels {
        let Some(label) = label else { continue };
        let Some(charset) = charset_for(label) else { continue };
        if contradicts(charset, source, bytes, &utf8) {
            overruled.get_or_insert_with(|| label.to_owned());
            continue;
        }
        return (charset, source, 0, overruled);
    }
    let (charset, source) = detect(bytes, &utf8);
    (charset, source, 0, overruled)
}

/// Whether a label, as a hint may give it, names a charset that is decoded: all labels of the Encoding Standard, and
/// `utf-32`, `utf-32le`, `utf-32be`. Extraction itself passes over labels that are unknown.
///
/// ```
/// assert!(nearprint_extract::is_charset("Windows-1251"));
/// assert!(!nearprint_extract::is_charset("windows-1521"));
/// ```
#[must_use]
pub fn is_charset(label: &str) -> bool {
    charset_for(label).is_some_and(|charset| match charset {
        Charset::Whatwg(encoding) => encoding.decodes(b""),
        Charset::Utf32(_) => true,
    })
}

fn charset_for(label: &str) -> Option<Charset> {
    let label = label.trim();
    if let Some(order) = Utf32::from_label(label) {
        return Some(Charset::Utf32(order));
    }
    // Editors write `latin-1` for what the standard calls `latin1`.
    let dashless = label.strip_prefix("latin-").map(|number| format!("latin{number}"));
    let label = dashless.as_deref().unwrap_or(label);
    Encoding::for_label(label).map(Charset::Whatwg)
}

/// Whether the bytes prove a label wrong.
fn contradicts(charset: Charset, source: CharsetSource, bytes: &[u8], utf8: &Utf8Evidence) -> bool {
    match charset {
        Charset::Utf32(order) => !order.plausible(bytes),
        Charset::Whatwg(encoding) if encoding == UTF_8 => {
            // A label of UTF-8 on a text that is mostly something else.
            utf8.invalid > 0 && !utf8.is_damaged_utf8()
        }
        Charset::Whatwg(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
            // A declaration that could be read byte by byte is not in UTF-16.
            source == CharsetSource::Declaration || (utf8.invalid == 0 && !bytes.contains(&0))
        }
        Charset::Whatwg(_) => utf8.valid > 0 && (utf8.invalid == 0 || utf8.is_damaged_utf8()),
    }
}

fn detect(bytes: &[u8], utf8: &Utf8Evidence) -> (Charset, CharsetSource) {
    if let Some(order) = wide::detect(bytes, utf8.invalid > 0) {
        return (order, CharsetSource::Detected);
    }
    if utf8.invalid == 0 {
        // Shift sequences of ISO-2022-JP are ASCII; terminals use other ones.
        if utf8.valid == 0
            && memchr::memchr(0x1B, bytes).is_some()
            && (find(bytes, b"\x1b$B") || find(bytes, b"\x1b$@"))
            && find(bytes, b"\x1b(")
        {
            return (Charset::Whatwg(ISO_2022_JP), CharsetSource::Detected);
        }
        return (Charset::Whatwg(UTF_8), CharsetSource::Utf8Valid);
    }
    if utf8.is_damaged_utf8() {
        return (Charset::Whatwg(UTF_8), CharsetSource::Detected);
    }
    // The window begins where the first unusual bytes are, so that a long ASCII preface hides nothing.
    let start = bytes.iter().position(|b| *b >= 0x80).unwrap_or(0).saturating_sub(1024);
    let end = bytes.len().min(start + DETECTION_WINDOW);
    (Charset::Whatwg(Encoding::guess(&bytes[start..end])), CharsetSource::Detected)
}

fn find(bytes: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(bytes, needle).is_some()
}

/// What speaks for and against UTF-8.
struct Utf8Evidence {
    /// Valid sequences of two or more bytes; exact up to a large number, for valid texts 1 says it all.
    valid: usize,
    /// Maximal invalid subparts.
    invalid: usize,
}

impl Utf8Evidence {
    fn of(bytes: &[u8]) -> Self {
        let valid_up_to = utf8_valid_up_to(bytes);
        if valid_up_to == bytes.len() {
            let ascii = ascii_valid_up_to(bytes) == bytes.len();
            return Self { valid: usize::from(!ascii), invalid: 0 };
        }
        let (mut valid, mut invalid) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            valid += chunk.valid().bytes().filter(|b| *b >= 0xC0).count();
            invalid += usize::from(!chunk.invalid().is_empty());
        }
        // A sequence cut by the end of the file says nothing.
        if invalid == 1
            && valid > 0
            && std::str::from_utf8(bytes).is_err_and(|e| e.error_len().is_none())
        {
            invalid = 0;
        }
        Self { valid, invalid }
    }

    fn is_damaged_utf8(&self) -> bool {
        self.valid > self.invalid.saturating_mul(DAMAGED_UTF8_RATIO)
    }
}

#[cfg(test)]
mod tests;
