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


# ---------------------------------------------------------------- custom_cuts: [13.14] and [13.15] since 1.2

UUID = "550e8400-e29b-41d4-a716-446655440000"
SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"

CUT = [  # a text, and the tokens that are left
    (f"fog {UUID} came", "fog came"),
    (f"fog {UUID.upper()}, came", "fog came"),
    (f"fog {{{UUID}}}.txt came", "fog txt came"),
    (f"fog {UUID}a came", f"fog 550e8400 e29b 41d4 a716 {UUID[-12:]}a came"),
    (f"fog a{UUID} came", "fog a550e8400 e29b 41d4 a716 came"),
    ("fog 550e8400-e29b-41d4-a716 came", "fog 550e8400 e29b 41d4 a716 came"),
    (f"fog {SHA1} came", "fog came"),
    (f"fog sha1:{SHA1} came", "fog sha1 came"),
    (f"fog {SHA1[:31]} came", f"fog {SHA1[:31]} came"),
    (f"fog {SHA1[:32]} came", "fog came"),
    (f"fog {'a' * 128} came", "fog came"),
    (f"fog {'a' * 129} came", "fog came"),
    (f"fog {SHA1}g came", f"fog {SHA1}g came"),
    (f"fog \u65e5\u672c{SHA1}\u8a9e came", "fog \u65e5\u672c \u8a9e came"),
    (f"fog swh:1:cnt:{SHA1};lines=9 came", "fog came"),
    ("fog swh:1 came swh:1234:cnt:b", "fog swh came swh cnt b"),
    ("fog PMC2774701 PMCID:PMC2774701 pmc12 came", "fog pmcid pmc12 came"),
    ("fog pmc12345678901 pmc123a xpmc1234 came", "fog pmc12345678901 pmc123a xpmc1234 came"),
    ("fog hdl:2027/mdp.39, came", "fog came"),
    ("fog hdl:cnri.dlib/april95-payette came", "fog came"),
    ("an HDL:LDL ratio", "an hdl ldl ratio"),
    ("fog ark:/12148/btv1b8449691v/f29 ark:12148/btv1b84 came", "fog came"),
    ("fog ark: /12148 ark:// came, noahs-ark:12/b", "fog ark came noahs"),
    ("fog 0000-0002-1694-233X orcid:0000-0002-1694-233X came", "fog orcid came"),
    ("fog 0000-0002-1694-233Xa 0000-0002-1694-23X came", "fog 233xa 23x came"),
    ("fog example.org/a?b=c#d came", "fog came"),
    ("fog https example.org:8080/a(b) came", "fog https came"),
    ("fog example.org came", "fog example org came"),
    ("fog example.org:123456/a came", "fog example org a came"),
    ("fog example.o/a b.c1/d and/or came", "fog example o a b c1 d and or came"),
    ("fog " + "a." * 8 + "org/b came", "fog came"),
    ("fog " + "a." * 9 + "org/b came", "fog " + "a " * 9 + "org b came"),
    ("fog " + "b" * 63 + ".org/b came", "fog came"),
    ("fog " + "w" * 64 + ".org/b came", "fog " + "w" * 64 + " org b came"),
    ("fog a.b..example.org/c came", "fog a b example org c came"),
    ("fog x@/example.org/c came", "fog x example org c came"),
    ("\u8a73\u3057\u304fexample.org/x\u3002\u6b21", "\u8a73\u3057 \u3057\u304f \u6b21"),
    ("fog /usr/share/doc, came", "fog came"),
    ("fog (/usr/lib) came=/etc/x", "fog came"),
    ("fog /usr /usr/ /bat/ came", "fog usr usr bat came"),
    ("fog and/or/not came, 05/12/x", "fog and or not came x"),
    ("fog ~/x ./y ../z .../w a../v came", "fog w a v came"),
    ("fog ~/ ./ ../ came", "fog came"),
    ("fog ../../x ~/.y /home/../z came /bat/. /bat/...", "fog came bat bat"),
    ("fog /" + "a" * 255 + "/b came", "fog came"),
    ("fog /" + "a" * 256 + "/b came", "fog b came"),
    ("fog C:\\x\\y c:/z ab:/w c:/ came", "fog ab w c came"),
    ("fog https://example.org/a/usr/lib/b came", "fog came"),
    ("fog x@example.org/usr/lib came", "fog came"),
    ("fog hdl:10.1/\u00e9/usr/lib came", "fog \u00e9 came"),
]

