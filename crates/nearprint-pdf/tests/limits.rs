//! What ends an extraction: limits, passwords, files that are no PDF.

mod writer;

use nearprint_pdf::{Limit, Limits, Options, PdfError, Warning, extract_text};
use writer::PdfWriter;

fn limited(change: impl FnOnce(&mut Limits)) -> Options {
    let mut options = Options::default();
    change(&mut options.limits);
    options
}

fn document() -> Vec<u8> {
    let mut pdf = PdfWriter::new();
    let inner = pdf.stream("/Subtype /Form /BBox [0 0 9 9]", "BT /F1 9 Tf (inner) Tj ET");
    let outer = pdf.stream(
        &format!("/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /I {inner} 0 R >> >>"),
        "/I Do",
    );
    for _ in 0..3 {
        pdf.page(&format!("/XObject << /O {outer} 0 R >>"), "/O Do");
    }
    pdf.finish()
}

#[test]
fn each_limit_is_inclusive_and_reaching_it_is_an_error() {
    let bytes = document();
    type Change = fn(&mut Limits, u64);
    let set: [(Limit, u64, Change); 6] = [
        (Limit::Pages, 3, |l, n| l.pages = n as u32),
        (Limit::Glyphs, 15, |l, n| l.glyphs = n),
        // Three pages of a drawing in a drawing, each counted as fifty operators and its own, and eight for each of
        // three names: of the drawings, and of the font.
        (Limit::Operators, 3 * (1 + 51 + 1 + 51 + 4 + 3 * 8), |l, n| l.operators = n),
        (Limit::DecodedBytes, 3 * (5 + 5 + 25), |l, n| l.decoded_bytes = n),
        (Limit::Nesting, 2, |l, n| l.nesting = n as u32),
        (Limit::PageGlyphs, 5, |l, n| l.page_glyphs = n),
    ];
    for (limit, needed, change) in set {
        let enough = extract_text(&bytes, &limited(|l| change(l, needed)));
        assert!(enough.is_ok(), "{limit:?} {needed}: {enough:?}");
        let short = extract_text(&bytes, &limited(|l| change(l, needed - 1)));
        assert_eq!(short, Err(PdfError::LimitReached { limit, value: needed - 1 }));
    }
}

#[test]
fn a_stream_that_decodes_to_too_much_is_refused_before_it_is_decoded() {
    let deflated = deflated_spaces(3_876);
    let mut pdf = PdfWriter::new();
    let form = pdf.stream("/Subtype /Form /BBox [0 0 9 9] /Filter /FlateDecode", &deflated);
    pdf.page(&format!("/XObject << /X {form} 0 R >>"), "/X Do");
    let bytes = pdf.finish();
    assert!(bytes.len() < 10_000);
    assert!(extract_text(&bytes, &Options::default()).is_ok());
    assert_eq!(
        extract_text(&bytes, &limited(|l| l.decoded_bytes = 999_999)),
        Err(PdfError::LimitReached { limit: Limit::DecodedBytes, value: 999_999 })
    );
}

#[test]
fn a_stream_that_is_large_for_its_document_is_refused() {
    // 17 million spaces in 108 KB, in a content stream and where the parser decodes them of its own accord.
    let deflated = deflated_spaces(66_000);
    for (entries, content) in [
        ("/Subtype /Form /BBox [0 0 9 9]", "/X Do"),
        ("/Type /ObjStm /N 0 /First 0", ""),
        ("/Type /XRef /Size 1 /W [1 4 1]", ""),
    ] {
        let mut pdf = PdfWriter::new();
        let stream = pdf.stream(&format!("{entries} /Filter /FlateDecode"), &deflated);
        pdf.page(&format!("/XObject << /X {stream} 0 R >>"), content);
        let bytes = pdf.finish();
        let with =
            |ratio: u64| extract_text(&bytes, &limited(|l| l.expansion_ratio = ratio)).map(|_| ());
        assert_eq!(with(200), Ok(()), "{entries}");
        let refused = Err(PdfError::LimitReached { limit: Limit::ExpansionRatio, value: 100 });
        assert_eq!(with(100), refused, "{entries}");
        let all = extract_text(&bytes, &limited(|l| l.decoded_bytes = 16_900_000)).map(|_| ());
        assert_eq!(
            all,
            Err(PdfError::LimitReached { limit: Limit::DecodedBytes, value: 16_900_000 })
        );
    }
    // No more than 16 MiB: small enough for any document.
    let mut small = PdfWriter::new();
    small.stream("/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode", deflated_spaces(60_000));
    small.helvetica_page("BT /F1 9 Tf (small) Tj ET");
    let text =
        extract_text(&small.finish(), &limited(|l| l.expansion_ratio = 1)).map(|read| read.text);
    assert_eq!(text.as_deref(), Ok("small\n"));
}

