"""The inputs of the vectors that version 1.3 added: what two strangers who implemented the text could read in two ways.

As vector_inputs.py: `want` is known without the reference.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

import nearprint_sd1 as sd1
from vector_inputs import Planned, case
from vector_parts_inputs import REFUSED, SHA1

# ---------------------------------------------------------------- normal_forms: [2.2] [2.4]

# All code points of Unicode 14.0 that have a combining class, a decomposition or both and were unassigned in 13.0.
NEW_IN_14 = [
    *(*range(0x0898, 0x08A0), *range(0x08CA, 0x08D3), 0x0C3C, 0x1715, *range(0x1AC1, 0x1ACF), 0x1DFA),
    *(*range(0x10F82, 0x10F86), 0x11070, 0x1E2AE),
]
HANGUL = [
    ("two parts of a syllable", "\u1100\u1161", "\uac00"),
    ("three parts of a syllable", "\u1100\u1161\u11a8", "\uac01"),
    ("a syllable and its last part", "\uac00\u11c2", "\uac1b"),
    ("the last syllable", "\u1112\u1175\u11c2", "\ud7a3"),
    ("no part before the first last one", "\uac00\u11a7", "\uac00\u11a7"),
    ("a complete syllable takes no further part", "\uac01\u11a8", "\uac01\u11a8"),
    ("old vowels do not compose", "\u1100\u1176", "\u1100\u1176"),
    ("old leading parts do not compose", "\u1113\u1161", "\u1113\u1161"),
]
COMPOSED = [
    ("two starters compose", "\u0b47\u0b3e", "\u0b4b"),
    ("a mark between two starters keeps them apart", "\u0b47\u0301\u0b3e", "\u0b47\u0301\u0b3e"),
    ("a mark of the same class keeps another one apart", "a\u030d\u0301", "a\u030d\u0301"),
    ("a mark of a lower class does not", "a\u0316\u0301", "\u00e1\u0316"),
    ("exclusions stay decomposed", "\u0958 \u2adc", "\u0915\u093c \u2add\u0338"),
    ("a mark that decomposes to two", "\u0f71\u0f72 \u0f73", "\u0f71\u0f72 \u0f71\u0f72"),
    ("several steps of decomposition and back", "\u1ec7\u0323 e\u0302\u0323", "\u1ec7\u0323 \u1ec7"),
    ("steps that leave a mark for another letter", "\u01d6\u0323", "\u1ee5\u0308\u0304"),
    ("a composite that composes further", "\u1e63\u0307", "\u1e69"),
]


def normal_forms() -> Iterator[Planned]:
    for point in NEW_IN_14:
        character = chr(point)
        want = {"normalised": f"a{character}\u0315"}  # of class 232, which is above all of theirs
        yield case(f"U+{point:04X} is put into order", "2.2 2.3", want, text=f"a\u0315{character}")
    for name, text, normalised in HANGUL:
        yield case(name, "2.4", {"normalised": normalised}, text=text)
    for name, text, normalised in COMPOSED:
        yield case(name, "2.2 2.4", {"normalised": normalised}, text=text)


# ---------------------------------------------------------------- custom_lists: [13.13]


def digest_of_words(words: str) -> str:
    """The digest of a list of these words, by the library's base32."""
    ordered = sorted(words.split(), key=str.encode)
    first = hashlib.sha256("".join(f"{word}\n" for word in ordered).encode("utf-8")).digest()[:16]
    return base64.b32encode(first).decode("ascii").rstrip("=").lower()


def custom_lists() -> Iterator[Planned]:
    words = "custom:words,tf,lookup3,64"
    for name, declaration, listed, left in [
        ("min is not applied to the list", words + ",min=3", "at\nnoon\n", "at noon"),
        ("cut=identifiers is", words + ",cut=identifiers", "see PMC2774701\nnoon /usr/share/doc\n", "noon see"),
        ("without it they are words", words, "see PMC2774701\n", "pmc2774701 see"),
        ("digits=none is", words + ",digits=none", "b2b h2o 42\n", "bb ho"),
        ("both, and min", words + ",cut=identifiers,digits=none,min=4", "b2b hdl:1/x\n", "bb"),
        ("a comment begins its line", words, " # at\n\t#noon\nin # fog\n", "at fog in noon"),
        ("lines end at U+000A alone", words, "at\r#noon\rin\r", "at in noon"),
        ("nor at U+2028 or U+0085", words, "at\u2028#noon\u0085#in", "at in noon"),
        ("a byte order mark is before the sign", words, "\ufeff# at\n", "at"),
        ("a sign that folds to # begins no comment", words, "\uff03 at\n", "at"),
        ("U+0000 ends nothing", words, "at\0in\n", "at in"),
        ("no line end after the last line", words, "at\n# noon\nin", "at in"),
        ("white space alone", words + ",tokens=whitespace", "at, #noon\n#in\n", "#noon at,"),
    ]:
        want = {"digest": digest_of_words(left)}
        text = "Fog came in at noon, see b2b and H2O"
        yield case(name, "13.3 13.13", want, declaration=declaration, list=listed, text=text)
    for name, declaration, listed in [
        ("nothing is left of identifiers", words + ",cut=identifiers", f"{SHA1} hdl:1/x\n"),
        ("nothing is left of numbers", words + ",digits=none", "42 7\n"),
    ]:
        yield case(name, "13.13", REFUSED | {"digest": None}, declaration=declaration, list=listed, text="fog")


