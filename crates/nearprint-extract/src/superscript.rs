//! Superscripts and subscripts: digits and signs above and below the line.
//!
//! Without their markup 10² would read 102. So they become the characters that Unicode has for them, where all of
//! them have one and they continue a word. Normalisation folds these characters, so tokens and fingerprints stay.

use crate::flow::Flow;

/// Bytes of a superscript or subscript (<=).
const LONGEST: usize = 48;

/// Where the characters stand that are smaller than the text around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// Superscripts.
    Above,
    /// Subscripts.
    Below,
}

impl Position {
    /// The text of this position in the characters that Unicode has for it; none if one of them has none.
    pub(crate) fn characters(self, text: &str) -> Option<String> {
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        text.chars().map(|c| self.character(c)).collect()
    }

    fn character(self, c: char) -> Option<char> {
        let [above, below] = match c {
            '0' => ['⁰', '₀'],
            '1' => ['¹', '₁'],
            '2' => ['²', '₂'],
            '3' => ['³', '₃'],
            '4' => ['⁴', '₄'],
            '5' => ['⁵', '₅'],
            '6' => ['⁶', '₆'],
            '7' => ['⁷', '₇'],
            '8' => ['⁸', '₈'],
            '9' => ['⁹', '₉'],
            '+' => ['⁺', '₊'],
            // The minus sign, and what is written in its place.
            '-' | '\u{2212}' | '\u{2013}' => ['⁻', '₋'],
            '(' => ['⁽', '₍'],
            ')' => ['⁾', '₎'],
            'i' => ['ⁱ', 'ᵢ'],
            'n' => ['ⁿ', 'ₙ'],
            _ => return None,
        };
        Some(if self == Self::Above { above } else { below })
    }
}

/// Whether a character ends what a superscript may belong to: a letter, a digit, or a sign that is one itself.
pub(crate) fn is_base(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '⁺'..='⁾' | '₊'..='₎')
}

/// Formulas in formulas that are read (<=). Those further inside are parts of the text of these.
const DEEPEST: usize = 16;

/// The superscript or subscript that is being read, of a document in elements.
///
/// What is in it is known at its end, so it is changed there. One that is never ended stays as it is, and so do those
/// in one another.
#[derive(Debug, Default)]
pub(crate) struct Superscript {
    /// Its position, and where it begins in the text.
    open: Option<(Position, usize)>,
    /// How many are open in one another.
    nesting: u32,
    /// Where the innermost link begins: a number that is all of a link is the mark of a note.
    link: Option<usize>,
    /// Formulas that are open, the innermost last.
    formulas: Vec<Formula>,
}

/// An element of MathML that has a base and scripts, while it is open.
#[derive(Debug)]
struct Formula {
    /// What its second and third child are.
    positions: [Option<Position>; 2],
    /// Children that have begun.
    children: usize,
    /// Elements that are open in it.
    depth: usize,
}

impl Superscript {
    /// A superscript begins, or a subscript.
    pub(crate) fn begin(&mut self, position: Position, flow: &Flow) {
        self.open = None;
        if self.nesting == 0 {
            self.open_at(position, flow);
        }
        self.nesting = self.nesting.saturating_add(1);
    }

    /// What was begun ends.
    pub(crate) fn end(&mut self, flow: &mut Flow) {
        self.nesting = self.nesting.saturating_sub(1);
        self.change(flow);
    }

    /// A link begins.
    pub(crate) fn begin_link(&mut self, flow: &Flow) {
        self.link = Some(flow.len());
        self.open = None;
    }

    /// A link ends.
    pub(crate) fn end_link(&mut self) {
        self.link = None;
        self.open = None;
    }

    /// What is open holds something else than text, and stays as it is.
    pub(crate) fn leave(&mut self) {
        self.open = None;
        self.nesting = 0;
    }

