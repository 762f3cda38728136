"""Generated hostile files of every medium: `generated(seed, number)` is one, the same on every machine.

The structure of a medium stays sound enough that its parser is reached, and what lies in it is what parsers trip over:
tokens of the medium repeated and nested, numbers at edges, lengths that lie, expansions. Tokens are those of the
complexity test (`crates/nearprint-extract/tests/complexity/tokens.json`), packages and tables are grown from the seeds
of `fuzz/`, so what is added there is used here.
"""

from __future__ import annotations

import bz2
import json
import lzma
import random
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import hostile_nested
import hostile_packages
import hostile_pdf
from hostile_shapes import EDGES, changed, size_of, woven

ROOT = Path(__file__).resolve().parent.parent
TOKENS = ROOT / "crates/nearprint-extract/tests/complexity/tokens.json"
MIB = 1 << 20

Maker = Callable[[random.Random], bytes]


@cache
def tokens() -> dict[str, dict[str, object]]:
    """Tokens of each medium, or of a place in it."""
    return json.loads(TOKENS.read_text("utf-8"))


@cache
def seeds() -> list[bytes]:
    """Every seed of the fuzz targets that is a document as it stands."""
    built = {"dtd", "members", "mime", "pdf_objects", "table"}
    folders = sorted(folder for folder in (ROOT / "fuzz/seeds").iterdir() if folder.name not in built)
    return [path.read_bytes() for folder in folders for path in sorted(folder.iterdir())]


@cache
def tables(ending: str) -> list[bytes]:
    """The tables that the target `table` changes."""
    return [path.read_bytes() for path in sorted((ROOT / "fuzz/tables").glob(f"*{ending}"))]


def of_tokens(name: str) -> Maker:
    """Documents woven of the tokens of a medium."""

    def make(rng: random.Random) -> bytes:
        medium = tokens()[name]
        middle = woven(rng, list(medium["tokens"]), size_of(rng))
        text = str(medium["begin"]) + middle + str(medium.get("end", ""))
        chance = rng.random()
        if chance < 0.02:
            return text.encode("utf-16")
        if chance < 0.03:
            return b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass")
        data = text.encode("utf-8", "surrogatepass")
        return changed(rng, data) if chance < 0.2 else data

    return make


def mail(rng: random.Random) -> bytes:
    """Parts in parts, with boundaries that begin each other, and heads without an end."""
    size, lines, opened = (
        size_of(rng),
        ["From: a@example.org", "Subject: " + "=?utf-8?q?=41?= " * rng.choice((1, 9, 9000))],
        [],
    )
    heads = [
        "Content-Transfer-Encoding: base64\n\n" + "QUJD" * 50,
        "Content-Transfer-Encoding: quoted-printable\n\n" + "=41=\n" * 20,
        "Content-Type: text/html\n\n<p>word",
        "Content-Type: message/rfc822\n\nSubject: inner",
        'Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B$"\x1b(B',
        "Content-Type: text/plain; format=flowed\n\n> a \n>> b ",
        "X" * 500 + ": y",
        "X: y;\n" + " z=(((;\n" * 50,
    ]
    length = 0
    while length < size:
        step = rng.random()
        if step < 0.3:
            opened.append("b" * rng.choice((1, 2, 3, len(opened) % 60 + 1)))
            line = f"Content-Type: multipart/{rng.choice(('mixed', 'alternative', 'digest', 'related'))}; boundary={opened[-1]}\n\n--{opened[-1]}"
        elif step < 0.6 and opened:
            line = f"--{rng.choice(opened)}" + rng.choice(("", "", "--", "  ", "x"))
        else:
            line = rng.choice(heads) * rng.choice((1, 1, 1, 40))
        lines.append(line)
        length += len(line) + 1
        if rng.random() < 0.001:
            lines.append("\nFrom a@example.org Thu Jan  1 00:00:00 1970")
    return "\n".join(lines).encode()


def archive(rng: random.Random) -> bytes:
    """Records of WARC and ARC whose lengths lie, with bodies in chunks and compressed."""
    size, records, length = size_of(rng), [], 0
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n<p>" + b"some words of a page " * 9
    packed = zlib.compress(b"some words " * rng.choice((10, 100_000)))
    while length < size:
        kind = rng.random()
        if kind < 0.1:
            body = b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n" + packed
        elif kind < 0.2:
            body = page % b"Transfer-Encoding: chunked\r\n" + b"\r\n%x\r\n" % rng.choice(EDGES) * rng.choice((1, 900))
        elif kind < 0.3:
            body = page % (b"X: y\r\n" * rng.choice((10, 5000)))
        else:
            body = page % b""
        stated = rng.choice((len(body),) * 9 + (rng.choice(EDGES),))
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{len(records)}>\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {stated}\r\n\r\n"
        if rng.random() < 0.02:
            head = f"http://a.example/ 1.2.3.4 20200101000000 text/html {stated}\n"
        record = head.encode() + body + b"\r\n\r\n"
        records.append(record)
        length += len(record)
    data = b"".join(records)
    return b"".join(map(gzipped, records)) if rng.random() < 0.3 else changed(rng, data) if rng.random() < 0.3 else data


