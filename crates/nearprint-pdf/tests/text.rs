//! Golden texts of small documents, one per rule of the layout.

mod writer;

use nearprint_pdf::{Options, extract_text};
use writer::PdfWriter;

fn text_of(bytes: &[u8]) -> String {
    extract_text(bytes, &Options::default()).expect("the document is sound").text
}

#[test]
fn words_are_separated_by_gaps_and_by_spaces() {
    for (content, expected) in [
        ("BT /F1 10 Tf 50 700 Td (plain words) Tj ET", "plain words"),
        ("BT /F1 10 Tf 50 700 Td [(ker) 80 (ned)] TJ ET", "kerned"),
        ("BT /F1 10 Tf 50 700 Td [(two) -300 (words)] TJ ET", "two words"),
        ("BT /F1 10 Tf 50 700 Td (base) Tj 4 Ts (up) Tj 0 Ts ( line) Tj ET", "baseup line"),
        ("BT /F1 10 Tf 50 700 Td (one) Tj 0 -12 Td (two) Tj ET", "one\ntwo"),
        ("BT /F1 10 Tf 0 1 -1 0 50 50 Tm (turned words) Tj ET", "turned words"),
        ("BT /F1 10 Tf 50 700 Td (caf\\351 \\223quoted\\224) Tj ET", "café “quoted”"),
    ] {
        assert_eq!(text_of(&PdfWriter::one_page(content)).trim_end(), expected, "{content}");
    }
}
