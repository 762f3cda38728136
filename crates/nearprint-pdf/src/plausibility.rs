//! Whether a guess at a font's characters reads like language.
//!
//! A wrong guess gives letters in wrong proportions. The counts of the letters a font was used for are
//! correlated with how often European languages use theirs; a guess that does not correlate is taken back.
//! This tells text from noise, not one language from another. A text that says the same thing over and over has letters
//! in wrong proportions too, so that the strings shown are also counted once each; a guess is good where either reads
//! like language.

use std::collections::HashSet;

/// Fewer letters than this say nothing.
const MIN_LETTERS: u32 = 150;
/// Pearson correlation below which a guess is noise. Measured on 99 manuals in 14 languages: English 0.88 and more,
/// Hungarian and Polish 0.83, Vietnamese 0.67; Russian 0.99, Ukrainian 0.94. The letters of a manual given other
/// places at random reach 0.36 in five cases of a hundred and 0.52 in one.
const MIN_CORRELATION: f64 = 0.5;

/// Shares of a to z in percent: rounded means over English, French, German, Italian, Polish and Spanish.
const LATIN: [f64; 26] = [
    8.9, 1.4, 3.5, 4.2, 13.0, 1.2, 1.9, 2.1, 8.2, 0.6, 1.2, 4.4, 2.8, 7.4, 6.8, 2.6, 0.5, 6.6, 6.2,
    6.2, 3.9, 1.1, 1.5, 0.2, 1.2, 1.8,
];

/// Shares of а to я in percent in Russian.
const CYRILLIC: [f64; 32] = [
    8.0, 1.6, 4.5, 1.7, 3.0, 8.5, 0.9, 1.6, 7.4, 1.2, 3.5, 4.4, 3.2, 6.7, 11.0, 2.8, 4.7, 5.5, 6.3,
    2.6, 0.3, 1.0, 0.5, 1.4, 0.7, 0.4, 0.1, 1.9, 1.7, 0.3, 0.6, 2.0,
];

/// Fonts shown less often than this are not judged by the share of their glyphs that have text.
const MIN_SHOWN: u32 = 40;
/// Strings of letters alone, of two and more, from which a font's letters are believed.
const MIN_WHOLE: u32 = 8;

/// How much of what a font shows has a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Share {
    shown: u32,
    missing: u32,
    /// Glyphs with and without text in the string being shown.
    string: (u32, u32),
    /// Strings of two glyphs and more with a text, all of it or a part.
    whole: u32,
    mixed: u32,
}

impl Share {
    /// Begins a string.
    pub(crate) fn begin(&mut self) {
        match std::mem::take(&mut self.string) {
            (2.., 0) => self.whole = self.whole.saturating_add(1),
            (1.., 1..) => self.mixed = self.mixed.saturating_add(1),
            _ => {}
        }
    }

    /// Counts a glyph of the string.
    pub(crate) fn add(&mut self, has_text: bool) {
        self.shown = self.shown.saturating_add(1);
        self.missing += u32::from(!has_text);
        let (with, without) = &mut self.string;
        *(if has_text { with } else { without }) += 1;
    }

    /// `true` if a font gives text only for the few glyphs whose names happen to be those of letters. A font of
    /// signs that has letters beside them, as one of music has for its dynamics, shows these in strings of their own.
    pub(crate) fn is_chance(&mut self) -> bool {
        self.begin();
        let few = self.missing < self.shown && self.missing > self.shown / 5 * 3;
        let apart = self.whole >= MIN_WHOLE && self.mixed * 10 <= self.whole;
        self.shown >= MIN_SHOWN && few && !apart
    }
}

/// Strings of one font distinguished; later ones are treated as repetitions.
const MAX_STRINGS: usize = 4096;

/// The letters that guessing has given a font: as often as they were shown, and of each string only once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Letters {
    shown: LetterCounts,
    distinct: LetterCounts,
    strings: HashSet<Box<[u8]>>,
    /// The string being shown is a new one.
    new: bool,
}

impl Letters {
    /// Begins a string, given by its codes.
    pub(crate) fn begin(&mut self, string: &[u8]) {
        self.new = self.strings.len() < MAX_STRINGS && self.strings.insert(string.into());
    }

    /// Counts a letter of the string.
    pub(crate) fn add(&mut self, text: char) {
        self.shown.add(text);
        if self.new {
            self.distinct.add(text);
        }
    }

    /// `false` if there are enough letters to see that they are noise.
    pub(crate) fn is_plausible(&self) -> bool {
        self.shown.reads_like_language() != Some(false)
            || self.distinct.reads_like_language() == Some(true)
    }
}

/// Counts of letters.
#[derive(Debug, Clone, Default)]
struct LetterCounts {
    latin: [u32; 26],
    cyrillic: [u32; 32],
    /// Letters of neither alphabet, among them accented ones.
    other: u32,
}

