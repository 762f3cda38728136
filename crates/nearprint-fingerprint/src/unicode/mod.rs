//! What the stages know of Unicode 14.0.0, and the only place that knows it: lookups in the tables that
//! `unicode/generate.py` derives from the standard's.
//!
//! The tables are of two stages: a block number for each range of code points, and the distinct blocks. Nothing is
//! taken from the standard library's Unicode data, which changes with every release.

// As the generator writes it: `--check` compares bytes.
#[rustfmt::skip]
mod tables;
#[cfg(test)]
mod tests;

use tables::{
    CCC_SHIFT, CLASSES, CLASSES_BLOCKS, CLASSES_SHIFT, COMBINING, COMBINING_BLOCKS,
    COMBINING_SHIFT, COMPOSITES, COMPOSITION_KEYS, DECOMPOSED, DECOMPOSITIONS,
    DECOMPOSITIONS_BLOCKS, DECOMPOSITIONS_SHIFT, DELTA_SHIFT, FAR, FOLDED, FOLDINGS,
    FOLDINGS_BLOCKS, FOLDINGS_SHIFT, MAYBE, NON_STARTER, PROPERTIES, PROPERTIES_BLOCKS,
    PROPERTIES_DIRECT, PROPERTIES_SHIFT, QUICK, UNASSIGNED,
};

/// The class bits of SPEC [6.1] as the stages keep them beside every byte of normalised text.
///
/// `WORD` is set beside `LETTER`, `DIGIT`, `CONNECTOR` and a `MARK` that is not part of a pair run; `PAIR` is set for
/// pair letters, and beside `MARK` for a mark in a pair run. 0 separates. `TRIGGER` separates too: it
/// is set for the three ASCII code points at which a match of SPEC section 5 can be recognised.
pub(crate) mod class {
    pub(crate) use super::tables::{CONNECTOR, DIGIT, LETTER, MARK, PAIR, TRIGGER, WORD};

    /// Text that is cut (SPEC section 5). It separates, as text without a class does, and no sign in it counts.
    pub(crate) const CUT: u8 = 128;

    /// Beside `DIGIT`: a digit that does not continue the number before it, as an exponent does not.
    pub(crate) const APART: u8 = CUT;

    const _: () = assert!(CONNECTOR | DIGIT | LETTER | MARK | PAIR | TRIGGER | WORD == CUT - 1);
}

/// The class of a lower-case ASCII byte, written without branches and tables so that it becomes vector code.
#[inline(always)]
pub(crate) const fn ascii_class(byte: u8) -> u8 {
    const fn when(condition: bool, class: u8) -> u8 {
        (condition as u8).wrapping_neg() & class
    }
    when(byte.wrapping_sub(b'a') < 26, class::WORD | class::LETTER)
        | when(byte.wrapping_sub(b'0') < 10, class::WORD | class::DIGIT)
        | when(byte == b'_', class::WORD | class::CONNECTOR)
        | when((byte == b'.') | (byte == b':') | (byte == b'@'), class::TRIGGER)
}

macro_rules! staged {
    ($table:ident, $blocks:ident, $shift:ident, $code_point:expr) => {{
        let code_point: u32 = $code_point;
        let block = usize::from($blocks[(code_point >> $shift) as usize]);
        $table[(block << $shift) | (code_point & ((1 << $shift) - 1)) as usize]
    }};
}

/// The properties word of a code point: what the fast path of normalisation needs, in one lookup.
#[derive(Clone, Copy)]
pub(crate) struct Properties(u32);

impl Properties {
    #[inline]
    pub(crate) fn of(c: char) -> Self {
        // The generator makes the first blocks the first of the table.
        if (c as u32) < PROPERTIES_DIRECT {
            return Self(PROPERTIES[c as usize]);
        }
        Self(staged!(PROPERTIES, PROPERTIES_BLOCKS, PROPERTIES_SHIFT, c as u32))
    }

    /// Alone, it becomes [`target`](Self::target), one code point, which neither moves nor (unless
    /// [`may_compose`](Self::may_compose)) joins what precedes it, and which ends in the same combining class.
    #[inline]
    pub(crate) fn is_quick(self) -> bool {
        self.0 & QUICK != 0
    }

    /// It is quick whatever precedes it: a starter that composes with nothing before it. Normalisation starts again.
    #[inline]
    pub(crate) fn begins_anew(self) -> bool {
        self.0 & (QUICK | MAYBE | NON_STARTER) == QUICK
    }

    /// Its combining class is not 0. Said of quick code points only.
    #[inline]
    pub(crate) fn is_non_starter(self) -> bool {
        self.0 & NON_STARTER != 0
    }

    /// It can be the second of a pair that composes. Said of quick code points only.
    #[inline]
    pub(crate) fn may_compose(self) -> bool {
        self.0 & MAYBE != 0
    }

    /// It is outside `assigned.txt`.
    #[inline]
    pub(crate) fn is_unassigned(self) -> bool {
        self.0 & UNASSIGNED != 0
    }

