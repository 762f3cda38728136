//! The TeX font encodings in which bitmap fonts keep their codes: OT1, T1 (Cork) and T2A (Cyrillic).
//!
//! Bitmap fonts in PDF carry no names of characters, only their codes, which are those of the TeX font. Only
//! what makes words is exact here; symbols that differ between fonts of one encoding are left out.

/// An encoding of TeX fonts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TexEncoding {
    Ot1,
    T1,
    T2a,
}

impl TexEncoding {
    /// The encoding most likely meant by a font that has glyphs for these codes.
    ///
    /// `None` if the codes were reassigned in the order of use and mean nothing.
    pub(crate) fn likely(codes: &[u8]) -> Option<Self> {
        let has = |code: u8| codes.contains(&code);
        let count = |low: u8, high: u8| codes.iter().filter(|c| (low..=high).contains(*c)).count();
        let highest = codes.iter().copied().max()?;
        // Fonts renumbered by a distiller use every code from 0 on; real fonts have holes there, unless the
        // document shows the whole font.
        let dense = (0..=highest.min(0x3f)).all(has);
        if dense && highest != 0x7f && highest < 0xf0 {
            return None;
        }
        let latin = count(b'a', b'z');
        let cyrillic = count(0xe0, 0xff);
        if cyrillic >= 20 || (latin == 0 && count(0xc0, 0xff) >= 3) {
            return Some(Self::T2a);
        }
        let letters = latin + count(b'A', b'Z');
        if letters == 0 && (highest >= 0x80 || count(0, 0x1f) > 0) {
            // Bullets, arrows, Greek: a font of symbols, whose codes differ from font to font.
            return None;
        }
        let cork = highest >= 0x80 || count(0x1b, 0x1e) > 0 && count(0x0b, 0x0f) == 0;
        Some(if cork { Self::T1 } else { Self::Ot1 })
    }

    /// The text of a code.
    pub(crate) fn text(self, code: u8) -> Option<&'static str> {
        let table: &[&str; 32] = if self == Self::Ot1 { &OT1_LOW } else { &T1_LOW };
        let text = match (self, code) {
            (_, 0..=0x1f) => table[usize::from(code)],
            (_, b'\'') => "\u{2019}",
            (_, b'`') => "\u{2018}",
            (Self::Ot1, 0x7b) => "\u{2013}",
            (Self::Ot1, 0x7c) => "\u{2014}",
            (Self::Ot1, b'"') => "\u{201d}",
            (Self::Ot1, b'\\') => "\u{201c}",
            (Self::Ot1, 0x7d..) => "",
            (_, 0x7f) => "-",
            (_, b' ') => "",
            (_, 0x21..=0x7e) => return ascii(code),
            (Self::T1, 0x80..) => T1_HIGH.get(usize::from(code - 0x80)).copied().unwrap_or(""),
            (Self::T2a, 0x80..) => T2A_HIGH.get(usize::from(code - 0x80)).copied().unwrap_or(""),
        };
        (!text.is_empty()).then_some(text)
    }
}

fn ascii(code: u8) -> Option<&'static str> {
    const ASCII: &str = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    let index = usize::from(code.checked_sub(0x21)?);
    ASCII.get(index..=index)
}

const OT1_LOW: [&str; 32] = [
    "Γ", "Δ", "Θ", "Λ", "Ξ", "Π", "Σ", "Υ", "Φ", "Ψ", "Ω", "ff", "fi", "fl", "ffi", "ffl", //
    "ı", "ȷ", "`", "´", "ˇ", "˘", "¯", "˚", "¸", "ß", "æ", "œ", "ø", "Æ", "Œ", "Ø",
];

const T1_LOW: [&str; 32] = [
    "`", "´", "ˆ", "˜", "¨", "˝", "˚", "ˇ", "˘", "¯", "˙", "¸", "˛", "‚", "‹", "›", //
    "“", "”", "„", "«", "»", "–", "—", "", "", "ı", "ȷ", "ff", "fi", "fl", "ffi", "ffl",
];

