//! Layouts whose order of reading is not that of one column of lines from left to right.

mod writer;

use nearprint_pdf::{Options, extract_text};
use writer::PdfWriter;

fn text_of(bytes: &[u8]) -> String {
    extract_text(bytes, &Options::default()).expect("the document is sound").text
}

fn column(x: u32, lines: &[&str]) -> String {
    let shown: Vec<String> = lines.iter().map(|line| format!("({line}) Tj T*")).collect();
    format!("BT /F1 10 Tf 12 TL {x} 700 Td {} ET ", shown.join(" "))
}

const LEFT: [&str; 3] = ["The keeper wrote", "every ship that passed the light-", "house"];
const RIGHT: [&str; 3] = ["and read the list", "aloud in the even-", "ing"];

#[test]
fn columns_are_read_as_the_file_has_them() {
    let one_by_one = PdfWriter::one_page(&(column(50, &LEFT) + &column(320, &RIGHT)));
    assert_eq!(
        text_of(&one_by_one),
        "The keeper wrote\nevery ship that passed the lighthouse\n\nand read the list\naloud in the evening\n"
    );
    // So few lines that go from column to column may be a table.
    let rows: String = LEFT
        .iter()
        .zip(RIGHT)
        .enumerate()
        .map(|(row, (left, right))| {
            let y = 700 - 12 * row;
            format!("BT /F1 10 Tf 50 {y} Td ({left}) Tj 270 0 Td ({right}) Tj ET ")
        })
        .collect();
    let text = text_of(&PdfWriter::one_page(&rows));
    assert!(text.starts_with("The keeper wrote and read the list\n"), "{text}");
}

/// A page whose font has codes of two bytes for the characters of `alphabet`, from 1 on, under the given encoding.
/// The second character has no width.
fn page_of_cids(encoding: &str, alphabet: &str, content: &str) -> Vec<u8> {
    let mut pdf = PdfWriter::new();
    let map: String = (1..)
        .zip(alphabet.chars())
        .map(|(code, c)| format!("<{code:04x}> <{:04x}>\n", c as u32))
        .collect();
    let map = pdf.stream(
        "",
        format!(
            "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange {} beginbfchar\n{map}endbfchar endcmap",
            alphabet.chars().count()
        ),
    );
    pdf.page(
        &format!(
            "/Font << /F1 << /Type /Font /Subtype /Type0 /BaseFont /Made /Encoding /{encoding} /ToUnicode {map} 0 R \
             /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Made /DW 1000 /W [2 [0]] /CIDSystemInfo << \
             /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >> >>"
        ),
        content,
    );
    pdf.finish()
}

#[test]
fn vertical_text_is_read_down_and_from_the_right() {
    let page = page_of_cids(
        "Identity-V",
        "縦書きの文章",
        "BT /F1 10 Tf 500 700 Td <000100020003> Tj ET BT /F1 10 Tf 484 700 Td <000400050006> Tj ET",
    );
    assert_eq!(text_of(&page), "縦書きの文章\n");
    // The same codes across the page.
    let page = page_of_cids("Identity-H", "縦書き", "BT /F1 10 Tf 50 700 Td <000100020003> Tj ET");
    assert_eq!(text_of(&page), "縦書き\n");
}

#[test]
fn vowel_signs_without_width_divide_no_word() {
    // The sign is drawn back over its letter, and the next letter begins where the first ends.
    let page = page_of_cids(
        "Identity-H",
        "केज",
        "BT /F1 10 Tf 50 700 Td [<0001> 300 <0002> -300 <0003> -400 <0001>] TJ ET",
    );
    assert_eq!(text_of(&page), "केज क\n");
}

#[test]
fn turned_pages_are_read_like_others() {
    for (turn, matrix, at) in
        [(90, "0 1 -1 0", [50, 62]), (180, "-1 0 0 -1", [300, 288]), (270, "0 -1 1 0", [50, 38])]
    {
        let place =
            |at: u32| if turn == 180 { format!("300 {}", 600 - at) } else { format!("{at} 300") };
        let mut pdf = PdfWriter::new();
        let content = pdf.stream(
            "",
            format!(
                "BT /F1 10 Tf {matrix} {} Tm (turned with) Tj {matrix} {} Tm (its page) Tj ET",
                place(at[0]),
                place(at[1])
            ),
        );
        let page = pdf.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate {turn} /Contents {content} 0 R /Resources << \
             /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        ));
        pdf.add_page(page);
        assert_eq!(
            text_of(&pdf.finish()).replace("\n\n", "\n"),
            "turned with\nits page\n",
            "{turn}"
        );
    }
}

