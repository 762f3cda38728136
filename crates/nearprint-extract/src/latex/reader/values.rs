//! What TeX's own commands take without braces: numbers, lengths, registers, conditions.

use super::Reader;

/// The units of lengths; the last two are those of Japanese.
const UNITS: [&str; 13] =
    ["pt", "em", "ex", "cm", "mm", "in", "bp", "pc", "sp", "dd", "cc", "zw", "zh"];

/// A number that a condition looks at.
#[derive(Debug)]
pub(in crate::latex) enum Number {
    Known(i64),
    /// What the macro of this name stands for.
    Named(String),
    /// The value of a register.
    Unknown,
}

/// Whether a text is a number with a unit of TeX.
fn is_length(text: &str) -> bool {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-. ".contains(c));
    unit.len() < text.len() && UNITS.contains(&unit)
}

impl Reader {
    /// The equals sign of `\let`.
    pub(in crate::latex) fn skip_equals(&mut self) {
        self.skip_blanks();
        if self.peek() == Some('=') {
            self.next();
        }
    }

    /// A length: in braces, or TeX's way, `=2.5 pt plus 1fil`.
    pub(in crate::latex) fn dimension(&mut self) {
        if self.group().is_some() {
            return;
        }
        self.skip_equals();
        let part = |c: char| c.is_ascii_digit() || ".,+-".contains(c);
        loop {
            let mut digits = false;
            while self.peek().is_some_and(part) {
                digits = true;
                self.next();
            }
            if digits {
                self.unit();
            }
            if !(self.skip_word(" plus") || self.skip_word(" minus")) {
                // One blank ends a length.
                if digits && self.peek() == Some(' ') {
                    self.next();
                }
                return;
            }
            self.skip_blanks();
        }
    }

    /// The unit after a number, if there is one.
    fn unit(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let rest = frame.rest();
        let trimmed = rest.trim_start_matches(' ');
        let trimmed = trimmed.strip_prefix("true").unwrap_or(trimmed).trim_start_matches(' ');
        let Some(unit) = trimmed.get(..2).filter(|u| *u == "fi" || UNITS.contains(u)) else {
            return;
        };
        let infinite = unit == "fi";
        frame.at += rest.len() - trimmed.len() + unit.len();
        // Infinite glue has an `l` for each of its orders.
        while infinite && self.peek() == Some('l') {
            self.next();
        }
    }

