//! What generators of sites read before Markdown: tags of Liquid and shortcodes of Hugo, and elements of HTML whose
//! content is not text. Lines of these are not shown; what stands between two of them is.

/// Lines that are not read as Markdown, and how they end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passage {
    /// Code, shown as it is up to this tag.
    Code(&'static str),
    /// Not text up to this tag.
    TagDropped(&'static str),
    /// Not text up to the end tag of an element.
    ElementDropped(&'static str),
    /// Not text up to the signs that end a shortcode.
    Shortcode(&'static str),
}

impl Passage {
    /// The passage that begins with a line; none if that is no such line, or has its end, too.
    pub(super) fn begin(line: &str) -> Option<Self> {
        if let Some(tag) = liquid(line) {
            return match tag {
                "highlight" => Some(Self::Code("endhighlight")),
                "comment" => Some(Self::TagDropped("endcomment")),
                _ => None,
            };
        }
        [("{{<", ">}}"), ("{{%", "%}}")]
            .into_iter()
            .find(|(begin, end)| line.starts_with(begin) && !line.contains(end))
            .map(|(_, end)| Self::Shortcode(end))
    }

    /// The rest of a line after the end of the passage, if that is in it.
    pub(super) fn end(self, line: &str) -> Option<&str> {
        match self {
            Self::Code(end) | Self::TagDropped(end) => {
                (liquid(line.trim_start()) == Some(end)).then_some("")
            }
            Self::Shortcode(end) => line.split_once(end).map(|(_, rest)| rest),
            Self::ElementDropped(name) => {
                let end = find_end_tag(line, name)?;
                let rest = &line[end..];
                Some(rest.split_once('>').map_or("", |(_, rest)| rest))
            }
        }
    }
}

/// The name of the tag that a line consists of: `{% name ... %}`.
pub(super) fn liquid(line: &str) -> Option<&str> {
    let inside = line.strip_prefix("{%")?.trim_end().strip_suffix("%}")?;
    inside.trim_matches('-').split_whitespace().next()
}

/// Whether a line is nothing but tags and shortcodes.
pub(super) fn is_tags(line: &str) -> bool {
    let mut rest = line.trim();
    let mut found = false;
    while !rest.is_empty() {
        let Some(length) = tag_length(rest) else { return false };
        rest = rest[length..].trim_start();
        found = true;
    }
    found
}

/// The length of the tag or shortcode that a text begins with.
pub(super) fn tag_length(text: &str) -> Option<usize> {
    [("{%", "%}"), ("{{<", ">}}"), ("{{%", "%}}")].into_iter().find_map(|(begin, end)| {
        let inside = text.strip_prefix(begin)?;
        Some(begin.len() + inside.find(end)? + end.len())
    })
}

/// The file whose content a line is replaced by: in mdBook, MyST, the snippets of Python-Markdown, and beside the page
/// in Jekyll. What Jekyll includes from elsewhere is a part of its theme.
pub(super) fn include(line: &str) -> Option<&str> {
    let file = if let Some(rest) = line.strip_prefix("{{#include ") {
        rest.trim_end().strip_suffix("}}")?
    } else if let Some(rest) = line.strip_prefix("--8<-- ") {
        rest.trim().trim_matches('"')
    } else if liquid(line) == Some("include_relative") {
        line.split_whitespace().nth(2)?
    } else {
        let rest = line.strip_prefix("```").or_else(|| line.strip_prefix(":::"))?;
        rest.trim_start_matches(['`', ':']).strip_prefix("{include}")?
    };
    Some(file.trim()).filter(|file| !file.is_empty())
}

/// The element whose content is not text that a line begins.
pub(super) fn dropped_element(line: &str) -> Option<&'static str> {
    let inside = line.strip_prefix('<')?;
    ["script", "style"].into_iter().find(|name| {
        let (begin, after) = inside.split_at_checked(name.len()).unwrap_or_default();
        begin.eq_ignore_ascii_case(name)
            && (after.is_empty() || after.starts_with(['>', ' ', '\t', '/']))
    })
}

/// Where the end tag of an element is in a line.
fn find_end_tag(line: &str, name: &str) -> Option<usize> {
    line.match_indices("</").map(|(at, _)| at).find(|at| {
        let tag = line[at + 2..].split_at_checked(name.len());
        tag.is_some_and(|(tag, _)| tag.eq_ignore_ascii_case(name))
    })
}
