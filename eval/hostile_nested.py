"""Documents of this repository, changed, inside of up to three containers, of which each may be changed too.

A container is what holds documents or one of them: compression, archives, mail, rows of tables, pages. What is inside
is found by the reader of what is outside, so that a mutant reaches parsers that a changed file alone does not.
"""

from __future__ import annotations

import base64
import bz2
import csv
import io
import json
import lzma
import random
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hostile_shapes import changed, numbers_changed

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("samples/documents", "crates/nearprint-extract/tests/cases", "crates/nearprint-pdf/tests/data", "fuzz/seeds")
DEEPEST = 3
LONGEST_SEED = 300_000
BLOCK = 128 << 10  # bytes of a block of zstandard, at most

Wrapper = Callable[[random.Random, bytes], bytes]


@cache
def documents(folder: str) -> list[bytes]:
    """What is changed: documents of the samples, of the extractors' cases and of the fuzz targets."""
    paths = (path for path in sorted((ROOT / folder).rglob("*")) if path.is_file())
    return [path.read_bytes() for path in paths if 0 < path.stat().st_size <= LONGEST_SEED]


def text_of(data: bytes) -> str:
    """Bytes as a text that JSON and tables can hold: each that is no UTF-8 is a letter of Latin-1."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def zstd(_: random.Random, data: bytes) -> bytes:
    """A frame of blocks that are stored as they are."""
    blocks = [data[at : at + BLOCK] for at in range(0, len(data), BLOCK)] or [b""]
    framed = (
        (len(block) << 3 | int(at + 1 == len(blocks))).to_bytes(3, "little") + block for at, block in enumerate(blocks)
    )
    return b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(framed)


def gzip(rng: random.Random, data: bytes) -> bytes:
    """One member, or one for each third."""
    step = len(data) // 3 + 1 if rng.random() < 0.2 else len(data) + 1
    members = []
    for at in range(0, len(data) or 1, step):
        packer = zlib.compressobj(6, wbits=31)
        members.append(packer.compress(data[at : at + step]) + packer.flush())
    return b"".join(members)


def archive(rng: random.Random, data: bytes) -> bytes:
    """Records of WARC, each a member or not, of which one is the document."""
    records = []
    for number, body in enumerate((b"<p>Fog came in at noon.", data, b"It rained.")):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: http://a.example/{number}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
        records.append(head.encode() + block + b"\r\n\r\n")
    if rng.random() < 0.4:
        records = [gzip(rng, record) for record in records]
    return b"".join(records)


def tar(_: random.Random, data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        member = tarfile.TarInfo("a")
        member.size = len(data)
        packed.addfile(member, io.BytesIO(data))
    return out.getvalue()


def package(rng: random.Random, data: bytes) -> bytes:
    """A zip archive with the document as the part that a reader of some package looks for."""
    names = (("word/document.xml", "docx"), ("content.xml", "odt"), ("ppt/slides/slide1.xml", "pptx"), ("a.txt", ""))
    name, _ = rng.choice(names)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        mark = zipfile.ZipInfo("mimetype")
        packed.writestr(mark, "application/vnd.oasis.opendocument.text" if name == "content.xml" else "x")
        part = zipfile.ZipInfo(name)
        part.compress_type = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
        packed.writestr(part, data)
        packed.writestr(zipfile.ZipInfo("[Content_Types].xml"), "<Types/>")
    return out.getvalue()


def message(rng: random.Random, data: bytes) -> bytes:
    """A part of a message, in base64 or as it is."""
    head = b"From: a@e.org\r\nTo: b@e.org\r\nDate: Mon, 2 Jan 2023 08:00:00 +0000\r\nMIME-Version: 1.0\r\n"
    kind = rng.choice((b"message/rfc822", b"text/html", b"text/plain"))
    if rng.random() < 0.5:
        part = b"Content-Type: " + kind + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(data)
    else:
        part = b"Content-Type: " + kind + b"\r\n\r\n" + data
    head += b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    return head + b"--b\r\n" + part + b"\r\n--b\r\nContent-Type: text/plain\r\n\r\nRain.\r\n--b--\r\n"


def mailbox(rng: random.Random, data: bytes) -> bytes:
    mark = b"From a@e.org Mon Jan  2 08:00:00 2023\n"
    one = b"From: a@e.org\nSubject: Fog\n\nIt came in at noon.\n\n"
    return mark + one + mark + (data if rng.random() < 0.5 else b"Subject: x\n\n" + data) + b"\n\n" + mark + one


def rows(rng: random.Random, data: bytes) -> bytes:
    """Rows of a table, of which one has the document as its text."""
    texts = ["Fog came in at noon.", text_of(data), "It rained."]
    objects = [
        json.dumps({"id": str(at), "text": text}, ensure_ascii=rng.random() < 0.5) for at, text in enumerate(texts)
    ]
    form = rng.randrange(4)
    if form == 0:
        return "\n".join(objects).encode("utf-8", "surrogatepass")
    if form == 1:
        return f"[{', '.join(objects)}]\n".encode("utf-8", "surrogatepass")
    out = io.StringIO()
    writer = csv.writer(out, delimiter=rng.choice(",;\t|"))
    writer.writerow(("id", "text"))
    writer.writerows(enumerate(texts))
    return out.getvalue().encode("utf-8" if form == 2 else "utf-16", "surrogatepass")


def page(_: random.Random, data: bytes) -> bytes:
    return b"<!doctype html><title>x</title><body><iframe srcdoc='" + data + b"'></iframe><p>" + data + b"</body>"


WRAPPERS: tuple[Wrapper, ...] = (
    gzip,
    lambda _, data: bz2.compress(data, 1),
    lambda _, data: lzma.compress(data, preset=0),
    zstd,
    archive,
    tar,
    package,
    message,
    mailbox,
    rows,
    page,
)


def mutant(rng: random.Random, data: bytes) -> bytes:
    """A copy of a document that was changed at places, in its numbers, or cut."""
    kind = rng.random()
    if kind < 0.15:
        return data[: rng.randrange(len(data) + 1)]
    if kind < 0.35:
        return numbers_changed(rng, data)
    for _ in range(rng.randrange(1, 4)):
        data = changed(rng, data)
    return data


def nested(rng: random.Random) -> bytes:
    """A mutant inside of none to three containers."""
    data = mutant(rng, rng.choice(documents(rng.choice(FOLDERS))))
    for _ in range(rng.randrange(DEEPEST + 1)):
        data = rng.choice(WRAPPERS)(rng, data)
        if rng.random() < 0.25:
            data = mutant(rng, data)
    return data or b"\0"
