//! Which fonts are believed, where some of their glyphs have no character.

mod writer;

use nearprint_pdf::{Options, PdfText, Warning, extract_text};
use writer::PdfWriter;

fn read(bytes: &[u8]) -> PdfText {
    extract_text(bytes, &Options::default()).expect("the document is sound")
}

/// A font without a map whose glyphs from code 65 on have these names.
fn named(names: &str, content: &str) -> PdfText {
    let mut pdf = PdfWriter::new();
    let names: String = names.split(' ').map(|name| format!("/{name}")).collect();
    let widths = "600 ".repeat(26);
    pdf.page(
        &format!(
            "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Made /FirstChar 65 /LastChar 90 /Widths [{widths}] \
             /Encoding << /Differences [65 {names}] >> >> >>"
        ),
        content,
    );
    read(&pdf.finish())
}

#[test]
fn letters_among_signs_are_believed_where_they_stand_apart() {
    // A and B are letters, C to E signs of music.
    let names = "f p noteheads.s2 rests.4 clefs.G";
    let signs = "(C) Tj 0 -12 Td (D) Tj 0 -12 Td (C) Tj 0 -12 Td (E) Tj 0 -12 Td ".repeat(12);
    let apart = "[(A) 20 (A)] TJ 0 -12 Td (BB) Tj 0 -12 Td ".repeat(5);
    let text = named(names, &format!("BT /F1 10 Tf 50 4000 Td {signs} {apart} ET")).text;
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["ff", "pp"].repeat(5), "{text}");
    // The same letters within strings of signs are there by chance.
    let among = "(CADC) Tj 0 -12 Td (BCED) Tj 0 -12 Td ".repeat(12);
    assert_eq!(named(names, &format!("BT /F1 10 Tf 50 4000 Td {among} ET")).text, "");
}

#[test]
fn maps_from_codes_without_names_are_believed() {
    // Of the words of a composite font only some letters have a character, as ligatures often have none.
    let page = |subtype: &str| {
        let mut pdf = PdfWriter::new();
        let map = pdf.stream(
            "",
            "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <0631> <0002> <0627> \
             endbfchar endcmap",
        );
        pdf.page(
            &format!(
                "/Font << /F1 << /Type /Font /Subtype /{subtype} /BaseFont /Made /Encoding /Identity-H /ToUnicode {map} 0 R \
                 /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Made /DW 600 /CIDSystemInfo << \
                 /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >> >>"
            ),
            &format!("BT /F1 10 Tf 50 4000 Td {} ET", "<00030004000200010005> Tj 0 -12 Td ".repeat(12)),
        );
        read(&pdf.finish()).text
    };
    assert_eq!(page("Type0").matches("را").count(), 12);
}

#[test]
fn glyphs_named_after_thai_characters_are_these() {
    let names = "ThaiCharacterPoPla ThaiCharacterMaiHan_akatLeft ThaiCharacterNoNu ThaiDigitFour ThaiCharacterTemp1";
    let thai = named(names, "BT /F1 10 Tf 50 700 Td (ABCDE) Tj ET");
    assert_eq!(thai.text, "ปัน๔\n");
    assert_eq!(thai.warnings.len(), 1, "of the last one nothing is known");
}

#[test]
fn glyphs_without_unicode_divide_words_as_far_as_they_are_wide() {
    // Glyphs are 6 wide at this size; C is none that has a character: a space that its font does not name, a sign, a
    // letter.
    let names = "a b g17";
    for (content, expected) in [
        ("(AACBB) Tj", "aa bb"),
        ("(AACCBB) Tj", "aa bb"),
        ("[(AAC) 400 (BB)] TJ", "aa bb"),
        // Drawn back over the letters: nothing says that what follows belongs to them.
        ("[(AA) 1200 (C) -600 (BB)] TJ", "aa bb"),
        // The letters touch: no gap is left of it.
        ("[(AAC) 550 (BB)] TJ", "aabb"),
        ("(C) Tj (AA) Tj (C) Tj", "aa"),
    ] {
        let text = named(names, &format!("BT /F1 10 Tf 50 700 Td {content} ET")).text;
        assert_eq!(text.trim_end(), expected, "{content}");
    }
    // From the right: the stroke that lengthens a letter closes the gap, the unknown glyph does not.
    let mut pdf = PdfWriter::new();
    let map = pdf.stream(
        "",
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar <41> <0628> <42> <0645> \
         <43> <0640> endbfchar endcmap",
    );
    pdf.page(
        &format!(
            "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Made /FirstChar 65 /LastChar 68 /Widths [600 600 600 600] \
             /Encoding << /Differences [68 /g17] >> /ToUnicode {map} 0 R >> >>"
        ),
        "BT /F1 10 Tf 50 700 Td (BDBCA) Tj ET",
    );
    assert_eq!(read(&pdf.finish()).text.trim_end(), "\u{628}\u{645} \u{645}");
}

/// A page of lines in a font of the given name.
fn page_in(font: &str, lines: &[&str]) -> PdfText {
    let mut pdf = PdfWriter::new();
    let shown: String = lines.iter().map(|line| format!("({line}) Tj T* ")).collect();
    pdf.page(
        &format!("/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >> >>"),
        &format!("BT /F1 10 Tf 12 TL 50 700 Td {shown} ET"),
    );
    read(&pdf.finish())
}

#[test]
fn fonts_of_other_letters_are_warned_of() {
    // Hindi as it was typed before Unicode: weather and kites.
    let lines = [
        "irax dk ekSle tuojh ds nwljs gQ~rs esa gekjs eksgYys dh lkjh Nrsa ,d gh dejs tSlh",
        "gks tkrh gSaA yksx ,d Nr ls nwljh Nr ij pk; igqapkrs gSa] cPps eqaMsj ij cSBdj",
        "eka>k yisVrs gSa] vkSj vkleku esa brus jax gksrs gSa fd lwjt dks Hkh jkLrk cukuk",
        "iM+rk gSA esjs nknkth dgrs Fks fd irax dks gok ugha] /kS;Z mM+krk gSA og gj lky",
    ];
    let letters = lines.concat().chars().filter(char::is_ascii_alphabetic).count() as u64;
    for (font, lines) in [("Helvetica", &lines[..]), ("ABCDEF+KrutiDev010", &lines[..1])] {
        let text = page_in(font, lines);
        let [Warning::DoubtfulLetters { letters: found, share }] = text.warnings[..] else {
            panic!("{font}: {:?}", text.warnings);
        };
        assert!(
            text.text.starts_with("irax dk ekSle"),
            "what the font claims stays: {}",
            text.text
        );
        assert!(share > 0.6 && (found == letters || lines.len() == 1), "{font}: {found} {share}");
    }
    // One line tells nothing of a font that is not known; nor do code and English.
    assert_eq!(page_in("Helvetica", &lines[..1]).warnings, []);
    assert_eq!(page_in("Courier", &lines).warnings, []);
    let english = ["the old keeper of the McDonald light wrote down every ship that passed"; 8];
    assert_eq!(page_in("Helvetica", &english).warnings, []);
    // Russian whose bytes are treated as Latin letters.
    let russian =
        ["\\321\\362\\340\\360\\373\\351 \\361\\354\\356\\362\\360\\350\\362\\345\\353\\374"; 20];
    assert!(matches!(
        page_in("Helvetica", &russian).warnings[..],
        [Warning::DoubtfulLetters { .. }]
    ));
}
