"""Refuses types and files that are named by a bare participle or gerund, and type names of which a participle is the head.

`Wanted`, `searching.rs` or `LastRead` cannot be found by search, and say nothing in a stack trace: the name of a type or
a file is a noun of the field, see CONTRIBUTING.md. Usage: check_names.py [FOLDER]
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARATION = re.compile(r"^\s*(?:pub(?:\([a-z: ]+\))?\s+)?(?:struct|enum|trait|type|union)\s+([A-Z]\w*)", re.MULTILINE)
WORD = re.compile(r"[A-Z][a-z0-9]*")
IRREGULAR = {
    "asked", "begun", "broken", "built", "caught", "done", "drawn", "fed", "felt", "found", "given", "gone",
    "heard", "held", "kept", "known", "laid", "lent", "left", "made", "meant", "met", "read", "said", "seen",
    "sent", "shown", "spent", "taken", "taught", "told", "written",
}  # fmt: skip
# Words that end like participles and are nouns; the last two are media: reStructuredText, separated values.
NOUNS = {
    "beginning", "bed", "bound", "encoding", "feed", "heading", "mapping", "meaning", "need", "opening", "seed",
    "setting", "shed", "speed", "spring", "string", "thing", "warning", "timing", "ring", "sibling", "ceiling",
    "embedding", "building", "hashing", "restructured", "separated",
}  # fmt: skip


def is_participle(word: str) -> bool:
    word = word.lower()
    return word not in NOUNS and (word in IRREGULAR or (len(word) > 4 and word.endswith(("ed", "ing"))))


def problems(root: pathlib.Path) -> Iterator[str]:
    for folder in ("crates", "bindings", "fuzz"):
        for file in sorted((root / folder).rglob("*.rs")):
            if "target" in file.relative_to(root).parts:
                continue
            name = file.relative_to(root)
            if file.stem != "second_reading" and is_participle(file.stem.rsplit("_")[-1]):
                yield f"{name}: a file is named by a noun, not by a participle"
            for match in DECLARATION.finditer(file.read_text(encoding="utf-8")):
                if is_participle(WORD.findall(match[1])[-1]):
                    yield f"{name}: the type {match[1]} is named by a participle: use a noun of the field"


def main() -> int:
    found = list(problems(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
