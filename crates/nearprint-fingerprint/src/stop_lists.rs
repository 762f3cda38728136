//! The stop lists of SPEC [13.3]: frequent words of a language that a custom scheme leaves out.

/// A list by its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum StopList {
    German,
    English,
    Spanish,
    French,
}

impl StopList {
    /// What may be named.
    pub(crate) const NAMES: &'static str = "stop=de, stop=en, stop=es, or stop=fr";

    const ALL: [Self; 4] = [Self::German, Self::English, Self::Spanish, Self::French];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::German => "de",
            Self::English => "en",
            Self::Spanish => "es",
            Self::French => "fr",
        }
    }

    /// Whether a token is on the list.
    pub(crate) fn holds(self, token: &[u8]) -> bool {
        // A hundred or two words in order: a scan compares first bytes mostly, and stops early.
        let words = self.text().lines().map(str::as_bytes);
        words.take_while(|word| *word <= token).any(|word| word == token)
    }

    fn text(self) -> &'static str {
        match self {
            Self::German => include_str!("../stop/de.txt"),
            Self::English => include_str!("../stop/en.txt"),
            Self::Spanish => include_str!("../stop/es.txt"),
            Self::French => include_str!("../stop/fr.txt"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheme, tokens};

    #[test]
    fn lists_are_sorted_and_hold_tokens_as_the_standard_makes_them() {
        for list in StopList::ALL {
            let words: Vec<&str> = list.text().lines().collect();
            assert!(words.len() > 100 && words.is_sorted_by(|a, b| a < b), "{list:?}");
            for word in words {
                let mut made = Vec::new();
                tokens(Scheme::SD1, word, |token| made.push(token.to_owned()));
                assert_eq!(made, [word]);
                assert!(list.holds(word.as_bytes()));
            }
            assert!(!list.holds(b"fingerprint") && !list.holds(b""));
        }
    }
}
