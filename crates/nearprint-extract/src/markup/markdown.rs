//! Markdown: links, images and their captions, code fences, front matter, inline HTML.

mod emphasis;
mod indented_code;
mod myst;
mod templates;

use self::emphasis::{MARK, code, with_marks};
use self::indented_code::IndentedCode;
use self::myst::{BoxLine, is_label, is_option, role};
use self::templates::{Passage, dropped_element, is_tags};
use super::blocks::Blocks;
use super::ends::{self, Ends};
use super::front_matter::FrontMatter;
use super::inline;
use crate::html::{is_block_element, is_element};
use crate::line_search::lines_with;
use crate::work::Work;

/// Links and images inside the texts of links; deeper brackets are text.
const MAX_NESTING: u32 = 4;

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
    let mut passage: Option<Passage> = None;
    let mut indented = IndentedCode::default();
    // Whether lines of options of a box may follow.
    let mut may_have_options = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if fence.is_none() && !comment && passage.is_none() && indented.next_line_is_code(line) {
            blocks.raw(line);
            continue;
        }
        if let Some(open) = fence {
            if trimmed.starts_with(open) && trimmed.trim_end().chars().all(|c| open.starts_with(c))
            {
                fence = None;
                indented.end_block();
            } else {
                blocks.raw(line);
            }
            continue;
        }
        if let Some(open) = passage {
            match open.end(line) {
                Some(rest) => {
                    passage = None;
                    blocks.text(rest);
                }
                None if matches!(open, Passage::Code(_)) => blocks.raw(line),
                None => {}
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
        passage = Passage::begin(trimmed);
        let is_include = templates::include(trimmed).is_some();
        if passage.is_some() || is_include || is_attributes(trimmed) || is_tags(trimmed) {
            blocks.end();
            continue;
        }
        if let Some(name) = dropped_element(trimmed) {
            blocks.end();
            let element = Passage::ElementDropped(name);
            match element.end(trimmed) {
                Some(rest) => blocks.text(rest),
                None => passage = Some(element),
            }
            continue;
        }
        if is_definition(line) || is_label(trimmed) {
            blocks.end();
            continue;
        }
        if may_have_options && is_option(trimmed) {
            continue;
        }
        may_have_options = false;
        if let Some(line) = BoxLine::read(trimmed) {
            blocks.end();
            blocks.text(line.title);
            blocks.end();
            may_have_options = line.is_directive;
            continue;
        }
        if trimmed.starts_with('#') {
            blocks.end();
            let heading = trimmed.trim_start_matches('#').trim();
            blocks.text(heading.rfind("{#").map_or(heading, |at| heading[..at].trim_end()));
            blocks.end();
            indented.end_block();
            continue;
        }
        blocks.text(line);
    }
    blocks.finish()
}

/// The heading that a text begins with.
fn first_heading(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    line.starts_with('#').then(|| line.trim_matches('#').trim())
}

/// The text of a paragraph, without its marks.
fn strip_paragraph(paragraph: &str, work: &Work) -> String {
    let mut stripped = strip_marked(&with_marks(paragraph, work), work);
    stripped.retain(|c| c != MARK);
    stripped
}

/// The text of a paragraph. One that is an image and nothing else is a figure, and what stands for the image is its
/// caption; within a text it is shown only where the image is not.
fn strip_marked(paragraph: &str, work: &Work) -> String {
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

/// Attributes of a block.
fn is_attributes(line: &str) -> bool {
    line.starts_with("{:") && line.trim_end().ends_with('}')
}

/// The first file whose content a generator would put in its place.
pub(super) fn first_include(text: &str) -> Option<&str> {
    text.lines().find_map(|line| templates::include(line.trim_start()))
}

fn strip_inline<'a>(ends: &Ends<'a>, nesting: u32) -> String {
    let text = ends.text();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '[', '!', '<', '&', '`', '{']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = special(rest, ends, nesting, &mut out);
        rest = &rest[length..];
    }
    out.push_str(rest);
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
            let (ticks, code) = code(rest, ends);
            out.push_str(code.unwrap_or(&rest[..ticks]));
            return code.map_or(ticks, |code| code.len() + 2 * ticks);
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
                let content = &after[tag.len() + 1..];
                let dropped = match name {
                    "script" => ends.up_to(content, "</script"),
                    "style" => ends.up_to(content, "</style"),
                    _ => None,
                };
                if let Some(dropped) = dropped.filter(|_| !tag.starts_with('/')) {
                    return tag.len() + 2 + dropped.len();
                }
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
            let end = match after.as_bytes() {
                [b':', ..] => "}",
                [b'%', ..] => "%}",
                [b'{', b'<', ..] => ">}}",
                [b'{', b'%', ..] => "%}}",
                _ => "",
            };
            if !end.is_empty()
                && let Some(tag) = ends.up_to(after, end)
            {
                return 1 + tag.len() + end.len();
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
