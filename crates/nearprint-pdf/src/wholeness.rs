//! Whether a document ends as it should: the cross-reference that its end names is there, and so are its pages.
//!
//! The parser searches a file without a cross-reference for objects and does not say so. Files that were cut have
//! none, and half of their pages.

use hayro_syntax::Pdf;
use hayro_syntax::object::Dict;
use hayro_syntax::object::dict::keys::{COUNT, PAGES};
use memchr::memmem;

/// Bytes in which the dictionary of a cross-reference stream says what it is.
const STREAM_HEAD: usize = 4096;

/// Parts of a document that are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MissingParts {
    /// Whether the cross-reference was not where the end of the file says, so that the parser searched for objects.
    pub(crate) cross_reference: bool,
    /// Pages that the document states beyond those that were found.
    pub(crate) pages: u32,
}

impl MissingParts {
    /// What is missing of a document with these bytes, of which so many pages were found.
    pub(crate) fn of(pdf: &Pdf, bytes: &[u8], pages: usize) -> Self {
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
        let tree = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(PAGES));
        let stated = tree.and_then(|tree| tree.get::<i32>(COUNT)).unwrap_or(0);
        let found = u32::try_from(pages).unwrap_or(u32::MAX);
        let pages = u32::try_from(stated).unwrap_or(0).saturating_sub(found);
        Self { cross_reference: !has_cross_reference(bytes), pages }
    }
}

/// Whether the last `startxref` leads to a cross-reference and no object comes after it: of a file that was updated, or
/// written to be shown while it is loaded, a beginning has one, too.
fn has_cross_reference(bytes: &[u8]) -> bool {
    let Some(mark) = memmem::rfind(bytes, b"startxref") else { return false };
    let rest = after_blanks(&bytes[mark + "startxref".len()..]);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let place = std::str::from_utf8(&rest[..digits]).ok().and_then(|digits| digits.parse().ok());
    let place: Option<usize> = place;
    let begins = place.and_then(|place| bytes.get(place..)).is_some_and(is_cross_reference);
    begins && !has_object(&rest[digits..])
}

/// Whether a cross-reference begins here: a table, or the object of a stream.
fn is_cross_reference(bytes: &[u8]) -> bool {
    let bytes = after_blanks(bytes);
    bytes.starts_with(b"xref")
        || (is_object(bytes)
            && memmem::find(&bytes[..bytes.len().min(STREAM_HEAD)], b"/XRef").is_some())
}

fn has_object(bytes: &[u8]) -> bool {
    bytes.split(|byte| matches!(byte, b'\r' | b'\n')).any(is_object)
}

/// Whether an object begins here: its number, its generation and `obj`.
fn is_object(bytes: &[u8]) -> bool {
    let after_number = |bytes: &[u8]| {
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (digits > 0).then_some(digits)
    };
    let Some(number) = after_number(bytes) else { return false };
    let rest = bytes[number..].trim_ascii_start();
    let Some(generation) = after_number(rest) else { return false };
    rest[generation..].trim_ascii_start().starts_with(b"obj")
}

/// What follows white space and comments.
fn after_blanks(mut bytes: &[u8]) -> &[u8] {
    loop {
        let blanks =
            bytes.iter().take_while(|byte| matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)).count();
        bytes = &bytes[blanks..];
        if !bytes.starts_with(b"%") {
            return bytes;
        }
        let line = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
        bytes = &bytes[line.unwrap_or(bytes.len())..];
    }
}

#[cfg(test)]
mod tests {
    use super::has_cross_reference;

    #[test]
    fn a_cross_reference_is_where_the_end_says() {
        for (document, whole) in [
            ("%PDF-1.4\nxref\n0 1\ntrailer<<>>\nstartxref\n9\n%%EOF\n", true),
            ("%PDF-1.4\nxref\n0 1\ntrailer<<>>\nstartxref 9", true),
            ("%PDF-1.5\n7 0 obj<</Type/XRef>>stream\nstartxref\n9\n%%EOF", true),
            ("%PDF-1.5\n7 0 obj<</Type/Page>>stream\nstartxref\n9\n%%EOF", false),
            ("%PDF-1.4\nxref\n0 1\ntrailer<<>>\nstartxref\n8\n%%EOF\n<html>", true),
            ("%PDF-1.4\nxref\n0 1\ntrailer<<>>\nstartxref\n7\n%%EOF\n", false),
            ("%PDF-1.4\nxref\n0 1\ntrailer<<>>\nstartxref\n99999\n%%EOF\n", false),
            ("%PDF-1.4\nxref\n0 1\ntrailer<<>>\n", false),
            // Shown while it is loaded, and cut behind its first page.
            (
                "%PDF-1.4\n7 0 obj<</Linearized 1>>\nxref\ntrailer<<>>\nstartxref\n0\n%%EOF\n8 0 obj",
                false,
            ),
            // An update that is cut.
            ("%PDF-1.4\nxref\n0 1\ntrailer<<>>\nstartxref\n9\n%%EOF\n8 0 obj<<", false),
        ] {
            assert_eq!(has_cross_reference(document.as_bytes()), whole, "{document}");
        }
    }
}
