//! The arguments of commands: groups, brackets, single tokens.

use super::Reader;

impl Reader {
    /// The group in braces that comes next, without them.
    pub(in crate::latex) fn group(&mut self) -> Option<String> {
        self.skip_to_argument();
        if self.peek() != Some('{') {
            return None;
        }
        self.next();
        Some(self.balanced('}'))
    }

    /// Skips what may stand before an argument: blanks, and comments, by which lines are joined.
    fn skip_to_argument(&mut self) {
        self.skip_blanks();
        while self.peek() == Some('%') {
            self.next();
            self.skip_comment();
            self.skip_blanks();
        }
    }

    /// The optional argument in brackets that comes next, without them.
    pub(in crate::latex) fn optional(&mut self) -> Option<String> {
        if self.peek() != Some('[') {
            return None;
        }
        self.next();
        Some(self.balanced(']'))
    }

    /// All optional arguments that come next, thrown away.
    pub(in crate::latex) fn optionals(&mut self) {
        while self.optional().is_some() {}
    }

    /// Up to the closing `end` that is in no inner group. At the end of the source, what there is.
    pub(in crate::latex) fn balanced(&mut self, end: char) -> String {
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
    pub(in crate::latex) fn argument(&mut self) -> String {
        match self.group() {
            Some(group) => group,
            None => self.token(),
        }
    }

    /// A command with its backslash, or one character; nothing before the end of a group.
    pub(in crate::latex) fn token(&mut self) -> String {
        self.skip_to_argument();
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
    pub(in crate::latex) fn accented(&mut self) -> (char, String) {
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

    /// The name of a file: a group, or TeX's way, up to a blank.
    pub(in crate::latex) fn file_name(&mut self) -> String {
        self.group().unwrap_or_else(|| {
            let mut name = String::new();
            while let Some(c) = self.peek().filter(|c| !c.is_whitespace() && !"\\{}%".contains(*c))
            {
                name.push(c);
                self.next();
            }
            name
        })
    }
}
