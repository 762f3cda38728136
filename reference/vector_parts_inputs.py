"""The inputs of the vectors of the parts that custom schemes have had since 1.2.

As vector_inputs.py: `want` is known without the reference. A file is a part: what it gives, and declarations with it.
"""

from __future__ import annotations

from collections.abc import Iterator

import nearprint_sd1 as sd1
from nearprint_idf import digest_of
from vector_custom_inputs import JAPANESE
from vector_idf_inputs import table_of
from vector_inputs import ENGLISH, Planned, case

REFUSED = {"id": None, "count": 0, "short": None, "value": None, "string": None}


def refused(clauses: str, declarations: list[str]) -> Iterator[Planned]:
    """Declarations that must be refused."""
    for declaration in declarations:
        yield case(f"refused: {declaration!a}", clauses, REFUSED, declaration=declaration, text="fog")


def texts(clauses: str, declaration: str, **given: object) -> Iterator[Planned]:
    """Some texts under a declaration."""
    for name, text in [
        ("English", f"{ENGLISH} {ENGLISH}"),
        ("few words", "Fog came in at noon, at noon"),
        ("pairs", JAPANESE),
    ]:
        yield case(f"{name}, {declaration}", clauses, declaration=declaration, text=text, **given)


# ---------------------------------------------------------------- custom_hashes: [13.5] since 1.2

PUBLISHED = [  # function, feature, what is published for it; of 32 bits as the upper half
    ("sha1-64", "", "95601890afd80709"),
    ("sha1-64", "abc", "7850c26c9cd0d89d"),
    ("fnv1a-32", "", "811c9dc500000000"),
    ("fnv1a-32", "a", "e40c292c00000000"),
    ("fnv1a-32", "foobar", "bf9cf96800000000"),
    ("murmur3-32", "", "0000000000000000"),
    ("murmur3-32", "hello", "248bfa4700000000"),
    ("murmur3-32", "The quick brown fox jumps over the lazy dog", "2e4ff72300000000"),
]


def custom_hashes() -> Iterator[Planned]:
    for function, feature, known in PUBLISHED:
        yield case(f"{function} of {feature!r}", "13.5", {"hash": known}, function=function, feature=feature)
    for function in ("sha1-64", "fnv1a-32", "murmur3-32"):
        yield case(f"{function} beyond ASCII", "13.5", function=function, feature="stra\u00dfe \u65e5\u672c")
        for length in (1, 2, 3, 4, 5, 6, 7, 8, 9, 55, 56, 63, 64, 65, 1024):
            data = bytes((7 + 13 * at) % 256 for at in range(length))
            yield case(f"{function} of {length} bytes", "13.5", function=function, bytes_hex=data.hex())
    for declaration in (
        "custom:words,tf,sha1-64,64",
        "custom:words,log,sha1-64,128",
        "custom:words,binary,sha1-64,32",
        "custom:words,tf,fnv1a-32,32",
        "custom:shingles-2,log,murmur3-32,32,stop=en",
    ):
        yield from texts("13.1 13.2 13.5 13.6 13.7", declaration)
    yield from refused(
        "13.1",
        [
            "custom:words,tf,sha1,64",
            "custom:words,tf,fnv1a-32,64",
            "custom:words,tf,murmur3-32,128",
            "custom:words,tf,fnv1a-64,64",
            "custom:words,tf,md5-32,32",
            "custom:words,tf,SHA1-64,64",
        ],
    )


# ---------------------------------------------------------------- custom_ties: [13.7] since 1.2


def custom_ties() -> Iterator[Planned]:
    words = "custom:words,tf,lookup3,64"
    # The hashes of both differ in these bits, whose counters are 0.
    fog, noon = (sd1.token_hash(word) for word in (b"fog", b"noon"))
    for declaration, value in ((words, fog & noon), (words + ",tie=1", fog | noon)):
        want = {"value": f"{value:016x}"}
        yield case(f"two words, {declaration}", "13.1 13.7", want, declaration=declaration, text="fog noon")
    for declaration in (
        "custom:words,binary,fnv1a-32,32,tie=1",
        "custom:words,log,xxh3,128,tie=1,stop=en,min=3",
        "custom:chars-2,tf,lookup3,64,tie=1",
    ):
        yield from texts("13.1 13.2 13.7", declaration)
    data = table_of("custom:words,tf,lookup3,64,tie=1", 1)
    declaration = f"custom:words,binary,lookup3,64,tie=1,idf={digest_of(data)}"
    yield from texts("13.1 13.7 13.10", declaration, table_hex=data.hex())
    none = {field: value for field, value in REFUSED.items() if field != "id"}
    yield case("nothing", "13.7", none, declaration=words + ",tie=1", text="1 2 3")
    yield from refused(
        "13.1",
        [words + ",tie=0", words + ",tie=", words + ",tie", words + ",stop=en,tie=1", words + ",tie=1,tie=1"],
    )


