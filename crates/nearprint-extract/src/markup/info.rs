//! Info, as makeinfo writes it: nodes with a line of navigation each, menus, cross references.

use crate::work::Work;

/// Bytes in which the title or the node of a reference ends, and a node's line names it.
const NEAR: usize = 300;

/// What separates nodes.
const NODE: char = '\u{1F}';

/// Whether a text is Info: it has the separator, and a node's line after it.
pub(super) fn is_info(head: &str) -> bool {
    head.match_indices(NODE).any(|(at, _)| {
        let after = head[at + 1..].trim_start_matches(['\u{C}', '\r', '\n']);
        after.starts_with("File:")
            // Its first line is short.
            && after[..after.floor_char_boundary(NEAR)]
                .lines()
                .next()
                .is_some_and(|line| line.contains("Node:"))
    })
}

pub(super) fn strip(text: &str, work: &Work) -> String {
    let mut out = String::with_capacity(text.len());
    // Before the first node stand makeinfo's note and the directory's entry: metadata.
    for node in text.split(NODE).skip(1) {
        let node = node.trim_start_matches(['\u{C}', '\r', '\n']);
        let Some((first, body)) = node.split_once('\n') else { continue };
        // Tables of places and settings of editors follow the last node.
        if first.starts_with("File:") {
            body_of(body, work, &mut out);
        }
    }
    out
}

fn body_of(body: &str, work: &Work, out: &mut String) {
    let mut menu = false;
    let body = references(body, work);
    for line in body.lines() {
        if line.starts_with("* Menu:") {
            menu = true;
        } else if menu
            && !(line.starts_with("* ") || line.trim().is_empty() || line.starts_with(' '))
        {
            menu = false;
        }
        // A menu ends at the first line that is neither entry nor description.
        if !menu {
            out.push_str(line);
            out.push('\n');
        }
    }
}

/// Where the next cross reference begins.
fn next_note(text: &str) -> Option<usize> {
    let is_note =
        |at: &usize| text.get(at + 1..at + 5).is_some_and(|word| matches!(word, "note" | "Note"));
    memchr::memchr_iter(b'*', text.as_bytes()).find(is_note)
}

/// `*note Title::` and `*note Label: (file)Node.` as a reader sees them: "see" and the title.
fn references(text: &str, work: &Work) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = next_note(rest) {
        work.count(2 * NEAR);
        let see = if rest[at..].starts_with("*N") { "See" } else { "see" };
        out.push_str(&rest[..at]);
        let after = &rest[at + 5..];
        // Titles are short; what is not followed by a colon soon is not a reference.
        let near = &after[..after.floor_char_boundary(NEAR)];
        let Some(colon) = near.find(':').filter(|_| near.starts_with([' ', '\n'])) else {
            out.push_str(&rest[at..at + 5]);
            rest = after;
            continue;
        };
        // After "See" the writer has said so already.
        let said = out.trim_end();
        let last = said.len().checked_sub(3).and_then(|at| said.get(at..));
        if !last.is_some_and(|word| word.eq_ignore_ascii_case("see")) && !said.ends_with("also") {
            out.push_str(see);
            out.push(' ');
        }
        out.push_str(near[..colon].trim_start());
        rest = &after[colon + 1..];
        if let Some(after) = rest.strip_prefix(':') {
            rest = after;
        } else {
            // The node that the label stands for, up to its full stop or comma.
            let near = &rest[..rest.floor_char_boundary(NEAR)];
            rest = near.find(['.', ',']).map_or(rest, |end| &rest[end..]);
        }
    }
    out.push_str(rest);
    out
}
