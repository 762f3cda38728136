//! UTF-32, which the Encoding Standard leaves out and old exports still use.

/// The two byte orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Utf32 {
    Little,
    Big,
}

impl Utf32 {
    pub(super) fn from_bom(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xFF, 0xFE, 0, 0, ..] => Some(Self::Little),
            [0, 0, 0xFE, 0xFF, ..] => Some(Self::Big),
            _ => None,
        }
    }

    pub(super) fn from_label(label: &str) -> Option<Self> {
        if label.eq_ignore_ascii_case("utf-32le") {
            Some(Self::Little)
        } else if label.eq_ignore_ascii_case("utf-32be") || label.eq_ignore_ascii_case("utf-32") {
            Some(Self::Big)
        } else {
            None
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Little => "UTF-32LE",
            Self::Big => "UTF-32BE",
        }
    }

    fn unit(self, four: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(four),
            Self::Big => u32::from_be_bytes(four),
        }
    }

    /// Whether the first kilobytes are code points above zero and nothing else.
    pub(super) fn plausible(self, bytes: &[u8]) -> bool {
        let units = bytes[..bytes.len().min(4096)].as_chunks().0;
        !units.is_empty()
            && units.iter().all(|four| char::from_u32(self.unit(*four)).is_some_and(|c| c > '\0'))
    }

    /// The text, and whether anything was replaced by U+FFFD.
    pub(super) fn decode(self, bytes: &[u8]) -> (String, bool) {
        let (units, rest) = bytes.as_chunks();
        let mut replaced = !rest.is_empty();
        let mut text: String = units
            .iter()
            .map(|four| {
                char::from_u32(self.unit(*four)).unwrap_or_else(|| {
                    replaced = true;
                    char::REPLACEMENT_CHARACTER
                })
            })
            .collect();
        if !rest.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        (text, replaced)
    }
}
