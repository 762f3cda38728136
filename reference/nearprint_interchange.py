#!/usr/bin/env python3
"""Collections of fingerprints as files: section 15 of spec/INTERCHANGE.md.

    nearprint_interchange.py FILE...
        prints the verdict of each: its rows, their scheme and how many are short, or the line and the reason of a refusal

One function per clause. Reading and writing go line by line, so neither needs the whole file.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import nearprint_custom as custom
import nearprint_family as family
import nearprint_sd1 as sd1

FIRST = "nearprint-interchange"
VERSION = 1
LONGEST_LINE = 1048576
MOST_NAMES = 1000
REPEATABLE = {"Extractor"}
NAME = re.compile("[A-Za-z][A-Za-z0-9-]{0,63}")
VALUE = re.compile("[^\0- \x7f-\x9f\ud800-\udfff](?:[^\0-\x1f\x7f-\x9f\ud800-\udfff]*[^\0- \x7f-\x9f\ud800-\udfff])?")
CONTROL = re.compile("[\0-\x08\x0a-\x1f\x7f-\x9f]")
SURROGATE = re.compile("[\ud800-\udfff]")
TRAILER = re.compile("end\t(0|[1-9][0-9]{0,18})\t([0-9a-f]{64})")
BITS = {scheme: rules.bits for scheme, rules in family.SCHEMES.items()} | {"seomoz-legacy": sd1.BITS}
# Of which fingerprints of one document are near each other, even if extractors differ. [15.10]
ROBUST = {"md1", "wd1"}


class RefusedFileError(ValueError):
    """Why a file is refused, and at which line. [15.9]"""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason, self.line = reason, line


class Row(NamedTuple):
    """A document's fingerprint. [15.5]"""

    string: str
    short: bool
    id: bytes | None

    @property
    def scheme(self) -> str:
        """The id of its scheme."""
        return self.string[: self.string.index(":")]


class Header(NamedTuple):
    """The names and values of a header, in order, and what follows of them. [15.3]"""

    fields: list[tuple[str, str]]

    def values(self, name: str) -> list[str]:
        return [value for here, value in self.fields if here == name]

    def value(self, name: str) -> str | None:
        return next(iter(self.values(name)), None)

    @property
    def has_ids(self) -> bool:
        return self.value("Ids") is None

    @property
    def bits(self) -> dict[str, int] | None:
        """The bits of the schemes that rows can name; none if the file's scheme is refused. [15.3]"""
        scheme, declaration = self.value("Scheme"), self.value("Declaration")
        if declaration is None:
            return BITS if scheme in BITS else None
        declared = custom.parse(declaration)
        if not declared or scheme != custom.id_of(declaration):
            return None
        return BITS | {scheme: declared.bits}


# ---------------------------------------------------------------- Ids


def must_be_encoded(character: str) -> bool:
    """Whether a code point, or what Python has for a byte that is not UTF-8, is written by its bytes. [15.6]"""
    control = character < " " or "\x7f" <= character < "\xa0"
    return character == "%" or control or "\udc80" <= character < "\ue000"


def id_text(data: bytes) -> str:
    """The form of an id. [15.6]"""
    return "".join(
        "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
        if must_be_encoded(character)
        else character
        for character in data.decode("utf-8", "surrogateescape")
    )


def id_bytes(text: str) -> bytes | None:
    """The id of a form, none if it is not one. [15.6]"""
    if not text or re.search("%(?![0-9A-F]{2})|[\ud800-\udfff]", text):
        return None
    parts = re.split("%(..)", text)
    data = b"".join(bytes.fromhex(part) if at % 2 else part.encode("utf-8") for at, part in enumerate(parts))
    return data if id_text(data) == text else None


# ---------------------------------------------------------------- Lines of both forms


class Lines:
    """The form of text: how a line is read. [15.2] to [15.7]"""

    def __init__(self) -> None:
        self.fields: list[tuple[str, str]] = []

    def header(self, text: str, line: int) -> Header | None:
        """The header, where this line ends it."""
        if line == 1:
            found = re.fullmatch(f"{FIRST}/([1-9][0-9]*)", text)
            check(found, "not-interchange", line)
            check(int(found[1]) == VERSION, "version", line)
            return None
        if text:
            name, colon, value = text.partition(": ")
            check(colon, "header", line)
            self.fields.append((name, value))
            check_fields(self.fields, line)
            return None
        return Header(self.fields)

    def is_trailer(self, text: str, line: int) -> bool:
        return text.partition("\t")[0] == "end"

    def row(self, text: str, header: Header) -> Row | None:
        string, *rest = text.split("\t", 2 if header.has_ids else 1)
        if len(rest) != 1 + header.has_ids or rest[0] not in ("0", "1"):
            return None
        return row_of(string, rest[0] == "1", rest[1] if header.has_ids else None, header)

    def trailer(self, text: str) -> tuple[int, str] | None:
        found = TRAILER.fullmatch(text)
        return (int(found[1]), found[2]) if found else None


