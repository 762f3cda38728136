//! Which elements a page hides or marks as furniture, detected from their attributes.

use super::tokenizer::Tag;

/// What the attributes of a tag say about its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing.
    None,
    /// Content that is shown to nobody.
    Hidden,
    /// Navigation, banners and the like.
    Furniture,
    /// The head or foot of a page, unless it holds the page's title.
    Margin,
    /// A title that is not a heading.
    Title,
    /// Content in spite of its element: a note or footnote in an `aside`.
    Note,
}

/// What the attributes of a tag say, and whether its content is hidden until a script shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    /// What they say apart from a veil.
    pub(super) mark: Mark,
    /// Whether the content is behind a veil: `visibility:hidden`, which scripts take away when a page has loaded, or a
    /// segment that React streams (`<div hidden id="S:0">`) and a script moves to its place.
    pub(super) is_veiled: bool,
}

impl Marks {
    /// Those of a tag without attributes.
    pub(super) const NONE: Self = Self { mark: Mark::None, is_veiled: false };

    /// What holds as long as no script runs.
    pub(super) fn without_scripts(self) -> Mark {
        if self.is_veiled { Mark::Hidden } else { self.mark }
    }
}

/// The id of a part of a page that React streams, or of its place: what the page puts before the letter, and a number
/// in hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SegmentId<'a>(&'a str, &'a str);

impl<'a> SegmentId<'a> {
    /// That of the part that a tag begins: `<div hidden id="S:0">`.
    pub(super) fn of_part(tag: Tag<'a>) -> Option<Self> {
        let is_hidden = tag
            .attributes()
            .any(|(name, value)| name.eq_ignore_ascii_case("hidden") && is_hidden_by(value));
        id(tag).filter(|_| is_hidden).and_then(|id| Self::split(id, "S:"))
    }

    /// That of the part that this tag is the place of: `<template id="B:0">`, or `P:0` inside another part.
    pub(super) fn of_place(tag: Tag<'a>) -> Option<Self> {
        id(tag).and_then(|id| Self::split(id, "B:").or_else(|| Self::split(id, "P:")))
    }

    fn split(id: &'a str, letter: &str) -> Option<Self> {
        let (prefix, number) = id.rsplit_once(letter)?;
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_number.then_some(Self(prefix, number))
    }
}

fn id(tag: Tag<'_>) -> Option<&str> {
    tag.attributes().find(|(name, _)| name.eq_ignore_ascii_case("id")).map(|(_, value)| value)
}

/// Reads the attributes of one tag, their names and values.
pub(super) fn marks<'a>(attributes: impl Iterator<Item = (&'a str, &'a str)>) -> Marks {
    let mut mark = Mark::None;
    let (mut is_hidden, mut is_segment, mut is_invisible) = (false, false, false);
    for (name, value) in attributes {
        // The first letter and the length rule out nearly all attributes.
        let found = match (name.len(), name.as_bytes()[0] | 0x20) {
            (6, b'h') if name.eq_ignore_ascii_case("hidden") => {
                is_hidden |= is_hidden_by(value);
                Mark::None
            }
            (11, b'a') if name.eq_ignore_ascii_case("aria-hidden") => aria_hidden(value),
            (5, b's') if name.eq_ignore_ascii_case("style") => {
                is_invisible |= has_rule(value, "visibility", "hidden");
                if has_rule(value, "display", "none") { Mark::Hidden } else { Mark::None }
            }
            (4, b'r') if name.eq_ignore_ascii_case("role") => role(value),
            (5, b'c') if name.eq_ignore_ascii_case("class") => class(value),
            (2, b'i') if name.eq_ignore_ascii_case("id") => {
                is_segment |= SegmentId::split(value, "S:").is_some();
                if is_margin(value) { Mark::Margin } else { Mark::None }
            }
            _ => Mark::None,
        };
        mark = match (mark, found) {
            (Mark::Hidden, _) | (_, Mark::Hidden) => Mark::Hidden,
            (Mark::Note, _) | (_, Mark::Note) => Mark::Note,
            (Mark::Furniture, _) | (_, Mark::Furniture) => Mark::Furniture,
            (Mark::Title, _) | (_, Mark::Title) => Mark::Title,
            (Mark::Margin, _) | (_, Mark::Margin) => Mark::Margin,
            _ => Mark::None,
        };
    }
    if is_hidden && !is_segment {
        mark = Mark::Hidden;
    }
    Marks { mark, is_veiled: mark != Mark::Hidden && (is_hidden || is_invisible) }
}

