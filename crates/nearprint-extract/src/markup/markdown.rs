//! Markdown: links, images and their captions, code fences, front matter, inline HTML.

use super::blocks::Blocks;
use super::ends::{self, Ends};
use super::front_matter::FrontMatter;
use super::inline;
use crate::html::{is_block_element, is_element};
use crate::line_search::lines_with;
use crate::work::Work;

/// Links and images inside the texts of links; deeper brackets are text.
const MAX_NESTING: u32 = 4;

/// Bytes of the name of a role.
const MAX_ROLE: usize = 64;

/// Backticks around code; more are text.
const MAX_TICKS: usize = 16;

/// How many things a text has that only Markdown has.
pub(super) fn signs(head: &str) -> u32 {
    let mut signs = 0;
    if FrontMatter::read(head).is_some() {
        signs += 2;
    }
    for (_, line) in lines_with(head, "```") {
        signs += 2 * u32::from(line.trim_start().starts_with("```"));
    }
    signs += lines_with(head, "](").map(|(_, line)| 2 * links(line)).sum::<u32>();
    if signs == 0 {
        return 0;
    }
    let mut others = 0;
    for line in head.lines() {
        let hashes = line.bytes().take_while(|b| *b == b'#').count();
        others += u32::from((1..=6).contains(&hashes) && line[hashes..].starts_with(' '));
        others += u32::from(is_definition(line));
    }
    // Comments of scripts look like headings, and references in letters like definitions.
    signs + others.min(signs)
}

/// How many links or images with a target begin and end on a line.
fn links(line: &str) -> u32 {
    let first = line.find('[').unwrap_or(line.len());
    let (mut found, mut end, mut sign) = (0, 0, 0);
    // Both places are looked for from where the last search ended, so that a line of targets is read once.
    let next =
        |from: usize, chars: &[char]| line[from..].find(chars).map_or(line.len(), |n| from + n);
    for (at, _) in line.match_indices("](") {
        let target = at + 2;
        if end < target {
            end = next(target, &[')', ' ']);
        }
        if sign < target {
            sign = next(target, &['/', '.', '#']);
        }
        found += u32::from(sign < end && first < at);
    }
    found
}

pub(super) fn strip(text: &str, work: &Work) -> String {
    work.count(text.len());
    let mut blocks = Blocks::new(|paragraph: &str| strip_paragraph(paragraph, work));
    let metadata = FrontMatter::read(text);
    let text = metadata.as_ref().map_or(text, |metadata| &text[metadata.length..]);
    for shown in metadata.iter().flat_map(FrontMatter::shown) {
        // Many documents have their title a second time, as their first heading.
        if first_heading(text) != Some(&*shown) {
            blocks.text(&shown);
            blocks.end();
        }
    }
    let mut fence: Option<&str> = None;
    let mut comment = false;
    let mut indented = IndentedCode { follows_blank: true, is_in_list: false };
    for line in text.lines() {
        let trimmed = line.trim_start();
        if fence.is_none() && !comment && indented.has(line) {
            blocks.raw(line);
            continue;
        }
        if let Some(open) = fence {
            if trimmed.starts_with(open) && trimmed.trim_end().chars().all(|c| open.starts_with(c))
            {
                fence = None;
            } else {
                blocks.raw(line);
            }
            continue;
        }
        if comment {
            comment = !line.contains("-->");
            continue;
        }
        if trimmed.starts_with("<!--") {
            comment = !line.contains("-->");
            continue;
        }
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            blocks.end();
            let length = trimmed.bytes().take_while(|b| *b == trimmed.as_bytes()[0]).count();
            // A fence on one line is inline code.
            if trimmed[length..].contains("```") {
                blocks.text(line);
            } else {
                fence = Some(&trimmed[..length]);
            }
            continue;
        }
        if is_definition(line) || is_attributes(trimmed) || is_label(trimmed) {
            blocks.end();
            continue;
        }
        if let Some(title) = box_title(trimmed) {
            blocks.end();
            blocks.text(title);
            blocks.end();
            continue;
        }
        if trimmed.starts_with('#') {
            blocks.end();
            let heading = trimmed.trim_start_matches('#');
            blocks.text(heading.rfind("{#").map_or(heading, |at| &heading[..at]));
            blocks.end();
            continue;
        }
        blocks.text(line);
    }
    blocks.finish()
}

