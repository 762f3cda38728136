//! HTML's tokenizer (HTML standard, 13.2.5) as slices of the input.
//!
//! It finds what the standard finds, without copying: text is given with its character references still in
//! place, tags with their attributes unread. There is no tree and no state but the place in the input, so
//! neither depth nor length costs memory.

use memchr::{memchr, memchr2, memmem};

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Character data; references are not yet resolved.
    Text(&'a str),
    /// A start tag.
    Start(Tag<'a>),
    /// An end tag.
    End(Tag<'a>),
    /// A comment, bogus ones included.
    Comment(&'a str),
    /// A document type declaration.
    Doctype(&'a str),
}

/// A tag: its name as written, and what stands between the name and `>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub(crate) name: &'a str,
    rest: &'a str,
}

impl<'a> Tag<'a> {
    /// Whether the tag ends in `/>`.
    pub(crate) fn is_self_closing(self) -> bool {
        let mut attributes = self.attributes();
        attributes.by_ref().for_each(drop);
        attributes.self_closing
    }

    /// The attributes in order, duplicates included; values with references unresolved.
    pub(crate) fn attributes(self) -> Attributes<'a> {
        Attributes { rest: self.rest, at: 0, self_closing: false }
    }

    /// What stands between the name and `>`.
    pub(crate) fn attribute_source(self) -> &'a str {
        self.rest
    }

    /// Whether there are any attributes to look at.
    pub(crate) fn has_attributes(self) -> bool {
        !self.rest.is_empty()
    }
}

/// The attributes of one tag: name and value, in time linear in the tag.
pub(crate) struct Attributes<'a> {
    rest: &'a str,
    at: usize,
    self_closing: bool,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.rest.as_bytes();
        loop {
            match bytes.get(self.at)? {
                b'/' => {
                    self.self_closing = self.at + 1 == bytes.len();
                    self.at += 1;
                }
                b if is_blank(*b) => self.at += 1,
                _ => break,
            }
        }
        let start = self.at;
        let end = attribute_name_end(bytes, start);
        let name = &self.rest[start..end];
        let Some(value_at) = value_start(bytes, end) else {
            self.at = end;
            return Some((name, ""));
        };
        let (from, to, next) = value_bounds(bytes, value_at);
        self.at = next;
        Some((name, &self.rest[from..to]))
    }
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// Where the attribute name that begins at `start` ends. A name may begin with `=`.
fn attribute_name_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(b) = bytes.get(at)
        && !is_blank(*b)
        && !matches!(b, b'/' | b'>' | b'=')
    {
        at += 1;
    }
    at.min(bytes.len())
}

/// Where the value begins, if a name that ended at `at` has one.
fn value_start(bytes: &[u8], mut at: usize) -> Option<usize> {
    while is_blank(*bytes.get(at)?) {
        at += 1;
    }
    if bytes[at] != b'=' {
        return None;
    }
    at += 1;
    while bytes.get(at).is_some_and(|b| is_blank(*b)) {
        at += 1;
    }
    Some(at)
}

/// A value that begins at `at`: its first byte, its end, and where reading continues. An unclosed quote runs
/// to the end of `bytes`, and reading continues past it.
fn value_bounds(bytes: &[u8], at: usize) -> (usize, usize, usize) {
    match bytes.get(at) {
        Some(quote @ (b'"' | b'\'')) => match memchr(*quote, &bytes[at + 1..]) {
            Some(length) => (at + 1, at + 1 + length, at + length + 2),
            None => (at + 1, bytes.len(), bytes.len() + 1),
        },
        _ => {
            let length = bytes[at..].iter().take_while(|b| !is_blank(**b) && **b != b'>').count();
            (at, at + length, at + length)
        }
    }
}

/// Reads tokens from a text.
#[derive(Debug)]
pub(crate) struct Tokenizer<'a> {
    text: &'a str,
    at: usize,
    /// Where the last end of a comment is, if comments without an end are to end at the next `>`.
    last_comment_end: Option<usize>,
    unclosed: bool,
}

impl<'a> Tokenizer<'a> {
    /// By the standard: a comment that is never closed takes all the rest.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, last_comment_end: None, unclosed: false }
    }

    /// Like [`Self::new`], but a comment that is never closed ends at its first `>`, as in the browsers
    /// that pages with such comments were written for.
    pub(crate) fn forgiving(text: &'a str) -> Self {
        let end = memmem::rfind(text.as_bytes(), b"-->").unwrap_or(0);
        Self { last_comment_end: Some(end), ..Self::new(text) }
    }

    /// Bytes of the text that were read.
    pub(crate) fn place(&self) -> usize {
        self.at
    }

    /// Whether a comment without an end took the rest of the text.
    pub(crate) fn is_unclosed(&self) -> bool {
        self.unclosed
    }

    /// The text from here up to the end tag `</name`, which becomes the next token: the content of an
    /// element whose text is not markup. Without an end tag, all the rest.
    pub(crate) fn raw_text(&mut self, name: &str) -> &'a str {
        let rest = &self.text[self.at..];
        let length = if name.eq_ignore_ascii_case("script") {
            script_length(rest)
        } else {
            find_end_tag(rest, 0, name).unwrap_or(rest.len())
        };
        self.at += length;
        &rest[..length]
    }

    /// All the rest as text (`plaintext`).
    pub(crate) fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        self.at = self.text.len();
        rest
    }

    fn take(&mut self, length: usize) -> &'a str {
        let piece = &self.text[self.at..self.at + length];
        self.at += length;
        piece
    }

    /// The tag whose name begins `skip` bytes from here; none if the input ends inside it, and then the
    /// rest of the input is gone, as the standard has it.
    fn tag(&mut self, skip: usize) -> Option<Tag<'a>> {
        let rest = &self.text[self.at + skip..];
        let bytes = rest.as_bytes();
        let name = bytes.iter().position(|b| is_blank(*b) || matches!(b, b'/' | b'>'));
        let end = name.and_then(|name| Some((name, tag_end(bytes, name)?)));
        let Some((name, end)) = end else {
            self.at = self.text.len();
            return None;
        };
        self.at += skip + end + 1;
        Some(Tag { name: &rest[..name], rest: &rest[name..end] })
    }

    /// A comment whose text begins `skip` bytes from here and ends before `>`.
    fn bogus_comment(&mut self, skip: usize) -> &'a str {
        let rest = &self.text[self.at + skip..];
        let length = memchr(b'>', rest.as_bytes()).unwrap_or(rest.len());
        self.at = (self.at + skip + length + 1).min(self.text.len());
        &rest[..length]
    }
}

