//! Code by its indentation: after an empty line, and not in a list, whose items have indented paragraphs.

/// What the lines so far say about the next one.
#[derive(Debug)]
pub(super) struct IndentedCode {
    /// Whether the line before is empty, ends a block, or is such code.
    follows_break: bool,
    is_in_list: bool,
}

impl Default for IndentedCode {
    fn default() -> Self {
        Self { follows_break: true, is_in_list: false }
    }
}

impl IndentedCode {
    /// Whether the next line is code.
    pub(super) fn next_line_is_code(&mut self, line: &str) -> bool {
        let trimmed = line.trim_start();
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        let is_code = self.follows_break && is_indented && !self.is_in_list && !trimmed.is_empty();
        let continues = trimmed.is_empty() || trimmed.len() < line.len() || !self.follows_break;
        self.is_in_list = begins_indented_text(trimmed) || (self.is_in_list && continues);
        self.follows_break = trimmed.is_empty() || is_code;
        is_code
    }

    /// The line ends a heading or a fence, after which no empty line is needed.
    pub(super) fn end_block(&mut self) {
        self.follows_break = true;
    }
}

/// Whether what a line begins may have indented paragraphs: an item of a list, a note, a definition, and the boxes of
/// site generators.
fn begins_indented_text(line: &str) -> bool {
    if ["[^", "!!!", "???"].iter().any(|mark| line.starts_with(mark)) {
        return true;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[&str] = if digits > 0 { &[".", ")"] } else { &["-", "*", "+", ":", "==="] };
    let after = marks.iter().find_map(|mark| line[digits..].strip_prefix(mark));
    after.is_some_and(|after| after.starts_with([' ', '\t'])) && !is_thematic_break(line)
}

/// `* * *` and the like, which is a rule and not a list.
fn is_thematic_break(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    marks.next().is_some_and(|first| {
        let others = marks.clone().count();
        matches!(first, '-' | '*') && others >= 2 && marks.all(|c| c == first)
    })
}
