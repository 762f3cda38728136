//! Golden texts of small documents, one per rule of the layout.

mod writer;

use nearprint_pdf::{Options, PdfText, Warning, extract_text};
use writer::PdfWriter;

fn read(bytes: &[u8]) -> PdfText {
    extract_text(bytes, &Options::default()).expect("the document is sound")
}

fn text_of(bytes: &[u8]) -> String {
    read(bytes).text
}

#[test]
fn words_are_separated_by_gaps_and_by_spaces() {
    for (content, expected) in [
        ("BT /F1 10 Tf 50 700 Td (plain words) Tj ET", "plain words"),
        ("BT /F1 10 Tf 50 700 Td [(ker) 80 (ned)] TJ ET", "kerned"),
        ("BT /F1 10 Tf 50 700 Td [(ker) -100 (ned)] TJ ET", "kerned"),
        ("BT /F1 10 Tf 50 700 Td [(two) -300 (words)] TJ ET", "two words"),
        ("BT /F1 10 Tf 2 Tc 50 700 Td (apart) Tj ET", "a p a r t"),
        ("BT /F1 10 Tf 50 Tz 50 700 Td [(narrow) -600 (type)] TJ ET", "narrow type"),
        ("BT /F1 10 Tf 50 700 Td (base) Tj 4 Ts (up) Tj 0 Ts ( line) Tj ET", "baseup line"),
        ("BT /F1 10 Tf 50 700 Td (one) Tj 0 -12 Td (two) Tj ET", "one\ntwo"),
        ("BT /F1 10 Tf 12 TL 50 700 Td (one) Tj T* (two) Tj (three) ' ET", "one\ntwo\nthree"),
        ("BT /F1 10 Tf 50 700 Td (one) Tj 0 -40 Td (two) Tj ET", "one\n\ntwo"),
        ("BT /F1 10 Tf 0 1 -1 0 50 50 Tm (turned words) Tj ET", "turned words"),
        ("BT /F1 10 Tf -1 0 0 -1 300 300 Tm (upside down) Tj ET", "upside down"),
        ("0 0.1 -0.1 0 90 90 cm BT /F1 100 Tf (scaled) Tj ET", "scaled"),
        ("BT /F1 10 Tf 50 700 Td (caf\\351 \\223quoted\\224) Tj ET", "café “quoted”"),
        ("BT /F1 10 Tf 50 700 Td (x) Tj q 1 0 0 1 9 9 cm Q (y) Tj ET", "xy"),
        ("BT /F1 10 Tf 50 700 Td (x) Tj q 0 -12 Td Q (y) Tj ET", "x\ny"),
    ] {
        assert_eq!(text_of(&PdfWriter::one_page(content)).trim_end(), expected, "{content}");
    }
}

#[test]
fn rules_on_the_baseline_are_underscores() {
    // Helvetica's a is 5.56 wide at this size; TeX sets 0.06 em, then a rule of 0.3 em.
    for (rule, expected) in [
        ("56.2 700 3 0.4 re f", "a_b"),
        ("q 1 0 0 1 56.2 700 cm []0 d 0 J 0.4 w 0 0.2 m 3 0.2 l S Q", "a_b"),
        ("0.4 w 59.2 699 m 56.2 699 l S", "a_b"),
        // A fraction, a line to be filled in, a box, a line under a letter: no underscores.
        ("56.2 703 3 0.4 re f", "ab"),
        ("51 700 8.2 0.4 re f", "ab"),
        ("56.2 699 3 3 re f", "ab"),
        ("59.5 699 5 0.4 re f", "ab"),
        ("56.2 700 3 0.4 re 56.2 705 3 0.4 re f", "ab"),
        ("56.2 700 3 0.4 re n", "ab"),
        ("56.2 700 3 0.4 re W n", "ab"),
    ] {
        let content =
            format!("BT /F1 10 Tf 50 700 Td (a) Tj ET {rule} BT /F1 10 Tf 59.4 700 Td (b) Tj ET");
        let text = text_of(&PdfWriter::one_page(&content));
        assert_eq!(text.trim_end().replace(' ', ""), expected, "{rule}");
    }
    let leading = "43 700 3 0.4 re f 46.6 700 3 0.4 re f BT /F1 10 Tf 50 700 Td (exit) Tj ET";
    assert_eq!(text_of(&PdfWriter::one_page(leading)), "__exit\n");
}

