//! SPEC section 6: runs of classes become tokens.
//!
//! The classes beside the text are read 64 at a time as bit masks; a run is what lies between two changes of the masks.
//! Where words begin and end is written down for a block at once, without a branch for each. Streaming: what belongs to
//! a run that is not over stays in the text, except for words that are too long or have endless connectors, of which
//! [`Long`] keeps what matters.

use std::ops::Range;

use crate::classed_text::ClassedText;
use crate::kernel::batch_hash::Hashes;
use crate::kernel::runs::Runs;
use crate::kernel::{BLOCK, Kernel, Level, Masks, Work};
use crate::unicode::class::{CONNECTOR, LETTER, MARK, PAIR};

/// Code points of a word, at most [6.6].
const LONGEST_WORD: usize = 128;

// A word that fills no block is never too long: it is of two blocks at most.
const _: () = assert!(2 * BLOCK <= LONGEST_WORD);

/// A word of more bytes than this that is not over leaves the text for [`Long`]: more than [`LONGEST_WORD`] code
/// points of four bytes and as many connectors.
const LONGEST_HELD: usize = 1200;

/// Takes the tokens in order.
pub(crate) trait TokenSink {
    /// Takes the tokens of `runs`. `text` is what they are places of, with some bytes after it; `hashes`, where they
    /// can be hashed.
    fn tokens(&mut self, kernel: impl Kernel, text: &[u8], runs: &Runs, hashes: &mut Hashes);

    /// Takes one token that is not part of the text any more.
    fn token(&mut self, token: &[u8]);

    /// Takes the text whose first `done` bytes leave the stages. Every token given since the call before begins in
    /// these, and its place is counted from the first of them.
    fn passed(&mut self, _text: &ClassedText, _done: usize) {}
}

impl<F: FnMut(&[u8])> TokenSink for F {
    #[inline(always)]
    fn tokens(&mut self, _: impl Kernel, text: &[u8], runs: &Runs, _: &mut Hashes) {
        let text = runs.text(text);
        runs.tokens().for_each(|token| self(&text[token]));
    }

    fn token(&mut self, token: &[u8]) {
        self(token);
    }
}

#[derive(Default)]
pub(crate) struct Words {
    /// Where reading continues.
    position: usize,
    run: Run,
    long: Long,
    runs: Box<Runs>,
    hashes: Box<Hashes>,
}

/// The run that is not over at `position`.
#[derive(Default, Clone, Copy)]
enum Run {
    #[default]
    Nothing,
    /// A word, from `start` on, or from before where `Long` says so.
    Word { start: usize },
    /// A pair run whose last code point begins at `last`; `paired`: it was the second of a pair.
    Pairs { last: usize, paired: bool },
}

/// The word that is open at the start of a block, if one is: each is 0 or 1.
#[derive(Default, Clone, Copy)]
struct OpenWord {
    word: u64,
    /// Whether it holds a letter.
    letter: u64,
    /// Whether its last byte is a connector's.
    connector: u64,
}

/// What is known of the part of a word that has left the text.
#[derive(Default)]
enum Long {
    /// Nothing has left.
    #[default]
    Whole,
    /// Connectors only: they will be trimmed.
    Connectors,
    /// A word followed by more connectors than a word can have code points: it is over, or too long.
    Finished(Vec<u8>),
    /// More than [`LONGEST_WORD`] code points.
    Over,
}

impl Words {
    /// Reads `text` up to `limit` and gives its tokens to `sink`; `ends`: nothing follows. Returns the offset before
    /// which the text is no longer needed.
    pub(crate) fn advance(
        &mut self,
        level: Level,
        text: &ClassedText,
        limit: usize,
        ends: bool,
        sink: &mut impl TokenSink,
    ) -> usize {
        level.run(ReadWork { words: self, text, limit, ends, sink });
        if let Run::Word { start } = self.run
            && limit - start > LONGEST_HELD
        {
            self.shorten(text, start, limit);
        }
        match self.run {
            Run::Nothing => limit,
            Run::Word { start } => start,
            Run::Pairs { last, .. } => last,
        }
    }

    /// Begins another text.
    pub(crate) fn reset(&mut self) {
        self.position = 0;
        self.run = Run::Nothing;
        self.long = Long::Whole;
    }

    /// The first `bytes` bytes of the text were removed.
    pub(crate) fn removed(&mut self, bytes: usize) {
        self.position -= bytes;
        match &mut self.run {
            Run::Nothing => {}
            Run::Word { start: at } | Run::Pairs { last: at, .. } => *at -= bytes,
        }
    }

