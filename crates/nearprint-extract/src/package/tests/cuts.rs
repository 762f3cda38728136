//! Packages that are cut off, with their entries in the orders in which programs write them.

use super::*;

fn reason(bytes: &[u8]) -> Reason {
    extract(bytes, &Hints::default(), &Limits::default()).expect_err("no document").reason()
}

/// The same archive as written to a pipe: the lengths of an entry come after it. Its directory is left out.
fn streamed(parts: &[(&str, Vec<u8>)], deflate: bool) -> Vec<u8> {
    let mut file = Vec::new();
    for (name, content) in parts {
        // As programs do it, the type is stored.
        let whole = zip(&[(name, content)], deflate && *name != "mimetype");
        let packed = u32::from_le_bytes(whole[18..22].try_into().unwrap()) as usize;
        let content = 30 + name.len();
        let mut header = whole[..content].to_vec();
        header[6] |= 8;
        header[14..26].fill(0);
        file.extend(header);
        file.extend(&whole[content..content + packed]);
        file.extend(b"PK\x07\x08");
        file.extend(&whole[14..26]);
    }
    file
}

/// Words that do not repeat.
fn words(count: u32) -> String {
    let mut state = 1_u32;
    (0..count).fold(String::new(), |mut text, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(&format!("w{} ", state >> 12));
        text
    })
}

/// What a part of this name begins with in documents of all writers.
fn part(name: &str, kind: &str) -> Vec<u8> {
    const OFFICE: &str = "http://schemas.openxmlformats.org";
    const XML: &str = "<?xml version='1.0' encoding='UTF-8'?>\n";
    let main = match kind {
        "docx" => ("wordprocessingml.document", "word/document.xml"),
        "pptx" => ("presentationml.presentation", "ppt/presentation.xml"),
        _ => ("spreadsheetml.sheet", "xl/workbook.xml"),
    };
    let root = |name: &str, namespace: &str, text: &str| {
        format!("{XML}<{name} xmlns='{OFFICE}/{namespace}'>{text}</{name}>")
    };
    let open = |name: &str, text: &str| {
        format!(
            "{XML}<office:{name} xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0'>{text}</office:{name}>"
        )
    };
    let text = match name {
        "mimetype" if kind == "epub" => "application/epub+zip".to_owned(),
        "mimetype" if kind == "odt" => "application/vnd.oasis.opendocument.text".to_owned(),
        "mimetype" => "application/vnd.oasis.opendocument.spreadsheet".to_owned(),
        "[Content_Types].xml" => {
            let list = format!(
                "<Default Extension='xlsx' ContentType='application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'/>\
                 <Override PartName='/{}' ContentType='application/vnd.openxmlformats-officedocument.{}.main+xml'/>",
                main.1, main.0
            );
            root("Types", "package/2006/content-types", &list)
        }
        "_rels/.rels" => {
            let kind = format!("{OFFICE}/officeDocument/2006/relationships/officeDocument");
            let list = format!("<Relationship Id='r' Type='{kind}' Target='{}'/>", main.1);
            root("Relationships", "package/2006/relationships", &list)
        }
        "META-INF/manifest.xml" => format!(
            "{XML}<manifest:manifest><manifest:file-entry manifest:full-path='/' manifest:media-type='{}'/></manifest:manifest>",
            String::from_utf8(part("mimetype", kind)).unwrap()
        ),
        "META-INF/container.xml" => CONTAINER.1.to_owned(),
        "content.xml" => open("document-content", &words(2_000)),
        "styles.xml" => open("document-styles", &words(400)),
        "meta.xml" => open("document-meta", &words(5)),
        "settings.xml" => open("document-settings", &words(100)),
        name if name.ends_with(".opf") => format!("{XML}<package><spine/></package>"),
        name if name.ends_with(".xhtml") => {
            format!("{XML}<html><body>{}</body></html>", words(1_000))
        }
        name if name.ends_with(".xml") => {
            root("x", "officeDocument/2006/extended-properties", &words(300))
        }
        name if name.ends_with(".rels") => root("Relationships", "package/2006/relationships", ""),
        name if name.ends_with('/') => String::new(),
        _ => words(300),
    };
    text.into_bytes()
}

