//! Who is quoted, and where from: AsciiDoc states both before a quotation and shows them after it.

/// A quotation that is being read.
#[derive(Debug)]
pub(super) struct Quotation<'a> {
    source: String,
    /// The line that ends it; none for a paragraph.
    delimiter: Option<&'a str>,
    /// Whether it has begun.
    has_text: bool,
}

impl<'a> Quotation<'a> {
    /// Reads `[quote, Author, Source]`, or `[verse, ...]`. None if nobody is named.
    pub(super) fn read(line: &str) -> Option<Self> {
        let inside = line.strip_prefix('[')?.strip_suffix(']')?;
        let mut values = values(inside).into_iter();
        let style = values.next()?;
        let style = style.split(['#', '.', '%']).next()?;
        if !matches!(style, "quote" | "verse") {
            return None;
        }
        let shown = values.filter_map(|value| match value.split_once('=') {
            Some(("attribution" | "citetitle", named)) => Some(named.trim_matches('"').to_owned()),
            Some((name, _)) if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => None,
            _ => Some(value),
        });
        let shown: Vec<String> = shown.filter(|value| !value.is_empty()).collect();
        (!shown.is_empty()).then(|| Self {
            source: shown.join(", "),
            delimiter: None,
            has_text: false,
        })
    }

    /// Reads a line of the quotation; whether it ends here.
    pub(super) fn ends_with(&mut self, line: &'a str) -> bool {
        match self.delimiter {
            Some(delimiter) => return line == delimiter,
            None if !self.has_text && is_delimiter(line) => self.delimiter = Some(line),
            None if line.is_empty() => return self.has_text,
            // The title of the block.
            None if !self.has_text && line.starts_with('.') => return false,
            None => {}
        }
        self.has_text = true;
        false
    }

    pub(super) fn source(&self) -> &str {
        &self.source
    }
}

/// A line that begins a block of quoted text.
fn is_delimiter(line: &str) -> bool {
    line == "\"\"" || line == "--" || (line.len() >= 4 && line.bytes().all(|byte| byte == b'_'))
}

/// The values of a list of attributes; those in quotes may have commas in them.
fn values(list: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    let mut is_quoted = false;
    for c in list.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => values.push(String::new()),
            c => values.last_mut().into_iter().for_each(|value| value.push(c)),
        }
    }
    for value in &mut values {
        *value = value.trim().to_owned();
    }
    values
}
