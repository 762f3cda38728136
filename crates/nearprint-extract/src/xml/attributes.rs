//! The attributes of a tag, as slices of the input.

/// The attributes of a tag in order, their references unresolved; what is malformed ends them.
fn attributes(source: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = source.trim_ascii_start();
    std::iter::from_fn(move || {
        loop {
            let (name, after) = rest.split_once('=')?;
            let after = after.trim_ascii_start();
            let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                // SGML needs no quotes around one word, and what has such values is passed over.
                rest = after.split_once(|c: char| c.is_ascii_whitespace())?.1;
                continue;
            };
            let (value, next) = after[1..].split_once(quote)?;
            rest = next.trim_ascii_start();
            return Some((name.trim_ascii(), value));
        }
    })
}

/// The value of the attribute `name`, its references unresolved.
pub(crate) fn attribute<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    attributes(source).find(|(found, _)| *found == name).map(|(_, value)| value)
}

/// The value of the attribute that is called `name` after a prefix, whatever the prefix.
pub(crate) fn prefixed_attribute<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let named = |found: &str| found.split_once(':').is_some_and(|(_, local)| local == name);
    attributes(source).find(|(found, _)| named(found)).map(|(_, value)| value)
}

/// How many attributes a tag has.
pub(crate) fn attribute_count(source: &str) -> usize {
    attributes(source).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_name() {
        assert_eq!(attribute(" a='1' break = \"no\"", "break"), Some("no"));
        assert_eq!(attribute(" xa='1' a='2'", "a"), Some("2"));
        assert_eq!(attribute(" a=1", "a"), None);
        assert_eq!(prefixed_attribute(" id='1' aid='2' r:id='3'", "id"), Some("3"));
        assert_eq!(prefixed_attribute(" id='1'", "id"), None);
        assert_eq!(attribute_count(" a='=' b = \"'\"\n"), 2);
    }
}
