#!/usr/bin/env python3
"""Writes the cases of docs/PASSAGES.md, or checks that they are what the reference gives: `make_passage_cases.py [--check]`.

The cases are in crates/nearprint-passages/tests/cases/passages.json: collections of texts, how they are searched, and
what is found; those written by hand also with the tokens of each text. The tests of the library read the same file.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import nearprint_passages as passages

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "crates" / "nearprint-passages" / "tests" / "cases" / "passages.json"
COMMENT = (
    "Collections of texts and what docs/PASSAGES.md says of them, written by reference/make_passage_cases.py. `tokens` "
    "are those of each text, numbers among them, with their places in bytes."
)
FOG = "Fog came in at noon and stayed over the harbour until the bells rang for the last boat home."
BY_HAND = [
    (
        "a quotation",
        ["He wrote: \u201c" + FOG + "\u201d", "It rained. " + FOG.upper() + " Then it left."],
        5,
        False,
        1000,
    ),
    ("one token too few", ["a b c d x", "y a b c d"], 5, False, 1000),
    ("exactly enough", ["a b c d x", "y a b c d"], 4, False, 1000),
    ("a number differs", ["pay 12 pounds by noon today", "pay 13 pounds by noon today"], 4, True, 1000),
    ("numbers do not count", ["pay 12 pounds by noon today", "pay 13 pounds by noon today"], 4, False, 1000),
    ("pairs of letters", ["前の日本のテストは終わり", "これは日本のテストだ"], 5, False, 1000),
    ("Thai with marks", ["ฝนตกน้ำท่วมบ้านเมือง", "วันนี้น้ำท่วมบ้านเรา"], 5, False, 1000),
    ("Devanagari", ["यह हिन्दी का एक वाक्य है", "और हिन्दी का एक वाक्य यह"], 3, False, 1000),
    (
        "clusters",
        [
            "co\u00adop of \ufb01les e\u0301te\u0301 \u3322 \u00bd cup",
            "COOP of files \u00e9t\u00e9 センチ 1\u20442 cup",
        ],
        3,
        True,
        1000,
    ),
    ("addresses are cut", ["see https://example.org/a or ask the man", "see or ask, the man"], 4, False, 1000),
    ("a period", ["fog " * 12, "so " + "fog " * 9], 4, False, 1000),
    ("a period beyond the bound", ["fog " * 12, "so " + "fog rain " * 9 + "fog " * 7], 4, False, 5),
    ("in many texts", [f"w{'x' * n} all rights are reserved here {'y' * n}" for n in range(1, 8)], 4, False, 3),
    (
        "in many texts, with a word and with half of a window before it",
        [
            f"{before} all rights are reserved here {'y' * n}"
            for n, before in enumerate(["w", "w", "x", "b c", "b c"], 1)
        ],
        4,
        False,
        3,
    ),
    (
        "in many texts, with a word between two of them",
        [
            f"{'y' * n} all rights are reserved here {w} this is not a licence"
            for n, w in enumerate(["w", "w", "x", "z"], 1)
        ],
        4,
        False,
        3,
    ),
    ("unassigned and long", ["a\u0378b " + "z" * 129 + " c d", "A B c D"], 2, False, 1000),
    ("nothing", ["", "...", "12"], 1, False, 1000),
]
PIECES = [
    "fog ",
    "Fog, ",
    "rain ",
    "12 ",
    "7.5 ",
    "日本",
    "のテスト",
    "น้ำ",
    "ท่วม ",
    "ﬁ",
    "é",
    "é",
    "\xad",
    "ｶﾞ",
    "a_b ",
    "_",
    "½",
    "http://x.y/z ",
    "한",
    "́",
    "̣",
    "\n",
]


def cases() -> list[dict[str, object]]:
    found = [case(name, texts, None, *settings) for name, texts, *settings in BY_HAND]
    for of in found:
        of["tokens"] = [[list(token) for token in passages.placed_tokens(text, True)] for text in of["texts"]]
    drawn = random.Random(40)
    for number in range(60):
        kinds = drawn.sample(PIECES, drawn.randint(2, len(PIECES)))
        texts = ["".join(drawn.choices(kinds, k=drawn.randint(0, 40))) for _ in range(drawn.randint(2, 6))]
        references = drawn.choice([None, None, drawn.randint(0, len(texts))])
        settings = drawn.randint(1, 9), drawn.random() < 0.5, drawn.choice([1, 3, 10, 1000])
        found.append(case(f"pieces {number}", texts, references, *settings))
    return found


def case(
    name: str, texts: list[str], references: int | None, least: int, numbers: bool, most: int
) -> dict[str, object]:
    settings = {"references": references, "least_tokens": least, "numbers": numbers, "most_places": most}
    found = passages.passages(texts, references, least, numbers, most)
    return {"name": name, "texts": texts} | settings | {"found": found}


def written() -> str:
    """The file as it is to be."""
    return json.dumps({"_comment": COMMENT, "cases": cases()}, indent=1) + "\n"


def main() -> int:
    if "--check" in sys.argv[1:]:
        if PLACE.read_text(encoding="ascii") == written():
            return 0
        print(f"{PLACE.name} is not what the reference gives: run reference/make_passage_cases.py")
        return 1
    PLACE.write_text(written(), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
