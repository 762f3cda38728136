//! Rows as separated values, by RFC 4180: commas, lines that end with CR LF, quotes where they are needed.

use std::io::{self, Write};

/// Characters by which a spreadsheet tells what it runs from what it shows.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The cell of a value, empty where there is none.
pub(crate) fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Writes one line for a spreadsheet: an apostrophe stands before what it would run. Numbers are shown as they are.
pub(crate) fn write_shown_line(out: &mut dyn Write, cells: &[&str]) -> io::Result<()> {
    let shown = |cell: &&str| match cell.starts_with(FORMULA) && cell.parse::<f64>().is_err() {
        true => format!("'{cell}"),
        false => (*cell).to_owned(),
    };
    let shown: Vec<String> = cells.iter().map(shown).collect();
    write_line(out, &shown.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Writes one line.
pub(crate) fn write_line(out: &mut dyn Write, cells: &[&str]) -> io::Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        if cell.contains(['"', ',', '\r', '\n']) {
            write!(out, "\"{}\"", cell.replace('"', "\"\""))?;
        } else {
            out.write_all(cell.as_bytes())?;
        }
    }
    out.write_all(b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_run_is_shown() {
        let mut out = Vec::new();
        let cells = ["=1+1", "@a", "-x,y", "-0.5", "+7", "a=b", "", "\t=1"];
        write_shown_line(&mut out, &cells).unwrap();
        assert_eq!(out, b"'=1+1,'@a,\"'-x,y\",-0.5,+7,a=b,,'\t=1\r\n");
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut out = Vec::new();
        write_line(&mut out, &["a", "", "b,c", "say \"d\"", "e\nf"]).unwrap();
        assert_eq!(out, b"a,,\"b,c\",\"say \"\"d\"\"\",\"e\nf\"\r\n");
    }
}
