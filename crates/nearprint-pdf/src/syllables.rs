//! Syllables of Indic scripts: from the order in which their parts stand to the order in which they are written.
//!
//! Some vowel signs stand to the left of the consonants they follow, and the r that begins a syllable of Devanagari and
//! its like stands above its end. Typesetters that draw glyph by glyph, as XeTeX and LuaTeX do, leave them in that
//! order, and fonts then say what each is, not what it belongs to. Glyphs that are given their text by the syllable are
//! in order already.
//!
//! Sources: the Unicode Standard, chapters 12, 13 and 16, on the order of vowel signs; Unicode's table
//! IndicPositionalCategory.

use std::ops::Range;

use crate::glyphs::TextPool;
use crate::visual::Cluster;

/// Marks no wider than this many ems stand over what is before them.
const MARK_WIDTH: f32 = 0.05;

/// Parts of a syllable that are examined, more than any has: hostile lines cost no more than their length.
const LONGEST: usize = 16;

/// Whether lines with this character may have syllables out of order.
pub(crate) fn may_be_out_of_order(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Puts the parts of each syllable of a line in the order of writing. What moves takes no room where it comes to
/// stand, and leaves its own to what it passes, so that gaps between words stay what they are.
pub(crate) fn sort_to_logical(line: &mut [Cluster], pool: &TextPool) {
    // From the end: of two signs in a row, the one next to the consonant follows it first.
    for at in (0..line.len()).rev() {
        if is_left_part(&line[at], pool) && !follows_its_consonant(line, at, pool) {
            let syllable = consonants_after(line, at, pool);
            if !syllable.is_empty() {
                line[syllable.start].start = line[at].start;
                line[at].start = line[syllable.end - 1].end;
                line[at].end = line[at].start;
                line[at..syllable.end].rotate_left(1);
            }
        }
    }
    for at in 1..line.len() {
        if is_r_above(&line[at], pool) {
            let start = syllable_before(line, at, pool);
            line[at].start = line[start].start;
            line[at].end = line[at].start;
            line[start..=at].rotate_right(1);
        }
    }
}

/// Vowel signs that stand to the left of their consonant, and the r of Myanmar that begins there.
fn stands_left(c: char) -> bool {
    matches!(c,
        '\u{93f}' | '\u{94e}' | '\u{9bf}' | '\u{9c7}' | '\u{9c8}' | '\u{a3f}' | '\u{abf}' | '\u{b47}'
        | '\u{bc6}'..='\u{bc8}' | '\u{d46}'..='\u{d48}' | '\u{dd9}' | '\u{ddb}' | '\u{1031}' | '\u{103c}'
        | '\u{17c1}'..='\u{17c3}')
}

/// Whether a glyph is what stands left of the consonants it follows: a sign, alone or with the marks over it, or the
/// joined r of Malayalam and Khmer.
fn is_left_part(cluster: &Cluster, pool: &TextPool) -> bool {
    match pool.long(cluster.text) {
        Some("\u{d4d}\u{d30}" | "\u{17d2}\u{179a}") => true,
        Some(text) => text.starts_with(stands_left) && text.chars().all(is_of_vowel),
        None => cluster.text.as_char().is_some_and(stands_left),
    }
}

fn is_consonant(c: char) -> bool {
    match c as u32 {
        // The blocks of nine scripts are laid out alike, Devanagari to Malayalam.
        code @ 0x900..=0xd7f => match code % 0x80 {
            0x15..=0x39 => true,
            0x58..=0x5f => code < 0xb60,
            0x70 | 0x71 => code / 0x80 == 0x980 / 0x80,
            _ => false,
        },
        0xd9a..=0xdc6 | 0x1000..=0x1021 | 0x103f | 0x1780..=0x17a2 => true,
        _ => false,
    }
}

/// The sign that joins consonants.
fn is_virama(c: char) -> bool {
    match c as u32 {
        code @ 0x900..=0xd7f => code % 0x80 == 0x4d,
        0xdca | 0x1039 | 0x17d2 => true,
        _ => false,
    }
}

/// Signs that stand with a consonant before any vowel: nuktas, and what follows consonants in Myanmar.
fn is_of_consonant(c: char) -> bool {
    match c as u32 {
        code @ 0x900..=0xb7f => code % 0x80 == 0x3c,
        0x103b..=0x103e => true,
        _ => false,
    }
}

/// Vowel signs and what stands after them in a syllable.
fn is_of_vowel(c: char) -> bool {
    match c as u32 {
        code @ 0x900..=0xd7f => {
            matches!(code % 0x80, 0x01..=0x03 | 0x3e..=0x4c | 0x4e | 0x55..=0x57 | 0x62 | 0x63)
        }
        0x17b6..=0x17c8 => true,
        _ => false,
    }
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// First and last characters of a glyph's text; joiners aside.
fn ends(cluster: &Cluster, pool: &TextPool) -> Option<(char, char)> {
    if let Some(c) = cluster.text.as_char() {
        return Some((c, c));
    }
    let mut text = pool.long(cluster.text)?.chars().filter(|c| !is_joiner(*c));
    let first = text.next()?;
    Some((first, text.next_back().unwrap_or(first)))
}

/// Whether a sign is drawn after its consonant already, wherever it stands.
fn follows_its_consonant(line: &[Cluster], at: usize, pool: &TextPool) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &line[before]) else { return false };
    let stands_behind = line[at].start >= before.end - MARK_WIDTH * before.em
        && line[at].end - line[at].start > MARK_WIDTH * line[at].em;
    !stands_behind
        && ends(before, pool).is_some_and(|(_, last)| is_consonant(last) || is_of_consonant(last))
}

