//! The last touch on every text: characters that are instructions to a typesetter and no text.

/// Removes soft hyphens, with the line break that may follow them, and zero characters.
///
/// A soft hyphen marks where a word may be broken. Left at the end of a line it would cut the word in two.
pub(crate) fn tidy(text: String) -> String {
    let text =
        if memchr::memchr(0, text.as_bytes()).is_some() { text.replace('\0', "") } else { text };
    if text.is_ascii() || memchr::memmem::find(text.as_bytes(), "\u{AD}".as_bytes()).is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('\u{AD}');
    out.extend(pieces.next());
    for piece in pieces {
        let after = piece.trim_start_matches([' ', '\t', '\r']);
        match after.strip_prefix('\n') {
            Some(next) => out.push_str(next.trim_start_matches([' ', '\t'])),
            None => out.push_str(piece),
        }
    }
    // A hyphen before the last line break took it away.
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn soft_hyphens_join() {
        for (text, expected) in [
            ("a\u{AD}b\n", "ab\n"),
            ("a\u{AD}\n  b\n", "ab\n"),
            ("a\u{AD} \r\nb\n", "ab\n"),
            ("a\u{AD} b\n", "a b\n"),
            ("a\u{AD}\n", "a\n"),
            ("\u{AD}", ""),
            ("a\0b\n", "ab\n"),
        ] {
            assert_eq!(tidy(text.to_owned()), expected);
        }
    }
}
