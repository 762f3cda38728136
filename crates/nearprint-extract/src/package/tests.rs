//! Archives built here, part by part, so that each rule is seen in the smallest document that has it.

use std::io::Write;

use self::packing::Part;
use super::*;
use crate::extraction::Hints;
use crate::limits::Limits;
use crate::{Reason, extract};

#[path = "../../tests/packing/mod.rs"]
mod packing;

mod cuts;
mod damage;
mod kinds;
mod office;
mod spreadsheets;

/// A zip archive: stored where `deflate` is not set.
fn zip(parts: &[(&str, &[u8])], deflate: bool) -> Vec<u8> {
    let parts = parts.iter().map(|(name, content)| {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let packed = if deflate {
            let mut encoder =
                flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        } else {
            content.to_vec()
        };
        Part { name, packed, deflated: deflate, length: content.len(), checksum: crc.sum() }
    });
    packing::zip(&parts.collect::<Vec<_>>())
}

#[track_caller]
fn check(parts: &[(&str, &str)], media: &str, expected: &str) {
    let parts: Vec<_> = parts.iter().map(|(n, c)| (*n, c.as_bytes())).collect();
    for deflate in [false, true] {
        let found = extract(&zip(&parts, deflate), &Hints::default(), &Limits::default()).unwrap();
        assert_eq!(found.record.media_type, media);
        assert_eq!(found.text.trim_end().replace(['\n', '\t'], "|"), expected);
    }
}

const CONTAINER: (&str, &str) = (
    "META-INF/container.xml",
    "<container><rootfiles><rootfile full-path='OPS/book.opf'/></rootfiles></container>",
);

#[test]
fn books_are_read_in_the_order_of_their_spine() {
    check(
        &[
            ("mimetype", "application/epub+zip"),
            CONTAINER,
            (
                "OPS/book.opf",
                "<package><manifest>
                 <item id='b' href='two.xhtml' media-type='application/xhtml+xml'/>
                 <item id='a' href='../one%20page.xhtml#x' media-type='application/xhtml+xml'/>
                 <item id='b2' href='two.xhtml#part' media-type='application/xhtml+xml'/>
                 <item id='n' href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'/>
                 </manifest><spine><itemref idref='n'/><itemref idref='a'/><itemref idref='b'/><itemref idref='b2'/></spine></package>",
            ),
            ("one page.xhtml", "<html><title>t</title><body>One.</body></html>"),
            ("OPS/two.xhtml", "<html><script/><body>Two.</body></html>"),
            ("OPS/nav.xhtml", "<html><body>Contents</body></html>"),
        ],
        "application/epub+zip",
        "One.|Two.",
    );
}

#[test]
fn opendocument() {
    check(
        &[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            (
                "content.xml",
                "<office:document-content><office:body><office:text>
                 <text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
                 <text:h>Title</text:h>\n<text:p>W<text:span>o</text:span>rd<text:s text:c='3'/>two<text:note>\
                 <text:note-citation>1</text:note-citation><text:note-body><text:p>Note</text:p></text:note-body></text:note></text:p>
                 <text:p><office:annotation><text:p>remark</text:p></office:annotation>x<text:line-break/>y</text:p>
                 <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>\
                 <table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>
                 </office:text></office:body></office:document-content>",
            ),
        ],
        "application/vnd.oasis.opendocument.text",
        "Title|Word two|Note|x|y|a|b",
    );
}