    #[inline(always)]
    fn read(
        &mut self,
        kernel: impl Kernel,
        text: &ClassedText,
        limit: usize,
        ends: bool,
        sink: &mut impl TokenSink,
    ) {
        self.runs.begin(self.position);
        loop {
            while self.position < limit && !self.runs.are_full(self.position) {
                self.read_words(kernel, text, limit);
                if self.position < limit && !self.runs.are_full(self.position) {
                    self.read_block(kernel, text, limit, sink);
                }
            }
            let done = self.position == limit;
            if done && ends {
                self.close(text, limit, sink);
            }
            sink.tokens(kernel, text.storage(), &self.runs, &mut self.hashes);
            self.runs.clear(self.position);
            if done {
                return;
            }
        }
    }

    /// Blocks of words that are neither long nor to be trimmed, as most are.
    #[inline(always)]
    fn read_words(&mut self, kernel: impl Kernel, text: &ClassedText, limit: usize) {
        let Some(mut open) = self.open_word(text) else { return };
        while self.position < limit && !self.runs.are_full(self.position) {
            let (block, length) = text.block(self.position, limit);
            let Masks { word, letter, connector, pair } = kernel.masks(&block);
            let before = word << 1 | open.word;
            let starts = word & !before;
            // Bit `length` is not a byte: a word may be open after it.
            let ends = !word & before & (u64::MAX >> (64 - length));
            let trims = connector & starts | (connector << 1 | open.connector) & ends;
            if pair != 0 || word == u64::MAX || trims != 0 {
                break;
            }
            // Adding a letter to its word carries to the word's end, wherever in it the letter stands, and no farther.
            let (sum, carries) = word.overflowing_add(letter);
            // This carries no farther than to the end of the first word, which does not fill the block.
            let sum = sum.wrapping_add(open.letter);
            self.runs.add(kernel, self.position, [starts, ends, sum & !word]);
            let last = length - 1;
            open = OpenWord {
                word: word >> last & 1,
                letter: u64::from(carries),
                connector: connector >> last & 1,
            };
            self.position += length;
        }
        self.run = match open.word {
            0 => Run::Nothing,
            _ => Run::Word { start: self.runs.take_open() },
        };
    }

    /// What [`read_words`](Self::read_words) has to know of the word that is open; `None` if it must not continue
    /// with it.
    fn open_word(&mut self, text: &ClassedText) -> Option<OpenWord> {
        match (self.run, &self.long) {
            (Run::Nothing, _) => Some(OpenWord::default()),
            (Run::Word { start }, Long::Whole) if self.position - start <= BLOCK => {
                let classes = &text.classes()[start..self.position];
                let connects =
                    |class: Option<&u8>| class.is_some_and(|class| class & CONNECTOR != 0);
                if connects(classes.first()) {
                    return None;
                }
                self.runs.open(start);
                Some(OpenWord {
                    word: 1,
                    letter: u64::from(classes.iter().any(|class| class & LETTER != 0)),
                    connector: u64::from(connects(classes.last())),
                })
            }
            _ => None,
        }
    }

    /// Any block.
    #[inline(always)]
    fn read_block(
        &mut self,
        kernel: impl Kernel,
        text: &ClassedText,
        limit: usize,
        sink: &mut impl TokenSink,
    ) {
        let from = self.position;
        let (block, length) = text.block(from, limit);
        let Masks { word, pair, .. } = kernel.masks(&block);
        let word_before = (word << 1) | u64::from(matches!(self.run, Run::Word { .. }));
        let pair_before = (pair << 1) | u64::from(matches!(self.run, Run::Pairs { .. }));
        // Where a run is over, where one begins: both at once where a word meets a pair run.
        let mut changes =
            ((word ^ word_before) | (pair ^ pair_before)) & (u64::MAX >> (64 - length));
        while changes != 0 {
            let offset = changes.trailing_zeros();
            changes &= changes - 1;
            let at = from + offset as usize;
            self.close(text, at, sink);
            if word >> offset & 1 != 0 {
                self.run = Run::Word { start: at };
            } else if pair >> offset & 1 != 0 {
                self.run = Run::Pairs { last: at, paired: false };
            }
        }
        self.position = from + length;
        // Not sooner than the lists of runs have to: most pair runs are over within two blocks.
        if let Run::Pairs { last, paired } = self.run
            && self.position - last > BLOCK
        {
            self.run = pairs(text, last, self.position, paired, &mut self.runs);
        }
    }

