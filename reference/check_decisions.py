#!/usr/bin/env python3
"""Checks decisions of deduplication, from docs/FORMAT.md and docs/MEASURE.md alone.

    check_decisions.py DECISIONS TEXTS [--sample N]

DECISIONS is what `nearprint dedup --format jsonl` printed; TEXTS is lines of JSON with `id` and `text` of the same
documents and of those of `--against`, such as `nearprint extract --format jsonl` prints, or the rows that were
deduplicated. Texts are found by their ids: a document that was dropped for one of `--against` with its own id is
counted as unread. Each drop (or N of them, the same whenever they are drawn) is compared with the document that was
kept. A drop that does not hold is printed, and the exit status is 1. Bytes are compared where a document is a whole
file that can be read. Pages with almost no words of their own are compared by these, and
`extract` prints their menus, too (`furniture-kept`): drops that similarity decides about them are counted as unread.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import hashlib
import json
import lzma
import os
import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import nearprint_measure as measure
import nearprint_sd1 as sd1

TOLERANCE = 0.0002
EXPANSIONS = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ\0": lzma.decompress}
"""What a compressed file begins with, and what expands it."""
ZSTANDARD = b"\x28\xb5\x2f\xfd"
"""What a file begins with that Python 3.11 does not expand."""


def unescaped(path: str) -> str:
    """The path that ids and places write with escapes."""
    plain = {"t": b"\t", "n": b"\n", "r": b"\r", "\\": b"\\"}
    parts = re.split(r"\\(x[0-9a-f]{2}|.)", path)
    data = [
        part.encode() if at % 2 == 0 else plain.get(part) or bytes.fromhex(part[1:]) for at, part in enumerate(parts)
    ]
    return os.fsdecode(b"".join(data))


def rows(file: Path) -> Iterator[dict]:
    """The objects of a file of JSON lines."""
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def has_menus(row: dict) -> bool:
    """Whether a text is not the one that was compared."""
    return any(warning["code"] == "furniture-kept" for warning in row.get("warnings", []))


def is_of_own_id(drop: dict) -> bool:
    """Whether a document was dropped for one of `--against` that has the same id."""
    return bool(drop.get("sha256")) and drop["representative"] == drop["id"]


def tokens(text: str) -> list[str]:
    """The tokens of the standard, in order."""
    return list(sd1.tokens(sd1.cut(sd1.normalise(sd1.unassigned_to_space(text)))))


def sha256(row: dict) -> str | None:
    """The digest of a document that is a whole file, as it is read today."""
    place = row["place"]
    if set(place) != {"file"}:
        return None
    try:
        content = Path(unescaped(place["file"])).read_bytes()
        expand = next((expand for magic, expand in EXPANSIONS.items() if content.startswith(magic)), bytes)
        content = expand(content)
    except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error):
        return None
    return None if content.startswith(ZSTANDARD) else hashlib.sha256(content).hexdigest()


def problem(drop: dict, kept: dict | None, texts: dict[str, str]) -> str | None:
    """What is wrong with a drop; None where it holds."""
    ids = [drop["id"], drop["representative"]]
    for name, row, stated in (
        ("the document", drop, drop.get("sha256")),
        ("the kept one", kept, drop.get("representative_sha256")),
    ):
        found = sha256(row) if row and stated else None
        if found and found != stated:
            return f"{name} has other bytes than when it was decided about"
    if drop["reason"] == "same-bytes":
        same = drop.get("sha256") and drop.get("sha256") == drop.get("representative_sha256")
        return None if same else "the stated digests differ"
    if any(name not in texts for name in ids):
        return "a text is missing"
    a, b = (texts[name] for name in ids)
    identical, same_words = measure.layout(a) == measure.layout(b), tokens(a) == tokens(b)
    one, other = measure.features(a, "jaccard"), measure.features(b, "jaccard")
    similarity = 1.0 if identical else min(measure.similarity(one, other, "jaccard"), 0.9999)
    found = "identical" if identical else f"{'same-words' if same_words else 'similarity'} {similarity:.4f}"
    if drop["reason"] == "identical":
        return None if identical else found
    if drop["reason"] == "same-words" and not (identical or same_words):
        return found
    if abs(similarity - (drop["similarity"] or 0)) > TOLERANCE:
        return found
    # Chains drop what contradicts, and their rows say so.
    contradicts = measure.contradiction(other, one) if drop.get("policy") == "careful" else None
    if contradicts and contradicts != drop.get("contradicts"):
        return f"contradicts {contradicts}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decisions", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--sample", type=int, metavar="N", help="check N drops (default all)")
    arguments = parser.parse_args()
    decided = list(rows(arguments.decisions))
    kept = {(row["id"], row.get("cluster")): row for row in reversed(decided) if row["decision"] == "keep"}
    dropped = {row["id"] for row in decided if row["decision"] == "drop" and not is_of_own_id(row)}
    dropped -= {name for name, _ in kept}
    drops = [row for row in decided if row["decision"] == "drop"]
    if arguments.sample is not None:
        drops = sorted(drops, key=lambda row: hashlib.sha256(row["id"].encode()).digest())[: arguments.sample]
    wanted = {row["id"] for row in drops} | {row["representative"] for row in drops}
    read = [row for row in rows(arguments.texts) if row["id"] in wanted]
    texts = {row["id"]: row["text"] for row in read}
    with_menus = {row["id"] for row in read if has_menus(row)}
    wrong = unread = 0
    for drop in drops:
        by_words = drop["reason"] in ("near", "same-words")
        if is_of_own_id(drop) or (by_words and with_menus & {drop["id"], drop["representative"]}):
            unread += 1
            continue
        found = problem(drop, kept.get((drop["representative"], drop.get("cluster"))), texts)
        if drop["representative"] in dropped:
            found = "the kept one is dropped itself"
        if found:
            wrong += 1
            print(drop["reason"], drop["similarity"], drop["representative"], drop["id"], found, sep="\t")
    left = f", {unread} could not be read" if unread else ""
    print(f"{len(drops) - unread} drops checked, {wrong} do not hold{left}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
