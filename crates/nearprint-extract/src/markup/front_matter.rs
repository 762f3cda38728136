//! The metadata that a Markdown document may begin with: YAML between lines of hyphens, or TOML between lines of plus
//! signs. It is not text of the document but for its title and abstract, as in other media.

/// Lines of metadata that are looked at.
const MOST_LINES: usize = 2000;

/// Fields that are text, in the order in which they are set.
const SHOWN: [&str; 3] = ["title", "subtitle", "abstract"];

/// The metadata that a text begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrontMatter<'a> {
    /// Its length in bytes, with both of its fences.
    pub(super) length: usize,
    fence: &'a str,
    /// What is between the fences.
    content: &'a str,
}

impl<'a> FrontMatter<'a> {
    /// Reads the beginning of a text. A rule above a text is not metadata: a name and its value follow a fence.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let start = text.len() - text.trim_start_matches('\u{FEFF}').len();
        let fence = ["---", "+++"].into_iter().find(|fence| text[start..].starts_with(fence))?;
        let (mut at, mut begin, mut is_named) = (start, 0, false);
        for (n, line) in text[start..].split_inclusive('\n').enumerate().take(MOST_LINES) {
            let here = at;
            at += line.len();
            let line = line.trim_end();
            match n {
                0 if line != fence => return None,
                0 => begin = at,
                _ if line == fence || (line == "..." && fence == "---") => {
                    let content = &text[begin..here];
                    return is_named.then_some(Self { length: at, fence, content });
                }
                _ if is_other(line) => {}
                _ if is_field(line, fence) => is_named = true,
                _ => return None,
            }
        }
        None
    }

    /// The fields that are text.
    pub(super) fn shown(&self) -> impl Iterator<Item = String> {
        SHOWN.into_iter().filter_map(|name| self.value(name))
    }

    fn value(&self, name: &str) -> Option<String> {
        let sign = if self.fence == "---" { ':' } else { '=' };
        let mut lines = self.content.lines().skip_while(|line| field(line, sign) != Some(name));
        let first = lines.next()?.split_once(sign)?.1.trim();
        // A block of lines, which are indented, or a text that goes on in such lines.
        let is_block = first.starts_with(['|', '>']);
        let mut value = if is_block { String::new() } else { first.to_owned() };
        for line in lines.take_while(|line| line.starts_with([' ', '\t']) || line.is_empty()) {
            value.push('\n');
            value.push_str(line.trim());
        }
        let value = value.trim();
        let quoted = ["\"", "'"].into_iter().find_map(|quote| {
            value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote))
        });
        let value = quoted.unwrap_or(value);
        (!value.is_empty()).then(|| value.to_owned())
    }
}

/// The name of the field that a line begins.
fn field(line: &str, sign: char) -> Option<&str> {
    line.split_once(sign).map(|(name, _)| name.trim_end())
}

/// Whether a line of metadata begins no field: it goes on with one, or is a comment, an item or a table.
fn is_other(line: &str) -> bool {
    line.is_empty() || line.starts_with([' ', '\t', '#', '[', ']', '{', '}', '-', '"', '\''])
}

fn is_field(line: &str, fence: &str) -> bool {
    let sign = if fence == "---" { ':' } else { '=' };
    line.split_once(sign).is_some_and(|(name, value)| {
        let name = name.trim_end();
        let is_name = |c: char| c.is_alphanumeric() || "_-./ ".contains(c);
        // A sentence with a colon has words before it, and a title no more than a few.
        (sign == '=' || value.is_empty() || value.starts_with([' ', '\t']))
            && !name.is_empty()
            && name.split(' ').count() <= 3
            && name.chars().all(is_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_begins_with_a_field_and_ends_with_its_fence() {
        for (text, length) in [
            ("---\ntitle: Fog\n---\ntext", Some(19)),
            ("\u{FEFF}---\r\ntitle: Fog\r\ntags:\r\n- a\r\n  b\r\n...\r\ntext", Some(42)),
            ("---\n# note\n\ntitle: Fog\nlist: [a,\n  b]\n---\n", Some(42)),
            ("+++\n[table]\ntitle = \"Fog\"\n+++\ntext", Some(30)),
            ("---\nA sentence. It has: a colon\n---\n", None),
            ("---\nA rule above a text that says this: words\n---\n", None),
            ("---\ntitle: Fog\n", None),
            ("---\n\n---\n", None),
            ("--- \ntitle: x\n----\n", None),
            ("text\n---\ntitle: x\n---\n", None),
        ] {
            assert_eq!(FrontMatter::read(text).map(|found| found.length), length, "{text:?}");
        }
    }

    #[test]
    fn title_and_abstract_are_shown() {
        for (text, expected) in [
            (
                "---\nabstract: |\n  One\n  two.\n\nauthor: A\ntitle: \"Fog: a story\"\n---\n",
                "Fog: a story/One\ntwo.",
            ),
            ("---\ntitle: Fog\n  signals\nsubtitle: ''\n---\n", "Fog\nsignals"),
            ("+++\ntitle = 'Fog'\n+++\n", "Fog"),
            ("---\nauthor: A\n---\n", ""),
        ] {
            let found = FrontMatter::read(text).unwrap();
            assert_eq!(found.shown().collect::<Vec<_>>().join("/"), expected, "{text:?}");
        }
    }
}
