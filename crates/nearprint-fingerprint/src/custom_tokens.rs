//! The tokens of custom schemes: SPEC [13.3] and [13.14], where they are not the standard's, and which of them take
//! part.

use std::borrow::Cow;

use crate::kernel::Level;
use crate::scheme::custom::{CustomScheme, TokenRule};
use crate::scheme::stop_lists::{StopWords, StopWordsError};
use crate::tokeniser::{Tokeniser, each_token};
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
fn without_digits(token: &[u8]) -> Cow<'_, [u8]> {
    let is = |class: u8| move |c: char| class_of(c) & class != 0;
    // Tokens are cut from text at code points, so they are text.
    let Ok(text) = std::str::from_utf8(token) else { return Cow::Borrowed(token) };
    if !text.contains(is(DIGIT)) {
        return Cow::Borrowed(text.trim_matches(is(CONNECTOR)).as_bytes());
    }
    let left = text.replace(is(DIGIT), "");
    Cow::Owned(left.trim_matches(is(CONNECTOR)).as_bytes().to_vec())
}

impl CustomScheme {
    /// A token of its rule as it counts, if anything of it does.
    fn counted_token<'t>(&self, token: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        let token =
            if self.removes_digits() { without_digits(token) } else { Cow::Borrowed(token) };
        (!token.is_empty()).then_some(token)
    }

    /// The same, if it takes part. `words` are those of the user's list that the scheme names.
    pub(crate) fn taken<'t>(
        &self,
        token: &'t [u8],
        words: Option<&StopWords>,
    ) -> Option<Cow<'t, [u8]>> {
        self.counted_token(token).filter(|token| self.takes(token, words))
    }

    fn takes(&self, token: &[u8], words: Option<&StopWords>) -> bool {
        let long_enough = self.least_length() == 1
            || token.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
                >= self.least_length() as usize;
        long_enough && !self.stop_list().is_some_and(|stop| stop.holds(token, words))
    }
}

/// Every token of a text by a scheme's rule, in order, before any is ignored.
fn each_token_of(custom: CustomScheme, text: &str, each: &mut dyn FnMut(&[u8])) {
    let mut each = |token: &[u8]| {
        if let Some(token) = custom.counted_token(token) {
            each(&token);
        }
    };
    match OwnTokens::of(custom.token_rule()) {
        None => each_token(text, &mut each),
        Some(mut own) => {
            own.push(text, &mut each);
            own.finish(&mut each);
        }
    }
}

impl StopWords {
    /// The list of a text: the tokens of its lines as `scheme` divides them, without those of lines that begin with
    /// `#`.
    ///
    /// # Errors
    /// If it has no words, or more than 16 MiB of them.
    pub fn of(scheme: CustomScheme, text: &str) -> Result<Self, StopWordsError> {
        let mut words: Vec<Box<[u8]>> = Vec::new();
        let lines = text.split('\n').filter(|line| !line.starts_with('#'));
        let lines: String = lines.flat_map(|line| [line, "\n"]).collect();
        each_token_of(scheme, &lines, &mut |token: &[u8]| words.push(token.into()));
        Self::of_words(words)
    }
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
