"""PDF by four producers, because each writes its text in its own way.

chromium    one font subset per face, page heads in the margin where asked for
weasyprint  HarfBuzz subsets, justified and hyphenated lines, page heads
reportlab   every line a string of its own, page heads drawn before the text
groff       two columns, hyphenated, in standard fonts that are not embedded

Dates and file identifiers are overwritten, so that the same source and the same versions
of the producers give the same bytes.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from . import web
from .source import Document

_STAMP = "20250601120000"
_EPOCH = "1748779200"
_LIMIT = 150 * 1024
_FONTS = Path("/usr/share/fonts/truetype/noto")


def _pin(data: bytes) -> bytes:
    """Overwrite dates and identifiers in place; lengths stay, so offsets stay right."""
    data = re.sub(rb"((?:CreationDate|ModDate) ?\(D:)\d{14}", lambda m: m[1] + _STAMP.encode(), data)
    return re.sub(
        rb"/ID ?\[ ?<[0-9A-Fa-f]+> ?<[0-9A-Fa-f]+> ?\]",
        lambda m: re.sub(rb"<[0-9A-Fa-f]+>", lambda h: b"<" + b"0" * (len(h[0]) - 2) + b">", m[0]),
        data,
    )


def _chromium(document, furniture):
    with tempfile.TemporaryDirectory() as folder:
        page, out = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(web.sheet(document, furniture), "utf-8")
        subprocess.run(
            [
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                f"--user-data-dir={folder}/profile",
                "--no-pdf-header-footer",
                f"--print-to-pdf={out}",
                page.as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        return out.read_bytes()


def _weasyprint(document):
    import weasyprint

    style = "body { text-align: justify; hyphens: auto }"
    page = web.sheet(document, furniture=True).replace("</style>", style + "</style>")
    return weasyprint.HTML(string=page).write_pdf(full_fonts=False)


def _reportlab(document):
    import io

    from reportlab.lib.pagesizes import A5
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    pdfmetrics.registerFont(TTFont("Text", _FONTS / "NotoSerif-Regular.ttf"))
    body = ParagraphStyle("body", fontName="Text", fontSize=10, leading=14, spaceAfter=6)
    title = ParagraphStyle("title", body, fontSize=16, leading=20)
    heading = ParagraphStyle("heading", body, fontSize=12, leading=16, spaceBefore=8)
    small = ParagraphStyle("small", body, fontSize=8.5, leading=11)
    inset = ParagraphStyle("inset", body, leftIndent=12, rightIndent=12)

    def text(string, style=body):
        return Paragraph(string.replace("&", "&amp;").replace("<", "&lt;"), style)

    flow = [text(document.title, title), text(document.head["author"], small)]
    for block in document.blocks:
        if block.kind == "heading":
            flow.append(text(block.text, heading))
        elif block.kind == "quote":
            flow += [text(block.text, inset), text(block.by, inset)]
        elif block.kind == "list":
            flow += [text("• " + item, inset) for item in block.items]
        elif block.kind == "references":
            flow += [text(f"[{n}] {item}", small) for n, item in enumerate(block.items, 1)]
        elif block.kind == "table":
            flow += [
                text(block.text, small),
                Table(
                    [[text(cell, small) for cell in row] for row in block.items],
                    style=[("LINEBELOW", (0, 0), (-1, -1), 0.3, "grey"), ("VALIGN", (0, 0), (-1, -1), "TOP")],
                ),
            ]
        elif block.kind == "figure":
            flow += [Spacer(0, 20 * mm), text(block.text, small)]
        else:
            flow.append(text(block.text))

    def furniture(canvas, layout):
        canvas.setFont("Text", 8)
        canvas.drawString(15 * mm, 200 * mm, document.title)
        canvas.drawRightString(133 * mm, 10 * mm, str(layout.page))

    out = io.BytesIO()
    SimpleDocTemplate(
        out,
        pagesize=A5,
        margin=15 * mm,
        leftMargin=15 * mm,
        rightMargin=15 * mm,
        topMargin=16 * mm,
        bottomMargin=16 * mm,
        title=document.title,
        author=document.head["author"],
        invariant=1,
    ).build(flow, onFirstPage=furniture, onLaterPages=furniture)
    return out.getvalue()


def _groff(document):
    def line(text):
        text = text.replace("\\", "\\e").replace("—", "\\[em]")
        return "\\&" + text if text[:1] in ".'" else text

    out = [
        ".nr PS 10",
        ".nr VS 12p",
        ".nr LL 16c",
        ".nr PO 2.5c",
        ".ds CH Lantern Quarterly \\[em] \\\\n[PN]",
        ".TL",
        line(document.title),
        ".AU",
        line(document.head["author"]),
        ".2C",
    ]
    for block in document.blocks:
        if block.kind == "heading":
            out += [".SH", line(block.text)]
        elif block.kind == "quote":
            out += [".QP", line(block.text), ".br", line(block.by)]
        elif block.kind == "list":
            out += [part for item in block.items for part in (".IP \\[bu] 2", line(item))]
        elif block.kind == "references":
            out += [part for n, item in enumerate(block.items, 1) for part in (f".IP [{n}] 4", line(item))]
        elif block.kind == "table":
            columns = " ".join(["lw(2.4c)"] * len(block.items[0]))
            rows = ["\t".join(f"T{{\n{cell}\nT}}" for cell in row) for row in block.items]
            out += [".LP", line(block.text), ".TS", "tab(\t);", columns + ".", *rows, ".TE"]
        elif block.kind == "figure":
            out += [".LP", ".sp 2c", line(block.text)]
        else:
            out += [".PP", line(block.text)]
    environment = dict(os.environ, SOURCE_DATE_EPOCH=_EPOCH, TZ="UTC")
    return subprocess.run(
        ["groff", "-k", "-t", "-ms", "-Tpdf"],
        input="\n".join(out).encode() + b"\n",
        check=True,
        capture_output=True,
        env=environment,
    ).stdout


def render(document: Document, producer: str) -> bytes:
    """The document as PDF by `producer`: chromium, chromium-furniture, weasyprint, reportlab, groff."""
    os.environ["SOURCE_DATE_EPOCH"] = _EPOCH
    if producer in ("chromium", "chromium-furniture"):
        data = _chromium(document, producer == "chromium-furniture")
    else:
        data = {"weasyprint": _weasyprint, "reportlab": _reportlab, "groff": _groff}[producer](document)
    data = _pin(data)
    if not data.startswith(b"%PDF-") or len(data) > _LIMIT:
        raise ValueError(f"{document.name}: {producer} wrote {len(data)} bytes, wanted a PDF of at most {_LIMIT}")
    return data
