"""A sample of decisions of `dedup` to be read: `drops.py DECISIONS --nearprint PROGRAM [--reason near]... [--count 300] [--seed 33]`.

DECISIONS is what `dedup --format jsonl` wrote. Prints for each document that was drawn the reason, the similarity, what
contradicts, both ids, and the first places where the words of both differ; for kept ones beside the nearest
(`--reason contradicts`). First it counts the kept files with the bytes of another kept one, which there should not be:
of files that are compressed by gzip, bzip2 or xz the bytes inside. Run it where `dedup` was run.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import hashlib
import json
import lzma
import random
import re
import subprocess
import sys
from collections import defaultdict
from difflib import SequenceMatcher
from pathlib import Path

WORD = re.compile(r"\w+|[^\w\s]")
PLACES = 5  # of a pair that are shown
LONGEST = 100  # characters of a place
CELLS = 30_000_000  # of a comparison; longer pairs are named only
FILES = 200  # in one call of the command
OPENERS = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ\0": lzma.decompress}


def content(path: Path) -> bytes:
    """The bytes of a file after its outer compression."""
    data = path.read_bytes()
    for _ in range(8):
        opener = next((opener for magic, opener in OPENERS.items() if data.startswith(magic)), None)
        if opener is None:
            break
        try:
            data = opener(data)
        except (OSError, EOFError, lzma.LZMAError):
            break
    return data


def equal_files(rows: list[dict]) -> list[list[str]]:
    """Kept files that are not empty and have the same bytes; several paths of one file are one."""
    kept = [row["id"] for row in rows if row["decision"] == "keep" and row["reason"] != "same-file"]
    groups, seen = defaultdict(list), set()
    for name in kept:
        path = Path(name)
        if not path.is_file():  # a record of a container
            continue
        status = path.stat()
        data = content(path)
        if data and (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            groups[hashlib.sha256(data).digest()].append(name)
    return [names for names in groups.values() if len(names) > 1]


def texts(program: str, ids: list[str]) -> dict[str, str]:
    """The texts of documents, by their ids."""
    found = {}
    for start in range(0, len(ids), FILES):
        command = [program, "extract", "-qq", "--json", *ids[start : start + FILES]]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        found |= {row["id"]: row.get("text") or "" for row in map(json.loads, lines)}
    return found


def differing(kept: str, drawn: str) -> list[str]:
    """The first places where two texts differ, each after the two words before it."""
    ours, theirs = WORD.findall(kept), WORD.findall(drawn)
    if len(ours) * len(theirs) > CELLS:
        return [f"({len(ours)} and {len(theirs)} words)"]
    shown = []
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            before, left, right = (" ".join(words) for words in (ours[max(0, a - 2) : a], ours[a:b], theirs[c:d]))
            shown.append(f"{before} [{left[:LONGEST]} | {right[:LONGEST]}]")
    return shown[:PLACES] + ["..."] * (len(shown) > PLACES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("decisions", type=Path)
    parser.add_argument("--nearprint", required=True)
    parser.add_argument("--reason", action="append")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=33)
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.decisions.read_text(encoding="utf8").splitlines()]
    equal = equal_files(rows)
    print(f"{sum(map(len, equal)) - len(equal)} kept files have the bytes of another: {equal[:3]}", file=sys.stderr)
    wanted = set(arguments.reason or ["near", "same-words"])
    among = sorted((row for row in rows if row["reason"] in wanted), key=lambda row: row["id"])
    random.seed(arguments.seed)
    drawn = random.sample(among, min(arguments.count, len(among)))
    other = {row["id"]: row["nearest"] or row["representative"] for row in drawn}
    read = texts(arguments.nearprint, sorted({*other, *other.values()}))
    for number, row in enumerate(drawn):
        name, kept = row["id"], other[row["id"]]
        print(f"{number} {row['reason']} {row['similarity']:.3f} {row['contradicts'] or '-'}: {kept} <- {name}")
        for place in differing(read.get(kept, ""), read.get(name, "")):
            print(f"    {place}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
