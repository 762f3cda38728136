//! Answers in form fields, free text and stamps: what of them is text, and where it stands.

mod writer;

use nearprint_pdf::{Limit, Options, PdfError, PdfText, Warning, extract_text};
use writer::PdfWriter;

const FONT: &str = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>";

/// A document of one page with annotations.
struct Form {
    pdf: PdfWriter,
    annotations: Vec<usize>,
    entries: String,
}

impl Form {
    fn new() -> Self {
        Self { pdf: PdfWriter::new(), annotations: Vec::new(), entries: String::new() }
    }

    /// A form of one widget with a label.
    fn of(widget: &str) -> Self {
        let mut form = Self::new();
        form.annotation("100 695 300 715", &format!("/Subtype /Widget {widget}"));
        form
    }

    fn annotation(&mut self, rect: &str, entries: &str) -> usize {
        let number = self.pdf.object(format!("<< /Type /Annot /Rect [{rect}] {entries} >>"));
        self.annotations.push(number);
        number
    }

    /// An appearance of 200 by 20 units.
    fn appearance(&mut self, content: &str) -> usize {
        self.pdf.stream(
            &format!("/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << {FONT} >>"),
            content,
        )
    }

    fn finish(mut self, content: &str) -> Vec<u8> {
        let content = self.pdf.stream("", content);
        let annotations: Vec<String> =
            self.annotations.iter().map(|n| format!("{n} 0 R")).collect();
        let page = self.pdf.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {content} 0 R \
             /Resources << {FONT} >> /Annots [{}] >>",
            annotations.join(" ")
        ));
        self.pdf.add_page(page);
        self.pdf.catalog(&format!("/AcroForm << /Fields [] {} >>", self.entries));
        self.pdf.finish()
    }

    fn read(self, content: &str) -> PdfText {
        extract_text(&self.finish(content), &Options::default()).expect("the document is sound")
    }

    /// The text on one line, below a label "Name".
    fn text(self) -> String {
        self.read("BT /F1 12 Tf 50 700 Td (Name) Tj ET").text.trim_end().to_owned()
    }
}

#[test]
fn values_are_read_where_the_viewer_writes_them() {
    for (widget, expected) in [
        ("/FT /Tx /V (Ada Lovelace)", "Name Ada Lovelace"),
        ("/FT /Tx /V <FEFF00C50073006100200042006500720067>", "Name Åsa Berg"),
        ("/FT /Tx /DV (a default)", "Name"),
        ("/FT /Tx /V ()", "Name"),
        ("/FT /Tx /V null", "Name"),
        ("/Rect [100 655 300 715] /FT /Tx /RV (<p>rich <b>text</b></p>)", "Name rich\ntext"),
        ("/Rect [100 655 300 715] /FT /Tx /Ff 4096 /V (one\\r\\ntwo)", "Name one\ntwo"),
        ("/FT /Tx /Ff 8192 /V (secret)", "Name"),
        ("/FT /Tx /F 2 /V (hidden)", "Name"),
        ("/FT /Tx /F 32 /V (not viewed)", "Name"),
        ("/FT /Tx /F 4 /V (printed)", "Name printed"),
        ("/FT /Ch /V (b) /Opt [[(a) (Apple)] [(b) (Blueberry)]]", "Name Blueberry"),
        ("/FT /Ch /Opt [(Apple) (Blueberry)]", "Name"),
        ("/FT /Ch /V [(Apple)] /Opt [(Apple) (Blueberry)]", "Name Apple"),
        ("/FT /Ch /I [1] /Opt [(Apple) (Blueberry)]", "Name Blueberry"),
        ("/FT /Ch /Ff 393216 /V (typed) /Opt [(Apple)]", "Name typed"),
        ("/FT /Btn /AS /Yes", "Name Yes"),
        ("/FT /Btn /AS /Off /V /Yes", "Name"),
        ("/FT /Btn /V /Yes", "Name Yes"),
        ("/FT /Btn", "Name"),
        ("/FT /Btn /AS /caf#C3#A9", "Name café"),
        ("/FT /Btn /AS /1", "Name [x] 1"),
        ("/FT /Btn /Ff 32768 /AS /1 /Opt [(single) (married)]", "Name married"),
        ("/FT /Btn /Ff 65536 /V (x) /MK << /CA (Send) >>", "Name"),
        ("/FT /Sig", "Name"),
        ("/FT /Tx /Rect [100 695 100 695] /V (no room)", "Name"),
    ] {
        assert_eq!(Form::of(widget).text().replace("\n\n", "\n"), expected, "{widget}");
    }
}

