//! Files made to hurt: each must come to an end, without a panic, within the limits.

mod writer;

use nearprint_pdf::{Limit, Limits, Options, PdfError, extract_text};
use proptest::prelude::*;
use writer::PdfWriter;

/// Reads and checks what holds for every input: no defect, and a text no larger than its glyphs allow.
fn survive(bytes: &[u8]) -> Result<String, PdfError> {
    let result = extract_text(bytes, &Options::default());
    if let Err(PdfError::Internal { detail }) = &result {
        panic!("the parser failed: {detail}");
    }
    result.map(|read| read.text)
}

#[test]
fn deep_structures_do_not_exhaust_the_stack() {
    for content in [
        format!("BT /F1 10 Tf {} TJ ET", "[".repeat(200_000)),
        format!("BT /F1 10 Tf {}(x){} TJ ET", "[".repeat(100_000), "]".repeat(100_000)),
        format!("/a {} BDC", "<</a ".repeat(100_000)),
        format!("BT /F1 1 Tf {} Tj", "(".repeat(500_000)),
        "q ".repeat(500_000),
        "/Artifact BMC ".repeat(200_000),
        format!("BI /W 1 /H 1 ID {}", "EI x ".repeat(50_000)),
    ] {
        let _ = survive(&PdfWriter::one_page(&content));
    }
    let mut pdf = PdfWriter::new();
    pdf.catalog(&format!("/X {}", "[".repeat(300_000)));
    pdf.helvetica_page("BT /F1 10 Tf (still here) Tj ET");
    let _ = survive(&pdf.finish());
}

/// Beginnings without ends, so many that only linear time ends: the parser would read each to its depth or to the end
/// of the file, and cross-references that are wrong make it search for them.
#[test]
fn objects_without_ends_are_refused_in_linear_time() {
    let sound = PdfWriter::one_page("BT /F1 10 Tf (x) Tj ET");
    for unit in
        ["1 0 obj <<", "<</A ", "1 0 obj [ ", "1 0 obj ( ", "9 % ", "<</Type/ObjStm>>stream\n"]
    {
        for (begin, end) in
            [(&b"%PDF-1.7\n"[..], &b""[..]), (&sound, &b"\nstartxref\n1\n%%EOF"[..])]
        {
            let document = [begin, unit.repeat(6_000_000 / unit.len()).as_bytes(), end].concat();
            let refused = Err(PdfError::LimitReached { limit: Limit::SearchRatio, value: 16 });
            assert_eq!(survive(&document), refused, "{unit}");
        }
    }
    // As many objects that end are read.
    let document =
        [&sound[..], "1 0 obj << /A [ (x) ] >> endobj\n".repeat(100_000).as_bytes()].concat();
    assert_eq!(survive(&document).as_deref(), Ok("x\n"));
}

/// Rows of a predictor that have no bytes, by which the parser would divide: such a content is left out, and such a
/// font.
#[test]
fn rows_without_bytes_are_damage() {
    for parameters in
        ["/Predictor 2 /Columns 0", "/Predictor 06 /BitsPerComponent 0", "/Predictor 0 /Colors 0"]
    {
        let entries = format!("/Filter /FlateDecode /DecodeParms << {parameters} >>");
        let mut pdf = PdfWriter::new();
        pdf.helvetica_page("BT /F1 10 Tf (x) Tj ET");
        let content = pdf.stream(&entries, b"\x03\0");
        let page = pdf.object(format!("<< /Type /Page /Parent 2 0 R /Contents {content} 0 R >>"));
        pdf.add_page(page);
        let letters = pdf.stream(&entries, b"\x03\0");
        let font = format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {letters} 0 R >>"
        );
        pdf.page(&format!("/Font << /F1 {font} >>"), "BT /F1 10 Tf (y) Tj ET");
        let text = survive(&pdf.finish()).expect("the first page is sound");
        assert!(text.starts_with("x\n"), "{parameters}: {text:?}");
        // A stream of objects is decoded before anything can be left out.
        let mut document = b"%PDF-1.5\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n".to_vec();
        document.extend(b"2 0 obj <</Type/Pages/Count 1/Kids[4 0 R]>> endobj\n7 0 obj ");
        document.extend(format!("<</Type/ObjStm/N 1/First 4{entries}/Length 2>> stream\n").bytes());
        document.extend(b"\x03\0\nendstream endobj\ntrailer <</Root 1 0 R>>\n");
        assert_eq!(survive(&document), Err(PdfError::Damaged), "{parameters}");
    }
}

