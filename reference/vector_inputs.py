"""The inputs of the vectors in spec/vectors, stage by stage, and what is known of their answers without the reference.

A case is `case(name, clauses, input field=..., want=...)`. `want` is written by hand from the standard: the maker fails where
the reference says otherwise. Where it is absent the reference alone answers.
"""

from __future__ import annotations

from collections.abc import Iterator

Planned = tuple[str, str, dict[str, object], dict[str, object]]


def case(name: str, clauses: str, want: dict[str, object] | None = None, **given: object) -> Planned:
    """One case: its name, its clauses separated by spaces, its input and what is known of the answer."""
    return name, clauses, given, want or {}


# ---------------------------------------------------------------- repair: [3.1] [3.2]

BAD = "\ufffd"
BYTES = [  # name, bytes, what the WHATWG decoder gives
    ("empty", "", ""),
    ("ASCII", "48 69 21 0a", "Hi!\n"),
    ("NUL stays", "61 00 62", "a\0b"),
    ("two octets, least and greatest", "c2 80 df bf", "\x80\u07ff"),
    ("three octets, least and greatest", "e0 a0 80 ef bf bd", "\u0800\ufffd"),
    ("next to the surrogates", "ed 9f bf ee 80 80", "\ud7ff\ue000"),
    ("four octets, least and a private one", "f0 90 80 80 f4 8f bf bd", "\U00010000\U0010fffd"),
    ("byte order mark", "ef bb bf 61", "\ufeffa"),
    ("two byte order marks", "ef bb bf ef bb bf 61", "\ufeff\ufeffa"),
    ("lone continuations", "80 bf 61 9f", BAD * 2 + "a" + BAD),
    ("never octets", "c0 c1 f5 f8 fc fe ff", BAD * 7),
    ("overlong solidus, two octets", "c0 af", BAD * 2),
    ("overlong, three octets", "e0 80 af e0 9f bf", BAD * 6),
    ("overlong, four octets", "f0 80 80 af f0 8f bf bf", BAD * 8),
    ("encoded surrogates", "ed a0 80 ed bf bf", BAD * 6),
    ("an encoded surrogate pair", "ed a0 bd ed b8 80", BAD * 6),
    ("above U+10FFFF", "f4 90 80 80 f7 bf bf bf", BAD * 8),
    ("two of two cut by a letter", "c2 41", BAD + "A"),
    ("one of three cut by a letter", "e2 41", BAD + "A"),
    ("two of three cut by a letter", "e2 82 41", BAD + "A"),
    ("one of four cut by a letter", "f0 41", BAD + "A"),
    ("two of four cut by a letter", "f0 9f 41", BAD + "A"),
    ("three of four cut by a letter", "f0 9f 98 41", BAD + "A"),
    ("cut by a lead", "c2 c2 a9", BAD + "\u00a9"),
    ("three cut by a lead of two", "e2 82 c2 a9", BAD + "\u00a9"),
    ("four cut by a lead of four", "f0 9f f0 9f 98 80", BAD + "\U0001f600"),
    ("cut by a never octet", "f0 9f 98 ff", BAD * 2),
    ("second octet out of its narrow range", "e0 9f 80 41", BAD * 3 + "A"),
    ("narrow range ends with the second octet", "ed 80 a0 f4 80 90 80", "\ud020\U00100400"),
    ("narrow range does not outlive an error", "e0 41 e1 80 80 ed 41 e1 bf bf", BAD + "A\u1000" + BAD + "A\u1fff"),
    ("one continuation too many", "c2 a9 a9", "\u00a9" + BAD),
    ("end after one of two", "61 c2", "a" + BAD),
    ("end after two of three", "61 e2 82", "a" + BAD),
    ("end after three of four", "61 f0 9f 98", "a" + BAD),
    ("maximal subparts, many", "61 f1 80 80 e1 80 c2 62 80 63 80 bf 64", "a" + BAD * 3 + "b" + BAD + "c" + BAD * 2 + "d"),
    ("maximal subparts, non-shortest", "c0 af e0 80 bf f0 81 82 41", BAD * 8 + "A"),
    ("maximal subparts, surrogates", "ed a0 80 ed bf bf ed af 41", BAD * 8 + "A"),
    ("maximal subparts, other", "f4 91 92 93 ff 41 80 bf 42", BAD * 5 + "A" + BAD * 2 + "B"),
    ("maximal subparts, truncated", "e1 80 e2 f0 91 92 f1 bf 41", BAD * 4 + "A"),
    ("Latin-1 read as UTF-8", "63 61 66 e9 20 6e 61 ef 76 65", "caf" + BAD + " na" + BAD + "ve"),
    ("UTF-16 read as UTF-8", "ff fe 61 00 62 00", BAD * 2 + "a\0b\0"),
]
SPACED = [  # name, code points, kept?
    ("first unassigned", "0378", False),
    ("unassigned in Greek", "0380 038b 038d 03a2", False),
    ("an unassigned one that is default ignorable", "2065 fff0 e0000 e0080", False),
    ("noncharacters of the first plane", "fdd0 fdef fffe ffff", False),
    ("noncharacters of other planes", "1fffe 1ffff ffffe fffff 10fffe 10ffff", False),
    ("assigned by Unicode 15.0", "0cf3 0ece 1e4d0 31350", False),
    ("assigned by Unicode 15.1", "2ffc 31ef 2ebf0", False),
    ("assigned by Unicode 16.0", "1c89 a7cb 105c0 1cc00", False),
    ("youngest of Unicode 14.0", "061d 0870 1df0 2c2f a7c0 1dfff 1e290 2a6df", None),
    ("private use", "e000 f8ff f0000 ffffd 100000 10fffd", True),
    ("controls and the replacement character", "0000 0009 000a 007f 0085 fffd", True),
    ("default ignorable, assigned", "00ad 034f 200b 2060 fe0f feff e0001 e01ef", True),
    ("ends of the CJK and Hangul ranges", "3400 4dbf 9fff ac00 d7a3 d7a4 2a700 2b738 2b739", None),
]
UTF16 = [
    ("UTF-16: a pair is one code point", [0xD83D, 0xDE00], "\U0001f600"),
    ("UTF-16: lone high surrogate", [0x61, 0xD800, 0x62], "a b"),
    ("UTF-16: lone low surrogate", [0x61, 0xDC00, 0x62], "a b"),
    ("UTF-16: high surrogate at the end", [0x61, 0xDBFF], "a "),
    ("UTF-16: swapped pair", [0xDE00, 0xD83D], "  "),
    ("UTF-16: high surrogate before a pair", [0xD83D, 0xD83D, 0xDE00], " \U0001f600"),
    ("UTF-16: low surrogate behind a pair", [0xD83D, 0xDE00, 0xDE00], "\U0001f600 "),
    ("UTF-16: an unassigned pair", [0xDBFF, 0xDFFF], " "),
]


def points(numbers: str) -> str:
    """The text of hexadecimal code points."""
    return "".join(chr(int(number, 16)) for number in numbers.split())


def repair() -> Iterator[Planned]:
    for name, data, text in BYTES:
        yield case(name, "3.1", {"repaired": text}, bytes_hex=data.replace(" ", ""))
    yield case("noncharacters in UTF-8", "3.1 3.2", {"assigned": "   "}, bytes_hex="efbfbeefb790f48fbfbf")
    for name, numbers, kept in SPACED:
        text = points(numbers)
        want = {} if kept is None else {"assigned": text if kept else " " * len(text)}
        yield case(name, "2.1 2.2 3.2", want, text=text)
    for name, units, text in UTF16:
        yield case(name, "3.2", {"assigned": text}, utf16=units)


# ---------------------------------------------------------------- normalise: [4.1] to [4.5]

