//! Archives that are cut off, and those larger than the first zip could be.

use super::*;

fn reason(bytes: &[u8]) -> Reason {
    extract(bytes, &Hints::default(), &Limits::default()).expect_err("no document").reason()
}

/// The beginnings of a document are a damaged document, not another kind of file.
#[test]
fn packages_that_are_cut_off_are_damaged() {
    let word = "word ".repeat(2_000);
    let text = format!(
        "<office:document-content><office:body><office:text><text:p>{word}</text:p></office:text></office:body></office:document-content>"
    );
    let document = format!("<w:document><w:p><w:t>{word}</w:t></w:p></w:document>");
    let book = format!("<html><body>{word}</body></html>");
    let sheet = format!("<worksheet><row><c t='str'><v>{word}</v></c></row></worksheet>");
    let packages: [&[(&str, &str)]; 6] = [
        &[
            ("[Content_Types].xml", "<Types/>"),
            ("_rels/.rels", "<x/>"),
            ("word/document.xml", &document),
        ],
        &[
            ("[Content_Types].xml", "<Types/>"),
            ("xl/worksheets/sheet1.xml", &sheet),
            ("xl/workbook.xml", "<x/>"),
        ],
        &[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &text)],
        &[("styles.xml", "<x/>"), ("META-INF/manifest.xml", "<x/>"), ("content.xml", &text)],
        &[("mimetype", "application/epub+zip"), CONTAINER, ("OPS/a.xhtml", &book)],
        &[CONTAINER, ("OPS/a.xhtml", &book), ("OPS/b.xhtml", &book)],
    ];
    for parts in packages {
        let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        for folder in ["", "book/"] {
            let moved: Vec<String> =
                parts.iter().map(|(name, _)| format!("{folder}{name}")).collect();
            if !folder.is_empty() && parts[0].0 == "mimetype" {
                continue;
            }
            let moved: Vec<_> =
                moved.iter().zip(&parts).map(|(name, part)| (name.as_str(), part.1)).collect();
            let whole = zip(&moved, false);
            // Within the last part, its directory, and the record at the end.
            for cut in [whole.len() - 10, whole.len() - 200, whole.len() - 2_000] {
                assert_eq!(reason(&whole[..cut]), Reason::Damaged, "{folder}{} {cut}", parts[0].0);
            }
        }
    }
    // Packed by a program that deflates the type as well.
    for media_type in ["application/epub+zip", "application/vnd.oasis.opendocument.text"] {
        let parts = [("mimetype", media_type), CONTAINER, ("content.xml", text.as_str())];
        let whole = zip(&parts.map(|(name, text)| (name, text.as_bytes())), true);
        assert_eq!(reason(&whole[..whole.len() - 150]), Reason::Damaged, "{media_type}");
    }
    // An archive of other files is none of ours, whole or not.
    let other = zip(&[("a.txt", word.as_bytes()), ("content.xml", b"<x/>")], false);
    for cut in [0, 10, 1_000] {
        assert_eq!(reason(&other[..other.len() - cut]), Reason::UnsupportedMedia, "{cut}");
    }
}

/// The same archive with its numbers where zip64 has them, and what comes before it.
fn large(parts: &[(&str, &[u8])], before: &[u8]) -> Vec<u8> {
    let small = zip(parts, false);
    let end = small.len() - 22;
    let word = |at: usize| u32::from_le_bytes(small[at..at + 4].try_into().unwrap());
    let (size, start) = (word(end + 12) as usize, word(end + 16) as usize);
    let mut file = small[..start].to_vec();
    let mut entries = &small[start..start + size];
    while !entries.is_empty() {
        let name = usize::from(u16::from_le_bytes(entries[28..30].try_into().unwrap()));
        let mut entry = entries[..46 + name].to_vec();
        let (packed, header) = (entry[20..24].to_vec(), entry[42..46].to_vec());
        entry[20..28].fill(0xff);
        entry[42..46].fill(0xff);
        entry[30..32].copy_from_slice(&36_u16.to_le_bytes());
        // Another field before it, of four bytes.
        entry.extend([9, 9, 4, 0, 1, 2, 3, 4]);
        entry.extend([1, 0, 24, 0]);
        for number in [&packed, &packed, &header] {
            entry.extend(number);
            entry.extend([0; 4]);
        }
        file.extend(&entry);
        entries = &entries[46 + name..];
    }
    let size = file.len() - start;
    let record = file.len() + before.len();
    file.extend(b"PK\x06\x06");
    file.extend(44_u64.to_le_bytes());
    file.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [parts.len(), parts.len(), size, start] {
        file.extend((number as u64).to_le_bytes());
    }
    file.extend(b"PK\x06\x07\0\0\0\0");
    file.extend((record as u64).to_le_bytes());
    file.extend([1, 0, 0, 0]);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([0xff; 12]);
    file.extend([0, 0]);
    [before, &file].concat()
}

#[test]
fn archives_with_large_numbers_are_read() {
    let document = b"<w:document><w:t>word</w:t></w:document>";
    let parts: [(&str, &[u8]); 2] = [("word/document.xml", document), ("word/x.xml", b"<x/>")];
    // What comes before shifts every offset, whether the record's own place is stated with it or not.
    let found = extract(&large(&parts, b""), &Hints::default(), &Limits::default());
    assert_eq!(found.expect("a document").text, "word\n");
}