def lines(rng: random.Random) -> bytes:
    """Lines of JSON, and values separated by commas, that are deep, long or never end."""
    size = size_of(rng)
    if rng.random() < 0.5:
        good = '{"id":"%d","text":"some words of a text \\u00e9 \\ud83d\\ude00"}\n'
        odd = [
            "[" * 300,
            '{"a":' * 300,
            '"\\u',
            "\\ud83d",
            '{"text":"',
            "1e999,",
            '"id":1,',
            "}\n",
            "]",
            "\n",
            '{"text":' + "9" * 400,
        ]
        return (good % 1 + woven(rng, [good.replace("%d", "{n}"), *odd], size)).encode()
    return (
        "id,text\n" + woven(rng, ["{n},some words\n", '"', '""', ",", "\r", "\n", '"a\n', "word", "\0"], size)
    ).encode()


def gzipped(data: bytes) -> bytes:
    """One member, whose head has no time in it."""
    packer = zlib.compressobj(6, wbits=31)
    return packer.compress(data) + packer.flush()


def zstd_of_one_byte(length: int) -> bytes:
    """A frame of zstandard that repeats a letter: blocks of 4 bytes that stand for 128 KiB each."""
    blocks, block = [], 128 << 10
    for at in range(0, length, block):
        head = min(block, length - at) << 3 | 1 << 1 | int(at + block >= length)
        blocks.append(head.to_bytes(3, "little") + b"a")
    return b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(blocks)


def compressed(rng: random.Random) -> bytes:
    """Compressed again and again, to little from much, or cut off and changed."""
    much = rng.random() < 0.03
    chance = rng.random()
    if chance < 0.1:
        return zstd_of_one_byte(rng.choice((1000, 10 * MIB, 200 * MIB, 3000 * MIB)))
    if much:
        data = b"some words of a text\n" * (rng.choice((10, 100)) * MIB // 21)
    else:
        data = rng.choice((of_tokens("text/plain"), of_tokens("text/html"), hostile_pdf.pdf, archive))(rng)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 12))):
        kind = rng.random()
        packed = gzipped(data) if kind < 0.6 else bz2.compress(data, 1) if kind < 0.8 else lzma.compress(data, preset=0)
        data = packed * rng.choice((1, 1, 1, 1, 7))
    return changed(rng, data) if rng.random() < 0.3 else data


def old_office(rng: random.Random) -> bytes:
    """A compound file with sectors that point anywhere."""
    sectors = b"".join(
        rng.choice(EDGES).to_bytes(9, "little", signed=False)[:4] for _ in range(128 * rng.randrange(1, 40))
    )
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + sectors


def table(ending: str) -> Maker:
    """Tables with a column of text, with numbers that were changed."""

    def make(rng: random.Random) -> bytes:
        data = bytearray(rng.choice(tables(ending)))
        is_parquet = data[:4] == b"PAR1"
        start = len(data) - 8 - int.from_bytes(data[-8:-4], "little") if is_parquet else 0
        for _ in range(rng.randrange(1, 5)):
            at = rng.randrange(start if rng.random() < 0.6 else 0, len(data))
            edge = rng.choice(EDGES)
            new = rng.choice((bytes([edge & 0xFF]), edge.to_bytes(16, "little")[: rng.choice((2, 4, 8))], varint(edge)))
            kept = rng.random() < 0.7
            data[at : at + (len(new) if kept else 1)] = new
        if is_parquet and rng.random() < 0.8:
            data[-8:] = max(0, len(data) - 8 - start).to_bytes(4, "little") + b"PAR1"
        return bytes(data)

    return make


def varint(number: int) -> bytes:
    """A number as Thrift has it, seven bits a byte."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def seed(rng: random.Random) -> bytes:
    """A seed of the fuzz targets, changed and grown."""
    data = rng.choice(seeds())
    for _ in range(rng.randrange(1, 6)):
        data = changed(rng, data)
        if len(data) < 100_000 and rng.random() < 0.3:
            at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
            piece = data[at : min(end, at + 400)]
            data = data[:at] + piece * (size_of(rng) // max(1, len(piece))) + data[at:]
    return data


MAKERS: dict[str, Maker] = {
    **{name: of_tokens(name) for name in tokens() if name != "application/pdf"},
    "mail": mail,
    **{f"pdf: {name}": maker for name, maker in hostile_pdf.MAKERS.items()},
    **{f"package: {name}": maker for name, maker in hostile_packages.makers(ROOT / "fuzz/seeds/members").items()},
    "table: parquet": table(".parquet"),
    "table: arrow": table(".arrow"),
    "archive": archive,
    "lines": lines,
    "compressed": compressed,
    "old office": old_office,
    "seed": seed,
    "nested": hostile_nested.nested,
}


def generated(seed: int, number: int, kind: str | None = None) -> tuple[str, bytes]:
    """One file, and what kind it is; the kinds take turns, or all are of one."""
    names = [kind] if kind else list(MAKERS)
    name = names[number % len(names)]
    return name, MAKERS[name](random.Random(f"{seed} {number}"))[: 20 * MIB] or b"\0"
