//! Names of collections with `*`, as tokens have them.

/// Whether a name matches a pattern, in time linear in the product of their lengths.
pub(super) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut star = None;
    while from < name.len() {
        if at < pattern.len() && pattern[at] == b'*' {
            star = Some((at, from));
            at += 1;
        } else if at < pattern.len() && pattern[at] == name[from] {
            (at, from) = (at + 1, from + 1);
        } else if let Some((place, taken)) = star {
            (at, from) = (place + 1, taken + 1);
            star = Some((place, taken + 1));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_matched_whole() {
        for (pattern, name, wanted) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("crawl-*", "crawl-2026", true),
            ("crawl-*", "acrawl-2026", false),
            ("*-x", "a-x-x", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b-d", false),
            ("**", "a", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), wanted, "{pattern} {name}");
        }
    }
}
