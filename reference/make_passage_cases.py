#!/usr/bin/env python3
"""Writes the vectors of spec/PASSAGES.md, or checks that they are what the reference gives: `make_passage_cases.py [--check]`.

They are in spec/vectors/passages. The tests of the library read the same files.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import nearprint_passages as passages

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "spec" / "vectors" / "passages"
COMMENT = "Written by reference/make_passage_cases.py; README.md says what the fields are."
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
    for number in range(30):
        kinds = drawn.sample(PIECES, 8)
        text = drawn.choices(kinds, k=40)
        texts = []
        for _ in range(3):
            edited = list(text)
            for at in sorted(drawn.sample(range(40), drawn.randint(1, 5)), reverse=True):
                edited[at : at + drawn.randint(0, 1)] = drawn.choices(PIECES, k=drawn.randint(0, 2))
            texts.append("".join(edited))
        settings = drawn.randint(2, 6), drawn.random() < 0.5, drawn.choice([10, 1000]), drawn.randint(1, 6)
        found.append(case(f"edits {number}", texts, None, *settings))
    return found


def case(
    name: str, texts: list[str], references: int | None, least: int, numbers: bool, most: int, gap: int = 0
) -> dict[str, object]:
    settings = {
        "references": references,
        "least_tokens": least,
        "numbers": numbers,
        "most_places": most,
        "most_gap": gap,
    }
    found = passages.passages(texts, references, least, numbers, most, gap)
    return {"name": name, "texts": texts} | settings | {"found": found}


def repeats() -> list[dict[str, object]]:
    """Collections of pieces, some of them several times."""
    drawn = random.Random(41)
    found = []
    for number in range(40):
        kinds = drawn.sample(PIECES, drawn.randint(2, len(PIECES)))
        texts = ["".join(drawn.choices(kinds, k=drawn.randint(0, 40))) for _ in range(drawn.randint(1, 5))]
        settings = {
            "least_tokens": drawn.randint(1, 8),
            "numbers": drawn.random() < 0.5,
            "all_places": drawn.random() < 0.5,
        }
        of = passages.repeats(texts, *settings.values())
        stretches = [
            {"document": document, "start_byte": start, "end_byte": end, "tokens": tokens}
            for document, start, end, tokens in of
        ]
        found.append({"name": f"repeats {number}", "texts": texts} | settings | {"found": stretches})
    return found


def items() -> list[dict[str, object]]:
    """Items of 3 to 28 words of few kinds, and texts with parts of them."""
    drawn = random.Random(42)
    found = []
    for number in range(20):
        kinds = drawn.choice([3, 6, 20, 48])

        def words(count: int, kinds: int = kinds) -> list[str]:
            numbers = [drawn.randrange(kinds) for _ in range(count)]
            return ["w" + "abcdefg"[number // 7] * (number % 7 + 1) for number in numbers]

        questions = [words(3 + 5 * at) for at in range(6)]
        answers = [words(drawn.randint(1, 3)) if drawn.random() < 0.7 else None for _ in questions]
        texts = []
        for _ in range(4):
            text = words(30)
            for _ in range(3):
                at = drawn.randrange(len(questions))
                text += questions[at][drawn.choice([0, 0, 2]) :] + words(drawn.choice([0, 3, 60]))
                text += answers[at] or []
            texts.append(text)
        rows, undecidable = passages.items(questions, answers, texts)
        pairs = zip(questions, answers, strict=True)
        given = [{"question": " ".join(question), "answer": answer and " ".join(answer)} for question, answer in pairs]
        of = {"name": f"items {number}", "items": given, "texts": [" ".join(text) for text in texts]}
        found.append(of | {"found": rows, "undecidable": undecidable})
    return found


def written() -> dict[str, str]:
    """The files as they are to be, by name."""
    files = {"shared": cases(), "repeats": repeats(), "items": items()}
    return {
        f"{name}.json": json.dumps({"_comment": COMMENT, "cases": of}, indent=1) + "\n" for name, of in files.items()
    }


def main() -> int:
    for name, text in written().items():
        if "--check" not in sys.argv[1:]:
            (FOLDER / name).write_text(text, encoding="ascii")
        elif (FOLDER / name).read_text(encoding="ascii") != text:
            print(f"{name} is not what the reference gives: run reference/make_passage_cases.py")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