const T1_HIGH: [&str; 128] = [
    "Ă", "Ą", "Ć", "Č", "Ď", "Ě", "Ę", "Ğ", "Ĺ", "Ľ", "Ł", "Ń", "Ň", "Ŋ", "Ő", "Ŕ", //
    "Ř", "Ś", "Š", "Ş", "Ť", "Ţ", "Ű", "Ů", "Ÿ", "Ź", "Ž", "Ż", "Ĳ", "İ", "đ", "§", //
    "ă", "ą", "ć", "č", "ď", "ě", "ę", "ğ", "ĺ", "ľ", "ł", "ń", "ň", "ŋ", "ő", "ŕ", //
    "ř", "ś", "š", "ş", "ť", "ţ", "ű", "ů", "ÿ", "ź", "ž", "ż", "ĳ", "¡", "¿", "£", //
    "À", "Á", "Â", "Ã", "Ä", "Å", "Æ", "Ç", "È", "É", "Ê", "Ë", "Ì", "Í", "Î", "Ï", //
    "Ð", "Ñ", "Ò", "Ó", "Ô", "Õ", "Ö", "Œ", "Ø", "Ù", "Ú", "Û", "Ü", "Ý", "Þ", "SS", //
    "à", "á", "â", "ã", "ä", "å", "æ", "ç", "è", "é", "ê", "ë", "ì", "í", "î", "ï", //
    "ð", "ñ", "ò", "ó", "ô", "õ", "ö", "œ", "ø", "ù", "ú", "û", "ü", "ý", "þ", "ß",
];

const T2A_HIGH: [&str; 128] = [
    "Ґ", "Ғ", "Ђ", "Ћ", "Һ", "Җ", "Ҙ", "Љ", "Ї", "Қ", "Ҡ", "Ҝ", "Ӕ", "Ң", "Ҥ", "Ѕ", //
    "Ө", "Ҫ", "Ў", "Ү", "Ұ", "Ҳ", "Џ", "Ҹ", "Ҷ", "Є", "Ә", "Њ", "Ё", "№", "¤", "§", //
    "ґ", "ғ", "ђ", "ћ", "һ", "җ", "ҙ", "љ", "ї", "қ", "ҡ", "ҝ", "ӕ", "ң", "ҥ", "ѕ", //
    "ө", "ҫ", "ў", "ү", "ұ", "ҳ", "џ", "ҹ", "ҷ", "є", "ә", "њ", "ё", "„", "«", "»", //
    "А", "Б", "В", "Г", "Д", "Е", "Ж", "З", "И", "Й", "К", "Л", "М", "Н", "О", "П", //
    "Р", "С", "Т", "У", "Ф", "Х", "Ц", "Ч", "Ш", "Щ", "Ъ", "Ы", "Ь", "Э", "Ю", "Я", //
    "а", "б", "в", "г", "д", "е", "ж", "з", "и", "й", "к", "л", "м", "н", "о", "п", //
    "р", "с", "т", "у", "ф", "х", "ц", "ч", "ш", "щ", "ъ", "ы", "ь", "э", "ю", "я",
];

#[cfg(test)]
mod tests {
    use super::TexEncoding::{self, Ot1, T1, T2a};

    fn codes(ranges: &[(u8, u8)]) -> Vec<u8> {
        ranges.iter().flat_map(|(low, high)| *low..=*high).collect()
    }

    #[test]
    fn the_codes_in_use_tell_the_encoding() {
        for (ranges, expected) in [
            (&[(b'a', b'z'), (0x0b, 0x0c)][..], Some(Ot1)),
            (&[(b'a', b'z'), (0x1b, 0x1c)], Some(T1)),
            (&[(b'a', b'z'), (0xe8, 0xea)], Some(T1)),
            (&[(b'a', b'z'), (0xe0, 0xff)], Some(T2a)),
            (&[(0xc0, 0xc3)], Some(T2a)),
            (&[(0x88, 0x88)], None),
            (&[(0x0f, 0x0f)], None),
            (&[(b'0', b'9')], Some(Ot1)),
            (&[(0, 70)], None),
            (&[(0, 255)], Some(T2a)),
            (&[(0, 127)], Some(Ot1)),
        ] {
            assert_eq!(TexEncoding::likely(&codes(ranges)), expected, "{ranges:x?}");
        }
    }

    #[test]
    fn codes_have_their_texts() {
        for (encoding, code, text) in [
            (Ot1, 0x0e, Some("ffi")),
            (Ot1, b'A', Some("A")),
            (Ot1, b'z', Some("z")),
            (T1, 0xe9, Some("é")),
            (T1, 0x7f, Some("-")),
            (T1, b'!', Some("!")),
            (T1, b'~', Some("~")),
            (T1, 0x17, None),
            (T2a, 0xcf, Some("П")),
            (T2a, 0xff, Some("я")),
        ] {
            assert_eq!(encoding.text(code), text, "{encoding:?} {code:#x}");
        }
    }
}
