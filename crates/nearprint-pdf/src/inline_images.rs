//! Images within contents (`BI … ID … EI`), where a content has so many of them, or of what may end them, that the
//! parser takes too long.
//!
//! An image has no length, and its bytes may look like its end. The parser tries each end by reading what follows as
//! operators, the images there included, which takes time that doubles with each image. A content of 1 KB has no end in
//! practice. So such contents are taken apart here: an image ends before the next one begins, and what follows an end
//! is read for a short way only. Contents of ordinary documents are left to the parser as they are.

use std::ops::Range;

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use memchr::memmem;

use crate::budget::Budget;
use crate::error::PdfError;

/// Images of a content that are left to the parser (<=): its time doubles with each.
const MOST_IMAGES: usize = 4;
/// Ends of images times bytes of a content that are left to the parser (<=): it may read all for each end.
const MOST_TRIED: usize = 1 << 18;
/// Such bytes that it reads in the time of one operator, about, with images in images.
const TRIED_PER_OPERATOR: usize = 8;
/// Bytes after an end that are read to see whether it is one.
const WINDOW: usize = 4 << 10;
/// Bytes of these in the time of one operator, about.
const BYTES_PER_OPERATOR: usize = 64;
/// Operators after an end that are enough to see that it is one.
const ENOUGH: usize = 20;

/// The parts of a content that are read one after the other, without images unless few are in it.
pub(crate) fn parts(content: &[u8], budget: &mut Budget) -> Result<Vec<Range<usize>>, PdfError> {
    let whole = 0..content.len();
    let images: Vec<usize> = beginnings(content).collect();
    if images.is_empty() {
        return Ok(vec![whole]);
    }
    let tried = ends(content).count().saturating_mul(content.len());
    if images.len() <= MOST_IMAGES && tried <= MOST_TRIED {
        budget.count_work((tried / TRIED_PER_OPERATOR) as u64)?;
        return Ok(vec![whole]);
    }
    let before = 0..images[0];
    let mut parts = Vec::from([before]);
    let nexts = images.iter().skip(1).copied().chain([content.len()]);
    for (begin, next) in images.iter().copied().zip(nexts) {
        budget.count_work(1)?;
        if let Some(after) = after_image(&content[begin..next], budget)? {
            parts.push(begin + after..next);
        }
    }
    Ok(parts)
}

/// Where images begin: the operator, and what can come after it.
fn beginnings(content: &[u8]) -> impl Iterator<Item = usize> {
    let mut blanks = Blanks { content, comment: 0..0, skipped: 0..0 };
    memmem::find_iter(content, b"BI").filter(move |&at| {
        let is_operator = at.checked_sub(1).is_none_or(|before| ends_token(content[before]));
        is_operator && {
            let rest = &content[blanks.end_from(at + 2)..];
            rest.starts_with(b"/") || rest.starts_with(b"ID")
        }
    })
}

/// White space and comments of a content. Operators may be named in a comment as often as it has room: what was skipped
/// once is not read again, or the time would be the square of the length.
struct Blanks<'a> {
    content: &'a [u8],
    /// From the first comment behind the last place to the end of its line.
    comment: Range<usize>,
    /// What was skipped last: each line end in it leads to its end.
    skipped: Range<usize>,
}

impl Blanks<'_> {
    /// Where white space and comments end that begin at a place, which is behind those of earlier calls.
    fn end_from(&mut self, begin: usize) -> usize {
        let line_end = |from: usize| {
            let end = memchr::memchr2(b'\n', b'\r', &self.content[from..]);
            end.map_or(self.content.len(), |end| from + end)
        };
        let (mut at, mut is_first) = (begin, true);
        loop {
            match self.content.get(at) {
                Some(byte) if is_space(byte) => at += 1,
                Some(b'%') if std::mem::take(&mut is_first) => {
                    if !self.comment.contains(&at) {
                        self.comment = at..line_end(at);
                    }
                    at = self.comment.end;
                    if self.skipped.contains(&at) {
                        at = self.skipped.end;
                        break;
                    }
                }
                Some(b'%') => at = line_end(at),
                _ => break,
            }
        }
        self.skipped = begin..at;
        at
    }
}

/// Where images may end.
fn ends(content: &[u8]) -> impl Iterator<Item = usize> {
    memmem::find_iter(content, b"EI").filter(|at| content.get(at + 2).is_none_or(is_space))
}

