//! What Texinfo is recognised by.

/// Lines of its own from which a text without Texinfo's first line is Texinfo.
const ENOUGH: usize = 3;

/// Whether a text is Texinfo: it says so in its first lines, or has a node and other lines that only Texinfo has.
pub(crate) fn is_texinfo(head: &str) -> bool {
    if beginning(head).is_some() {
        return true;
    }
    let (mut nodes, mut others) = (0, 0);
    for at in memchr::memchr_iter(b'@', head.as_bytes()) {
        if at > 0 && head.as_bytes()[at - 1] != b'\n' {
            continue;
        }
        let rest = &head[at + 1..];
        let is_one_of = |names: &[&str]| names.iter().any(|name| begins_with_name(rest, name));
        nodes += usize::from(is_one_of(&["node", "settitle", "setfilename"]));
        others += usize::from(is_one_of(&[
            "chapter",
            "section",
            "subsection",
            "menu",
            "end menu",
            "end table",
            "end example",
            "end itemize",
            "cindex",
            "findex",
            "vindex",
            "unnumbered",
            "appendix",
            "noindent",
            "end ifinfo",
            "end deffn",
            "end defun",
        ]));
    }
    nodes > 0 && nodes + others >= ENOUGH
}

/// Where a text begins to be Texinfo: after the line that reads its macros. Before it are comments and commands of TeX
/// and Texinfo; behind words it is quoted.
pub(crate) fn beginning(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(32) {
        at += line.len();
        if line.starts_with("\\input texinfo") {
            return Some(at);
        }
        if !(line.trim_start().is_empty() || line.starts_with(['%', '@', '\\'])) {
            return None;
        }
    }
    None
}

/// Whether a name of a command goes on with this character.
pub(crate) fn is_named(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// Whether a text begins with this name, and it ends there.
pub(crate) fn begins_with_name(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_named))
}