#[test]
fn labels_in_the_margin_keep_their_place_in_the_file() {
    let label =
        "BT /F1 10 Tf 450 700 Td ([Function]) Tj ET BT /F1 10 Tf 50 700 Td (open file) Tj ET";
    assert_eq!(text_of(&PdfWriter::one_page(label)), "[Function] open file\n");
    let near = "BT /F1 10 Tf 75 700 Td (order) Tj ET BT /F1 10 Tf 50 700 Td (local) Tj ET";
    assert_eq!(text_of(&PdfWriter::one_page(near)), "local order\n");
}

#[test]
fn raised_numbers_are_marks_or_exponents() {
    for (content, expected) in [
        ("(client) Tj 4 Ts /F1 7 Tf (12) Tj", "client 12"),
        ("(x) Tj 4 Ts /F1 7 Tf (2) Tj", "x2"),
        ("(cm) Tj 4 Ts /F1 7 Tf (2) Tj", "cm2"),
        ("(water) Tj -2 Ts /F1 7 Tf (2) Tj", "water2"),
        ("(Art. ) Tj 4 Ts /F1 7 Tf (1) Tj 0 Ts /F1 10 Tf (Whoever) Tj", "Art. 1 Whoever"),
        ("(a) Tj 4 Ts /F1 7 Tf (2) Tj 0 Ts /F1 10 Tf (b) Tj", "a2b"),
    ] {
        let page = PdfWriter::one_page(&format!("BT /F1 10 Tf 50 700 Td {content} ET"));
        assert_eq!(text_of(&page).trim_end(), expected, "{content}");
    }
}

#[test]
fn accents_over_nothing_are_signs() {
    let page = PdfWriter::one_page("BT /F1 10 Tf 50 700 Td (10\\2102 \\230home) Tj ET");
    assert_eq!(text_of(&page), "10^2 ~home\n");
}

#[test]
fn words_broken_at_line_ends_are_joined() {
    let lines = |lines: &[&str]| {
        let shown: Vec<String> = lines.iter().map(|line| format!("({line}) Tj T*")).collect();
        PdfWriter::one_page(&format!("BT /F1 10 Tf 12 TL 50 700 Td {} ET", shown.join(" ")))
    };
    assert_eq!(text_of(&lines(&["the light-", "house keeper"])), "the lighthouse keeper\n");
    assert_eq!(
        text_of(&lines(&["a well-known man, a well-", "known man"])),
        "a well-known man, a well-known man\n"
    );
    assert_eq!(text_of(&lines(&["Anne-", "Marie"])), "Anne-\nMarie\n");
    assert_eq!(
        text_of(&lines(&["the delay is independent, a delay-", "independent sum"])),
        "the delay is independent, a delay-independent sum\n"
    );
}

#[test]
fn printing_twice_does_not_double_the_text() {
    let bold = "BT /F1 10 Tf 50 700 Td (bold) Tj ET BT /F1 10 Tf 50.3 700 Td (bold) Tj ET";
    assert_eq!(text_of(&PdfWriter::one_page(bold)), "bold\n");
    let letters = "BT /F1 10 Tf 50 700 Td (b) Tj -5.2 0 Td ET";
    assert_eq!(text_of(&PdfWriter::one_page(letters)), "b\n");
}

#[test]
fn accents_printed_over_letters_are_one_character_with_them() {
    // The acute of WinAnsi is 0xb4; both are 333 and 556 thousandths wide.
    let content = "BT /F1 10 Tf 50 700 Td [(na) -10 (\\264) 445 (evete)] TJ ET";
    assert_eq!(text_of(&PdfWriter::one_page(content)), "nae\u{301}vete\n");
}