/// The consonants after a sign that stands left of them.
fn consonants_after(line: &[Cluster], at: usize, pool: &TextPool) -> Range<usize> {
    let start = at + 1;
    let mut end = start;
    let mut joined = true;
    let near = &line[..line.len().min(start + LONGEST)];
    while let Some((first, last)) = near.get(end).and_then(|cluster| ends(cluster, pool)) {
        let belongs = match joined {
            true => is_consonant(first),
            false => is_virama(first) || is_of_consonant(first),
        };
        if !belongs || is_r_above(&line[end], pool) {
            break;
        }
        joined = is_virama(last);
        end += 1;
    }
    start..end
}

fn is_r(c: char) -> bool {
    matches!(c, '\u{930}' | '\u{9b0}' | '\u{9f0}' | '\u{ab0}' | '\u{b30}')
}

/// Whether a glyph is the r above the end of the syllable that it begins.
fn is_r_above(cluster: &Cluster, pool: &TextPool) -> bool {
    let width = cluster.end - cluster.start;
    width <= MARK_WIDTH * cluster.em
        && pool.long(cluster.text).is_some_and(|text| {
            let mut text = text.chars().filter(|c| !is_joiner(*c));
            text.next().is_some_and(is_r)
                && text.next().is_some_and(is_virama)
                && text.next().is_none()
        })
}

/// Where the syllable that ends before `at` begins; `at` itself where none does.
fn syllable_before(line: &[Cluster], at: usize, pool: &TextPool) -> usize {
    let ends = |index: usize| ends(&line[index], pool);
    let (mut start, earliest) = (at, at.saturating_sub(LONGEST));
    while start > earliest && ends(start - 1).is_some_and(|(first, _)| is_of_vowel(first)) {
        start -= 1;
    }
    let mut found = at;
    while start > earliest {
        let Some((first, last)) = ends(start - 1) else { break };
        let joins = |c| is_virama(c) || is_of_consonant(c);
        // What ends in a vowel sign has it of the syllable only where it is the last of it.
        let belongs = match found == at {
            true => is_consonant(first) || joins(first),
            false => is_virama(last) || ends(start).is_some_and(|(next, _)| joins(next)),
        };
        if !belongs {
            break;
        }
        start -= 1;
        found = start;
    }
    found
}

/// Puts right what glyphs of more than one part leave in an order that no text has: vowel signs before the consonants
/// that they follow, and vowel signs in two pieces.
pub(crate) fn put_right(text: &mut String) {
    let mut chars: Vec<char> = text.chars().collect();
    for at in 0..chars.len() {
        join_form(&mut chars, at);
        r_above(&mut chars, at);
        join_vowels(&mut chars, at);
    }
    text.clear();
    text.extend(chars.into_iter().filter(|c| *c != JOINED));
}

