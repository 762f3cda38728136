//! Which documents are extracted in a separate process.

use nearprint_extract::{Hints, is_heavy};

/// Which documents go to a worker.
///
/// The text is the same in either case. Only the damage that a hostile document can do differs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Isolation {
    /// Every document.
    Everything,
    /// Documents whose parsers are large or whose size on disk says little about their cost: PDF, archives and
    /// office packages, old office files, everything compressed, and whatever has more than 4 MiB. Shorter HTML, XML
    /// and text stay in this process: their parsers are this project's own, keep no tree, take linear time, count
    /// their work, and copy no more than the text.
    #[default]
    Heavy,
    /// None. For hosts that isolate themselves, or trust their documents.
    Never,
}

/// Bytes of the longest document (<=) that is read in this process for being text: the counted limits let it take
/// seconds and some hundred megabytes at most.
const LONGEST_LIGHT: usize = 4 << 20;

impl Isolation {
    /// Whether a document goes to a worker. Looks at the hint, the length and the first 1,024 bytes only.
    ///
    /// ```
    /// use nearprint_extract::Hints;
    /// use nearprint_worker::Isolation;
    ///
    /// assert!(Isolation::Heavy.isolates(b"%PDF-1.7", &Hints::default()));
    /// assert!(!Isolation::Heavy.isolates(b"<!doctype html>", &Hints::default()));
    /// ```
    #[must_use]
    pub fn isolates(self, bytes: &[u8], hints: &Hints) -> bool {
        match self {
            Self::Everything => true,
            Self::Never => false,
            Self::Heavy => {
                bytes.len() > LONGEST_LIGHT || is_heavy(bytes, hints.media_type.as_deref())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes in which a PDF may hide its header.
    const PDF_WINDOW: usize = 1024;

    fn heavy(bytes: &[u8], media_type: Option<&str>) -> bool {
        let hints = Hints { media_type: media_type.map(str::to_owned), ..Hints::default() };
        Isolation::Heavy.isolates(bytes, &hints)
    }

    #[test]
    fn heavy_is_told_by_bytes_or_hint() {
        for (bytes, media_type, expected) in [
            (&b"%PDF-1.4"[..], None, true),
            (b"\n\njunk %PDF-1.4", None, true),
            (b"PK\x03\x04", None, true),
            (b"\x1f\x8b\x08", None, true),
            (b"\x28\xB5\x2F\xFD", None, true),
            (b"\x5D\x2A\x4D\x18\x00", None, true),
            (b"<html>", None, false),
            (b"<?xml version='1.0'?>", Some("application/tei+xml"), false),
            (b"plain", Some("Text/Plain; charset=utf-8"), false),
            // A hint sends the bytes to the heavy parser whatever they are.
            (b"plain", Some("application/pdf"), true),
            (b"plain", Some("application/epub+zip"), true),
            (b"plain", Some("image/png"), true),
            (b"plain", Some("text/rtf"), true),
            // And does not free heavy bytes of it.
            (b"%PDF-1.4", Some("text/plain"), true),
            (b"", None, false),
        ] {
            assert_eq!(
                heavy(bytes, media_type),
                expected,
                "{} {media_type:?}",
                bytes.escape_ascii()
            );
        }
        let mut late = vec![b' '; PDF_WINDOW - 5];
        late.extend(b"%PDF-1.4");
        assert!(heavy(&late, None));
        late.insert(0, b' ');
        assert!(!heavy(&late, None));
    }

    #[test]
    fn long_documents_are_heavy() {
        assert!(!heavy(&vec![b'a'; LONGEST_LIGHT], None));
        assert!(heavy(&vec![b'a'; LONGEST_LIGHT + 1], None));
        assert!(heavy(&vec![b'a'; LONGEST_LIGHT + 1], Some("text/plain")));
    }

    #[test]
    fn the_choice_overrules() {
        let hints = Hints::default();
        assert!(Isolation::Everything.isolates(b"plain", &hints));
        assert!(!Isolation::Never.isolates(b"%PDF-1.4", &hints));
    }
}