    /// Whether one is open that may be changed.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn open_at(&mut self, position: Position, flow: &Flow) {
        let start = flow.end_of_word(is_base).filter(|start| self.link != Some(*start));
        self.open = start.map(|start| (position, start));
    }

    fn change(&mut self, flow: &mut Flow) {
        if let Some((position, start)) = self.open.take()
            && let Some(text) = position.characters(flow.since(start))
        {
            flow.replace_since(start, &text);
        }
    }

    /// A formula begins that is in no other one.
    pub(crate) fn begin_math(&mut self) {
        self.formulas.clear();
    }

    /// An element of a formula begins. `is_empty` is whether it ends at once.
    pub(crate) fn begin_in_math(&mut self, name: &str, is_empty: bool, flow: &Flow) {
        let mut is_script = false;
        if let Some(formula) = self.formulas.last_mut() {
            let begins_child = formula.depth == 0;
            if begins_child {
                self.open = None;
            }
            formula.children += usize::from(begins_child);
            formula.depth += usize::from(!is_empty);
            is_script = formula.children > 1;
            let position = formula.positions.get(formula.children.wrapping_sub(2)).copied();
            if let Some(position) = position.flatten().filter(|_| begins_child) {
                self.open_at(position, flow);
            }
        }
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let positions = if is("msup") {
            [Some(Position::Above), None]
        } else if is("msub") {
            [Some(Position::Below), None]
        } else if is("msubsup") {
            [Some(Position::Below), Some(Position::Above)]
        } else {
            return;
        };
        self.open = None;
        if !is_empty && self.formulas.len() < DEEPEST {
            let positions = if is_script { [None; 2] } else { positions };
            self.formulas.push(Formula { positions, children: 0, depth: 0 });
        }
    }

    /// An element of a formula ends.
    pub(crate) fn end_in_math(&mut self, flow: &mut Flow) {
        // A formula is an element of the one around it.
        let _ = self.formulas.pop_if(|formula| formula.depth == 0);
        let Some(formula) = self.formulas.last_mut() else { return };
        formula.depth = formula.depth.saturating_sub(1);
        if formula.depth == 0 {
            self.change(flow);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_characters_have_their_small_form_or_none_has() {
        for (text, above, below) in [
            ("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"),
            ("+-\u{2212}\u{2013}()ni", "⁺⁻⁻⁻⁽⁾ⁿⁱ", "₊₋₋₋₍₎ₙᵢ"),
        ] {
            assert_eq!(Position::Above.characters(text).as_deref(), Some(above));
            assert_eq!(Position::Below.characters(text).as_deref(), Some(below));
        }
        for text in ["", "th", "2nd", "[1]", "1,2", "1 2", &"1".repeat(LONGEST + 1)] {
            assert_eq!(Position::Above.characters(text), None, "{text}");
        }
    }

    /// Fingerprints stay: the standard folds all of these characters, so that its tokens are those without them.
    #[test]
    fn the_standard_folds_them_to_what_they_were() {
        let table = include_str!("../../../spec/tables/fold.txt");
        let folded = |c: char| {
            let row = format!("{:04X};", u32::from(c));
            let mapping = table.lines().find_map(|line| line.strip_prefix(&row));
            mapping.and_then(|mapping| u32::from_str_radix(mapping, 16).ok())
        };
        for c in "0123456789+()ni\u{2212}".chars() {
            for position in [Position::Above, Position::Below] {
                let small = position.character(c).unwrap();
                assert_eq!(folded(small), Some(u32::from(c)), "{small}");
            }
        }
    }

    #[test]
    fn only_what_continues_a_word_is_changed() {
        for (before, inside, expected) in [
            ("10", "2", "10²\n"),
            ("m", "-2", "m⁻²\n"),
            ("m⁻", "2", "m⁻²\n"),
            ("10 ", "2", "10 2\n"),
            ("10", " 2", "10 2\n"),
            ("end.", "2", "end.2\n"),
            ("", "2", "2\n"),
            ("1", "st", "1st\n"),
        ] {
            let mut flow = Flow::new();
            flow.text(before);
            let mut superscript = Superscript::default();
            superscript.begin(Position::Above, &flow);
            flow.text(inside);
            superscript.end(&mut flow);
            assert_eq!(flow.finish(), expected, "{before}{inside}");
        }
    }
}
