//! The character data of small XML texts inside a PDF: rich text of fields, and the answers of XFA forms.
//!
//! No general parser: it needs no tree, declares no entities and checks nothing. Each text between two tags is a line.

/// The texts between the tags, each on a line, with white space around them removed.
pub(crate) fn lines(xml: &str) -> String {
    texts(xml, false)
}

/// The answers in an XFA form: the texts within the element `data` of `datasets`.
pub(crate) fn answers(xml: &str) -> String {
    texts(xml, true)
}

/// The texts of the whole, or of the data only.
fn texts(xml: &str, only_data: bool) -> String {
    let mut out = String::new();
    let (mut datasets, mut data) = (None, None);
    let (mut depth, mut rest) = (0_usize, xml);
    while !rest.is_empty() {
        let wanted = !only_data || data.is_some();
        let begin = rest.find('<').unwrap_or(rest.len());
        if wanted {
            push_line(&unescaped(&rest[..begin]), &mut out);
        }
        rest = &rest[begin..];
        if let Some(after) = rest.strip_prefix("<![CDATA[") {
            let (text, after) = after.split_once("]]>").unwrap_or((after, ""));
            if wanted {
                push_line(text, &mut out);
            }
            rest = after;
            continue;
        }
        let end = if rest.starts_with("<!--") { "-->" } else { ">" };
        let (tag, after) = rest.split_once(end).unwrap_or((rest, ""));
        rest = after;
        let tag = tag.strip_prefix('<').unwrap_or_default();
        if tag.starts_with('/') {
            data = data.filter(|open| *open != depth);
            datasets = datasets.filter(|open| *open != depth);
            depth = depth.saturating_sub(1);
        } else if !tag.starts_with(['!', '?']) && !tag.ends_with('/') {
            let name = tag.split_ascii_whitespace().next().unwrap_or_default();
            match name.rsplit(':').next() {
                Some("datasets") if datasets.is_none() => datasets = Some(depth + 1),
                Some("data") if data.is_none() && datasets == Some(depth) => data = Some(depth + 1),
                _ => {}
            }
            depth += 1;
        }
    }
    out
}

fn push_line(text: &str, out: &mut String) {
    let mut words = text.split_whitespace().peekable();
    if words.peek().is_none() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    for (index, word) in words.enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.extend(word.chars().filter_map(crate::fonts::clean_char));
    }
}

/// Replaces the references that every XML text may have.
fn unescaped(text: &str) -> String {
    /// Longest reference: `&#x10FFFF;`.
    const LONGEST: usize = 10;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find('&') {
        out.push_str(&rest[..begin]);
        rest = &rest[begin..];
        let end = rest.bytes().take(LONGEST).position(|b| b == b';');
        let found = end.and_then(|end| Some((reference(&rest[1..end])?, end + 1)));
        let (c, length) = found.unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{answers, lines};

    #[test]
    fn texts_between_tags_are_lines() {
        for (xml, expected) in [
            ("<body><p>one <b>two</b></p>\n<p> </p></body>", "one\ntwo"),
            ("a &amp; b &#x41;&#66; &nbsp; &", "a & b AB &nbsp; &"),
            ("<!-- <p>no</p> --><?pi no?><![CDATA[<yes>]]>", "<yes>"),
            ("<p", ""),
            ("</a></a>x", "x"),
            ("", ""),
        ] {
            assert_eq!(lines(xml), expected, "{xml}");
        }
    }

    #[test]
    fn answers_are_the_data_of_the_form() {
        let xml = "<xfa:datasets xmlns:xfa='x'><xfa:data><form1><name>Ann</name><empty/>\
                   <town>Ulm</town></form1></xfa:data><dd:dataDescription>no</dd:dataDescription>\
                   </xfa:datasets>";
        assert_eq!(answers(xml), "Ann\nUlm");
        assert_eq!(answers(&format!("<xdp><template>no</template>{xml}</xdp>")), "Ann\nUlm");
        assert_eq!(answers("<template><data>no</data></template>"), "");
        let deep = format!("<datasets><data>{}deep", "<a>".repeat(100_000));
        assert_eq!(answers(&deep), "deep");
    }
}
