//! Results on a terminal: the lines of the text format as an aligned table with a heading.
//!
//! The widths of the columns come from the first rows, so a table of any length is written as its rows come. Wider
//! cells further down shift their line and nothing else. Characters that reorder a line are written as escapes,
//! wherever the table goes: a pager obeys them as a terminal does.

use std::io::{self, Write};

use crate::color::{Paint, paint};
use crate::visible;

/// Rows from which the widths of the columns are taken.
const SAMPLE: usize = 200;

/// A writer of lines with tabs that writes them as a table.
pub(crate) struct AlignedTable<W: Write> {
    out: W,
    heading: &'static [&'static str],
    color: bool,
    /// The end of what was written, if it is not a whole line.
    partial: Vec<u8>,
    /// Rows that wait for the widths; `None` once the widths are known.
    waiting: Option<Vec<String>>,
    columns: Vec<Column>,
}

#[derive(Clone, Copy, Default)]
struct Column {
    width: usize,
    /// Whether all its cells are numbers or missing, which are aligned to the right.
    right: bool,
}

impl<W: Write> AlignedTable<W> {
    /// A table on `out`. Lines may have fewer cells than the heading.
    pub(crate) fn new(out: W, heading: &'static [&'static str], color: bool) -> Self {
        Self {
            out,
            heading,
            color,
            partial: Vec::new(),
            waiting: Some(Vec::new()),
            columns: Vec::new(),
        }
    }

    /// Writes the rows that wait, and a last line without an end.
    fn finish(&mut self) -> io::Result<()> {
        if !self.partial.is_empty() {
            let line = std::mem::take(&mut self.partial);
            self.line(&String::from_utf8_lossy(&visible::results(&line)))?;
        }
        self.write_waiting()?;
        self.out.flush()
    }

    /// The writer below, after all rows.
    pub(crate) fn into_inner(mut self) -> io::Result<W> {
        self.finish()?;
        Ok(self.out)
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        match &mut self.waiting {
            Some(waiting) => {
                waiting.push(line.to_owned());
                if waiting.len() >= SAMPLE { self.write_waiting() } else { Ok(()) }
            }
            None => self.write_line(line),
        }
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let Some(lines) = self.waiting.take().filter(|lines| !lines.is_empty()) else {
            return Ok(());
        };
        let rows: Vec<Vec<&str>> =
            lines.iter().filter(|line| !is_detail(line)).map(|line| cells(line)).collect();
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        self.columns = (0..count)
            .map(|column| {
                let cells = || rows.iter().filter_map(|row| row.get(column));
                let heading = self.heading.get(column).map_or(0, |name| name.chars().count());
                let widest = cells().map(|cell| cell.chars().count()).max().unwrap_or(0);
                Column {
                    width: widest.max(heading),
                    right: cells().all(|cell| *cell == "-" || cell.parse::<f64>().is_ok()),
                }
            })
            .collect();
        if !self.heading.is_empty() {
            let heading = self.padded(&self.heading[..count.min(self.heading.len())]);
            let heading = if self.color { paint(Paint::Heading, &heading) } else { heading };
            writeln!(self.out, "{heading}")?;
        }
        lines.iter().try_for_each(|line| self.write_line(line))
    }

    fn write_line(&mut self, line: &str) -> io::Result<()> {
        // Passages of a pair follow its line.
        if is_detail(line) {
            return writeln!(self.out, "    {}", line.trim_start().replace('\t', "  "));
        }
        let cells = cells(line);
        let text = self.padded(&cells);
        let mark = cells.first().and_then(|first| Paint::of(first)).filter(|_| self.color);
        match (mark, text.split_once(cells.first().copied().unwrap_or(""))) {
            (Some(mark), Some(("", rest))) => writeln!(self.out, "{}{rest}", paint(mark, cells[0])),
            _ => writeln!(self.out, "{text}"),
        }
    }

    fn padded(&self, cells: &[&str]) -> String {
        let mut line = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let Column { width, right } = self.columns.get(at).copied().unwrap_or_default();
            if at > 0 {
                line.push_str("  ");
            }
            line.push_str(&if right {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            });
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// A line that belongs to the row before it.
fn is_detail(line: &str) -> bool {
    line.starts_with('\t')
}

fn cells(line: &str) -> Vec<&str> {
    line.split('\t').collect()
}

impl<W: Write> Write for AlignedTable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.partial.extend_from_slice(bytes);
        let Some(end) = self.partial.iter().rposition(|&byte| byte == b'\n') else {
            return Ok(bytes.len());
        };
        let rest = self.partial.split_off(end + 1);
        let lines = std::mem::replace(&mut self.partial, rest);
        // Rows are UTF-8, and a line feed ends a whole number of characters.
        for line in String::from_utf8_lossy(&visible::results(&lines)).lines() {
            self.line(line)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // Rows that wait for the widths are wanted now: queries are answered one by one.
        self.write_waiting()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(heading: &'static [&'static str], text: &str, color: bool) -> String {
        let mut out = Vec::new();
        let mut aligned = AlignedTable::new(&mut out, heading, color);
        // Writers get bytes in any pieces.
        for piece in text.as_bytes().chunks(5) {
            aligned.write_all(piece).unwrap();
        }
        aligned.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_aligned_under_their_names() {
        assert_eq!(
            table(&["A", "B", "DISTANCE"], "ä.txt\tlonger.txt\t3\nb\tc\t12\n", false),
            "A      B           DISTANCE\nä.txt  longer.txt         3\nb      c                 12\n"
        );
        assert_eq!(table(&["A"], "", false), "");
        assert_eq!(
            table(&[], "distance\t3\nmatch\tclose\n", false),
            "distance  3\nmatch     close\n"
        );
    }

    #[test]
    fn what_reorders_a_line_is_shown() {
        assert_eq!(
            table(&["ID", "N"], "a\u{202e}b\t1\nc\t2\n", false),
            "ID          N\na\\u{202e}b  1\nc           2\n"
        );
    }

    #[test]
    fn lines_with_fewer_cells_and_details_are_kept() {
        let text = "a\tb\t1\n\tboth\t1\t1\t2\tsame words\nc\td\t-\n";
        let expected = "A  B  N\na  b  1\n    both  1  1  2  same words\nc  d  -\n";
        assert_eq!(table(&["A", "B", "N"], text, false), expected);
    }

    #[test]
    fn rows_after_the_sample_do_not_wait() {
        let mut out = Vec::new();
        let mut aligned = AlignedTable::new(&mut out, &["N"], false);
        for number in 0..SAMPLE {
            writeln!(aligned, "{number}").unwrap();
        }
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), SAMPLE + 1);
    }

    #[test]
    fn decisions_are_colored() {
        let text = table(&["DECISION", "ID"], "keep\ta\ndrop\tb\n", true);
        assert_eq!(text.matches("\u{1b}[").count(), 6, "{text:?}");
        assert!(text.contains("\u{1b}[32mkeep\u{1b}[0m      a"), "{text:?}");
    }
}
