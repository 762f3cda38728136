//! Whether PDFs are read in linear time, in a count of steps and not by a clock.
//!
//! The tokens are put inside unpacked PDFs: into contents, maps of glyphs, widths, encodings, trees of pages, lists of
//! annotations. Documents of one token repeated, and of each pair, alternating and one after the other, are read at two
//! lengths. Steps that more than triple where the length doubles grow with the square of it. `{n}` in a token is a
//! number, another one each time.
//!
//! What finding objects in a damaged file takes is not part of the count: it is bounded before the file is opened
//! (`hostile.rs`).

mod writer;

use nearprint_pdf::{Options, extract_text_counted};
use std::fmt::Write;
use writer::PdfWriter;

/// Bytes of tokens in the shorter document.
const LENGTH: usize = 4 << 10;

/// Steps that are not evidence: what the longer document takes where each of its bytes is looked at 16 times.
const ENOUGH: u64 = 16 * 2 * LENGTH as u64;

#[derive(Debug, Clone, Copy)]
enum Shape {
    Alternating,
    OneAfterTheOther,
}

fn repeated((a, b): (&str, &str), shape: Shape, length: usize) -> String {
    let mut text = String::with_capacity(length + 64);
    let mut number = 0;
    while text.len() < length {
        let token = match shape {
            Shape::Alternating if number % 2 == 1 => b,
            Shape::OneAfterTheOther if text.len() >= length / 2 => b,
            _ => a,
        };
        match token.split_once("{n}") {
            Some((before, after)) => write!(text, "{before}{number}{after}").unwrap(),
            None => text.push_str(token),
        }
        number += 1;
    }
    text
}

/// Reads documents of all pairs of tokens; `document` puts them in their place.
#[track_caller]
fn look_at(tokens: &[&str], document: impl Fn(&str) -> Vec<u8>) {
    let mut wrong = Vec::new();
    let mut read = 0;
    for a in tokens {
        for b in tokens {
            for shape in [Shape::Alternating, Shape::OneAfterTheOther] {
                let mut steps = |length: usize| {
                    let file = document(&repeated((a, b), shape, length));
                    let (found, steps) = extract_text_counted(&file, &Options::default());
                    read += usize::from(found.is_ok());
                    steps
                };
                let longer = steps(2 * LENGTH);
                if longer <= ENOUGH {
                    continue;
                }
                let shorter = steps(LENGTH);
                // Where a piece ends decides whether it is closed: once is chance.
                if longer > 3 * shorter && steps(4 * LENGTH) > 3 * longer {
                    wrong.push(format!("{a:?} {b:?} {shape:?}: {shorter}, {longer}"));
                }
            }
        }
    }
    assert!(read > tokens.len(), "what is tested must be read");
    assert!(wrong.is_empty(), "{} grow with the square:\n{}", wrong.len(), wrong.join("\n"));
}

/// A page with fonts of all kinds, a drawing and a layer.
fn page(content: &str) -> Vec<u8> {
    let mut pdf = PdfWriter::new();
    let map = pdf.stream("", "begincmap 1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap");
    let form = pdf.stream("/Subtype /Form /BBox [0 0 9 9]", "BT /F1 9 Tf (drawn) Tj ET");
    let resources = format!(
        "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
         /F2 << /Type /Font /Subtype /Type0 /BaseFont /Made /Encoding /Identity-H /ToUnicode {map} 0 R \
         /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Made /DW 600 >>] >> >> \
         /XObject << /X {form} 0 R >> /Properties << /L << /Type /OCG >> >>"
    );
    pdf.page(&resources, content);
    pdf.finish()
}

#[test]
fn operators() {
    let tokens = [
        "q ",
        "Q ",
        "BT ",
        "ET ",
        "(word) Tj ",
        "/X Do ",
        "/P BMC ",
        "EMC ",
        "0 0 90 1 re f ",
        "BI /W 1 /H 1 ID x EI ",
        "EI ",
        "BI /W ",
        "ID ",
        "({n}) ' ",
        "1 0 0 1 {n}0 700 Tm ",
        "BI ",
        "(",
        ")",
        "[",
        "]",
        "<<",
        ">>",
        "<",
        "/A ",
        "0 ",
        "/OC /L BDC ",
        "/Span << /ActualText (ab) >> BDC ",
        "1 0 0 1 1 1 cm ",
        "/F1 9 Tf ",
        "%",
        "\n",
    ];
    look_at(&tokens, |tokens| {
        page(&format!("BT /F1 9 Tf 72 700 Td (a word) Tj {tokens} (end) Tj"))
    });
}

/// What comes after the operators: lines, columns, rules, heads, hyphens.
#[test]
fn glyphs_and_where_they_stand() {
    let tokens = [
        "(word) Tj ",
        "(word) ' ",
        "(word-) ' ",
        "( ) Tj ",
        "(17) ' ",
        "(a b) Tj ",
        "T* ",
        "9 0 Td ",
        "-9 0 Td ",
        "0 9 Td ",
        "250 0 Td (right) Tj -250 -11 Td (left) Tj ",
        "1 0 0 1 72 {n} Tm ",
        "1 0 0 1 {n} 700 Tm ",
        "1 0 0 1 {n}0 700 Tm ",
        "1 0 0 1 72 700 Tm (same) Tj ",
        "0 1 -1 0 9 {n} Tm ",
        "-1 0 0 1 9 9 Tm ",
        "(http://a.example/b-) ' ",
        "(_) Tj ",
        "72 {n} 9 0.5 re f ",
        "<05D0> Tj ",
        "<05B005D0> Tj ",
        "<0E330E01> Tj ",
        "<0915094D> Tj ",
        "<AC00> ' ",
        "<00AD> ' ",
        "<0301> Tj ",
        "/F1 9 Tf ",
        "/F2 9 Tf ",
        "(\\256\\(x\\)) Tj ",
        "<0020> Tj ",
    ];
    look_at(&tokens, |tokens| page(&format!("BT 11 TL /F2 9 Tf 72 700 Td <00770020> Tj {tokens}")));
}