/// Twelve drawings, each of which draws the next ten times: the work that a document may cause follows from its length.
#[test]
fn drawings_in_drawings_are_refused_by_the_length_of_the_document() {
    let mut document = b"%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n".to_vec();
    document.extend(b"2 0 obj <</Type/Pages/Count 1/Kids[3 0 R]>> endobj\n");
    document.extend(b"3 0 obj <</Type/Page/Parent 2 0 R/Contents 10 0 R/Resources<</XObject<</F 11 0 R>>>>>> endobj\n");
    for level in 10..22 {
        let (content, next) = ("/F Do ".repeat(10), level + 1);
        document.extend(
            format!(
                "{level} 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F {next} 0 R>>>>/Length 60>> \
                 stream\n{content}\nendstream endobj\n"
            )
            .bytes(),
        );
    }
    document.extend(b"22 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 3>> stream\nq Q\nendstream endobj\n");
    document.extend(b"trailer <</Root 1 0 R>>\n");
    let value = 10_000_000 + 1000 * document.len() as u64;
    let refused = PdfError::LimitReached { limit: Limit::Operators, value };
    assert_eq!(survive(&document), Err(refused));
}

/// One stream that a page names thousands of times, and that is decoded each time.
#[test]
fn streams_that_are_named_many_times_are_refused_by_the_length_of_the_document() {
    let content = " ".repeat(100_000);
    let names = "4 0 R ".repeat(10_000);
    let document = format!(
        "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Count 1/Kids[3 0 R]>> endobj\n\
         3 0 obj <</Type/Page/Parent 2 0 R/Contents[{names}]>> endobj\n\
         4 0 obj <</Length 100000>> stream\n{content}\nendstream endobj\ntrailer <</Root 1 0 R>>\n"
    );
    let value = Options::default().limits.decoded_bytes / 10 + 1032 * document.len() as u64;
    let refused = PdfError::LimitReached { limit: Limit::DecodedBytes, value };
    assert_eq!(survive(document.as_bytes()), Err(refused));
}

/// Fonts that share one large part, which is read for each of them.
#[test]
fn parts_that_fonts_share_are_counted() {
    let differences = "1/a ".repeat(80_000);
    let keys = "/A 5 ".repeat(60_000);
    for (shared, name, limit) in [
        (format!("<< /Differences [{differences}] >>"), "/Encoding", Limit::FontEntries),
        (format!("<< /Type /FontDescriptor {keys} >>"), "/FontDescriptor", Limit::Operators),
    ] {
        let mut pdf = PdfWriter::new();
        let shared = pdf.object(shared);
        let fonts: String = (0..1000)
            .map(|n| {
                format!(
                    "/F{n} << /Type /Font /Subtype /Type1 /BaseFont /Made {name} {shared} 0 R >> "
                )
            })
            .collect();
        let content: String = (0..1000).map(|n| format!("/F{n} 9 Tf (a) Tj ")).collect();
        pdf.page(&format!("/Font << {fonts} >>"), &format!("BT {content} ET"));
        // Fewer than the default, so that it does not take seconds to come to the limit.
        let limits = Limits { operators: 10_000_000, ..Limits::default() };
        let found = extract_text(&pdf.finish(), &Options { limits, ..Options::default() });
        assert!(
            matches!(found, Err(PdfError::LimitReached { limit: reached, .. }) if reached == limit),
            "{name}"
        );
    }
}

