//! hOCR: pages of HTML that recognisers of print write. What they say of a page is in classes of HTML's elements: a
//! line of print is a `span` of the class `ocr_line`, and a word that it breaks ends with a soft hyphen.

use super::tokenizer::Tag;
use crate::error::ExtractError;
use crate::flow;
use crate::job::Job;
use crate::plain;

/// Bytes of a page in which it says that it is hOCR.
const WINDOW: usize = 16 << 10;

/// Classes of lines.
const LINES: [&str; 5] = ["ocr_line", "ocrx_line", "ocr_header", "ocr_textfloat", "ocr_caption"];

/// Classes of the margins of a page.
const MARGINS: [&str; 3] = ["ocr_header", "ocr_footer", "ocr_pageno"];

/// Whether a page is hOCR: it has a page, and before it what recognised it or a line in it.
pub(super) fn is_hocr(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(WINDOW)];
    let has = |mark: &str| memchr::memmem::find(head.as_bytes(), mark.as_bytes()).is_some();
    has("ocr_page") && (has("ocr-system") || has("ocr_line") || has("ocr_par"))
}

/// Whether an element is a line.
pub(super) fn is_line(tag: Tag<'_>) -> bool {
    has_class(tag, |class| LINES.contains(&class))
}

/// Whether an element is the head, the foot or the number of a page, which other media leave out as well. Tesseract
/// marks the lines of headings as heads: those are lines, and not blocks.
pub(super) fn is_margin(tag: Tag<'_>) -> bool {
    let is_span = tag.name.eq_ignore_ascii_case("span");
    has_class(tag, |class| MARGINS.contains(&class) && !(is_span && class == "ocr_header"))
}

fn has_class(tag: Tag<'_>, is_meant: impl Fn(&str) -> bool) -> bool {
    tag.attributes().any(|(name, value)| {
        name.eq_ignore_ascii_case("class") && value.split_ascii_whitespace().any(&is_meant)
    })
}

/// The text of lines: words that a line breaks are joined by their mark, or as in plain text. Lines of a script without
/// blanks have been joined in their paragraphs: those that are left are paragraphs.
pub(super) fn joined(lines: &str, job: &Job<'_>) -> Result<String, ExtractError> {
    job.work.charge(lines.len())?;
    let lines = lines.replace("\u{AD}\n", "").replace("¬\n", "");
    let mut separated = String::with_capacity(lines.len());
    for line in lines.split_inclusive('\n') {
        if flow::joins_lines(separated.trim_end_matches('\n'), line) {
            separated.push('\n');
        }
        separated.push_str(line);
    }
    plain::lines(&separated, job)
}
