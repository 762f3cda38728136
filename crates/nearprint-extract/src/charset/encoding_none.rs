//! Charsets in a build without the feature `charsets`: UTF-8, and ASCII that is labelled as what contains it. All else
//! is refused: whether a label names a charset is not known either.

use std::borrow::Cow;

/// Whether this build has all of them.
pub(crate) const COMPILED: bool = false;

/// A charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// What ASCII and Latin-1 are read as. Of its text this build has ASCII.
    Windows1252,
    /// One that the bytes or a label may mean, and this build does not have.
    Missing,
    /// One that units of two bytes may be in, which this build does not have.
    MissingWide,
}

pub(crate) const ISO_2022_JP: Encoding = Encoding::Missing;
pub(crate) const MACINTOSH: Encoding = Encoding::Missing;
pub(crate) const UTF_8: Encoding = Encoding::Utf8;
pub(crate) const UTF_16BE: Encoding = Encoding::MissingWide;
pub(crate) const UTF_16LE: Encoding = Encoding::MissingWide;
pub(crate) const WINDOWS_1252: Encoding = Encoding::Windows1252;

/// Labels of UTF-8, in lower case.
const UTF_8_LABELS: [&str; 2] = ["utf-8", "utf8"];

/// Labels of ASCII and of what the Encoding Standard reads it as, in lower case.
const ASCII_LABELS: [&str; 6] =
    ["ascii", "us-ascii", "iso-8859-1", "latin1", "windows-1252", "cp1252"];

impl Encoding {
    /// The charset of a label; of any label that is not known, one that is missing.
    pub(crate) fn for_label(label: &str) -> Option<Self> {
        let label = label.trim().to_ascii_lowercase();
        Some(if UTF_8_LABELS.contains(&&*label) {
            Self::Utf8
        } else if ASCII_LABELS.contains(&&*label) {
            Self::Windows1252
        } else {
            Self::Missing
        })
    }

    /// The charset of a byte order mark, and the bytes of that.
    pub(crate) fn for_bom(bytes: &[u8]) -> Option<(Self, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((Self::Utf8, 3)),
            [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => Some((Self::MissingWide, 2)),
            _ => None,
        }
    }

    /// One that is missing.
    pub(crate) fn guess(_: &[u8]) -> Self {
        Self::Missing
    }

    /// Its name in the Encoding Standard, where it is known.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Windows1252 => "windows-1252",
            Self::Missing | Self::MissingWide => "",
        }
    }

    /// Whether this build decodes these bytes.
    pub(crate) fn decodes(self, bytes: &[u8]) -> bool {
        match self {
            Self::Utf8 => true,
            Self::Windows1252 => bytes.is_ascii(),
            Self::Missing | Self::MissingWide => false,
        }
    }

    /// The text of bytes, and whether any of it was replaced.
    pub(crate) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        let text = String::from_utf8_lossy(bytes);
        let replaced = matches!(text, Cow::Owned(_));
        (text, replaced)
    }

    /// The same; the text is hardly longer than the bytes.
    pub(crate) fn decode_within(self, bytes: &[u8], _: u64) -> (Cow<'_, str>, bool) {
        self.decode(bytes)
    }
}

/// Bytes up to the first that is not UTF-8.
pub(crate) fn utf8_valid_up_to(bytes: &[u8]) -> usize {
    std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len)
}

/// Bytes up to the first that is not ASCII.
pub(crate) fn ascii_valid_up_to(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len())
}
