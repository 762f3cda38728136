//! What comes next, looked at before it is read: delimiters of parameters, names between `\csname` and `\endcsname`,
//! overlays of slides. No further than these are long, however long the source is.

use super::Reader;

/// Bytes of the longest argument that ends with a delimiter.
const LONGEST_ARGUMENT: usize = 1024;

/// Bytes of the longest name that is computed.
const LONGEST_NAME: usize = 200;

/// Bytes of the longest overlay.
const LONGEST_OVERLAY: usize = 64;

impl Reader {
    /// At most so many bytes of what comes next, out of all texts that are open.
    fn lookahead(&self, limit: usize) -> String {
        let mut near = String::new();
        for frame in self.frames.iter().rev() {
            let rest = frame.rest();
            let length = rest.floor_char_boundary(limit - near.len());
            near.push_str(&rest[..length]);
            self.work.count(length + 1);
            if length < rest.len() {
                break;
            }
        }
        near
    }

    /// Passes over so many bytes of what was looked at.
    fn advance(&mut self, mut length: usize) {
        while length > 0 && self.peek().is_some() {
            let Some(frame) = self.frames.last_mut() else { return };
            let here = length.min(frame.rest().len());
            frame.at += here;
            length -= here;
        }
    }

    /// Passes over a text, if it comes next.
    pub(in crate::latex) fn skip_text(&mut self, text: &str) -> bool {
        let near = self.lookahead(LONGEST_ARGUMENT);
        let found = matched(&near, text);
        self.advance(found.unwrap_or(0));
        found.is_some()
    }

    /// What stands before a delimiter, outside of groups and in this paragraph; both are passed over. None where the
    /// delimiter is not near.
    pub(in crate::latex) fn delimited(&mut self, delimiter: &str) -> Option<String> {
        let near = self.lookahead(LONGEST_ARGUMENT);
        let (length, delimiter) = find(&near, delimiter)?;
        self.advance(length + delimiter);
        Some(without_braces(&near[..length]).to_owned())
    }

    /// The name between `\csname`, which was read, and `\endcsname`.
    pub(in crate::latex) fn computed_name(&mut self) -> Option<String> {
        const END: &str = "\\endcsname";
        let near = self.lookahead(LONGEST_NAME);
        let length = near.find(END)?;
        self.advance(length + END.len());
        self.skip_name_end();
        Some(near[..length].trim_start().to_owned())
    }

    /// The token that comes next and, if the one after it is one of these commands, which of them that is. Both are
    /// passed over then.
    pub(in crate::latex) fn token_before(
        &mut self,
        commands: &[&'static str],
    ) -> Option<(String, &'static str)> {
        let near = self.lookahead(LONGEST_NAME);
        let first = token_length(&near)?;
        let rest = near[first..].trim_start();
        let name = rest.strip_prefix('\\').map(|rest| &rest[..name_length(rest)])?;
        let command = *commands.iter().find(|command| **command == name)?;
        self.advance(near.len() - rest.len() + 1 + name.len());
        self.skip_name_end();
        Some((near[..first].to_owned(), command))
    }

    /// Passes over the overlays that a command of a slide has: `<1->`, `<+-| alert@+>`, `<handout:0>`.
    pub(in crate::latex) fn skip_overlay(&mut self) {
        if self.peek() != Some('<') {
            return;
        }
        let near = self.lookahead(LONGEST_OVERLAY);
        let part = |c: char| c.is_ascii_alphanumeric() || "+-.,:|@*() ".contains(c);
        let length = near[1..].find(|c| !part(c)).filter(|end| near[1 + end..].starts_with('>'));
        if let Some(length) = length.filter(|length| is_overlay(&near[1..1 + length])) {
            self.advance(length + 2);
        }
    }
}

/// Whether a text says on which slides, in which of a presentation's forms, or how something is shown.
fn is_overlay(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "beamer",
        "presentation",
        "article",
        "handout",
        "second",
        "trans",
        "all",
        "alert",
        "only",
        "uncover",
        "visible",
        "invisible",
    ];
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    !text.trim().is_empty() && words.into_iter().all(|word| WORDS.contains(&word))
}

/// The length of the letters of a command's name.
fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphabetic() || c == '@')).unwrap_or(text.len())
}

/// The length of a command or of one character.
fn token_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let Some(rest) = text.strip_prefix('\\') else { return Some(first.len_utf8()) };
    let letters = name_length(rest);
    let sign = rest.chars().next().map_or(0, char::len_utf8);
    Some(1 + if letters > 0 { letters } else { sign })
}

/// The length of what a text begins with, if that is the delimiter. Blanks and the ends of lines are the same.
fn matched(text: &str, delimiter: &str) -> Option<usize> {
    let mut rest = text;
    let mut wanted = delimiter.chars().peekable();
    while let Some(c) = wanted.next() {
        if c.is_whitespace() {
            while wanted.next_if(|c| c.is_whitespace()).is_some() {}
            let after = rest.trim_start();
            if after.len() == rest.len() {
                return None;
            }
            rest = after;
        } else {
            rest = rest.strip_prefix(c)?;
        }
    }
    // A name ends where its letters do, and blanks after it are its end.
    let last = delimiter.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '@');
    if last.len() < delimiter.len() && last.ends_with('\\') {
        if name_length(rest) > 0 {
            return None;
        }
        rest = rest.trim_start_matches(' ');
    }
    Some(text.len() - rest.len())
}

/// Where the delimiter is, and its length there.
fn find(text: &str, delimiter: &str) -> Option<(usize, usize)> {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(c) = text[at..].chars().next() {
        if depth == 0
            && let Some(length) = matched(&text[at..], delimiter)
        {
            return Some((at, length));
        }
        match c {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            _ if c.is_whitespace() => {
                let blanks = &text[at..][..text.len() - at - text[at..].trim_start().len()];
                if blanks.matches('\n').count() > 1 {
                    return None;
                }
                at += blanks.len();
                continue;
            }
            _ => {}
        }
        at += token_length(&text[at..])?;
    }
    None
}

/// An argument that is one group, without its braces.
fn without_braces(argument: &str) -> &str {
    let inside = argument.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inside.filter(|inside| !inside.contains(['{', '}'])).unwrap_or(argument)
}
