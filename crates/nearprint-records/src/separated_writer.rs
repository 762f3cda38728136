//! Rows as separated values, by RFC 4180: commas, lines that end with CR LF, quotes where they are needed.

use std::io::{self, Write};

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
    fn cells_are_quoted_where_they_must_be() {
        let mut out = Vec::new();
        write_line(&mut out, &["a", "", "b,c", "say \"d\"", "e\nf"]).unwrap();
        assert_eq!(out, b"a,,\"b,c\",\"say \"\"d\"\"\",\"e\nf\"\r\n");
    }
}