/// Images in a content, each of which may end in several places: the parser tries each end by reading what follows, and
/// the images there. Of forty images that took years.
#[test]
fn images_with_many_ends_are_read_in_linear_time() {
    let text = "BT /F1 10 Tf 72 700 Td (a word) Tj ET ";
    for images in [
        "BI /W 1 /H 1 ID x EI EI 1 0 0 1 2 2 Tm ".repeat(2_000),
        "BI /W 1 /H 1 ID x EI (EI) 1 0 0 1 2 2 Tm ".repeat(2_000),
        "BI /W 1 /H 1 ID x EI BI ( EI ".repeat(200_000),
        format!("BI /W 1 ID {}", "EI ) ".repeat(1_000_000)),
        format!("BI /W 1 ID {}", "EI ( ".repeat(1_000_000)),
        format!("BI /W 1 ID {}", "EI \u{80}".repeat(1_000_000)),
        "BI /W ".repeat(1_000_000),
        "BI /W ( ".repeat(1_000_000),
        "BI%".repeat(1_000_000),
    ] {
        let content = format!("{text}{images}\nEI {text}");
        // An image may take all that follows it, and what is too much is refused.
        match survive(&PdfWriter::one_page(&content)) {
            Ok(found) => assert!(found.starts_with("a word"), "{found}"),
            Err(error) => {
                let refused =
                    PdfError::LimitReached { limit: Limit::Operators, value: 100_000_000 };
                assert_eq!(error, refused);
            }
        }
    }
}

/// Small operators that name large objects, which the parser reads each time: what they take is counted, whether the
/// object is what the operator wants or not.
#[test]
fn names_of_large_objects_are_counted() {
    // Fewer operators than the default, so that it does not take seconds to come to the limit.
    let limits = Limits { operators: 2_000_000, ..Limits::default() };
    let read = |pdf: PdfWriter| {
        let options = Options { limits: limits.clone(), ..Options::default() };
        extract_text(&pdf.finish(), &options).map(|read| read.text)
    };
    let large = format!("/A [{}]", "0 ".repeat(500_000));
    for (resources, content) in [
        ("/XObject << /X 3 0 R >>", "/X Do "),
        ("/ExtGState << /X 3 0 R >>", "/X gs "),
        ("/Properties << /X 4 0 R >>", "/P /X BDC EMC "),
        ("/XObject << /X 5 0 R >>", "/X Do "),
    ] {
        let mut pdf = PdfWriter::new();
        // Objects 3 to 5: a dictionary, an array, a small drawing with large resources.
        pdf.object(format!("<< {large} >>"));
        pdf.object(large.trim_start_matches("/A "));
        let form = format!("/Subtype /Form /BBox [0 0 9 9] /Resources << /Font << {large} >> >>");
        pdf.stream(&form, "q Q");
        pdf.page(resources, &content.repeat(10_000));
        let refused = Err(PdfError::LimitReached { limit: Limit::Operators, value: 2_000_000 });
        assert_eq!(read(pdf), refused, "{resources} {content}");
    }
    // What is small may be named as often.
    let mut pdf = PdfWriter::new();
    pdf.object("<< /A 1 >>");
    pdf.page("/XObject << /X 3 0 R >>", &"/X Do ".repeat(100_000));
    assert_eq!(read(pdf).as_deref(), Ok(""));
}

#[test]
fn page_trees_may_loop_and_repeat() {
    let mut pdf = PdfWriter::new();
    pdf.helvetica_page("BT /F1 10 Tf (once) Tj ET");
    pdf.repeat_pages(100_000);
    assert_eq!(survive(&pdf.finish()).as_deref(), Ok("once\n"));
    let mut pdf = PdfWriter::new();
    pdf.add_page(2);
    assert_eq!(survive(&pdf.finish()), Err(PdfError::Damaged));
}

#[test]
fn page_trees_may_be_deep() {
    let mut pdf = PdfWriter::new();
    pdf.helvetica_page("BT /F1 10 Tf (at the bottom) Tj ET");
    let mut kid = pdf.take_page();
    for _ in 0..50_000 {
        kid = pdf.object(format!("<< /Type /Pages /Kids [{kid} 0 R] /Count 1 >>"));
    }
    pdf.add_page(kid);
    assert_eq!(survive(&pdf.finish()).as_deref(), Ok("at the bottom\n"));
}

