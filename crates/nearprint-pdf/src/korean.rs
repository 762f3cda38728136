//! Korean words broken at the end of a line.
//!
//! Korean has spaces between words, and breaks lines between any two syllables without a hyphen. Whether a line
//! end is a space, the document itself is asked: are the two parts words of their own elsewhere, or is the one
//! what words begin with and the other what they end with?

use std::collections::HashMap;

/// Syllables of a part examined: longer than nearly all words.
const MAX_PART: usize = 12;

/// How often a part is a word, and how often only a part of one.
#[derive(Debug, Default, Clone, Copy)]
struct Uses {
    whole: u32,
    part: u32,
}

/// What the document says about the parts of words at its line ends.
#[derive(Debug, Default)]
pub(crate) struct BrokenWords {
    joined: HashMap<String, u32>,
    first: HashMap<String, Uses>,
    second: HashMap<String, Uses>,
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// The Hangul at the end of a line and at the beginning of the next.
fn parts<'t>(before: &'t str, after: &'t str) -> Option<(&'t str, &'t str)> {
    let first_length: usize =
        before.chars().rev().take_while(|c| is_hangul(*c)).take(MAX_PART).map(char::len_utf8).sum();
    let second_length: usize =
        after.chars().take_while(|c| is_hangul(*c)).take(MAX_PART).map(char::len_utf8).sum();
    let found = (&before[before.len() - first_length..], &after[..second_length]);
    (first_length > 0 && second_length > 0).then_some(found)
}

impl BrokenWords {
    /// Looks at line ends for parts, then counts only these.
    pub(crate) fn new<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Self {
        let mut found = Self::default();
        let mut previous = "";
        for line in lines.clone() {
            if let Some((first, second)) = parts(previous, line) {
                found.joined.insert(format!("{first}{second}"), 0);
                found.first.insert(first.to_owned(), Uses::default());
                found.second.insert(second.to_owned(), Uses::default());
            }
            previous = line;
        }
        if found.joined.is_empty() {
            return found;
        }
        for line in lines {
            for word in line.split(|c| !is_hangul(c)).filter(|word| !word.is_empty()) {
                // What touches the ends of the line may itself be a part.
                let start = word.as_ptr() as usize - line.as_ptr() as usize;
                if start > 0 && start + word.len() < line.len() {
                    found.count(word);
                }
            }
        }
        found
    }

    fn count(&mut self, word: &str) {
        if word.chars().count() > MAX_PART {
            return;
        }
        if let Some(count) = self.joined.get_mut(word) {
            *count += 1;
        }
        if let Some(uses) = self.first.get_mut(word) {
            uses.whole += 1;
        }
        if let Some(uses) = self.second.get_mut(word) {
            uses.whole += 1;
        }
        for (at, _) in word.char_indices().skip(1) {
            if let Some(uses) = self.first.get_mut(&word[..at]) {
                uses.part += 1;
            }
            if let Some(uses) = self.second.get_mut(&word[at..]) {
                uses.part += 1;
            }
        }
    }

    /// Whether a word is broken between two lines.
    pub(crate) fn is_broken(&self, before: &str, after: &str) -> bool {
        if self.joined.is_empty() {
            return false;
        }
        let Some((first, second)) = parts(before, after) else { return false };
        let uses = |map: &HashMap<String, Uses>, part: &str| {
            let Uses { whole, part } = map.get(part).copied().unwrap_or_default();
            // One more of each, as what did not occur may.
            (u64::from(whole) + 1, u64::from(part) + 1)
        };
        let (first_whole, first_part) = uses(&self.first, first);
        let (second_whole, second_part) = uses(&self.second, second);
        let joined = u64::from(self.joined.get(&format!("{first}{second}")).copied().unwrap_or(0));
        (joined * 4 + 1) * first_part * second_part > first_whole * second_whole
    }
}

#[cfg(test)]
mod tests {
    use super::BrokenWords;

    #[test]
    fn the_document_tells_words_from_parts() {
        let text = "- 그래서 설치하는 것으로 하고 사람으로 보고 사람은 가는 사람이 - \n- 작은 배 큰 배 산 으뜸 -";
        for (before, after, expected) in [
            ("큰 사람", "으로 가는", true),
            ("설치하", "는 사람", true),
            ("그는 작은", "배 한 척", false),
            ("latin", "는 사람", false),
        ] {
            let lines = text.lines().chain([before, after]);
            assert_eq!(
                BrokenWords::new(lines).is_broken(before, after),
                expected,
                "{before}|{after}"
            );
        }
    }
}