#[test]
fn soft_hyphens_go_at_line_ends_and_are_hyphens_where_they_are_drawn() {
    // The soft hyphen of WinAnsi is 0xad.
    let page = PdfWriter::one_page(&column(50, &["the light\\255", "house was well\\255known"]));
    assert_eq!(text_of(&page), "the lighthouse was well-known\n");
}

#[test]
fn addresses_broken_at_line_ends_are_joined() {
    let page = PdfWriter::one_page(&column(
        50,
        &[
            "of the harbours: http://www.example.org/list/",
            "of-lamps/index.html has all of them, and also",
            "the few of the far north: http://www.example.",
            "net/north. Another is http://example.org/all/",
            "and more, as the page",
            "http://example.org/",
            "tide-tables says, which is no longer kept up.",
        ],
    ));
    assert_eq!(
        text_of(&page),
        "of the harbours: http://www.example.org/list/of-lamps/index.html has all of them, and also\n\
         the few of the far north: http://www.example.net/north. Another is http://example.org/all/\n\
         and more, as the page\nhttp://example.org/\ntide-tables says, which is no longer kept up.\n"
    );
}

/// Pages of lines with a number in the margin before each line that `numbered` says.
fn manuscript(pages: usize, lines: usize, numbered: impl Fn(usize) -> bool) -> String {
    let mut pdf = PdfWriter::new();
    for page in 0..pages {
        let content: String = (0..lines)
            .map(|line| {
                let (number, y) = (page * lines + line + 1, 700 - 14 * line);
                let x = 30 - 4 * number.to_string().len();
                let mark = if numbered(number) {
                    format!("BT /F1 7 Tf {x} {y} Td ({number}) Tj ET ")
                } else {
                    String::new()
                };
                format!("{mark}BT /F1 10 Tf 50 {y} Td (The {page} keeper saw {line} ships) Tj ET ")
            })
            .collect();
        pdf.helvetica_page(&content);
    }
    text_of(&pdf.finish())
}

#[test]
fn numbers_of_lines_go() {
    for numbered in [|_| true, |number: usize| number.is_multiple_of(5)] {
        let text = manuscript(3, 30, numbered);
        assert!(text.contains("The 1 keeper saw 4 ships\nThe 1 keeper saw 5 ships\n"), "{text}");
        assert!(!text.contains("35"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("The")).count(), 90);
    }
    // On one page of three they number the rows of something.
    let text = manuscript(3, 30, |number| number <= 30);
    assert!(text.contains("15 The 0 keeper saw 14 ships"), "{text}");
    // So they do where they count a part of the lines.
    let text = manuscript(3, 30, |number| (1..=12).contains(&(number % 30)));
    assert!(text.contains("35 The 1 keeper saw 4 ships"), "{text}");
}

/// Pages of lines, the first 40 units above the others.
fn pages(count: usize, first: impl Fn(usize) -> String) -> String {
    let mut pdf = PdfWriter::new();
    for page in 0..count {
        let lines: String = (0..8).map(|line| format!("(Ship {page} and {line}) Tj T* ")).collect();
        pdf.helvetica_page(&format!(
            "BT {} ET BT /F1 10 Tf 12 TL 50 700 Td {lines} ET",
            first(page)
        ));
    }
    text_of(&pdf.finish())
}

#[test]
fn rows_that_come_back_part_after_part_are_no_heads() {
    let head = |text: &str| format!("/F1 10 Tf 50 740 Td ({text}) Tj");
    let letters = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    // Four parts of six pages each, as a document that tests fonts has them.
    let parts = pages(24, |page| head(&format!("The {} symbol", letters[page % 6])));
    assert_eq!(parts.matches("symbol").count(), 24, "{parts}");
    // The same rows as the heads of six sections of four pages each.
    let heads = pages(24, |page| head(&format!("The {} symbol", letters[page / 4])));
    assert_eq!(heads.matches("symbol").count(), 0, "{heads}");
}

#[test]
fn titles_larger_than_the_text_stay_where_they_change() {
    let title =
        |page: usize| ["Lamps", "Tides", "Lamps", "Lamps", "Names", "Ends"][page].to_owned();
    let of_size =
        |size: u32| pages(6, |page| format!("/F1 {size} Tf 50 740 Td ({}) Tj", title(page)));
    assert_eq!(of_size(14).matches("Lamps").count(), 3);
    assert_eq!(of_size(10).matches("Lamps").count(), 0);
    let same = pages(6, |_| "/F1 14 Tf 50 740 Td (Harbour office) Tj".to_owned());
    assert_eq!(same.matches("Harbour").count(), 0, "{same}");
}
