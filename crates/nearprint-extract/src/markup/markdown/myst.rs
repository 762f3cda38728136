//! What MyST, Pandoc and generators of sites add to Markdown: labels, roles, and boxes between lines of colons.

use super::super::ends::Ends;

/// Bytes of the name of a role.
const MAX_ROLE: usize = 64;

/// Directives whose argument is not shown: names of files, languages and lists.
const SILENT: [&str; 12] = [
    "code-block",
    "code-cell",
    "contents",
    "csv-table",
    "figure",
    "grid",
    "image",
    "include",
    "literalinclude",
    "math",
    "sourcecode",
    "toctree",
];

/// Names of boxes that generators of sites write without braces, before a title.
const TITLED: [&str; 14] = [
    "admonition",
    "attention",
    "caution",
    "danger",
    "details",
    "dropdown",
    "error",
    "hint",
    "important",
    "info",
    "note",
    "seealso",
    "tip",
    "warning",
];

/// Roles whose text is shown as it is.
const LITERAL: [&str; 9] = ["code", "file", "kbd", "literal", "math", "samp", "sub", "sup", "term"];

/// `(name)=`, the label of what follows.
pub(super) fn is_label(line: &str) -> bool {
    let name = line.strip_prefix('(').and_then(|rest| rest.trim_end().strip_suffix(")="));
    name.is_some_and(|name| !name.is_empty() && !name.contains(['(', ')', ' ']))
}

/// `:name: value`, an option of a directive.
pub(super) fn is_option(line: &str) -> bool {
    let name = line.strip_prefix(':').and_then(|rest| rest.split_once(':')).map(|(name, _)| name);
    name.is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    })
}

/// A line of colons, which begins or ends a box.
pub(super) struct BoxLine<'a> {
    pub(super) title: &'a str,
    /// Whether it begins a directive of MyST, which may have options.
    pub(super) is_directive: bool,
}

impl<'a> BoxLine<'a> {
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let rest = line.strip_prefix(":::")?.trim_matches(':').trim();
        if let Some(named) = rest.strip_prefix('{') {
            let (name, title) = named.split_once('}')?;
            // Attributes of Pandoc are in braces, too.
            let is_directive = !name.starts_with(['.', '#', ' ']);
            let is_shown = is_directive && !SILENT.contains(&name);
            return Some(Self { title: if is_shown { title.trim() } else { "" }, is_directive });
        }
        let end = rest.find([' ', '[', '{']).unwrap_or(rest.len());
        let (name, title) = rest.split_at(end);
        let title = title.trim();
        let title =
            title.strip_prefix('[').and_then(|title| title.strip_suffix(']')).unwrap_or(title);
        Some(Self { title: if TITLED.contains(&name) { title } else { "" }, is_directive: false })
    }
}

/// The text of a role at the start of a rest, ``{name}`text` ``, and the length of the whole. Of a text with a target,
/// `text <target>`, the target is not shown, and of `~a.b` the last part alone.
pub(super) fn role<'a>(rest: &'a str, ends: &Ends<'a>) -> Option<(&'a str, usize)> {
    let inside = &rest[1..];
    let is_named = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:+.".contains(&byte);
    let length = inside.bytes().take(MAX_ROLE).take_while(|byte| is_named(*byte)).count();
    let code = inside[length..].strip_prefix("}`").filter(|_| length > 0)?;
    let text = ends.up_to(code, "`")?;
    let whole = length + text.len() + 4;
    if LITERAL.contains(&&inside[..length]) {
        return Some((text, whole));
    }
    let shown = match text.strip_suffix('>').and_then(|text| text.rsplit_once('<')) {
        Some((before, _)) if !before.trim().is_empty() => before.trim(),
        _ => match text.strip_prefix('~') {
            Some(path) => path.rsplit('.').next().unwrap_or(path),
            None => text.trim_start_matches('!'),
        },
    };
    Some((shown, whole))
}
