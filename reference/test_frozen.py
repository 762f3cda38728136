"""The standard is frozen: no case that was there when 1.0 was declared may change, nor may the tables.

spec/FROZEN lists, for each file of vectors, how many cases it had and the SHA-256 of these, a case a line as the file has them; and the SHA-256 of the lists of
digests of the tables and of the stop lists. Cases may be added behind those there are, lines to a list of digests, and
files beside them. A line of spec/FROZEN never changes: a changed bit is a new scheme with an id of its own.
"""

from __future__ import annotations

import hashlib
import unittest
from pathlib import Path

SPEC = Path(__file__).resolve().parent.parent / "spec"
FIRST_LINES = {"tables/DIGESTS": 3, "stop/DIGESTS": 4}  # how many lines the lists had when they were frozen


def case_lines(stage: str) -> list[str]:
    """The cases of a file of vectors, each as its line."""
    lines = (SPEC / "vectors" / f"{stage}.json").read_text("ascii").splitlines()
    return [line.strip().removesuffix(",") for line in lines if line.startswith('    {"name": ')]


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def frozen() -> list[list[str]]:
    """The lines of spec/FROZEN: a digest, a name and, of vectors, a number of cases."""
    return [line.split() for line in (SPEC / "FROZEN").read_text("ascii").splitlines()]


def digest_now(name: str, cases: list[str]) -> str:
    """The digest of what a line of spec/FROZEN is about, as it is now."""
    if name in FIRST_LINES:
        lines = (SPEC / name).read_bytes().splitlines(keepends=True)
        return digest(b"".join(lines[: FIRST_LINES[name]]))
    if not cases:
        return digest((SPEC / name).read_bytes())
    lines = case_lines(name)[: int(cases[0])]
    return digest("".join(line + "\n" for line in lines).encode("ascii"))


class Frozen(unittest.TestCase):
    """What stands in spec/FROZEN holds."""

    def test_no_frozen_case_or_table_has_changed(self) -> None:
        for wanted, name, *cases in frozen():
            with self.subTest(name):
                self.assertEqual(digest_now(name, cases), wanted, "a changed result is a new scheme id, never an edit")

    def test_every_file_of_the_standard_is_frozen(self) -> None:
        named = {name for _, name, *_ in frozen()}
        self.assertEqual(
            {name for name in named if "/" not in name}, {file.stem for file in SPEC.glob("vectors/*.json")}
        )
        listed = {
            f"{file.parent.name}/{line.split()[1]}"
            for file in SPEC.glob("*/DIGESTS")
            for line in file.read_text("ascii").splitlines()
        }
        frozen_lists = {
            f"{name.partition('/')[0]}/{line.split()[1]}"
            for name, count in FIRST_LINES.items()
            for line in (SPEC / name).read_text("ascii").splitlines()[:count]
        }
        self.assertEqual(listed - frozen_lists, {name for name in named if "/" in name} - set(FIRST_LINES))


if __name__ == "__main__":
    unittest.main()