class JsonLines:
    """The form of JSON lines. [15.8]"""

    def header(self, text: str, line: int) -> Header | None:
        names = dict(json_object(text, line))
        version = names.pop(FIRST, None)
        check(isinstance(version, int) and not isinstance(version, bool) and version > 0, "not-interchange", line)
        check(version == VERSION, "version", line)
        fields = []
        for name, value in names.items():
            values = value if isinstance(value, list) and value else [value]
            check(all(isinstance(one, str) for one in values), "header", line)
            fields += [(name, one) for one in values]
        check_fields(fields, line)
        return Header(fields)

    def is_trailer(self, text: str, line: int) -> bool:
        return "end" in json_object(text, line)

    def row(self, text: str, header: Header) -> Row | None:
        names = json_object(text, 0)
        string, short, own = names.get("print"), names.get("short"), names.get("id")
        if not isinstance(string, str) or not isinstance(short, bool) or ("id" in names) != header.has_ids:
            return None
        return row_of(string, short, own, header) if own is None or isinstance(own, str) else None

    def trailer(self, text: str) -> tuple[int, str] | None:
        end = json_object(text, 0)["end"]
        count, digest = (end.get("count"), end.get("sha256")) if isinstance(end, dict) else (None, None)
        whole = isinstance(count, int) and not isinstance(count, bool) and count >= 0
        return (count, digest) if whole and isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest) else None


@functools.lru_cache(maxsize=1)
def json_object(text: str, line: int) -> dict[str, object]:
    """A line that is a JSON object. [15.8]"""
    try:
        value = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        value = None
    check(isinstance(value, dict), "encoding", line)
    check(not SURROGATE.search(json.dumps(value, ensure_ascii=False)), "encoding", line)
    return value


def refuse_constant(name: str) -> None:
    """JSON has no NaN and no infinity."""
    raise ValueError(name)


FORMS = {"lines": Lines, "jsonl": JsonLines}


def check(holds: object, reason: str, line: int) -> None:
    """Refuses a file where something does not hold. [15.9]"""
    if not holds:
        raise RefusedFileError(reason, line)


def check_fields(fields: list[tuple[str, str]], line: int) -> None:
    """What holds of names and values. [15.3] [15.4]"""
    once = [name for name, _ in fields if name not in REPEATABLE]
    check(len(fields) <= MOST_NAMES and len(set(once)) == len(once), "header", line)
    check(all(NAME.fullmatch(name) and VALUE.fullmatch(value) for name, value in fields), "header", line)
    check(all(value == "none" for name, value in fields if name == "Ids"), "header", line)
    check(not any(name.startswith("Critical-") for name, _ in fields), "critical", line)


def row_of(string: str, short: bool, own: str | None, header: Header) -> Row | None:
    """A row whose parts are well formed; the scheme is checked apart. [15.5]"""
    try:
        sd1.read_string(string, header.bits)
    except sd1.RefusedError:
        return None
    data = id_bytes(own) if own is not None else None
    if string != sd1.ascii_lower(string) or (header.has_ids and data is None):
        return None
    return Row(string, short, data)


def row_line(row: Row) -> str:
    """A row in the form of text, without its end. [15.5]"""
    fields = [row.string, "1" if row.short else "0", *([] if row.id is None else [id_text(row.id)])]
    return "\t".join(fields)


# ---------------------------------------------------------------- Reading


def whole_lines(data: Iterable[bytes]) -> Iterator[tuple[int, str | None]]:
    """The lines of pieces of a file with their numbers, each checked; None for one that the end cuts off. [15.1]"""
    left, line = b"", 1
    for piece in data:
        *ended, left = (left + piece).split(b"\n")
        for content in ended:
            check(len(content) <= LONGEST_LINE, "line-length", line)
            try:
                text = content.decode("utf-8")
            except UnicodeDecodeError:
                raise RefusedFileError("encoding", line) from None
            check(not CONTROL.search(text), "encoding", line)
            yield line, text
            line += 1
        check(len(left) <= LONGEST_LINE, "line-length", line)
    if left:
        yield line, None


