#!/usr/bin/env python3
"""Writes the packages of the corpus of extraction profile 1: `build.py`, or `build.py --check`.

Packages are zip files, which nobody can review; here are their parts. In all documents of `pages/` the words that are not
text begin with `zz`. The other files of `pages/` are written by hand. `reference/extraction_corpus.py` writes the tokens.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

PAGES = Path(__file__).resolve().parent / "pages"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SLIDE = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="{RELATIONS}"'
)
SHEET = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{RELATIONS}"'
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
ODF = " ".join(
    f'xmlns:{prefix}="{OFFICE}{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "presentation": "presentation",
        "svg": "svg-compatible",
    }.items()
)
TYPES = {
    "docx": ("word/document.xml", "wordprocessingml.document.main"),
    "pptx": ("ppt/presentation.xml", "presentationml.presentation.main"),
    "xlsx": ("xl/workbook.xml", "spreadsheetml.sheet.main"),
}


def relations(*rows: tuple[str, str, str]) -> str:
    listed = "".join(f'<Relationship Id="{i}" Type="{RELATIONS}/{kind}" Target="{part}"/>' for i, kind, part in rows)
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{listed}</Relationships>'


def ooxml(kind: str, parts: dict[str, str]) -> dict[str, str]:
    main, content_type = TYPES[kind]
    return {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/><Override PartName="/{main}" '
        f'ContentType="application/vnd.openxmlformats-officedocument.{content_type}+xml"/></Types>',
        "_rels/.rels": relations(("r1", "officeDocument", main)),
        **parts,
    }


def document() -> dict[str, str]:
    def run(text: str, properties: str = "") -> str:
        return f'<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'

    body = [
        f"<w:p>{run('Rules of the ')}{run('light')}{run('house')}</w:p>",
        f"<w:p>{run('The keeper rises at four,')}<w:r><w:tab/></w:r>{run('and trims the wick.')}"
        '<w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
        f"<w:p><w:ins>{run('Inserted words are text.')}</w:ins><w:del><w:r><w:delText>zzdeleted</w:delText></w:r>"
        f"{run('zzdeleted')}</w:del><w:moveFrom>{run('zzmoved')}</w:moveFrom></w:p>",
        f"<w:p>{run('zzhidden', '<w:rPr><w:vanish/></w:rPr>')}{run('Shown again.', '<w:rPr><w:vanish w:val=&quot;0&quot;/></w:rPr>'.replace('&quot;', chr(34)))}</w:p>",
        "<w:p><w:r><w:instrText>zzfield</w:instrText></w:r><w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r>"
        "<w:r><w:t>lee</w:t><w:noBreakHyphen/><w:t>side</w:t></w:r></w:p>",
        f"<w:tbl><w:tr><w:tc><w:p>{run('hour')}</w:p></w:tc><w:tc><w:p>{run('wind')}</w:p></w:tc></w:tr></w:tbl>",
        '<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice><w:txbxContent><w:p>{run('A box of text.')}</w:p></w:txbxContent></mc:Choice>"
        f"<mc:Fallback><w:txbxContent><w:p>{run('zzfallback')}</w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>",
        f"<w:p>{run('The last rule is to write everything down before the day begins, and to sign it.')}</w:p>",
    ]
    notes = f'<w:footnote w:id="2"><w:p>{run("With the small scissors.")}</w:p></w:footnote>'
    return ooxml(
        "docx",
        {
            "word/document.xml": f"{HEAD}<w:document {WORD}><w:body>{''.join(body)}</w:body></w:document>",
            "word/footnotes.xml": f"{HEAD}<w:footnotes {WORD}>{notes}</w:footnotes>",
            "word/header1.xml": f"{HEAD}<w:hdr {WORD}><w:p>{run('zzrunning zzhead')}</w:p></w:hdr>",
            "word/comments.xml": f"{HEAD}<w:comments {WORD}><w:comment><w:p>{run('zzcomment')}</w:p></w:comment></w:comments>",
            "word/_rels/document.xml.rels": relations(
                ("r1", "footnotes", "footnotes.xml"),
                ("r2", "header", "header1.xml"),
                ("r3", "comments", "comments.xml"),
            ),
        },
    )


def presentation() -> dict[str, str]:
    def slide(*shapes: tuple[str, str], show: str = "") -> str:
        listed = "".join(
            f"<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
            for place, text in shapes
        )
        return f"{HEAD}<p:sld {SLIDE}{show}><p:cSld><p:spTree>{listed}</p:spTree></p:cSld></p:sld>"

    return ooxml(
        "pptx",
        {
            "ppt/presentation.xml": f"{HEAD}<p:presentation {SLIDE}><p:sldIdLst>"
            + "".join(f'<p:sldId id="{n}" r:id="r{n}"/>' for n in (2, 1, 3))
            + "</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(
                *((f"r{n}", "slide", f"slides/slide{n}.xml") for n in (1, 2, 3))
            ),
            "ppt/slides/slide1.xml": slide(
                ("", "The second slide shows how the lamp is taken apart and cleaned in spring"),
                ('<p:ph type="ftr"/>', "zzfoot"),
                ('<p:ph type="sldNum"/>', "zznumber"),
                ('<p:ph type="body"/>', "It takes one day"),
            ),
            "ppt/slides/slide2.xml": slide(
                ('<p:ph type="title"/>', "The lamp in spring"),
                ("", "A talk for new keepers of the north shore, with exercises"),
            ),
            "ppt/slides/slide3.xml": slide(("", "zzhidden zzslide"), show=' show="0"'),
            "ppt/slides/_rels/slide1.xml.rels": relations(("r1", "notesSlide", "../notesSlides/notesSlide1.xml")),
            "ppt/notesSlides/notesSlide1.xml": f"{HEAD}<p:notes {SLIDE}><p:cSld><a:p><a:r><a:t>zznotes</a:t></a:r></a:p></p:cSld></p:notes>",
        },
    )


def workbook() -> dict[str, str]:
    strings = [
        "<t>Ship</t>",
        "<t>Harbour</t>",
        "<r><t>Mar</t></r><r><t>ten</t></r><rPh><t>zzreading</t></rPh>",
        "<t>Marshport</t>",
        "<t>zzhidden</t>",
    ]
    long = "The list counts the ships that were seen from the tower in one winter, by their harbours and the days of their return"
    rows = [
        '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>',
        '<row><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c><f>zzformula</f><v>1847</v></c><c t="b"><v>1</v></c></row>',
        f'<row><c t="inlineStr"><is><t>{long}</t></is></c><c t="str"><f>zzf</f><v>counted</v></c></row>',
    ]
    return ooxml(
        "xlsx",
        {
            "xl/workbook.xml": f'{HEAD}<workbook {SHEET}><sheets><sheet name="zzname" sheetId="1" r:id="r1"/>'
            '<sheet name="zzother" sheetId="2" state="hidden" r:id="r2"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                ("r1", "worksheet", "worksheets/sheet1.xml"),
                ("r2", "worksheet", "worksheets/sheet2.xml"),
                ("r3", "sharedStrings", "sharedStrings.xml"),
            ),
            "xl/sharedStrings.xml": f"{HEAD}<sst {SHEET}>" + "".join(f"<si>{s}</si>" for s in strings) + "</sst>",
            "xl/worksheets/sheet1.xml": f"{HEAD}<worksheet {SHEET}><sheetData>{''.join(rows)}</sheetData></worksheet>",
            "xl/worksheets/sheet2.xml": f'{HEAD}<worksheet {SHEET}><sheetData><row><c t="s"><v>4</v></c></row></sheetData></worksheet>',
        },
    )


def opendocument() -> dict[str, str]:
    body = (
        "<text:tracked-changes><text:p>zzdeleted</text:p></text:tracked-changes>"
        "<text:h>The boats of the bay</text:h><text:p>Each boat has a na<text:span>me</text:span>, a"
        "<text:s/>number and<text:tab/>a colour<text:line-break/>of its own.<office:annotation><text:p>zzcomment</text:p></office:annotation>"
        "<text:note><text:note-citation>zz1</text:note-citation><text:note-body><text:p>Painted in spring.</text:p></text:note-body></text:note></text:p>"
        "<table:table><table:table-row><table:table-cell><text:p>Marten</text:p></table:table-cell><table:table-cell><text:p>green</text:p>"
        "</table:table-cell></table:table-row></table:table>"
        "<text:p><draw:frame><svg:title>zztitle</svg:title><svg:desc>zzdescription</svg:desc><draw:text-box><text:p>A box.</text:p></draw:text-box></draw:frame></text:p>"
        "<text:p>The <text:ruby><text:ruby-base>water</text:ruby-base><text:ruby-text>zzruby</text:ruby-text></text:ruby>line "
        "<text:hidden-text>zzhidden</text:hidden-text>of each is marked before it goes to sea in the first week of May.</text:p>"
    )
    return {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "META-INF/manifest.xml": f'{HEAD}<manifest:manifest xmlns:manifest="{OFFICE}manifest:1.0"/>',
        "content.xml": f"{HEAD}<office:document-content {ODF}><office:automatic-styles><text:p>zzstyle</text:p></office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>",
        "styles.xml": f"{HEAD}<office:document-styles {ODF}><text:p>zzhead</text:p></office:document-styles>",
        "meta.xml": f"{HEAD}<office:document-meta {ODF}><office:meta>zzmeta</office:meta></office:document-meta>",
    }


def slides() -> dict[str, str]:
    pages = "".join(
        f"<draw:page><draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"
        "<presentation:notes><text:p>zznotes</text:p></presentation:notes></draw:page>"
        for text in (
            "How the boats are counted from the tower in one winter",
            "One keeper counts, another writes, and both sign the page at midnight before they change",
        )
    )
    return {
        "mimetype": "application/vnd.oasis.opendocument.presentation",
        "content.xml": f"{HEAD}<office:document-content {ODF}><office:body><office:presentation>{pages}"
        "</office:presentation></office:body></office:document-content>",
    }


def book() -> dict[str, str]:
    def page(body: str) -> str:
        return f'{HEAD}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>zztitle</title></head><body>{body}</body></html>'

    items = (
        '<item id="toc" href="toc.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="css" href="zz.css" media-type="text/css"/>'
    )
    spine = '<itemref idref="toc"/><itemref idref="two"/><itemref idref="one" linear="no"/><itemref idref="two"/>'
    prose = "The tower was built of stone from the quarry behind the hill, which the town had bought for the harbour. "
    return {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f'{HEAD}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
        '<rootfile full-path="EPUB/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "EPUB/book.opf": f'{HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata>zzmetadata</metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
        "EPUB/toc.xhtml": page("<nav><ol><li>zzcontents</li></ol></nav>"),
        "EPUB/one.xhtml": page(
            f"<h1>Notes</h1><p>{prose}Its notes stand at the end of the book and are read only by clerks and by children.</p>"
            '<aside role="doc-footnote"><p>One note.</p></aside>'
        ),
        "EPUB/two.xhtml": page(
            f"<h1>The quarry</h1><p>{prose}Carts went up and down for nine years until the last stone lay on the tower.</p>"
            '<div role="doc-pagelist">zzpages</div><nav>zznav</nav>'
        ),
    }


def packed(parts: dict[str, str]) -> bytes:
    """The same bytes whenever it is run: no times, and nothing compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content.encode())
    return out.getvalue()


PACKAGES = {
    "rules.docx": document,
    "talk.pptx": presentation,
    "ships.xlsx": workbook,
    "boats.odt": opendocument,
    "count.odp": slides,
    "tower.epub": book,
}


def main() -> int:
    stale = []
    for name, parts in PACKAGES.items():
        path, content = PAGES / name, packed(parts())
        if "--check" not in sys.argv:
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            stale.append(name)
    if stale:
        print(f"spec/extraction/pages has other packages than build.py writes: {', '.join(stale)}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