#[test]
fn appearances_are_drawn_in_place_of_values() {
    let drawn = "/Tx BMC BT /F1 12 Tf 2 5 Td (1,234.50 EUR) Tj ET EMC";
    for (content, widget, form, expected) in [
        (drawn, "/FT /Tx /V (1234.5)", "", "Name 1,234.50 EUR"),
        // No appearance is an answer where the value is one, and the other way round.
        ("/Tx BMC EMC", "/FT /Tx /V (1234.5)", "", "Name 1234.5"),
        ("0 g 0 0 200 20 re f", "/FT /Tx", "", "Name"),
        (drawn, "/FT /Tx /V (1234.5)", "/NeedAppearances true", "Name 1234.5"),
        (drawn, "/FT /Tx", "/NeedAppearances true", "Name 1,234.50 EUR"),
        (drawn, "/FT /Tx /V (1234.5)", "/NeedAppearances false", "Name 1,234.50 EUR"),
        // The letters of a comb stand apart.
        (
            "BT /F1 12 Tf 2 5 Td [(w) -3000 (o) -3000 (r) -3000 (d)] TJ ET",
            "/FT /Tx /Ff 16777216 /MaxLen 10 /V (word)",
            "",
            "Name word",
        ),
        // A list shows what is not chosen as well.
        (
            "BT /F1 12 Tf 2 5 Td (Apple) Tj 0 -12 Td (Pear) Tj ET",
            "/FT /Ch /V (Pear) /Opt [(Apple) (Pear)]",
            "",
            "Name Pear",
        ),
        ("BT /F1 12 Tf 2 5 Td (Signed by Ada) Tj ET", "/FT /Sig", "", "Name Signed by Ada"),
        // Glyphs that no character is known of.
        ("BT /F2 12 Tf 2 5 Td (aaa) Tj ET", "/FT /Tx /V (known)", "", "Name known"),
    ] {
        let mut pdf = Form::new();
        pdf.entries = form.to_owned();
        let unknown = pdf.pdf.object(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Made /FirstChar 97 /LastChar 97 \
             /Widths [600] /Encoding << /Differences [97 /rests.4] >> >>",
        );
        let stream = pdf.pdf.stream(
            &format!(
                "/Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F2 {unknown} 0 R \
                 /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
            ),
            content,
        );
        pdf.annotation(
            "100 695 300 715",
            &format!("/Subtype /Widget {widget} /AP << /N {stream} 0 R >>"),
        );
        let read = pdf.read("BT /F1 12 Tf 50 700 Td (Name) Tj ET");
        assert_eq!(read.text.trim_end(), expected, "{widget} {form}");
        assert_eq!(read.warnings, [], "{widget} {form}");
    }
}

#[test]
fn appearances_are_mapped_to_their_rectangles() {
    // Ten times too large, turned and moved: the matrix and the rectangle bring it back.
    let content = "BT /F1 120 Tf 20 50 Td (ten) Tj ET";
    for (entries, expected) in [
        ("/BBox [0 0 2000 200]", "before ten behind"),
        ("/BBox [0 0 2000 200] /Matrix [0 1 -1 0 900 -77]", "before behind\n\nten"),
        ("/BBox [0 0 2000 200] /Matrix [5 0 0 5 1 2]", "before ten behind"),
    ] {
        let mut form = Form::new();
        let entries = format!("/Subtype /Form {entries} /Resources << {FONT} >>");
        let stream = form.pdf.stream(&entries, content);
        form.annotation(
            "100 695 300 715",
            &format!("/Subtype /Widget /FT /Tx /AP << /N {stream} 0 R >>"),
        );
        let text = form.read("BT /F1 12 Tf 50 700 Td (before) Tj 300 0 Td (behind) Tj ET").text;
        assert_eq!(text.trim_end(), expected, "{entries}");
    }
}

