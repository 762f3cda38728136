"""Named cases of hostile and broken input, at sizes of up to 20 MiB: `hostile_cases.py PROGRAM` reads each as a user would.

They are the cases that were found first, which took seconds or gigabytes, or came out as something else than they are.
Each is read by `nearprint fingerprint FILE`, and what the command and its workers took is measured: processor time of all
of them, memory of the largest. A table says what each came to. Exit status 1 where one takes more than 20 s or 512 MiB
beyond its size, or comes out differently than stated here.

`--huge` adds a line of 100 GB, as a sparse file, which takes minutes. Files of DIRECTORY (`--office`) are documents of
old office programs that a user has: each must be refused by name.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import random
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hostile_pdf import TEXT, Writer, stream

ROOT = Path(__file__).resolve().parent.parent
MIB = 1 << 20
SECONDS, BEYOND = 20.0, 512 * MIB
LONGEST = 1024 * MIB  # the default of --limit input-bytes
WORDS = "Fog came in at noon and stayed until the bells rang twice across the grey harbour before the ferry left."
LONG = 20_000_000  # bytes of the longest documents
NOISE = random.Random(17).randbytes(669_000)


@dataclass(frozen=True)
class Case:
    """A file, and what it must come to: a reason, or a range of tokens."""

    name: str
    data: bytes | Callable[[Path], None]  # the file, or what makes it
    outcome: str | tuple[int, int]
    ending: str = ""
    status: int = 1  # exit code, where the outcome is a reason
    options: tuple[str, ...] = ()


def repeated(before: str, token: str, after: str, size: int) -> bytes:
    """A token as often as a size takes it, with words around it."""
    return (before + token * (size // len(token.encode())) + after).encode()


def entities(size: int) -> bytes:
    """A document type that declares many entities."""
    declared, length = [], 0
    while length < size:
        declared.append(f'<!ENTITY e{len(declared)} "x">')
        length += len(declared[-1])
    return f"<!DOCTYPE a [{''.join(declared)}]><a>{WORDS}</a>".encode()


def widths(last: int) -> bytes:
    """A font of which one entry is the width of many glyphs."""
    font = f"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[0 {last} 500]>>]>>"
    return Writer("BT /F 9 Tf <00010002> Tj ET", font).file()


def long_glyph() -> bytes:
    """A glyph that stands for 50,000 letters, shown 20,000 times."""
    font = "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A>>]>>"
    writer = Writer(f"BT /F 9 Tf {'<0001> Tj 0 -9 Td ' * 20_000} ET", font)
    writer.add(
        stream(
            f"1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfchar <0001> <{'0041' * 50_000}> endbfchar"
        )
    )
    return writer.file()


def forms(levels: int, times: int) -> bytes:
    """Drawings that draw others."""
    writer = Writer("/X6 Do", resources="/XObject<</X6 6 0 R>>")
    for level in range(6, 6 + levels):
        inner = f"/X{level + 1} Do " * times if level < 5 + levels else TEXT
        entries = f"/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>/XObject<</X{level + 1} {level + 1} 0 R>>>>"
        writer.add(stream(inner, entries))
    return writer.file()


def contents(count: int) -> bytes:
    """A page whose content is in very many parts."""
    writer = Writer()
    writer.bodies[2] = writer.bodies[2].replace(b"/Contents 4 0 R", b"/Contents[" + b"4 0 R " * count + b"]")
    return writer.file()


def only_attachments() -> bytes:
    """A file of which nothing but attachments is encrypted."""
    strings = f"/O<{'5a' * 32}>/U<{'5a' * 32}>/P -4"
    filters = "/CF<</StdCF<</AuthEvent/EFOpen/CFM/AESV2/Length 16>>>>/EFF/StdCF/StmF/Identity/StrF/Identity"
    encrypted = f"<</Filter/Standard/V 4/R 4/Length 128{filters}{strings}>>"
    return Writer(f"BT /F 9 Tf ({WORDS}) Tj ET").file(f"/ID[<00><00>]/Encrypt {encrypted}")


def sparse(path: Path, size: int, begin: bytes, end: bytes) -> None:
    with path.open("wb") as file:
        file.write(begin)
        file.seek(size - len(end))
        file.write(end)


def package(kind: str, words: int, more: int = 0, method: int = zipfile.ZIP_STORED) -> bytes:
    """A document of some words, and so many members besides."""
    text = " ".join(f"word{number}" for number in range(words))
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="{main}"/></Types>'
    root = f'<Relationships xmlns="{relations}"><Relationship Id="r" Type="{office}" Target="word/document.xml"/></Relationships>'
    open_office = "urn:oasis:names:tc:opendocument:xmlns"
    body = f'<office:document-content xmlns:office="{open_office}:office:1.0" xmlns:text="{open_office}:text:1.0"><office:body><office:text><text:p>{text}</text:p></office:text></office:body></office:document-content>'
    container = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    book = '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    page = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>{text}</p></body></html>'
    parts = {
        "docx": {
            "[Content_Types].xml": types,
            "_rels/.rels": root,
            "word/document.xml": f'<w:document xmlns:w="{word}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>',
        },
        "odt": {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": body},
        "epub": {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "a.opf": book,
            "a.xhtml": page,
        },
    }[kind]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        for number in range(more):
            archive.writestr(f"m{number}", b"")
    return out.getvalue()


def workbook() -> bytes:
    """A sheet of strings."""
    sheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    cells = "".join(f'<c t="inlineStr"><is><t>{word}</t></is></c>' for word in WORDS.split())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/><Override PartName="/xl/s.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r" Type="{related}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r" Type="{related}/worksheet" Target="s.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{sheet}" xmlns:r="{related}"><sheets><sheet name="a" sheetId="1" r:id="r"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/s.xml", f'<worksheet xmlns="{sheet}"><sheetData><row>{cells}</row></sheetData></worksheet>'
        )
    return out.getvalue()


def of_work() -> Iterator[Case]:
    """What took time in the square of its length, or worse."""
    some = (15, 25)
    for size in (770_000, 1_550_000, LONG):
        yield Case("DTD of entities", entities(size), some if size < LONG else (0, 99), ".xml")
    for size in (195_000, LONG):
        yield Case("LaTeX `\\footnote{`", latex("\\footnote{", size), "expansion-limit", ".tex")
    for size in (1_100_000, LONG):
        yield Case("LaTeX `\\textbf{\\emph{`", latex("\\textbf{\\emph{", size), (0, 99), ".tex")
    for size in (390_000, LONG):
        mail = repeated("From: a@example.org\nSubject: ", "=? ", f"\n\n{WORDS}\n", size)
        yield Case("mail, `=? ` in the subject", mail, (0, 99), ".eml")
    for token in ("link:", "http://"):
        for size in (390_000, LONG):
            yield Case(f"AsciiDoc `{token}`", repeated("= Fog\n\n", token, f"\n\n{WORDS}\n", size), (0, LONG), ".adoc")
    long = f".. |a| replace:: {WORDS * 100}\n\n"
    for size in (200_000, LONG):
        yield Case(
            "reStructuredText, `|a|` of a long text", repeated(long, "|a| ", "\n", size), "expansion-limit", ".rst"
        )
    for size in (400_000, LONG):
        yield Case("Markdown `](`", repeated("", "](", f"\n\n{WORDS}\n", size), (0, 99), ".md")
    yield Case("PDF `1 0 obj <<` repeated", repeated("%PDF-1.7\n", "1 0 obj <<", "", 19_500_000), "work-limit")
    yield Case("PDF, nested `<</A `", repeated("%PDF-1.7\n1 0 obj ", "<</A ", "", 13_700_000), "work-limit")
    yield Case("PDF, 10^6 entries in /Contents", contents(1_000_000), "work-limit")


def latex(token: str, size: int) -> bytes:
    """LaTeX with groups that nothing closes."""
    return repeated("\\documentclass{article}\\begin{document}", token, f"{WORDS}\\end{{document}}", size)


def of_memory(huge: bool) -> Iterator[Case]:
    """What took gigabytes."""
    yield Case("PDF, `/W[0 2147483647 500]`", widths(2147483647), "work-limit")
    yield Case("PDF, `/W[0 60000000 500]`", widths(60_000_000), "work-limit")
    yield Case("PDF, a glyph of 50,000 letters 20,000 times", long_glyph(), "text-limit")
    yield Case("PDF, forms that draw forms ten-fold", forms(9, 10), "work-limit")
    footer = (2_000_000_000).to_bytes(4, "little") + b"PAR1"
    yield Case(
        "Parquet of 5 GB, sparse, a footer of 2 GB",
        lambda path: sparse(path, 5_000_000_000, b"PAR1", footer),
        "bad-file",
        ".parquet",
    )
    if huge:
        line = b'\n{"id":"b","text":"' + WORDS.encode() + b'"}\n'
        yield Case(
            "a line of 100 GB, sparse, and one after it",
            lambda path: sparse(path, 100_000_000_000, b'{"id":"a","text":"', line),
            "too-large",
            ".jsonl",
            options=("--read", "format=jsonl"),
        )


def of_reasons() -> Iterator[Case]:
    """What was misread, or refused for a reason that was not true."""
    for kind in ("docx", "odt", "epub"):
        for method, name in ((zipfile.ZIP_STORED, "stored"), (zipfile.ZIP_DEFLATED, "deflated")):
            whole = package(kind, 4000, method=method)
            yield Case(f"{kind}, {name}", whole, (4000, 4000))
            for percent in (10, 30, 60, 90):
                yield Case(f"{kind}, {name}, the first {percent} %", whole[: len(whole) * percent // 100], "damaged")
    yield Case("docx of 70,000 members (zip64)", package("docx", 40, 70_000), (40, 40))
    locked = ROOT / "crates/nearprint-pdf/tests/data"
    for name in ("rc4-128-lantern", "aes-256-lantern"):
        yield Case(f"PDF with a user password ({name})", (locked / f"{name}.pdf").read_bytes(), "encrypted")
    yield Case("PDF of which attachments alone are encrypted", only_attachments(), (15, 25))
    raster = b"".join(bytes(((x * y) >> 3) % 90 + 33 for x in range(1000)) for y in range(669))
    binary = {
        "raster": bytes(NOISE[at] if at % 7 else raster[at] for at in range(669_000)),
        "CBOR": b"".join(b"\xa2\x62id\x1a" + n.to_bytes(4, "big") + b"\x64text\x6bsome words x" for n in range(3000)),
        "PKCS#7": b"\x30\x82\x3e\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02" + NOISE[:16_000],
        "zlib": zlib.compress(NOISE[:14_000]),
        "FITS": b"".join(
            f"{card:80}".encode()
            for card in ("SIMPLE  =                    T", "BITPIX  =                   16", "END")
        ).ljust(2880)
        + NOISE[:28_800],
        "tar without its mark": b"a.txt".ljust(100, b"\0") + b"0000644\0" * 3 + NOISE[:30_000].ljust(30_220, b"\0"),
    }
    for name, data in binary.items():
        yield Case(name, data, "unsupported-media", status=0)
    picture = base64.encodebytes(NOISE[:90_000]).decode()
    flat = f'<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"><pkg:part pkg:name="/word/document.xml"><pkg:xmlData><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{WORDS}</w:t></w:r></w:p></w:body></w:document></pkg:xmlData></pkg:part><pkg:part pkg:name="/word/media/a.png"><pkg:binaryData>{picture}</pkg:binaryData></pkg:part></pkg:package>'
    yield Case("flat OPC with a picture", flat.encode(), (15, 25), ".xml")
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    flat = f'<?xml version="1.0"?><office:document xmlns:office="{urn}:office:1.0" xmlns:text="{urn}:text:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>{WORDS}</text:p><office:binary-data>{picture}</office:binary-data></office:text></office:body></office:document>'
    yield Case("flat OpenDocument with a picture", flat.encode(), (15, 25), ".fodt")
    web = f'MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b; type="text/html"\n\n--b\nContent-Type: text/html\n\n<p>{WORDS}\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n{picture}--b--\n'
    yield Case("MHTML", web.encode(), (15, 25), ".mhtml")
    letter = f"From a@example.org Thu Jan  1 00:00:00 1970\nFrom: a@example.org\nSubject: fog\n\n{WORDS}\n\n"
    yield Case("mbox of two messages", (letter * 2).encode(), (30, 50), ".mbox")
    yield Case("RTF, `\\*` in a group", f"{{\\rtf1 {{\\b Fog {{\\*\\unknown gone}}stays}} {WORDS}}}".encode(), (17, 25))
    yield Case("XLSX, strings of a sheet", workbook(), (15, 25))


# A process of its own: the most memory of a program is at least that of whoever started it, which is small here.
LAUNCHER = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
taken = resource.getrusage(resource.RUSAGE_CHILDREN)
print(taken.ru_utime + taken.ru_stime, taken.ru_maxrss * 1024, status, file=sys.stderr)
"""