#[test]
fn objects_may_lead_back_to_themselves() {
    let with = |make: &dyn Fn(&mut PdfWriter)| {
        let mut pdf = PdfWriter::new();
        make(&mut pdf);
        pdf.helvetica_page("BT /F1 10 Tf (still here) Tj ET");
        survive(&pdf.finish())
    };
    let page = |pdf: &mut PdfWriter, entries: &str| {
        let page = pdf.object(format!("<< /Type /Page /Parent 2 0 R {entries} >>"));
        pdf.add_page(page);
    };
    // Objects 1 and 2 are the catalog and the page tree, so that the first one made here is 3.
    let cases: [&dyn Fn(&mut PdfWriter); 7] = [
        &|pdf| {
            let form = pdf.stream(
                "/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 3 0 R >> >>",
                "/X Do",
            );
            let content = pdf.stream("", "/X Do");
            page(
                pdf,
                &format!("/Resources << /XObject << /X {form} 0 R >> >> /Contents {content} 0 R"),
            );
        },
        &|pdf| {
            let reference = pdf.object("3 0 R");
            page(pdf, &format!("/Contents {reference} 0 R"));
        },
        &|pdf| {
            let array = pdf.object("[3 0 R 3 0 R]");
            page(pdf, &format!("/Contents {array} 0 R"));
        },
        &|pdf| {
            let stream = pdf.object("<< /Length 3 0 R >>\nstream\nBT ET\nendstream");
            page(pdf, &format!("/Contents {stream} 0 R"));
        },
        &|pdf| {
            let resources = pdf.object("<< /Font 3 0 R /XObject 3 0 R /F1 3 0 R >>");
            let content = pdf.stream("", "/F1 Do BT /F1 10 Tf (x) Tj ET");
            page(pdf, &format!("/Resources {resources} 0 R /Contents {content} 0 R"));
        },
        &|pdf| {
            let font = pdf.object(
                "<< /Type /Font /Subtype /Type0 /Encoding 3 0 R /ToUnicode 3 0 R /DescendantFonts [3 0 R] >>",
            );
            let content = pdf.stream("", "BT /F1 10 Tf (x) Tj ET");
            page(
                pdf,
                &format!("/Resources << /Font << /F1 {font} 0 R >> >> /Contents {content} 0 R"),
            );
        },
        &|pdf| {
            let form = pdf.stream(
                "/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 3 0 R >> >>",
                "BT /F1 10 Tf ET",
            );
            page(pdf, &format!("/Resources {form} 0 R /Contents {form} 0 R"));
        },
    ];
    for (case, make) in cases.iter().enumerate() {
        let text = with(*make);
        assert!(text.as_deref().is_ok_and(|text| text.contains("still here")), "{case}: {text:?}");
    }
}

#[test]
fn drawings_that_draw_each_other_end_in_a_limit() {
    let mut pdf = PdfWriter::new();
    let mut next = pdf.stream("/Subtype /Form /BBox [0 0 9 9]", "");
    for _ in 0..20 {
        let resources = format!("/Resources << /XObject << /X {next} 0 R >> >>");
        let entries = format!("/Subtype /Form /BBox [0 0 9 9] {resources}");
        next = pdf.stream(&entries, "/X Do ".repeat(10));
    }
    pdf.page(&format!("/XObject << /X {next} 0 R >>"), "/X Do");
    let mut options = Options::default();
    options.limits.operators = 1_000_000;
    assert!(matches!(
        extract_text(&pdf.finish(), &options),
        Err(PdfError::LimitReached { value: 1_000_000, .. })
    ));
}

