#!/usr/bin/env python3
"""Compares the command with the reference: `compare_passages.py COMMAND [COLLECTIONS]`.

Random collections, in which passages and boilerplate repeat, go through `nearprint passages` and through
nearprint_passages.py, and random items and texts through `nearprint passages decontaminate` and the definition below. All
rows must be equal, and all places of frequent passages; so must the repeats of `nearprint passages dedup`, and what is
left when they are cut.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nearprint_passages as passages

WORDS = ["fog ", "rain ", "sun ", "of ", " 日本の ", "น้ำท่วม ", "12 "]
NOTICES = ["a b c d e f g h i j k ", "l m n o p q r s t ", "a b c d e u v w x y z k "]


def write(path: Path, texts: list[str], first: int = 0) -> str:
    lines = [json.dumps({"id": str(number), "text": text}) + "\n" for number, text in enumerate(texts, first)]
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


def read(command: str, *arguments: str) -> list[dict[str, Any]]:
    asked = [command, "passages", *arguments, "--json", "-qq"]
    done = subprocess.run(asked, capture_output=True, check=False, text=True)
    # 1: a document has no token.
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_passages(command: str, source: random.Random, folder: Path) -> None:
    """Compares all rows and places of one collection."""

    def text() -> str:
        parts = [[*source.choices(WORDS, k=source.randrange(6)), source.choice(NOTICES)] for _ in range(4)]
        return "".join(itertools.chain(*parts))

    texts = [text() for _ in range(25)]
    least, most, references = source.choice([4, 7, 10]), source.choice([3, 12, 1000]), source.choice([None, 10])
    numbers, memory = source.choice([True, False]), source.choice(["1M", "1G"])
    gap = source.choice([0, 0, 1, 5])
    wanted: Any = passages.passages(texts, references, least, numbers, most, gap)
    places = folder / "places.jsonl"
    arguments = [
        "--min-tokens",
        str(least),
        "--search",
        f"max-places={most}",
        "--search",
        f"max-gap={gap}",
        "--limit",
        f"memory={memory}",
    ]
    arguments += ["--force", "--places", str(places), write(folder / "documents.jsonl", texts[:references])]
    if numbers:
        arguments += ["--search", "numbers"]
    if references is not None:
        arguments += ["--against", write(folder / "references.jsonl", texts[references:], references)]
    rows = read(command, *arguments)
    names = {"start_byte": "start_byte", "end_byte": "end_byte", "start_character": "start", "end_character": "end"}

    def place(row: dict[str, Any], prefix: str = "") -> dict[str, int]:
        return {name: row[prefix + found] for name, found in names.items()}

    shared = [
        {"a": int(row["a"]), "b": int(row["b"])}
        | {name: row[name] for name in ("tokens", "changed", "text")}
        | {"a_place": place(row, "a_"), "b_place": place(row, "b_")}
        for row in rows
        if row["b"] is not None
    ]
    frequent = [
        {name: row[name] for name in ("passage", "tokens", "documents", "places", "text")}
        | {"document": int(row["a"]), "place": place(row, "a_")}
        for row in rows
        if row["b"] is None
    ]
    listed = [json.loads(line) for line in places.read_text(encoding="utf-8").splitlines()]
    listed = [{"passage": row["passage"], "document": int(row["id"]), "place": place(row)} for row in listed]
    without = [{name: row[name] for name in row if name not in ("a_tokens", "b_tokens")} for row in wanted["shared"]]
    assert (shared, frequent, listed) == (without, wanted["frequent"], wanted["places"])


def check_repeats(command: str, source: random.Random, folder: Path) -> None:
    """Compares the repeats of one collection, and the texts without them."""

    def text() -> str:
        parts = [[*source.choices(WORDS, k=source.randrange(6)), source.choice(NOTICES)] for _ in range(4)]
        return "".join(itertools.chain(*parts))

    texts = [text() for _ in range(25)]
    least, numbers, all_places = source.choice([8, 10, 13]), source.choice([True, False]), source.choice([True, False])
    wanted = passages.repeats(texts, least, numbers, all_places)
    arguments = ["--min-tokens", str(least)]
    arguments += [] if numbers else ["--search", "ignore-numbers"]
    arguments += ["--search", "all-places"] if all_places else []
    documents = write(folder / "documents.jsonl", texts)
    cut, listed = folder / "cut.jsonl", folder / "repeats.jsonl"
    written = ["--force", "--write", str(cut), "--output", str(listed)]
    read(command, "dedup", *arguments, *written, documents)
    rows = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines()]
    assert [(int(row["id"]), row["start_byte"], row["end_byte"], row["tokens"]) for row in rows] == wanted
    for number, start, end, _ in reversed(wanted):
        data = texts[number].encode()
        texts[number] = (data[:start] + data[end:]).decode()
    assert cut.read_text(encoding="utf-8") == Path(write(folder / "documents.jsonl", texts)).read_text(encoding="utf-8")


def longest_run(one: list[str], other: list[str]) -> int:
    """The most tokens in a row that two lists have in common."""
    longest, before = 0, [0] * (len(other) + 1)
    for token in one:
        lengths = [0] * (len(other) + 1)
        for at, with_ in enumerate(other):
            if token == with_:
                lengths[at + 1] = before[at] + 1
        longest, before = max(longest, *lengths), lengths
    return longest


def check_items(command: str, source: random.Random, folder: Path) -> None:
    """Compares which items are found in which texts, by the longest run, and which cannot be decided about."""
    kinds = source.choice([3, 6, 20, 48])

    def words(count: int) -> list[str]:
        numbers = [source.randrange(kinds) for _ in range(count)]
        return ["w" + "abcdefg"[number // 7] * (number % 7 + 1) for number in numbers]

    items = [words(3 + number % 26) for number in range(60)]
    texts = [words(150) for _ in range(40)]
    for text in texts:
        for _ in range(5):
            item, at = source.choice(items), source.randrange(140)
            text[at : at + 2] = item[source.choice([0, source.randrange(len(item))]) :]
    train = write(folder / "train.jsonl", [",\n".join(text) for text in texts])
    test = write(folder / "test.jsonl", [" ".join(item) for item in items])
    rows = read(command, "decontaminate", train, "--against", test)
    found = {(row["document"], row["item"]): row["tokens"] for row in rows if row["document"]}
    wanted = {}
    for (at, text), (number, item) in itertools.product(enumerate(texts), enumerate(items)):
        longest = longest_run(text, item)
        if len(item) >= 5 and longest >= min(13, len(item)):
            wanted[str(at), str(number)] = longest
    assert found == wanted
    short = [str(number) for number, item in enumerate(items) if len(item) < 5]
    assert [row["item"] for row in rows if row["verdict"] == "undecidable"] == short


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            check_passages(sys.argv[1], random.Random(seed), Path(folder))
            check_repeats(sys.argv[1], random.Random(seed), Path(folder))
        for seed in range(count // 10 + 1):
            check_items(sys.argv[1], random.Random(seed), Path(folder))
    print(f"{count} collections, and {count // 10 + 1} tests with their items, are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