def taken(program: Path, path: Path, *options: str) -> tuple[float, int, int, list[dict[str, object]]]:
    """Seconds of the processor, bytes of the largest process, the exit code and the rows."""
    command = [program, "fingerprint", "-qq", "--format", "jsonl", *options, path]
    done = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, *command], capture_output=True, check=True)
    seconds, peak, status = done.stderr.split()
    return float(seconds), int(peak), int(status), [json.loads(line) for line in done.stdout.splitlines()]


def fault_of(case: Case, seconds: float, beyond: int, status: int, rows: list[dict[str, object]]) -> str:
    """What is wrong with what a case came to."""
    if seconds > SECONDS and case.outcome != "too-large":
        return f"{seconds:.1f} s"
    # What is too long is known when `--limit input-bytes` of it have been read.
    if beyond > BEYOND + (LONGEST if case.outcome == "too-large" else 0):
        return f"{beyond / MIB:.0f} MiB"
    if isinstance(case.outcome, str):
        right = rows and rows[0]["reason"] == case.outcome and status == case.status
    else:
        tokens = sum(row["tokens"] or 0 for row in rows)
        right = status == 0 and case.outcome[0] <= tokens <= case.outcome[1]
    return "" if right else f"not {case.outcome}"


def office(folder: Path) -> Iterator[Case]:
    """Documents of old office programs."""
    for path in sorted(folder.iterdir()):
        yield Case(path.name, path.read_bytes(), "legacy-office", path.suffix)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--huge", action="store_true", help="adds a line of 100 GB")
    parser.add_argument("--office", type=Path, help="a folder of .doc, .xls, .ppt and .msg files")
    given = parser.parse_args()
    base = taken(given.program, ROOT / "README.md")[1]
    cases = [*of_work(), *of_memory(given.huge), *of_reasons(), *(office(given.office) if given.office else ())]
    faults = []
    print(f"A short text takes {base / MIB:.0f} MiB; memory is given beyond that and beyond the file's size.\n")
    print("| case | bytes | s | MiB | exit code | outcome |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory:
        for case in cases:
            path = Path(directory) / f"case{case.ending}"
            if isinstance(case.data, bytes):
                path.write_bytes(case.data)
            else:
                case.data(path)
            size = path.stat().st_size
            seconds, peak, status, rows = taken(given.program, path, *case.options)
            beyond = max(0, peak - base - (size if size <= 20 * MIB else 0))
            said = ", ".join(str(row["reason"]) if row["reason"] else f"{row['tokens']:,} tokens" for row in rows)
            fault = fault_of(case, seconds, beyond, status, rows)
            faults += [f"{case.name}: {fault}"] if fault else []
            print(f"| {case.name} | {size:,} | {seconds:.2f} | {beyond / MIB:.0f} | {status} | {said} |", flush=True)
            path.unlink()
    print(f"\n{len(cases)} cases. " + ("; ".join(faults) if faults else "No fault."))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
