//! Tokens that white space alone separates (SPEC [13.3], `tokens=whitespace`), streaming.

use crate::classed_text::ClassedText;
use crate::kernel::Level;
use crate::normalise::Normaliser;

/// Code points of a token, at most.
const LONGEST: usize = 128;

/// Letters U+03B9 that one run of U+0345 can leave: more than the longest token has, so all of them give no token.
const MOST_YPOGEGRAMMENI: u64 = 1024;

/// A text on its way to tokens. Memory: the longest piece of text given at once, and one token.
pub(crate) struct WhitespaceTokens {
    normaliser: Normaliser,
    text: ClassedText,
    /// The token that is not over, up to one code point too many.
    open: String,
    /// The code points it has.
    length: usize,
}

impl Default for WhitespaceTokens {
    fn default() -> Self {
        let level = Level::best();
        Self {
            normaliser: Normaliser::with_bounded_ypogegrammeni(level, MOST_YPOGEGRAMMENI),
            text: ClassedText::default(),
            open: String::new(),
            length: 0,
        }
    }
}

impl WhitespaceTokens {
    /// Takes the next part of a text and gives the tokens that end in it.
    pub(crate) fn push(&mut self, text: &str, mut each: impl FnMut(&[u8])) {
        self.normaliser.push_str(text, &mut self.text);
        self.read(&mut each);
    }

    /// Gives the last token.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(&[u8])) {
        self.normaliser.finish(&mut self.text);
        self.read(&mut each);
        self.close(&mut each);
    }

    fn read(&mut self, each: &mut impl FnMut(&[u8])) {
        let text = std::mem::take(&mut self.text);
        // What was appended is code points.
        for c in std::str::from_utf8(text.text()).unwrap_or_default().chars() {
            if is_white_space(c) {
                self.close(each);
            } else {
                self.length += 1;
                if self.length <= LONGEST {
                    self.open.push(c);
                }
            }
        }
        self.text = text;
        self.text.clear();
    }

    fn close(&mut self, each: &mut impl FnMut(&[u8])) {
        if (1..=LONGEST).contains(&self.length) {
            each(self.open.as_bytes());
        }
        self.open.clear();
        self.length = 0;
    }
}

/// Property White_Space of Unicode 14.0: a runtime's own may change.
fn is_white_space(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{D}'
            | ' '
            | '\u{85}'
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
    )
}
