"""Files of random phases ("A many times, then B many times, then C"), of every container and medium, in processor time:
`hostile_grammars.py MEASURE PROGRAM` reads CASES of each kind and says what each took.

Pairs of tokens do not find what phases do: a reader that looks for an end far away, refuses what it found there, and
looks again from the next line takes the square of the length only where an end *is* far away. MEASURE is the example
`measure_files` of the library, which reads one file after the other in one process; PROGRAM is the command, which reads
what is no document: fingerprints and lists of paths, and makes keys of addresses. A file that takes long is read again in a quarter of its length:
time in the square of it is sixteen times as much, and a fault is more than eight times, and more than three times in
twice its length.

Exit status 1 where a file grows so, or takes more than `--seconds` or `--memory` beyond its own size.
"""

from __future__ import annotations

import argparse
import bz2
import io
import json
import lzma
import os
import random
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import hostile_packages
import hostile_pdf
from hostile import MIB, Measure
from hostile_files import ROOT, gzipped
from hostile_table_grammars import FOUND, arrow_of, parquet_of

# Seconds at which a file's growth is looked at; shorter times say little of it.
LONG = 1.0
# Times that four times the length may take.
GROWTH = 8.0
# Times that twice the length may take: in the square of it, four.
DOUBLED = 3.0

Maker = Callable[[random.Random, int], bytes]

WARC = [
    b"WARC/1.0\n", b"WARC/1.0\r\n", b"WARC/1.", b"\n", b"\r\n", b"X: y\r\n", b" more\r\n", b"abc\n", b"a",
    b"Content-Length: 0\r\n", b"Content-Length: 40000\r\n", b"WARC-Type: response\r\n", b"WARC-Type: revisit\n",
    b"WARC-Target-URI: http://example.org/%41/../b?c=d&&\r\n", b"HTTP/1.1 200 OK\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Content-Type: application/http; msgtype=response\r\n", b"1\r\nx\r\n", b"0\r\n\r\n",
    b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 20000\r\n\r\n",
]  # fmt: skip
ARC = [
    b"http://e.org/ 1 20000102030405 text/html 0\n", b"http://e.org/ 1 20000102030405 text/html 9\n",
    b"http://e.org/ 1 20000102030405 text/html 40000\n", b"http://e.org/ ", b"20000102030405 ", b"text/html 5\n", b"1 ", b"a",
    b"\n", b"\r\n",
]  # fmt: skip
LINES = [
    b'{"text":"', b'"}', b"\n", b"{}\n", b"[", b"]", b"\\ud800", b"\\ufdd0", b'\\"', b'{"a":', b"}", b',"text":1', b'"', b"a",
    b'{"text":"\\udfff"}\n', b'{"text":"some words","id":1}\n',
]  # fmt: skip
ROWS = [b'"', b"a", b",", b"\t", b"\n", b"\r\n", b'""', b"a,b\n", b'"a\n', b'"a",b\n', b"\r", b"a\tb\n", b"a;b\n"]
MBOX = [b"\nFrom a 08:00\n", b"From: b\n", b"\n", b"\r\n", b"From ", b"a", b": ", b"From a\n\n", b"\n\n", b">From "]
MAIL = [
    b"--b\r\n", b"--b--\r\n", b"--bb\r\n", b"--", b"\r\n", b"Content-Type: multipart/mixed; boundary=b\r\n\r\n",
    b"Content-Type: multipart/mixed; boundary=bb\r\n\r\n", b"Content-Type: message/rfc822\r\n\r\n", b"Content-Type: text/html\r\n\r\n",
    b"Content-Transfer-Encoding: base64\r\n\r\n", b"QUJD", b"=41=\r\n", b"Subject: =?utf-8?q?=41?=\r\n", b" folded;\r\n", b"x(", b"\\",
    b'"', b"X: y\r\n", b"> a\r\n",
]  # fmt: skip
PRINTS = [
    b'{"id":"a","fingerprint":"sd1:nbaiuciaovria"}\n', b"sd1:nbaiuciaovria\ta\n", b"sd1:nbaiuciaovria\n", b"\n", b"\t", b"{", b'"', b"sd1:",
    b"md1:", b"a", b"\r\n", b"#", b'{"schema":"nearprint/fingerprint/1"}\n', b"\0", b"0123456789abcdef\n", b"nearprint",
]  # fmt: skip
PATHS = [
    b"/dev/null\n",
    b"\n",
    b"\0",
    b"x",
    b"/x",
    b"/dev/null\0",
    b"\r\n",
    b"x\n",
    b"*\n",
]  # no directory, which would be read