/// Code by its indentation: after an empty line, and not in a list, whose items go on in indented paragraphs.
struct IndentedCode {
    /// Whether the line before is empty or such code.
    follows_blank: bool,
    is_in_list: bool,
}

impl IndentedCode {
    /// Whether the next line is code.
    fn has(&mut self, line: &str) -> bool {
        let trimmed = line.trim_start();
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        let is_code = self.follows_blank && is_indented && !self.is_in_list && !trimmed.is_empty();
        let goes_on = trimmed.is_empty() || trimmed.len() < line.len() || !self.follows_blank;
        self.is_in_list = begins_indented_text(trimmed) || (self.is_in_list && goes_on);
        self.follows_blank = trimmed.is_empty() || is_code;
        is_code
    }
}

/// Whether what a line begins may go on in indented paragraphs: an item of a list, a note, a definition, and the boxes
/// of site generators.
fn begins_indented_text(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = &line[digits..];
    ["- ", "* ", "+ ", ": ", "[^", "!!!", "???", "=== "].iter().any(|mark| line.starts_with(mark))
        || (digits > 0 && [". ", ") "].iter().any(|mark| after.starts_with(mark)))
}

/// The heading that a text begins with.
fn first_heading(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    line.starts_with('#').then(|| line.trim_matches('#').trim())
}

/// The text of a paragraph. One that is an image and nothing else is a figure, and what stands for the image is its
/// caption; within a text it is shown only where the image is not.
fn strip_paragraph(paragraph: &str, work: &Work) -> String {
    let ends = Ends::new(paragraph, work);
    let start = paragraph.len() - paragraph.trim_start().len();
    if let Some(image) = paragraph[start..].strip_prefix('!')
        && let Some((caption, length)) = link(image, &ends)
    {
        let after = image[length..].trim();
        if after.is_empty() || (after.starts_with('{') && after.ends_with('}')) {
            return strip_inline(&Ends::new(caption, work), 1) + "\n";
        }
    }
    strip_inline(&ends, 0)
}

/// `[name]: target`, but no footnote.
fn is_definition(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix('[')
        .filter(|rest| !rest.starts_with('^'))
        .and_then(|rest| ends::bracketed(rest, '[', ']').map(|name| &rest[name.len() + 1..]))
        .and_then(|rest| rest.strip_prefix(':'))
        .is_some_and(|target| {
            let target = target.trim_start();
            let url = target.split_whitespace().next().unwrap_or("");
            url.starts_with(['<', '#', '/', '.'])
                || url.contains("://")
                || url.contains('.')
                || url.contains('@')
        })
}

/// Attributes of a block and tags of site generators.
fn is_attributes(line: &str) -> bool {
    let line = line.trim_end();
    (line.starts_with("{:") || line.starts_with("{%")) && line.ends_with('}')
}

/// `(name)=`, the label of what follows in MyST.
fn is_label(line: &str) -> bool {
    let name = line.strip_prefix('(').and_then(|rest| rest.trim_end().strip_suffix(")="));
    name.is_some_and(|name| !name.is_empty() && !name.contains(['(', ')', ' ']))
}

/// The title of a box that a line of colons begins or ends, as MyST, Pandoc and the generators of sites have them.
fn box_title(line: &str) -> Option<&str> {
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
    let rest = line.strip_prefix(":::")?.trim_start_matches(':').trim();
    let (name, title) = match rest.strip_prefix('{') {
        Some(named) => named.split_once('}')?,
        None => rest.split_once(' ').unwrap_or((rest, "")),
    };
    Some(if TITLED.contains(&name.trim()) { title.trim() } else { "" })
}

