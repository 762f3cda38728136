//! What items and texts are divided into when items are looked for.

use std::ops::Range;

use nearprint_fingerprint::placed_tokens;

/// What items and texts are divided into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemWords {
    /// Tokens as the standard defines them.
    Tokens {
        /// Whether numbers are tokens as well.
        numbers: bool,
    },
    /// What stands between white space, in lower case and without ASCII punctuation: the words of the rule that GPT-3
    /// was decontaminated by.
    Plain,
}

impl ItemWords {
    /// Gives the words of a text in order, each with its place in bytes.
    pub(crate) fn each(self, text: &str, mut take: impl FnMut(&[u8], Range<usize>)) {
        match self {
            Self::Tokens { numbers } => {
                placed_tokens(text, numbers, |token| take(token.token, token.place));
            }
            Self::Plain => {
                let mut word = String::new();
                for piece in text.split_whitespace() {
                    word.clear();
                    let letters = piece.chars().filter(|letter| !letter.is_ascii_punctuation());
                    word.extend(letters.flat_map(char::to_lowercase));
                    // A piece of punctuation alone is not a word.
                    if !word.is_empty() {
                        let start = piece.as_ptr() as usize - text.as_ptr() as usize;
                        take(word.as_bytes(), start..start + piece.len());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_have_neither_case_nor_punctuation() {
        let mut words = Vec::new();
        let text = "Fog -- the “grey”, two-part\nFOG; ÄRA 7.5!";
        ItemWords::Plain.each(text, |word, place| {
            words.push((String::from_utf8_lossy(word).into_owned(), text[place].to_owned()));
        });
        let words: Vec<_> = words.iter().map(|(word, at)| (word.as_str(), at.as_str())).collect();
        let wanted = [
            ("fog", "Fog"),
            ("the", "the"),
            ("“grey”", "“grey”,"),
            ("twopart", "two-part"),
            ("fog", "FOG;"),
            ("ära", "ÄRA"),
            ("75", "7.5!"),
        ];
        assert_eq!(words, wanted);
    }
}