ACUTE, BELOW, IOTA, JOINER, GHOST = "\u0301", "\u0323", "\u0345", "\u034f", "\u00ad"
E_ACUTE = "\u00e9"
NORMALISED = [  # name, clauses, text, normalised text
    ("empty", "4.5", "", ""),
    ("case", "4.2", "ABCxyz \u00c4\u00d6\u00dc \u0416\u0429", "abcxyz \u00e4\u00f6\u00fc \u0436\u0449"),
    ("case of astral letters", "4.2", "\U00010400\U00010428 \U000118a0 \U0001e900", "\U00010428\U00010428 \U000118c0 \U0001e922"),
    ("sharp s", "2.2 4.2", "Stra\u00dfe STRA\u1e9eE", "strasse strasse"),
    ("final sigma", "4.2", "\u039f\u0394\u039f\u03a3 \u03c3\u03c2", "\u03bf\u03b4\u03bf\u03c3 \u03c3\u03c3"),
    ("Turkish: I with dot above, dotless i", "4.2", "\u0130I\u0131i", "i\u0307i\u0131i"),
    ("Turkish: I and a combining dot", "4.2 4.5", "I\u0307", "i\u0307"),
    ("Cherokee folds to capitals", "4.2", "\uab70\u13a0\u13f8", "\u13a0\u13a0\u13f0"),
    ("Cyrillic variants", "4.2", "\u1c80\u1c81", "\u0432\u0434"),
    ("Georgian Mtavruli and Asomtavruli", "4.2", "\u1c90\u10a0", "\u10d0\u2d00"),
    ("long s and Kelvin and Angstrom", "4.2 4.1", "\u017f\u212a\u212b", "sk\u00e5"),
    ("ligatures", "2.2 4.2", "\ufb01\ufb02\ufb00\ufb03\ufb04\ufb05\ufb06 \ufb13", "fiflffffifflstst \u0574\u0576"),
    ("digraphs", "4.2", "\u01c4\u01c5\u01c6\u0132\u0149", "d\u017ed\u017ed\u017eij\u02bcn"),
    ("full width", "2.2 4.2", "\uff21\uff5a\uff10\uff01\u3000", "az0! "),
    ("half-width katakana", "4.2 4.5", "\uff76\uff9e\uff8a\uff9f\uff71\uff70", "\u30ac\u30d1\u30a2\u30fc"),
    ("half-width Hangul", "4.2 4.5", "\uffa1\uffc2", "\uac00"),
    ("square and circled", "4.2", "\u338f\u337f\u2460\u24b6\u3300", "kg\u682a\u5f0f\u4f1a\u793e1a\u30a2\u30d1\u30fc\u30c8"),
    ("superscripts, fractions, ellipsis", "4.2", "x\u00b2 \u00bd \u2026 \u2122", "x2 1\u20442 ... tm"),
    ("no-break spaces", "4.2", "a\u00a0b\u2009c\u202fd", "a b c d"),
    ("mathematical letters", "4.2", "\U0001d400\U0001d7d8 \U0001d6a4", "a0 \u0131"),
    ("Arabic presentation forms", "4.2", "\ufefb \ufdf2 \ufee1", "\u0644\u0627 \u0627\u0644\u0644\u0647 \u0645"),
    ("Hebrew presentation forms", "4.1 4.5", "\ufb2a \ufb4f", "\u05e9\u05c1 \u05d0\u05dc"),
    ("CJK compatibility ideographs", "4.1", "\uf900 \U0002f800", "\u8c48 \u4e3d"),
    ("radicals", "4.2", "\u2f00 \u2e9f", "\u4e00 \u6bcd"),
    ("private use and symbols stay", "4.2", "\ue000 \u20ac \U0001f600 \ufffd", "\ue000 \u20ac \U0001f600 \ufffd"),
    ("soft hyphen", "4.3", "co\u00adop", "coop"),
    ("zero width and joiners", "4.3", "a\u200bb\u200cc\u200dd\u200ee\u200ff", "abcdef"),
    ("word joiner and invisible operators", "4.3", "a\u2060b\u2061c\u2064d", "abcd"),
    ("bidirectional controls", "4.3", "\u202ab\u202c\u202e\u2066c\u2069\u061cd", "bcd"),
    ("byte order mark", "4.3 3.1", "\ufeffa\ufeffb", "ab"),
    ("variation selectors", "4.3", "\u845b\U000e0100\u2764\ufe0f\u1820\u180b", "\u845b\u2764\u1820"),
    ("tags", "4.3", "\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"),
    ("Hangul fillers", "4.3", "a\u115fb\u1160c\u3164d\uffa0e", "abcde"),
    ("Khmer inherent vowels, Mongolian vowel separator", "4.3", "\u1780\u17b4\u17b5\u180e", "\u1780"),
    ("shorthand and musical controls", "4.3", "a\U0001bca0b\U0001d173c", "abc"),
    ("not default ignorable: format characters that stay", "4.3", "a\u0600b\ufff9c\U000110bdd", "a\u0600b\ufff9c\U000110bdd"),
    ("line separators stay", "4.3", "a\u2028b\u2029c\u0085d", "a\u2028b\u2029c\u0085d"),
    ("joiner of letter and mark goes, then they compose", "4.3 4.5", f"e{GHOST}{ACUTE}", E_ACUTE),
    ("Persian with a non-joiner", "4.3", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645"),
    ("Hindi with a joiner", "4.3", "\u0915\u094d\u200d\u0937", "\u0915\u094d\u0937"),
    ("Hindi nukta is not composed", "4.1 4.5", "\u0958 \u0915\u093c \u0929", "\u0915\u093c \u0915\u093c \u0929"),
    ("Tamil vowel of two parts", "4.5", "\u0b95\u0bc6\u0bd7 \u0b95\u0bcc", "\u0b95\u0bcc \u0b95\u0bcc"),
    ("Thai am", "4.2", "\u0e19\u0e49\u0e33", "\u0e19\u0e49\u0e4d\u0e32"),
    ("Lao am and ho digraphs", "4.2", "\u0e99\u0ec9\u0eb3 \u0edc", "\u0e99\u0ec9\u0ecd\u0eb2 \u0eab\u0e99"),
    ("Tibetan vowel signs", "4.1 4.2", "\u0f77 \u0f73", "\u0fb2\u0f71\u0f80 \u0f71\u0f72"),
    ("Hangul jamo compose", "4.5", "\u1100\u1161\u11a8 \u1112\u1161\u11ab", "\uac01 \ud55c"),
    ("Hangul LV and T compose", "4.5", "\uac00\u11a8 \uac01\u11a8", "\uac01 \uac01\u11a8"),
    ("Hangul jamo around a filler", "4.3 4.5", "\u1100\u115f\u1161", "\uac00"),
    ("Hangul compatibility jamo compose", "4.2 4.5", "\u3131\u314f\u3134", "\uac00\u1102"),
    ("canonical order", "4.1", f"a{ACUTE}{BELOW}", "\u1ea1\u0301"),
    ("Vietnamese in three spellings", "4.1 4.5", "\u1ed9 \u1ecd\u0302 o\u0302\u0323", "\u1ed9 \u1ed9 \u1ed9"),
    ("Hebrew points in two orders", "4.1", "\u05e9\u05bc\u05c1\u05b8 \u05e9\u05b8\u05c1\u05bc", "\u05e9\u05b8\u05bc\u05c1 \u05e9\u05b8\u05bc\u05c1"),
    ("Arabic shadda and vowel in two orders", "4.1", "\u0651\u064e \u064e\u0651", "\u064e\u0651 \u064e\u0651"),
    ("iota subscript", "4.1 4.2", "\u1fb3 \u1fbc \u03b1\u0345", "\u03b1\u03b9 \u03b1\u03b9 \u03b1\u03b9"),
    ("iota subscript before an accent", "4.1", f"\u03b1{IOTA}{ACUTE} \u1fb4", "\u03ac\u03b9 \u03ac\u03b9"),
    ("iota subscript, joiner, accent", "4.1 4.3", f"\u03b1{IOTA}{JOINER}{ACUTE}", "\u03b1\u03af"),
    ("Greek with dialytika and tonos", "4.1 4.5", "\u0390 \u03b9\u0308\u0301 \u0399\u0308\u0301", "\u0390 \u0390 \u0390"),
    ("j with caron", "4.1 4.5", "\u01f0 J\u030c", "\u01f0 \u01f0"),
    ("a musical note", "4.1 4.5", "\U0001d15e", "\U0001d157\U0001d165"),
    ("run of 29", "4.4", "x" + BELOW * 29 + "y", "x" + BELOW * 29 + "y"),
    ("run of 30", "4.4", "x" + BELOW * 30 + "y", "x" + BELOW * 30 + "y"),
    ("run of 31", "4.4", "x" + ACUTE * 31 + "y", "x" + ACUTE * 30 + "y"),
    ("run of 100", "4.4", "x" + ACUTE * 100 + "y", "x" + ACUTE * 30 + "y"),
    ("run at the start and at the end", "4.4", ACUTE * 31 + "x" + ACUTE * 31, ACUTE * 30 + "x" + ACUTE * 30),
    ("the bound comes before composition", "4.4 4.5", "e" + ACUTE * 31, E_ACUTE + ACUTE * 29),
    ("a composed letter's mark counts", "4.1 4.4", E_ACUTE + ACUTE * 30, E_ACUTE + ACUTE * 29),
    ("two runs", "4.4", ("x" + ACUTE * 40) * 2, ("x" + ACUTE * 30) * 2),
    ("run out of canonical order", "4.1 4.4", "x" + ACUTE * 16 + BELOW * 16, "x" + BELOW * 16 + ACUTE * 14),
    ("20 marks, joiner, 20 marks", "4.3 4.4", "x" + ACUTE * 20 + JOINER + ACUTE * 20, "x" + ACUTE * 30),
    ("joiner stops reordering, the run is one", "4.1 4.3 4.4", "x" + ACUTE * 29 + JOINER + BELOW * 29, "x" + BELOW + ACUTE * 29),
    ("every second a joiner", "4.3 4.4", "x" + (ACUTE + JOINER) * 31, "x" + ACUTE * 30),
    ("20 marks, iota subscript, 20 marks", "4.1 4.4", "x" + ACUTE * 20 + IOTA + ACUTE * 20, "x" + ACUTE * 30 + "\u03b9"),
    ("iota subscript ends a run", "4.2 4.4", "x" + ACUTE * 20 + IOTA + JOINER + ACUTE * 31, "x" + ACUTE * 20 + "\u03af" + ACUTE * 29),
    ("100 iota subscripts", "4.2 4.4", "\u03b1" + IOTA * 100, "\u03b1" + "\u03b9" * 100),
    ("31 marks and 40 iota subscripts mixed", "4.1 4.4", "x" + (IOTA + ACUTE) * 31 + IOTA * 9, "x" + ACUTE * 30 + "\u03b9" * 40),
    ("40 voiced sound marks of half width", "4.2 4.4", "\uff76" + "\uff9e" * 40, "\u30ac" + "\u3099" * 29),
    ("bound before reordering", "4.1 4.4 4.5", "\u304b" + BELOW * 30 + "\uff9e", "\u304b" + BELOW * 30),
    ("reordered behind the bound", "4.4 4.5", "\u304b" + BELOW * 29 + "\uff9e", "\u304c" + BELOW * 29),
    ("a folded space begins a run", "4.2 4.4", "\u00a8" + ACUTE * 30, " \u0308" + ACUTE * 29),
    ("marks of class 0 are starters", "2.3 4.4", "\u0e01" + "\u0e31" * 40, "\u0e01" + "\u0e31" * 40),
    ("spacing marks: class 0 or not", "2.3 4.4", "\u0915" + "\u093e" * 40 + "\u302e" * 40, "\u0915" + "\u093e" * 40 + "\u302e" * 30),
    ("a starter mark divides runs", "2.3 4.4", ("\u0915" + "\u094d" * 30 + "\u0902") * 2, ("\u0915" + "\u094d" * 30 + "\u0902") * 2),
    ("enclosing marks are starters", "2.3 4.4", "a" + "\u20dd" * 40, "a" + "\u20dd" * 40),
    ("astral non-starters", "2.3 4.4", "\U0001d157" + "\U0001d165" * 31, "\U0001d157" + "\U0001d165" * 30),
    ("not idempotent by folding alone", "4.2", "\u1e9b\u0323 \u03d3", "\u1e69 \u03cd"),
]


def normalise() -> Iterator[Planned]:
    for name, clauses, text, normalised in NORMALISED:
        yield case(name, clauses, {"normalised": normalised}, text=text)


# ---------------------------------------------------------------- cuts: [5.1] to [5.5]

CUTS = [  # name, clauses, normalised text, cut text
    ("empty", "5.1", "", ""),
    ("nothing to cut", "5.1", "a text: with / marks, 10.5 and @ signs.", "a text: with / marks, 10.5 and @ signs."),
    ("URL", "5.1 5.2", "see https://example.org/a?b=c#d now", "see   now"),
    ("URL takes the full stop behind it", "5.2", "at ftp://example.org. next", "at   next"),
    ("URL without anything behind the slashes", "5.2", "file:// x", "  x"),
    ("URL in ideographs", "5.2", "\u8a73\u3057\u304f\u306fhttps://example.org/x\u3002\u6b21\u306e\u6587", "\u8a73\u3057\u304f\u306f \u3002\u6b21\u306e\u6587"),
    ("URL ends at a letter beyond ASCII", "5.2", "http://b\u00fccher.example/ x", " \u00fccher.example/ x"),
    ("URL ends at DELETE and controls", "5.2", "a://b\x7fc a://b\tc a://b~!c", " \x7fc  \tc  "),
    ("scheme of 31", "5.2", "1" + "a" * 31 + "://x y", "1  y"),
    ("scheme of 32", "5.2", "a" * 32 + "://x y", "  y"),
    ("scheme of 33: its first letter stays", "5.2", "b" + "a" * 32 + "://x y", "b  y"),
    ("scheme of 40: the digits in front of it stay", "5.2", "bb" + "1" * 20 + "c" + "1" * 17 + "://x", "bb" + "1" * 20 + " "),
    ("scheme begins with a letter", "5.2", "1http://x +a.b-c+://y 9://z", "1  +  9://z"),
    ("scheme with a sign inside", "5.2", "git+ssh://h/p x svn.a-b+c9://y", "  x  "),
    ("slashes alone", "5.2", "// x :// y", "// x :// y"),
    ("a scheme behind a letter beyond ASCII", "5.2", "\u00e9http://x", "\u00e9 "),
    ("colon and one slash", "5.2", "a:/b a:b", "a:/b a:b"),
    ("www", "5.3", "see www.example.org/x, then", "see   then"),
    ("www alone", "5.3", "www. x", "  x"),
    ("www behind a letter or digit", "5.3", "awww.x 1www.x", "awww.x 1www.x"),
    ("www behind other characters", "5.3", "(www.x _www.x \u00e9www.x .www.x", "(  _  \u00e9  . "),
    ("www without its full stop", "5.3", "www x wwwx.org", "www x wwwx.org"),
    ("urn, doi, arxiv", "5.3", "urn:isbn:1 doi:10.1/x arxiv:2001.00001 x", "      x"),
    ("names behind a letter", "5.3", "xurn:a xdoi:b xarxiv:c", "xurn:a xdoi:b xarxiv:c"),
    ("other names stay", "5.3", "isbn:123 pmid:4", "isbn:123 pmid:4"),
    ("name with a space behind", "5.3", "doi: 10.1234/x y", "    y"),
    ("e-mail", "5.4", "to jo.smith+a%b_c-d@mail.example.org.", "to  ."),
    ("e-mail without a full stop in the domain", "5.4", "a@b c", "a@b c"),
    ("e-mail at a bracket", "5.4", "<a@b.c>", "< >"),
    ("domain gives back its last full stop", "5.4", "a@b.c.", " ."),
    ("domain gives back a full stop before two", "5.4", "a@b.c..d", " ..d"),
    ("domain with an empty label", "5.4", "a@b..c", "a@b..c"),
    ("label of 63", "5.4", "a@" + "b" * 63 + ".c", " "),
    ("label of 64", "5.4", "a@" + "b" * 64 + ".c", "a@" + "b" * 64 + ".c"),
    ("last label of 63", "5.4", "a@b." + "c" * 63, " "),
    ("last label of 64: its last letter stays", "5.4", "a@b." + "c" * 64, " c"),
    ("middle label of 64", "5.4", "a@b." + "c" * 64 + ".d", " c.d"),
    ("middle label of 64 as the second of three", "5.4", "a@b.c." + "d" * 64 + ".e", " d.e"),
    ("local part of 64", "5.4", "l" * 64 + "@b.c", " "),
    ("local part of 65: its first letter stays", "5.4", "k" + "l" * 64 + "@b.c", "k "),
    ("local part of 130", "5.4", "k" * 66 + "l" * 64 + "@b.c", "k" * 66 + " "),
    ("two signs", "5.4", "a@b@c.d", "a@ "),
    ("no local part", "5.4", "@b.c \u00e9@b.c", "@b.c \u00e9@b.c"),
    ("local part behind a letter beyond ASCII", "5.4", "\u00e9a@b.c", "\u00e9 "),
    ("domain ends at a letter beyond ASCII", "5.4", "a@b.c\u00e9", " \u00e9"),
    ("addresses one behind the other", "5.1 5.4", "a@b.c@d.e", " @d.e"),
    ("address, then address", "5.1 5.4", "a@b.c_d@e.f", "  "),
    ("address behind a label's full stop", "5.4", "a@b.c.d@e.f", " @e.f"),
    ("DOI", "5.5", "see 10.1000/182 x", "see   x"),
    ("DOI of three digits", "5.5", "10.123/x", "10.123/x"),
    ("DOI of four digits", "5.5", "10.1234/x", " "),
    ("DOI of nine digits", "5.5", "10.123456789/x", " "),
    ("DOI of ten digits", "5.5", "10.1234567890/x", "10.1234567890/x"),
    ("DOI with parts", "5.5", "10.1000.10.5/a(b)<c> d", "  d"),
    ("DOI with an empty part", "5.5", "10.1000./a 10.1000..1/a", "10.1000./a 10.1000..1/a"),
    ("DOI with a letter in a part", "5.5", "10.1000.1a/b", "10.1000.1a/b"),
    ("DOI without a suffix", "5.5", "10.1000/ x", "  x"),
    ("DOI behind a digit, a letter, a full stop", "5.5", "110.1000/a a10.1000/b .10.1000/c", "110.1000/a a10.1000/b .10.1000/c"),
    ("DOI behind other characters", "5.5", "(10.1000/a /10.1000/b \u00e910.1000/c", "(  /  \u00e9 "),
    ("DOI of digits beyond ASCII", "5.5", "10.\u0661\u0662\u0663\u0664/x", "10.\u0661\u0662\u0663\u0664/x"),
    ("URL before address at one place", "5.1 5.2", "a://b@c.d e", "  e"),
    ("leftmost first: address with a URL in it", "5.1", "x.a@b.c://d e", " ://d e"),
    ("leftmost first: local part before name", "5.1 5.4", "-www.x@y.z e", "  e"),
    ("name before address at one place", "5.1 5.3", "www.x@y.z/q e", "  e"),
    ("name before DOI", "5.1 5.3", "doi:10.1234/abc e", "  e"),
    ("address before DOI at one place", "5.1 5.4", "10.1234@b.c/x", " /x"),
    ("behind a match, what is before it counts", "5.1 5.3", "a@b." + "c" * 63 + "www.x", " www.x"),
    ("behind a match, its last character is no letter", "5.1 5.3", "a@b.c-www.x a@b.-www.y", "   "),
    ("behind a match comes a DOI", "5.1 5.5", "a@b." + "c" * 62 + "-10.1234/x", "  "),
    ("behind a match, a digit or full stop before a DOI", "5.1 5.5", "a@b." + "c" * 63 + "10.1234/x", " 10.1234/x"),
    ("matches side by side", "5.1", "http://a\u3001http://b\u3001www.c", " \u3001 \u3001 "),
    ("start of the text", "5.1 5.3 5.5", "10.1234/x", " "),
    ("upper case is folded before", "5.1", "http://example.org/", " "),
    ("many near misses", "5.1", "a." * 50 + "@" + "b." * 40 + "-", "a." * 18 + " "),
    ("a long run of letters", "5.2 5.4", "x" * 300, "x" * 300),
    ("domain of forty labels", "5.4", "a@" + "b." * 40 + "\u00e9", " .\u00e9"),
]


def cuts() -> Iterator[Planned]:
    for name, clauses, text, result in CUTS:
        yield case(name, clauses, {"cut": result}, text=text)


# ---------------------------------------------------------------- tokens: [6.1] to [6.7]

TOKENS = [  # name, clauses, cut text, tokens separated by |
    ("empty", "6.7", "", ""),
    ("words", "6.1 6.3", "the quick, brown fox; it's 5-6 jumps.", "the|quick|brown|fox|it|s|jumps"),
    ("only numbers", "6.7", "12 345.6 7,8 \u0661\u0662", ""),
    ("letters and digits", "6.3 6.7", "h2o 3d 2 x1", "h2o|3d|x1"),
    ("one letter is enough", "6.7", "a b 1", "a|b"),
    ("connectors", "6.5", "_foo_ snake_case __ _1_ a_ _b ___c___d___", "foo|snake_case|a|b|c___d"),
    ("connectors beyond ASCII", "6.1 6.5", "\u203ffoo\u2040bar\u2054 \u2040", "foo\u2040bar"),
    ("connectors between digits", "6.5 6.7", "_1_2_ _1_a_", "1_a"),
    ("symbols separate", "6.1", "a+b=c$d\u20ace \U0001f600f\ufffdg", "a|b|c|d|e|f|g"),
    ("number letters and other numbers separate", "6.1", "a\u2180b\u09f4c\U0001f10bd\u3007", "a|b|c|d|\u3007"),
    ("enclosing marks separate", "6.1", "a\u20ddb\u0488c", "a|b|c"),
    ("format characters that stay separate", "6.1", "a\u0600b", "a|b"),
    ("private use separates", "6.1", "a\ue000b\U000f0000c", "a|b|c"),
    ("line ends separate", "6.1", "a\nb\rc\u2028d\u0085e\te\0f", "a|b|c|d|e|e|f"),
    ("apostrophes separate, modifier letters do not", "6.1", "don't don\u2019t don\u02bct \u02bbokina", "don|t|don|t|don\u02bct|\u02bbokina"),
    ("Hindi", "6.1 6.3", "\u0915\u094d\u0930\u093f\u092f\u093e \u0939\u093f\u0928\u094d\u0926\u0940\u0964", "\u0915\u094d\u0930\u093f\u092f\u093e|\u0939\u093f\u0928\u094d\u0926\u0940"),
    ("Tamil", "6.3", "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd \u0bae\u0bca\u0bb4\u0bbf", "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd|\u0bae\u0bca\u0bb4\u0bbf"),
    ("Tibetan words end at the tsheg", "6.3", "\u0f56\u0f7c\u0f51\u0f0b\u0f66\u0f90\u0f51", "\u0f56\u0f7c\u0f51|\u0f66\u0f90\u0f51"),
    ("Arabic with marks", "6.3", "\u0627\u0644\u0633\u0651\u064e\u0644\u0627\u0645\u060c \u0639\u0644\u064a\u0643\u0645\u061f", "\u0627\u0644\u0633\u064e\u0651\u0644\u0627\u0645|\u0639\u0644\u064a\u0643\u0645"),
    ("Arabic tatweel is a letter", "6.1", "\u0628\u0640\u0628", "\u0628\u0640\u0628"),
    ("Hebrew", "6.3", "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u05e2\u05d5\u05dc\u05dd", "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd|\u05e2\u05d5\u05dc\u05dd"),
    ("Russian", "6.3", "\u0441\u044a\u0435\u0448\u044c \u0435\u0449\u0451", "\u0441\u044a\u0435\u0448\u044c|\u0435\u0449\u0451"),
    ("Korean words", "6.3", "\ud55c\uad6d\uc5b4\ub294 \ub2e8\uc5b4", "\ud55c\uad6d\uc5b4\ub294|\ub2e8\uc5b4"),
    ("astral letters", "6.3", "\U00010428\U00010429 \U0001e922\U0001e944", "\U00010428\U00010429|\U0001e922\U0001e944"),
    ("Mongolian, Ethiopic, Georgian, Armenian", "6.3", "\u182e\u1823\u1829 \u12a0\u121b \u10d0\u10d1 \u0570\u0561", "\u182e\u1823\u1829|\u12a0\u121b|\u10d0\u10d1|\u0570\u0561"),
    ("Chinese", "6.2 6.4", "\u4e2d\u6587\u5206\u8bcd\u3002\u597d", "\u4e2d\u6587|\u6587\u5206|\u5206\u8bcd|\u597d"),
    ("Japanese", "6.2 6.4", "\u65e5\u672c\u306e\u30c6\u30b9\u30c8", "\u65e5\u672c|\u672c\u306e|\u306e\u30c6|\u30c6\u30b9|\u30b9\u30c8"),
    ("prolonged sound mark", "6.1 6.4", "\u3089\u30fc\u3081\u3093 \u30fc", "\u3089\u30fc|\u30fc\u3081|\u3081\u3093|\u30fc"),
    ("iteration marks and ideographic zero", "6.1 6.4", "\u4eba\u3005 \u3006\u5207 \u4e8c\u3007 \u3031\u3035 \u303c\u3078 \u309d\u30fe \u303b", "\u4eba\u3005|\u3006\u5207|\u4e8c\u3007|\u3031\u3035|\u303c\u3078|\u309d\u30fe|\u303b"),
    ("each of the code points named one by one, between letters", "6.1 6.4", "".join("\u4e2d" + c for c in "\u3005\u3006\u3007\u3031\u3032\u3033\u3034\u3035\u303c\u30fc") + "\u4e2d", "|".join("\u4e2d" + c + "|" + c + "\u4e2d" for c in "\u3005\u3006\u3007\u3031\u3032\u3033\u3034\u3035\u303c\u30fc")),
    ("Hangzhou numerals separate", "6.1", "\u4e00\u3021\u4e8c", "\u4e00|\u4e8c"),
    ("middle dot of katakana separates", "6.1", "\u30a2\u30fb\u30a4", "\u30a2|\u30a4"),
    ("ideographs of the astral planes", "6.2 6.4", "\U00020000\U00020001\u4e00", "\U00020000\U00020001|\U00020001\u4e00"),
    ("Bopomofo and Yi", "6.1 6.4", "\u3105\u3106\u3107\u02c7 \ua000\ua001\ua002 \ua014\ua015\ua000", "\u3105\u3106|\u3106\u3107|\u02c7|\ua000\ua001|\ua001\ua002|\ua014\ua015|\ua015\ua000"),
    ("Thai", "6.2 6.4", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", "\u0e20\u0e32|\u0e32\u0e29|\u0e29\u0e32|\u0e32\u0e44|\u0e44\u0e17|\u0e17\u0e22"),
    ("Thai with marks: a pair of two marks goes", "6.4 6.7", "\u0e17\u0e35\u0e48\u0e19", "\u0e17\u0e35|\u0e48\u0e19"),
    ("Thai digits end a run", "6.3 6.7", "\u0e1b\u0e35\u0e52\u0e55\u0e56\u0e57", "\u0e1b\u0e35"),
    ("Lao, Khmer, Myanmar", "6.2 6.4", "\u0ea5\u0eb2\u0ea7 \u1781\u17d2\u1798\u17c2\u179a \u1019\u103c\u1014\u103a\u1019\u102c", "\u0ea5\u0eb2|\u0eb2\u0ea7|\u1781\u17d2|\u17d2\u1798|\u1798\u17c2|\u17c2\u179a|\u1019\u103c|\u103c\u1014|\u1014\u103a|\u103a\u1019|\u1019\u102c"),
    ("other scripts written without spaces", "6.1 6.2", "\u1a20\u1a55\u1a21 \u1950\u1951\u1952 \u1980\u1981\u1982 \uaa80\uaa81\uaa82 \ua98f\ua9b6\ua990 \u1b13\u1b36\u1b14", "\u1a20\u1a55|\u1a55\u1a21|\u1950\u1951|\u1951\u1952|\u1980\u1981|\u1981\u1982|\uaa80\uaa81|\uaa81\uaa82|\ua98f\ua9b6|\ua9b6\ua990|\u1b13\u1b36|\u1b36\u1b14"),
    ("pair run of one", "6.4", "\u7b2c2\u7ae0 \u4e00", "\u7b2c|\u7ae0|\u4e00"),
    ("pair run of one letter and a mark", "6.4", "\u304b\u3099\u0301 \u0e01\u0e31", "\u304c\u0301|\u0e01\u0e31"),
    ("letter ends a pair run", "6.2 6.3", "\u65e5\u672cabc\u4e2d\u6587", "\u65e5\u672c|abc|\u4e2d\u6587"),
    ("digits end a pair run", "6.2 6.3", "2024\u5e743\u670815\u65e5", "\u5e74|\u6708|\u65e5"),
    ("connector ends a pair run", "6.2 6.3 6.5", "\u65e5\u672c_\u4e2d_a", "\u65e5\u672c|\u4e2d|a"),
    ("digit and letter behind a pair letter", "6.3", "\u7b2c2a_\u7ae0", "\u7b2c|2a|\u7ae0"),
    ("marks behind a letter, then a pair letter", "6.3", "a\u0300\u4e2d", "\u00e0|\u4e2d"),
    ("mark behind a digit belongs to the word", "6.3", "\u4e2d1\u0301\u6587 1\u0301a", "\u4e2d|\u6587|1\u0301a"),
    ("mark at the start begins a word", "6.3 6.7", "\u0301abc \u0301 \u0301\u4e2d\u6587", "\u0301abc|\u4e2d\u6587"),
    ("mark behind a separator and before a pair letter", "6.3", "a-\u0e31\u0e01\u0e31", "a|\u0e01\u0e31"),
    ("mark behind a connector", "6.3 6.5", "_\u0301a_\u0301", "\u0301a_\u0301"),
    ("mixed scripts in one word", "6.3", "\u0430b\u03b3\u05d0\u0915\u093f9", "\u0430b\u03b3\u05d0\u0915\u093f9"),
    ("Latin, Han, Thai, Hangul side by side", "6.2 6.3", "ab\u4e2d\u0e01\ud55c\u30a2", "ab|\u4e2d\u0e01|\ud55c|\u30a2"),
    ("a pair across two scripts", "6.4", "\u4e2d\u0e01\u3042", "\u4e2d\u0e01|\u0e01\u3042"),
    ("marks of another script in a pair run", "6.2 6.4", "\u4e2d\u0301\u0302\u6587", "\u4e2d\u0301|\u0302\u6587"),
    ("three marks in a pair run", "6.4 6.7", "\u4e2d\u0301\u0302\u0303\u6587", "\u4e2d\u0301|\u0303\u6587"),
    ("word of 127", "6.6", "w" * 127, "w" * 127),
    ("word of 128", "6.6", "w" * 128, "w" * 128),
    ("word of 129", "6.6", "a " + "w" * 129 + " b", "a|b"),
    ("word of 128 after trimming", "6.5 6.6", "__" + "w" * 128 + "__", "w" * 128),
    ("word of 129 after trimming", "6.5 6.6", "_" + "w" * 129 + "_", ""),
    ("128 code points of four octets", "6.6", "\U00010428" * 128 + " " + "\U00010429" * 129, "\U00010428" * 128),
    ("127 letters and two marks", "6.6", "w" * 127 + "\u0325 " + "w" * 127 + "\u0325\u0326", "w" * 127 + "\u0325"),
    ("a long word is followed by a pair run", "6.3 6.6", "w" * 129 + "\u4e2d\u6587", "\u4e2d\u6587"),
    ("128 digits and a letter", "6.6 6.7", "1" * 128 + "a " + "1" * 127 + "a", "1" * 127 + "a"),
    ("a pair run has no bound", "6.4 6.6", "\u4e2d" * 200, "|".join(["\u4e2d\u4e2d"] * 199)),
]


def tokens() -> Iterator[Planned]:
    for name, clauses, text, joined in TOKENS:
        # Written in whatever spelling is readable here; the vector holds normalised text.
        yield case(name, clauses, {"tokens": joined.split("|") if joined else []}, text=text)


# ---------------------------------------------------------------- hashes: [7.1]

PUBLISHED = {"c": "17770551", "b": "ce7226e6"}
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789abcd"


def hashes() -> Iterator[Planned]:
    yield case("Jenkins' published check", "7.1", PUBLISHED, token="Four score and seven years ago")
    yield case("no octets", "7.1", {"hash": "deadbeefdeadbeef"}, bytes_hex="")
    for size in range(1, 41):
        yield case(f"{size} octets", "7.1", token=LETTERS[:size])
    for size in range(1, 41):
        yield case(f"{size} high octets", "7.1", bytes_hex="".join(f"{255 - 3 * i:02x}" for i in range(size)))
    for size in (1, 11, 12, 13, 24, 25):
        yield case(f"{size} zero octets", "7.1", bytes_hex="00" * size)
    for token in ("\u00e9t\u00e9", "\u0441\u043b\u043e\u0432\u043e", "\u65e5\u672c", "\ud55c\uad6d\uc5b4", "\u0939\u093f\u0928\u094d\u0926\u0940", "\U00010428"):
        yield case(f"{len(token.encode())} octets of UTF-8", "7.1", token=token)
    yield case("128 code points of one octet", "7.1 6.6", token="w" * 128)
    yield case("128 code points of four octets", "7.1 6.6", token="\U00010428" * 128)


# ---------------------------------------------------------------- prints: [7.2] to [7.8]

NONE = {"count": 0, "signs": "0" * 64, "short": None, "value": None, "string": None, "decimal": None}


def prints() -> Iterator[Planned]:
    yield case("no tokens: no fingerprint", "7.4", NONE, tokens=[])
    yield case("one token", "7.2 7.3 7.6 7.8", {"count": 1, "short": True}, tokens=["fingerprint"])
    published = {"value": "17770551ce7226e6", "decimal": "1690826034014988006"}
    yield case("one token with a published hash", "7.2 7.3 7.8", published, tokens=["Four score and seven years ago"])
    yield case("one token five times", "7.2", {"count": 5}, tokens=["fingerprint"] * 5)
    yield case("ties give 0", "7.2 7.3", {"count": 2}, tokens=["alpha", "beta"])
    yield case("ties of twice two", "7.2 7.3", {"count": 4}, tokens=["alpha", "beta", "beta", "alpha"])
    yield case("an ordinary fingerprint of value 0", "7.4 7.6 7.8", {"value": "0" * 16, "string": "sd1:aaaaaaaaaaaaa", "decimal": "0"}, tokens=["w17274", "w21707"])
    yield case("leading zeros", "7.8", tokens=["w17274", "w21707", "w27580", "w42270"])
    yield case("two against one", "7.2", tokens=["alpha", "beta", "alpha"])
    yield case("three tokens", "7.2 7.3", tokens=["alpha", "beta", "gamma"])
    yield case("order does not matter", "7.2", tokens=["gamma", "alpha", "beta"])
    yield case("frequency matters: each occurrence counts", "7.2", tokens=["the"] * 9 + ["cat", "dog", "sat", "ran", "big", "mat", "hot"])
    for count in (1, 2, 48, 49, 50, 51, 100):
        words = [f"word{i}" for i in range(count)]
        yield case(f"{count} tokens", "7.5", {"count": count, "short": count < 50}, tokens=words)
    yield case("50 times one token is not short", "7.5", {"short": False}, tokens=["again"] * 50)
    yield case("49 times one token is short", "7.5", {"short": True}, tokens=["again"] * 49)
    yield case("tokens beyond ASCII", "7.1 7.2", tokens=["\u65e5\u672c", "\u0441\u043b\u043e\u0432\u043e", "\U00010428", "stra\u00dfe"])


# ---------------------------------------------------------------- strings: [7.6] [7.7]

ACCEPTED = [  # name, string, value
    ("zero", "sd1:aaaaaaaaaaaaa", 0),
    ("all ones", "sd1:7777777777776", 2**64 - 1),
    ("one", "sd1:aaaaaaaaaaaac", 1),
    ("highest bit", "sd1:qaaaaaaaaaaaa", 2**63),
    ("upper case", "SD1:QAAAAAAAAAAAC", 2**63 + 1),
    ("mixed case", "sD1:qAaAaAaAaAaAc", 2**63 + 1),
    ("every value of five bits, first half", "sd1:abcdefghijklm", int("".join(f"{i:05b}" for i in range(13)), 2) >> 1),
    ("every value of five bits, second half", "sd1:nopqrstuvwxyy", int("".join(f"{i:05b}" for i in [*range(13, 25), 24]), 2) >> 1),
    ("digits", "sd1:z234567234566", int("".join(f"{i:05b}" for i in [25, 26, 27, 28, 29, 30, 31, 26, 27, 28, 29, 30, 30]), 2) >> 1),
]
REFUSED = [  # name, string, reason, position
    ("empty", "", "no-scheme", None),
    ("no colon", "sd1", "no-scheme", None),
    ("only the characters", "aaaaaaaaaaaaa", "no-scheme", None),
    ("a colon of full width", "sd1\uff1aaaaaaaaaaaaaa", "no-scheme", None),
    ("nothing before the colon", ":aaaaaaaaaaaaa", "unknown-scheme", None),
    ("only a colon", ":", "unknown-scheme", None),
    ("a scheme of another version", "sd2:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("a longer scheme", "sd10:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("a shorter scheme", "sd:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("space before the scheme", " sd1:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("space behind the scheme", "sd1 :aaaaaaaaaaaaa", "unknown-scheme", None),
    ("byte order mark", "\ufeffsd1:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("long s is not s", "\u017fd1:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("digit one of full width", "sd\uff11:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("unknown scheme is told before the alphabet", "zz9:!!!", "unknown-scheme", None),
    ("first colon counts", "x:sd1:aaaaaaaaaaaaa", "unknown-scheme", None),
    ("space behind the colon", "sd1: aaaaaaaaaaaaa", "alphabet", 4),
    ("space at the end", "sd1:aaaaaaaaaaaaa ", "alphabet", 17),
    ("line end at the end", "sd1:aaaaaaaaaaaaa\n", "alphabet", 17),
    ("second colon", "sd1:aaaa:aaaaaaaaa", "alphabet", 8),
    ("padding", "sd1:aaaaaaaaaaaaa===", "alphabet", 17),
    ("digits 0 and 1", "sd1:aaaaa01aaaaaa", "alphabet", 9),
    ("digits 8 and 9", "sd1:8aaaaaaaaaaa9", "alphabet", 4),
    ("letter beyond ASCII", "sd1:aaaaaaaaaaa\u00e9a", "alphabet", 15),
    ("Kelvin sign is not k", "sd1:aaa\u212aaaaaaaaaa", "alphabet", 7),
    ("dotless i is not i", "sd1:a\u0131aaaaaaaaaaa", "alphabet", 5),
    ("dotted capital I is not i", "sd1:a\u0130aaaaaaaaaaa", "alphabet", 5),
    ("astral letter", "sd1:aaa\U0001d41aaaaaaaaaa", "alphabet", 7),
    ("the first of two", "sd1:aa!aaa?aaaaaa", "alphabet", 6),
    ("alphabet is told before length", "sd1:a-b", "alphabet", 5),
    ("a wrong character beyond the thirteenth", "sd1:aaaaaaaaaaaaab-", "alphabet", 18),
    ("NUL", "sd1:aaaaaaaaaaaaa\0", "alphabet", 17),
    ("nothing behind the colon", "sd1:", "length", None),
    ("12 characters", "sd1:aaaaaaaaaaaa", "length", None),
    ("14 characters", "sd1:aaaaaaaaaaaaaa", "length", None),
    ("length is told before trailing bits", "sd1:aaaaaaaaaaaaab", "length", None),
    ("12 characters with the low bit", "sd1:aaaaaaaaaaab", "length", None),
    ("trailing bit", "sd1:aaaaaaaaaaaab", "trailing-bits", None),
    ("trailing bit of 7", "sd1:7777777777777", "trailing-bits", None),
    ("trailing bit in upper case", "SD1:AAAAAAAAAAAAZ", "trailing-bits", None),
]


def strings() -> Iterator[Planned]:
    for name, string, value in ACCEPTED:
        want = {"value": f"{value:016x}", "reason": None, "position": None}
        yield case(name, "7.6 7.7", want, string=string)
    for number, last in enumerate("acegikmoqsuwy246"):
        want = {"value": f"{number:016x}", "reason": None}
        yield case(f"last character {last}", "7.6 7.7", want, string="sd1:" + "a" * 12 + last)
    for name, string, reason, position in REFUSED:
        want = {"value": None, "reason": reason, "position": position}
        yield case(name, "7.7", want, string=string)


# ---------------------------------------------------------------- distances: [7.9] [7.10]


def distances() -> Iterator[Planned]:
    for bits in (0, 1, 2, 3, 4, 5, 6, 7, 8, 32, 63, 64):
        match = "close" if bits <= 1 else "loose" if bits <= 6 else "none"
        want = {"distance": bits, "similarity": (64 - bits) / 64, "match": match, "within_default": bits <= 3}
        one = 0x0123456789ABCDEF
        other = one ^ (2**64 - 1 & ~(2 ** (64 - bits) - 1))
        yield case(f"distance {bits}", "7.9 7.10", want, one=f"{one:016x}", other=f"{other:016x}")
    scattered = {"distance": 4, "match": "loose", "within_default": False}
    yield case("distance 4, scattered", "7.9", scattered, one="8000000100000001", other="0000000000000080")


# ---------------------------------------------------------------- documents: sections 3 to 7

ENGLISH = (
    "Two documents are near-duplicates when a reader would call them the same text: a page and its printed form, a report and "
    "its corrected edition, an article and the copy that another site made of it. Their octets differ everywhere, their words "
    "hardly anywhere. A fingerprint of sixty-four bits, made from the words, differs in few bits where the texts differ in few "
    "words, and that is what a search for them can use."
)
DOCUMENTS = [  # name, clauses, input
    ("empty", "7.4", ""),
    ("only spaces", "7.4", " \n\t \u3000 \u200b"),
    ("only numbers and marks", "6.7 7.4", "1, 2, 3 \u2014 4.5 % \u0301 \u2460"),
    ("only URLs", "5.1 7.4", "https://example.org/ HTTP://EXAMPLE.ORG WWW.example.com a@b.example"),
    ("one word", "7.5", "Fingerprint"),
    ("one word 60 times", "7.2", "again " * 60),
    ("example: \u65e5\u672c\u306e\u30c6\u30b9\u30c8", "6.2 6.4", "\u65e5\u672c\u306e\u30c6\u30b9\u30c8"),
    ("example: \u3089\u30fc\u3081\u3093", "6.1 6.4", "\u3089\u30fc\u3081\u3093"),
    ("example: \u4e8c\u3007\u4e8c\u56db\u5e74", "6.1 6.4", "\u4e8c\u3007\u4e8c\u56db\u5e74"),
    ("example: 2024\u5e743\u670815\u65e5", "6.3 6.4 6.7", "2024\u5e743\u670815\u65e5"),
    ("example: \u0e1b\u0e35\u0e52\u0e55\u0e56\u0e57", "6.3 6.7", "\u0e1b\u0e35\u0e52\u0e55\u0e56\u0e57"),
    ("example: \u7b2c2\u7ae0", "6.3 6.4", "\u7b2c2\u7ae0"),
    ("example: \u0915\u094d\u0930\u093f\u092f\u093e", "6.3", "\u0915\u094d\u0930\u093f\u092f\u093e"),
    ("example: Greek, German, ligature", "4.2", "\u039f\u0394\u039f\u03a3 Stra\u00dfe \ufb01ne"),
    ("example: URL in Japanese", "5.2", "\u8a73\u3057\u304f\u306fhttps://example.org/x\u3002\u6b21\u306e\u6587"),
    ("example: connectors", "6.5", "_foo_ snake_case h2o"),
    ("English", "6.3 7.5", ENGLISH),
    ("English, otherwise rendered", "4.2 4.3", ENGLISH.replace("fi", "\ufb01").replace("when", "WHEN").replace("document", "docu\u00adment").replace(" the ", "\u00a0the ")),
    ("English, composed of full-width letters", "4.2", "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in ENGLISH)),
    ("German", "4.2", "Die Gr\u00f6\u00dfe der STRASSE, die \u00c4nderung der Stra\u00dfenf\u00fchrung \u2013 und \u201ealles\u201c \u00fcbrige. Stra\u00ad\u00dfe, Schi\ufb00\ufb01ahrt."),
    ("Turkish", "4.2", "\u0130stanbul'da ya\u011fmur ya\u011f\u0131yor; DI\u015eARISI \u0131slak, \u0130\u00c7ER\u0130S\u0130 s\u0131cak."),
    ("Greek", "4.1 4.2", "\u0395\u03bd \u03b1\u03c1\u03c7\u1fc7 \u1f26\u03bd \u1f41 \u03bb\u03cc\u03b3\u03bf\u03c2, \u039f \u039b\u039f\u0393\u039f\u03a3 \u03c4\u1ff7 \u03b8\u03b5\u1ff7 \u1fb4\u03c3\u1fb3."),
    ("Russian", "4.2", "\u0421\u044a\u0435\u0448\u044c \u0436\u0435 \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 \u043c\u044f\u0433\u043a\u0438\u0445 \u0411\u0423\u041b\u041e\u041a; \u0435\u0449\u0435\u0308 \u2014 \u0438\u0306\u043e\u0434."),
    ("Chinese", "6.2 6.4", "\u8fd9\u7bc7\u6587\u7ae0\u8ba8\u8bba\u4e86\u76f8\u4f3c\u6587\u6863\u7684\u68c0\u6d4b\u65b9\u6cd5\uff0c\u5305\u62ec2024\u5e74\u7684\u65b0\u7ed3\u679c\u3002\u53c2\u89c1www.example.cn\uff0c\u4ee5\u53caA\u7ec4\u3002"),
    ("Japanese, half and full width", "4.2 6.2", "\uff8c\uff67\uff72\uff99\u306e\u6bd4\u8f03\u3001\u30d5\u30a1\u30a4\u30eb\u306e\u6bd4\u8f03\u3002\u30c6\u3099\u30fc\u30bf\u3092\uff21\uff22\uff23\u306b\u5206\u3051\u308b\u3002"),
    ("Korean, composed and jamo", "4.5", "\ud55c\uad6d\uc5b4 \ubb38\uc11c\ub97c \ube44\uad50\ud55c\ub2e4. \u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165 \u3131"),
    ("Thai", "6.2", "\u0e40\u0e2d\u0e01\u0e2a\u0e32\u0e23\u0e17\u0e35\u0e48\u0e04\u0e25\u0e49\u0e32\u0e22\u0e01\u0e31\u0e19 \u0e19\u0e49\u0e33 \u0e53\u0e50 \u0e1b\u0e35"),
    ("Khmer, Lao, Myanmar", "6.2", "\u17af\u1780\u179f\u17b6\u179a\u179f\u17d2\u179a\u178a\u17c0\u1784 \u0ec0\u0ead\u0e81\u0eb0\u0eaa\u0eb2\u0e99 \u0e99\u0ec9\u0eb3 \u1005\u102c\u101b\u103d\u1000\u103a\u1005\u102c\u1010\u1019\u103a\u1038\u104b"),
    ("Hindi with joiners", "4.3 6.3", "\u0939\u093f\u0928\u094d\u0926\u0940 \u092e\u0947\u0902 \u0932\u093f\u0916\u093e \u0939\u0941\u0906 \u092a\u093e\u0920, \u0915\u094d\u200d\u0937 \u0958\u0932\u092e \u0967\u0968\u0969\u0964"),
    ("Tamil", "6.3", "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd \u0bae\u0bca\u0bb4\u0bbf\u0baf\u0bbf\u0bb2\u0bcd \u0b95\u0bc6\u0bbe\u0b9f\u0bc1, \u0b94\u0bb5\u0bc8"),
    ("Arabic and Persian", "4.2 4.3", "\u0627\u0644\u0633\u0651\u0644\u0627\u0645\u064f \u0639\u0644\u064a\u0643\u0645\u060c \ufefb \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u06f1\u06f2\u06f3 \u061c\u0646\u0635"),
    ("Hebrew", "4.1", "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u200f\u05e2\u05d5\u05dc\u05dd \ufb2a\u05dc \u05d3\u05d5\u05f4\u05d7 \u05e6\u05f3"),
    ("Vietnamese in two spellings", "4.1 4.5", "Ti\u1ebfng Vi\u1ec7t, Tie\u0302\u0301ng Vie\u0323\u0302t"),
    ("astral letters", "4.2", "\U00010400\U00010428 \U0001d403\U0001d428\U0001d41c \U00020bb7\u91ce\u5bb6 \U0001e900"),
    ("emoji", "4.3 6.1", "\u2764\ufe0f good \U0001f468\u200d\U0001f469\u200d\U0001f467 morning \U0001f1e9\U0001f1ea 1\ufe0f\u20e3"),
    ("unassigned and noncharacters", "3.2", "a\u0378b \uffffc\U0010ffffd \u2065e f\U0001e4d0g"),
    ("identifiers", "5.1", "See DOI:10.1000/182, 10.1000/XYZ(1) and ARXIV:2001.00001v2; mail Jo.Smith@Example.ORG. \uff48\uff54\uff54\uff50\uff1a\uff0f\uff0fexample.org/\u00fcber end"),
    ("cut by what folding joins", "4.3 5.2", "http\u00ad://example.org and ht\u200btp:\u2060//x.example/y\u00adz end"),
    ("a word folding makes long", "6.6", "\ufb03" * 43 + " " + "\ufb03" * 42 + "ab end"),
    ("long run of marks", "4.4", "a" + "\u0301" * 100 + "b a" + "\u0301" * 29 + "b"),
]


def documents() -> Iterator[Planned]:
    for name, clauses, text in DOCUMENTS:
        yield case(name, clauses, text=text)
    fifty = ENGLISH.split()[:48]  # two of them hold a hyphen
    yield case("49 tokens", "7.5", {"count": 49, "short": True}, text=" ".join(fifty[1:]))
    yield case("50 tokens", "7.5", {"count": 50, "short": False}, text=" ".join(fifty))
    latin1 = "Caf\u00e9 na\u00efve \u00fcber r\u00e9sum\u00e9".encode("latin-1").hex()
    yield case("Latin-1 given as UTF-8", "3.1", {"tokens": ["caf", "na", "ve", "ber", "r", "sum"]}, bytes_hex=latin1)
    marked = {"tokens": ["text", "t", "xt"]}
    yield case("byte order mark and a broken sequence", "3.1 4.3", marked, bytes_hex="efbbbf5465787420 54e278 74".replace(" ", ""))
    yield case("valid UTF-8", "3.1", bytes_hex=ENGLISH.encode().hex())
    yield case("UTF-16 with lone surrogates", "3.2", {"tokens": ["a", "b", "\U00010428"]}, utf16=[0x41, 0xD800, 0x42, 0x20, 0xDC00, 0xD801, 0xDC00])


# ---------------------------------------------------------------- large: every clause at once

PIECES = (  # separated by |
    " |. |, |\n| \u2014 |\u3002|\u3001|_|-|/|1|2024|the|of|and|to|in|a|is|that|near|dupli|cate|docu|ment|print|s|ing|ed|NOT|\u00dc"
    "|Stra\u00dfe|\u00ad|\u200b|\u200d|\ufb01|\uff21\uff22|\u0301|\u0323|\u0345|\u034f|\u0308|\u00e9|\u1fb3|\u0130|\u0131|\u03a3"
    "|\u03bb\u03cc\u03b3\u03bf\u03c2|\u0421\u043b\u043e\u0432\u043e|\u0451|\u0627\u0644|\u0643\u062a\u0627\u0628|\u064e|\u05e9\u05c1\u05dc\u05d5\u05dd"
    "|\u0939\u093f\u0928\u094d\u0926\u0940|\u093e|\u0ba4\u0bae\u0bbf\u0bb4\u0bcd|\u4e2d|\u6587|\u65e5\u672c|\u306e|\u30c6\u3099|\uff76|\uff9e|\u30fc"
    "|\u0e01|\u0e33|\u0e35\u0e48|\u1781\u17d2|\u1019\u103c|\u0ea5\u0eb2|\ud55c|\uad6d\uc5b4|\u1112|\u1161|\u11ab|\u3131|\U00010400|\U0001d400|\U00020bb7"
    "|\U0001f600|\ufe0f|\ue000|\u0378|\uffff|\U0001e4d0|\ufffd|://|http|www.|doi:|10.1000|@|example.org|.| | | | | | | | "
)


def large() -> Iterator[Planned]:
    rule = {"kind": "every-code-point", "before": "a", "after": "b\n"}
    yield case("every code point between two letters", "2.1 2.2 3.2 4.2 4.3 6.1", rule=rule)
    rule = {"kind": "every-code-point", "before": "\u4e2d", "after": "\u0301 "}
    yield case("every code point between a pair letter and a mark", "2.1 2.2 4.5 6.1 6.2", rule=rule)
    for size in (1_000, 100_000, 10_000_000):
        rule = {"kind": "pieces", "seed": "20261120", "octets": size, "pieces": PIECES.split("|")}
        yield case(f"random pieces, {size} octets", "4.4 5.1 6.3 7.2", rule=rule)


STAGES = (repair, normalise, cuts, tokens, hashes, prints, strings, distances, documents, large)
ALL = {stage.__name__: stage for stage in STAGES}