    /// The combining class of the last code point of its decomposition. Said of quick code points only.
    #[inline]
    pub(crate) fn trailing_class(self) -> u8 {
        (self.0 >> CCC_SHIFT) as u8
    }

    /// The class bits of [`target`](Self::target). Said of quick code points only.
    #[inline]
    pub(crate) fn target_class(self) -> u8 {
        (self.0 & !NON_STARTER) as u8
    }

    /// Whether [`target`](Self::target) is the code point itself.
    #[inline]
    pub(crate) fn is_unchanged(self) -> bool {
        self.0 >> DELTA_SHIFT == 0
    }

    /// What the quick code point `c`, of these properties, is normalised to when it stands alone.
    #[inline]
    pub(crate) fn target(self, c: char) -> char {
        let delta = (self.0 as i32) >> DELTA_SHIFT;
        if delta == FAR {
            return folding(c).and_then(|mut mapping| mapping.next()).unwrap_or(c);
        }
        // The generator made the sum a code point of the text; `c` itself is never the answer.
        char::from_u32((c as u32).wrapping_add_signed(delta)).unwrap_or(c)
    }
}

/// The class bits of the code point itself.
#[inline]
pub(crate) fn class_of(c: char) -> u8 {
    staged!(CLASSES, CLASSES_BLOCKS, CLASSES_SHIFT, c as u32)
}

/// The canonical combining class; 0 for starters.
#[inline]
pub(crate) fn combining_class(c: char) -> u8 {
    staged!(COMBINING, COMBINING_BLOCKS, COMBINING_SHIFT, c as u32)
}

/// The mapping of `fold.txt`, empty if the code point is deleted; `None` if it has no entry.
#[inline]
pub(crate) fn folding(c: char) -> Option<impl Iterator<Item = char>> {
    sequence(&FOLDED, staged!(FOLDINGS, FOLDINGS_BLOCKS, FOLDINGS_SHIFT, c as u32))
}

/// Calls `each` with the code points of the full canonical decomposition; with `c` itself where it has none.
#[inline]
pub(crate) fn decompose(c: char, mut each: impl FnMut(char)) {
    if let Some(syllable) = hangul::index(c) {
        return hangul::decompose(syllable, each);
    }
    let offset = staged!(DECOMPOSITIONS, DECOMPOSITIONS_BLOCKS, DECOMPOSITIONS_SHIFT, c as u32);
    match sequence(&DECOMPOSED, offset) {
        Some(parts) => parts.for_each(each),
        None => each(c),
    }
}

/// The primary composite of two code points.
#[inline]
pub(crate) fn compose(first: char, second: char) -> Option<char> {
    if let Some(syllable) = hangul::compose(first, second) {
        return Some(syllable);
    }
    let key = (u64::from(second as u32) << 32) | u64::from(first as u32);
    let at = COMPOSITION_KEYS.binary_search(&key).ok()?;
    char::from_u32(COMPOSITES[at])
}

/// A sequence of a pool, led by its length.
#[inline]
fn sequence(pool: &'static [u32], offset: u16) -> Option<impl Iterator<Item = char>> {
    let offset = usize::from(offset);
    // Offset 0 is not a sequence: the pool's first number is a filler.
    let length = if offset == 0 { return None } else { pool[offset] as usize };
    Some(pool[offset + 1..=offset + length].iter().copied().filter_map(char::from_u32))
}

/// Hangul syllables by arithmetic (the Unicode Standard, section 3.12).
mod hangul {
    const S: u32 = 0xAC00;
    const L: u32 = 0x1100;
    const V: u32 = 0x1161;
    const T: u32 = 0x11A7;
    const LS: u32 = 19;
    const VS: u32 = 21;
    const TS: u32 = 28;

    /// The syllable's number, from 0.
    #[inline]
    pub(super) fn index(c: char) -> Option<u32> {
        let number = (c as u32).wrapping_sub(S);
        (number < LS * VS * TS).then_some(number)
    }

    pub(super) fn decompose(number: u32, mut each: impl FnMut(char)) {
        let parts = [L + number / (VS * TS), V + number % (VS * TS) / TS, T + number % TS];
        let length = if number.is_multiple_of(TS) { 2 } else { 3 };
        parts[..length].iter().copied().filter_map(char::from_u32).for_each(&mut each);
    }

    #[inline]
    pub(super) fn compose(first: char, second: char) -> Option<char> {
        let (l, v) = ((first as u32).wrapping_sub(L), (second as u32).wrapping_sub(V));
        if l < LS && v < VS {
            return char::from_u32(S + (l * VS + v) * TS);
        }
        let t = (second as u32).wrapping_sub(T);
        match index(first) {
            Some(lv) if lv.is_multiple_of(TS) && (1..TS).contains(&t) => char::from_u32(S + lv + t),
            _ => None,
        }
    }
}
