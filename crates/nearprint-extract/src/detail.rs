//! Details of errors and warnings: one line of bounded length, in which nothing is obeyed by a terminal.
//!
//! They quote names from documents, and a worker that a document has taken over can send any: so they are written in
//! this form where they arise, and what comes from a worker in another form is refused.

/// Bytes of a detail (<=).
const LONGEST: usize = 1024;

/// What stands for the rest of a longer one.
const MORE: &str = "…";

/// Whether a terminal or an editor obeys a character instead of showing it: controls, ends of lines, and marks that
/// reorder a line.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The detail as one line of at most 1 KiB.
pub(crate) fn one_line(detail: String) -> String {
    if is_one_line(&detail) {
        return detail;
    }
    let mut line = String::new();
    for c in detail.chars() {
        let escaped = if is_obeyed(c) { c.escape_default().to_string() } else { c.to_string() };
        if line.len() + escaped.len() + MORE.len() > LONGEST {
            line.push_str(MORE);
            break;
        }
        line.push_str(&escaped);
    }
    line
}

/// Whether a detail is such a line.
pub(crate) fn is_one_line(detail: &str) -> bool {
    detail.len() <= LONGEST && !detail.chars().any(is_obeyed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_one_line_of_bounded_length() {
        assert_eq!(one_line("a name: \u{e9}".to_owned()), "a name: \u{e9}");
        assert_eq!(one_line("a\nb\u{1b}[m\u{202e}".to_owned()), "a\\nb\\u{1b}[m\\u{202e}");
        for text in ["x".repeat(5000), "\u{e9}".repeat(600), "\n".repeat(600)] {
            let line = one_line(text);
            assert!(is_one_line(&line) && line.len() > 1000 && line.ends_with('…'), "{line}");
        }
        assert_eq!(one_line("x".repeat(1024)).len(), 1024);
    }
}
