"""The vectors of section 15, spec/INTERCHANGE.md: files and their verdicts, and how the reference answers them.

As vector_inputs.py: `want` is known without the reference. The digests of the files here are those of the library, of
rows that are written out.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from types import ModuleType

import nearprint_interchange  # noqa: F401, which interchange() looks up
from vector_inputs import Planned, case

Fields = dict[str, object]

FOG = "sd1:tohkysuixv3oy"  # of the text: Fog came in at noon
CAME = "sd1:dcqiqcuyqvika"  # Fog came
CUSTOM = "custom:words,tf,lookup3,64"
CUSTOM_ID = "custom-ewakuhdxgkdfq"


def digest(*rows: str) -> str:
    return hashlib.sha256("".join(f"{row}\n" for row in rows).encode("utf-8")).hexdigest()


def lines(*rows: str, header: tuple[str, ...] = ("Scheme: sd1",), end: str | None = None) -> str:
    """A file, whose trailer fits where none is given."""
    trailer = f"end\t{len(rows)}\t{digest(*rows)}" if end is None else end
    return "".join(
        f"{line}\n" for line in ("nearprint-interchange/1", *header, "", *rows, *([trailer] if trailer else []))
    )


ROWS = (f"{FOG}\t1\ta/1.txt", f"{CAME}\t0\t2")
ROWS_READ = [[FOG, True, b"a/1.txt".hex()], [CAME, False, b"2".hex()]]


# ---------------------------------------------------------------- reading: [15.1] to [15.9]


def refused(reason: str, line: int) -> Fields:
    return {"header": None, "rows": None, "count": None, "sha256": None, "reason": reason, "line": line}


GOOD = [  # name, clauses, text, rows
    ("two rows", "15.1 15.2 15.3 15.5 15.7", lines(*ROWS), ROWS_READ),
    ("no rows", "15.5 15.7", lines(), []),
    ("equal rows", "15.5", lines(ROWS[0], ROWS[0]), [ROWS_READ[0]] * 2),
    ("unknown names are ignored", "15.4", lines(header=("Scheme: sd1", "X-Depth: 3", "critical-x: 1")), []),
    ("names in any order, and the extractor twice", "15.3",
     lines(header=("Extractor: b/2 html/1", "Scheme: sd1", "Extractor: a/1")), []),
    ("values with colons, spaces and letters", "15.3", lines(header=("Scheme: sd1", "Collection: é: a  b :c")), []),
    ("a name of 64", "15.3", lines(header=("Scheme: sd1", "N" * 64 + ": 1")), []),
    ("1000 names", "15.3", lines(header=("Scheme: sd1", *(f"N{n}: 1" for n in range(999)))), []),
    ("without ids", "15.3 15.5", lines(f"{FOG}\t1", f"{CAME}\t0", header=("Ids: none", "Scheme: sd1")),
     [[FOG, True, None], [CAME, False, None]]),
    ("a custom scheme", "15.3", lines(header=(f"Scheme: {CUSTOM_ID}", f"Declaration: {CUSTOM}")), []),
    ("a row of a custom scheme", "15.3 15.5",
     lines(f"{CUSTOM_ID}:tohkysuixv3oy\t0\ta", header=(f"Scheme: {CUSTOM_ID}", f"Declaration: {CUSTOM}")),
     [[f"{CUSTOM_ID}:tohkysuixv3oy", False, "61"]]),
    ("seomoz-legacy", "15.3", lines("seomoz-legacy:tohkysuixv3oy\t0\ta", header=("Scheme: seomoz-legacy",)),
     [["seomoz-legacy:tohkysuixv3oy", False, "61"]]),
    ("ids with letters, blanks, quotes and backslashes", "15.6", lines(f'{FOG}\t1\té "b" \\ '),
     [[FOG, True, 'é "b" \\ '.encode().hex()]]),
    ("ids with tabulators, line ends and percent signs", "15.6", lines(f"{FOG}\t1\t%09a%0A100%25"),
     [[FOG, True, b"\ta\n100%".hex()]]),
    ("ids with controls of two bytes", "15.6", lines(f"{FOG}\t1\t%C2%85%7F%00"), [[FOG, True, "c2857f00"]]),
    ("ids that are not UTF-8", "15.6", lines(f"{FOG}\t1\t%FF%E2%82é%ED%A0%80"), [[FOG, True, "ffe282c3a9eda080"]]),
    ("ids with line separators and a byte order mark", "15.6", lines(f"{FOG}\t1\t\ufeffa\u2028b"),
     [[FOG, True, "\ufeffa\u2028b".encode().hex()]]),
]  # fmt: skip
BAD = [  # name, clauses, text, reason, line
    ("an empty file", "15.9", "", "truncated", 1),
    ("another format", "15.2 15.9", "sd1:tohkysuixv3oy\ta\n", "not-interchange", 1),
    ("a byte order mark", "15.1 15.2", "\ufeff" + lines(), "not-interchange", 1),
    ("a blank after the first line", "15.2", lines().replace("/1\n", "/1 \n", 1), "not-interchange", 1),
    ("version 0", "15.2", lines().replace("/1\n", "/0\n", 1), "not-interchange", 1),
    ("version 2", "15.2", lines().replace("/1\n", "/2\n", 1), "version", 1),
    ("version 10", "15.2", lines().replace("/1\n", "/10\n", 1), "version", 1),
    ("carriage returns", "15.1", lines(*ROWS).replace("\n", "\r\n"), "encoding", 1),
    ("a control in the header", "15.1", lines(header=("Scheme: sd1", "A: b\x85c")), "encoding", 3),
    ("a tabulator in the header", "15.3", lines(header=("Scheme: sd1", "A: b\tc")), "header", 3),
    ("no value", "15.3", lines(header=("Scheme: sd1", "Collection: ")), "header", 3),
    ("no blank after the colon", "15.3", lines(header=("Scheme:sd1",)), "header", 2),
    ("two blanks after the colon", "15.3", lines(header=("Scheme:  sd1",)), "header", 2),
    ("a blank after the value", "15.3", lines(header=("Scheme: sd1 ",)), "header", 2),
    ("a name with a letter beyond ASCII", "15.3", lines(header=("Scheme: sd1", "Größe: 3")), "header", 3),
    ("a name that begins with a digit", "15.3", lines(header=("Scheme: sd1", "1A: 3")), "header", 3),
    ("a name of 65", "15.3", lines(header=("Scheme: sd1", "N" * 65 + ": 1")), "header", 3),
    ("1001 names", "15.3", lines(header=("Scheme: sd1", *(f"N{n}: 1" for n in range(1000)))), "header", 1002),
    ("a name twice", "15.3", lines(header=("Scheme: sd1", "Creator: a", "Creator: b")), "header", 4),
    ("ids that are neither there nor not", "15.3", lines(header=("Ids: all", "Scheme: sd1")), "header", 2),
    ("a critical name", "15.4", lines(header=("Critical-Order: id", "Scheme: sd1")), "critical", 2),
    ("no scheme", "15.3", lines(header=("Collection: a",)), "scheme", 3),
    ("no header", "15.3", lines(header=()), "scheme", 2),
    ("an unknown scheme", "15.3", lines(header=("Scheme: sd2",)), "scheme", 3),
    ("a scheme in capitals", "15.3", lines(header=("Scheme: SD1",)), "scheme", 3),
    ("a custom scheme without its declaration", "15.3", lines(header=(f"Scheme: {CUSTOM_ID}",)), "scheme", 3),
    ("a declaration that is refused", "15.3",
     lines(header=(f"Scheme: {CUSTOM_ID}", "Declaration: custom:words")), "scheme", 4),
    ("a declaration of another id", "15.3",
     lines(header=(f"Scheme: {CUSTOM_ID}", f"Declaration: {CUSTOM},min=3")), "scheme", 4),
    ("a declaration of no custom scheme", "15.3", lines(header=("Scheme: sd1", f"Declaration: {CUSTOM}")), "scheme", 4),
    ("an empty line among rows", "15.5", lines(ROWS[0], ""), "row", 5),
    ("no mark", "15.5", lines(f"{FOG}\ta"), "row", 4),
    ("another mark", "15.5", lines(f"{FOG}\t2\ta"), "row", 4),
    ("no id", "15.5", lines(f"{FOG}\t1"), "row", 4),
    ("an empty id", "15.6", lines(f"{FOG}\t1\t"), "row", 4),
    ("an id where there are none", "15.3 15.5", lines(f"{FOG}\t1\ta", header=("Ids: none", "Scheme: sd1")), "row", 5),
    ("a fingerprint in capitals", "15.5", lines(f"{FOG.upper()}\t1\ta"), "row", 4),
    ("a fingerprint that is cut", "15.5", lines(f"{FOG[:-1]}\t1\ta"), "row", 4),
    ("a fingerprint of a scheme that no one knows", "15.5", lines("sd9:tohkysuixv3oy\t1\ta"), "row", 4),
    ("a fingerprint of another scheme", "15.5 15.9", lines(ROWS[0], "sl1:tohkysuixv3oy\t1\ta"), "foreign", 5),
    ("an id with a tabulator", "15.6", lines(f"{FOG}\t1\ta\tb"), "row", 4),
    ("an id with a percent sign", "15.6", lines(f"{FOG}\t1\t100%"), "row", 4),
    ("an id with digits in lower case", "15.6", lines(f"{FOG}\t1\ta%0a"), "row", 4),
    ("an id that encodes a letter", "15.6", lines(f"{FOG}\t1\t%41"), "row", 4),
    ("an id that encodes valid UTF-8", "15.6", lines(f"{FOG}\t1\t%C3%A9"), "row", 4),
    ("an id with a control", "15.1", lines(f"{FOG}\t1\ta\x01"), "encoding", 4),
    ("no trailer", "15.7", lines(*ROWS, end=""), "truncated", 6),
    ("the header alone", "15.7", "nearprint-interchange/1\nScheme: sd1\n", "truncated", 3),
    ("cut within a row", "15.7", lines(*ROWS, end="")[:-3], "truncated", 5),
    ("cut within the trailer", "15.7", lines(*ROWS)[:-1], "truncated", 6),
    ("the word end alone", "15.7", lines(*ROWS, end="end"), "trailer", 6),
    ("a count with a leading zero", "15.7", lines(*ROWS, end=f"end\t02\t{digest(*ROWS)}"), "trailer", 6),
    ("a digest in capitals", "15.7", lines(*ROWS, end=f"end\t2\t{digest(*ROWS).upper()}"), "trailer", 6),
    ("another count", "15.7", lines(*ROWS, end=f"end\t3\t{digest(*ROWS)}"), "count", 6),
    ("another digest", "15.7", lines(*ROWS, end=f"end\t2\t{digest(ROWS[0])}"), "digest", 6),
    ("another row", "15.7", lines(*ROWS, end=f"end\t2\t{digest(*ROWS)}").replace("\t0\t2", "\t1\t2"), "digest", 6),
    ("a line after the trailer", "15.7", lines(*ROWS) + "\n", "trailer", 7),
    ("bytes after the trailer", "15.7", lines(*ROWS) + "x", "trailer", 7),
    ("two files", "15.7", lines(*ROWS) * 2, "trailer", 7),
]  # fmt: skip
LONG = [  # name, text, how many letters are for the U+2026, reason, line
    ("the longest line", lines(header=("Scheme: sd1", "A: \u2026")), 1048576 - 3, None, None),
    ("refused: a line that is too long", lines(header=("Scheme: sd1", "A: \u2026")), 1048576 - 2, "line-length", 3),
    ("refused: a row that is too long", lines(f"{FOG}\t1\t\u2026"), 1048576, "line-length", 4),
    ("refused: a line that is too long, and cut", lines(end="") + "\u2026", 1048577, "line-length", 4),
    ("refused: a long line that is cut", lines(end="") + "\u2026", 1048576, "truncated", 4),
]
BROKEN = [("an overlong form in the header", "nearprint-interchange/1\nA: ", "c0af0a", "encoding", 2)]


def json_lines(*rows: str, header: str = '"Scheme":"sd1"', end: str = "", first: str = "1") -> str:
    """A file in the form of JSON lines, of rows that are given as such lines."""
    return "".join(
        f"{line}\n" for line in (f'{{"nearprint-interchange":{first},{header}}}', *rows, *([end] if end else []))
    )


def end_of(*rows: str) -> str:
    return f'{{"end":{{"count":{len(rows)},"sha256":"{digest(*rows)}"}}}}'


JSON_ROWS = (f'{{"print":"{FOG}","short":true,"id":"a/1.txt"}}', f'{{"print":"{CAME}","short":false,"id":"2"}}')
JSON_GOOD = [  # name, text, rows
    ("two rows", json_lines(*JSON_ROWS, end=end_of(*ROWS)), ROWS_READ),
    ("white space and escapes", json_lines(f' {{ "short" :true,\t"id":"a\\u002f1.txt", "print":"{FOG}" }} ', JSON_ROWS[1],
     end=end_of(*ROWS)), ROWS_READ),
    ("other fields of rows and trailer", json_lines(JSON_ROWS[0].replace("{", '{"tokens":5,'), JSON_ROWS[1],
     end=end_of(*ROWS).replace("}}", ',"more":{}},"x":1}')), ROWS_READ),
    ("encoded ids", json_lines(f'{{"print":"{FOG}","short":true,"id":"%FF%25"}}', end=end_of(f"{FOG}\t1\t%FF%25")),
     [[FOG, True, "ff25"]]),
    ("without ids", json_lines(f'{{"print":"{FOG}","short":true}}', end=end_of(f"{FOG}\t1"),
     header='"Ids":"none","Scheme":"sd1"'), [[FOG, True, None]]),
    ("several extractors", json_lines(end=end_of(), header='"Scheme":"sd1","Extractor":["a/1","b/2"]'), []),
]  # fmt: skip
JSON_BAD = [  # name, text, reason, line
    ("no JSON", json_lines(*JSON_ROWS, "x", end=end_of(*ROWS)), "encoding", 4),
    ("no object", json_lines("[]", end=end_of(*ROWS)), "encoding", 2),
    ("a number that is none", json_lines('{"print":NaN}', end=end_of(*ROWS)), "encoding", 2),
    ("an empty line", json_lines("", end=end_of()), "encoding", 2),
    ("no version", '{"Scheme":"sd1"}\n' + end_of() + "\n", "not-interchange", 1),
    ("a version that is no number", json_lines(first='"1"', end=end_of()), "not-interchange", 1),
    ("version 2", json_lines(first="2", end=end_of()), "version", 1),
    ("a value that is no string", json_lines(header='"Scheme":"sd1","A":3', end=end_of()), "header", 1),
    ("a value with a line end", json_lines(header='"Scheme":"sd1","A":"a\\nb"', end=end_of()), "header", 1),
    ("half a pair in a value", json_lines(header='"Scheme":"sd1","A":"\\ud800"', end=end_of()), "encoding", 1),
    ("an array of names that occur once", json_lines(header='"Scheme":"sd1","A":["b","c"]', end=end_of()), "header", 1),
    ("a critical name", json_lines(header='"Scheme":"sd1","Critical-A":"b"', end=end_of()), "critical", 1),
    ("no scheme", json_lines(header='"A":"b"', end=end_of()), "scheme", 1),
    ("no mark", json_lines(f'{{"print":"{FOG}","id":"a"}}', end=end_of(*ROWS)), "row", 2),
    ("a mark that is a number", json_lines(f'{{"print":"{FOG}","short":1,"id":"a"}}', end=end_of(*ROWS)), "row", 2),
    ("no id", json_lines(f'{{"print":"{FOG}","short":true}}', end=end_of(*ROWS)), "row", 2),
    ("an id that is null", json_lines(f'{{"print":"{FOG}","short":true,"id":null}}', end=end_of(*ROWS)), "row", 2),
    (
        "half a pair in an id",
        json_lines(f'{{"print":"{FOG}","short":true,"id":"\\ud800"}}', end=end_of()),
        "encoding",
        2,
    ),
    ("an id that is not encoded", json_lines(f'{{"print":"{FOG}","short":true,"id":"\\t"}}', end=end_of()), "row", 2),
    ("another scheme", json_lines('{"print":"sl1:tohkysuixv3oy","short":true,"id":"a"}', end=end_of()), "foreign", 2),
    ("a digest of the JSON lines", json_lines(*JSON_ROWS, end=end_of(*JSON_ROWS)), "digest", 4),
    ("another count", json_lines(JSON_ROWS[0], end=end_of(*ROWS)), "count", 3),
    ("a trailer that is no object", json_lines(end='{"end":true}'), "trailer", 2),
    ("a count that is a string", json_lines(end=end_of().replace("0,", '"0",')), "trailer", 2),
    ("no trailer", json_lines(*JSON_ROWS), "truncated", 4),
    ("something after the trailer", json_lines(end=end_of()) + "{}\n", "trailer", 3),
]

# What implementers asked or read in two ways, 2026-11-27: behind the others, as cases keep their places.
WIDE = "custom:words,tf,lookup3,128"
WIDE_ID = "custom-o7igxhnsl6emy"
ASKED_BAD = [  # name, clauses, text, reason, line
    ("a version with a leading zero", "15.2", lines().replace("/1\n", "/01\n", 1), "not-interchange", 1),
    ("a version without a number", "15.2", lines().replace("/1\n", "/\n", 1), "not-interchange", 1),
    ("a row, and a control in the line after it", "15.9", lines(f"{FOG}\t2\ta", f"{FOG}\t1\ta\x01"), "row", 4),
    ("another format, and a control in the line after it", "15.9", "sd1\n\x01\n", "not-interchange", 1),
    ("a critical name, and an empty name after it", "15.9",
     lines(header=("Critical-A: b", ": c", "Scheme: sd1")), "critical", 2),
    ("a fingerprint of a custom scheme that is not declared", "15.5",
     lines(f"{CUSTOM_ID}:tohkysuixv3oy\t0\ta"), "row", 4),
    ("a fingerprint of another scheme with a malformed id", "15.9", lines("sl1:tohkysuixv3oy\t1\t%"), "row", 4),
    ("a control after the trailer", "15.9", lines(*ROWS) + "\x01\n", "encoding", 7),
    ("a trailer with a third tabulator", "15.7", lines(end=f"end\t0\t{digest()}\t"), "trailer", 4),
]  # fmt: skip
ASKED_JSON_GOOD = [  # name, text, rows
    ("an array of one value", json_lines(end=end_of(), header='"Scheme":["sd1"],"Collection":["a"]'), []),
    ("the format behind other names", '{"Scheme":"sd1","nearprint-interchange":1}\n' + end_of() + "\n", []),
    ("999 extractors", json_lines(end=end_of(), header='"Scheme":"sd1","Extractor":[' + ",".join(['"a/1"'] * 999) + "]"),
     []),
]  # fmt: skip
ASKED_JSON_BAD = [  # name, text, reason, line
    ("1000 extractors", json_lines(end=end_of(), header='"Scheme":"sd1","Extractor":[' + ",".join(['"a/1"'] * 1000) + "]"),
     "header", 1),
    ("an empty array", json_lines(end=end_of(), header='"Scheme":"sd1","Extractor":[]'), "header", 1),
    ("an unknown name with an object", json_lines(end=end_of(), header='"Scheme":"sd1","A":{}'), "header", 1),
    ("a critical name before a malformed one", json_lines(end=end_of(), header='"Critical-A":"b","B":1'), "header", 1),
    ("a critical name without a scheme", json_lines(end=end_of(), header='"Critical-A":"b"'), "critical", 1),
    ("version 0", json_lines(first="0", end=end_of()), "not-interchange", 1),
    ("a version that is true", json_lines(first="true", end=end_of()), "not-interchange", 1),
    ("an id where there are none", json_lines(f'{{"print":"{FOG}","short":true,"id":"a"}}', end=end_of(),
     header='"Scheme":"sd1","Ids":"none"'), "row", 2),
    ("a trailer with the fields of a row", json_lines(JSON_ROWS[0].replace("{", '{"end":1,'), end=end_of()), "trailer", 2),
    ("a count that is negative", json_lines(end=end_of().replace("0,", "-1,", 1)), "trailer", 2),
    ("a count that is no whole number", json_lines(end=end_of().replace("0,", "0.5,", 1)), "trailer", 2),
    ("a digest in capitals", json_lines(end=end_of().replace(digest(), digest().upper())), "trailer", 2),
    ("no object after the trailer", json_lines(end=end_of()) + "x\n", "trailer", 3),
    ("a delete character", json_lines('{"a":"\x7f"}', end=end_of()), "encoding", 2),
    ("half a pair in a field that is ignored", json_lines(JSON_ROWS[0].replace("{", '{"a":{"\\udc00":1},'), end=end_of()),
     "encoding", 2),
]  # fmt: skip


def reading() -> Iterator[Planned]:
    for name, clauses, text, rows in GOOD:
        want = {"rows": rows, "reason": None}
        yield case(name, clauses, want, form="lines", text=text)
    for name, clauses, text, reason, line in BAD:
        yield case(f"refused: {name}", f"{clauses} 15.9", refused(reason, line), form="lines", text=text)
    for name, text, fill, reason, line in LONG:
        want = refused(reason, line) if reason else {"reason": None, "rows": []}
        yield case(name, "15.1 15.9", want, form="lines", text=text, fill=fill)
    for name, text, rest, reason, line in BROKEN:
        data = text.encode().hex() + rest
        yield case(f"refused: {name}", "15.1 15.9", refused(reason, line), form="lines", bytes_hex=data)
    for name, text, rows in JSON_GOOD:
        yield case(f"JSON: {name}", "15.8", {"rows": rows, "reason": None}, form="jsonl", text=text)
    for name, text, reason, line in JSON_BAD:
        yield case(f"JSON, refused: {name}", "15.8 15.9", refused(reason, line), form="jsonl", text=text)
    for name, clauses, text, reason, line in ASKED_BAD:
        yield case(f"refused: {name}", f"{clauses} 15.9", refused(reason, line), form="lines", text=text)
    for name, text, rows in ASKED_JSON_GOOD:
        yield case(f"JSON: {name}", "15.8", {"rows": rows, "reason": None}, form="jsonl", text=text)
    for name, text, reason, line in ASKED_JSON_BAD:
        yield case(f"JSON, refused: {name}", "15.8 15.9", refused(reason, line), form="jsonl", text=text)


# ---------------------------------------------------------------- writing: [15.1] to [15.8]

HEADER = [["Scheme", "sd1"], ["Extractor", "a/1"]]


def writing() -> Iterator[Planned]:
    two = [[FOG, True, b"a/1.txt".hex()], [CAME, False, b"2".hex()]]
    header = ("Scheme: sd1", "Extractor: a/1")
    want = {
        "lines": lines(*ROWS, header=header),
        "jsonl": json_lines(*JSON_ROWS, end=end_of(*ROWS), header='"Scheme":"sd1","Extractor":["a/1"]'),
    }
    yield case("two rows", "15.1 15.2 15.3 15.5 15.7 15.8", want, header=HEADER, rows=two)
    yield case("no rows", "15.7", {"lines": lines(header=header)}, header=HEADER, rows=[])
    for name, data, text in [
        ("controls", bytes(range(1, 33)) + b"\x7f%", "".join(f"%{n:02X}" for n in range(1, 32)) + " %7F%25"),
        ("controls of two bytes", b"\xc2\x80\xc2\x9f\xc2\xa0", "%C2%80%C2%9F\u00a0"),
        ("bytes that are not UTF-8", b"a\xff\xc3\xa9\xe2\x82\xf0\x9f\x98\x80", "a%FF\u00e9%E2%82\U0001f600"),
        ("encoded surrogates", b"\xed\xa0\x80", "%ED%A0%80"),
        ("quotes", b'"\\/', '"\\/'),
    ]:
        want = {"lines": lines(f"{FOG}\t1\t{text}", header=header)}
        yield case(f"an id with {name}", "15.6", want, header=HEADER, rows=[[FOG, True, data.hex()]])
    # In the other form either line is longer.
    longest = 1048576 - len(f"{FOG}\t1\t")
    trailer = f"end\t1\t{digest(f'{FOG}{chr(9)}1{chr(9)}' + 'a' * longest)}"
    want = {"lines": lines(f"{FOG}\t1\t\u2026", header=header, end=trailer)}
    given = {"header": HEADER, "rows": [[FOG, True, "\u2026"]]}
    yield case("a line of 1048576 bytes", "15.1", want | {"jsonl": None}, **given, fill=longest)
    none = {"lines": None, "jsonl": None}
    yield case("refused: a row of 1048577 bytes", "15.1", none, **given, fill=longest + 1)
    yield case(
        "refused: a name of 1048577 bytes",
        "15.1",
        none,
        header=[["Scheme", "sd1"], ["A", "\u2026"]],
        rows=[],
        fill=1048574,
    )
    bare = {"lines": lines(f"{FOG}\t1", header=("Scheme: sd1", "Ids: none"))}
    yield case("without ids", "15.3", bare, header=[["Scheme", "sd1"], ["Ids", "none"]], rows=[[FOG, True, None]])
    for name, fields, rows in [
        ("a value with a line end", [["Scheme", "sd1"], ["A", "b\nScheme: sl1"]], []),
        ("a critical name", [["Scheme", "sd1"], ["Critical-A", "b"]], []),
        ("no scheme", [["A", "b"]], []),
        ("a row of another scheme", HEADER, [["sl1:tohkysuixv3oy", True, "61"]]),
        ("a row without its id", HEADER, [[FOG, True, None]]),
        ("an id where there are none", [["Scheme", "sd1"], ["Ids", "none"]], [[FOG, True, "61"]]),
        ("an empty id", HEADER, [[FOG, True, ""]]),
        ("a fingerprint in capitals", HEADER, [[FOG.upper(), True, "61"]]),
    ]:
        nothing = {"lines": None, "jsonl": None}
        yield case(f"refused: {name}", "15.3 15.4 15.5 15.6", nothing, header=fields, rows=rows)
    # What a mutant of an implementation got past, 2026-11-27.
    valid = "\u00a0\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
    invalid = bytes.fromhex("c1bf e09fbf eda080 f08fbfbf f4908080 f5808080")
    for name, data, text in [
        ("the first and last of each length of UTF-8", valid.encode(), valid),
        ("bytes beyond each length of UTF-8", invalid, "".join(f"%{byte:02X}" for byte in invalid)),
    ]:
        want = {"lines": lines(f"{FOG}\t1\t{text}", header=header)}
        yield case(f"an id with {name}", "15.6", want, header=HEADER, rows=[[FOG, True, data.hex()]])


# ---------------------------------------------------------------- comparing: [15.10]


def comparing() -> Iterator[Planned]:
    def file(scheme: str, *more: str, rows: tuple[str, ...] = ()) -> str:
        return lines(*rows, header=(f"Scheme: {scheme}", *more))

    profile, tool = "Extraction-Profile: 1", "Extractor: a/1"
    for name, one, other, want in [
        ("nothing stated", file("sd1"), file("sd1"), {"unlike": None, "far": True, "same_extractors": False}),
        ("one profile", file("sd1", profile), file("sd1", profile), {"same_profile": True, "far": False}),
        ("a profile in one", file("sd1", profile), file("sd1"), {"same_profile": False, "far": True}),
        ("one extractor", file("sl1", tool), file("sl1", tool), {"same_extractors": True, "far": False}),
        ("extractors in another order", file("sd1", tool, "Extractor: b/2"), file("sd1", "Extractor: b/2", tool),
         {"same_extractors": True, "far": False}),
        ("sketches", file("md1"), file("md1"), {"far": False}),
        ("sketches of words", file("wd1"), file("wd1"), {"far": False}),
        ("two schemes", file("sd1"), file("md1"), {"unlike": ["sd1", "md1"]}),
        ("shares of short ones", file("sd1", rows=ROWS), file("sd1", rows=ROWS[:1]), {"short": [1, 1], "rows": [2, 1]}),
        ("two profiles", file("sd1", profile), file("sd1", "Extraction-Profile: 2"), {"same_profile": False, "far": True}),
        ("an extractor twice", file("sd1", tool, tool), file("sd1", tool), {"same_extractors": False, "far": True}),
        ("two custom schemes", file(CUSTOM_ID, f"Declaration: {CUSTOM}"),
         file(WIDE_ID, f"Declaration: {WIDE}"), {"unlike": [CUSTOM_ID, WIDE_ID]}),
    ]:  # fmt: skip
        yield case(name, "15.10", want, one=one, other=other)


INPUTS = {f"interchange/{stage.__name__}": stage for stage in (reading, writing, comparing)}


# ---------------------------------------------------------------- Answers


def answer_reading(reference: ModuleType, given: Fields) -> Fields:
    filling = "a" * given.get("fill", 0) or "\u2026"
    text = given.get("text", "").replace("\u2026", filling)
    data = bytes.fromhex(given["bytes_hex"]) if "bytes_hex" in given else text.encode("utf-8")
    try:
        file = interchange().read_file(data, given["form"])
    except ValueError as error:
        return refused(error.reason, error.line)
    rows = [[row.string, row.short, row.id.hex() if row.id is not None else None] for row in file.rows]
    fields = [[name, value.replace(filling, "\u2026")] for name, value in file.header.fields]
    return {"header": fields, "rows": rows, "count": len(rows), "sha256": file.digest, "reason": None, "line": None}


def answer_writing(reference: ModuleType, given: Fields) -> Fields:
    module, answer = interchange(), {}
    filling = "a" * given.get("fill", 0)
    fields = [(name, value.replace("\u2026", filling)) for name, value in given["header"]]
    rows = [
        module.Row(string, short, None if own is None else bytes.fromhex(own.replace("\u2026", "61" * len(filling))))
        for string, short, own in given["rows"]
    ]
    for form in module.FORMS:
        try:
            answer[form] = b"".join(module.write(fields, rows, form)).decode("utf-8")
            if filling:
                answer[form] = answer[form].replace(filling, "\u2026")
        except module.RefusedFileError:
            answer[form] = None
    return answer


def answer_comparing(reference: ModuleType, given: Fields) -> Fields:
    module = interchange()
    one, other = (module.read_file(given[side].encode("utf-8")) for side in ("one", "other"))
    return module.relation(one, other)._asdict()


def interchange() -> ModuleType:
    """The reference, or a changed one that is tried."""
    return sys.modules["nearprint_interchange"]


ANSWERS = {
    "interchange/reading": answer_reading,
    "interchange/writing": answer_writing,
    "interchange/comparing": answer_comparing,
}