# ---------------------------------------------------------------- custom_scans: [13.14]

SCANS = [  # a text, and the tokens that are left
    ("one scan for all patterns", "fog /a/hdl:1/b came", "fog came"),
    ("a path in a handle", "fog hdl:1/usr/lib/x came", "fog came"),
    ("the first of two at one place", f"fog {SHA1}.org/x came", "fog came"),
    ("what precedes is that of the cut text", "fog pmc2774701/usr/lib came", "fog usr lib came"),
    ("what precedes may have been cut", "fog \u00e9pmc2774701 hdl:1/\u00e9/usr/lib came", "fog \u00e9 \u00e9 came"),
    ("64 after hdl:", f"fog hdl:{'w' * 64}/b came", "fog came"),
    ("65 after hdl:", f"fog hdl:{'w' * 65}/b came", f"fog hdl {'w' * 65} b came"),
    ("64 after ark:/", f"fog ark:/{'w' * 64}/b came", "fog came"),
    ("a last label of 63", f"fog example.{'w' * 63}/b came", "fog came"),
    ("a last label of 64", f"fog example.{'w' * 64}/b came", f"fog example {'w' * 64} b came"),
    ("a last label of 2", "fog b.cd/e came", "fog came"),
    ("a port of 5 digits", "fog example.org:12345/a came", "fog came"),
    ("a port of 1 digit", "fog example.org:1/a came", "fog came"),
    ("SWHID of 3 digits", "fog swh:123:cnt:b came", "fog came"),
    ("PMC numbers of 3 and 10 digits", "fog pmc123 pmc1234567890 came", "fog came"),
]


def custom_scans() -> Iterator[Planned]:
    declaration = "custom:words,tf,lookup3,64,cut=identifiers"
    for name, text, left in SCANS:
        want = {"count": len(left.split()), "value": value_of(left.split())}
        yield case(name, "13.14", want, declaration=declaration, text=text)


# ---------------------------------------------------------------- custom_comparisons: [13.8]


def custom_comparisons() -> Iterator[Planned]:
    for bits, close, loose, default in ((32, 0, 3, 1), (64, 1, 6, 3), (128, 2, 12, 6)):
        declaration, digits = f"custom:words,tf,xxh3,{bits}", bits // 4
        one = int("0123456789abcdef" * 2, 16) >> 128 - bits
        edges = {0, 1, close, close + 1, default, default + 1, loose, loose + 1, bits}
        for apart in sorted(edges):
            # The bits that differ are the highest: those that a comparison of 64 bits would not see.
            other = one ^ ((1 << apart) - 1) << bits - apart
            want = {
                "distance": apart,
                "similarity": (bits - apart) / bits,
                "match": "close" if apart <= close else "loose" if apart <= loose else "none",
                "within_default": apart <= default,
                "decimal": "81985529216486895" if bits == 64 else None,
            }
            given = {"one": f"{one:0{digits}x}", "other": f"{other:0{digits}x}"}
            yield case(f"{bits} bits, distance {apart}", "13.8", want, declaration=declaration, **given)


def value_of(tokens: list[str]) -> str:
    """The bits of words by their frequency."""
    hashed = [sd1.token_hash(token.encode("utf-8")) for token in tokens]
    ones = [sum(number >> bit & 1 for number in hashed) for bit in range(64)]
    return f"{sum(1 << bit for bit, count in enumerate(ones) if 2 * count > len(hashed)):016x}"


STAGES = (normal_forms, custom_lists, custom_scans, custom_comparisons)
ALL = {stage.__name__: stage for stage in STAGES}
