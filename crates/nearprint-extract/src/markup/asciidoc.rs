//! AsciiDoc: attributes, macros, delimited blocks, cross references.

mod emphasis;
mod lines;
mod phrases;
mod quotation;
mod signs;

pub(super) use self::lines::include;
pub(super) use self::signs::signs;

use self::emphasis::without_underscores;
use self::lines::{attribute, is_anchor, is_block_macro, is_comment, is_style, title};
use self::phrases::{Attributes, strip_inline};
use self::quotation::Quotation;
use super::blocks::{Blocks, is_rule};
use super::ends::Ends;
use crate::work::Work;

/// The text without its markup; none if its attributes expand to more than `limit` bytes.
pub(super) fn strip(text: &str, limit: u64, work: &Work) -> Option<String> {
    work.count(2 * text.len());
    let attributes = Attributes::of(text, limit);
    let mut blocks = Blocks::new(|paragraph: &str| {
        let paragraph = without_underscores(paragraph, work);
        strip_inline(&Ends::new(&paragraph, work), &attributes, 0)
    });
    // The delimiter of the block that is shown as it is, or not at all.
    let mut literal: Option<&str> = None;
    let mut dropped: Option<&str> = None;
    let mut quotation: Option<Quotation<'_>> = None;
    for line in text.lines() {
        let line = line.trim_end();
        if literal.or(dropped).is_none()
            && let Some(ended) = quotation.take_if(|open| open.ends_with(line))
        {
            blocks.end();
            blocks.text(ended.source());
            blocks.end();
            continue;
        }
        if let Some(delimiter) = literal.or(dropped) {
            if line == delimiter {
                (literal, dropped) = (None, None);
            } else if literal.is_some() && include(line).is_none() {
                blocks.raw(line);
            }
            continue;
        }
        if is_rule(line) {
            let length = blocks.last_line().chars().count();
            let underlines = length > 0 && length.abs_diff(line.len()) <= 3;
            blocks.end();
            match line.as_bytes()[0] {
                _ if underlines => {}
                b'-' | b'.' if line.len() >= 4 => literal = Some(line),
                b'/' | b'+' if line.len() >= 4 => dropped = Some(line),
                _ => {}
            }
            continue;
        }
        quotation = Quotation::read(line).or(quotation);
        let brackets = line.starts_with('[') && line.ends_with(']') && !line[1..].contains(' ');
        if is_comment(line)
            || attribute(line).is_some()
            || is_block_macro(line)
            || is_anchor(line)
            || is_style(line)
            || brackets
        {
            blocks.end();
            continue;
        }
        if let Some((_, text)) = title(line) {
            blocks.end();
            blocks.text(text.trim_end_matches('=').trim_end());
            blocks.end();
            continue;
        }
        if let Some(title) = line.strip_prefix('.')
            && title.starts_with(|c: char| c.is_alphanumeric())
        {
            blocks.end();
            blocks.text(title);
            blocks.end();
            continue;
        }
        // What continues a list item is a plus on a line of its own.
        blocks.text(if line == "+" { "" } else { line });
    }
    if let Some(open) = quotation {
        blocks.end();
        blocks.text(open.source());
    }
    let text = blocks.finish();
    attributes.are_within_limit().then_some(text)
}
