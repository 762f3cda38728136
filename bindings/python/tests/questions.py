"""Every question with no option and with each option of the library's list, and how the doors are asked.

What a door cannot be asked is in `EXCEPTIONS`, with the reason: the list may only shrink.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from nearprint._nearprint import question_options

Options = dict[str, Any]

VALUES: dict[str, Any] = {
    "measure": "containment",
    "verify": False,
    "threshold": 0.6,
    "evidence": False,
    "scheme": "sl1",
    "k": "loose",
    "similarity": 0.9,
    "bands": "42x3",
    "recall": 0.9,
    "whole_buckets": True,
    "equal": "star",
    "passages": 3,
    "max_pairs": 1000,
    "max_matches": 1,
    "linkage": "star",
    "policy": "loose",
    "only": "text",
    "keep": "longest",
    "chains": True,
    "least_words": 40,
    "changes": True,
    "min_tokens": 12,
    "numbers": True,
    "max_places": 3,
    "max_gap": 2,
}
"""A value of each option that is not its default."""

OTHERS: dict[tuple[str, str], Options] = {
    ("dedup", "scheme"): {"scheme": "sd1"},
}
"""Options that are asked with other values than those."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("*", "idf"): "it needs a file of its own, and is asked with its measure in test_doors.py",
    (
        "index-and-server",
        "passages",
    ): "an index keeps no texts with places, so nothing but documents is asked for passages",
    ("index", "scheme"): "an index has one scheme; another one is refused, which is tested",
    ("index", "passages"): "an index keeps features, not the texts that passages are of",
    ("index", "same-bytes"): "an index and a collection keep no digests of bytes: the same bytes are identical there",
    ("spark", "recall"): "the bands would depend on the number of documents",
    ("spark", "equal"): "texts are compared, so all pairs are",
    ("spark", "passages"): "rows have no passages there",
    ("spark", "max_pairs"): "rows of a frame are counted, not bounded",
    ("spark", "whole_buckets"): "components are compared whole in one task",
    ("spark", "unverified"): "fingerprints alone are asked by another function, pairs",
    ("spark", "scheme"): "documents are divided among tasks by md1 alone, and others are refused",
    ("spark", "keep"): "a frame has no order but the one that is named",
}
"""What is not asked of a door, by door and option, and why."""

FIELDS = {
    "pairs": ["a", "b", "distance", "similarity", "estimate", "measure", "evidence", "duplicate", "distinct"],
    # An index numbers clusters by their earliest document, so that they keep their numbers; the members are the same.
    "clusters": ["representative", "id"],
    "matches": ["query", "id", "distance", "similarity", "estimate", "measure", "evidence", "duplicate", "distinct"],
    "dedup": ["id", "decision", "reason", "cluster", "representative", "similarity"],
    "passages": [
        "documents",
        "places",
        "passage",
        "tokens",
        "a",
        "a_start",
        "a_end_byte",
        "b",
        "b_end",
        "contained",
        "text",
    ],
}
"""The fields of rows that are compared."""

VERBS = {"matches": "query"}
"""The verbs of the command that are called otherwise than their questions."""


def cases() -> list[tuple[str, str, Options]]:
    """Each question without an option, and with each: its name, the option's, and the options that are set."""
    found: list[tuple[str, str, Options]] = []
    for question in FIELDS:
        found.append((question, "", {}))
        for option in question_options()[question]:
            name = option["name"]
            if ("*", name) not in EXCEPTIONS:
                found.append((question, name, OTHERS.get((question, name), {name: VALUES[name]})))
    return found


def is_verified(question: str, options: Options) -> bool:
    """Whether texts are compared, by the rule of the library (docs/VERIFICATION.md)."""
    if question in ("dedup", "passages"):
        return True
    of_texts = {"measure", "threshold", "evidence", "passages", "linkage"} & options.keys()
    of_prints = {"scheme", "k", "similarity", "equal"} & options.keys()
    return bool(options.get("verify", bool(of_texts) or not of_prints))


SEARCH = {
    "max_places",
    "max_gap",
    "numbers",
    "bands",
    "evidence",
    "recall",
    "whole_buckets",
    "max_pairs",
    "equal",
    "similarity",
    "least_words",
    "chains",
}
"""Options that are keys of the command's --search. Where texts are compared, the scheme and the distance are, too."""


def arguments(question: str, options: Options) -> list[str]:
    """The options as the verb of the command takes them that compares texts or fingerprints, as they say."""
    keys = SEARCH | ({"scheme", "k"} if is_verified(question, options) else set())
    given = []
    for name, value in options.items():
        long = name.replace("_", "-")
        if name == "verify":
            continue
        if name in keys:
            given += ["--search", long if value is True else f"{long}={'no' if value is False else value}"]
        elif value is True:
            given.append(f"--{long}")
        else:
            given += [f"-{name}" if len(name) == 1 else f"--{long}", str(value)]
    return given


def of_command(
    rows: Callable[..., list[dict[str, Any]]], question: str, options: Options, path: Path, texts: Path
) -> list[dict[str, Any]]:
    """What the command answers of documents or of an index; of matches, each of the texts is a query. Where fingerprints
    alone are compared, they are written first."""
    verb = [VERBS.get(question, question)]
    inputs = [path]
    if not is_verified(question, options):
        verb = ["prints", *verb]
        if path.is_file():
            scheme = options.get("scheme", "sd1")
            inputs = [path.with_suffix(f".{scheme}.prints")]
            rows("fingerprint", "--scheme", scheme, "--force", "--output", inputs[0], path)
    queries = ["--queries", texts] if question == "matches" else []
    return rows(*verb, *arguments(question, options), *inputs, *queries)


def members(question: str, rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows in one form: of clusters a row for each member."""
    if question != "clusters":
        return list(rows)
    found: list[Mapping[str, Any]] = []
    for row in rows:
        ids = row["members"] if "members" in row else [row["id"]]
        found += [{"representative": row["representative"], "id": member} for member in ids]
    return found


def without_bytes(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Decisions as indexes and collections give them, which keep no digests of bytes: the same bytes are identical."""
    return [{**row, "reason": "identical"} if row.get("reason") == "same-bytes" else row for row in rows]


def digest(question: str, rows: Iterable[Mapping[str, Any]]) -> tuple[int, str]:
    """The number of rows, and the digest of what is compared of them, in any order."""
    found = members(question, rows)
    lines = sorted(json.dumps([row.get(name) for name in FIELDS[question]], ensure_ascii=False) for row in found)
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()
