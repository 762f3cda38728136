//! Branches of conditions that are not text.

use std::collections::HashMap;

use super::Reader;

/// Conditions of TeX itself.
const PRIMITIVES: [&str; 21] = [
    "if",
    "ifcase",
    "ifcat",
    "ifcsname",
    "ifdefined",
    "ifdim",
    "ifeof",
    "iffalse",
    "iffontchar",
    "ifhbox",
    "ifhmode",
    "ifincsname",
    "ifinner",
    "ifmmode",
    "ifnum",
    "ifodd",
    "iftrue",
    "ifvbox",
    "ifvmode",
    "ifvoid",
    "ifx",
];

/// Where a branch that was passed over ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::latex) enum BranchEnd {
    Else,
    Or,
    Fi,
}

/// Whether a command begins a condition that ends with `\fi`. Others of such names take groups.
pub(in crate::latex) fn is_condition(
    name: &str,
    next: Option<char>,
    declared: &HashMap<String, bool>,
) -> bool {
    let Some(own) = name.strip_prefix("if") else { return false };
    PRIMITIVES.contains(&name)
        || declared.contains_key(own)
        || (next != Some('{') && !matches!(name, "iff" | "ifthenelse" | "iflanguage"))
}

impl Reader {
    /// Passes over what a condition excludes: up to its `\else`, its `\fi` or the next of its cases.
    pub(in crate::latex) fn skip_branch(&mut self, declared: &HashMap<String, bool>) -> BranchEnd {
        let mut depth = 0usize;
        while let Some(c) = self.next() {
            if c == '%' {
                self.skip_comment();
            }
            if c != '\\' {
                continue;
            }
            let name = self.command_name();
            match name.as_str() {
                "else" if depth == 0 => return BranchEnd::Else,
                "or" if depth == 0 => return BranchEnd::Or,
                "fi" | "repeat" => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return BranchEnd::Fi,
                },
                // What is declared or compared is not begun.
                "newif" | "let" => {
                    self.token();
                }
                "ifx" | "ifdefined" => {
                    depth += 1;
                    self.token();
                }
                _ => depth += usize::from(is_condition(&name, self.peek(), declared)),
            }
        }
        BranchEnd::Fi
    }

    /// Passes over the rest of a condition of which a branch was read.
    pub(in crate::latex) fn skip_to_fi(&mut self, declared: &HashMap<String, bool>) {
        while self.skip_branch(declared) != BranchEnd::Fi {}
    }
}
