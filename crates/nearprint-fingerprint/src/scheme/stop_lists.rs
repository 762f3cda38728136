//! The stop lists of SPEC [13.3]: frequent words of a language that a custom scheme leaves out, or a user's own.

mod user;

use std::fmt;

pub use self::user::{StopDigest, StopWords, StopWordsError};

/// A list by its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum StopList {
    German,
    English,
    Spanish,
    French,
    /// A user's list.
    User(StopDigest),
}

impl StopList {
    /// What may be named.
    pub(crate) const EXPECTED: &'static str =
        "stop=de, stop=en, stop=es, stop=fr, or stop= and the 26 characters of a list's digest";

    const BUILT_IN: [Self; 4] = [Self::German, Self::English, Self::Spanish, Self::French];

    pub(crate) fn named(name: &str) -> Option<Self> {
        let built_in = Self::BUILT_IN.into_iter().find(|list| list.to_string() == name);
        built_in.or_else(|| StopDigest::from_exact(name).map(Self::User))
    }

    /// Whether a token is on the list.
    pub(crate) fn holds(self, token: &[u8], words: Option<&StopWords>) -> bool {
        if matches!(self, Self::User(_)) {
            return words.is_some_and(|words| words.holds(token));
        }
        // A hundred or two words in order: a scan compares first bytes mostly, and stops early.
        let words = self.text().lines().map(str::as_bytes);
        words.take_while(|word| *word <= token).any(|word| word == token)
    }

    fn text(self) -> &'static str {
        match self {
            Self::German => include_str!("../../stop/de.txt"),
            Self::English => include_str!("../../stop/en.txt"),
            Self::Spanish => include_str!("../../stop/es.txt"),
            Self::French => include_str!("../../stop/fr.txt"),
            Self::User(_) => "",
        }
    }
}

impl fmt::Display for StopList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::German => f.write_str("de"),
            Self::English => f.write_str("en"),
            Self::Spanish => f.write_str("es"),
            Self::French => f.write_str("fr"),
            Self::User(digest) => digest.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheme, tokens};

    #[test]
    fn lists_are_sorted_and_hold_tokens_as_the_standard_makes_them() {
        for list in StopList::BUILT_IN {
            let words: Vec<&str> = list.text().lines().collect();
            assert!(words.len() > 100 && words.is_sorted_by(|a, b| a < b), "{list:?}");
            for word in words {
                let mut made = Vec::new();
                tokens(Scheme::SD1, word, |token| made.push(token.to_owned()));
                assert_eq!(made, [word]);
                assert!(list.holds(word.as_bytes(), None));
            }
            assert!(!list.holds(b"fingerprint", None) && !list.holds(b"", None));
        }
    }
}
