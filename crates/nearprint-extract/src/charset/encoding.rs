//! The charsets of the Encoding Standard, and the guess which of them bytes are in.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// Whether this build has all of them.
pub(crate) const COMPILED: bool = true;

/// A charset of the Encoding Standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Encoding(&'static encoding_rs::Encoding);

pub(crate) const ISO_2022_JP: Encoding = Encoding(encoding_rs::ISO_2022_JP);
pub(crate) const MACINTOSH: Encoding = Encoding(encoding_rs::MACINTOSH);
pub(crate) const UTF_8: Encoding = Encoding(encoding_rs::UTF_8);
pub(crate) const UTF_16BE: Encoding = Encoding(encoding_rs::UTF_16BE);
pub(crate) const UTF_16LE: Encoding = Encoding(encoding_rs::UTF_16LE);
pub(crate) const WINDOWS_1252: Encoding = Encoding(encoding_rs::WINDOWS_1252);

/// Bytes of a text from which on memory is taken for it as it is decoded, and not for the longest it might become.
const LONG: usize = 16 << 20;

impl Encoding {
    /// The charset of a label. "replacement" stands for charsets that are not to be decoded, so it is none.
    pub(crate) fn for_label(label: &str) -> Option<Self> {
        let found = encoding_rs::Encoding::for_label(label.as_bytes())?;
        (found != encoding_rs::REPLACEMENT).then_some(Self(found))
    }

    /// The charset of a byte order mark, and the bytes of that.
    pub(crate) fn for_bom(bytes: &[u8]) -> Option<(Self, usize)> {
        encoding_rs::Encoding::for_bom(bytes).map(|(found, length)| (Self(found), length))
    }

    /// The charset that bytes most likely are in which are not UTF-8.
    pub(crate) fn guess(bytes: &[u8]) -> Self {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        Self(detector.guess(None, Utf8Detection::Deny))
    }

    /// Its name in the Encoding Standard.
    pub(crate) fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether this build decodes these bytes.
    pub(crate) fn decodes(self, _: &[u8]) -> bool {
        true
    }

    /// The text of bytes, and whether any of it was replaced.
    pub(crate) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        self.0.decode_without_bom_handling(bytes)
    }

    /// The same, of no more than about `most` bytes of text where the bytes are not the text.
    pub(crate) fn decode_within(self, bytes: &[u8], most: u64) -> (Cow<'_, str>, bool) {
        if bytes.len() < LONG || self.is_text_already(bytes) {
            return self.decode(bytes);
        }
        let (text, replaced) = self.decode_in_pieces(bytes, most);
        (Cow::Owned(text), replaced)
    }

    /// Whether the bytes are the text, so that nothing has to be copied.
    fn is_text_already(self, bytes: &[u8]) -> bool {
        if self == UTF_8 {
            return utf8_valid_up_to(bytes) == bytes.len();
        }
        self.0.is_ascii_compatible() && ascii_valid_up_to(bytes) == bytes.len()
    }

    /// Decodes a long text. Three bytes may stand for one, but seldom do.
    fn decode_in_pieces(self, bytes: &[u8], most: u64) -> (String, bool) {
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let (mut text, mut replaced, mut at) = (String::new(), false, 0);
        while text.len() as u64 <= most {
            text.reserve_exact(LONG.max(text.len() / 4));
            let (result, read, errors) = decoder.decode_to_string(&bytes[at..], &mut text, true);
            at += read;
            replaced |= errors;
            if result == encoding_rs::CoderResult::InputEmpty {
                break;
            }
        }
        (text, replaced)
    }
}

/// Bytes up to the first that is not UTF-8.
pub(crate) fn utf8_valid_up_to(bytes: &[u8]) -> usize {
    encoding_rs::Encoding::utf8_valid_up_to(bytes)
}

/// Bytes up to the first that is not ASCII.
pub(crate) fn ascii_valid_up_to(bytes: &[u8]) -> usize {
    encoding_rs::Encoding::ascii_valid_up_to(bytes)
}