#[test]
fn superscripts_and_subscripts() {
    check(
        &[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            (
                "content.xml",
                "<office:document-content><office:automatic-styles>\
                 <style:style style:name='T1' style:family='text'><style:text-properties style:text-position='super 58%'/></style:style>\
                 <style:style style:name='T2' style:family='text'><style:text-properties style:text-position='-33% 58%'/></style:style>\
                 <style:style style:name='T3' style:family='text'><style:text-properties fo:color='#000'/></style:style>\
                 </office:automatic-styles><office:body><office:text><text:p>10<text:span text:style-name='T1'>2</text:span> \
                 H<text:span text:style-name='T2'>2</text:span>O 1<text:span text:style-name='T3'>2</text:span> \
                 word<text:a><text:span text:style-name='T1'>1</text:span></text:a></text:p>\
                 </office:text></office:body></office:document-content>",
            ),
        ],
        "application/vnd.oasis.opendocument.text",
        "10² H₂O 12 word1",
    );
    let run = |position: &str, text: &str| {
        format!("<w:r><w:rPr><w:vertAlign w:val='{position}'/></w:rPr><w:t>{text}</w:t></w:r>")
    };
    let document = format!(
        "<w:document><w:body><w:p><w:r><w:t>10</w:t></w:r>{}{}{}</w:p><w:p><w:r><w:t>word</w:t></w:r>\
         <w:hyperlink>{}</w:hyperlink><w:r><w:t>, H</w:t></w:r>{}<w:r><w:t>O 1</w:t></w:r>{}</w:p>\
         <m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>\
         </w:body></w:document>",
        run("superscript", "1"),
        run("superscript", "2"),
        run("baseline", "3"),
        run("superscript", "1"),
        run("subscript", "2"),
        run("superscript", "st"),
    );
    check(
        &[("word/document.xml", &document)],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "10¹²3|word1, H₂O 1st|x²",
    );
    check(
        &[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId r:id='r1'/></p:sldIdLst></p:presentation>",
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id='r1' Target='slides/slide1.xml'/></Relationships>",
            ),
            (
                "ppt/slides/slide1.xml",
                "<p:sld><p:sp><a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline='30000'/><a:t>2</a:t></a:r>\
                 <a:r><a:rPr baseline='0'/><a:t> H</a:t></a:r><a:r><a:rPr lang='de' baseline='-25000'/><a:t>2</a:t></a:r>\
                 </a:p></p:sp></p:sld>",
            ),
        ],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "10² H₂",
    );
}

#[test]
fn word_documents() {
    check(
        &[
            (
                "word/document.xml",
                "<w:document><w:body>\n<w:p>\n <w:r><w:t>Wo</w:t></w:r>\n <w:r><w:rPr><w:b/></w:rPr><w:t>rd</w:t></w:r>\
                 <w:r><w:tab/><w:t xml:space='preserve'> two</w:t></w:r></w:p>
                 <w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>\
                 <w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>\
                 <w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>shown</w:t></w:r></w:p>
                 <mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>\
                 <mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>
                 <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
                 </w:body></w:document>",
            ),
            ("word/footnotes.xml", "<w:footnotes><w:footnote><w:p><w:r><w:t>Note</w:t></w:r></w:p></w:footnote></w:footnotes>"),
            ("word/endnotes.xml", "<w:endnotes><w:endnote><w:p><w:r><w:t>End</w:t></w:r></w:p></w:endnote></w:endnotes>"),
            ("word/header1.xml", "<w:hdr><w:p><w:r><w:t>Header</w:t></w:r></w:p></w:hdr>"),
        ],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "Word two|shown|box|a|b|Note|End",
    );
}

#[test]
fn presentations_in_the_order_of_their_slides() {
    check(
        &[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId r:id='r2'/><p:sldId r:id='r1'/><p:sldId r:id='r3'/></p:sldIdLst></p:presentation>",
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id='r1' Target='slides/slide1.xml'/><Relationship Id='r2' Target='slides/slide2.xml'/><Relationship Id='r3' Target='slides/slide3.xml'/></Relationships>",
            ),
            (
                "ppt/slides/slide1.xml",
                "<p:sld><p:sp><p:nvPr><p:ph type='sldNum'/></p:nvPr><a:p><a:r><a:t>1</a:t></a:r></a:p></p:sp><p:sp><a:p><a:r><a:t>Last</a:t></a:r></a:p></p:sp></p:sld>",
            ),
            (
                "ppt/slides/slide2.xml",
                "<p:sld><p:sp><a:p><a:r><a:t>First</a:t></a:r><a:br/><a:r><a:t>line</a:t></a:r></a:p></p:sp></p:sld>",
            ),
            (
                "ppt/slides/slide3.xml",
                "<p:sld show='0'><p:sp><a:p><a:r><a:t>hidden</a:t></a:r></a:p></p:sp></p:sld>",
            ),
        ],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "First|line|Last",
    );
}

