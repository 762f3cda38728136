//! SPEC section 6: runs of classes become tokens.
//!
//! The classes beside the text are read 64 at a time as bit masks; a run is what lies between two changes of the
//! masks. Streaming: what belongs to a run that is not over stays in the text, except for words that are too long or
//! have endless connectors, of which [`Long`] keeps what matters.

use std::ops::Range;

use crate::classed_text::ClassedText;
use crate::kernel::{BLOCK, Kernel, Level, Masks, Work};
use crate::unicode::class::{CONNECTOR, LETTER, MARK, PAIR};

/// Code points of a word, at most [6.6].
const LONGEST_WORD: usize = 128;

// A word within one block is never too long.
const _: () = assert!(BLOCK <= LONGEST_WORD);

/// A word of more octets than this that is not over leaves the text for [`Long`]: more than [`LONGEST_WORD`] code
/// points of four octets and as many connectors.
const LONGEST_HELD: usize = 1200;

/// Takes the tokens in order.
pub(crate) trait TokenSink {
    /// `text[token]` are the octets of one token.
    fn token(&mut self, text: &[u8], token: Range<usize>);
}

impl<F: FnMut(&[u8])> TokenSink for F {
    fn token(&mut self, text: &[u8], token: Range<usize>) {
        self(&text[token]);
    }
}

#[derive(Default)]
pub(crate) struct Words {
    /// Where reading goes on.
    position: usize,
    run: Run,
    long: Long,
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
        level.run(Read { words: self, text, limit, sink });
        if ends {
            self.close(text, limit, sink);
        }
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

    /// The first `octets` octets of the text were removed.
    pub(crate) fn removed(&mut self, octets: usize) {
        self.position -= octets;
        match &mut self.run {
            Run::Nothing => {}
            Run::Word { start: at } | Run::Pairs { last: at, .. } => *at -= octets,
        }
    }

    #[inline(always)]
    fn read(
        &mut self,
        kernel: impl Kernel,
        text: &ClassedText,
        limit: usize,
        sink: &mut impl TokenSink,
    ) {
        while self.position < limit {
            let from = self.position;
            let block = &text.classes()[from..limit.min(from + BLOCK)];
            let masks = match block.as_array() {
                Some(block) => kernel.masks(block),
                None => {
                    let mut filled = [0; BLOCK];
                    filled[..block.len()].copy_from_slice(block);
                    kernel.masks(&filled)
                }
            };
            self.position = from + block.len();
            if masks.pair == 0 && !matches!(self.run, Run::Pairs { .. }) {
                self.read_words(text, from, block.len(), &masks, sink);
            } else {
                self.read_runs(text, from, block.len(), &masks, sink);
            }
        }
        if let Run::Pairs { last, paired } = self.run {
            self.run = pairs(text, last, limit, paired, sink);
        }
    }

    /// A block without pair letters, none of which are open either.
    #[inline(always)]
    fn read_words(
        &mut self,
        text: &ClassedText,
        from: usize,
        length: usize,
        masks: &Masks,
        sink: &mut impl TokenSink,
    ) {
        let Masks { word, letter, connector, .. } = *masks;
        let open = match self.run {
            Run::Word { start } => Some(start),
            _ => None,
        };
        let before = (word << 1) | u64::from(open.is_some());
        let mut starts = word & !before;
        // Bit `length` is no octet: a word may be open behind it.
        let mut ends = !word & before & (u64::MAX >> (64 - length));
        let next = |starts: &mut u64| {
            let at = starts.trailing_zeros();
            *starts &= starts.wrapping_sub(1);
            from + at as usize
        };
        let mut start = match open {
            Some(start) => start,
            None => next(&mut starts),
        };
        if open.is_some() && ends != 0 {
            // It began in a block before, whose masks are gone.
            let end = next(&mut ends);
            self.close_word(text, start..end, sink);
            start = next(&mut starts);
        }
        if word == letter {
            while ends != 0 {
                let end = next(&mut ends);
                sink.token(text.text(), start..end);
                start = next(&mut starts);
            }
        } else {
            while ends != 0 {
                let end = next(&mut ends);
                // The word's bits: it is not empty and shorter than the block.
                let bits = (u64::MAX >> (64 - (end - start))) << (start - from);
                if connector & bits != 0 {
                    self.close_word(text, start..end, sink);
                } else if letter & bits != 0 {
                    sink.token(text.text(), start..end);
                }
                start = next(&mut starts);
            }
        }
        self.run = if word >> (length - 1) & 1 != 0 { Run::Word { start } } else { Run::Nothing };
    }

    /// Any block.
    #[inline(always)]
    fn read_runs(
        &mut self,
        text: &ClassedText,
        from: usize,
        length: usize,
        masks: &Masks,
        sink: &mut impl TokenSink,
    ) {
        let (word, pair) = (masks.word, masks.pair);
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
    }

    /// The run is over at `end`.
    #[inline(always)]
    fn close(&mut self, text: &ClassedText, end: usize, sink: &mut impl TokenSink) {
        match std::mem::take(&mut self.run) {
            Run::Nothing => {}
            Run::Word { start } => self.close_word(text, start..end, sink),
            Run::Pairs { last, paired } => {
                if let Run::Pairs { last, paired: false } = pairs(text, last, end, paired, sink) {
                    // A run of one code point, which is a letter: a mark cannot begin a pair run.
                    sink.token(text.text(), last..end);
                }
            }
        }
    }

    fn close_word(&mut self, text: &ClassedText, word: Range<usize>, sink: &mut impl TokenSink) {
        match std::mem::take(&mut self.long) {
            Long::Whole | Long::Connectors => {
                let token = trim(text.classes(), word);
                if token_length_and_letters(text, token.clone()) {
                    sink.token(text.text(), token);
                }
            }
            Long::Finished(core) => {
                if trim(text.classes(), word).is_empty() {
                    sink.token(&core, 0..core.len());
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

/// [`Words::read`] for a kernel.
struct Read<'a, S> {
    words: &'a mut Words,
    text: &'a ClassedText,
    limit: usize,
    sink: &'a mut S,
}

impl<S: TokenSink> Work for Read<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        self.words.read(kernel, self.text, self.limit, self.sink);
    }
}

/// Gives the pairs of the pair run's part from `last` to `end` to `sink`, and returns the run's new last code point.
#[inline(always)]
fn pairs(
    text: &ClassedText,
    mut last: usize,
    end: usize,
    mut paired: bool,
    sink: &mut impl TokenSink,
) -> Run {
    let classes = text.classes();
    let mut next = last + width(text.text()[last]);
    while next < end {
        let behind = next + width(text.text()[next]);
        if classes[last] & classes[next] & MARK == 0 {
            sink.token(text.text(), last..behind);
        }
        paired = true;
        last = next;
        next = behind;
    }
    Run::Pairs { last, paired }
}

/// The octets of a code point, by its first.
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
    text.iter().filter(|&&octet| octet & 0xC0 != 0x80).count()
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
