"""The inputs of the vectors of tables of inverse document frequencies: clauses 13.9 to 13.12.

As vector_inputs.py: `want` is known without the reference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import nearprint_idf as idf
from vector_inputs import ENGLISH, Planned, case

# ---------------------------------------------------------------- logarithms: [13.11]

KNOWN = [  # the number, its binary logarithm by hand: floor(65536 log2 x)
    (1, 0),
    (2, 65536),
    (3, 103872),
    (4, 131072),
    (5, 152169),
    (6, 169408),
    (7, 183982),
    (8, 196608),
    (10, 217705),
    (100, 435411),
    (1000, 653117),
    (65536, 1048576),
    (1000000, 1306235),
    (2147483648, 2031616),
]


def logarithms() -> Iterator[Planned]:
    for number, known in KNOWN:
        yield case(f"{number}", "13.11", {"logarithm": known}, number=number)
    number = 1
    while number < 2**32:
        for near in {number - 1, number + 1, number * 5 // 3, number * 99 // 70} - {0, *(known for known, _ in KNOWN)}:
            if near < 2**32 and near not in (number * 2 - 1, number * 2):
                yield case(f"{near}, near {number}", "13.11", number=near)
        number *= 2
    yield case("the greatest", "13.11", number=2**32 - 1)


# ---------------------------------------------------------------- idf_tables: [13.9] [13.10] [13.12]

TEXTS = [
    "Fog came in at noon.",
    "Fog, and fog again, and rain at noon",
    "1 2 3",
    "the rain came in",
    "Stra\u00dfe: fog in the stra\u00dfe",
    "",
]
FEATURES = ["fog", "noon", "again", "strasse", "the", "never met", ""]
COUNTED = [
    "custom:words,log,lookup3,64",
    "custom:words,tf,xxh3,32,stop=en",
    "custom:words,tf,murmur3,128,min=4",
    "custom:words,binary,fnv1a,64,stop=de,min=3",
    "custom:shingles-2,log,lookup3,64",
    "custom:chars-4,log,lookup3,64",
]


def idf_tables() -> Iterator[Planned]:
    for declaration in COUNTED:
        for least in (1, 2, 3):
            yield case(
                f"{declaration}, in {least} or more",
                "13.9 13.10 13.12",
                declaration=declaration,
                least=least,
                texts=TEXTS,
                features=FEATURES,
            )
    words = {"declaration": COUNTED[0], "least": 1}
    # 65536 + L(5) - L(n + 1): fog is in three of the four documents that have words, noon in two, again in one.
    want = {"documents": 4, "weights": [86633, 113833, 152169, 217705]}
    yield case(
        "weights by hand", "13.9 13.12", want, **words, texts=TEXTS, features=["fog", "noon", "again", "never met"]
    )
    yield case(
        "a word often in one document counts once",
        "13.9",
        {"documents": 2, "weights": [103872 + 65536 - 65536]},
        **words,
        texts=["tea tea tea", "milk"],
        features=["tea"],
    )
    yield case(
        "one document: nothing weighs nothing",
        "13.12",
        {"documents": 1, "weights": [65536, 131072]},
        **words,
        texts=["tea"],
        features=["tea", "milk"],
    )
    yield case(
        "what has no entry counts as in T - 1 documents",
        "13.12",
        {"documents": 3, "weights": [131072]},
        declaration=COUNTED[0],
        least=2,
        texts=["tea", "tea and milk", "tea"],
        features=["milk"],
    )
    yield case(
        "or as in all, where there are fewer",
        "13.12",
        {"documents": 2, "weights": [65536]},
        declaration=COUNTED[0],
        least=9,
        texts=["tea", "milk"],
        features=["milk"],
    )


# ---------------------------------------------------------------- idf_readings: [13.10]


def summed(data: bytes) -> bytes:
    """Bytes with their SHA-256 behind them."""
    return data + hashlib.sha256(data).digest()


def table_of(declaration: str, least: int = 2) -> bytes:
    """A table of the texts above."""
    return idf.bytes_of(idf.table_of(declaration, least, TEXTS))


def named(data: bytes, declaration: str) -> str:
    """The declaration with a table's digest."""
    return f"{declaration},idf={idf.digest_of(data)}"