/// An operator that names a large dictionary makes the parser read it each time.
#[test]
fn large_dictionaries_that_operators_name_are_counted() {
    let names: String = (0..100).map(|n| format!("/F{n} 3 0 R ")).collect();
    let fonts: String = (0..100).map(|n| format!("/F{n} 1 Tf ")).collect();
    let mut options = Options::default();
    options.limits.operators = 2_000_000;
    for (resources, operators) in [
        (format!("/Font << {names} >>"), fonts.as_str()),
        ("/ExtGState << /G 3 0 R >>".to_owned(), "/G gs "),
        ("/XObject << /X 4 0 R >>".to_owned(), "/X Do "),
        ("/Properties << /P 3 0 R >>".to_owned(), "/Span /P BDC EMC "),
    ] {
        let mut pdf = PdfWriter::new();
        let entries = "/K [] ".repeat(500_000);
        pdf.object(format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {entries} >>"));
        pdf.stream(&format!("/Subtype /Form /BBox [0 0 9 9] {entries}"), "");
        pdf.page(&resources, &operators.repeat(10_000_000 / operators.len()));
        assert!(matches!(
            extract_text(&pdf.finish(), &options),
            Err(PdfError::LimitReached { limit: Limit::Operators, .. })
        ));
    }
}

#[test]
fn a_million_glyphs_on_one_spot_and_on_one_line() {
    let spot = "1 0 0 1 50 700 Tm (ab) Tj ".repeat(100_000);
    let _ = survive(&PdfWriter::one_page(&format!("BT /F1 10 Tf {spot} ET")));
    let line = format!("BT /F1 10 Tf 50 700 Td ({}) Tj ET", "a-".repeat(500_000));
    assert_eq!(survive(&PdfWriter::one_page(&line)).map(|text| text.len()), Ok(1_000_001));
    let broken = "(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-) Tj T* ".repeat(20_000);
    let _ = survive(&PdfWriter::one_page(&format!("BT /F1 10 Tf 12 TL 50 700 Td {broken} ET")));
}

#[test]
fn numbers_beyond_reason_are_harmless() {
    for numbers in ["1e38", "-1e38", "99999999999999999999", "0", "0.0000000000000000001", "nan"] {
        let content = format!(
            "{numbers} 0 0 {numbers} {numbers} {numbers} cm BT /F1 {numbers} Tf {numbers} Tc {numbers} Tz \
             {numbers} TL {numbers} Ts {numbers} {numbers} Td (abc) Tj T* [(d) {numbers} (e)] TJ ET"
        );
        let _ = survive(&PdfWriter::one_page(&content));
    }
}

fn sample() -> Vec<u8> {
    let mut pdf = PdfWriter::new();
    let form = pdf.stream(
        "/Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 0 -100]",
        "BT /F1 10 Tf 50 700 Td (in a drawing) Tj ET",
    );
    for _ in 0..3 {
        pdf.page(
            &format!(
                "/XObject << /X {form} 0 R >> /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
                 /Encoding << /Differences [65 /Aacute /a66 /uni05D0] >> >> >>"
            ),
            "q 1 0 0 1 5 5 cm /X Do Q BT /F1 10 Tf 12 TL 50 700 Td (lines of hyphen-) Tj T* (ated text) Tj \
             [(AB) -300 (C)] TJ /Span << /ActualText (x) >> BDC (y) Tj EMC ET",
        );
    }
    pdf.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn damaged_documents_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
    ) {
        let mut bytes = sample();
        for (place, value) in edits {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if !whole {
            bytes.truncate(cut.index(bytes.len()).max(16));
        }
        let _ = survive(&bytes);
    }

    #[test]
    fn any_content_is_read_the_same_twice(content in prop::collection::vec(
        prop::sample::select(vec![
            "BT ", "ET ", "/F1 10 Tf ", "/F9 3 Tf ", "(a b) Tj ", "(\\n\\377-) Tj ", "[(x) -900 (y)] TJ ", "T* ",
            "1 0 0 1 50 700 Tm ", "0 1 -1 0 9 9 Tm ", "-9 4 Td ", "q ", "Q ", "2 0 0 2 0 0 cm ", "/Span BMC ",
            "EMC ", "12 TL ", "(-) ' ", "1 2 (w) \" ", "/P << /ActualText (z) >> BDC ", "50 Tz ", "3 Ts ",
        ]), 0..60)
    ) {
        let bytes = PdfWriter::one_page(&content.concat());
        prop_assert_eq!(survive(&bytes), survive(&bytes));
    }
}