impl LetterCounts {
    fn add(&mut self, text: char) {
        match text {
            'a'..='z' => self.latin[text as usize - 'a' as usize] += 1,
            'а'..='я' => self.cyrillic[text as usize - 'а' as usize] += 1,
            'A'..='Z' | 'А'..='Я' => {}
            _ => self.other += u32::from(text.is_alphabetic()),
        }
    }

    /// `None` if there are too few letters to see it.
    fn reads_like_language(&self) -> Option<bool> {
        let (latin, cyrillic) = (self.latin.iter().sum::<u32>(), self.cyrillic.iter().sum::<u32>());
        if latin + cyrillic + self.other < MIN_LETTERS {
            return None;
        }
        if self.other > latin + cyrillic {
            return Some(false);
        }
        let correlation = if latin >= cyrillic {
            latin_correlation(&self.latin)
        } else {
            correlation(&self.cyrillic, &CYRILLIC)
        };
        Some(correlation >= MIN_CORRELATION)
    }
}

/// How far the counts of a to z are in the proportions of European languages: 1 where they are, 0 if not at all.
pub(crate) fn latin_correlation(counts: &[u32; 26]) -> f64 {
    correlation(counts, &LATIN)
}

fn correlation(counts: &[u32], shares: &[f64]) -> f64 {
    let n = counts.len() as f64;
    let mean = counts.iter().map(|c| f64::from(*c)).sum::<f64>() / n;
    let share_mean = shares.iter().sum::<f64>() / n;
    let (mut both, mut own, mut other) = (0.0, 0.0, 0.0);
    for (count, share) in counts.iter().zip(shares) {
        let (a, b) = (f64::from(*count) - mean, share - share_mean);
        both += a * b;
        own += a * a;
        other += b * b;
    }
    if own == 0.0 { 0.0 } else { both / (own * other).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::{Letters, Share};

    fn plausible(text: &str) -> bool {
        strings_plausible([text].into_iter())
    }

    fn strings_plausible<'t>(strings: impl Iterator<Item = &'t str>) -> bool {
        let mut counts = Letters::default();
        for string in strings {
            counts.begin(string.as_bytes());
            string.chars().for_each(|c| counts.add(c));
        }
        counts.is_plausible()
    }

    #[test]
    fn strings_shown_again_and_again_are_judged_once() {
        let english = "the old lighthouse keeper wrote down every ship that passed and in the evening he read the \
                       list aloud to the sea as if it were a poem that had to be learned by heart before the next \
                       tide came in and took all of the names away from the shore and left him there with none";
        let again = || ["fuzzy"; 400].into_iter();
        assert!(strings_plausible(english.split(' ').chain(again())));
        assert!(!strings_plausible(again()), "too little else to judge by");
        let pairs: Vec<String> =
            ('a'..='z').flat_map(|a| ('a'..='z').map(move |b| format!("{a}{b}"))).collect();
        assert!(!strings_plausible(pairs.iter().map(String::as_str)));
    }

    #[test]
    fn letters_among_signs_are_chance_unless_they_stand_apart() {
        let is_chance = |strings: &[&str]| {
            let mut share = Share::default();
            for string in strings {
                share.begin();
                string.chars().for_each(|c| share.add(c.is_alphabetic()));
            }
            share.is_chance()
        };
        assert!(is_chance(&["--a-", "--b-", "----"].repeat(20)));
        assert!(is_chance(&["-", "a", "-", "-"].repeat(20)), "letters alone say nothing");
        assert!(!is_chance(&["-", "ff", "-", "-", "-", "---"].repeat(20)));
        assert!(!is_chance(&["abc-"].repeat(20)), "most have a text");
        assert!(!is_chance(&["--a-"].repeat(5)), "too few to judge by");
        assert!(!is_chance(&["----"].repeat(20)), "none has a text");
    }

    #[test]
    fn language_passes_and_noise_does_not() {
        let english = "the old lighthouse keeper wrote down every ship that passed, and in the evening he \
                       read the list aloud to the sea, as if it were a poem that had to be learned by heart \
                       before the next tide came in and took the names away from the shore";
        let russian = "старый смотритель маяка записывал каждый корабль, который проходил мимо, а вечером \
                       читал список вслух морю, как будто это были стихи, которые надо было выучить наизусть \
                       до следующего прилива, пока волны не унесли имена далеко от берега";
        assert!(plausible(english));
        assert!(plausible(russian));
        let accents: String = "áéíóúýčďěňřšťůž".chars().cycle().take(400).collect();
        assert!(!plausible(&accents));
        let shifted: String = english
            .chars()
            .map(|c| {
                if c.is_ascii_lowercase() {
                    char::from(b'a' + (c as u8 - b'a' + 13) % 26)
                } else {
                    c
                }
            })
            .collect();
        assert!(!plausible(&shifted));
        let uniform: String = ('a'..='z').cycle().take(520).collect();
        assert!(!plausible(&uniform));
    }
}
