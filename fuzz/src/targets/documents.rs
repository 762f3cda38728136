//! Extraction: each parser by a hint that sends every document to it, and all of them by content.

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, extract as run};

use super::packing::{self, Part};

/// Small enough that no input takes long, and that limits are met at all.
fn limits() -> Limits {
    Limits {
        max_expanded_bytes: 8 << 20,
        max_text_bytes: 4 << 20,
        max_depth: 10_000,
        max_attributes: 5_000,
        max_entity_bytes: 1 << 20,
        max_pages: 200,
        max_glyphs: 200_000,
        max_operators: 500_000,
        max_parts: 500,
        ..Limits::default()
    }
}

/// Extracts, and checks what holds for every document.
pub(super) fn check(bytes: &[u8], hints: &Hints) -> Result<Extraction, ExtractError> {
    let limits = limits();
    let outcome = run(bytes, hints, &limits);
    match &outcome {
        Ok(found) => {
            assert!(found.text.ends_with('\n'), "a text ends with a line end");
            assert!(!found.text.contains('\u{ad}'), "soft hyphens are taken out");
            assert_eq!(found.record.characters, found.text.chars().count() as u64);
            // What tidying adds is a line end.
            assert!(found.text.len() as u64 <= limits.max_text_bytes + 1);
            let codes: Vec<_> = found.record.warnings.iter().map(|warning| warning.code).collect();
            assert!((1..codes.len()).all(|n| !codes[..n].contains(&codes[n])), "{codes:?}");
            assert_eq!(found.record.main_content.is_some(), hints.main_content && is_page(found));
        }
        Err(error) => {
            assert!(!error.is_retryable(), "{error}");
            assert!(!error.detail().contains("report"), "{error}");
        }
    }
    outcome
}

fn is_page(found: &Extraction) -> bool {
    matches!(found.record.media_type.as_str(), "text/html" | "application/xhtml+xml")
}

pub(super) fn check_as(bytes: &[u8], media_type: &str) {
    let hints = Hints { media_type: Some(media_type.to_owned()), ..Hints::default() };
    let _ = check(bytes, &hints);
}

macro_rules! by_hint {
    ($($name:ident $media:literal;)*) => {
        $(
            #[doc = concat!("The extractor of `", $media, "`.")]
            pub fn $name(data: &[u8]) {
                check_as(data, $media);
            }
        )*
    };
}

by_hint! {
    asciidoc "text/asciidoc";
    bibtex "application/x-bibtex";
    html "text/html";
    info "text/x-info";
    latex "application/x-latex";
    mail "message/rfc822";
    markdown "text/markdown";
    mediawiki "text/x-wiki";
    pdf "application/pdf";
    plain "text/plain";
    restructured "text/x-rst";
    ris "application/x-research-info-systems";
    roff "text/troff";
    rtf "application/rtf";
    texinfo "text/x-texinfo";
    xhtml "application/xhtml+xml";
    xml "application/xml";
}

/// Whatever type is detected from the content, twice: the same bytes give the same text.
pub fn extract(data: &[u8]) {
    let hints = Hints::default();
    assert_eq!(check(data, &hints), check(data, &hints));
}

/// The main content is a stretch of the page, with its title before it.
pub fn main_content(data: &[u8]) {
    let page = Hints { media_type: Some("text/html".to_owned()), ..Hints::default() };
    let whole = check(data, &page);
    let main = check(data, &Hints { main_content: true, ..page });
    if let (Ok(whole), Ok(main)) = (whole, main) {
        assert!(main.text.len() <= whole.text.len() + 1);
    }
}

/// Plain text in a charset that the first byte chooses.
pub fn charset(data: &[u8]) {
    const LABELS: [&str; 16] = [
        "utf-8",
        "utf-16le",
        "utf-16be",
        "utf-32",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "gb18030",
        "big5",
        "euc-kr",
        "windows-1251",
        "koi8-r",
        "iso-8859-2",
        "windows-874",
        "replacement",
        "x-user-defined",
    ];
    let Some((first, rest)) = data.split_first() else { return };
    let label = LABELS[usize::from(*first) % LABELS.len()];
    let hints = Hints { charset: Some(label.to_owned()), ..Hints::default() };
    let _ = check(rest, &hints);
    let _ = check(rest, &Hints::default());
}

/// Behind the magic number of a compression that the first byte chooses.
pub fn wrapper(data: &[u8]) {
    const MAGIC: [&[u8]; 5] =
        [b"", b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"];
    let Some((first, rest)) = data.split_first() else { return };
    let magic = MAGIC[usize::from(*first) % MAGIC.len()];
    let _ = check(&[magic, rest].concat(), &Hints::default());
}

/// A page of a PDF whose content the bytes are: behind a file's structure, which mutations would only break.
pub fn pdf_page(data: &[u8]) {
    let mut file = b"%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
        2 0 obj <</Type/Pages/Kids[3 0 R 3 0 R 3 0 R]/Count 3>> endobj\n\
        3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 6 0 R/Resources<</Font<</F 4 0 R/G 5 0 R>>\
        /XObject<</X 6 0 R>>>>>> endobj\n\
        4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>> endobj\n\
        5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Times/Encoding<</Differences[65/uni05D0/a66/f_i/uni4E2D/uni0301]>>>>\
        endobj\n"
        .to_vec();
    let head = format!("6 0 obj <</Subtype/Form/BBox[0 0 9 9]/Length {}>> stream\n", data.len());
    file.extend(head.as_bytes());
    file.extend(data);
    file.extend(b"\nendstream endobj\ntrailer <</Root 1 0 R>>\n");
    let _ = check(&file, &Hints::default());
}

/// Parts of a package: the first byte chooses its kind, the byte 0 parts the parts. The bytes themselves are tried as
/// an archive, too.
pub fn package(data: &[u8]) {
    const KINDS: [(&str, [&str; 3]); 5] = [
        ("application/epub+zip", ["META-INF/container.xml", "a.opf", "b.xhtml"]),
        (
            "application/vnd.oasis.opendocument.text",
            ["content.xml", "styles.xml", "META-INF/manifest.xml"],
        ),
        ("", ["word/document.xml", "word/footnotes.xml", "[Content_Types].xml"]),
        ("", ["ppt/presentation.xml", "ppt/slides/slide1.xml", "ppt/_rels/presentation.xml.rels"]),
        // What these are, and which belongs to which, they say themselves.
        ("", ["_rels/.rels", "a.xml", "_rels/a.xml.rels"]),
    ];
    let _ = check(data, &Hints::default());
    let Some((first, rest)) = data.split_first() else { return };
    let (mimetype, names) = &KINDS[usize::from(*first) % KINDS.len()];
    let mut parts = vec![("mimetype", mimetype.as_bytes())];
    parts.extend(names.iter().copied().zip(rest.split(|byte| *byte == 0)));
    let _ = check(&stored(&parts), &Hints::default());
}

/// A zip archive of these parts, not compressed.
fn stored(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let parts = parts.iter().map(|(name, content)| Part {
        name,
        packed: content.to_vec(),
        deflated: false,
        length: content.len(),
        checksum: crc32(content),
    });
    packing::zip(&parts.collect::<Vec<_>>())
}

/// The checksum of zip archives, a bit at a time.
pub(super) fn crc32(content: &[u8]) -> u32 {
    let step = |sum: u32| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
    !content.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}
