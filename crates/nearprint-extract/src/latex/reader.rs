//! The source as a reader of TeX meets it: macros put their text in front of what is still to come.

use crate::error::{ExtractError, Reason};

/// Bytes that may be inserted for each byte of the source, beside what macros may produce: headings, labels
/// and notes are read once more, and stand inside one another only now and then.
const INSERTIONS: u64 = 16;

/// The units of lengths; the last two are those of Japanese.
const UNITS: [&str; 13] =
    ["pt", "em", "ex", "cm", "mm", "in", "bp", "pc", "sp", "dd", "cc", "zw", "zh"];

/// Commands that take groups, in spite of their names.
const NO_CONDITIONS: [&str; 3] = ["ifthenelse", "iflanguage", "iff"];

#[derive(Debug)]
struct Frame {
    text: String,
    at: usize,
}

impl Frame {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }
}

/// A source, and what was inserted before the rest of it.
#[derive(Debug)]
pub(super) struct Reader {
    frames: Vec<Frame>,
    /// Bytes that may still be inserted.
    left: u64,
    exhausted: bool,
}

/// Characters that are more than text.
fn is_special(c: char) -> bool {
    matches!(c, '\\' | '{' | '}' | '$' | '&' | '~' | '%' | '^' | '_' | '"')
}

/// Whether a text is a number with a unit of TeX.
fn is_length(text: &str) -> bool {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-. ".contains(c));
    unit.len() < text.len() && UNITS.contains(&unit)
}

impl Reader {
    /// Reads `source`, in which macros may produce `budget` bytes.
    pub(super) fn new(source: &str, budget: u64) -> Self {
        Self {
            frames: vec![Frame { text: source.to_owned(), at: 0 }],
            left: budget.saturating_add(INSERTIONS * source.len() as u64),
            exhausted: false,
        }
    }

    /// Refuses a document whose macros produce more than they may.
    pub(super) fn check(&self) -> Result<(), ExtractError> {
        if self.exhausted {
            return Err(ExtractError::new(
                Reason::ExpansionLimit,
                "the document's macros and groups expand to more than max_entity_bytes",
            ));
        }
        Ok(())
    }

    /// The text before the next special character, perhaps empty; none at the end.
    pub(super) fn text_run(&mut self, short_verb: &[char]) -> Option<String> {
        self.peek()?;
        let frame = self.frames.last_mut()?;
        let rest = &frame.text[frame.at..];
        let special = |c| is_special(c) || short_verb.contains(&c);
        let length = rest.find(special).unwrap_or(rest.len());
        let run = rest[..length].to_owned();
        frame.at += length;
        Some(run)
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        loop {
            match self.frames.last()?.rest().chars().next() {
                Some(c) => return Some(c),
                None if self.frames.len() == 1 => return None,
                None => {
                    self.frames.pop();
                }
            }
        }
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.frames.last_mut()?.at += c.len_utf8();
        Some(c)
    }

    /// Puts text before what is still to come.
    pub(super) fn insert(&mut self, text: &str) {
        match self.left.checked_sub(text.len() as u64 + 1) {
            Some(left) => {
                self.left = left;
                self.frames.push(Frame { text: text.to_owned(), at: 0 });
            }
            None => self.exhausted = true,
        }
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// A comment, the end of its line and the blanks that begin the next.
    pub(super) fn skip_comment(&mut self) {
        while let Some(c) = self.next() {
            if c == '\n' {
                while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
                    self.next();
                }
                return;
            }
        }
    }

