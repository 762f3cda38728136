//! Addresses of the web that are broken at the end of a line.
//!
//! Typesetters break an address after a slash, a stop or another of its signs, and print no hyphen. It continues where
//! its line is full and what follows reads like the rest of one, which words do not: `linpack/`, `index.html`. In the
//! 238 PDFs of `make eval` 139 line ends are such; the other media of the same documents have 132 of the addresses
//! whole, and of 5 no more than the first part.

/// Characters examined for the beginning of an address, and for its rest.
const LONGEST: usize = 2048;

/// Whether the address at the end of a full line continues in the next line.
pub(crate) fn goes_on(before: &str, after: &str) -> bool {
    let Some(last) =
        before.chars().next_back().filter(|c| matches!(c, '/' | '.' | '_' | '&' | '?' | '=' | '#'))
    else {
        return false;
    };
    let from = before.char_indices().rev().take(LONGEST);
    let start =
        from.take_while(|(_, c)| !c.is_whitespace()).last().map_or(before.len(), |(at, _)| at);
    let Some((scheme, address)) = before[start..].rsplit_once("://") else { return false };
    let is_scheme = ["http", "https", "ftp"].iter().any(|name| scheme.ends_with(name));
    // What closes a quotation or a bracket ends the address in it.
    if !is_scheme || !address.trim_end_matches(last).ends_with(|c: char| c.is_ascii_alphanumeric())
    {
        return false;
    }
    match last {
        '/' | '.' => {
            after.starts_with(|c: char| c.is_ascii_lowercase() || c == '~')
                && reads_like_a_rest(after)
        }
        _ => after.starts_with(|c: char| c.is_ascii_alphanumeric()),
    }
}

/// Whether a line's first word has a sign or a digit in it, as parts of addresses have and words do not.
fn reads_like_a_rest(line: &str) -> bool {
    let end = line.char_indices().take(LONGEST).take_while(|(_, c)| !c.is_whitespace()).last();
    let word = &line[..end.map_or(0, |(at, c)| at + c.len_utf8())];
    let word = word.trim_end_matches(['.', ',', ';', ':', ')', ']', '}', '"', '\'', '”', '’', '>']);
    word.contains(|c: char| "/=_%~#?&-.".contains(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::goes_on;

    #[test]
    fn addresses_go_on_in_what_reads_like_their_rest() {
        for (before, after, expected) in [
            ("see http://example.org/doc/", "user-guide/index.html.", true),
            ("(http://www.example.", "org/.", true),
            ("http://example.org/~keeper/", "~ships/", true),
            ("https://example.org/list?year=1900&", "Name=Fog", true),
            ("https://example.org/light_", "house", true),
            ("ftp://example.org/pub/", "lamps.tar.gz", true),
            // The address has ended, and a sentence or a word begins.
            ("see http://example.org/doc/", "where the lamps are", false),
            ("see http://example.org/doc/.", "tide-tables are elsewhere", false),
            ("see http://example.org/doc).", "tide-tables are elsewhere", false),
            ("see http://example.org.", "Tide-tables are elsewhere", false),
            ("http://example.org/", "2 The second note: fog-2", false),
            ("http://example.org/doc", "index.html", false),
            // No address, or not at the end.
            ("and/", "or-else", false),
            ("the scheme ://", "x-y", false),
            ("http://example.org/ and/", "or-else", false),
            ("", "", false),
        ] {
            assert_eq!(goes_on(before, after), expected, "{before} | {after}");
        }
    }
}