#[test]
fn fonts_of_the_form_serve_appearances_without_resources() {
    let mut form = Form::new();
    form.entries = "/DR << /Font << /Odd << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
                    /Encoding << /Differences [65 /eacute] >> >> >> >>"
        .to_owned();
    let stream =
        form.pdf.stream("/BBox [0 0 200 20] /Resources << >>", "BT /Odd 12 Tf 2 5 Td (AA) Tj ET");
    form.annotation(
        "100 695 300 715",
        &format!("/Subtype /Widget /FT /Tx /AP << /N {stream} 0 R >>"),
    );
    assert_eq!(form.text(), "Name éé");
}

#[test]
fn fields_inherit_from_their_ancestors() {
    let mut form = Form::new();
    let root = form.pdf.object("<< /T (person) /FT /Tx /V (inherited) >>");
    let child = form.pdf.object(format!("<< /T (name) /Parent {root} 0 R >>"));
    form.annotation("100 695 300 715", &format!("/Subtype /Widget /Parent {child} 0 R"));
    assert_eq!(form.text(), "Name inherited");
    let mut form = Form::new();
    let group = form.pdf.object("<< /T (status) /FT /Btn /Ff 32768 /V /married >>");
    for (x, state) in [(100, "single"), (200, "married")] {
        let appearances = format!("/AP << /N << /{state} null /Off null >> >>");
        form.annotation(
            &format!("{x} 695 {} 715", x + 20),
            &format!("/Subtype /Widget /Parent {group} 0 R {appearances}"),
        );
    }
    assert_eq!(form.text(), "Name married");
}

#[test]
fn answers_stand_where_they_stand_on_the_page() {
    let place = |widgets: &[(&str, &str)], content: &str| {
        let mut form = Form::new();
        for (rect, value) in widgets {
            form.annotation(rect, &format!("/Subtype /Widget /FT /Tx /V ({value})"));
        }
        form.read(content).text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // Behind labels on one line, whatever the order of the file.
    let line = "BT /F1 12 Tf 50 700 Td (First) Tj 200 0 Td (Last) Tj -200 -40 Td (End) Tj ET";
    let fields = [("300 695 400 715", "Berg"), ("100 695 200 715", "Asa")];
    assert_eq!(place(&fields, line), "First Asa Last Berg End");
    // In boxes under their labels.
    let fields = [("250 675 350 695", "Berg"), ("50 675 150 695", "Asa")];
    assert_eq!(place(&fields, line), "First Asa Last Berg End");
    // In a box that is higher than its label.
    assert_eq!(place(&[("100 650 200 712", "Asa")], line), "First Asa Last End");
    // Before captions.
    let boxes = "BT /F1 12 Tf 70 700 Td (Yes) Tj 0 -20 Td (No) Tj ET";
    assert_eq!(place(&[("50 675 65 690", "x")], boxes), "Yes x No");
    // On signs that are to be filled in.
    let dots = "BT /F1 12 Tf 50 700 Td (Name ____________________ Town) Tj ET";
    assert_eq!(place(&[("100 695 180 715", "Asa")], dots), "Name ___ Asa _________________ Town");
    // Above everything, and on a page without content.
    assert_eq!(place(&[("50 750 150 770", "top")], line), "top First Last End");
    assert_eq!(place(&[("50 600 150 620", "low"), ("50 700 150 720", "high")], ""), "high low");
    // Close to other letters it is a word of its own.
    let close = "BT /F1 12 Tf 50 700 Td (Name:) Tj ET";
    assert_eq!(place(&[("82 695 180 715", "Asa")], close), "Name: Asa");
}

#[test]
fn pages_may_be_turned() {
    let mut pdf = PdfWriter::new();
    let content = pdf.stream("", "BT /F1 12 Tf 0 1 -1 0 100 50 Tm (Name) Tj ET");
    let widget = pdf
        .object("<< /Subtype /Widget /FT /Tx /V (Asa) /Rect [85 100 105 300] /MK << /R 90 >> >>");
    let page = pdf.object(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate 90 /Contents {content} 0 R \
         /Resources << {FONT} >> /Annots [{widget} 0 R] >>"
    ));
    pdf.add_page(page);
    let read = extract_text(&pdf.finish(), &Options::default()).expect("the document is sound");
    assert_eq!(read.text, "Name Asa\n");
}