/// What is left of the second of two characters that are one: no text has it.
const JOINED: char = '\u{ffff}';

fn at(chars: &[char], index: usize) -> char {
    chars.get(index).copied().unwrap_or(JOINED)
}

/// A consonant joined below or after another is drawn after the vowel signs of both, and is written before them. The
/// joined y of Bengali is that letter with the joining sign after it in many fonts, and y is never joined to what is
/// not y.
fn join_form(chars: &mut [char], index: usize) {
    const Y: char = '\u{9af}';
    let virama = at(chars, index);
    if !is_virama(virama) || index == 0 {
        return;
    }
    if chars[index - 1] == Y && virama == '\u{9cd}' && at(chars, index + 1) != Y {
        let before = index.checked_sub(2).map_or(JOINED, |before| chars[before]);
        if is_of_vowel(before) || is_consonant(before) || matches!(before, '\u{985}' | '\u{98f}') {
            chars.swap(index - 1, index);
            return join_form(chars, index - 1);
        }
    }
    // Malayalam writes its virama after a vowel sign, too.
    if matches!(virama, '\u{d4d}' | '\u{bcd}') || !is_consonant(at(chars, index + 1)) {
        return;
    }
    let vowels = chars[..index].iter().rev().take(LONGEST).take_while(|c| is_of_vowel(**c)).count();
    let start = index - vowels;
    if vowels > 0 && start > 0 && is_consonant(chars[start - 1]) {
        chars[start..index + 2].rotate_right(2);
    }
}

/// The r above together with a vowel sign: the r begins the syllable, the sign ends it.
fn r_above(chars: &mut [char], index: usize) {
    if index == 0
        || !is_r(chars[index - 1])
        || !is_virama(chars[index])
        || !is_of_vowel(at(chars, index + 1))
    {
        return;
    }
    if stands_left(chars[index + 1]) {
        let signs =
            chars[index + 1..].iter().take(LONGEST).take_while(|c| is_of_vowel(**c)).count();
        let (start, mut end, mut joined) = (index + 1 + signs, index + 1 + signs, true);
        while end - start < LONGEST
            && match joined {
                true => is_consonant(at(chars, end)),
                false => is_virama(at(chars, end)) || is_of_consonant(at(chars, end)),
            }
        {
            joined = is_virama(chars[end]);
            end += 1;
        }
        if end > start {
            chars[index + 1..end].rotate_left(signs);
        }
        return;
    }
    let r = index - 1;
    let mut start = r;
    while start > r.saturating_sub(LONGEST)
        && (is_of_consonant(chars[start - 1]) || is_consonant(chars[start - 1]))
    {
        start -= 1;
        if is_consonant(chars[start]) {
            if start == 0 || !is_virama(chars[start - 1]) {
                break;
            }
            start -= 1;
        }
    }
    if is_consonant(chars[start]) {
        chars[start..=index].rotate_right(2);
    }
}

/// Two pieces of one vowel sign that have no canonical composition.
fn join_vowels(chars: &mut [char], index: usize) {
    let Some(before) = index.checked_sub(1) else { return };
    let joined = match (chars[before], chars[index]) {
        ('\u{93e}', '\u{947}') => '\u{94b}',
        ('\u{93e}', '\u{948}') => '\u{94c}',
        ('\u{93e}', '\u{945}') => '\u{949}',
        ('\u{abe}', '\u{ac7}') => '\u{acb}',
        ('\u{abe}', '\u{ac8}') => '\u{acc}',
        ('\u{abe}', '\u{ac5}') => '\u{ac9}',
        ('\u{17c1}', '\u{17b6}') | ('\u{17b6}', '\u{17c1}') => '\u{17c4}',
        ('\u{17c1}', whole @ ('\u{17be}' | '\u{17bf}' | '\u{17c0}' | '\u{17c4}' | '\u{17c5}')) => {
            whole
        }
        // Myanmar writes the sign below before the one above.
        ('\u{1036}', '\u{102f}') => {
            chars.swap(before, index);
            return;
        }
        _ => return,
    };
    (chars[before], chars[index]) = (JOINED, joined);
}

#[cfg(test)]
mod tests;