ADDRESS = [
    b"/", b"%41", b"..", b"/../", b"?", b"&a=b", b"a", b".", b";jsessionid=", b"%25", b"www1.", b"//", b"#", b"=", b"xn--", b"%", b":", b"@",
]  # fmt: skip


def phases(rng: random.Random, tokens: list[bytes], size: int) -> bytes:
    """One to four phases, each a cycle of one to three tokens, often with the first, which begins a record; the last may
    be one token. `{n}` in a token is a number, another one each time."""
    found = []
    count = rng.randrange(1, 5)
    for _ in range(count):
        cycle = b"".join(rng.choice(tokens[:1] if rng.random() < 0.3 else tokens) for _ in range(rng.randrange(1, 4)))
        times = max(1, size // count // len(cycle))
        if b"{n}" in cycle:
            found += [cycle.replace(b"{n}", b"%d" % number) for number in range(times)]
        else:
            found.append(cycle * times)
    if rng.random() < 0.5:
        found.append(rng.choice(tokens))
    return b"".join(found)


def of(tokens: list[bytes], begin: bytes = b"", end: bytes = b"") -> Maker:
    """Files of phases between a beginning and an end, a fifth of them in gzip."""

    def make(rng: random.Random, size: int) -> bytes:
        data = begin + phases(rng, tokens, size) + end
        return gzipped(data) if rng.random() < 0.2 else data

    return make


@cache
def media(name: str) -> dict[str, dict[str, object]]:
    """Tokens of each medium, or of a place in it, or of a part of a package."""
    return json.loads((ROOT / f"crates/nearprint-extract/tests/complexity/{name}.json").read_text("utf-8"))


def encoded(text: object) -> bytes:
    return str(text).encode("utf-8", "surrogatepass")


def of_medium(medium: dict[str, object]) -> Maker:
    """Documents of phases of a medium, or packages of which one part is such."""
    tokens = [encoded(token) for token in medium["tokens"]]
    begin, end, place = encoded(medium["begin"]), encoded(medium.get("end", "")), medium.get("package")

    def make(rng: random.Random, size: int) -> bytes:
        data = begin + phases(rng, tokens, size) + end
        if not place:
            return data
        members = hostile_packages.members(ROOT / "fuzz/seeds/members" / place["seed"])
        return packed(
            [(name, data if name == place["member"] else other) for name, other in members], rng.random() < 0.5
        )

    return make


def packed(members: list[tuple[str, bytes]], deflated: bool = False) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(
        out, "w", zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED, compresslevel=1
    ) as archive:
        for name, content in members:
            method = zipfile.ZIP_STORED if name == "mimetype" else archive.compression
            archive.writestr(zipfile.ZipInfo(name), content, method, 1)
    return out.getvalue()


def members_of(make: Callable[[bytes], bytes], strays: list[bytes]) -> Maker:
    """Compressed files of phases of members, and of what is none."""

    def made(rng: random.Random, size: int) -> bytes:
        texts = [
            b"",
            b"a",
            b"some words\n",
            b'{"text":"some words of a row"}\n',
            b"WARC/1.0\r\n",
            b"some words of a text\n" * 500,
        ]
        return phases(rng, [make(rng.choice(texts)), *(make(text) for text in texts), *strays], size)

    return made


def zstd(data: bytes) -> bytes:
    """A frame of one block that is stored as it is."""
    return b"\x28\xb5\x2f\xfd\x00\x58" + (len(data) << 3 | 1).to_bytes(3, "little") + data


def gzip_named(data: bytes) -> bytes:
    """A member with a long name, a comment and more."""
    return b"\x1f\x8b\x08\x1c\0\0\0\0\0\xff\x40\0" + bytes(64) + b"n" * 90 + b"\0c\0" + gzipped(data)[10:]


STRAYS = [b"\0", b"\0\0\0\0", b"a", b"\n"]
MEMBERS: dict[str, Maker] = {
    "gzip": members_of(
        gzipped, [*STRAYS, b"\x1f\x8b\x08", b"\x1f\x8b\x08\0\0\0\0\0\0\xff", b"\x1f", gzip_named(b"words")]
    ),
    "zstd": members_of(
        zstd, [*STRAYS, b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18\0\0\0\0", b"\x28\xb5\x2f\xfd\x00\x58" + bytes(3 * 99)]
    ),
    "bzip2": members_of(lambda data: bz2.compress(data, 1), [*STRAYS, b"BZh", b"BZh91AY&SY"]),
    "xz": members_of(lambda data: lzma.compress(data, preset=0), [*STRAYS, b"\xfd7zXZ\0"]),
}


def zip_of(rng: random.Random, size: int) -> bytes:
    """A package in phases: entries with bytes of their own, entries of a directory alone that lie over each other, and
    ends of directories in what follows."""
    seed = rng.choice(("docx", "odt", "epub", "xlsx", "pptx"))
    archive = packed(hostile_packages.members(ROOT / "fuzz/seeds/members" / seed))
    start, end = archive.index(b"PK\x01\x02"), archive.rindex(b"PK\x05\x06")
    body, directory, count = (
        [archive[:start]],
        [archive[start:end]],
        int.from_bytes(archive[end + 10 : end + 12], "little"),
    )
    names = [
        "word/header{n}.xml",
        "ppt/slides/slide{n}.xml",
        "xl/worksheets/sheet{n}.xml",
        "a{n}",
        "x",
        "../" * 90,
        "OEBPS/{n}.xhtml",
    ]
    phase = rng.randrange(1, 4)
    at, trailing = start, b""
    for _ in range(phase):
        kind = rng.choice(("entries", "entries", "directory", "first again", "tail"))
        name, content = rng.choice(names), rng.choice((b"", b"<a/>", b"<w:t>words</w:t>" * 9))
        share = size // phase
        if kind == "tail":
            trailing = phases(
                rng,
                [archive[end:], b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04", b"\0", b"PK\x06\x06", b"PK\x06\x07"],
                share,
            )
            continue
        if kind == "first again":
            # The directory says again and again what it says first, of the same bytes.
            one = archive[start : start + 46 + int.from_bytes(archive[start + 28 : start + 30], "little")]
            times = share // len(one)
            directory.append(one * times)
            count += times
            continue
        for number in range(max(1, share // (110 + len(name) + len(content)))):
            named = name.replace("{n}", str(number)).encode()
            sizes = len(content).to_bytes(4, "little") * 2
            checksum = zipfile.crc32(content).to_bytes(4, "little")
            fields = b"\x14\0\0\0\0\0\0\0\0\0" + checksum + sizes + len(named).to_bytes(2, "little") + b"\0\0"
            if kind == "entries":
                body.append(b"PK\x03\x04" + fields + named + content)
            place = at if kind == "entries" else 0
            at += len(body[-1]) if kind == "entries" else 0
            directory.append(b"PK\x01\x02\x14\0" + fields + bytes(10) + place.to_bytes(4, "little") + named)
            count += 1
    listed, inside = b"".join(directory), b"".join(body)
    stated = min(count, 0xFFFF).to_bytes(2, "little")
    last = b"PK\x05\x06\0\0\0\0" + stated * 2 + len(listed).to_bytes(4, "little") + len(inside).to_bytes(4, "little")
    return inside + listed + last + min(len(trailing), 0xFFFF).to_bytes(2, "little") + trailing


def tar_of(rng: random.Random, size: int) -> bytes:
    """Blocks of tar: heads of files, of long names and of extensions, contents and zeros."""
    names = [b"a", b"word/document.xml", b"././@LongLink", b"././@PaxHeader"]
    heads = []
    for kind in b"05LxgS":
        block = bytearray(512)
        name = rng.choice(names)
        block[: len(name)] = name
        block[100:108], block[124:136] = b"0000644\0", b"00000001000\0"
        block[156:157], block[257:265] = bytes([kind]), b"ustar\x0000"
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
        heads.append(bytes(block))
    return heads[0] + phases(rng, [*heads, bytes(512), b"some words of a text".ljust(512), b"9" * 512, b"x"], size)


def address_of(rng: random.Random, size: int) -> bytes:
    """Records of WARC with long addresses, of which an index makes keys. A header has at most 1 MiB."""
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nsome words of a text"
    found = []
    for _ in range(4):
        address = b"http://e.org/" + phases(rng, ADDRESS, size // 4)
        head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: " + address
        head += b"\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(body)
        found.append(head + body + b"\r\n\r\n")
    return b"".join(found)


def pdf_of(place: str) -> Maker:
    """PDFs of phases of operators in a content, or of tokens of the structure."""

    def make(rng: random.Random, size: int) -> bytes:
        if place == "content":
            tokens = [token.encode() for token in hostile_pdf.OPERATORS]
            writer = hostile_pdf.Writer(resources="/XObject<</X 6 0 R>>/Properties<</L 7 0 R>>")
            writer.bodies[3] = hostile_pdf.stream(phases(rng, tokens, size), pack=rng.random() < 0.5)
            writer.add(hostile_pdf.stream(hostile_pdf.TEXT, "/Subtype/Form/BBox[0 0 9 9]"))
            writer.add("<</Type/OCG/Name(x)>>")
            return writer.file()
        sound = hostile_pdf.Writer().file()
        at = rng.choice((9, len(sound), sound.index(b"xref\n")))
        return sound[:at] + phases(rng, [token.encode() for token in hostile_pdf.STRUCTURE], size) + sound[at:]

    return make


MAKERS: dict[str, Maker] = {
    "WARC": of(WARC),
    "ARC": of(ARC, b"filedesc://x 0.0.0.0 20000102030405 text/plain 0\n"),
    "JSON lines": of(LINES, b'{"text":"some words"}\n'),
    "JSON array": of(LINES, b'[{"text":"some words"},'),
    "CSV": of(ROWS, b"id,text\n"),
    "CSV by semicolons": of(ROWS, b"id;text\n"),
    "TSV": of(ROWS, b"id\ttext\n"),
    "mailbox": of(MBOX, b"From a@e.org Mon Jan  2 08:00:00 2023\nFrom: b\n\n"),
    "mail": of(MAIL, b"From: a@e.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"),
    **MEMBERS,
    "zip": zip_of,
    "tar": tar_of,
    "Parquet": parquet_of,
    "Arrow IPC": arrow_of,
    **FOUND,
    "PDF, its structure": pdf_of("structure"),
    "PDF, a content": pdf_of("content"),
    **{name: of_medium(medium) for name, medium in media("tokens").items()},
    **{name: of_medium(medium) for name, medium in media("packages").items()},
}
# What the command alone reads or writes: fingerprints, lists of paths, and keys of addresses.
COMMANDS: dict[str, tuple[Maker, list[str]]] = {
    "fingerprints": (of(PRINTS), ["prints", "health"]),
    "fingerprints, as lines": (
        of(PRINTS, b'{"id":"a","fingerprint":"sd1:nbaiuciaovria"}\n'),
        ["prints", "convert", "--format", "jsonl"],
    ),
    "index of captures (CDXJ)": (address_of, ["fingerprint", "-qq", "--format", "cdxj"]),
    "list of paths": (of(PATHS), ["fingerprint", "-qq", "--files-from"]),
}


def by_command(program: Path, arguments: list[str], path: Path) -> tuple[float, int, str]:
    """Seconds of the processor, bytes and how the command ended."""
    child = subprocess.Popen([program, *arguments, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    ended = child.returncode
    return (
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss << 10,
        "ends=1" if 0 <= ended < 4 else f"fault: ended-by-{ended}",
    )


def case(given: argparse.Namespace, measure: Measure, name: str, number: int, size: int) -> tuple[int, float, int, str]:
    """Bytes of a file, and what it took: the same grammar gives a shorter file and a longer one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # members of a name, which are meant
        maker = MAKERS.get(name) or COMMANDS[name][0]
        data = maker(random.Random(f"{given.seed} {name} {number}"), size) or b"\0"
    path = given.folder / "case"
    path.write_bytes(data)
    seconds, peak, outcomes = (
        by_command(given.program, COMMANDS[name][1], path) if name in COMMANDS else measure.of(path)
    )
    return len(data), seconds, max(0, peak - len(data)), outcomes


def fault_of(given: argparse.Namespace, measure: Measure, name: str, number: int) -> tuple[float, int, str]:
    """Seconds and bytes that a case takes, and what is wrong with that."""
    size, seconds, beyond, outcomes = case(given, measure, name, number, given.length)
    if outcomes.startswith("fault"):
        return seconds, beyond, outcomes
    if seconds > given.seconds:
        return seconds, beyond, f"{seconds:.2f} s of the processor"
    if beyond > given.memory * MIB:
        return seconds, beyond, f"{beyond // MIB} MiB beyond its size"
    if seconds > LONG:
        shorter, less, _, _ = case(given, measure, name, number, given.length // 4)
        # Compressed files and those with a fixed part are not four times as long. A busy machine adds to some times: the
        # least of three counts.
        expected = GROWTH / 4 * max(4.0, size / max(1, shorter)) * max(less, 0.02)
        seconds = min(
            [seconds, *(case(given, measure, name, number, given.length)[1] for _ in "ab" if seconds > expected)]
        )
        # What a beginning decides may differ in a quarter: a list whose first NUL is behind its first 64 KiB has paths by
        # lines. Twice the length then shows whether it is growth.
        if (
            seconds > expected
            and (twice := case(given, measure, name, number, 2 * given.length)[1]) > DOUBLED * seconds
        ):
            return seconds, beyond, f"{seconds:.2f} s, of {shorter} bytes {less:.2f} s, of twice as many {twice:.2f} s"
    return seconds, beyond, ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--cases", type=int, default=100, help="of each kind (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--length", type=int, default=MIB, help="bytes of a case, about (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--memory", type=float, default=512.0, help="MiB beyond a file's own size")
    parser.add_argument("--kind", choices=[*MAKERS, *COMMANDS], action="append", help="of all kinds only these")
    parser.add_argument("--folder", type=Path, help="keeps files at fault there")
    given = parser.parse_args(arguments)
    faults = []
    print(
        "| kind | cases | seconds | slowest (s; number) | most memory beyond its size (MiB; number) |\n|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as temporary:
        kept = given.folder
        given.folder = Path(temporary)
        measure = Measure(given.measure)
        for name in given.kind or [*MAKERS, *COMMANDS]:
            taken = []
            for number in range(1 if name in FOUND else given.cases):
                seconds, beyond, fault = fault_of(given, measure, name, number)
                taken.append((seconds, beyond, number))
                if fault:
                    faults.append(f"{name}, {number}: {fault}")
                    print(faults[-1], file=sys.stderr, flush=True)
                    if kept:
                        kept.mkdir(parents=True, exist_ok=True)
                        case(given, measure, name, number, given.length)
                        (given.folder / "case").replace(kept / f"{name}-{number}")
            slow, large = max(taken), max(taken, key=lambda one: one[1])
            total = sum(seconds for seconds, _, _ in taken)
            print(
                f"| {name} | {len(taken)} | {total:.1f} | {slow[0]:.2f}; {slow[2]} | {large[1] / MIB:.1f}; {large[2]} |",
                flush=True,
            )
        measure.end()
    print(f"\n{len(faults)} faults." if faults else "\nNo fault.")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
