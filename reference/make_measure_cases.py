#!/usr/bin/env python3
"""Writes the cases of docs/MEASURE.md, or checks that they are what the reference gives: `make_measure_cases.py [--check]`.

The cases are in crates/nearprint/tests/cases/measure.json: pairs of texts, each with what all three measures say of
them; those written by hand also with their units and features. The tests of the library read the same file.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import nearprint_measure as measure

PLACE = Path(__file__).resolve().parent.parent / "crates" / "nearprint" / "tests" / "cases" / "measure.json"
COMMENT = (
    "Pairs of texts and what docs/MEASURE.md says of them, written by reference/make_measure_cases.py. A similarity is "
    "a string, which every reader of decimal numbers reads to the same binary64. Hashes are "
    "hexadecimal; an element is what is kept of it; cosine features are hash and weight. `pieces` are "
    "texts put together at random."
)
FOG = "Fog came in at noon and stayed over the harbour until the bells rang for the last boat home."


def words(stem: str, count: int) -> str:
    """Words of which none is twice."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return " ".join(stem + letters[number // 26] + letters[number % 26] for number in range(count))


LONG = words("fog", 320)
BY_HAND = [
    ("no text beside a text", "", "fog"),
    ("two texts without words", "", "—"),
    ("one word", "fog", "Fog!"),
    ("two words", "fog came", "came fog"),
    ("one of twenty words", FOG, FOG.replace("over", "above")),
    ("a contradicting number", "apples cost 12 today and pears cost 14", "apples cost 13 today and pears cost 14"),
    ("a number that one text has", "apples cost 12 today and pears cost 14", "apples cost today and pears cost 14"),
    ("a number after another place", "on page 7 fog came in", "fog came in on page 7"),
    ("four numbers in a row", "they are 1 2 3 4 5 in all", "they are 1 2 3 5 4 in all"),
    ("a number at the start", "7 boats came in today", "9 boats came in today"),
    ("the same number twice in one place", "page 5 page 5 page 5", "page 5 page 5 page 6"),
    ("a number before words that repeat", "row 1 row 2 row 3 of the list", "row 1 row 3 row 2 of the list"),
    ("digits of other scripts", "it cost ٣.١٤ in 2024", "it cost 3.14 in ２０２４"),
    ("zeros in front", "agent 007 came in", "agent 7 came in"),
    ("separators of thousands", "it cost 1,000 pounds", "it cost 1.000 pounds"),
    ("signs between letters", "let a + b be c", "let a - b be c"),
    ("signs between words", "total + amount", "total - amount"),
    ("typographic signs", "3×4−2÷1 is it", "3*4-2/1 is it"),
    ("currency", "it cost $ 5, 5 € and 50 %", "it cost $5, 5€ and 50%"),
    ("several signs", "if x >= 3 then y == z", "if x => 3 then y == z"),
    ("bullets and dashes", "* fog – rain\n* sun - moon", "fog rain sun moon"),
    ("addresses", "see http://x.y/1+2 3 today", "see 3 today"),
    ("pairs of letters", "日本のテスト5 第2章", "日本のテスト6 第2章"),
    ("marks among pairs", "中\u0301文 2 字", "中文 2 字"),
    ("a word too long", "w" * 129 + " 3 fog came", "3 fog came"),
    ("numbers of words", "h2o, 2nd and x² came", "h2o, 3rd and x² came"),
    ("numbers alone", "1 2 3", "1 2 4"),
    (
        "a heading in common",
        "Rights reserved by all of the authors here. Fog.",
        "Rights reserved by all of the authors here. Sun.",
    ),
    ("exponents and fractions", "10² miles, 1½ cups in 1648³", "102 miles, 11/2 cups in 16483"),
    ("marks at the end of words", "C# and NIS+, AB- and more", "C and NIS, AB+ and more"),
    ("operators", "if (!ready && item->next) total -= a.b<<c", "if (ready || item->next) total += a.b>>c"),
    ("mail and web", "ask a@b.org, see https://c.org/d.", "ask b@b.org (see http://c.org/d)"),
    ("pictures", "we loved it 😀😀 ✓", "we loved it 😡 ✗"),
    ("names of code", "call getURL and BOOST_PROTO_A", "call getUrl and BOOST_PROTO_a"),
    ("dates", "on 12 March 2024 at 12:30, in 0.03 s, 2024-03-12", "on 13 May 2024 at 12:31, in 0.18 s, 2024-04-12"),
    ("groups of one number", "it cost 1,000 or 5 or 5.10", "it cost 1,000,000 or 5.1 or 5.10.3"),
    (
        "numbers that are no dates",
        "law 12 of 1995, 3 to 1950, 7 of this law 1990",
        "law 13 of 1995, 4 to 1951, 8 of this law 1991",
    ),
    ("months of several words", "on 12 de marzo de 1995 and 3 May 1996", "on 13 de mayo de 1995 and 4 June 1996"),
    ("names with and without a mark", FOG + " Write it in C++ for AB.", FOG + " Write it in C for AB+."),
    ("arrows and relations", "A → B, rate ↑ today, x ∈ A, 5′ and ▲ 3", "A ← B, rate ↓ today, x ∉ A, 5″ and ▼ 3"),
    (
        "two timetables",
        "harbour " + " ".join(f"5:{n:02}" for n in range(5, 20)),
        "harbour " + " ".join(f"6:{n:02}" for n in range(25, 40)),
    ),
    (
        "a form and the same filled in",
        "haemoglobin ferritin zinc iron of the lab",
        "haemoglobin 1 2 ferritin 3 4 zinc 5 6 iron 7 of the lab",
    ),
    ("flags", "made in 🇩🇪 by hand", "made in 🇫🇷 by hand"),
    ("drawing", "---- 5 ==== fog | rain", "5 fog & rain"),
    ("spellings", "كِتَابٌ שָׁלוֹם αθήνα", "كتاب שלום αθηνα"),
    ("case and blanks", "Fog  came\nin", "fog came in"),
    ("part of a longer text", FOG, FOG + " Then rain came in, and it stayed for seven days and seven nights."),
    ("a table", "a 1 b 2 c 3 d 4 e 5", "a 1 b 2 c 3 d 4 e 6"),
    ("a longer text", LONG, LONG + " " + words("boat", 60)),
    ("a text with another date and month", LONG + " on 12 march 2024", LONG + " on 3 may 2024"),
    ("one word of a long text", LONG, LONG.replace("fogbb ", "rain ")),
    (
        "three words of a long text",
        LONG,
        LONG.replace("fogbb ", "rain ").replace("fogcc ", "rain ").replace("fogdd", "sun"),
    ),
]
PIECES = [" ", " ", " ", "  ", "\n", "\t\u2028", "\x85", "\xa0", ", ", ". ", "-", "- ", "+", "€", "%"]
PIECES += [
    "^",
    "/",
    "_",
    "=",
    "1",
    "2024",
    "007",
    "٣",
    "½",
    "10.1234",
    "/abc",
    "http://a.b/c",
    "x@y.z",
    "www.",
    "a",
    "x",
]
PIECES += ["b ", "the ", "fog ", "came in ", "Word", "Straße", "ﬁ", "e\u0301", "\u0345", "Слово ", "हिन्दी ", "日本語"]
PIECES += ["の", "テスト。", "한국어", "\U00010400", "\ufffd", "ﷺ", " 3 ", " - ", "<", "w" * 129, "±", "$ ", " 5"]


