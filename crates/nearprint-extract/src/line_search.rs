//! Lines that may hold something rare, found by one search of the whole text: most texts have none, and nobody looks at
//! their lines one by one.

use memchr::{memchr, memmem, memrchr};

/// The lines with `needle`, which has no line end, as [`str::lines`] gives them, each after the place where it begins.
pub(crate) fn lines_with<'a>(
    text: &'a str,
    needle: &'a str,
) -> impl Iterator<Item = (usize, &'a str)> {
    let (finder, bytes) = (memmem::Finder::new(needle), text.as_bytes());
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + finder.find(&bytes[from..])?;
        let start = memrchr(b'\n', &bytes[from..at]).map_or(from, |newline| from + newline + 1);
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline + 1);
        from = end;
        text[start..end].lines().next().map(|line| (start, line))
    })
}

/// How often two characters of ASCII stand side by side; three of a kind are one pair, four are two.
pub(crate) fn count_pairs(line: &str, pair: [u8; 2]) -> u32 {
    let (mut rest, mut count) = (line.as_bytes(), 0);
    while let Some(at) = memchr(pair[0], rest) {
        let found = rest.get(at + 1) == Some(&pair[1]);
        count += u32::from(found);
        rest = &rest[at + 1 + usize::from(found)..];
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_standard_library_that_contain_the_needle() {
        for needle in ["x", "xy", "``"] {
            for text in ["", "x", "\nx\n", "a\r\nxyx\r\nb", "``` x\n\nxyxy\rx\n``", "xx\nyx\nxy\r"]
            {
                let mut start = 0;
                let mut wanted = Vec::new();
                for line in text.split_inclusive('\n') {
                    wanted.extend(line.lines().filter(|l| l.contains(needle)).map(|l| (start, l)));
                    start += line.len();
                }
                assert_eq!(lines_with(text, needle).collect::<Vec<_>>(), wanted, "{text:?}");
            }
        }
    }

    #[test]
    fn pairs_are_counted_as_by_matches() {
        for line in ["", "`", "``", "```", "````", "a`_`_b", "``_```", ":`a`:`"] {
            for pair in ["``", "`_", ":`"] {
                let wanted = line.matches(pair).count() as u32;
                assert_eq!(
                    count_pairs(line, pair.as_bytes().try_into().unwrap()),
                    wanted,
                    "{line}"
                );
            }
        }
    }
}