/// Pages that are alike, and what stands at their edges.
#[test]
fn pages() {
    let tokens = [
        "(head) ' ",
        "(page {n}) ' ",
        "({n}) ' ",
        "(text {n} text) ' ",
        "-1 0 0 1 9 9 Tm ",
        "0 -600 Td ",
        "0 600 Td ",
    ];
    look_at(&tokens, |tokens| {
        let mut pdf = PdfWriter::new();
        // A page for each line of tokens.
        for part in tokens.split_inclusive('\'') {
            pdf.helvetica_page(&format!("BT /F1 9 Tf 11 TL 72 790 Td {part} ET"));
        }
        pdf.finish()
    });
}

/// Many short streams of one page, behind a long content without operators.
#[test]
fn streams_of_a_page() {
    const LONG: usize = 8 << 20;
    let steps = |short: usize| {
        let document = format!(
            "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
             2 0 obj <</Type/Pages/Count 1/Kids[3 0 R]>> endobj\n\
             3 0 obj <</Type/Page/Parent 2 0 R/Contents[4 0 R {}]>> endobj\n\
             4 0 obj <</Length {LONG}>> stream\n{}\nendstream endobj\n\
             5 0 obj <</Length 1>> stream\n \nendstream endobj\n\
             trailer <</Root 1 0 R>>\n",
            "5 0 R ".repeat(short),
            " ".repeat(LONG),
        );
        extract_text_counted(document.as_bytes(), &Options::default()).1
    };
    assert!(steps(200) < 2 * steps(1));
}

/// The letters of glyphs, and their widths.
#[test]
fn maps_and_widths() {
    let maps = [
        "1 beginbfchar <0001> <0041> endbfchar ",
        "1 beginbfchar <{n}> <00660069> endbfchar ",
        "1 beginbfrange <0000> <00FF> <0041> endbfrange ",
        "1 beginbfrange <0001> <0002> [<0041> <0042>] endbfrange ",
        "beginbfchar ",
        "endbfchar ",
        "<0041> ",
        "[",
        "]",
        "1 begincodespacerange <00> <FF> endcodespacerange ",
        "(",
        "%",
    ];
    let font = |map: &str, widths: &str| {
        let mut pdf = PdfWriter::new();
        let map = pdf.stream("", format!("begincmap {map} endcmap"));
        let resources = format!(
            "/Font << /F1 << /Type /Font /Subtype /Type0 /BaseFont /Made /Encoding /Identity-H /ToUnicode {map} 0 R \
             /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Made /DW 600 /W [{widths}] >>] >> >>"
        );
        pdf.page(&resources, &"BT /F1 9 Tf <000100020041> Tj ET ".repeat(50));
        pdf.finish()
    };
    look_at(&maps, |tokens| font(tokens, ""));
    // Not a lone number: what it begins ends at a number further on, and has as many entries as that says.
    let widths =
        ["1 9 500 ", "{n} {n} 500 ", "{n} [500] ", "0 [500 500] ", "[", "]", "null ", "(x) "];
    look_at(&widths, |tokens| font("1 beginbfrange <0000> <00FF> <0041> endbfrange", tokens));
}

#[test]
fn names_of_glyphs() {
    let tokens =
        ["/a", "/uni05D0", "/g{n}", "{n} ", "/f_f_i", "65 ", "/.notdef", "(x) ", "[", "/u1F600"];
    look_at(&tokens, |tokens| {
        let mut pdf = PdfWriter::new();
        let resources = format!(
            "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Made /Encoding << /Differences [0 {tokens}] >> >> >>"
        );
        pdf.page(&resources, &"BT /F1 9 Tf (abcABC) Tj ET ".repeat(50));
        pdf.finish()
    });
}

#[test]
fn annotations_and_fields() {
    let tokens = [
        "<< /Subtype /FreeText /Contents (a note) /Rect [9 9 99 99] >> ",
        "<< /Subtype /Widget /FT /Tx /V (an answer {n}) /Rect [9 9 99 99] >> ",
        "<< /Subtype /Widget /FT /Ch /V (b) /Opt [(a) (b) [(c) (d)]] /Rect [9 {n} 99 99] >> ",
        "<< /Subtype /Widget /Parent 3 0 R /Rect [9 9 99 99] >> ",
        "3 0 R ",
        "[ ",
        "] ",
        "null ",
    ];
    look_at(&tokens, |tokens| {
        let mut pdf = PdfWriter::new();
        // Object 3: a field that is its own parent.
        pdf.object("<< /FT /Tx /V (of the parent) /Parent 3 0 R >>");
        let content = pdf.stream("", "BT /F1 9 Tf 9 50 Td (before) Tj 99 0 Td (behind) Tj ET");
        let page = pdf.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {content} 0 R /Annots [{tokens}] \
             /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        ));
        pdf.add_page(page);
        pdf.finish()
    });
}