#[test]
fn faults_of_archives_have_their_reasons() {
    let reason =
        |bytes: &[u8]| extract(bytes, &Hints::default(), &Limits::default()).unwrap_err().reason();
    let document: &[(&str, &[u8])] =
        &[("word/document.xml", b"<w:document><w:t>x</w:t></w:document>")];
    let good = zip(document, false);
    assert_eq!(reason(&zip(&[("a.txt", b"x")], false)), Reason::UnsupportedMedia);
    // The directory is gone: the names of what is left tell the kind.
    assert_eq!(reason(&good[..good.len() - 30]), Reason::Damaged);
    let mut wrong = good.clone();
    let at = memchr::memmem::find(&wrong, b"<w:t>x").unwrap();
    wrong[at + 5] = b'y';
    assert_eq!(reason(&wrong), Reason::Damaged);
    let mut encrypted = good.clone();
    let entry = memchr::memmem::find(&encrypted, b"PK\x01\x02").unwrap();
    encrypted[entry + 8] |= 1;
    assert_eq!(reason(&encrypted), Reason::Encrypted);
    let bomb = vec![b' '; 64 << 20];
    assert_eq!(reason(&zip(&[("word/document.xml", &bomb)], true)), Reason::ExpansionLimit);
    let cipher = "<encryption><CipherReference URI='OPS/a.xhtml'/></encryption>";
    let locked = zip(
        &[
            (CONTAINER.0, CONTAINER.1.as_bytes()),
            ("OPS/book.opf", b"<package><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/><itemref idref='a'/></package>"),
            ("META-INF/encryption.xml", cipher.as_bytes()),
        ],
        false,
    );
    assert_eq!(reason(&locked), Reason::Encrypted);
}

#[test]
fn readings_above_words_are_out() {
    check(
        &[(
            "word/document.xml",
            "<w:document><w:body><w:p><w:r><w:t>漢</w:t></w:r><w:r><w:ruby><w:rt><w:r><w:t>じ</w:t></w:r></w:rt>\
             <w:rubyBase><w:r><w:t>字</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p></w:body></w:document>",
        )],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "漢字",
    );
    check(
        &[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            (
                "content.xml",
                "<office:document-content><office:body><office:text><text:p>漢<text:ruby><text:ruby-base>字</text:ruby-base>\
                 <text:ruby-text>じ</text:ruby-text></text:ruby></text:p></office:text></office:body></office:document-content>",
            ),
        ],
        "application/vnd.oasis.opendocument.text",
        "漢字",
    );
}

/// What a directory says of lengths is neither room to set aside nor a place to stop.
#[test]
fn lengths_that_archives_promise_are_not_believed() {
    let content = b"<w:document><w:t>word</w:t></w:document>";
    let mut crc = flate2::Crc::new();
    crc.update(content);
    let mut encoder =
        flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    let packed = encoder.finish().unwrap();
    for length in [0, 3, u32::MAX as usize] {
        let name = "word/document.xml";
        let part =
            Part { name, packed: packed.clone(), deflated: true, length, checksum: crc.sum() };
        let found = extract(&packing::zip(&[part]), &Hints::default(), &Limits::default()).unwrap();
        assert_eq!(found.text.trim_end(), "word", "{length}");
    }
}

#[test]
fn the_limit_on_expansion_is_that_of_all_parts_together() {
    let text = "x ".repeat(300);
    let document = format!("<w:document><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:document>");
    let notes = format!("<w:footnotes><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnotes>");
    let parts: [(&str, &[u8]); 2] =
        [("word/document.xml", document.as_bytes()), ("word/footnotes.xml", notes.as_bytes())];
    let together = (document.len() + notes.len()) as u64;
    for deflate in [false, true] {
        let with = |max_expanded_bytes: u64| {
            let limits = Limits { max_expanded_bytes, ..Limits::default() };
            extract(&zip(&parts, deflate), &Hints::default(), &limits).map(|_| ())
        };
        assert_eq!(with(together), Ok(()));
        assert_eq!(with(together - 1).unwrap_err().reason(), Reason::ExpansionLimit);
    }
}

#[test]
fn paths_resolve_inside_the_archive() {
    for (base, reference, path) in [
        ("OPS/a.opf", "b.xhtml", "OPS/b.xhtml"),
        ("a.opf", "b%20c.xhtml#d", "b c.xhtml"),
        ("x/y/a.opf", "../../../b", "b"),
        ("x/a.opf", "/b/./c", "b/c"),
        ("x/a.opf", "100%", "x/100%"),
    ] {
        assert_eq!(resolve(base, reference), path);
    }
}
