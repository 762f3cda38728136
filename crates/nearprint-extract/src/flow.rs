//! The text being built: words run together inline, blocks stand on lines of their own.
//!
//! Every extractor of marked-up documents writes here, so that white space means the same in all of them.
//! What comes in is copied in the longest possible pieces.

/// What stands between the text so far and the text to come, weakest first; the strongest wanted wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    /// Blanks that may vanish between two letters of a script without spaces.
    Wrap,
    Space,
    Tab,
    /// The end of a line of a scanned page. Between two letters of a script without spaces it separates nothing.
    ScannedLine,
    Line,
}

/// A text under construction.
#[derive(Debug)]
pub(crate) struct Flow {
    out: String,
    gap: Gap,
    /// Blanks at the start of a preformatted line that has no text yet.
    indentation: String,
}

impl Flow {
    pub(crate) fn new() -> Self {
        Self { out: String::new(), gap: Gap::None, indentation: String::new() }
    }

    /// Bytes of text so far.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// Forgets everything after the first `length` bytes (a value of [`Self::len`] from before).
    pub(crate) fn truncate(&mut self, length: usize) {
        self.out.truncate(length);
        self.line();
    }

    /// Takes away everything after the first `length` bytes (a value of [`Self::len`] from before).
    pub(crate) fn cut(&mut self, length: usize) -> String {
        let text = self.out.split_off(length);
        if !text.is_empty() {
            self.gap = self.gap.max(Gap::Space);
        }
        text
    }

    /// Takes away everything after the first `length` bytes (a value of [`Self::len`] from before), as if it had never
    /// been there: what follows is only as far apart from the text before as what was taken away.
    pub(crate) fn lift(&mut self, length: usize) -> String {
        let length = self.out.floor_char_boundary(length);
        let text = self.out.split_off(length);
        self.gap = self.gap.max(match text.as_bytes().first() {
            Some(b'\n') => Gap::Line,
            Some(b'\t') => Gap::Tab,
            Some(b' ') => Gap::Space,
            _ => Gap::None,
        });
        text
    }

    /// The text since it was `length` bytes long.
    pub(crate) fn since(&self, length: usize) -> &str {
        self.out.get(length..).unwrap_or("")
    }

    /// The length of the text, if what follows continues its last word, which ends with such a character.
    pub(crate) fn end_of_word(&self, is_end: fn(char) -> bool) -> Option<usize> {
        let continues = self.gap == Gap::None && self.indentation.is_empty();
        (continues && self.out.ends_with(is_end)).then_some(self.out.len())
    }

    /// Writes `text` in place of everything after the first `length` bytes (a value of [`Self::len`] from before).
    /// What follows is as far apart from it as from what was there.
    pub(crate) fn replace_since(&mut self, length: usize, text: &str) {
        self.out.truncate(length);
        self.out.push_str(text);
    }

    /// The finished text, ending in a newline unless empty.
    pub(crate) fn finish(mut self) -> String {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out
    }

    /// What follows begins a line.
    pub(crate) fn line(&mut self) {
        self.gap = Gap::Line;
        self.indentation.clear();
    }

    /// What follows begins a line of the page that a text was recognised on.
    pub(crate) fn scanned_line(&mut self) {
        self.gap = self.gap.max(Gap::ScannedLine);
    }

    /// What follows is another word.
    pub(crate) fn space(&mut self) {
        self.gap = self.gap.max(Gap::Space);
    }

    /// What follows is another cell of the line.
    pub(crate) fn cell(&mut self) {
        self.gap = self.gap.max(Gap::Tab);
    }

    /// Appends text in which white space of any length is one blank.
    pub(crate) fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            let start = at;
            let mut wrapped = false;
            while let Some(b) = bytes.get(at)
                && is_blank(*b)
            {
                wrapped |= *b == b'\n';
                at += 1;
            }
            if at > start {
                self.gap = self.gap.max(if wrapped { Gap::Wrap } else { Gap::Space });
            }
            if at == bytes.len() {
                return;
            }
            let start = at;
            at = end_of_run(bytes, at);
            self.piece(&text[start..at]);
        }
    }

    /// Appends text whose line breaks and indentation count, as in `pre`; other runs of blanks are one.
    pub(crate) fn preformatted(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.line();
            }
            self.indent(line);
            self.text(line);
        }
    }

    /// Keeps the blanks that this text begins with, where it begins a line.
    pub(crate) fn indent(&mut self, text: &str) {
        if self.gap == Gap::Line || self.out.is_empty() {
            let blanks = text.chars().take_while(|c| matches!(c, ' ' | '\t'));
            self.indentation.extend(blanks);
        }
    }

    /// Appends one character that is not white space.
    pub(crate) fn character(&mut self, c: char) {
        self.text(c.encode_utf8(&mut [0; 4]));
    }

    fn piece(&mut self, piece: &str) {
        if self.gap != Gap::None {
            if !self.out.is_empty() {
                match self.gap {
                    Gap::None => {}
                    Gap::Wrap => {
                        if !joins_lines(&self.out, piece) {
                            self.out.push(' ');
                        }
                    }
                    Gap::Space => self.out.push(' '),
                    Gap::Tab => self.out.push('\t'),
                    Gap::ScannedLine if joins_lines(&self.out, piece) => {}
                    Gap::ScannedLine | Gap::Line => self.out.push('\n'),
                }
            }
            self.gap = Gap::None;
        }
        if !self.indentation.is_empty() {
            self.out.push_str(&self.indentation);
            self.indentation.clear();
        }
        self.make_room(piece.len());
        self.out.push_str(piece);
    }

    /// Makes room for a piece in a long text: an eighth more, where a string would take twice as much.
    fn make_room(&mut self, more: usize) {
        const LONG: usize = 16 << 20;
        if self.out.len() >= LONG && self.out.capacity() - self.out.len() < more {
            self.out.reserve_exact(more.max(self.out.len() / 8));
        }
    }
}

