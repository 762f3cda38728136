//! What manual pages and other roff sources are recognised by.

/// Whether a text is roff: its first line that is not a comment is a request, and a page title or a section
/// heading comes before any text.
pub(crate) fn is_roff(head: &str) -> bool {
    let mut requests = 0;
    for line in head.lines().take(200) {
        let line = line.trim_end();
        if line.starts_with(".\\\"") || line.starts_with("'\\\"") || line.is_empty() || line == "."
        {
            continue;
        }
        let Some(rest) = line.strip_prefix(['.', '\'']) else {
            // Inside definitions anything may stand, but a text does not begin with it.
            if requests == 0 {
                return false;
            }
            continue;
        };
        let name = rest.trim_start().split(|c: char| c.is_whitespace() || c == '\\').next();
        match name.unwrap_or("") {
            "TH" | "SH" | "Dd" | "Dt" | "Sh" | "TL" | "NH" => return true,
            name if name.len() <= 2 && name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                requests += 1;
            }
            _ if requests == 0 => return false,
            _ => {}
        }
    }
    false
}