/// More entries than two bytes can count; beyond the limit it is a limit and not damage.
#[test]
fn archives_of_many_members_are_read_up_to_the_limit() {
    let names: Vec<String> = (0..70_000).map(|number| format!("word/media/{number}.bin")).collect();
    let mut parts: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    parts.push(("word/document.xml", b"<w:document><w:t>word</w:t></w:document>"));
    parts.insert(0, ("[Content_Types].xml", b"<Types/>"));
    let file = large(&parts, b"");
    let found = extract(&file, &Hints::default(), &Limits::default());
    assert_eq!(found.expect("a document").text, "word\n");
    let few = Limits { max_parts: 70_001, ..Limits::default() };
    let error = extract(&file, &Hints::default(), &few).expect_err("one too many");
    assert_eq!(error.reason(), Reason::PartLimit);
    assert!(error.detail().contains("70002"), "{error}");
}

/// Numbers that lie: nothing is allocated for them, and nothing overflows.
#[test]
fn large_numbers_that_lie_are_damage() {
    let document = b"<w:document><w:t>word</w:t></w:document>";
    let parts: [(&str, &[u8]); 2] =
        [("[Content_Types].xml", b"<Types/>"), ("word/document.xml", document)];
    let sound = large(&parts, b"");
    let record = sound.len() - 22 - 20 - 56;
    for field in [32, 40, 48] {
        for value in [u64::MAX, u64::MAX / 2, 1 << 40, 1 << 32] {
            let mut file = sound.clone();
            file[record + field..record + field + 8].copy_from_slice(&value.to_le_bytes());
            let found = reason(&file);
            let expected = if field == 32 { Reason::PartLimit } else { Reason::Damaged };
            assert_eq!(found, expected, "{field} {value}");
        }
    }
    // The locator leads anywhere: the record is looked for where it must be.
    for place in [0, u64::MAX, 7] {
        let mut file = sound.clone();
        let at = file.len() - 22 - 20 + 8;
        file[at..at + 8].copy_from_slice(&place.to_le_bytes());
        let found = extract(&file, &Hints::default(), &Limits::default());
        assert_eq!(found.expect("a document").text, "word\n");
    }
}

/// A document of which next to nothing is read says so, whatever the reason.
#[test]
fn lost_text_is_warned_of() {
    let words = "word ".repeat(100);
    let odt = |body: &str| {
        let content = format!(
            "<office:document-content><office:body><office:text><text:p>a</text:p>{body}</office:text></office:body></office:document-content>"
        );
        let media = "application/vnd.oasis.opendocument.text";
        zip(&[("mimetype", media.as_bytes()), ("content.xml", content.as_bytes())], true)
    };
    let docx = |body: &str| {
        let content = format!("<w:document><w:p><w:r><w:t>a</w:t></w:r>{body}</w:p></w:document>");
        zip(&[("word/document.xml", content.as_bytes())], true)
    };
    let epub = |body: &str| {
        let page = format!("<html><body><p>a</p>{body}</body></html>");
        let book = "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest>\
                    <spine><itemref idref='a'/></spine></package>";
        zip(
            &[
                ("mimetype", b"application/epub+zip"),
                (CONTAINER.0, CONTAINER.1.as_bytes()),
                ("OPS/book.opf", book.as_bytes()),
                ("OPS/a.xhtml", page.as_bytes()),
            ],
            true,
        )
    };
    let xlsx = |state: &str| {
        let workbook = format!(
            "<workbook><sheets><sheet r:id='r1'/><sheet r:id='r2' {state}/></sheets></workbook>"
        );
        let strings = format!("<sst><si><t>a</t></si><si><t>{words}</t></si></sst>");
        let sheet = |n: u8| format!("<worksheet><row><c t='s'><v>{n}</v></c></row></worksheet>");
        zip(
            &[
                ("xl/workbook.xml", workbook.as_bytes()),
                (
                    "xl/_rels/workbook.xml.rels",
                    b"<Relationships><Relationship Id='r1' Type='x/worksheet' Target='1.xml'/>\
                      <Relationship Id='r2' Type='x/worksheet' Target='2.xml'/>\
                      <Relationship Id='r3' Type='x/sharedStrings' Target='s.xml'/></Relationships>",
                ),
                ("xl/1.xml", sheet(0).as_bytes()),
                ("xl/2.xml", sheet(1).as_bytes()),
                ("xl/s.xml", strings.as_bytes()),
            ],
            true,
        )
    };
    for (lost, kept) in [
        (
            odt(&format!("<text:notes><text:p>{words}</text:p></text:notes>")),
            odt(&format!("<text:p>{words}</text:p>")),
        ),
        (
            docx(&format!("<w:del><w:r><w:t>{words}</w:t></w:r></w:del>")),
            docx(&format!(
                "<w:r><w:t>{words}</w:t></w:r><w:r><w:instrText>{words}</w:instrText></w:r>"
            )),
        ),
        (
            epub(&format!("<div hidden='hidden'>{words}</div>")),
            epub(&format!("<div>{words}</div>")),
        ),
        (xlsx("state='hidden'"), xlsx("")),
    ] {
        for (package, has_warning) in [(lost, true), (kept, false)] {
            let found = extract(&package, &Hints::default(), &Limits::default()).unwrap();
            let codes = found.record.warnings.iter().map(|warning| warning.code.code());
            let codes: Vec<_> = codes.collect();
            assert_eq!(codes.contains(&"little-text"), has_warning, "{}", found.text);
        }
    }
}