#[test]
fn drawings_layers_and_replacement_texts() {
    let mut pdf = PdfWriter::new();
    let form = pdf.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 0 -100]",
        "BT /F1 10 Tf 50 700 Td (in a drawing) Tj ET",
    );
    let hidden = pdf.object("<< /Type /OCG /Name (hidden) >>");
    pdf.catalog(&format!("/OCProperties << /OCGs [{hidden} 0 R] /D << /OFF [{hidden} 0 R] >> >>"));
    pdf.page(
        &format!(
            "/XObject << /X {form} 0 R >> /Properties << /Off {hidden} 0 R >> /Font << /F1 << \
             /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
        ),
        "/X Do BT /F1 10 Tf 50 400 Td /OC /Off BDC (switched off) Tj EMC ET \
         BT /F1 10 Tf 50 300 Td /Span << /ActualText <FEFF0066FB01006E0065> >> BDC (####) Tj EMC ( print) Tj ET \
         BT /F1 10 Tf 50 200 Td /Span << /ActualText () >> BDC (1) Tj EMC (numbered) Tj ET",
    );
    assert_eq!(text_of(&pdf.finish()), "in a drawing\n\nfﬁne print\n\nnumbered\n");
}

#[test]
fn page_furniture_goes_and_the_text_stays() {
    let mut pdf = PdfWriter::new();
    let texts = ["of ships", "of storms", "of lamps", "of tides", "of names"];
    for (index, text) in texts.iter().enumerate() {
        let number = index + 7;
        let head = if index % 2 == 0 { "The Keeper" } else { "Chapter One" };
        pdf.helvetica_page(&format!(
            "BT /F1 10 Tf 50 760 Td ({head}) Tj 400 0 Td ({number}) Tj ET \
             BT /F1 60 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (DRAFT) Tj ET \
             BT /F1 10 Tf 50 700 Td (A tale {text}) Tj 0 -12 Td (Name: ____) Tj ET \
             BT /F1 8 Tf 290 40 Td (Page {number} of 90) Tj ET"
        ));
    }
    let text = text_of(&pdf.finish());
    for gone in ["Keeper", "Chapter", "DRAFT", "Page", "90", "7", "11"] {
        assert!(!text.contains(gone), "{gone} is left in {text:?}");
    }
    for kept in texts {
        assert!(
            text.contains(&format!("A tale {kept}\nName: ____\n")),
            "{kept} is lost in {text:?}"
        );
    }
}

#[test]
fn the_head_of_a_table_is_no_furniture() {
    let mut pdf = PdfWriter::new();
    for index in 0..6 {
        pdf.helvetica_page(&format!(
            "BT /F1 10 Tf 12 TL 50 740 Td (Harbour     Depth) Tj T* (Port {index}     {index}4) Tj T* (Cove     9) Tj \
             T* (Bay     {index}7) Tj T* (Reef     {index}1) Tj ET"
        ));
    }
    assert_eq!(text_of(&pdf.finish()).matches("Harbour Depth").count(), 6);
}

#[test]
fn titles_of_slides_shown_step_by_step_stay() {
    let steps = |slides: &[&str]| {
        let mut pdf = PdfWriter::new();
        for title in slides {
            for step in 1..=3 {
                let points: String =
                    (1..=step).map(|n| format!("({title} point {n}) Tj T* ")).collect();
                pdf.helvetica_page(&format!(
                    "BT /F1 8 Tf 50 780 Td (Talk of the keeper) Tj ET BT /F1 12 Tf 50 740 Td ({title}) Tj ET \
                     BT /F1 10 Tf 12 TL 50 600 Td {points} ET"
                ));
            }
        }
        text_of(&pdf.finish())
    };
    let text = steps(&["Lamps", "Tides", "Storms", "Names"]);
    assert!(!text.contains("Talk of the keeper"), "{text}");
    for title in ["Lamps", "Tides", "Storms", "Names"] {
        assert_eq!(text.matches(&format!("{title}\n\n{title} point 1")).count(), 3, "{text}");
    }
}

#[test]
fn pages_of_nothing_but_what_comes_back_keep_it() {
    let sheet = |more: &str| {
        let mut pdf = PdfWriter::new();
        for _ in 0..8 {
            pdf.helvetica_page(&format!(
                "BT /F1 10 Tf 50 760 Td (Harbour office) Tj ET BT /F1 10 Tf 50 40 Td (Quay four) Tj ET {more}"
            ));
        }
        text_of(&pdf.finish())
    };
    assert_eq!(sheet("").matches("Harbour office").count(), 8);
    assert_eq!(sheet("").matches("Quay four").count(), 8);
    let body = "BT /F1 10 Tf 50 400 Td (The lamp was lit at dusk) Tj ET";
    assert_eq!(sheet(body).matches("Harbour office").count(), 0);
    assert_eq!(sheet(body).matches("The lamp was lit").count(), 8);
}