#[test]
fn a_bomb_within_other_filters_is_refused_as_well() {
    // 17 million spaces, deflated and then written in digits: 217 KB.
    let deflated = deflated_spaces(66_000);
    let hex: String = deflated.iter().map(|byte| format!("{byte:02X}")).collect();
    let lengths = [129, b' '].repeat(134_000);
    for (entries, filters, data) in [
        ("/Subtype /Form /BBox [0 0 9 9]", "[/ASCIIHexDecode /FlateDecode]", hex.as_bytes()),
        ("/Subtype /Form /BBox [0 0 9 9]", "/RunLengthDecode", &lengths),
        ("/Type /ObjStm /N 0 /First 0", "[ /AHx /Fl ]", hex.as_bytes()),
        ("/Type /XRef /Size 1 /W [1 4 1]", "[/ASCIIHexDecode/FlateDecode]", hex.as_bytes()),
    ] {
        for dict in [format!("{entries} /Filter {filters}"), format!("/Filter {filters} {entries}")]
        {
            let mut pdf = PdfWriter::new();
            let stream = pdf.stream(&dict, data);
            pdf.page(&format!("/XObject << /X {stream} 0 R >>"), "/X Do");
            let bytes = pdf.finish();
            let with = |ratio: u64| {
                extract_text(&bytes, &limited(|l| l.expansion_ratio = ratio)).map(|_| ())
            };
            assert_eq!(with(100), Ok(()), "{dict}");
            let refused = Err(PdfError::LimitReached { limit: Limit::ExpansionRatio, value: 50 });
            assert_eq!(with(50), refused, "{dict}");
        }
    }
}

/// A space and so many times 258 more of them, deflated by hand: one block of fixed Huffman codes.
fn deflated_spaces(copies: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push(1, 1);
    bits.push(1, 2);
    bits.code(0x30 + u32::from(b' '), 8);
    for _ in 0..copies {
        bits.code(0b1100_0101, 8);
        bits.code(0, 5);
    }
    bits.code(0, 7);
    let mut deflated = vec![0x78, 0x9c];
    deflated.extend(bits.finish());
    deflated
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    /// Adds bits, least significant first.
    fn push(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if value >> bit & 1 == 1 {
                *self.bytes.last_mut().expect("pushed above") |= 1 << (self.used % 8);
            }
            self.used += 1;
        }
    }

    /// Adds a Huffman code, most significant bit first.
    fn code(&mut self, value: u32, count: u32) {
        for bit in (0..count).rev() {
            self.push(value >> bit & 1, 1);
        }
    }

    fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

#[test]
fn encrypted_documents_open_with_the_empty_or_the_given_password() {
    const TEXT: &str = "The harbour lights were locked away\n";
    let open: [(&str, &[u8]); 4] = [
        ("rc4-40", include_bytes!("data/rc4-40-empty.pdf")),
        ("rc4-128", include_bytes!("data/rc4-128-empty.pdf")),
        ("aes-128", include_bytes!("data/aes-128-empty.pdf")),
        ("aes-256", include_bytes!("data/aes-256-empty.pdf")),
    ];
    for (name, bytes) in open {
        let text = extract_text(bytes, &Options::default()).map(|read| read.text);
        assert_eq!(text.as_deref(), Ok(TEXT), "{name}");
    }
    let locked: [&[u8]; 2] =
        [include_bytes!("data/rc4-128-lantern.pdf"), include_bytes!("data/aes-256-lantern.pdf")];
    for bytes in locked {
        let with = |password: Option<&str>| {
            let options = Options { password: password.map(Into::into), ..Options::default() };
            extract_text(bytes, &options).map(|read| read.text)
        };
        assert_eq!(with(Some("lantern")).as_deref(), Ok(TEXT));
        assert_eq!(with(None), Err(PdfError::WrongPassword { given: false }));
        assert_eq!(with(Some("candle")), Err(PdfError::WrongPassword { given: true }));
    }
}

/// A file whose objects must be searched for is locked all the same, and not damaged.
#[test]
fn locked_documents_without_a_cross_reference_are_locked() {
    let locked: [&[u8]; 2] =
        [include_bytes!("data/rc4-128-lantern.pdf"), include_bytes!("data/aes-256-lantern.pdf")];
    for bytes in locked {
        let at = bytes.windows(9).rposition(|word| word == b"startxref").expect("a reference");
        let table = bytes.windows(5).rposition(|word| word == b"xref\n").expect("a table");
        for from in [at, table.min(at)] {
            let mut broken = bytes.to_vec();
            broken[from..from + 4].fill(b'x');
            broken[at + 10..at + 12].fill(b'9');
            let text = extract_text(&broken, &Options::default()).map(|read| read.text);
            assert_eq!(text, Err(PdfError::WrongPassword { given: false }));
        }
    }
}

