//! What lines of AsciiDoc are: titles, attributes, macros and others that are not text.

/// The level of a title, counted from 1, and its text.
pub(super) fn title(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|b| *b == b'=').count();
    let text = line[level..].strip_prefix(' ')?.trim();
    (level > 0).then_some((level, text))
}

pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("///")
}

/// The name of a macro that stands on a line of its own.
pub(super) fn is_block_macro(line: &str) -> bool {
    const NAMES: [&str; 9] =
        ["ifdef", "ifndef", "ifeval", "endif", "include", "image", "video", "audio", "toc"];
    line.ends_with(']')
        && line
            .split_once("::")
            .is_some_and(|(name, rest)| NAMES.contains(&name) && rest.contains('['))
}

/// The file whose content is put instead of this line, in blocks that are shown as they are, too.
pub(in super::super) fn include(line: &str) -> Option<&str> {
    let (file, attributes) = line.strip_prefix("include::")?.split_once('[')?;
    (!file.is_empty() && attributes.trim_end().ends_with(']')).then_some(file)
}

pub(super) fn is_anchor(line: &str) -> bool {
    let inside = line.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
    // Links of wikis look like it, to pages of several words or names of spaces.
    inside.is_some_and(|inside| {
        let id = inside.split(',').next().unwrap_or("");
        !id.contains([' ', '|', '#', ':'])
    })
}

/// `[source,c]` and the like.
pub(super) fn is_style(line: &str) -> bool {
    const NAMES: [&str; 16] = [
        "source",
        "verse",
        "quote",
        "NOTE",
        "TIP",
        "WARNING",
        "IMPORTANT",
        "CAUTION",
        "listing",
        "literal",
        "horizontal",
        "options",
        "cols",
        "role",
        "discrete",
        "example",
    ];
    line.strip_prefix('[').and_then(|l| l.strip_suffix(']')).is_some_and(|inside| {
        let name = inside.split([',', '=', '%', '.', '#']).next().unwrap_or("");
        NAMES.contains(&name) || inside.starts_with(['.', '#', '%'])
    })
}

/// `:name: value`
pub(super) fn attribute(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let name = name.trim_matches('!');
    let valid = name.starts_with(|c: char| c.is_alphanumeric())
        && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        && (value.is_empty() || value.starts_with(' '));
    valid.then(|| (name, value.trim()))
}