/// What follows the image that some bytes begin with; `None` if it does not end there.
fn after_image(bytes: &[u8], budget: &mut Budget) -> Result<Option<usize>, PdfError> {
    let data = memmem::find_iter(bytes, b"ID")
        .find(|&at| bytes.get(at + 2).is_some_and(is_space) && at > 0 && ends_token(bytes[at - 1]));
    let Some(data) = data.map(|at| at + 3).filter(|at| *at <= bytes.len()) else { return Ok(None) };
    for end in ends(&bytes[data..]) {
        let after = data + end + 2;
        let tail = &bytes[after..bytes.len().min(after + WINDOW)];
        let examined = memmem::find(tail, b"EI").map(|next| (next, &tail[..next]));
        let Some((_, before)) = examined else {
            budget.count_work(1)?;
            return Ok(Some(after));
        };
        budget.count_work(1 + (before.len() / BYTES_PER_OPERATOR) as u64)?;
        if has_binary(before) {
            continue;
        }
        budget.count_work((ENOUGH + tail.len() / BYTES_PER_OPERATOR) as u64)?;
        if is_content(tail) {
            return Ok(Some(after));
        }
    }
    Ok(None)
}

/// Whether there are bytes that contents have in strings only.
fn has_binary(bytes: &[u8]) -> bool {
    let (mut depth, mut escaped) = (0_usize, false);
    bytes.iter().any(|byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if depth > 0 => escaped = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => return depth == 0 && !byte.is_ascii(),
        }
        false
    })
}

/// Whether operators follow: some, or one that shows text.
fn is_content(bytes: &[u8]) -> bool {
    let mut instructions = TypedIter::new(bytes);
    for _ in 0..ENOUGH {
        match instructions.next() {
            None => return false,
            Some(
                TypedInstruction::ShowText(_)
                | TypedInstruction::ShowTexts(_)
                | TypedInstruction::NextLineAndShowText(_)
                | TypedInstruction::ShowTextWithParameters(_),
            ) => return true,
            Some(_) => {}
        }
    }
    true
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

/// Whether a word may begin after a byte. Digits end numbers, which a word may follow at once.
fn ends_token(byte: u8) -> bool {
    is_space(&byte) || byte.is_ascii_digit() || b"()<>[]{}.+-".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limits;

    fn texts(content: &[u8]) -> Vec<String> {
        let mut budget = Budget::new(Limits::default(), 1 << 20);
        let parts = parts(content, &mut budget).expect("within the limits");
        parts.into_iter().map(|part| String::from_utf8_lossy(&content[part]).into_owned()).collect()
    }

    #[test]
    fn few_images_are_left_to_the_parser() {
        for content in
            [&b"BT (BI /W) Tj ET"[..], b"q BI /W 1 ID xyz EI Q", b"/BI /ABI xBI /W BI", b""]
        {
            assert_eq!(texts(content), [String::from_utf8_lossy(content)]);
        }
    }

    #[test]
    fn many_images_are_taken_out() {
        for image in [
            &b"BI /W 1 ID xyz EI"[..],
            b"BI%a comment\n/W 1/F[/A85 /Fl]ID\nxEI EI\x80 EI\n",
            b"BI ID EI ) EI",
            b"BI\0/W 1 ID \xFF\xD8EI x\xA0EI EI",
        ] {
            let content = [b"q ", image, b" (a) Tj (\x80 EI) Tj "].concat().repeat(6);
            let found = texts(&content);
            assert_eq!(found.len(), 7);
            assert_eq!(found[0], "q ");
            for text in &found[1..] {
                assert!(text.contains("(a) Tj") && text.contains("EI) Tj"), "{found:?}");
                assert!(!text.contains("x") && !text.contains("BI"), "{found:?}");
            }
        }
    }

    #[test]
    fn operators_in_comments_are_read_once() {
        // As by reading on from each of them.
        let one_by_one = |content: &[u8]| -> Vec<usize> {
            let is_image = |&at: &usize| {
                let before = &content[..at];
                let mut blanks = Blanks { content, comment: 0..0, skipped: 0..0 };
                before.last().is_none_or(|byte| ends_token(*byte)) && {
                    let rest = &content[blanks.end_from(at + 2)..];
                    rest.starts_with(b"/") || rest.starts_with(b"ID")
                }
            };
            memmem::find_iter(content, b"BI").filter(is_image).collect()
        };
        let pieces = [&b"BI"[..], b" ", b"%", b"\n", b"\r", b"\0", b"/W", b"ID", b"x"];
        let mut state = 1_u32;
        for _ in 0..20_000 {
            let mut content = Vec::new();
            for _ in 0..24 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                content.extend(pieces[(state >> 16) as usize % pieces.len()]);
            }
            assert_eq!(beginnings(&content).collect::<Vec<_>>(), one_by_one(&content));
        }
        // One by one this takes minutes.
        assert_eq!(beginnings(&b"3 Tr BI %".repeat(1 << 20)).count(), 0);
    }

    #[test]
    fn images_without_an_end_take_what_follows() {
        let content = [&b"(a) Tj "[..], &b"BI /W 1 ID ".repeat(9)].concat();
        assert_eq!(texts(&content), ["(a) Tj "]);
    }
}