    /// The name after a backslash: letters, or one other character.
    pub(super) fn command_name(&mut self) -> String {
        // A name ends where the text of a macro ends, whatever letters come after that.
        let mut name = self.frames.last_mut().map_or(String::new(), |frame| {
            let rest = frame.rest();
            let length =
                rest.find(|c: char| !(c.is_ascii_alphabetic() || c == '@')).unwrap_or(rest.len());
            let name = rest[..length].to_owned();
            frame.at += length;
            name
        });
        if name.is_empty() {
            name.extend(self.next());
        } else {
            // Blanks after a name only end it; an empty line still ends the paragraph.
            while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
                self.next();
            }
        }
        name
    }

    /// A star after a command.
    pub(super) fn star(&mut self) {
        if self.peek() == Some('*') {
            self.next();
        }
    }

    /// The group in braces that comes next, without them.
    pub(super) fn group(&mut self) -> Option<String> {
        self.skip_blanks();
        if self.peek() != Some('{') {
            return None;
        }
        self.next();
        Some(self.balanced('}'))
    }

    /// The optional argument in brackets that comes next, without them.
    pub(super) fn optional(&mut self) -> Option<String> {
        if self.peek() != Some('[') {
            return None;
        }
        self.next();
        Some(self.balanced(']'))
    }

    /// All optional arguments that come next, thrown away.
    pub(super) fn optionals(&mut self) {
        while self.optional().is_some() {}
    }

    /// Up to the closing `end` that is in no inner group. At the end of the source, what there is.
    fn balanced(&mut self, end: char) -> String {
        let mut text = String::new();
        let mut depth = 0usize;
        while let Some(c) = self.next() {
            match c {
                _ if c == end && depth == 0 => break,
                '\\' => {
                    text.push(c);
                    text.extend(self.next());
                    continue;
                }
                '%' => {
                    self.skip_comment();
                    continue;
                }
                '{' => depth += 1,
                '}' => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    // The group around an unclosed bracket ends.
                    None => break,
                },
                _ => {}
            }
            text.push(c);
        }
        text
    }

    /// A group, a command or one character: what TeX takes for an argument.
    pub(super) fn argument(&mut self) -> String {
        match self.group() {
            Some(group) => group,
            None => self.token(),
        }
    }

    /// A command with its backslash, or one character; nothing before the end of a group.
    pub(super) fn token(&mut self) -> String {
        self.skip_blanks();
        match self.peek() {
            None | Some('}') => String::new(),
            Some('\\') => {
                self.next();
                format!("\\{}", self.command_name())
            }
            Some(c) => {
                self.next();
                c.to_string()
            }
        }
    }

    /// The letter under an accent, and what else stood in its group.
    pub(super) fn accented(&mut self) -> (char, String) {
        let argument = self.argument();
        let mut chars = argument.chars();
        match chars.next() {
            // Under an accent `\i` has no dot to lose.
            Some('\\') if argument.starts_with("\\i") => {
                ('i', argument[2..].trim_start().to_owned())
            }
            Some('\\') if argument.starts_with("\\j") => {
                ('j', argument[2..].trim_start().to_owned())
            }
            Some('\\') | None => (' ', argument),
            Some(letter) => (letter, chars.as_str().to_owned()),
        }
    }

    /// The equals sign of `\let`.
    pub(super) fn skip_equals(&mut self) {
        self.skip_blanks();
        if self.peek() == Some('=') {
            self.next();
        }
    }

    /// A length: in braces, or TeX's way, `=2.5 pt plus 1fil`.
    pub(super) fn dimension(&mut self) {
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

    /// The unit behind a number, if there is one.
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

    /// Whether the command just read stands for its own name, as those of products do that are defined in another
    /// file: `\GAP{}`, `\GAP\ ` or, in a group of its own, `{\GAP}`.
    pub(super) fn is_name(&self, name: &str) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let plausible = name.len() > 1
            && name.bytes().all(|b| b.is_ascii_alphabetic())
            && !name.starts_with("text")
            && !name.ends_with("box");
        let rest = frame.rest();
        let alone = || {
            let before = frame.text[..frame.at].strip_suffix(name);
            let before = before.and_then(|text| text.strip_suffix("{\\"));
            // A group behind a command is its argument.
            let is_argument = |c: char| c.is_ascii_alphabetic() || "]}*".contains(c);
            rest.starts_with('}') && before.is_some_and(|text| !text.ends_with(is_argument))
        };
        plausible && (rest.starts_with("{}") || rest.starts_with("\\ ") || alone())
    }

    /// Passes over the value that a parameter of TeX is given: `=12pt`, `1cm`, `by -5pt`.
    pub(super) fn assignment(&mut self) {
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
        if (equals && is_number) || (is_length && !frame.text[..frame.at].ends_with(' ')) {
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
    pub(super) fn extents(&mut self) {
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
    pub(super) fn register(&mut self) {
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
    pub(super) fn font(&mut self) {
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

    /// Passes over the name of a file: a group, or TeX's way, up to a blank.
    pub(super) fn file_name(&mut self) {
        if self.group().is_none() {
            while self.peek().is_some_and(|c| !c.is_whitespace() && !"\\{}%".contains(c)) {
                self.next();
            }
        }
    }

    /// Passes over the two numbers that a condition compares.
    pub(super) fn relation(&mut self) {
        self.register();
        self.skip_blanks();
        if self.peek().is_some_and(|c| "<>=".contains(c)) {
            self.next();
        }
        self.skip_blanks();
        match self.peek() {
            Some('\\') => {
                self.token();
            }
            _ => self.dimension(),
        }
    }

    /// Passes over what a condition excludes: up to its `\else` or `\fi`.
    pub(super) fn skip_conditional(&mut self) {
        let mut depth = 0usize;
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    let name = self.command_name();
                    match name.as_str() {
                        "else" | "fi" if depth == 0 => return,
                        "fi" => depth -= 1,
                        _ if name.starts_with("if") && !NO_CONDITIONS.contains(&name.as_str()) => {
                            depth += 1;
                        }
                        _ => {}
                    }
                }
                '%' => self.skip_comment(),
                _ => {}
            }
        }
    }

    /// Passes over arguments that are lengths and no text: `{2em}`.
    pub(super) fn skip_lengths(&mut self) {
        loop {
            let Some(frame) = self.frames.last_mut() else { return };
            let Some(inner) = frame.rest().strip_prefix('{') else { return };
            let Some(end) = inner.find('}').filter(|end| is_length(&inner[..*end])) else { return };
            frame.at += end + 2;
        }
    }

    /// The character that a number stands for, as TeX writes it: `92`, `"5C`, `'134`, `` `\ ``.
    pub(super) fn character_number(&mut self) -> Option<char> {
        self.skip_equals();
        let radix = match self.peek()? {
            '`' => {
                self.next();
                if self.peek() == Some('\\') {
                    self.next();
                }
                return self.next();
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
        value.and_then(char::from_u32)
    }

    /// Up to the next opening brace.
    pub(super) fn until_group(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.peek().filter(|c| *c != '{') {
            self.next();
            text.push(c);
        }
        text
    }

    /// Up to `end`, which is passed over; without it, the rest of the innermost text.
    pub(super) fn until(&mut self, end: &str) -> String {
        self.peek();
        let Some(frame) = self.frames.last_mut() else { return String::new() };
        let rest = &frame.text[frame.at..];
        let (text, length) = match rest.find(end) {
            Some(at) => (rest[..at].to_owned(), at + end.len()),
            None => (rest.to_owned(), rest.len()),
        };
        frame.at += length;
        text
    }
}
