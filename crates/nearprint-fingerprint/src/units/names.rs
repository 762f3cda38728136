//! Names of program code whose case tells them apart: `BOOST_PROTO_A` is not `BOOST_PROTO_a`.
//!
//! Tokens are case-folded, so names are read from the text as it was written. A name is a run of at most 64 ASCII
//! letters, digits and low lines, with a low line between two of the others or a capital letter after a small one.
//! Prose in capital letters has neither, so it makes no names.

/// Bytes that are searched at once.
const BLOCK: usize = 64;

/// Bytes of the longest name: longer ones are encoded data.
const LONGEST: usize = 64;

/// Gives the names of a text to `take`, in order. Time is linear in the text.
pub(super) fn each_name(text: &str, mut take: impl FnMut(&[u8])) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes.len().min(at + BLOCK);
        // One byte more than the block, since a pair of letters may span its end.
        let next = &bytes[(at + 1).min(bytes.len())..bytes.len().min(end + 1)];
        if !bytes[at..end].iter().zip(next).fold(false, |any, (&a, &b)| any | is_mark(a, b)) {
            at = end;
            continue;
        }
        let found = bytes[at..end].iter().zip(next).position(|(&a, &b)| is_mark(a, b));
        let found = at + found.unwrap_or(0);
        let before = bytes[at..found].iter().rev().take_while(|byte| is_part(**byte)).count();
        // A name may have begun in the block before; it was over there if a mark of it had been there.
        let earlier = if before == found - at { LONGEST.min(at) } else { 0 };
        let earlier =
            bytes[at - earlier..at].iter().rev().take_while(|byte| is_part(**byte)).count();
        let after = bytes[found..].iter().take_while(|byte| is_part(**byte)).count();
        let name = trim(&bytes[found - before - earlier..found + after]);
        if name.len() <= LONGEST && name.windows(2).any(|pair| is_mark(pair[0], pair[1])) {
            take(name);
        }
        at = found + after.max(1);
    }
}

/// Whether a name is one by these two bytes.
#[inline(always)]
fn is_mark(first: u8, second: u8) -> bool {
    (first == b'_') | (first.wrapping_sub(b'a') < 26) & (second.wrapping_sub(b'A') < 26)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A name without low lines at its ends.
fn trim(name: &[u8]) -> &[u8] {
    let start = name.iter().take_while(|byte| **byte == b'_').count();
    let end = name.iter().rev().take_while(|byte| **byte == b'_').count();
    name.get(start..name.len() - end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        each_name(text, |name| found.push(String::from_utf8(name.to_vec()).unwrap()));
        found
    }

    #[test]
    fn names_are_found_wherever_they_stand() {
        let text = "US and us, BOOST_PROTO_a(N); __init__ _emphasis_ camelCase, a_1 iPhone 日本_x Ärger_b x_";
        let wanted = ["BOOST_PROTO_a", "camelCase", "a_1", "iPhone", "rger_b"];
        for shift in 0..2 * BLOCK {
            assert_eq!(names(&(" ".repeat(shift) + text)), wanted, "{shift}");
        }
        assert_eq!(names(&"aB".repeat(40)), [""; 0]);
        assert_eq!(names(&format!("{}_b", "a".repeat(62))).len(), 1);
        assert_eq!(names(""), [""; 0]);
    }
}