/// Bytes of a run that are examined together: as many as a vector register of every machine has.
const STEP: usize = 16;

/// The white space of HTML and XML; U+00A0 and its kin are text.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// Where a run ends that can be copied as it is: words with single blanks between them.
fn end_of_run(bytes: &[u8], mut at: usize) -> usize {
    // A step at a time while no two neighbours in it may be blanks: most of a text.
    while let Some(step) = bytes.get(at..=at + STEP) {
        let (here, next) = (&step[..STEP], &step[1..]);
        let pairs = here.iter().zip(next);
        if pairs.fold(false, |any, (b, next)| any | (*b < b' ') | ((*b == b' ') & (*next <= b' ')))
        {
            break;
        }
        at += STEP;
    }
    while let Some(b) = bytes.get(at) {
        if *b <= b' '
            && is_blank(*b)
            && (*b != b' ' || bytes.get(at + 1).is_none_or(|next| is_blank(*next)))
        {
            break;
        }
        at += 1;
    }
    at
}

/// Whether a line break between the two texts is none: between letters of Chinese and Japanese, whose
/// lines are broken anywhere (CSS Text, segment break transformation).
pub(crate) fn joins_lines(before: &str, after: &str) -> bool {
    // All of these letters have three or four bytes; the common case is decided by one.
    before.as_bytes().last().is_some_and(|b| *b >= 0x80)
        && before.chars().next_back().is_some_and(is_unspaced)
        && after.chars().next().is_some_and(is_unspaced)
}

/// Han, kana, Bopomofo, Yi and the punctuation set in their full width.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x2E80..=0x312F | 0x3190..=0x4DBF | 0x4E00..=0xA4CF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F
        | 0xFF01..=0xFFDC | 0x1B000..=0x1B16F | 0x20000..=0x3FFFF)
        && !matches!(u32::from(c), 0x3130..=0x318F | 0xFFA0..=0xFFDC)
}

/// Whether a character takes two columns on a terminal.
pub(crate) fn is_wide(c: char) -> bool {
    is_unspaced(c) || matches!(u32::from(c), 0x1100..=0x115F | 0x3130..=0x318F | 0xAC00..=0xD7A3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_the_strongest_asked_for() {
        let mut flow = Flow::new();
        flow.line();
        flow.text("  one \n\t two");
        flow.text("three ");
        flow.cell();
        flow.text(" four");
        flow.line();
        flow.text(" ");
        flow.line();
        flow.text("five  ");
        assert_eq!(flow.finish(), "one twothree\tfour\nfive\n");
    }

    #[test]
    fn wrapped_chinese_and_japanese_lines_join_and_korean_ones_do_not() {
        for (text, expected) in [
            ("日本\n  語", "日本語\n"),
            ("日本。\n次", "日本。次\n"),
            ("日本 語", "日本 語\n"),
            ("한국\n어", "한국 어\n"),
            ("漢\nkan", "漢 kan\n"),
        ] {
            let mut flow = Flow::new();
            flow.text(text);
            assert_eq!(flow.finish(), expected);
        }
    }

    /// However long the runs between blanks are, and wherever blanks fall in the steps that are examined together.
    #[test]
    fn blanks_of_any_length_at_any_place_are_one() {
        for blanks in [" ", "  ", "\t", " \u{0} ", "\u{1} \u{A0}", "\r\n", " \x0c"] {
            for length in 0..40 {
                let text = format!("{}{blanks}{}é{blanks}z", "a".repeat(length), "b ".repeat(20));
                let mut flow = Flow::new();
                flow.text(&text);
                let words = text.split([' ', '\t', '\r', '\n', '\x0c']).filter(|w| !w.is_empty());
                assert_eq!(flow.finish(), words.collect::<Vec<_>>().join(" ") + "\n", "{text:?}");
            }
        }
    }

    #[test]
    fn preformatted_lines_stay() {
        let mut flow = Flow::new();
        flow.preformatted("  a  b\n\n  ");
        flow.preformatted("\tc \r\n");
        flow.text(" d");
        assert_eq!(flow.finish(), "  a b\n  \tc\nd\n");
        let mut flow = Flow::new();
        flow.preformatted("a\n    ");
        flow.line();
        flow.text("b");
        assert_eq!(flow.finish(), "a\nb\n");
    }
}
