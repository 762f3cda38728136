//! Whether what was decoded is a text at all.

use super::head;
use crate::flow;

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

/// Whether a text whose charset was guessed is not text: bytes of any kind are letters and signs of some charset. Text
/// has next to no control characters, more letters than signs, and blanks or line ends unless its script has none.
pub(crate) fn is_noise(text: &str) -> bool {
    let (mut all, mut controls, mut blanks, mut signs, mut unspaced) = (0usize, 0, 0, 0, 0);
    for c in head(text).chars() {
        all += 1;
        match c {
            ' ' | '\t'..='\r' | '\u{85}' | '\u{A0}' | '\u{3000}' => blanks += 1,
            // Backspace, escape, and what Info separates nodes and their places by.
            '\u{8}' | '\u{1B}' | '\u{1F}' | '\u{7F}' => {}
            c if c.is_control() => controls += 1,
            c if c.is_ascii() => {}
            c if flow::is_wide(c) || ('\u{E00}'..'\u{F00}').contains(&c) => unspaced += 1,
            c if c.is_alphanumeric() => {}
            _ => signs += 1,
        }
    }
    // Too short to say.
    all >= NOISE_LEAST
        && (controls > 1 + all / 500
            || signs > all / 5
            || (unspaced < all / 4 && blanks < all / 100))
}

/// Characters from which a text is long enough to be noise.
const NOISE_LEAST: usize = 256;

/// Control characters that no text has: backspace, escape, the shifts of old printers and Info's separators occur.
fn is_c0_control(byte: u8) -> bool {
    byte < 8 || (0x10..=0x1A).contains(&byte) || (0x1C..=0x1E).contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of a picture, numbers and short names: what they have in common is that no charset says no.
    #[test]
    fn bytes_of_a_guessed_charset_are_text_only_if_they_read_as_such() {
        let mut state = 1u32;
        let mut next = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        // Brightness from 40 to 250 that goes up and down.
        let mut level = 120;
        let raster: Vec<u8> = (0..60_000)
            .map(|_| {
                level = (level + next(25)).saturating_sub(12).clamp(40, 250);
                level as u8
            })
            .collect();
        // Pairs of a name of five letters and a number of four bytes.
        let mut cbor = b"\x9F".to_vec();
        for _ in 0..2000 {
            cbor.extend(b"\xA2\x65value\x1A");
            cbor.extend((0..4).map(|_| next(256) as u8));
            cbor.extend(b"\x65count\x19\x03\xE8");
        }
        for bytes in [raster, cbor] {
            let error = crate::extract(&bytes, &Default::default(), &Default::default());
            assert_eq!(error.unwrap_err().reason(), crate::Reason::UnsupportedMedia);
        }
        for (charset, text) in [
            ("windows-1252", "Größe und Maß: «naïve» – 20\u{A0}€, ½\u{A0}°C; "),
            ("windows-1251", "Маяк светил всю ночь, № 5 — «туман». "),
            ("shift_jis", "灯台は夜通し光っていた。霧が深い。"),
            ("windows-874", "ประภาคารส่องแสงตลอดทั้งคืนและหมอกลงหนา"),
            ("big5", "燈塔整夜亮著，霧很濃。"),
        ] {
            let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
            let text = text.repeat(20);
            let (bytes, _, _) = encoding.encode(&text);
            let found = crate::extract(&bytes, &Default::default(), &Default::default());
            assert_eq!(found.unwrap().text.trim(), text.trim(), "{charset}");
        }
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