def pieces_pairs(count: int, seed: int) -> list[tuple[str, str, str]]:
    """Texts of pieces, and the same with some pieces exchanged."""
    chance = random.Random(seed)
    pairs = []
    for number in range(count):
        one = chance.choices(PIECES, k=chance.randint(1, 60))
        other = [piece if chance.random() < 0.85 else chance.choice(PIECES) for piece in one]
        pairs.append((f"pieces {number}", "".join(one), "".join(other)))
    return pairs


def features_of(text: str) -> dict[str, object]:
    """The units and features of a text, in ascending order."""
    shingles, words = measure.features(text, "jaccard"), measure.features(text, "cosine")
    return {
        "units": [unit.text for unit in measure.units(text)],
        "shingles": [f"{word:010x}" for word in sorted(shingles.words)],
        "elements": sorted(f"{element:016x}" for all_ in shingles.elements.values() for element in all_),
        "words": [f"{word:010x} {weight}" for word, weight in sorted(words.words.items())],
        "numbers": [f"{word:010x} {weight}" for word, weight in sorted(words.weights.items())],
    }


def case_of(name: str, a: str, b: str, with_features: bool) -> dict[str, object]:
    """A case: what each measure says of two texts."""
    said = {}
    for kind, threshold in measure.THRESHOLDS.items():
        one, other = measure.features(a, kind), measure.features(b, kind)
        similarity = measure.similarity(one, other, kind)
        # Beside the default, a threshold that the pair just reaches, where evidence decides.
        said[kind] = [
            repr(similarity),
            measure.is_match(one, other, kind, threshold),
            measure.is_evidence(one, other, kind, similarity),
        ]
    grade = measure.grade(a, b, "jaccard", measure.THRESHOLDS["jaccard"])
    one, other = measure.features(a, "jaccard"), measure.features(b, "jaccard")
    # If the second would be dropped, and if the first.
    contradicts = [measure.contradiction(one, other), measure.contradiction(other, one)]
    extra = {"features_a": features_of(a), "features_b": features_of(b)} if with_features else {}
    return {"name": name, "a": a, "b": b, **said, "texts": grade, "contradicts": contradicts, **extra}


def written() -> str:
    """The file."""
    cases = [case_of(*pair, with_features=True) for pair in BY_HAND]
    cases += [case_of(*pair, with_features=False) for pair in pieces_pairs(200, 33)]
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=True) for case in cases)
    return f'{{\n "comment": {json.dumps(COMMENT)},\n "cases": [\n{lines}\n ]\n}}\n'


def main() -> int:
    text = written()
    if sys.argv[1:] == ["--check"]:
        stated = PLACE.read_text("ascii") if PLACE.exists() else ""
        if stated != text:
            print(f"{PLACE.name} is not what the reference gives: run reference/make_measure_cases.py")
            return 1
        return 0
    PLACE.write_text(text, "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