#[test]
fn documents_of_which_only_attachments_are_encrypted_are_read() {
    let filters = "/CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> /EFF /StdCF";
    let strings = format!("/O <{0}> /U <{0}> /P -4", "5a".repeat(32));
    let read = |entries: &str, direct: bool| {
        let mut pdf = PdfWriter::new();
        let dict =
            format!("<< /Filter /Standard /R 4 /Length 128 {filters} {strings} {entries} >>");
        let number = pdf.object(&dict);
        pdf.helvetica_page("BT /F1 9 Tf (open) Tj ET");
        let file = String::from_utf8_lossy(&pdf.finish()).into_owned();
        let value = if direct { dict } else { format!("{number} 0 R") };
        let trailer = format!("trailer\n<< /ID [<00> <00>] /Encrypt {value}");
        let file = file.replace("trailer\n<<", &trailer);
        extract_text(file.as_bytes(), &Options::default()).map(|read| read.text)
    };
    for direct in [false, true] {
        for entries in ["/V 4 /StmF /Identity /StrF /Identity", "/V 4", "/V 4 /StmF /Identity"] {
            assert_eq!(read(entries, direct).as_deref(), Ok("open\n"), "{entries} {direct}");
        }
        for entries in ["/V 4 /StmF /StdCF /StrF /Identity", "/V 4 /StmF /StdCF /StrF /StdCF"] {
            let locked = Err(PdfError::WrongPassword { given: false });
            assert_eq!(read(entries, direct), locked, "{entries} {direct}");
        }
    }
}

#[test]
fn what_is_no_pdf_or_has_no_page_is_refused() {
    let extract = |bytes: &[u8]| extract_text(bytes, &Options::default());
    assert_eq!(extract(b""), Err(PdfError::NotPdf));
    assert_eq!(extract(b"<html>%PDF"), Err(PdfError::NotPdf));
    assert_eq!(extract(b"%PDF-1.4\nnothing follows"), Err(PdfError::Damaged));
    // An empty page tree is not damage; one that leads nowhere is.
    let empty = extract(&PdfWriter::new().finish()).map(|read| (read.text, read.pages));
    assert_eq!(empty, Ok((String::new(), 0)));
    let mut dangling = PdfWriter::new();
    dangling.add_page(99);
    assert_eq!(extract(&dangling.finish()), Err(PdfError::Damaged));
    let sound = document();
    let mut shifted = vec![b'\n'; 900];
    shifted.extend_from_slice(&sound);
    assert_eq!(extract(&shifted).map(|read| read.pages), Ok(3));
}

#[test]
fn damage_and_scans_are_told() {
    let mut pdf = PdfWriter::new();
    let image = pdf.stream("/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8", "x");
    pdf.page(&format!("/XObject << /I {image} 0 R >>"), "/I Do");
    let broken = pdf.stream("/Filter /ASCIIHexDecode", "zz not hex <<>>");
    let page = pdf.object(format!("<< /Type /Page /Parent 2 0 R /Contents {broken} 0 R >>"));
    pdf.add_page(page);
    let read = extract_text(&pdf.finish(), &Options::default()).expect("pages are there");
    assert_eq!((read.pages, read.text.as_str()), (2, ""));
    assert_eq!(
        read.warnings,
        [
            Warning::UnreadablePages { pages: 1 },
            Warning::RecoveredDamage { parts: 1, cross_reference: false, pages: 0 },
            Warning::ImageOnlyPages { pages: 1 },
        ]
    );
}

#[test]
fn errors_name_the_limit_and_the_remedy() {
    for (error, words) in [
        (PdfError::NotPdf, ["%PDF-", "1,024"]),
        (PdfError::Damaged, ["damaged", "page"]),
        (PdfError::WrongPassword { given: false }, ["password", "none was given"]),
        (PdfError::WrongPassword { given: true }, ["given password", "does not open"]),
        (PdfError::UnsupportedEncryption, ["encrypt", "unsupported"]),
        (PdfError::LimitReached { limit: Limit::Pages, value: 7 }, ["7 pages", "raise this limit"]),
        (
            PdfError::LimitReached { limit: Limit::SearchRatio, value: 16 },
            ["does not close", "repair the file"],
        ),
        (PdfError::Internal { detail: "oops".into() }, ["oops", "report"]),
    ] {
        let text = error.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
}
