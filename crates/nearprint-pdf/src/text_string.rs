//! Text strings of the document's own dictionaries: UTF-16, UTF-8 or PDFDocEncoding.

/// Decodes a text string. Invalid parts become U+FFFD and are dropped.
pub(crate) fn decode(bytes: &[u8]) -> String {
    characters(bytes).chars().filter_map(crate::fonts::clean_char).collect()
}

/// Decodes a text string that may have several lines, which end as the file ends them: by CR, LF, or both.
pub(crate) fn decode_lines(bytes: &[u8]) -> String {
    let text = characters(bytes);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\r' | '\n' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            c => out.extend(crate::fonts::clean_char(c)),
        }
    }
    out
}

fn characters(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => without_languages(utf16(rest, u16::from_be_bytes)),
        [0xff, 0xfe, rest @ ..] => without_languages(utf16(rest, u16::from_le_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&b| pdf_doc(b)).collect(),
    }
}

/// Takes out the codes of languages, which stand between two escape characters (ISO 32000-2, 7.9.2.2.1).
fn without_languages(text: String) -> String {
    const ESCAPE: char = '\u{1b}';
    if !text.contains(ESCAPE) {
        return text;
    }
    text.split(ESCAPE).step_by(2).collect()
}

fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect()
}

/// The upper half of PDFDocEncoding differs from Latin-1 only between 0x18 and 0x1f and 0x80 and 0xa0.
fn pdf_doc(byte: u8) -> char {
    const LOW: [char; 8] =
        ['\u{2d8}', '\u{2c7}', '\u{2c6}', '\u{2d9}', '\u{2dd}', '\u{2db}', '\u{2da}', '\u{2dc}'];
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚',
        '™', 'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
    ];
    match byte {
        0x18..=0x1f => LOW[usize::from(byte - 0x18)],
        0x80..=0xa0 => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_lines};

    #[test]
    fn every_form_is_decoded() {
        for (bytes, text) in [
            (&b"plain"[..], "plain"),
            (b"\xfe\xff\x00d\x00\xe9", "dé"),
            (b"\xff\xfed\x00\xe9\x00", "dé"),
            (b"\xef\xbb\xbfd\xc3\xa9", "dé"),
            (b"\x8dq\x8e \xe9", "“q” é"),
            (b"\xfe\xff\xd8\x00\x00a", "a"),
            (b"\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00a", "a"),
            (b"a\rb", "a b"),
        ] {
            assert_eq!(decode(bytes), text, "{bytes:?}");
        }
    }
    #[test]
    fn lines_end_as_the_file_ends_them() {
        assert_eq!(decode_lines(b"a\rb\r\nc\n\nd"), "a\nb\n\nc\n\nd");
    }
}