/// Programs, or ways to pack, and the orders of the entries in their files.
const ORDERS: [(&str, &str, &[&str]); 16] = [
    (
        "docx",
        "Word",
        &[
            "[Content_Types].xml",
            "_rels/.rels",
            "word/document.xml",
            "word/_rels/document.xml.rels",
            "word/theme/theme1.xml",
            "word/styles.xml",
            "docProps/core.xml",
            "docProps/app.xml",
        ],
    ),
    (
        "docx",
        "LibreOffice",
        &[
            "_rels/.rels",
            "docProps/core.xml",
            "docProps/app.xml",
            "word/_rels/document.xml.rels",
            "word/document.xml",
            "word/styles.xml",
            "[Content_Types].xml",
        ],
    ),
    (
        "docx",
        "Google Docs",
        &[
            "word/numbering.xml",
            "word/settings.xml",
            "word/fontTable.xml",
            "word/styles.xml",
            "word/document.xml",
            "_rels/.rels",
            "[Content_Types].xml",
        ],
    ),
    (
        "docx",
        "backwards",
        &[
            "word/theme/theme1.xml",
            "word/styles.xml",
            "word/document.xml",
            "docProps/core.xml",
            "_rels/.rels",
            "[Content_Types].xml",
        ],
    ),
    (
        "pptx",
        "python-pptx",
        &[
            "[Content_Types].xml",
            "_rels/.rels",
            "docProps/app.xml",
            "ppt/presentation.xml",
            "ppt/slides/slide1.xml",
        ],
    ),
    (
        "pptx",
        "LibreOffice",
        &[
            "ppt/slides/_rels/slide1.xml.rels",
            "ppt/slides/slide1.xml",
            "ppt/media/a.bin",
            "ppt/presentation.xml",
            "_rels/.rels",
            "[Content_Types].xml",
        ],
    ),
    (
        "xlsx",
        "openpyxl",
        &[
            "docProps/app.xml",
            "docProps/core.xml",
            "xl/theme/theme1.xml",
            "xl/worksheets/sheet1.xml",
            "xl/sharedStrings.xml",
            "_rels/.rels",
            "xl/workbook.xml",
            "[Content_Types].xml",
        ],
    ),
    (
        "xlsx",
        "XlsxWriter",
        &[
            "xl/worksheets/sheet1.xml",
            "xl/workbook.xml",
            "xl/sharedStrings.xml",
            "docProps/app.xml",
            "_rels/.rels",
            "[Content_Types].xml",
        ],
    ),
    (
        "odt",
        "LibreOffice",
        &[
            "mimetype",
            "Configurations2/",
            "manifest.rdf",
            "styles.xml",
            "content.xml",
            "meta.xml",
            "settings.xml",
            "Thumbnails/thumbnail.png",
            "META-INF/manifest.xml",
        ],
    ),
    (
        "odt",
        "pandoc",
        &["mimetype", "content.xml", "styles.xml", "meta.xml", "META-INF/manifest.xml"],
    ),
    (
        "odt",
        "zip of a folder",
        &[
            "Configurations2/",
            "META-INF/",
            "META-INF/manifest.xml",
            "Pictures/a.png",
            "content.xml",
            "meta.xml",
            "mimetype",
            "styles.xml",
        ],
    ),
    ("odt", "without its type", &["content.xml", "styles.xml", "META-INF/manifest.xml"]),
    ("ods", "LibreOffice", &["mimetype", "content.xml", "styles.xml", "META-INF/manifest.xml"]),
    ("ods", "backwards", &["styles.xml", "settings.xml", "content.xml", "META-INF/manifest.xml"]),
    (
        "epub",
        "pandoc",
        &[
            "mimetype",
            "META-INF/container.xml",
            "EPUB/content.opf",
            "EPUB/text/ch001.xhtml",
            "EPUB/text/ch002.xhtml",
        ],
    ),
    (
        "epub",
        "zip of a folder",
        &["OEBPS/a.xhtml", "OEBPS/b.xhtml", "OEBPS/content.opf", "META-INF/container.xml"],
    ),
];