/// The text of a role of MyST at the start of a rest, ``{name}`text` ``, and the length of the whole. Of a text with a
/// target, `text <target>`, the target is not shown.
fn role<'a>(rest: &'a str, ends: &Ends<'a>) -> Option<(&'a str, usize)> {
    let inside = &rest[1..];
    let is_named = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:+.".contains(&byte);
    let length = inside.bytes().take(MAX_ROLE).take_while(|byte| is_named(*byte)).count();
    let code = inside[length..].strip_prefix("}`").filter(|_| length > 0)?;
    let text = ends.up_to(code, "`")?;
    let shown = match text.strip_suffix('>').and_then(|text| text.rsplit_once('<')) {
        Some((before, _)) if !before.trim().is_empty() => before.trim(),
        _ => text.trim_start_matches(['~', '!']),
    };
    Some((shown, length + text.len() + 4))
}

fn strip_inline<'a>(ends: &Ends<'a>, nesting: u32) -> String {
    let text = ends.text();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '[', '!', '<', '&', '`', '{']) {
        let (piece, next) = (&rest[..at], rest[at..].chars().next());
        out.push_str(&inline::without_stars(
            piece,
            text[..text.len() - rest.len()].chars().next_back(),
            next,
        ));
        rest = &rest[at..];
        let length = special(rest, ends, nesting, &mut out);
        rest = &rest[length..];
    }
    out.push_str(&inline::without_stars(
        rest,
        text[..text.len() - rest.len()].chars().next_back(),
        None,
    ));
    out
}

/// Deals with the markup that `rest` begins with; gives its length.
fn special<'a>(rest: &'a str, ends: &Ends<'a>, nesting: u32, out: &mut String) -> usize {
    let after = &rest[1..];
    match rest.as_bytes()[0] {
        b'\\' => match after.chars().next().filter(char::is_ascii_punctuation) {
            Some(c) => {
                out.push(c);
                return 2;
            }
            None => out.push('\\'),
        },
        b'`' => {
            let ticks = rest.bytes().take_while(|b| *b == b'`').count();
            if ticks > MAX_TICKS {
                out.push_str(&rest[..ticks]);
                return ticks;
            }
            if let Some(code) = ends.up_to(&rest[ticks..], &rest[..ticks]) {
                out.push_str(code);
                return code.len() + 2 * ticks;
            }
            out.push('`');
        }
        b'!' => {
            if after.starts_with('[')
                && let Some((_, length)) = link(after, ends)
            {
                // What an image shows instead of itself is not text of the page.
                out.push(' ');
                return length + 1;
            }
            out.push('!');
        }
        b'[' => {
            if after.starts_with('^')
                && let Some(name) = ends.bracketed(rest, '[', ']')
            {
                return name.len() + 2;
            }
            if nesting < MAX_NESTING
                && let Some((text, length)) = link(rest, ends)
            {
                out.push_str(&strip_inline(&Ends::new(text, ends.work()), nesting + 1));
                return length;
            }
            out.push('[');
        }
        b'<' => {
            if let Some(tag) = ends.up_to(after, ">") {
                let name = tag.trim_start_matches('/');
                let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
                if tag.starts_with("!--") || is_element(name) {
                    if is_block_element(name) {
                        out.push(' ');
                    }
                    return tag.len() + 2;
                }
            }
            out.push('<');
        }
        b'{' => {
            if let Some((shown, length)) = role(rest, ends) {
                out.push_str(shown);
                return length;
            }
            if after.starts_with(['%', ':'])
                && let Some(tag) = ends.up_to(after, "}")
            {
                return tag.len() + 2;
            }
            out.push('{');
        }
        _ => return inline::push_reference(rest, out),
    }
    1
}

/// A link at the start of a rest: `[text](target)` or `[text][name]`; its text and whole length.
fn link<'a>(rest: &'a str, ends: &Ends<'a>) -> Option<(&'a str, usize)> {
    let label = ends.bracketed(rest, '[', ']')?;
    let end = label.len() + 2;
    let after = &rest[end..];
    let target = ends.bracketed(after, '(', ')').or_else(|| ends.bracketed(after, '[', ']'))?;
    Some((label, end + target.len() + 2))
}