# ---------------------------------------------------------------- custom_whitespace: [13.3] since 1.2


def custom_whitespace() -> Iterator[Planned]:
    words = "custom:words,tf,lookup3,64,tokens=whitespace"
    fog = f"{sd1.token_hash(b'fog'):016x}"
    for name, text, count, value in [
        ("punctuation is part of a token", "fog, rain!", 2, None),
        ("numbers are tokens", "1 2 3", 3, None),
        ("a URL is a token", "https://example.org/a?b", 1, f"{sd1.token_hash(b'https://example.org/a?b'):016x}"),
        ("folded and composed", "FOG", 1, fog),
        ("a soft hyphen is nothing", "f\u00adog", 1, fog),
        ("scripts without spaces", "\u65e5\u672c\u306e\u30c6\u30b9\u30c8", 1, None),
        (
            "every white space",
            "a\tb\nc\vd\fe\rf g\x85h\xa0i\u1680j\u2000k\u2028l\u2029m\u202fn\u205fo\u3000p",
            16,
            None,
        ),
        ("information separators are not white space", "a\x1cb\x1fc", 1, None),
        ("an unassigned code point is a space", "a\u0378b", 2, None),
        ("128 code points", "\u00e9" * 128, 1, None),
        ("129 code points", "\u00e9" * 129 + " fog", 1, fog),
        ("a letter and marks", "a" + "\u0323" * 200 + " fog", 2, None),
        ("many U+0345", "a" + "\u0345" * 3000 + " fog", 1, fog),
    ]:
        want = {"count": count} | ({"value": value} if value else {})
        yield case(name, "13.3", want, declaration=words, text=text)
    none = {field: value for field, value in REFUSED.items() if field != "id"}
    yield case("white space only", "13.7", none, declaration=words, text=" \n\u3000")
    for declaration in (
        words + ",stop=en,min=3",
        "custom:shingles-2,log,xxh3,128,tie=1,tokens=whitespace",
        "custom:chars-3,tf,fnv1a,64,tokens=whitespace,min=2",
    ):
        yield from texts("13.1 13.2 13.3 13.4", declaration)
    data = table_of(words, 1)
    yield from texts("13.3 13.9 13.10", f"{words},idf={digest_of(data)}", table_hex=data.hex())
    yield from refused(
        "13.1",
        [
            words.replace("whitespace", "words"),
            words + ",tie=1",
            words + ",tokens=whitespace",
            words.replace("space", ""),
        ],
    )


# ---------------------------------------------------------------- custom_stop_lists: [13.13] since 1.2


def custom_stop_lists() -> Iterator[Planned]:
    words = "custom:words,tf,lookup3,64"
    text = "Fog came in at noon, at noon"
    for name, stops, want in [
        ("two words", "at\nin\n", {"count": 4}),
        ("another order, twice, folded", "IN\nAt in\n", {"count": 4}),
        ("comments and empty lines", "# fog\n\nat\n#noon\nin", {"count": 4}),
        ("no comment behind a word", "at # in", {"count": 4}),
        ("two tokens of a word", "at-in", {"count": 4}),
        ("order by UTF-8", "at\nin\n\uff10a\n\U00010428\n\ue000x\n\u4e00\n", {"count": 4}),
        ("carriage returns", "at\r\nin\r\n", {"count": 4}),
        ("all words", text, {"count": 0, "value": None}),
        ("no words", "1 2 3\n# at", REFUSED | {"digest": None}),
        ("nothing", "", REFUSED | {"digest": None}),
        ("a URL", "https://example.org/", REFUSED | {"digest": None}),
    ]:
        yield case(name, "13.3 13.13", want, declaration=words, list=stops, text=text)
    for declaration in (
        "custom:shingles-2,log,xxh3,64",
        "custom:words,tf,lookup3,64,tokens=whitespace",
    ):
        for name, listed in (("words", "at\nnoon,\nin"), ("a long one", ENGLISH)):
            given = {"declaration": declaration, "list": listed, "text": f"{text} {JAPANESE}"}
            yield case(f"{name}, {declaration}", "13.3 13.13", **given)


STAGES = (custom_hashes, custom_ties, custom_whitespace, custom_stop_lists)
ALL = {stage.__name__: stage for stage in STAGES}
