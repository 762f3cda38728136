//! Tables for people: columns padded to their widest cell, with the characters that reorder a line as escapes.

use std::borrow::Cow;

use crate::visible;

/// A table as text. Columns named in `right` are set flush right.
pub(crate) fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    let rows: Vec<Vec<Cow<'_, str>>> =
        rows.iter().map(|row| row.iter().map(|cell| visible::cell(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            if column > 0 {
                line.push_str("  ");
            }
            if right.contains(&column) {
                line.push_str(&format!("{cell:>width$}"));
            } else {
                line.push_str(&format!("{cell:<width$}"));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [
            vec!["a".to_owned(), "number".to_owned(), "x".to_owned()],
            vec!["ärger".to_owned(), "1".to_owned(), String::new()],
        ];
        assert_eq!(table(&rows, &[1]), "a      number  x\närger       1\n");
        assert_eq!(table(&[], &[]), "");
        let rows = [vec!["a\u{202e}b".to_owned(), "1".to_owned()]];
        assert_eq!(table(&rows, &[1]), "a\\u{202e}b  1\n");
    }
}
