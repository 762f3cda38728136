#!/usr/bin/env python3
"""How much of a shared passage is found where words of it were changed: `passage_edits.py NEARPRINT [--record FILE]`.

Pairs of texts of 2,000 made words share a passage of 100 or 300 words, in one of which each word was replaced with some
probability. For each length of runs and gap: the share of pairs of which at least half of the passage is in one row, and
the mean share of the passage that all rows have.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path

PAIRS = 200
RATES = (0.0, 0.01, 0.02, 0.05, 0.1)
SETTINGS = ((50, 0), (50, 5), (20, 5), (13, 5), (13, 40), (8, 40))


def made_words(drawn: random.Random, count: int) -> list[str]:
    """Words of a vocabulary in which the n-th word has a frequency of 1 / n, as in natural text."""
    ranks = range(1, 30_001)
    return [f"w{word}" for word in drawn.choices(VOCABULARY, weights=[1 / rank for rank in ranks], k=count)]


def vocabulary() -> list[str]:
    drawn = random.Random(1)
    return ["".join(drawn.choices("abcdefghiklmnoprstuvw", k=drawn.randint(2, 9))) for _ in range(30_000)]


VOCABULARY = vocabulary()


def planted(length: int, rate: float) -> tuple[list[dict[str, str]], dict[str, tuple[int, int]]]:
    """Texts two by two, and where the passage is in the first of each, in characters."""
    drawn = random.Random(f"{length} {rate}")
    rows, places = [], {}
    for number in range(PAIRS):
        passage = made_words(drawn, length)
        edited = [drawn.choice(VOCABULARY) if drawn.random() < rate else word for word in passage]
        before, after = made_words(drawn, 900), made_words(drawn, 1100 - length)
        text = " ".join([*before, *passage, *after])
        start = len(" ".join(before)) + 1
        places[f"{number}a"] = (start, start + len(" ".join(passage)))
        other = [*made_words(drawn, 1100 - length), *edited, *made_words(drawn, 900)]
        rows += [{"id": f"{number}a", "text": text}, {"id": f"{number}b", "text": " ".join(other)}]
    return rows, places


def found(program: str, folder: Path, length: int, rate: float) -> list[tuple[float, float]]:
    """Of each setting: the share of pairs with half of the passage in a row, and the mean share of it in rows."""
    rows, places = planted(length, rate)
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    results = []
    for least, gap in SETTINGS:
        asked = [
            program,
            "passages",
            "-qq",
            "--json",
            "--min-tokens",
            str(least),
            "--search",
            f"max-gap={gap}",
            str(path),
        ]
        out = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
        longest, covered = dict.fromkeys(places, 0.0), {place: set() for place in places}
        for row in map(json.loads, out.splitlines()):
            if row["b"] != row["a"][:-1] + "b":
                continue
            start, end = places[row["a"]]
            within = range(max(start, row["a_start"]), min(end, row["a_end"]))
            longest[row["a"]] = max(longest[row["a"]], len(within) / (end - start))
            covered[row["a"]].update(within)
        halves = sum(share >= 0.5 for share in longest.values()) / PAIRS
        shares = [len(covered[place]) / (end - start) for place, (start, end) in places.items()]
        results.append((halves, sum(shares) / PAIRS))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nearprint")
    parser.add_argument("--record", type=Path, help="append the tables to FILE")
    arguments = parser.parse_args()
    lines = []
    for length in (100, 300):
        head = " | ".join(f"T = {least}, G = {gap}" for least, gap in SETTINGS)
        lines += [
            f"A passage of {length} words:",
            "",
            f"| words changed | {head} |",
            "|---" * (len(SETTINGS) + 1) + "|",
        ]
        with tempfile.TemporaryDirectory() as folder:
            for rate in RATES:
                cells = [
                    f"{half:.3f}, {share:.3f}" for half, share in found(arguments.nearprint, Path(folder), length, rate)
                ]
                lines.append(f"| {rate:.0%} | {' | '.join(cells)} |")
        lines.append("")
    print("\n".join(lines))
    if arguments.record:
        with arguments.record.open("a", encoding="utf-8") as record:
            record.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