impl<'a> Iterator for Tokenizer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        // An empty end tag is nothing at all.
        while self.text[self.at..].starts_with("</>") {
            self.at += 3;
        }
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let mut from = 0;
        loop {
            let Some(open) = memchr(b'<', &bytes[from..]).map(|n| from + n) else {
                return Some(Token::Text(self.take(rest.len())));
            };
            let markup = match bytes.get(open + 1) {
                Some(b'!' | b'?') => true,
                Some(b'/') => bytes.get(open + 2).is_some(),
                Some(b) => b.is_ascii_alphabetic(),
                None => false,
            };
            if !markup {
                from = open + 1;
                continue;
            }
            if open > 0 {
                return Some(Token::Text(self.take(open)));
            }
            break;
        }
        match bytes[1] {
            b'/' if bytes[2].is_ascii_alphabetic() => self.tag(2).map(Token::End),
            b'/' => Some(Token::Comment(self.bogus_comment(2))),
            b'!' if rest.starts_with("<!--")
                && self.last_comment_end.is_some_and(|end| self.at + 2 > end) =>
            {
                Some(Token::Comment(self.bogus_comment(4)))
            }
            b'!' if rest.starts_with("<!--") => {
                let (text, length, closed) = comment(&rest[4..]);
                self.unclosed |= !closed;
                self.at += 4 + length;
                Some(Token::Comment(text))
            }
            b'!' if bytes.len() >= 9 && bytes[2..9].eq_ignore_ascii_case(b"doctype") => {
                Some(Token::Doctype(self.bogus_comment(9)))
            }
            b'!' => Some(Token::Comment(self.bogus_comment(2))),
            b'?' => Some(Token::Comment(self.bogus_comment(1))),
            _ => self.tag(1).map(Token::Start),
        }
    }
}

/// Where the `>` of a tag is whose name ended at `at`; quoted values may hold others.
fn tag_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    // Up to the first quote nothing can hide a `>`.
    loop {
        match bytes.get(at)? {
            b'>' => return Some(at),
            b'/' => at += 1,
            b if is_blank(*b) => at += 1,
            _ => {
                at = attribute_name_end(bytes, at);
                if let Some(value_at) = value_start(bytes, at) {
                    at = value_bounds(bytes, value_at).2;
                }
            }
        }
    }
}

/// The text of a comment that begins after `<!--`, the length with its end, and whether it has one.
fn comment(rest: &str) -> (&str, usize, bool) {
    let bytes = rest.as_bytes();
    if bytes.starts_with(b">") {
        return ("", 1, true);
    }
    if bytes.starts_with(b"->") {
        return ("", 2, true);
    }
    let mut from = 0;
    while let Some(at) = memmem::find(&bytes[from..], b"--").map(|n| from + n) {
        match bytes.get(at + 2) {
            Some(b'>') => return (&rest[..at], at + 3, true),
            Some(b'!') if bytes.get(at + 3) == Some(&b'>') => return (&rest[..at], at + 4, true),
            _ => from = at + 1,
        }
    }
    // What could have begun the end is not part of the text.
    let text = ["--!", "--", "-"].iter().find_map(|end| rest.strip_suffix(end)).unwrap_or(rest);
    (text, rest.len(), false)
}

/// Where `</name` followed by a blank, `/` or `>` is, from `from` on.
fn find_end_tag(text: &str, mut from: usize, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    while let Some(at) = memmem::find(&bytes[from..], b"</").map(|n| from + n) {
        if is_tag_named(&bytes[at + 2..], name) {
            return Some(at);
        }
        from = at + 2;
    }
    None
}

fn is_tag_named(bytes: &[u8], name: &str) -> bool {
    bytes.len() > name.len()
        && bytes[..name.len()].eq_ignore_ascii_case(name.as_bytes())
        && (is_blank(bytes[name.len()]) || matches!(bytes[name.len()], b'/' | b'>'))
}

/// The length of a script: a `</script` ends it, but for one that belongs to a `<script` inside `<!--`.
fn script_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut escaped, mut doubly) = (0, false, false);
    loop {
        let next =
            if escaped { memchr2(b'<', b'-', &bytes[at..]) } else { memchr(b'<', &bytes[at..]) };
        let Some(next) = next else { return text.len() };
        at += next;
        let rest = &bytes[at..];
        if rest.starts_with(b"-->") {
            (escaped, doubly) = (false, false);
            at += 3;
        } else if rest.starts_with(b"</") && is_tag_named(&rest[2..], "script") {
            if !doubly {
                return at;
            }
            doubly = false;
            at += 8;
        } else if !escaped && rest.starts_with(b"<!--") {
            escaped = true;
            // The dashes may close it at once: `<!-->`.
            at += 2;
        } else if escaped && !doubly && rest[0] == b'<' && is_tag_named(&rest[1..], "script") {
            doubly = true;
            at += 7;
        } else {
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
