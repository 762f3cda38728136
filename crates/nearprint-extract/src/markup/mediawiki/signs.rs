//! How a text without a name is known as a page of MediaWiki.

/// Signs of a page that begins like HTML from which it is MediaWiki all the same.
const STRONG: u32 = 12;

/// How many things a text has that only pages of MediaWiki have.
pub(in super::super) fn signs(head: &str) -> u32 {
    let (mut links, mut templates, mut headings) = (0, 0, 0);
    let (mut bold, mut addresses, mut others) = (0, 0, 0);
    for line in head.lines() {
        let trimmed = line.trim_end();
        let level = trimmed.bytes().take_while(|byte| *byte == b'=').count();
        headings += u32::from(
            (2..=6).contains(&level)
                && trimmed.len() > 2 * level
                && trimmed.ends_with(&trimmed[..level]),
        );
        others += u32::from(
            trimmed.starts_with("{|") || trimmed.starts_with("|}") || trimmed.starts_with("|-"),
        );
        others += 2 * u32::from(trimmed.starts_with("__") && trimmed.ends_with("TOC__"));
        others += u32::from(trimmed.contains("<nowiki>") || trimmed.contains("</ref>"));
        bold += u32::from(trimmed.contains("'''") || has_italics(trimmed));
        addresses += u32::from(has_address(trimmed));
        // Conditions of shells have a blank after the brackets, links of others a bracket behind.
        links += line
            .match_indices("[[")
            .take(64)
            .filter(|(at, _)| {
                let rest = &line[at + 2..];
                rest.starts_with(|c: char| c.is_alphanumeric() || c == ':')
                    && rest.split_once("]]").is_some_and(|(inside, _)| !inside.contains("]["))
                    && *at > 0
            })
            .take(8)
            .count() as u32;
        templates += u32::from(
            trimmed.starts_with("{{")
                && trimmed[2..].starts_with(|c: char| c.is_alphabetic())
                && trimmed.ends_with("}}"),
        );
    }
    let all = [links, templates, headings, bold, addresses, others];
    let kinds = all.iter().filter(|n| **n > 0).count();
    // One kind alone is that of another language.
    if kinds < 2 || links + headings == 0 {
        return 0;
    }
    2 * (links.min(8) + headings.min(8) + others.min(8))
        + templates.min(2)
        + bold.min(4)
        + addresses.min(4)
}

/// Whether a line has a word between two pairs of apostrophes.
fn has_italics(line: &str) -> bool {
    line.split_once("''").is_some_and(|(before, after)| {
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '`')
            && after.starts_with(char::is_alphanumeric)
            && after.contains("''")
    })
}

/// Whether a line has a link to an address with a blank and a text after it.
fn has_address(line: &str) -> bool {
    ["[http://", "[https://"].iter().filter_map(|begin| line.split_once(begin)).any(
        |(_, inside)| {
            let end = inside.find([' ', ']']).unwrap_or(inside.len());
            inside[end..].starts_with(' ') && inside[end..].contains(']')
        },
    )
}

/// Whether a text that begins with an element of HTML is a page of MediaWiki.
pub(crate) fn is_page(head: &str) -> bool {
    signs(head) >= STRONG
}
