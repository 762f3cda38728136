//! MIME: headers, transfer encodings, the parts of a part.

use std::borrow::Cow;

/// A message or a part of one.
#[derive(Debug)]
pub(super) struct Part<'a> {
    headers: Vec<(String, String)>,
    body: &'a [u8],
}

impl<'a> Part<'a> {
    /// Reads the headers, up to the first empty line.
    pub(super) fn read(bytes: &'a [u8]) -> Self {
        let mut headers: Vec<(String, String)> = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            rest = after;
            let text = String::from_utf8_lossy(line.trim_ascii_end());
            if text.is_empty() {
                break;
            }
            if text.starts_with([' ', '\t']) {
                if let Some((_, value)) = headers.last_mut() {
                    value.push(' ');
                    value.push_str(text.trim_start());
                }
            } else if let Some((name, value)) = text.split_once(':') {
                headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        Self { headers, body: rest }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The subject with its encoded words read.
    pub(super) fn subject(&self) -> Option<String> {
        self.header("subject").map(encoded_words)
    }

    /// The media type in lower case, without parameters.
    pub(super) fn media_type(&self) -> String {
        let value = self.header("content-type").unwrap_or("text/plain");
        value.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
    }

    pub(super) fn charset(&self) -> Option<String> {
        parameter(self.header("content-type")?, "charset")
    }

    pub(super) fn is_attachment(&self) -> bool {
        self.header("content-disposition")
            .is_some_and(|value| value.trim().to_ascii_lowercase().starts_with("attachment"))
    }

    /// Whether this is a page with what it shows, saved as a message that nobody sent.
    pub(super) fn is_saved_page(&self) -> bool {
        let sent = ["to", "received", "return-path", "message-id", "newsgroups"];
        self.media_type() == "multipart/related"
            && sent.iter().all(|name| self.header(name).is_none())
    }

    /// Of related parts, the one that shows the others: the one that is named, or the first.
    pub(super) fn root(&self) -> Option<Part<'a>> {
        let start = self.header("content-type").and_then(|value| parameter(value, "start"));
        let is_named = |part: &Part<'a>| part.header("content-id") == start.as_deref();
        let named = start.as_ref().and_then(|_| self.parts().find(is_named));
        named.or_else(|| self.parts().next())
    }

    /// What follows the headers, as it was sent.
    pub(super) fn raw(&self) -> &'a [u8] {
        self.body
    }

    /// The content with its transfer encoding undone.
    pub(super) fn content(&self) -> Cow<'a, [u8]> {
        let encoding = self.header("content-transfer-encoding").unwrap_or("").to_ascii_lowercase();
        match encoding.trim() {
            "base64" => base64(self.body).into(),
            "quoted-printable" => quoted_printable(self.body, false).into(),
            _ => self.body.into(),
        }
    }

    /// Whether parts begin here and the boundary that ends the last one is missing.
    pub(super) fn is_cut(&self) -> bool {
        let boundary = self.header("content-type").and_then(|value| parameter(value, "boundary"));
        boundary.is_some_and(|boundary| {
            boundary_at(self.body, format!("--{boundary}--").as_bytes()).is_none()
        })
    }

    /// The parts between the boundaries; without a boundary, none.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let boundary = self.header("content-type").and_then(|value| parameter(value, "boundary"));
        let mark = boundary.map(|b| format!("--{b}").into_bytes());
        let mut rest = self.body;
        let mut begun = false;
        std::iter::from_fn(move || {
            let mark = mark.as_ref()?;
            loop {
                let at = boundary_at(rest, mark);
                let found = begun.then(|| Part::read(&rest[..at.unwrap_or(rest.len())]));
                let Some(at) = at else {
                    // A part that is cut short is a part.
                    rest = &[];
                    begun = false;
                    return found.filter(|part| !part.body.is_empty());
                };
                let after = &rest[at + mark.len()..];
                begun = !after.starts_with(b"--");
                rest = memchr::memchr(b'\n', after).map_or(&[], |end| &after[end + 1..]);
                if found.is_some() {
                    return found;
                }
                if !begun {
                    return None;
                }
            }
        })
    }
}

/// Where a line begins with `mark`.
fn boundary_at(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(bytes, mark).find(|at| *at == 0 || bytes[at - 1] == b'\n')
}

/// The value of a parameter such as `charset=`, quotes off.
fn parameter(value: &str, name: &str) -> Option<String> {
    value.split(';').skip(1).find_map(|parameter| {
        let (found, value) = parameter.split_once('=')?;
        found
            .trim()
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().trim_matches('"').to_owned())
            .filter(|value| !value.is_empty())
    })
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for b in bytes {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// Quoted-printable; in headers, an underscore is a space.
fn quoted_printable(bytes: &[u8], header: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'=' => {
                let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
                if let Some(code) = digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
                    out.push(code);
                    rest = &after[2..];
                } else if let Some(next) = after.strip_prefix(b"\r\n") {
                    rest = next;
                } else if let Some(next) = after.strip_prefix(b"\n") {
                    rest = next;
                } else {
                    out.push(b'=');
                }
            }
            b'_' if header => out.push(b' '),
            other => out.push(*other),
        }
    }
    out
}

/// `=?charset?B?...?=` and `=?charset?Q?...?=`; blanks between two of them are none.
fn encoded_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut after_word = false;
    // Words end before this; without it, a text of beginnings has as many ends to look for.
    let last_end = text.rfind("?=").unwrap_or(0);
    while let Some(at) = rest.find("=?") {
        let between = &rest[..at];
        let place = text.len() - rest.len() + at;
        let word = if place < last_end { encoded_word(&rest[at + 2..]) } else { None };
        let Some((word, length)) = word else {
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            after_word = false;
            continue;
        };
        if !(after_word && between.trim().is_empty()) {
            out.push_str(between);
        }
        out.push_str(&word);
        rest = &rest[at + 2 + length..];
        after_word = true;
    }
    out.push_str(rest);
    out
}

/// The text of an encoded word after its `=?`, and its length.
fn encoded_word(rest: &str) -> Option<(String, usize)> {
    let mut fields = rest.splitn(3, '?');
    let (charset, kind, rest_of) = (fields.next()?, fields.next()?, fields.next()?);
    // Before the end is looked for, which may be far.
    if !matches!(kind, "B" | "b" | "Q" | "q") {
        return None;
    }
    let end = rest_of.find("?=")?;
    let content = &rest_of.as_bytes()[..end];
    let bytes = match kind {
        "B" | "b" => base64(content),
        "Q" | "q" => quoted_printable(content, true),
        _ => return None,
    };
    let text = crate::charset::decode(&bytes, Some(charset)).text.into_owned();
    Some((text, charset.len() + kind.len() + end + 4))
}