#[test]
fn packages_of_all_writers_are_damaged_wherever_they_are_cut() {
    for (kind, writer, names) in ORDERS {
        let parts: Vec<_> = names.iter().map(|name| (*name, part(name, kind))).collect();
        let borrowed: Vec<_> = parts.iter().map(|(name, part)| (*name, part.as_slice())).collect();
        let whole = zip(&borrowed, true);
        let stored = zip(&borrowed, false);
        for (packing, file) in
            [("", whole), (", stored", stored), (", streamed", streamed(&parts, true))]
        {
            for percent in [10, 30, 60, 90] {
                let cut = &file[..file.len() * percent / 100];
                assert_eq!(
                    reason(cut),
                    Reason::Damaged,
                    "{kind} of {writer}{packing}, {percent} %"
                );
            }
        }
    }
}

/// What is left may be too little to say of which kind the document was.
#[test]
fn the_first_bytes_of_office_documents_are_damaged() {
    let parts = ["docProps/app.xml", "docProps/core.xml", "xl/workbook.xml"];
    let parts: Vec<_> = parts.iter().map(|name| (*name, part(name, "xlsx"))).collect();
    let parts: Vec<_> = parts.iter().map(|(name, part)| (*name, part.as_slice())).collect();
    let file = zip(&parts, true);
    for length in [50, 200, 400, 900] {
        let error =
            extract(&file[..length], &Hints::default(), &Limits::default()).expect_err("cut");
        assert_eq!(error.reason(), Reason::Damaged, "{length}");
        assert!(error.detail().contains("cut off before"), "{error}");
    }
    let types = zip(&[("[Content_Types].xml", &part("[Content_Types].xml", "docx"))], true);
    assert_eq!(reason(&types[..52]), Reason::Damaged);
}

/// An archive of other files is none of these, whole or not, even if it has whole documents in it.
#[test]
fn archives_of_other_files_are_not_taken_for_packages() {
    let names = ["[Content_Types].xml", "_rels/.rels", "word/document.xml"];
    let parts: Vec<_> = names.iter().map(|name| (*name, part(name, "docx"))).collect();
    let parts: Vec<_> = parts.iter().map(|(name, part)| (*name, part.as_slice())).collect();
    let document = zip(&parts, true);
    let (text, page) = (words(500), part("a.xhtml", "epub"));
    let lists: [&[(&str, &[u8])]; 4] = [
        &[("a.docx", &document), ("b.docx", &document), ("c.docx", &document)],
        &[("a.txt", text.as_bytes()), ("papers/a.docx", &document), ("z.txt", text.as_bytes())],
        &[
            ("content.xml", b"<x/>"),
            ("styles.xml", b"<x/>"),
            ("word/list.xml", b"<x/>"),
            ("b", &page),
        ],
        &[("a.xhtml", &page), ("texts/xl/a.xml", b"<x/>"), ("texts/b.txt", text.as_bytes())],
    ];
    for (at, list) in lists.iter().enumerate() {
        for deflate in [false, true] {
            let file = zip(list, deflate);
            let whole = reason(&file);
            assert_eq!(whole, Reason::UnsupportedMedia, "{at}");
            for length in (60..file.len()).step_by(97) {
                let error = extract(&file[..length], &Hints::default(), &Limits::default());
                let error = error.expect_err("no document");
                let reason = error.reason();
                assert_eq!(
                    reason,
                    Reason::UnsupportedMedia,
                    "{at}, {length} of {}: {error}",
                    file.len()
                );
            }
        }
    }
    // Packages of other programs have the frame of Office Open XML as well.
    let frame = part("_rels/.rels", "none");
    let frame = String::from_utf8(frame).unwrap().replace("officeDocument'", "manifest'");
    let other = zip(&[("_rels/.rels", frame.as_bytes()), ("a.nuspec", text.as_bytes())], true);
    for length in [other.len() / 2, other.len() - 30] {
        assert_eq!(reason(&other[..length]), Reason::UnsupportedMedia, "{length}");
    }
}
