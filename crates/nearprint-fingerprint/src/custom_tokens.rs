//! SPEC [13.3] and [13.14]: the tokens of custom schemes that have others than the standard's.

use std::borrow::Cow;

use crate::custom::TokenRule;
use crate::kernel::Level;
use crate::tokeniser::Tokeniser;
use crate::unicode::class::{CONNECTOR, DIGIT};
use crate::unicode::class_of;
use crate::whitespace::WhitespaceTokens;

/// A text on its way to tokens that are not the standard's, streaming.
pub(crate) enum OwnTokens {
    WhiteSpace(Box<WhitespaceTokens>),
    WithoutIdentifiers(Box<Tokeniser>),
}

impl OwnTokens {
    /// The beginning of a text; nothing where tokens are the standard's.
    pub(crate) fn of(rule: TokenRule) -> Option<Self> {
        match rule {
            TokenRule::Standard => None,
            TokenRule::WhiteSpace => Some(Self::WhiteSpace(Box::default())),
            TokenRule::WithoutIdentifiers => {
                let tokeniser = Tokeniser::at(Level::best()).without_identifiers();
                Some(Self::WithoutIdentifiers(Box::new(tokeniser)))
            }
        }
    }

    /// Takes the next part of the text and gives tokens that are complete.
    pub(crate) fn push(&mut self, text: &str, mut each: impl FnMut(&[u8])) {
        match self {
            Self::WhiteSpace(tokens) => tokens.push(text, each),
            Self::WithoutIdentifiers(tokens) => tokens.push(text, &mut each),
        }
    }

    /// Gives the last tokens.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(&[u8])) {
        match self {
            Self::WhiteSpace(tokens) => tokens.finish(each),
            Self::WithoutIdentifiers(tokens) => tokens.finish(&mut each),
        }
    }
}

/// SPEC [13.15]: a token without its digits, and without connectors at the ends of what is left.
pub(crate) fn without_digits(token: &[u8]) -> Cow<'_, [u8]> {
    let is = |class: u8| move |c: char| class_of(c) & class != 0;
    // Tokens are cut from text at code points, so they are text.
    let Ok(text) = std::str::from_utf8(token) else { return Cow::Borrowed(token) };
    if !text.contains(is(DIGIT)) {
        return Cow::Borrowed(text.trim_matches(is(CONNECTOR)).as_bytes());
    }
    let left = text.replace(is(DIGIT), "");
    Cow::Owned(left.trim_matches(is(CONNECTOR)).as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_leave_a_token() {
        for (token, wanted) in [
            ("b2b", "bb"),
            ("2_x_3", "x"),
            ("a_1_b", "a__b"),
            ("٣ख४", "ख"),
            ("fog", "fog"),
            ("2", ""),
        ] {
            assert_eq!(without_digits(token.as_bytes()), wanted.as_bytes(), "{token}");
        }
    }
}