def read(data: Iterable[bytes], form: str = "lines") -> Iterator[Header | Row | tuple[int, str]]:
    """The header, the rows and at last the trailer, which shows that all of it was whole. [15.2] to [15.9]"""
    parser, header, count, digest, done, line = FORMS[form](), None, 0, hashlib.sha256(), False, 0
    for line, text in whole_lines(data):
        check(not done, "trailer", line)
        check(text is not None, "truncated", line)
        if header is None:
            header = parser.header(text, line)
            if header is not None:
                check(header.bits, "scheme", line)
                yield header
        elif parser.is_trailer(text, line):
            trailer = parser.trailer(text)
            check(trailer, "trailer", line)
            check(trailer[0] == count, "count", line)
            check(trailer[1] == digest.hexdigest(), "digest", line)
            done = True
            yield trailer
        else:
            row = parser.row(text, header)
            check(row, "row", line)
            check(row.scheme == header.value("Scheme"), "foreign", line)
            count += 1
            digest.update(f"{row_line(row)}\n".encode())
            yield row
    check(done, "truncated", line + 1)


class File(NamedTuple):
    """A whole file."""

    header: Header
    rows: list[Row]
    digest: str


def read_file(data: bytes, form: str = "lines") -> File:
    """A file that is accepted, or refused."""
    header, *rows, (_, digest) = read([data], form)
    return File(header, rows, digest)


# ---------------------------------------------------------------- Writing


def write(fields: list[tuple[str, str]], rows: Iterable[Row], form: str = "lines") -> Iterator[bytes]:
    """The lines of a file. [15.1] to [15.8]"""
    check_fields(fields, 1)
    header = Header(fields)
    check(header.bits, "scheme", 1)
    if form == "lines":
        yield ended(f"{FIRST}/{VERSION}", 1)
        for name, value in fields:
            yield ended(f"{name}: {value}", 1)
        yield ended("", 1)
    else:
        names: dict[str, object] = {FIRST: VERSION}
        for name, value in fields:
            names[name] = [*names[name], value] if name in names else [value] if name in REPEATABLE else value
        yield ended(json_text(names), 1)
    count, digest = 0, hashlib.sha256()
    for count, row in enumerate(rows, 1):
        text = row_line(row)
        check((row.id is not None) == header.has_ids and Lines().row(text, header) == row, "row", count)
        check(row.scheme == header.value("Scheme"), "foreign", count)
        digest.update(f"{text}\n".encode())
        own = {} if row.id is None else {"id": id_text(row.id)}
        written = text if form == "lines" else json_text({"print": row.string, "short": row.short} | own)
        yield ended(written, count)
    trailer = {"end": {"count": count, "sha256": digest.hexdigest()}}
    yield ended(f"end\t{count}\t{digest.hexdigest()}" if form == "lines" else json_text(trailer), count)


def ended(line: str, number: int) -> bytes:
    """A line with its end, or refused. [15.1]"""
    data = line.encode()
    check(len(data) <= LONGEST_LINE, "line-length", number)
    return data + b"\n"


def json_text(value: dict[str, object]) -> str:
    """An object with no more white space or escapes than there must be. [15.8]"""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# ---------------------------------------------------------------- Comparing


class Relation(NamedTuple):
    """What holds of two files before any of their fingerprints are compared. [15.10]"""

    unlike: list[str] | None  # the two schemes, where they are different
    same_profile: bool
    same_extractors: bool
    far: bool  # fingerprints of one document can be farther apart than the default k
    short: list[int]
    rows: list[int]


def relation(one: File, other: File) -> Relation:
    """How two files can be compared. [15.10]"""
    headers = [one.header, other.header]
    schemes = [header.value("Scheme") for header in headers]
    declarations = [header.value("Declaration") for header in headers]
    profiles = [header.value("Extraction-Profile") for header in headers]
    extractors = [sorted(header.values("Extractor")) for header in headers]
    same_profile = profiles[0] is not None and profiles[0] == profiles[1]
    same_extractors = bool(extractors[0]) and extractors[0] == extractors[1]
    far = not same_profile and not same_extractors and schemes[0] not in ROBUST
    counts = [[sum(row.short for row in file.rows) for file in (one, other)], [len(one.rows), len(other.rows)]]
    like = schemes[0] == schemes[1] and declarations[0] == declarations[1]
    return Relation(None if like else schemes, same_profile, same_extractors, far, *counts)


def main() -> None:
    status = 0
    for name in sys.argv[1:]:
        data = Path(name).read_bytes()
        try:
            file = read_file(data, "jsonl" if data.startswith(b"{") else "lines")
        except RefusedFileError as refused:
            print(f"{name}: refused, {refused}")
            status = 1
        else:
            short = sum(row.short for row in file.rows)
            print(f"{name}: {len(file.rows)} fingerprints of {file.header.value('Scheme')}, {short} short")
    sys.exit(status)


if __name__ == "__main__":
    main()
