//! Which documents are parsed in a separate process, if the host isolates any: known from a hint or the first bytes,
//! before anything is parsed.

use crate::media::Media;

/// First bytes of what is heavy but no medium: compressed documents, and old office files.
const OTHERS: [&[u8]; 6] = [
    b"\x1f\x8b",
    b"BZh",
    b"\xFD7zXZ\0",
    b"\x28\xB5\x2F\xFD",
    b"\x04\x22\x4D\x18",
    b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
];

/// Whether a document is heavy: its parser is large, or its size says little about its cost. Heavy are PDF, packages,
/// RTF, old office files, and everything compressed. HTML, XML, mail and text are light: their parsers are this
/// project's own, take linear time and count their work. A type in `media_type` that is unknown is heavy, unless it is
/// one of text. Looks at the first 1,024 bytes only.
///
/// ```
/// use nearprint_extract::is_heavy;
///
/// assert!(is_heavy(b"%PDF-1.7", None));
/// assert!(is_heavy(b"plain", Some("application/pdf")));
/// assert!(!is_heavy(b"<!doctype html>", None));
/// ```
#[must_use]
pub fn is_heavy(bytes: &[u8], media_type: Option<&str>) -> bool {
    media_type.is_some_and(is_heavy_type)
        || OTHERS.iter().any(|magic| bytes.starts_with(magic))
        || begins_skippable_frame(bytes)
        || Media::rows().iter().filter_map(|row| row.heavy.as_ref()).any(|magic| {
            let window = &bytes[..bytes.len().min(magic.within + magic.bytes.len())];
            memchr::memmem::find(window, magic.bytes).is_some()
        })
}

fn is_heavy_type(media_type: &str) -> bool {
    match Media::from_type(media_type) {
        Some(media) => media.row().heavy.is_some(),
        None => !media_type.trim_start().as_bytes().get(..5).is_some_and(is_text),
    }
}

fn is_text(prefix: &[u8]) -> bool {
    prefix.eq_ignore_ascii_case(b"text/")
}

/// Whether a frame begins that decoders of zstd and lz4 skip: files of both may begin with some.
fn begins_skippable_frame(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extractors::Extractor;

    #[test]
    fn every_row_states_whether_its_medium_is_heavy() {
        for row in Media::rows() {
            let name = row.types[0];
            assert_eq!(is_heavy(b"plain", Some(name)), row.heavy.is_some(), "{name}");
            if let Some(magic) = &row.heavy {
                let mut late = vec![b'\n'; magic.within];
                late.extend(magic.bytes);
                assert!(is_heavy(&late, None), "{name}");
                late.insert(0, b'\n');
                assert!(!is_heavy(&late, None), "{name}");
            }
            // Whoever adds a parser of bytes decides: mail is the only one of these that is light.
            let parses_bytes = matches!(row.extractor, Extractor::Bytes(_));
            assert_eq!(row.heavy.is_some(), parses_bytes && row.name != "mail", "{name}");
        }
    }

    #[test]
    fn unknown_types_are_heavy_unless_they_are_text() {
        for (name, expected) in [
            ("image/png", true),
            ("", true),
            ("text/css", false),
            (" Text/X-Unknown; charset=utf-8", false),
            ("application/atom+xml", false),
        ] {
            assert_eq!(is_heavy(b"plain", Some(name)), expected, "{name}");
        }
    }
}