DIGITS = [
    ("fog b2b h2o 1a 2_x_3 came", "fog bb ho a x came"),
    ("fog 42 4_2 came", "fog came"),
    ("fog \u0967\u0915\u0968 \u00b2x came", "fog \u0915 x came"),
    ("2024\u5e743\u670815\u65e5", "\u5e74 \u6708 \u65e5"),
    ("a_1_b came", "a__b came"),
    ("fog \u2160\u2161 \u00bdx came", "fog iii x came"),
]


def custom_cuts() -> Iterator[Planned]:
    words = "custom:words,tf,lookup3,64"
    for part, clause, texts_and_tokens in (
        (",cut=identifiers", "13.14", CUT),
        (",digits=none", "13.15", DIGITS),
    ):
        for number, (text, left) in enumerate(texts_and_tokens):
            counters = [0] * 64
            for token in left.split():
                hashed = sd1.token_hash(token.encode("utf-8"))
                counters = [total + (1 if hashed >> bit & 1 else -1) for bit, total in enumerate(counters)]
            value = sum(1 << bit for bit, total in enumerate(counters) if total > 0)
            want = {"count": len(left.split()), "value": f"{value:016x}"}
            yield case(f"{number}: {text[:60]!a}", clause, want, declaration=words + part, text=text)
    none = {field: value for field, value in REFUSED.items() if field != "id"}
    yield case("identifiers alone", "13.14", none, declaration=words + ",cut=identifiers", text=f"{UUID} /usr/lib/x")
    for declaration in (
        "custom:shingles-2,log,xxh3,128,tie=1,cut=identifiers,stop=en,min=3",
        "custom:chars-3,tf,fnv1a,64,cut=identifiers,digits=none,min=2",
        words + ",tokens=whitespace,digits=none",
    ):
        text = f"{ENGLISH} Files of b2b, {UUID}: /usr/share/doc and PMC2774701, {SHA1[:7]}. {ENGLISH}"
        yield case(f"identifiers in English, {declaration}", "13.1 13.14 13.15", declaration=declaration, text=text)
        yield from texts("13.1 13.2 13.14 13.15", declaration)
    spaced = words + ",tokens=whitespace,digits=none"
    yield case(
        "numbers alone leave no token", "13.3 13.15", {"count": 3}, declaration=spaced, text="fog 42 _7_ __ came_ _a"
    )
    length = words + ",digits=none,min=3"
    yield case("length is of what is left", "13.3 13.15", {"count": 1}, declaration=length, text="b2b abc1")
    stopped = words + ",digits=none,stop=en"
    yield case("what is left may be on a list", "13.3 13.15", {"count": 1}, declaration=stopped, text="th3e fog")
    data = table_of(words + ",cut=identifiers,digits=none", 1)
    declaration = f"{words},cut=identifiers,digits=none,idf={digest_of(data)}"
    yield from texts("13.9 13.10 13.14 13.15", declaration, table_hex=data.hex())
    yield from refused(
        "13.1",
        [
            words + ",cut=urls",
            words + ",cut=",
            words + ",tokens=whitespace,cut=identifiers",
            words + ",cut=identifiers,tokens=whitespace",
            words + ",cut=identifiers,tie=1",
            words + ",digits=none,cut=identifiers",
            words + ",stop=en,digits=none",
            words + ",digits=0",
        ],
    )


STAGES = (custom_hashes, custom_ties, custom_whitespace, custom_stop_lists, custom_cuts)
ALL = {stage.__name__: stage for stage in STAGES}
