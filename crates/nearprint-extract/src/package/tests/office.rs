//! Office Open XML whose parts have other names than usual, and packages that lead nowhere.

use super::*;
use crate::WarningCode;

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const PPTX: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";

fn document(text: &str) -> String {
    format!("<w:document><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>")
}

fn notes(text: &str) -> String {
    format!(
        "<w:footnotes><w:footnote><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
}

fn slide(text: &str) -> String {
    format!("<p:sld><p:sp><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sp></p:sld>")
}

/// A list of relationships: the rest of a type's address, and the target.
fn list(relationships: &[(&str, &str)]) -> String {
    let rows = relationships.iter().enumerate().map(|(n, (kind, target))| {
        format!("<Relationship Id='r{n}' Type='http://purl.oclc.org/ooxml/officeDocument/relationships/{kind}' Target='{target}'/>")
    });
    format!("<Relationships>{}</Relationships>", rows.collect::<String>())
}

#[test]
fn documents_are_found_by_their_relationships() {
    check(
        &[
            (
                "[Content_Types].xml",
                "<Types><Override PartName='/word/document2.xml' ContentType='application/vnd.ms-word.document.macroEnabled.main+xml'/></Types>",
            ),
            (
                "_rels/.rels",
                &list(&[
                    ("extended-properties", "docProps/app.xml"),
                    ("officeDocument", "/word/document2.xml"),
                ]),
            ),
            (
                "word/_rels/document2.xml.rels",
                &list(&[
                    ("endnotes", "ends%20here.xml"),
                    ("header", "header1.xml"),
                    ("footnotes", "../notes/footnotes9.xml"),
                ]),
            ),
            ("word/document2.xml", &document("Text")),
            ("notes/footnotes9.xml", &notes("Foot")),
            ("word/ends here.xml", &notes("End")),
            ("word/header1.xml", &document("Header")),
            // Of another revision, to which nothing leads.
            ("word/document.xml", &document("Old")),
            ("word/footnotes.xml", &notes("Old foot")),
        ],
        DOCX,
        "Text|Foot|End",
    );
}

#[test]
fn names_of_parts_have_no_case_and_either_slash() {
    check(
        &[
            ("_rels\\.rels", &list(&[("officeDocument", "word\\Document.xml")])),
            ("/Word/document.xml", &document("Text")),
            ("word/_rels/document.xml.RELS", &list(&[("footnotes", "Notes.xml")])),
            ("WORD/notes.xml", &notes("Foot")),
        ],
        DOCX,
        "Text|Foot",
    );
}

/// Prefixes are a producer's choice; libraries that read and write XML make up their own.
#[test]
fn prefixes_are_of_no_matter() {
    check(
        &[(
            "word/document.xml",
            "<ns0:document><ns0:p><ns0:r><ns0:rPr><ns0:vanish/></ns0:rPr><ns0:t>hidden</ns0:t></ns0:r>\
             <ns0:r><ns0:rPr><ns0:vanish ns0:val='false'/></ns0:rPr><ns0:t>shown</ns0:t></ns0:r></ns0:p></ns0:document>",
        )],
        DOCX,
        "shown",
    );
    check(
        &[
            ("_rels/.rels", &list(&[("officeDocument", "show.xml")])),
            (
                "show.xml",
                "<presentation><sldIdLst><sldId id='r1' rel:id='r0'/></sldIdLst></presentation>",
            ),
            ("_rels/show.xml.rels", &list(&[("slide", "a.xml"), ("slide", "b.xml")])),
            ("a.xml", &slide("First")),
            ("b.xml", &slide("Other")),
        ],
        PPTX,
        "First",
    );
}

#[test]
fn relationships_lead_to_no_part_twice_and_to_nothing_outside() {
    let presentation = |ids: &str| format!("<p:presentation>{ids}</p:presentation>");
    let once = "<p:sldId r:id='r0'/>";
    check(
        &[
            ("ppt/presentation.xml", &presentation(&once.repeat(50_000))),
            ("ppt/_rels/presentation.xml.rels", &list(&[("slide", "../../../s.xml")])),
            ("s.xml", &slide("Once")),
        ],
        PPTX,
        "Once",
    );
    // A document that is its own footnotes; footnotes that lead back to it.
    check(
        &[
            ("_rels/.rels", &list(&[("officeDocument", "d.xml"), ("officeDocument", "n.xml")])),
            ("d.xml", &document("Text")),
            ("n.xml", &notes("Foot")),
            ("_rels/d.xml.rels", &list(&[("footnotes", "d.xml"), ("endnotes", "n.xml")])),
            ("_rels/n.xml.rels", &list(&[("footnotes", "d.xml"), ("officeDocument", "d.xml")])),
        ],
        DOCX,
        "Text|Foot",
    );
    // Elsewhere is nowhere: the main part is then the one of the usual name.
    let elsewhere = "<Relationships><Relationship Type='x/officeDocument' TargetMode='External' Target='http://example.org/d.xml'/>\
                     <Relationship Type='x/officeDocument' Target='../../gone.xml'/></Relationships>";
    check(&[("_rels/.rels", elsewhere), ("word/document.xml", &document("Text"))], DOCX, "Text");
}

#[test]
fn a_hundred_thousand_relationships() {
    let slides = 300;
    let mut relationships = vec![("hyperlink", "none.xml".to_owned()); 100_000];
    relationships.extend((0..slides).map(|n| ("slide", format!("s{n}.xml"))));
    let relationships: Vec<_> = relationships.iter().map(|(k, t)| (*k, t.as_str())).collect();
    let ids: String =
        (0..100_000 + slides).rev().map(|n| format!("<p:sldId r:id='r{n}'/>")).collect();
    let mut parts = vec![
        ("ppt/presentation.xml".to_owned(), format!("<p:presentation>{ids}</p:presentation>")),
        ("ppt/_rels/presentation.xml.rels".to_owned(), list(&relationships)),
    ];
    parts.extend((0..slides).map(|n| (format!("ppt/s{n}.xml"), slide(&format!("word{n}")))));
    let parts: Vec<_> = parts.iter().map(|(n, c)| (n.as_str(), c.as_bytes())).collect();
    let found = extract(&zip(&parts, true), &Hints::default(), &Limits::default()).unwrap();
    assert_eq!(found.text.lines().count(), slides);
    assert!(found.text.starts_with(&format!("word{}\n", slides - 1)));
    assert_eq!(found.record.warnings[0].code, WarningCode::PartUnreadable);
}

#[test]
fn parts_that_are_not_there_are_told() {
    let run = |parts: &[(&str, &str)]| {
        let parts: Vec<_> = parts.iter().map(|(n, c)| (*n, c.as_bytes())).collect();
        extract(&zip(&parts, false), &Hints::default(), &Limits::default())
    };
    let relationships = list(&[("footnotes", "gone.xml")]);
    let found = run(&[
        ("word/document.xml", &document("Text")),
        ("word/_rels/document.xml.rels", &relationships),
    ]);
    let found = found.unwrap();
    assert_eq!(found.text, "Text\n");
    assert_eq!(found.record.warnings[0].code, WarningCode::PartUnreadable);
    assert!(found.record.warnings[0].detail.contains("word/gone.xml"));
    let error = run(&[("ppt/presentation.xml", "<p:presentation/>")]).unwrap_err();
    assert_eq!(error.reason(), Reason::Damaged);
    assert!(error.detail().contains("ppt/presentation.xml"), "{error}");
}