    /// Passes over a word of the innermost text, with the blanks before it; `word` begins with one.
    fn skip_word(&mut self, word: &str) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let rest = frame.rest();
        let trimmed = rest.trim_start_matches([' ', '\t', '\n']);
        let found = trimmed.starts_with(word.trim_start())
            && !trimmed[word.len() - 1..].starts_with(|c: char| c.is_alphabetic());
        if found {
            frame.at += rest.len() - trimmed.len() + word.len() - 1;
        }
        found
    }

    /// Passes over the value that a parameter of TeX is given: `=12pt`, `1cm`, `by -5pt`.
    pub(in crate::latex) fn assignment(&mut self) {
        let by = self.skip_word(" by");
        let Some(frame) = self.frames.last() else { return };
        let rest = frame.rest();
        let value = rest.trim_start_matches([' ', '=']);
        let equals = by || rest.trim_start_matches(' ').starts_with('=');
        let number = value.trim_start_matches(['+', '-', ' ']);
        let digits = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_number = digits.len() < number.len();
        let is_length = is_number
            && digits.trim_start_matches(' ').get(..2).is_some_and(|unit| UNITS.contains(&unit))
            && !digits.trim_start_matches(' ')[2..].starts_with(|c: char| c.is_alphanumeric());
        let is_apart = frame.text[..frame.at].ends_with([' ', '\n']);
        if (equals && is_number) || (is_length && !is_apart) {
            self.skip_equals();
            self.skip_blanks();
            self.dimension();
        } else if equals && value.starts_with('\\') {
            self.skip_equals();
            self.token();
            self.register_number();
        }
    }

    /// Passes over what says how large a box or rule is: `to 5cm`, `spread 1em`, `width 1pt height 2pt`.
    pub(in crate::latex) fn extents(&mut self) {
        while [" to", " spread", " width", " height", " depth"].iter().any(|w| self.skip_word(w)) {
            self.skip_blanks();
            match self.peek() {
                Some('\\') => {
                    self.token();
                    self.register_number();
                }
                _ => self.dimension(),
            }
        }
    }

    /// Passes over a register: its number or its name.
    pub(in crate::latex) fn register(&mut self) {
        self.skip_blanks();
        if self.peek() == Some('\\') {
            self.token();
        } else {
            self.register_number();
        }
    }

    fn register_number(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.next();
        }
    }

    /// Passes over `\name=file scaled 1200` or `at 12pt`, which `\font` declares.
    pub(in crate::latex) fn font(&mut self) {
        self.token();
        self.skip_equals();
        self.skip_blanks();
        while self.peek().is_some_and(|c| !c.is_whitespace() && !"\\{}%".contains(c)) {
            self.next();
        }
        if self.skip_word(" scaled") {
            self.skip_blanks();
            self.register();
            self.register_number();
        } else if self.skip_word(" at") {
            self.skip_blanks();
            self.dimension();
        }
    }

    /// Passes over the two lengths that a condition compares.
    pub(in crate::latex) fn relation(&mut self) {
        self.length();
        self.relation_sign();
        self.length();
    }

    fn length(&mut self) {
        self.skip_blanks();
        match self.peek() {
            Some('\\') => {
                self.token();
                self.register_number();
            }
            _ => self.dimension(),
        }
    }

    /// The number that comes next.
    pub(in crate::latex) fn number(&mut self) -> Number {
        let mut is_negative = false;
        self.skip_blanks();
        while let Some(sign @ ('+' | '-')) = self.peek() {
            is_negative ^= sign == '-';
            self.next();
            self.skip_blanks();
        }
        match self.peek() {
            Some('\\') => {
                let token = self.token();
                match token.trim_start_matches('\\') {
                    "value" | "numexpr" => {
                        self.group();
                        Number::Unknown
                    }
                    "count" => {
                        self.register_number();
                        Number::Unknown
                    }
                    name => Number::Named(name.to_owned()),
                }
            }
            Some(c) if c.is_ascii_digit() || "\"'`".contains(c) => {
                let number = self.unsigned_number().map(i64::from);
                let signed = |number: i64| if is_negative { -number } else { number };
                number.map_or(Number::Unknown, |number| Number::Known(signed(number)))
            }
            _ => Number::Unknown,
        }
    }

    /// The sign between the two numbers of a comparison.
    pub(in crate::latex) fn relation_sign(&mut self) -> char {
        self.skip_blanks();
        self.next_if(|c| "<>=".contains(c)).unwrap_or('=')
    }

    fn next_if(&mut self, is_meant: impl FnOnce(char) -> bool) -> Option<char> {
        let next = self.peek().filter(|c| is_meant(*c))?;
        self.next();
        Some(next)
    }

    /// Passes over arguments that are lengths and no text: `{2em}`.
    pub(in crate::latex) fn skip_lengths(&mut self) {
        loop {
            let Some(frame) = self.frames.last_mut() else { return };
            let Some(inner) = frame.rest().strip_prefix('{') else { return };
            // No further than a length can be long: groups may are nested without end.
            let part =
                |c: char| c.is_whitespace() || c.is_ascii_alphanumeric() || "+-.".contains(c);
            let end = inner.find(|c| !part(c)).filter(|end| inner[*end..].starts_with('}'));
            let Some(end) = end.filter(|end| is_length(&inner[..*end])) else { return };
            frame.at += end + 2;
        }
    }

    /// The character that a number stands for, as TeX writes it: `92`, `"5C`, `'134`, `` `\ ``.
    pub(in crate::latex) fn character_number(&mut self) -> Option<char> {
        self.skip_equals();
        self.unsigned_number().and_then(char::from_u32)
    }

    fn unsigned_number(&mut self) -> Option<u32> {
        let radix = match self.peek()? {
            '`' => {
                self.next();
                if self.peek() == Some('\\') {
                    self.next();
                }
                return self.next().map(u32::from);
            }
            '"' => 16,
            '\'' => 8,
            _ => 10,
        };
        if radix != 10 {
            self.next();
        }
        let mut value = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) {
            self.next();
            value = Some(value.unwrap_or(0u32).saturating_mul(radix).saturating_add(digit));
        }
        // One blank ends a number.
        if self.peek() == Some(' ') {
            self.next();
        }
        value
    }
}
