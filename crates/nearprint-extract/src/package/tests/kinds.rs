//! What archives are taken for.

use super::*;

/// The media type of an archive, or the name of what is refused.
fn kind(parts: &[(&str, &str)]) -> String {
    let parts: Vec<_> = parts.iter().map(|(n, c)| (*n, c.as_bytes())).collect();
    match extract(&zip(&parts, true), &Hints::default(), &Limits::default()) {
        Ok(found) => found.record.media_type,
        Err(error) => {
            assert_eq!(error.reason(), Reason::UnsupportedMedia, "{error}");
            error.detail().rsplit(' ').next().unwrap_or("").to_owned()
        }
    }
}

#[test]
fn packages_are_what_their_main_part_is() {
    const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    const PPTX: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
    const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let open = "application/vnd.openxmlformats-officedocument";
    let microsoft = "application/vnd.ms-";
    let relationships = "<Relationships><Relationship Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' Target='main.xml'/></Relationships>";
    let list = "<Relationships><Relationship Id='r' Target='slide.xml'/></Relationships>";
    let main = "<p:x><w:t>word</w:t><p:sldId r:id='r'/></p:x>";
    for (content_type, expected) in [
        (format!("{open}.wordprocessingml.document.main+xml"), DOCX),
        (format!("{open}.wordprocessingml.template.main+xml"), DOCX),
        (format!("{microsoft}word.document.macroEnabled.main+xml"), DOCX),
        (format!("{microsoft}word.template.macroEnabledTemplate.main+xml"), DOCX),
        (format!("{open}.presentationml.presentation.main+xml"), PPTX),
        (format!("{open}.presentationml.template.main+xml"), PPTX),
        (format!("{open}.presentationml.slideshow.main+xml"), PPTX),
        (format!("{microsoft}powerpoint.slideshow.macroEnabled.main+xml"), PPTX),
        (format!("{microsoft}powerpoint.presentation.macroEnabled.main+xml"), PPTX),
        (format!("{open}.spreadsheetml.sheet.main+xml"), XLSX),
        (format!("{microsoft}excel.sheet.macroEnabled.main+xml"), XLSX),
        (
            format!("{microsoft}excel.sheet.binary.macroEnabled.main"),
            "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
        ),
        (format!("{microsoft}visio.drawing.main+xml"), "application/vnd.ms-visio.drawing"),
        ("application/xml".to_owned(), "application/zip"),
    ] {
        for types in [
            format!("<Types><Override PartName='/main.xml' ContentType='{content_type}'/></Types>"),
            format!("<Types><Default Extension='xml' ContentType='{content_type}'/></Types>"),
        ] {
            let found = kind(&[
                ("[Content_Types].xml", &types),
                ("_rels/.rels", relationships),
                ("main.xml", main),
                ("_rels/main.xml.rels", list),
                ("slide.xml", "<p:sld><a:t>word</a:t></p:sld>"),
            ]);
            assert_eq!(found, expected, "{types}");
        }
    }
    // Without a type the root says it, and without relationships the name.
    for (root, expected) in [
        ("w:document", DOCX),
        ("p:presentation", PPTX),
        ("workbook", XLSX),
        ("a", "application/zip"),
    ] {
        let main =
            format!("<?xml version='1.0'?><{root}><w:t>word</w:t><p:sldId r:id='r'/></{root}>");
        let found = kind(&[
            ("_rels/.rels", relationships),
            ("main.xml", &main),
            ("_rels/main.xml.rels", list),
            ("slide.xml", "<p:sld><a:t>word</a:t></p:sld>"),
        ]);
        assert_eq!(found, expected, "{root}");
    }
    assert_eq!(kind(&[("xl/workbook.xml", "<workbook/>")]), XLSX);
    let pages = "<Relationships><Relationship Type='http://schemas.microsoft.com/xps/2005/06/fixedrepresentation' Target='/a.fdseq'/></Relationships>";
    assert_eq!(kind(&[("_rels/.rels", pages)]), "application/vnd.ms-xpsdocument");
}

#[test]
fn opendocument_without_its_first_file() {
    let content = |body: &str| {
        format!(
            "<?xml version='1.0'?><office:document-content><office:body><office:{body}><text:p>Word</text:p></office:{body}></office:body></office:document-content>"
        )
    };
    let manifest = |root: &str| {
        format!(
            "<manifest:manifest><manifest:file-entry manifest:full-path='content.xml' manifest:media-type='text/xml'/>\
             <manifest:file-entry manifest:media-type='{root}' manifest:full-path='/'/></manifest:manifest>"
        )
    };
    let open = |kind: &str| format!("application/vnd.oasis.opendocument.{kind}");
    for (body, expected) in [
        ("text", "text"),
        ("presentation", "presentation"),
        ("spreadsheet", "spreadsheet"),
        ("drawing", "graphics"),
    ] {
        let content = content(body);
        assert_eq!(kind(&[("content.xml", &content)]), open(expected));
        let manifest = manifest(&open(expected));
        let parts = [("META-INF/manifest.xml", manifest.as_str()), ("content.xml", &content)];
        assert_eq!(kind(&parts), open(expected));
        let mimetype = open(&format!("{expected}-template\n"));
        assert_eq!(kind(&[("mimetype", &mimetype), ("content.xml", &content)]), open(expected));
    }
    // Other packages have manifests, and contents, too.
    assert_eq!(
        kind(&[
            ("META-INF/manifest.xml", &manifest("application/java-archive")),
            ("content.xml", "<content/>")
        ]),
        "application/zip"
    );
}