#[test]
fn short_documents_have_no_furniture() {
    let mut pdf = PdfWriter::new();
    for _ in 0..2 {
        pdf.helvetica_page("BT /F1 10 Tf 50 760 Td (The same page) Tj ET");
    }
    assert_eq!(text_of(&pdf.finish()), "The same page\n\nThe same page\n");
}

/// A page whose font maps the codes from `A` on to the characters of `alphabet`.
fn page_in(alphabet: &str, content: &str) -> Vec<u8> {
    let mut pdf = PdfWriter::new();
    let map: String = alphabet
        .chars()
        .enumerate()
        .map(|(i, c)| format!("<{:02x}> <{:04x}>\n", b'A' as usize + i, c as u32))
        .collect();
    let map = pdf.stream(
        "",
        format!(
            "begincmap 1 begincodespacerange <00> <ff> endcodespacerange {} beginbfchar\n{map}endbfchar endcmap",
            alphabet.chars().count()
        ),
    );
    pdf.page(
        &format!(
            "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode {map} 0 R >> >>"
        ),
        content,
    );
    pdf.finish()
}

#[test]
fn right_to_left_text_is_read_from_the_right() {
    // Visual order, as it stands on the page from left to right; all of Courier's characters are 6 wide.
    let visual = page_in("םולשתינכ", "BT /F1 10 Tf 50 700 Td [(HGFE) -600 (ABCD)] TJ ET");
    assert_eq!(text_of(&visual), "שלום תינכ\n");
    // The same glyphs shown from the right, each at its place.
    let logical = page_in(
        "םולש",
        "BT /F1 10 Tf 1 0 0 1 68 700 Tm (D) Tj 1 0 0 1 62 700 Tm (C) Tj 1 0 0 1 56 700 Tm (B) Tj \
         1 0 0 1 50 700 Tm (A) Tj ET",
    );
    assert_eq!(text_of(&logical), "שלום\n");
}

#[test]
fn joined_letters_are_separated_by_small_gaps() {
    let gap = page_in("مس", "BT /F1 10 Tf 50 700 Td [(A) -120 (B)] TJ ET");
    assert_eq!(text_of(&gap), "س م\n");
    let joined = page_in("مس", "BT /F1 10 Tf 50 700 Td [(A) -50 (B)] TJ ET");
    assert_eq!(text_of(&joined), "سم\n");
}

#[test]
fn a_space_under_a_letter_is_none() {
    // A zero-width non-joiner is drawn by some as a space over which the next letter is printed.
    let page = page_in("בא ", "BT /F1 10 Tf 50 700 Td [(AC) 590 (B)] TJ ET");
    assert_eq!(text_of(&page), "אב\n");
}

#[test]
fn letters_with_a_mark_read_before_them_divide_no_word() {
    // One glyph for vav with the holam that belongs to alef; a sliver of a space for what keeps marks apart.
    let mut pdf = PdfWriter::new();
    let map = pdf.stream(
        "",
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar <41> <05d0> <42> <05b905d5> \
         <43> <05e8> <20> <0020> endbfchar endcmap",
    );
    let widths = "600 ".repeat(3);
    pdf.page(
        &format!(
            "/Font << /F2 << /Type /Font \
             /Subtype /TrueType /BaseFont /Made /FirstChar 32 /LastChar 32 /Widths [50] /ToUnicode {map} 0 R >> \
             /F3 << /Type /Font /Subtype /TrueType /BaseFont /Made /FirstChar 65 /LastChar 67 /Widths [{widths}] \
             /ToUnicode {map} 0 R >> >>"
        ),
        "BT /F3 10 Tf 50 700 Td (CB) Tj /F2 10 Tf ( ) Tj /F3 10 Tf (A) Tj ET",
    );
    assert_eq!(text_of(&pdf.finish()), "א\u{5b9}ור\n");
}