    /// The run is over at `end`.
    #[inline(always)]
    fn close(&mut self, text: &ClassedText, end: usize, sink: &mut impl TokenSink) {
        match std::mem::take(&mut self.run) {
            Run::Nothing => {}
            Run::Word { start } => self.close_word(text, start..end, sink),
            Run::Pairs { last, paired } => {
                if let Run::Pairs { last, paired: false } =
                    pairs(text, last, end, paired, &mut self.runs)
                {
                    // A run of one code point, which is a letter: a mark cannot begin a pair run.
                    self.runs.push(last..end);
                }
            }
        }
    }

    fn close_word(&mut self, text: &ClassedText, word: Range<usize>, sink: &mut impl TokenSink) {
        match std::mem::take(&mut self.long) {
            Long::Whole | Long::Connectors => {
                let token = trim(text.classes(), word);
                if token_length_and_letters(text, token.clone()) {
                    self.runs.push(token);
                }
            }
            Long::Finished(core) => {
                if trim(text.classes(), word).is_empty() {
                    // It was open when the text was read last, so no run stands before it.
                    debug_assert_eq!(self.runs.len(), 0);
                    sink.token(&core);
                }
            }
            Long::Over => {}
        }
    }

    /// Lets the word that has begun at `start` leave the text.
    fn shorten(&mut self, text: &ClassedText, start: usize, limit: usize) {
        let core = trim(text.classes(), start..limit);
        self.long = match std::mem::take(&mut self.long) {
            Long::Finished(finished) if core.is_empty() => Long::Finished(finished),
            Long::Finished(_) | Long::Over => Long::Over,
            Long::Whole | Long::Connectors if core.is_empty() => Long::Connectors,
            Long::Whole | Long::Connectors
                if code_points(&text.text()[core.clone()]) > LONGEST_WORD =>
            {
                Long::Over
            }
            Long::Whole | Long::Connectors if limit - core.start <= LONGEST_HELD => {
                // Connectors in front made it long.
                self.run = Run::Word { start: core.start };
                self.long = Long::Connectors;
                return;
            }
            Long::Whole | Long::Connectors if has_letter(text.classes(), core.clone()) => {
                Long::Finished(text.text()[core].to_vec())
            }
            Long::Whole | Long::Connectors => Long::Over,
        };
        self.run = Run::Word { start: limit };
    }
}

/// Work of [`Words::read`] for a kernel.
struct ReadWork<'a, S> {
    words: &'a mut Words,
    text: &'a ClassedText,
    limit: usize,
    ends: bool,
    sink: &'a mut S,
}

impl<S: TokenSink> Work for ReadWork<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        self.words.read(kernel, self.text, self.limit, self.ends, self.sink);
    }
}

/// Adds the pairs of the pair run's part from `last` to `end`, and returns the run's new last code point.
#[inline(always)]
fn pairs(
    text: &ClassedText,
    mut last: usize,
    end: usize,
    mut paired: bool,
    runs: &mut Runs,
) -> Run {
    let classes = text.classes();
    let mut next = last + width(text.text()[last]);
    while next < end {
        let behind = next + width(text.text()[next]);
        if classes[last] & classes[next] & MARK == 0 {
            runs.push(last..behind);
        }
        paired = true;
        last = next;
        next = behind;
    }
    Run::Pairs { last, paired }
}

/// The bytes of a code point, by its first.
#[inline]
fn width(first: u8) -> usize {
    match first {
        0..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}

fn code_points(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// [6.5]
fn trim(classes: &[u8], word: Range<usize>) -> Range<usize> {
    let is_connector = |class: &&u8| **class & CONNECTOR != 0;
    let trailing = classes[word.clone()].iter().rev().take_while(is_connector).count();
    let end = word.end - trailing;
    let leading = classes[word.start..end].iter().take_while(is_connector).count();
    word.start + leading..end
}

fn has_letter(classes: &[u8], word: Range<usize>) -> bool {
    classes[word].iter().any(|class| class & (LETTER | PAIR) != 0)
}

/// [6.6] and [6.7]
fn token_length_and_letters(text: &ClassedText, word: Range<usize>) -> bool {
    has_letter(text.classes(), word.clone())
        && (word.len() <= LONGEST_WORD || code_points(&text.text()[word]) <= LONGEST_WORD)
}
