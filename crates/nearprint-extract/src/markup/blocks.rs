//! The text being stripped, collected paragraph by paragraph: links and their like run on over line breaks.

/// Output, and the paragraph under way.
pub(super) struct Blocks<F> {
    out: String,
    paragraph: String,
    inline: F,
}

impl<F: Fn(&str) -> String> Blocks<F> {
    /// `inline` strips the markup inside a paragraph.
    pub(super) fn new(inline: F) -> Self {
        Self { out: String::new(), paragraph: String::new(), inline }
    }

    /// A line of running text; an empty one ends the paragraph.
    pub(super) fn text(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.end();
            self.out.push('\n');
        } else {
            self.paragraph.push_str(line);
            self.paragraph.push('\n');
        }
    }

    /// A line that is shown as it is.
    pub(super) fn raw(&mut self, line: &str) {
        self.end();
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Ends the paragraph.
    pub(super) fn end(&mut self) {
        if !self.paragraph.is_empty() {
            self.out.push_str(&(self.inline)(&self.paragraph));
            self.paragraph.clear();
        }
    }

    /// The last line of the paragraph under way.
    pub(super) fn last_line(&self) -> &str {
        let lines = self.paragraph.trim_end_matches('\n');
        lines.rsplit('\n').next().unwrap_or("")
    }

    /// The stripped text.
    pub(super) fn finish(mut self) -> String {
        self.end();
        self.out
    }
}

/// The columns of blanks that a line begins with; a tab goes to the next multiple of eight.
pub(super) fn indent(line: &str) -> usize {
    let mut columns = 0;
    for b in line.bytes() {
        match b {
            b' ' => columns += 1,
            b'\t' => columns = columns / 8 * 8 + 8,
            _ => break,
        }
    }
    columns
}

/// Whether a line is nothing but three or more of one punctuation character.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim_end();
    let mut chars = line.chars();
    chars.next().is_some_and(|first| {
        first.is_ascii_punctuation() && line.len() >= 3 && chars.all(|c| c == first)
    })
}