#[test]
fn free_text_and_stamps_are_text_and_comments_are_not() {
    for (annotation, expected) in [
        ("/Subtype /FreeText /Contents (typed on the page)", "Name typed on the page"),
        ("/Rect [100 655 300 715] /Subtype /FreeText /Contents (one\\rtwo)", "Name one\ntwo"),
        ("/Subtype /FreeText /RC (<body><p>rich</p></body>)", "Name rich"),
        ("/Subtype /FreeText /F 2 /Contents (hidden)", "Name"),
        ("/Subtype /FreeText /Contents (other) /AP << /N 3 0 R >>", "Name drawn"),
        ("/Subtype /Stamp /Contents (a comment) /AP << /N 3 0 R >>", "Name drawn"),
        ("/Subtype /Stamp /Contents (a comment)", "Name"),
        ("/Subtype /Text /Contents (a note) /AP << /N 3 0 R >>", "Name"),
        ("/Subtype /Popup /Contents (a note)", "Name"),
        ("/Subtype /Highlight /Contents (a comment) /AP << /N 3 0 R >>", "Name"),
        ("/Subtype /Link /Contents (target) /A << /S /URI /URI (http://example.org) >>", "Name"),
        ("/Subtype /FreeText /OC << /Type /OCG >> /Contents (shown)", "Name shown"),
    ] {
        let mut form = Form::new();
        let drawn = form.appearance("BT /F1 12 Tf 2 5 Td (drawn) Tj ET");
        assert_eq!(drawn, 3);
        form.annotation("100 695 300 715", annotation);
        let text = form.text();
        assert_eq!(text.replace("\n\n", "\n"), expected, "{annotation}");
    }
}

#[test]
fn layers_that_are_off_hide_annotations() {
    let mut form = Form::new();
    let off = form.pdf.object("<< /Type /OCG /Name (off) >>");
    form.pdf.catalog(&format!("/OCProperties << /OCGs [{off} 0 R] /D << /OFF [{off} 0 R] >> >>"));
    form.annotation(
        "100 695 300 715",
        &format!("/Subtype /Widget /FT /Tx /V (unseen) /OC {off} 0 R"),
    );
    assert_eq!(form.text(), "Name");
}

#[test]
fn an_annotation_that_is_listed_twice_is_read_once() {
    let mut form = Form::of("/FT /Tx /V (once)");
    form.annotations = form.annotations.repeat(3);
    assert_eq!(form.text(), "Name once");
}

/// Heads that come back are furniture; answers that do are not.
#[test]
fn answers_are_no_furniture() {
    let mut pdf = PdfWriter::new();
    for number in 0..6 {
        let content = pdf.stream(
            "",
            format!(
                "BT /F1 12 Tf 50 760 Td (Running head) Tj 0 -100 Td (Page {number} tells of \
                 {number}{number} other things) Tj 0 -20 Td (and goes on) Tj ET"
            ),
        );
        let widget =
            pdf.object("<< /Subtype /Widget /FT /Tx /V (File 4711) /Rect [50 770 200 790] >>");
        let page = pdf.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {content} 0 R \
             /Resources << {FONT} >> /Annots [{widget} 0 R] >>"
        ));
        pdf.add_page(page);
    }
    let text = extract_text(&pdf.finish(), &Options::default()).expect("it is sound").text;
    assert_eq!(text.matches("File 4711").count(), 6, "{text}");
}

