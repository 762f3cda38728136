"""Writes the golden cases that are archives or compressed: `python3 make_containers.py cases`.

The contents stand here as text; what it writes is checked in. Needs the `zstd` command.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import subprocess
import sys
import zipfile
from pathlib import Path

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
DRAW = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
PAGE = "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"

STRICT = "http://purl.oclc.org/ooxml"
MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"

LETTER = "The ferry leaves at noon.\nWhoever is late waits for the next one.\n"


def content_types(part: str, kind: str) -> str:
    """The part that says what the document is."""
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Override PartName="{part}" ContentType="application/vnd.openxmlformats-officedocument.{kind}.main+xml"/></Types>'
    )


def relations(targets: dict[str, str], kinds: str = RELATIONS) -> str:
    """Which parts belong to a part: `{id: path}`, each of the kind that its file name begins with; a document is the main part."""
    rows = "".join(
        f'<Relationship Id="{name}" Type="{kinds}/{kind(path)}" Target="{path}"/>' for name, path in targets.items()
    )
    return f'<Relationships xmlns="{PACKAGE}">{rows}</Relationships>'


def kind(path: str) -> str:
    """What a part is to the one that it belongs to."""
    name = Path(path).stem.rstrip("0123456789")
    return "officeDocument" if name in ("document", "presentation") else name


def slide(*texts: str) -> str:
    """A slide of boxes."""
    boxes = "".join(f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>" for text in texts)
    return f'<p:sld xmlns:p="{SLIDES}" xmlns:a="{DRAWING}"><p:cSld><p:spTree>{boxes}</p:spTree></p:cSld></p:sld>'


EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="o/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    "o/book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>'
    '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    '<item id="two" href="b.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="one" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="one"/><itemref idref="two"/></spine></package>',
    "o/nav.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol><li>One</li></ol></nav></body></html>',
    "o/a.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><h1>One</h1>'
    "<p>The <i>first</i> chap&#xAD;ter.</p></body></html>",
    "o/b.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Two</h1><p>漢<ruby>字<rt>じ</rt></ruby></p></body></html>',
}
DOCX = {
    "[Content_Types].xml": content_types("/word/document.xml", "wordprocessingml.document"),
    "word/_rels/document.xml.rels": relations({"r1": "footnotes.xml"}),
    "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>Pay</w:t></w:r><w:r><w:t>ment</w:t></w:r>'
    '<w:r><w:t xml:space="preserve"> within </w:t></w:r><w:del><w:r><w:delText>ten</w:delText></w:r></w:del>'
    '<w:ins><w:r><w:t>thirty</w:t></w:r></w:ins><w:r><w:t> days.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    "<w:p><w:r><w:instrText>PAGE</w:instrText></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>Sum</w:t></w:r></w:p></w:tc>"
    "<w:tc><w:p><w:r><w:t>Rate</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>",
    "word/footnotes.xml": f'<w:footnotes xmlns:w="{WORD}"><w:footnote w:id="2"><w:p><w:r><w:t>Counted from receipt.</w:t></w:r></w:p>'
    "</w:footnote></w:footnotes>",
}
PPTX = {
    "[Content_Types].xml": content_types("/ppt/presentation.xml", "presentationml.presentation"),
    "ppt/_rels/presentation.xml.rels": relations({"r1": "slides/slide9.xml", "r2": "slides/slide3.xml"}),
    "ppt/presentation.xml": f'<p:presentation xmlns:p="{SLIDES}" xmlns:r="{RELATIONS}"><p:sldIdLst>'
    '<p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r2"/></p:sldIdLst></p:presentation>',
    "ppt/slides/slide9.xml": slide("Tides", "High water comes twice a day."),
    "ppt/slides/slide3.xml": slide("Questions", "When is it low?"),
}
# The vocabulary of ISO 29500 strict, other names of parts, and what an earlier revision left behind.
DOCX_STRICT = {
    "[Content_Types].xml": content_types("/word/document2.xml", "wordprocessingml.document"),
    "_rels/.rels": relations(
        {"r1": "docProps/app.xml", "r2": "word/document2.xml"}, f"{STRICT}/officeDocument/relationships"
    ),
    "word/_rels/document2.xml.rels": relations({"r1": "endnotes7.xml"}, f"{STRICT}/officeDocument/relationships"),
    "word/document2.xml": f'<w:document xmlns:w="{STRICT}/wordprocessingml/main" w:conformance="strict"><w:body><w:p><w:r>'
    '<w:t>The bridge is closed at night.</w:t></w:r><w:r><w:endnoteReference w:id="2"/></w:r></w:p>'
    '<w:p><w:r><w:rPr><w:vanish w:val="true"/></w:rPr><w:t>hidden</w:t></w:r></w:p></w:body></w:document>',
    "word/endnotes7.xml": f'<w:endnotes xmlns:w="{STRICT}/wordprocessingml/main"><w:endnote w:id="2"><w:p><w:r><w:t>From ten to six.</w:t></w:r>'
    "</w:p></w:endnote></w:endnotes>",
    "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>Draft</w:t></w:r></w:p></w:body></w:document>',
}
# A show (ppsm), whose presentation and slides lie elsewhere.
PPTX_SHOW = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/p/presentation1.xml"'
    ' ContentType="application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml"/></Types>',
    "_rels/.rels": relations({"r1": "/p/presentation1.xml"}),
    "p/_rels/presentation1.xml.rels": relations({"r1": "../s/slide1.xml", "r2": "/s/slide2.xml"}),
    "p/presentation1.xml": f'<p:presentation xmlns:p="{SLIDES}" xmlns:d3="{RELATIONS}"><p:sldIdLst>'
    '<p:sldId id="300" d3:id="r2"/><p:sldId id="301" d3:id="r1"/></p:sldIdLst></p:presentation>',
    "s/slide1.xml": slide("Thanks"),
    "s/slide2.xml": slide("Ebb and flow", "The moon pulls."),
}
ODT = {
    "mimetype": "application/vnd.oasis.opendocument.text",
    "content.xml": f'<office:document-content xmlns:office="{OFFICE}" xmlns:text="{TEXT}"><office:body><office:text>'
    "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region>"
    "</text:tracked-changes><text:h>Rules</text:h><text:p>No<text:span>body</text:span><text:s/>swims"
    "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Dogs may.</text:p></text:note-body></text:note>"
    " alone.<office:annotation><text:p>Check this.</text:p></office:annotation></text:p></office:text></office:body>"
    "</office:document-content>",
    "meta.xml": "<m>Title of the file</m>",
}
# Packed anew by a program that left its first file out.
ODT_PACKED = {
    "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{MANIFEST}"><manifest:file-entry manifest:full-path="/"'
    ' manifest:media-type="application/vnd.oasis.opendocument.text"/></manifest:manifest>',
    "content.xml": f'<office:document-content xmlns:office="{OFFICE}" xmlns:text="{TEXT}"><office:body><office:text>'
    "<text:h>Tolls</text:h><text:p>Carts pay twice.</text:p></office:text></office:body></office:document-content>",
}
ODP = {
    "mimetype": "application/vnd.oasis.opendocument.presentation",
    "content.xml": f'<office:document-content xmlns:office="{OFFICE}" xmlns:text="{TEXT}" xmlns:draw="{DRAW}" xmlns:presentation="{PAGE}">'
    "<office:body><office:presentation><draw:page><draw:frame><draw:text-box><text:p>Harbour lights</text:p></draw:text-box></draw:frame>"
    "<draw:frame><draw:text-box><text:list><text:list-item><text:p>Red to port</text:p></text:list-item><text:list-item>"
    "<text:p>Green to starboard</text:p></text:list-item></text:list></draw:text-box></draw:frame></draw:page>"
    "</office:presentation></office:body></office:document-content>",
}


def archive(path: Path, parts: dict[str, str]) -> None:
    """A ZIP archive whose bytes depend on the parts alone."""
    with zipfile.ZipFile(path, "w") as out:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            out.writestr(entry, content)


def main() -> None:
    folder = Path(sys.argv[1])
    archives = {
        "epub": EPUB,
        "docx": DOCX,
        "docx-strict": DOCX_STRICT,
        "pptx": PPTX,
        "pptx-show": PPTX_SHOW,
        "odt": ODT,
        "odt-packed": ODT_PACKED,
        "odp": ODP,
    }
    for name, parts in archives.items():
        archive(folder / f"{name}.input", parts)
    letter = LETTER.encode()
    (folder / "plain-gz.input").write_bytes(gzip.compress(letter, mtime=0))
    (folder / "plain-bz2.input").write_bytes(bz2.compress(letter))
    (folder / "plain-xz.input").write_bytes(lzma.compress(letter))
    packed = subprocess.run(["zstd", "--stdout", "-"], input=letter, capture_output=True, check=True).stdout
    (folder / "plain-zst.input").write_bytes(packed)


if __name__ == "__main__":
    main()