#[test]
fn spaces_under_lengthened_letters_are_none() {
    // All of Courier's characters are 6 wide. The stroke (U+0640) is D; spaces (C) stand under it and the letters.
    let page = page_in(
        "بم ـ",
        "BT /F1 10 Tf 50 700 Td (A) Tj 0 0 Td (C) Tj 4 0 Td (D) Tj 1 0 Td (C) Tj 5 0 Td (B) Tj ET",
    );
    assert_eq!(text_of(&page), "مب\n");
    // A space that stands free is one.
    let free = page_in("بم ـ", "BT /F1 10 Tf 50 700 Td (ACB) Tj ET");
    assert_eq!(text_of(&free), "م ب\n");
}

#[test]
fn ideographs_are_joined_across_lines_and_small_gaps() {
    let text =
        page_in("東京の夜空。", "BT /F1 10 Tf 12 TL 50 700 Td [(A) -300 (BC)] TJ T* (DEF) Tj ET");
    assert_eq!(text_of(&text), "東京の夜空。\n");
}

#[test]
fn narrow_letters_under_wide_ones_keep_their_place() {
    // All of Courier's characters are 6 wide; at half the width alef begins after zain, under which it stands.
    let page = page_in(
        "زا",
        "BT /F1 10 Tf 50 Tz 1 0 0 1 50 700 Tm (B) Tj 100 Tz 1 0 0 1 49.6 700 Tm (A) Tj ET",
    );
    assert_eq!(text_of(&page), "زا\n");
}

#[test]
fn letters_that_look_alike_are_of_the_words_alphabet() {
    let page = page_in("внiH", "BT /F1 10 Tf 50 700 Td [(ACB) -600 (C) -600 (ACB)] TJ ET");
    assert_eq!(text_of(&page), "він і він\n");
}

#[test]
fn ligatures_of_a_font_are_their_letters() {
    let page = page_in("o\u{fb03}ce\u{fb02}", "BT /F1 10 Tf 50 700 Td [(ABCD) -600 (EAC)] TJ ET");
    assert_eq!(text_of(&page), "office floc\n");
}

#[test]
fn korean_words_are_joined_across_lines() {
    // 으로 ends a word within the lines and is none: it does not begin one at the end of a line.
    let text = page_in(
        "가사람으로 ",
        "BT /F1 10 Tf 12 TL 50 700 Td (AFBCDEFAFAFBC) Tj T* (DEFAFAFAFBCF) Tj T* (BCFAFBCFAFBCFA) Tj ET",
    );
    assert_eq!(
        text_of(&text),
        "가 사람으로 가 가 사람으로 가 가 가 사람\n사람 가 사람 가 사람 가\n"
    );
}

#[test]
fn a_letter_drawn_backwards_stays_in_its_word() {
    let content = "BT /F1 10 Tf 50 700 Td (X) Tj ET q -1 0 0 1 63.3 698 cm BT /F1 10 Tf (E) Tj ET Q \
                   BT /F1 10 Tf 63.3 700 Td (TEX) Tj ET";
    assert_eq!(text_of(&PdfWriter::one_page(content)), "XETEX\n");
    let turned =
        "BT /F1 10 Tf 50 700 Td (one) Tj ET q -1 0 0 -1 300 700 cm BT /F1 10 Tf (two) Tj ET Q";
    assert_eq!(text_of(&PdfWriter::one_page(turned)), "one\n\ntwo\n");
}

#[test]
fn unicode_is_recovered_where_the_font_states_none() {
    let japanese = read(include_bytes!("data/japan1-cid-without-tounicode.pdf"));
    assert_eq!((japanese.text.as_str(), japanese.warnings.len()), ("あいうえ\n", 0));
    let russian = read(include_bytes!("data/truetype-cmap-only.pdf"));
    assert_eq!(russian.text, "мир\n\nм\n", "U+F041 is for private use");
    assert_eq!(russian.glyphs, 5);
    assert_eq!(russian.warnings, [Warning::GlyphsWithoutUnicode { missing: 1, share: 0.2 }]);
}

/// A Type 3 font whose glyphs are named after their codes, as TeX's bitmap fonts are.
fn bitmap_page(codes: impl Iterator<Item = u8>, content: &str) -> Vec<u8> {
    drawn_page(codes.map(|code| (code, format!("a{code}"))), content)
}