def idf_readings() -> Iterator[Planned]:
    for declaration in COUNTED:
        whole = table_of(declaration)
        counted = {"counted": idf.counted(declaration)}
        given = {"table_hex": whole.hex(), "declaration": named(whole, declaration)}
        yield case(f"accepted: {declaration}", "13.10 13.1 13.2", counted, **given)
    whole = table_of(COUNTED[0])
    right = named(whole, COUNTED[0])
    other = table_of(COUNTED[0], 1)
    refused = {"counted": "words,lookup3", "id": None}
    digest = right[-26:]
    for name, declaration in [
        ("another weight and width: accepted", f"custom:words,tf,lookup3,128,idf={digest}"),
        ("another hash", f"custom:words,log,xxh3,64,idf={digest}"),
        ("other features", f"custom:chars-4,log,lookup3,64,idf={digest}"),
        ("a stop list that the table has not", f"custom:words,log,lookup3,64,stop=en,idf={digest}"),
        ("another table's digest", named(other, COUNTED[0])),
        ("upper case", f"custom:words,log,lookup3,64,idf={digest.upper()}"),
        ("bits behind the last octet", right[:-1] + chr(ord(right[-1]) + 1)),
        ("cut", right[:-1]),
        ("one character more", right + "a"),
        ("twice", f"{right},idf={digest}"),
        ("in front of another part", f"custom:words,log,lookup3,64,idf={digest},min=3"),
        ("none", COUNTED[0]),
    ]:
        want = {"counted": "words,lookup3"} if "accepted" in name else refused
        yield case(f"declaration: {name}", "13.10 13.1", want, table_hex=whole.hex(), declaration=declaration)

    body = whole[:-32]
    entries = 32 + len("words,lookup3")
    le = lambda number, size: number.to_bytes(size, "little")  # noqa: E731
    replaced = lambda at, new: body[:at] + new + body[at + len(new) :]  # noqa: E731
    for name, data in [
        ("nothing", b""),
        ("another beginning", summed(replaced(0, b"\x88"))),
        ("version 2", summed(replaced(8, b"\x02"))),
        ("version 0", summed(replaced(8, b"\x00"))),
        ("no documents", summed(replaced(12, bytes(4)))),
        ("a document too many", summed(replaced(12, b"\xff\xff\xff\xff"))),
        ("fewer documents than a count", summed(replaced(12, b"\x01"))),
        ("least 0", summed(replaced(16, bytes(4)))),
        ("least above a count", summed(replaced(16, b"\x03"))),
        ("a longer name", summed(replaced(20, b"\x0e"))),
        ("one entry less", summed(replaced(24, bytes([body[24] - 1])))),
        ("a name in upper case", summed(replaced(32, b"W"))),
        ("a name with a table", summed(body[:20] + le(44, 4) + bytes(8) + f"words,lookup3,idf={digest}".encode())),
        ("a name with a weight", summed(body[:20] + le(16, 4) + bytes(8) + b"words,tf,lookup3")),
        ("a name with a line end", summed(body[:20] + le(14, 4) + bytes(8) + b"words,lookup3\n")),
        (
            "entries swapped",
            summed(replaced(entries, body[entries + 12 : entries + 24] + body[entries : entries + 12])),
        ),
        ("an entry twice", summed(replaced(entries + 12, body[entries : entries + 12]))),
        ("cut", whole[:-1]),
        ("an octet more", whole + b"\x00"),
        ("an octet changed", replaced(entries, b"\x00" if body[entries] else b"\x01") + whole[-32:]),
        ("another SHA-256", whole[:-1] + bytes([whole[-1] ^ 1])),
    ]:
        given = {"table_hex": data.hex(), "declaration": named(data, COUNTED[0]) if data else right}
        yield case(f"octets: {name}", "13.10", {"counted": None, "id": None}, **given)
    empty = summed(body[:24] + bytes(8) + body[32:entries])
    counted = {"counted": "words,lookup3"}
    yield case("no entries", "13.10", counted, table_hex=empty.hex(), declaration=named(empty, COUNTED[0]))


# ---------------------------------------------------------------- idf_documents: [13.7] [13.12]


def idf_documents() -> Iterator[Planned]:
    none = {"count": 0, "short": None, "value": None, "string": None}
    for declaration in COUNTED:
        for least in (1, 2):
            data = table_of(declaration, least)
            given = {"table_hex": data.hex(), "declaration": named(data, declaration)}
            clauses = "13.1 13.7 13.10 13.11 13.12"
            yield case(f"English, {declaration}, {least}", clauses, **given, text=f"{ENGLISH} {ENGLISH} {TEXTS[1]}")
            for number, text in enumerate(TEXTS):
                want = {} if declaration.count("=") or number not in (2, 5) else none
                yield case(f"text {number}, {declaration}, {least}", "13.7 13.12", want, **given, text=text)
    data = table_of(COUNTED[0], 1)
    for weight in ("binary", "tf", "log"):
        for bits in (32, 64, 128):
            declaration = named(data, f"custom:words,{weight},lookup3,{bits}")
            text = "fog " * 9 + "rain " * 5 + "noon " * 3 + "again " * 2 + "never met before"
            given = {"table_hex": data.hex(), "declaration": declaration}
            yield case(f"words of many frequencies, {weight}, {bits} bits", "13.7 13.12", **given, text=text)


STAGES = (logarithms, idf_tables, idf_readings, idf_documents)
ALL = {stage.__name__: stage for stage in STAGES}