/// Whether the attribute `hidden` hides: "until-found" content is part of the page and found by searching it.
fn is_hidden_by(value: &str) -> bool {
    !value.eq_ignore_ascii_case("until-found")
}

fn aria_hidden(value: &str) -> Mark {
    if value.eq_ignore_ascii_case("true") { Mark::Hidden } else { Mark::None }
}

/// Whether a style sets a property to a value.
fn has_rule(style: &str, wanted: &str, to: &str) -> bool {
    style.split(';').filter_map(|rule| rule.split_once(':')).any(|(property, value)| {
        let value = value.split_ascii_whitespace().next().unwrap_or("");
        property.trim().eq_ignore_ascii_case(wanted) && value.eq_ignore_ascii_case(to)
    })
}

fn role(value: &str) -> Mark {
    const FURNITURE: [&str; 12] = [
        "navigation",
        "banner",
        "contentinfo",
        "search",
        "menu",
        "menubar",
        "toolbar",
        "dialog",
        "alertdialog",
        "tooltip",
        "doc-toc",
        "doc-pagelist",
    ];
    const NOTE: [&str; 6] =
        ["note", "doc-footnote", "doc-footnotes", "doc-endnotes", "doc-endnote", "doc-tip"];
    let first = value.split_ascii_whitespace().next().unwrap_or("");
    if FURNITURE.iter().any(|role| first.eq_ignore_ascii_case(role)) {
        Mark::Furniture
    } else if NOTE.iter().any(|role| first.eq_ignore_ascii_case(role)) {
        Mark::Note
    } else {
        Mark::None
    }
}

/// Classes that mean one thing wherever they are found: the frameworks' words for content that only screen
/// readers meet and for links past the navigation, generators' words for the links they put beside headings,
/// for the numbers of a listing's lines, for their navigation and for their notes.
fn class(value: &str) -> Mark {
    const HIDDEN: [&str; 15] = [
        "sr-only",
        "visually-hidden",
        "visuallyhidden",
        "screen-reader-text",
        "noprint",
        "skip",
        "skiplink",
        "skip-link",
        "skip-nav",
        "skip-to-content",
        "headerlink",
        "viewcode-link",
        "lineno",
        "linenos",
        "linenodiv",
    ];
    const FURNITURE: [&str; 11] = [
        "navbar",
        "nav-panel",
        "navheader",
        "navfooter",
        "navigation",
        "breadcrumb",
        "breadcrumbs",
        "sphinxsidebar",
        "menu",
        "toc-nav",
        "related",
    ];
    const NOTE: [&str; 7] =
        ["footnote", "footnote-list", "footnotes", "admonition", "note", "warning", "tip"];
    let mut mark = Mark::None;
    for word in value.split_ascii_whitespace() {
        if HIDDEN.iter().any(|class| word.eq_ignore_ascii_case(class)) {
            return Mark::Hidden;
        }
        if NOTE.iter().any(|class| word.eq_ignore_ascii_case(class)) {
            mark = Mark::Note;
        } else if mark == Mark::None
            && FURNITURE.iter().any(|class| word.eq_ignore_ascii_case(class))
        {
            mark = Mark::Furniture;
        } else if mark == Mark::None && is_margin(word) {
            mark = Mark::Margin;
        } else if matches!(mark, Mark::None | Mark::Margin) && word.eq_ignore_ascii_case("title") {
            mark = Mark::Title;
        }
    }
    mark
}

/// The two words that pages name their heads and feet by, where they do not use the elements.
fn is_margin(word: &str) -> bool {
    word.eq_ignore_ascii_case("header") || word.eq_ignore_ascii_case("footer")
}
