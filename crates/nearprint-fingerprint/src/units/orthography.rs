//! Spellings of one word that a comparison does not tell apart: Arabic with and without vowel signs, stretched or not,
//! Hebrew with and without points, Greek with and without tonos.
//!
//! The standard's tokens tell them apart, and no scheme may change. A comparison of texts need not: how a word is
//! vocalised is a matter of the edition, and capitals have no tonos.

use crate::lookup3;

/// Whether any of these bytes of a normalised text begins a code point that may fold.
#[inline]
pub(super) fn may_fold(text: &[u8]) -> bool {
    // Without a branch for each byte, so that it becomes vector code.
    !text.is_ascii()
        && text
            .iter()
            .fold(false, |any, &byte| any | (byte & 0xFE == 0xCE) | (byte.wrapping_sub(0xD6) < 4))
}

/// The hash of a token in the spelling that stands for all; `None` where that is its own.
pub(super) fn folded_hash(token: &[u8]) -> Option<u64> {
    let token = std::str::from_utf8(token).ok().filter(|token| may_fold(token.as_bytes()))?;
    let folded: String = token.chars().filter_map(fold).collect();
    (folded != token && !folded.is_empty()).then(|| lookup3::hash(folded.as_bytes()))
}

fn fold(c: char) -> Option<char> {
    match c {
        // Tatweel, harakat, and the small alef.
        '\u{640}' | '\u{64B}'..='\u{652}' | '\u{670}' => None,
        // Points and accents of Hebrew, but not maqaf, paseq, sof pasuq and nun hafukha.
        '\u{591}'..='\u{5BD}'
        | '\u{5BF}'
        | '\u{5C1}'..='\u{5C2}'
        | '\u{5C4}'..='\u{5C5}'
        | '\u{5C7}' => None,
        'ά' => Some('α'),
        'έ' => Some('ε'),
        'ή' => Some('η'),
        'ί' => Some('ι'),
        'ό' => Some('ο'),
        'ύ' => Some('υ'),
        'ώ' => Some('ω'),
        'ΐ' => Some('ϊ'),
        'ΰ' => Some('ϋ'),
        c => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_have_one_hash() {
        for (one, other) in [
            ("كِتَابٌ", "كتاب"),
            ("كتــــاب", "كتاب"),
            ("שָׁלוֹם", "שלום"),
            ("αθήνα", "αθηνα"),
            ("προΐσταμαι", "προϊσταμαι"),
        ] {
            assert_eq!(folded_hash(one.as_bytes()), Some(lookup3::hash(other.as_bytes())), "{one}");
            assert_eq!(folded_hash(other.as_bytes()), None, "{other}");
        }
        for other in ["fog", "туман", "ـ", "日本"] {
            assert_eq!(folded_hash(other.as_bytes()), None, "{other}");
        }
    }
}