#[test]
fn forms_in_xfa_alone_give_their_answers_and_a_warning() {
    let data = "<xfa:datasets xmlns:xfa=\"x\"><xfa:data><form><name>Ada &amp; Co</name>\
                <town>Ulm</town></form></xfa:data></xfa:datasets>";
    let template = "<template><draw>Label</draw></template>";
    let xfa = |make: &dyn Fn(&mut PdfWriter) -> String, widget: bool| {
        let mut form = Form::new();
        let entry = make(&mut form.pdf);
        form.entries = format!("/XFA {entry}");
        if widget {
            form.annotation("100 695 300 715", "/Subtype /Widget /FT /Tx /V (Ada)");
        }
        let read = form.read("BT /F1 12 Tf 50 700 Td (Please wait) Tj ET");
        (read.text, read.warnings)
    };
    let packets = |pdf: &mut PdfWriter| {
        let (template, data) = (pdf.stream("", template), pdf.stream("", data));
        format!("[(template) {template} 0 R (datasets) {data} 0 R]")
    };
    let whole = |pdf: &mut PdfWriter| {
        let xdp = pdf.stream("", format!("<?xml version=\"1.0\"?><xdp>{template}{data}</xdp>"));
        format!("{xdp} 0 R")
    };
    let both = "Please wait\n\nAda & Co\nUlm\n".to_owned();
    let warned = |answers| vec![Warning::XfaForm { answers }];
    assert_eq!(xfa(&packets, false), (both.clone(), warned(true)));
    assert_eq!(xfa(&whole, false), (both, warned(true)));
    let without = |_: &mut PdfWriter| "[(template) 99 0 R]".to_owned();
    assert_eq!(xfa(&without, false), ("Please wait\n".to_owned(), warned(false)));
    // The fields of a form that is written in both have the answers.
    assert_eq!(xfa(&packets, true), ("Please wait Ada\n".to_owned(), vec![]));
}

#[test]
fn trees_of_fields_may_loop_and_be_deep() {
    let mut form = Form::new();
    let parent = form.pdf.object("<< /Parent 4 0 R >>");
    form.pdf.object(format!("<< /FT /Tx /Parent {parent} 0 R >>"));
    form.annotation("100 695 300 715", &format!("/Subtype /Widget /V (x) /Parent {parent} 0 R"));
    assert_eq!(form.text(), "Name x");
    let mut form = Form::new();
    let mut parent = form.pdf.object("<< /FT /Tx /V (far) >>");
    for _ in 0..100_000 {
        parent = form.pdf.object(format!("<< /Parent {parent} 0 R >>"));
    }
    form.annotation("100 695 300 715", &format!("/Subtype /Widget /Parent {parent} 0 R"));
    let read = extract_text(&form.finish(""), &Options::default());
    assert_eq!(read, Err(PdfError::LimitReached { limit: Limit::Nesting, value: 24 }));
}

/// A hundred thousand fields that share a list of a hundred thousand options end in a limit.
#[test]
fn the_work_of_fields_is_counted() {
    let mut form = Form::new();
    let options = form.pdf.object(format!("[{}]", "(o)".repeat(100_000)));
    let field = form.pdf.object(format!("<< /FT /Ch /V (o) /Opt {options} 0 R >>"));
    for _ in 0..100_000 {
        form.annotation("100 695 300 715", &format!("/Subtype /Widget /Parent {field} 0 R"));
    }
    let mut limits = Options::default();
    limits.limits.operators = 1_000_000;
    assert!(matches!(
        extract_text(&form.finish(""), &limits),
        Err(PdfError::LimitReached { limit: Limit::Operators, .. })
    ));
    // What is written without a font counts as glyphs.
    let form = Form::of("/FT /Tx /V (twelve chars)");
    let mut limits = Options::default();
    limits.limits.glyphs = 11;
    assert!(matches!(
        extract_text(&form.finish(""), &limits),
        Err(PdfError::LimitReached { limit: Limit::Glyphs, value: 11 })
    ));
}
