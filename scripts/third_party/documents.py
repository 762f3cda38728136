"""Office documents as others write them: python-docx, python-pptx and odfpy write, nearprint reads every word and no other.

Each is written once more with other names of parts, in strict Office Open XML, as another kind, and without what says what it is; and PDF
is encrypted by pikepdf.

.venv/bin/python scripts/third_party/documents.py target/debug/nearprint
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pikepdf
import pptx
from odf import draw, office, presentation, style, table, text
from odf.opendocument import OpenDocumentPresentation, OpenDocumentText
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

PDF = Path(__file__).resolve().parents[2] / "crates/nearprint-extract/tests/cases/pdf-one-page.input"
WORDS = {
    "docx": "Harbour rules Nobody swims alone First point tab bed below A1 B1 Merged after Größe 数字 мир",
    "pptx": "Last first Tides High and low One Two Three A1 B1 Grouped box below",
    "odt": "Harbour rules Nobody swims alone below Dogs may. after First point A1 B1 target Boxed words",
    "odp": "Tides High and low Questions When is it low?",
}


def write_docx(path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "Metadata"
    document.add_heading("Harbour rules", 0)
    paragraph = document.add_paragraph("No")
    paragraph.add_run("body").bold = True
    paragraph.add_run(" swims alone")
    document.add_comment(paragraph.runs, text="a remark", author="somebody")
    document.add_paragraph("First point", style="List Bullet")
    run = document.add_paragraph().add_run("tab")
    run.add_tab()
    run.add_text("bed")
    run.add_break()
    run.add_text("below")
    document.add_paragraph().add_run("hidden").font.hidden = True
    cells = document.add_table(rows=2, cols=2)
    cells.cell(0, 0).text, cells.cell(0, 1).text = "A1", "B1"
    cells.cell(1, 0).merge(cells.cell(1, 1)).text = "Merged"
    document.sections[0].header.paragraphs[0].text = "Running head"
    document.sections[0].footer.paragraphs[0].text = "Foot"
    document.add_page_break()
    document.add_paragraph("after Größe 数字 мир")
    document.save(path)


def write_pptx(path: Path) -> None:
    show = pptx.Presentation()
    blank = show.slide_layouts[6]
    slide = show.slides.add_slide(show.slide_layouts[0])
    slide.shapes.title.text, slide.placeholders[1].text = "Tides", "High and low"
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.placeholders[1].text_frame.text = "One"
    point = slide.placeholders[1].text_frame.add_paragraph()
    point.text, point.level = "Two", 1
    point = slide.placeholders[1].text_frame.add_paragraph()
    point.add_run().text = "Th"
    point.add_run().text = "ree"
    slide.notes_slide.notes_text_frame.text = "spoken"
    slide = show.slides.add_slide(blank)
    cells = slide.shapes.add_table(1, 2, 0, 0, 914_400, 914_400).table
    cells.cell(0, 0).text, cells.cell(0, 1).text = "A1", "B1"
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 914_400, 914_400).text_frame.text = "Grouped box\vbelow"
    chart = CategoryChartData()
    chart.categories = ["East"]
    chart.add_series("Sales", (1,))
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 914_400, 914_400, chart)
    slide = show.slides.add_slide(blank)
    slide.shapes.add_textbox(0, 0, 914_400, 914_400).text_frame.text = "hidden"
    slide._element.set("show", "0")
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Last first"
    order = show.slides._sldIdLst
    order.insert(0, order[-1])
    show.save(path)


def framed(*paragraphs: str) -> draw.Frame:
    frame, box = draw.Frame(width="1cm", height="1cm"), draw.TextBox()
    for words in paragraphs:
        box.addElement(text.P(text=words))
    frame.addElement(box)
    return frame


def write_odt(path: Path) -> None:
    document = OpenDocumentText()
    document.text.addElement(text.H(outlinelevel=1, text="Harbour rules"))
    paragraph = text.P(text="No")
    paragraph.addElement(text.Span(text="body"))
    paragraph.addText(" swims")
    paragraph.addElement(text.S(c=2))
    paragraph.addText("alone")
    paragraph.addElement(text.LineBreak())
    paragraph.addText("below")
    note, body = text.Note(noteclass="footnote"), text.NoteBody()
    note.addElement(text.NoteCitation(text="1"))
    body.addElement(text.P(text="Dogs may."))
    note.addElement(body)
    paragraph.addElement(note)
    paragraph.addText(" after")
    remark = office.Annotation()
    remark.addElement(text.P(text="a remark"))
    paragraph.addElement(remark)
    document.text.addElement(paragraph)
    items, item = text.List(), text.ListItem()
    item.addElement(text.P(text="First point"))
    items.addElement(item)
    document.text.addElement(items)
    cells, row = table.Table(), table.TableRow()
    cells.addElement(table.TableColumn(numbercolumnsrepeated=2))
    for words in ("A1", "B1"):
        cell = table.TableCell()
        cell.addElement(text.P(text=words))
        row.addElement(cell)
    cells.addElement(row)
    document.text.addElement(cells)
    link = text.P()
    link.addElement(text.A(href="http://example.org", text="target"))
    document.text.addElement(link)
    paragraph = text.P()
    paragraph.addElement(framed("Boxed words"))
    document.text.addElement(paragraph)
    document.save(str(path))


def write_odp(path: Path) -> None:
    show = OpenDocumentPresentation()
    layout = style.PageLayout(name="layout")
    show.automaticstyles.addElement(layout)
    master = style.MasterPage(name="master", pagelayoutname=layout)
    show.masterstyles.addElement(master)
    for title, words in (("Tides", "High and low"), ("Questions", "When is it low?")):
        page, notes = draw.Page(masterpagename=master, name=title), presentation.Notes()
        page.addElement(framed(title))
        page.addElement(framed(words))
        notes.addElement(framed("spoken"))
        page.addElement(notes)
        show.presentation.addElement(page)
    show.save(str(path))


Change = Callable[[str, bytes], tuple[str, bytes] | None]


def packed_anew(path: Path, name: str, change: Change) -> Path:
    """The same package with each part changed, or left out."""
    other = path.with_name(name)
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as out:
        for part in source.namelist():
            if changed := change(part, source.read(part)):
                out.writestr(*changed)
    return other


def renamed(main: str) -> Change:
    old, new = f"{main}.xml", f"{main}7.xml"

    def change(part: str, content: bytes) -> tuple[str, bytes]:
        if part in ("[Content_Types].xml", "_rels/.rels"):
            content = content.replace(old.encode(), new.encode())
        return part.replace(f"/{old}", f"/{new}"), content

    return change


def strict(part: str, content: bytes) -> tuple[str, bytes]:
    for vocabulary in ("officeDocument", "wordprocessingml", "presentationml", "drawingml"):
        transitional = f"http://schemas.openxmlformats.org/{vocabulary}/2006".encode()
        content = content.replace(transitional, f"http://purl.oclc.org/ooxml/{vocabulary}".encode())
    return part, content


def with_macros(part: str, content: bytes) -> tuple[str, bytes]:
    for kind, macros in (
        (b"openxmlformats-officedocument.wordprocessingml.document.main", b"ms-word.document.macroEnabled.main"),
        (b"presentationml.presentation.main", b"presentationml.slideshow.main"),
    ):
        content = content.replace(kind, macros) if part == "[Content_Types].xml" else content
    return part, content


def without(*names: str) -> Change:
    return lambda part, content: None if part in names else (part, content)


class ThirdParty:
    def __init__(self, nearprint: str, folder: str) -> None:
        self.nearprint = nearprint
        self.folder = Path(folder)
        self.checks = 0

    def read(self, path: Path, *options: str) -> str:
        done = subprocess.run([self.nearprint, "extract", *options, path], capture_output=True, check=False)
        return " ".join((done.stdout or done.stderr).decode().split())

    def same(self, name: str, found: str, wanted: str) -> None:
        assert found == wanted, f"{name}: {found} is not {wanted}"
        self.checks += 1

    def office(self) -> None:
        for form, write in {"docx": write_docx, "pptx": write_pptx, "odt": write_odt, "odp": write_odp}.items():
            path = self.folder / f"a.{form}"
            write(path)
            paths = [path]
            if form in ("docx", "pptx"):
                other = packed_anew(path, f"renamed.{form}", renamed("document" if form == "docx" else "presentation"))
                paths += [
                    other,
                    packed_anew(other, f"strict.{form}", strict),
                    packed_anew(other, f"macros.{form}", with_macros),
                    packed_anew(path, f"untyped.{form}", without("[Content_Types].xml")),
                ]
            else:
                paths.append(packed_anew(path, f"untyped.{form}", without("mimetype")))
                paths.append(packed_anew(path, f"bare.{form}", without("mimetype", "META-INF/manifest.xml")))
            for path in paths:
                self.same(path.name, self.read(path), WORDS[form])

    def passwords(self) -> None:
        plain = self.read(PDF)
        for name, how in {
            "rc4": {"R": 3, "aes": False, "metadata": False},
            "aes-128": {"R": 4},
            "aes-256": {"R": 6},
        }.items():
            for password in ("", "lantern"):
                path = self.folder / f"{name}-{password}.pdf"
                with pikepdf.open(PDF) as document:
                    document.save(path, encryption=pikepdf.Encryption(user=password, owner="owner", **how))
                self.same(path.name, self.read(path, "--read", "password=lantern"), plain)
                self.same(path.name, str(self.read(path) == plain), str(not password))
                self.same(path.name, str(self.read(path, "--read", "password=candle") == plain), str(not password))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        tools = ThirdParty(sys.argv[1], folder)
        tools.office()
        tools.passwords()
    print(f"{tools.checks} readings of documents agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
