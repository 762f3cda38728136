//! PAGE XML: regions, lines and words, each with its text, in the reading order that the page states.

use std::collections::HashMap;

use super::super::attributes::attribute;
use super::{Reader, push_line};
use crate::flow;

/// Regions that are not the text of the page but its furniture, by their type.
const FURNITURE: [&str; 5] = ["page-number", "header", "footer", "signature-mark", "catch-word"];

/// Elements whose text may be stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Region,
    Line,
    Word,
    /// Parts of words, of which the word is the text.
    Glyph,
}

/// An element that is open, and its text.
#[derive(Debug)]
struct Open {
    level: Level,
    id: String,
    is_furniture: bool,
    /// The text of its parts.
    parts: String,
    /// The text that is stated of the element itself; of several the one of the lowest index, or the first.
    stated: Option<String>,
    /// The index of that text.
    index: u32,
}

#[derive(Debug, Default)]
pub(super) struct Page {
    open: Vec<Open>,
    /// Texts of regions with their ids, in the order of the document.
    regions: Vec<(String, String)>,
    /// The place of each region in the reading order.
    order: HashMap<String, usize>,
    /// Whether the text of a `Unicode` element is read.
    is_text: bool,
    /// The index of the text that is read.
    index: u32,
    length: usize,
}

fn level(name: &str) -> Option<Level> {
    Some(match name {
        "TextLine" => Level::Line,
        "Word" => Level::Word,
        "Glyph" => Level::Glyph,
        "TextRegion" | "TableCell" => Level::Region,
        _ => return None,
    })
}

impl Reader for Page {
    fn start(&mut self, name: &str, attributes: &str) {
        let given = |name| attribute(attributes, name).unwrap_or("");
        if let Some(level) = level(name) {
            self.open.push(Open {
                level,
                id: given("id").to_owned(),
                is_furniture: FURNITURE.contains(&given("type")),
                parts: String::new(),
                stated: None,
                index: u32::MAX,
            });
            return;
        }
        match name {
            "RegionRef" | "RegionRefIndexed" => {
                let place = given("index").parse().unwrap_or(self.order.len());
                self.order.entry(given("regionRef").to_owned()).or_insert(place);
            }
            "TextEquiv" => self.index = given("index").parse().unwrap_or(u32::MAX),
            "Unicode" => {
                if let Some(open) = self.open.last_mut() {
                    self.is_text = open.stated.is_none() || self.index < open.index;
                    if self.is_text {
                        open.stated = Some(String::new());
                        open.index = self.index;
                    }
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_text
            && let Some(stated) = self.open.last_mut().and_then(|open| open.stated.as_mut())
        {
            stated.push_str(text);
            self.length += text.len();
        }
    }

    fn end(&mut self, name: &str) {
        if name == "Unicode" {
            self.is_text = false;
        }
        let Some(level) = level(name) else { return };
        let Some(open) = self.open.pop_if(|open| open.level == level) else { return };
        let stated = open.stated.filter(|text| !text.trim().is_empty());
        // A part belongs to the next larger one. What stands elsewhere is a region of its own: a text is copied from
        // part to part, and not as often as elements are nested.
        let outer = self.open.last_mut().map(|outer| (outer.level, &mut outer.parts));
        match (level, outer) {
            (Level::Glyph, _) => {}
            (Level::Word, Some((Level::Line, parts))) => {
                let word = stated.unwrap_or(open.parts);
                if !flow::joins_lines(parts, word.trim()) {
                    parts.push(' ');
                }
                parts.push_str(word.trim());
            }
            (Level::Line, Some((Level::Region, parts))) => {
                push_line(parts, &stated.unwrap_or(open.parts));
            }
            _ => {
                // The text of a region is that of its lines, if it has any.
                let text = if open.parts.is_empty() || level != Level::Region {
                    stated.unwrap_or(open.parts)
                } else {
                    open.parts
                };
                if !open.is_furniture && !text.trim().is_empty() {
                    self.regions.push((open.id, text));
                }
            }
        }
    }

    fn finish(mut self: Box<Self>) -> String {
        // What the reading order does not name stands after it.
        self.regions.sort_by_key(|(id, _)| self.order.get(id).copied().unwrap_or(usize::MAX));
        let mut out = String::new();
        for (_, text) in &self.regions {
            let mut lines = String::new();
            for line in text.lines() {
                push_line(&mut lines, line);
            }
            if !out.is_empty() {
                out.push_str("\n\n");
            }
            out.push_str(&lines);
        }
        out
    }

    fn len(&self) -> usize {
        self.length
    }
}
