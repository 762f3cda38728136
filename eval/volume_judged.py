"""What a reader found who looked at the pages of PDFs that lack words: kept in volume_judged.tsv, a row for each file.

A row has the package, the file's name, which side is wrong and why. A PDF without a row is told as not judged, a row
whose PDF has come to have enough words as out of date.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from coverage import Shortfall
from recipe import RecipeError, read_table

TABLE = Path(__file__).resolve().parent / "volume_judged.tsv"
NOT_JUDGED = "not judged"
SIDES = {
    "pdftotext": "the page has what the command says, or more nearly so; pdftotext's words are not on it",
    "neither": "nothing in the file says what its letters are; what either has of them is not on the page",
    "left out": "left out on purpose, by the rule for what every page has",
    "ours": "the page has what pdftotext says",
}


@dataclass(frozen=True)
class Judgement:
    """A row of volume_judged.tsv."""

    name: str  # `PACKAGE: FILE`, as a Shortfall has it
    side: str
    why: str


def read_judgements(path: Path = TABLE) -> dict[str, Judgement]:
    """The judgements by name; an unknown side, or a file that stands twice, is an error."""
    found: dict[str, Judgement] = {}
    for row in read_table(path):
        one = Judgement(f"{row['package']}: {row['file']}", row["side"], row["why"])
        if one.side not in SIDES or not one.why:
            raise RecipeError(f"{path.name}: {one.name}: a side of {', '.join(SIDES)} and a reason are needed")
        if one.name in found:
            raise RecipeError(f"{path.name}: judged twice: {one.name}")
        found[one.name] = one
    return found


def sides(short: list[Shortfall], judged: dict[str, Judgement]) -> str:
    """Which side is wrong in how many of the PDFs."""
    counts = Counter(judged[one.name].side if one.name in judged else NOT_JUDGED for one in short)
    lines = ["| who is wrong | PDFs | |", "|---|---|---|"]
    lines.extend(f"| {side} | {count} | {SIDES.get(side, '')} |" for side, count in counts.most_common())
    return "\n".join(lines)


def table(short: list[Shortfall], judged: dict[str, Judgement]) -> str:
    """The PDFs, each with what it lacks, the cause as the program tells it, and what a reader saw."""
    lines = ["| PDF | words found | with heads and feet | cause, by the program | who is wrong | by the page |"]
    lines.append("|---|---|---|---|---|---|")
    for one in sorted(short, key=lambda one: (one.cause, one.covered, one.name)):
        seen = judged.get(one.name, Judgement(one.name, NOT_JUDGED, ""))
        lines.append(f"| {one.name} | {one.covered:.3f} | {one.strict:.3f} | {one.cause} | {seen.side} | {seen.why} |")
    return "\n".join(lines)


def out_of_date(short: list[Shortfall], judged: dict[str, Judgement]) -> str:
    """Judged PDFs that are not short any more, in a sentence; nothing where there is none."""
    names = sorted(judged.keys() - {one.name for one in short})
    return f"\nJudged, and no longer short of words: {', '.join(names)}.\n" if names else ""
