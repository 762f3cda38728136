//! Signs that can decide what a text says: arithmetic and currency, and those that join names and operands.

/// A sign as it counts: typographic forms of one sign are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    pub(super) value: char,
    /// Whether white space between it and its number makes no difference: `5 €` is `5€`.
    pub(super) is_loose: bool,
    /// Whether it counts beside a number: alone, the others only say something between words.
    pub(super) is_arithmetic: bool,
}

impl Sign {
    /// The sign that a code point of a normalised text is.
    #[inline]
    pub(super) fn of(c: char) -> Option<Self> {
        let strict = |value| Some(Self { value, is_loose: false, is_arithmetic: true });
        match c {
            '\u{2010}'..='\u{2013}' | '\u{2212}' => strict('-'),
            '×' | '\u{2217}' | '\u{22C5}' => strict('*'),
            '÷' | '\u{2044}' | '\u{2215}' => strict('/'),
            '+' | '*' | '/' | '<' | '=' | '>' | '^' | '-' | '±' | '√' | '≠' | '≤' | '≥' => {
                strict(c)
            }
            // Arrows, relations and the like stand between words as operators do.
            '#'
            | '&'
            | '|'
            | '!'
            | '~'
            | '\u{2032}'
            | '\u{2190}'..='\u{22FF}'
            | '▲'
            | '△'
            | '▼'
            | '▽' => Some(Self { value: c, is_loose: false, is_arithmetic: false }),
            '%' | '‰' => Some(Self { value: c, is_loose: true, is_arithmetic: true }),
            _ if is_currency(c) => Some(Self { value: c, is_loose: true, is_arithmetic: true }),
            _ => None,
        }
    }

    /// Whether it says something where it touches the end of a word alone, as in `C#` and `NIS+`.
    pub(super) fn is_suffix(self) -> bool {
        matches!(self.value, '#' | '+')
    }

    /// Whether it often only joins two words that touch it: `e-mail`, `and/or`, `R&D`.
    pub(super) fn is_joint(self) -> bool {
        matches!(self.value, '-' | '/' | '&')
    }
}

/// Whether a code point of a normalised text is a pictograph: emoji, and the dingbats that tables of features are made
/// of.
#[inline]
pub(super) fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c), 0x2600..=0x26FF | 0x2705 | 0x2713..=0x2718 | 0x274C | 0x274E | 0x2763..=0x2764 | 0x2B50 | 0x1F1E6..=0x1F1FF | 0x1F300..=0x1FAFF)
}

/// General_Category Sc of Unicode 14.0, without the two that folding replaces.
fn is_currency(c: char) -> bool {
    matches!(
        u32::from(c),
        0x24 | 0xA2..=0xA5
            | 0x58F
            | 0x60B
            | 0x7FE..=0x7FF
            | 0x9F2..=0x9F3
            | 0x9FB
            | 0xAF1
            | 0xBF9
            | 0xE3F
            | 0x17DB
            | 0x20A0..=0x20C0
            | 0xA838
            | 0x11FDD..=0x11FE0
            | 0x1E2FF
            | 0x1ECB0
    )
}

/// The signs after a hash, for tests.
#[cfg(test)]
pub(super) fn named(hash: u64) -> String {
    let signs = "+-*/<=>^±√≠≤≥%‰$€£#&|!~";
    let hashed = |text: &str| super::gap::hash(text.chars().map(u64::from)) == hash;
    let ones = signs.chars().map(String::from);
    let twos = signs.chars().flat_map(|a| signs.chars().map(move |b| format!("{a}{b}")));
    ones.chain(twos).find(|text| hashed(text)).unwrap_or_default()
}
