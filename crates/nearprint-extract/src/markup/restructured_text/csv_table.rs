//! `csv-table` of reStructuredText: the head that is an option of the directive, and the rows.

/// A table being read.
#[derive(Debug)]
pub(super) struct CsvTable {
    /// The columns of blanks before the directive.
    pub(super) depth: usize,
    is_content: bool,
    /// Whether the last option is the head, which may go on.
    is_header: bool,
    header: String,
    rows: String,
    delimiter: char,
    quote: char,
}

impl CsvTable {
    pub(super) fn new(depth: usize) -> Self {
        Self {
            depth,
            is_content: false,
            is_header: false,
            header: String::new(),
            rows: String::new(),
            delimiter: ',',
            quote: '"',
        }
    }

    /// Reads a line of the directive: an option, or a line of rows after an empty one.
    pub(super) fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if self.is_content {
            self.rows.push_str(trimmed);
            self.rows.push('\n');
            return;
        }
        let option = trimmed.strip_prefix(':').and_then(|rest| rest.split_once(':'));
        match option {
            _ if trimmed.is_empty() => self.is_content = true,
            Some((name, value)) => self.option(name, value.trim()),
            None if self.is_header => {
                self.header.push('\n');
                self.header.push_str(trimmed);
            }
            None => {}
        }
    }

    fn option(&mut self, name: &str, value: &str) {
        self.is_header = name == "header";
        let sign = |default| match value {
            "tab" => '\t',
            "space" => ' ',
            value => value.chars().next().unwrap_or(default),
        };
        match name {
            "header" => value.clone_into(&mut self.header),
            "delim" => self.delimiter = sign(','),
            "quote" => self.quote = sign('"'),
            _ => {}
        }
    }

    /// The rows of the table, its head first, with tabs between their cells.
    pub(super) fn rows(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for text in [&self.header, &self.rows] {
            self.read(text, &mut rows);
        }
        rows
    }

    /// Reads rows, whose cells may be quoted, with line breaks and delimiters in them; two quotes there are one.
    fn read(&self, text: &str, rows: &mut Vec<String>) {
        let mut row = String::new();
        let (mut is_quoted, mut begins) = (false, true);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                _ if is_quoted && c == self.quote => {
                    if chars.next_if_eq(&c).is_some() {
                        row.push(c);
                    } else {
                        is_quoted = false;
                    }
                }
                '\n' if !is_quoted => {
                    rows.extend(Some(std::mem::take(&mut row)).filter(|row| !row.is_empty()));
                    begins = true;
                }
                _ if !is_quoted && c == self.delimiter => {
                    row.push('\t');
                    begins = true;
                }
                _ if begins && c == self.quote => (is_quoted, begins) = (true, false),
                _ if begins && c.is_whitespace() => {}
                _ => {
                    row.push(if c.is_whitespace() { ' ' } else { c });
                    begins = false;
                }
            }
        }
        rows.extend(Some(row).filter(|row| !row.is_empty()));
    }
}
