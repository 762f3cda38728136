//! Accents, lines under letters, raised letters, strokes: what stands with a letter and is none, or is not a word.

mod writer;

use nearprint_pdf::{Options, extract_text};
use writer::PdfWriter;

fn text_of(bytes: &[u8]) -> String {
    extract_text(bytes, &Options::default()).expect("the document is sound").text
}

#[test]
fn accents_drawn_before_the_first_letter_of_a_line_stand_on_it() {
    // TeX's fonts compose so: the accent, a step back, the letter. Helvetica's acute (WinAnsi 180) is 3.33 wide, its S
    // 6.67.
    for (content, expected) in [
        (
            "BT /F1 10 Tf 51.7 700 Td (\\264) Tj -1.7 0 Td (Swidnica and more) Tj ET",
            "Świdnica and more\n",
        ),
        (
            "BT /F1 10 Tf 50 712 Td (to) Tj 1.7 -12 Td (\\264) Tj -1.7 0 Td (sroda) Tj ET",
            "to\nśroda\n",
        ),
        // Over no letter, and with the letter a line's length away: a sign.
        ("BT /F1 10 Tf 150 700 Td (\\264) Tj -100 0 Td (Swidnica) Tj ET", "\u{b4} Swidnica\n"),
        // Beside the letter: a sign too.
        ("BT /F1 10 Tf 50 700 Td (\\264i) Tj ET", "\u{b4}i\n"),
    ] {
        let text = text_of(&PdfWriter::one_page(content));
        assert_eq!(text.replace("S\u{301}", "Ś").replace("s\u{301}", "ś"), expected, "{content}");
    }
}

#[test]
fn lines_under_letters_are_no_underscores() {
    // Helvetica's a is 5.56 wide at this size: the rule under it ends where the next letter begins.
    let under = "BT /F1 10 Tf 50 700 Td (la) Tj ET 52.3 698 5.4 0.4 re f BT /F1 10 Tf 57.8 700 Td (hi) Tj ET";
    assert_eq!(text_of(&PdfWriter::one_page(under)), "lahi\n");
    let beside =
        "BT /F1 10 Tf 50 700 Td (la) Tj ET 58.4 698 3 0.4 re f BT /F1 10 Tf 62 700 Td (hi) Tj ET";
    assert_eq!(text_of(&PdfWriter::one_page(beside)).replace(' ', ""), "la_hi\n");
}

#[test]
fn raised_letters_before_words_are_marks_of_notes() {
    for (content, expected) in [
        ("4 Ts /F1 7 Tf (a) Tj 0 Ts /F1 10 Tf (share of all) Tj", "a share of all"),
        ("(see ) Tj 4 Ts /F1 7 Tf (b) Tj 0 Ts /F1 10 Tf (yearly) Tj", "see b yearly"),
        // Within a word, on the line, a capital: none.
        ("(M) Tj 4 Ts /F1 7 Tf (c) Tj 0 Ts /F1 10 Tf (Donald) Tj", "McDonald"),
        ("/F1 7 Tf (a) Tj /F1 10 Tf (share) Tj", "ashare"),
        ("4 Ts /F1 7 Tf (V) Tj 0 Ts /F1 10 Tf (x) Tj", "Vx"),
    ] {
        let page = PdfWriter::one_page(&format!("BT /F1 10 Tf 50 700 Td {content} ET"));
        assert_eq!(text_of(&page).trim_end(), expected, "{content}");
    }
}

#[test]
fn strokes_that_lengthen_a_first_letter_are_apart_from_the_word_before() {
    // A to C are beh, meem and the stroke (U+0640), all 6 wide; the line is drawn from the right.
    let mut pdf = PdfWriter::new();
    let map = pdf.stream(
        "",
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar <41> <0628> <42> <0645> \
         <43> <0640> endbfchar endcmap",
    );
    pdf.page(
        &format!("/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode {map} 0 R >> >>"),
        "BT /F1 10 Tf 1 0 0 1 80 700 Tm (A) Tj 1 0 0 1 74 700 Tm (B) Tj 1 0 0 1 64 700 Tm (C) Tj \
         1 0 0 1 58 700 Tm (A) Tj 1 0 0 1 52 700 Tm (C) Tj 1 0 0 1 46 700 Tm (B) Tj ET",
    );
    assert_eq!(text_of(&pdf.finish()), "بم بم\n");
}
