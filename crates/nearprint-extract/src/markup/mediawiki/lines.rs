//! What the first signs of a line mean: headings, lists, tables, lines of code.

use super::Page;
use crate::flow::Flow;

impl Page<'_> {
    /// Deals with what a line begins with.
    pub(super) fn begin_line(&mut self) {
        (self.is_line_empty, self.is_header, self.is_alone) = (true, false, false);
        self.apostrophe = self.first_apostrophe();
        let is_outside = self.open.is_empty();
        let blanks = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        // Tables may be indented.
        let inside = &self.rest()[blanks..];
        if is_outside
            && (inside.starts_with("{|") || (self.tables > 0 && inside.starts_with(['|', '!'])))
        {
            self.at += blanks;
        }
        let rest = self.rest();
        let Some(first) = rest.bytes().next() else { return };
        let run = |signs: &[u8]| rest.bytes().take_while(|byte| signs.contains(byte)).count();
        match first {
            _ if self.is_gallery => self.file_of_gallery(rest),
            b'=' => self.heading(rest),
            b'*' | b'#' | b':' | b';' => {
                let length = run(b"*#:;");
                self.stand_alone();
                self.at += length;
                // A table may be in a list.
                let blanks = self.rest().bytes().take_while(|byte| *byte == b' ').count();
                if self.rest()[blanks..].starts_with("{|") {
                    self.at += blanks;
                    self.table();
                }
            }
            b'-' if run(b"-") >= 4 => {
                self.at += run(b"-");
                self.stand_alone();
            }
            b'{' if rest.starts_with("{|") => self.table(),
            b'|' if is_outside && self.tables > 0 => self.row(rest),
            b'!' if is_outside && self.tables > 0 => {
                self.separate(Flow::cell);
                self.is_header = true;
                self.at += 1;
                self.skip_attributes();
            }
            b' ' if is_outside => self.stand_alone(),
            _ => {}
        }
    }

    pub(super) fn end_line(&mut self) {
        self.end_addresses();
        if self.is_alone || self.is_line_empty {
            self.separate(Flow::line);
        } else {
            self.put("\n");
        }
        self.heading_end = None;
    }

    /// The one apostrophe that is text of a line with an odd number of marks for bold and for italics: of the first
    /// bold one after a word of one letter, or after a longer word, or after a blank (`doQuotes` of MediaWiki's
    /// parser).
    fn first_apostrophe(&self) -> Option<usize> {
        let line = self.rest().split('\n').next().unwrap_or("");
        let bytes = line.as_bytes();
        let (mut bold, mut italic, mut found) = (0, 0, [None; 3]);
        let mut at = 0;
        while let Some(next) = memchr::memmem::find(&bytes[at..], b"''") {
            at += next;
            let count = bytes[at..].iter().take_while(|byte| **byte == b'\'').count();
            bold += usize::from(count >= 3);
            italic += usize::from(count == 2 || count >= 5);
            if count == 3 {
                let mut before = line[..at].chars().rev();
                let place = match (before.next(), before.next()) {
                    (Some(' '), _) => 2,
                    (Some(_), Some(' ')) => 0,
                    _ => 1,
                };
                found[place] = found[place].or(Some(self.at + at));
            }
            at += count;
        }
        found.into_iter().flatten().next().filter(|_| bold % 2 == 1 && italic % 2 == 1)
    }

    fn stand_alone(&mut self) {
        self.separate(Flow::line);
        self.is_alone = true;
    }

    fn heading(&mut self, rest: &str) {
        let mut line = rest.lines().next().unwrap_or("").trim_end();
        while let Some((before, _)) =
            line.strip_suffix("-->").and_then(|line| line.rsplit_once("<!--"))
        {
            line = before.trim_end();
        }
        let count = |line: &str| line.bytes().take_while(|byte| *byte == b'=').count();
        let after = line.bytes().rev().take_while(|byte| *byte == b'=').count();
        let level = count(line).min(after).min(6);
        if level > 0 && line.len() > 2 * level {
            self.heading_end = Some(self.at + line.len() - level);
            self.at += level;
            self.stand_alone();
        }
    }

    /// `{|` and its attributes; the row is one of its own.
    fn table(&mut self) {
        self.tables += 1;
        self.skip_line();
    }

    /// A line of a table that begins with a bar.
    fn row(&mut self, rest: &str) {
        match rest.as_bytes().get(1) {
            Some(b'-') => {
                self.separate(Flow::line);
                self.skip_line();
            }
            Some(b'}') if !rest.starts_with("|}}") => {
                self.tables -= 1;
                self.stand_alone();
                self.at += 2;
            }
            Some(b'+') => {
                self.stand_alone();
                self.at += 2;
                self.skip_attributes();
            }
            _ => {
                self.separate(Flow::cell);
                self.at += 1;
                self.skip_attributes();
            }
        }
    }

    /// Begins a cell within a line, whose sign has this length; gives the length of the sign and of the attributes.
    pub(super) fn cell(&mut self, sign: usize) -> usize {
        self.separate(Flow::cell);
        sign + self.attributes(self.at + sign)
    }

    fn skip_attributes(&mut self) {
        self.at += self.attributes(self.at);
    }

    /// The length of the attributes of a cell, which end with a bar. No further than to what attributes do not have.
    fn attributes(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        let Some(end) = rest.find(['|', '\n', '[', '{', '<', '!']) else { return 0 };
        let is_end = rest.as_bytes()[end] == b'|' && !rest[end..].starts_with("||");
        if is_end { end + 1 } else { 0 }
    }

    /// Passes over the rest of the line; its end is still to come.
    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        self.is_alone = true;
    }

    /// `File:name.jpg|caption`.
    fn file_of_gallery(&mut self, rest: &str) {
        let end = rest.find(['|', '\n', '<']).unwrap_or(rest.len());
        if rest.as_bytes().get(end) == Some(&b'|') {
            self.at += end + 1;
            // Options of the picture, up to its caption.
            while ["link=", "alt="].iter().any(|option| self.rest().starts_with(option))
                && let Some(end) = self.rest().find(['|', '\n', '<'])
            {
                self.at += end + usize::from(self.rest().as_bytes()[end] == b'|');
            }
        } else if !rest.starts_with('<') {
            self.at += end;
        }
        self.stand_alone();
    }
}
