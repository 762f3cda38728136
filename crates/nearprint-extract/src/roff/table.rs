//! tbl's tables: what stands in their cells.

use super::escape::{self, Strings};
use crate::flow::Flow;

/// A table being read.
pub(super) struct Table {
    /// Whether the lines are still the format, which ends with a full stop.
    format: bool,
    separator: char,
    /// Whether a cell of several lines is open.
    block: bool,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { format: true, separator: '\t', block: false }
    }

    pub(super) fn line(&mut self, line: &str, flow: &mut Flow, strings: &Strings) {
        if self.format {
            if let Some(at) = line.find("tab(")
                && let Some(c) = line[at + 4..].chars().next()
            {
                self.separator = c;
            }
            self.format = !line.trim_end().ends_with('.');
            return;
        }
        // Rules across the table.
        if matches!(line.trim(), "_" | "=" | "\\_") {
            return;
        }
        let mut cells = line;
        if self.block {
            let Some(after) = line.strip_prefix("T}") else {
                flow.space();
                escape::set(line, strings, flow);
                return;
            };
            self.block = false;
            cells = after;
            if after.is_empty() {
                return;
            }
        } else {
            flow.line();
        }
        for cell in cells.split(self.separator) {
            flow.cell();
            if cell.trim_end() == "T{" {
                self.block = true;
            } else if !matches!(cell.trim(), "_" | "=" | "\\^") {
                escape::set(cell, strings, flow);
            }
        }
    }
}