/// A Type 3 font whose glyphs have these codes and names.
fn drawn_page(glyphs: impl Iterator<Item = (u8, String)>, content: &str) -> Vec<u8> {
    let mut pdf = PdfWriter::new();
    let glyph = pdf.stream("", "500 0 d0");
    let (names, procs): (Vec<String>, Vec<String>) = glyphs
        .map(|(code, name)| (format!("{code} /{name} "), format!("/{name} {glyph} 0 R ")))
        .unzip();
    let (names, procs) = (names.concat(), procs.concat());
    let widths = "500 ".repeat(256);
    pdf.page(
        &format!(
            "/Font << /F1 << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] \
             /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0 /LastChar 255 /Widths [{widths}] \
             /Encoding << /Type /Encoding /Differences [{names}] >> /CharProcs << {procs} >> >> >>"
        ),
        content,
    );
    pdf.finish()
}

#[test]
fn tex_bitmap_fonts_are_guessed_and_the_guess_is_told() {
    let page = bitmap_page(b'a'..=b'z', "BT /F1 10 Tf 50 700 Td [(guessed) -500 (text)] TJ ET");
    let read = read(&page);
    assert_eq!(read.text, "guessed text\n");
    assert_eq!(read.warnings, [Warning::GlyphsGuessed { guessed: 11, share: 1.0 }]);
}

/// A distiller that gives new codes from 2 on keeps TeX's own as names: 0x0c is the ligature of f and i.
#[test]
fn bitmap_fonts_with_new_codes_are_read_by_names_of_one_byte() {
    let letters = "the keper".chars().filter(|c| *c != ' ').map(String::from);
    let names = letters.chain(["#0C".to_owned(), "n".to_owned(), "kk".to_owned()]);
    let page = drawn_page(
        (2..).zip(names),
        "BT /F1 10 Tf 50 700 Td (\\013\\011\\012) Tj -900 0 Td (\\002\\003\\004) Tj ET",
    );
    let read = read(&page);
    assert!(read.text.contains("the"), "{}", read.text);
    assert!(read.text.contains("\u{fb01}") || read.text.contains("fi"), "{}", read.text);
}

#[test]
fn guesses_that_read_like_noise_are_taken_back() {
    let noise = "qxzjkvwqpxzjkgqvbxzq".repeat(12);
    let page = bitmap_page(b'a'..=b'z', &format!("BT /F1 10 Tf 50 700 Td ({noise}) Tj ET"));
    let read = read(&page);
    assert_eq!(read.text, "");
    assert_eq!(read.warnings, [Warning::GlyphsWithoutUnicode { missing: 240, share: 1.0 }]);
}

/// A text of one word over and over has letters in no language's shares; what else the font shows has.
#[test]
fn guesses_are_judged_by_what_differs() {
    let strings: String = "the old lighthouse keeper wrote down every ship that passed and in the evening he read the \
                           list aloud to the sea as if it were a poem that had to be learned by heart before the next \
                           tide came in and took all of the names away from the shore and left him there with none"
        .split(' ')
        .map(|word| format!("({word}) Tj 0 -12 Td "))
        .collect();
    let again = "(fuzzy) Tj 0 -12 Td ".repeat(400);
    let shown = |content: &str| {
        let page = bitmap_page(b'a'..=b'z', &format!("BT /F1 10 Tf 50 9000 Td {content} ET"));
        text_of(&page)
    };
    assert_eq!(shown(&format!("{again} {strings}")).matches("fuzzy").count(), 400);
    assert_eq!(shown(&again), "");
}

#[test]
fn fonts_of_symbols_are_not_guessed() {
    // The bullet of TeX's companion fonts has the code of a letter in its text fonts.
    let page = bitmap_page(0x88..=0x88, "BT /F1 10 Tf 50 700 Td (\\210) Tj ET");
    assert_eq!(text_of(&page), "");
}

#[test]
fn renumbered_bitmap_fonts_give_no_text() {
    let page = bitmap_page(0..=90, "BT /F1 10 Tf 50 700 Td (nothing) Tj ET");
    assert_eq!(text_of(&page), "");
}
