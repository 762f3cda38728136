//! What archives are treated as.

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
    let list = "<Relationships><Relationship Id='r' Type='x/worksheet' Target='slide.xml'/></Relationships>";
    let main = "<p:x><w:t>word</w:t><p:sldId r:id='r'/><sheet r:id='r'/></p:x>";
    let slide = "<p:sld><a:t>word</a:t><c><v>3</v></c></p:sld>";
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
                ("slide.xml", slide),
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
        let main = format!(
            "<?xml version='1.0'?><{root}><w:t>word</w:t><p:sldId r:id='r'/><sheet r:id='r'/></{root}>"
        );
        let found = kind(&[
            ("_rels/.rels", relationships),
            ("main.xml", &main),
            ("_rels/main.xml.rels", list),
            ("slide.xml", slide),
        ]);
        assert_eq!(found, expected, "{root}");
    }
    assert_eq!(
        kind(&[("xl/workbook.xml", "<workbook/>"), ("xl/worksheets/sheet1.xml", slide)]),
        XLSX
    );
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

/// The same parts below a folder, with what else is in the archive.
fn below(folder: &str, parts: &[(&str, &str)], beside: &[(&str, &str)]) -> String {
    let moved: Vec<(String, &str)> =
        parts.iter().map(|(name, content)| (format!("{folder}{name}"), *content)).collect();
    let moved = moved.iter().map(|(name, content)| (name.as_str(), *content));
    kind(&moved.chain(beside.iter().copied()).collect::<Vec<_>>())
}

#[test]
fn packages_may_be_zipped_together_with_their_folder() {
    let book = [
        CONTAINER,
        (
            "OPS/book.opf",
            "<package><item id='a' href='../a%20page.xhtml' media-type='application/xhtml+xml'/><itemref idref='a'/></package>",
        ),
        ("a page.xhtml", "<html><body>One.</body></html>"),
    ];
    let letter = [
        (
            "_rels/.rels",
            "<Relationships><Relationship Type='x/officeDocument' Target='/word/main.xml'/></Relationships>",
        ),
        (
            "[Content_Types].xml",
            "<Types><Override PartName='/word/main.xml' ContentType='application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'/></Types>",
        ),
        ("word/main.xml", "<w:document><w:t>One.</w:t></w:document>"),
    ];
    let bare = [("word/document.xml", "<w:document><w:t>One.</w:t></w:document>")];
    let text = [
        ("META-INF/manifest.xml", "<manifest/>"),
        (
            "content.xml",
            "<office:document-content><office:body><office:text><text:p>One.</text:p></office:text></office:body></office:document-content>",
        ),
    ];
    let sheet = [
        ("xl/workbook.xml", "<workbook/>"),
        ("xl/worksheets/sheet1.xml", "<row><c><v>3</v></c></row>"),
    ];
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let packages: [(&[(&str, &str)], &str); 5] = [
        (&book, "application/epub+zip"),
        (&letter, word),
        (&bare, word),
        (&text, "application/vnd.oasis.opendocument.text"),
        (&sheet, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ];
    for (parts, expected) in packages {
        for folder in ["", "book/", "a/b.epub/c/"] {
            assert_eq!(below(folder, parts, &[]), expected, "{folder}");
            // Folders have entries of their own, and systems leave files in them.
            let beside = [("a/", ""), ("a/b.epub/", ""), ("a/b.epub/c/", "")];
            let beside = &beside[..if folder.starts_with("a/") { 3 } else { 0 }];
            assert_eq!(below(folder, parts, beside), expected, "{folder}");
            let left = [("__MACOSX/book/._a", "x"), (".DS_Store", "x")];
            assert_eq!(below(folder, parts, &left), expected, "{folder}");
        }
        // One of several documents, or beside other files, is not a package: nothing says that the rest belongs to it.
        for beside in ["other/word/document.xml", "readme.txt", "books/x", "bookshelf"] {
            let found = below("book/", parts, &[(beside, "<w:document/>")]);
            assert_eq!(found, "application/zip", "{beside}");
        }
        let far = "f/".repeat(9);
        assert_eq!(below(&far, parts, &[]), "application/zip");
    }
    let two: Vec<(String, &str)> = ["a", "b"]
        .iter()
        .flat_map(|name| book.iter().map(move |(part, text)| (format!("s/{name}/{part}"), *text)))
        .collect();
    let two: Vec<(&str, &str)> = two.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    assert_eq!(kind(&two), "application/zip");
}
