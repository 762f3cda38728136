"""What of an intact PDF's words its damaged copies still give, and how much of what they give is words of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from coverage import counted

GARBAGE = 0.8  # of the words of a copy; one with fewer that are the intact file's is named
FEW = 20  # words; a copy that gives no more is not named


@dataclass(frozen=True)
class Recovered:
    """A damaged copy against the file it was made of. Words count as often as they occur; of their order nothing is said."""

    name: str  # of the copy
    way: str  # of damage
    intact: int  # words of the intact file
    given: int  # words of the copy
    common: int  # words of both
    spliced: int = 0  # further words of the copy that the document has which a piece in it was taken from

    @property
    def precision(self) -> float:
        """The share of the copy's words that are the intact file's."""
        return self.common / self.given if self.given else 1.0


def recovered(name: str, way: str, intact: str, copy: str, other: str) -> Recovered:
    """Compares the words of a copy with those of the intact file, and of the file that the copy has a piece of."""
    wanted, given = counted(intact), counted(copy)
    rest = given - wanted
    spliced = (rest & counted(other)).total() if way == "spliced" else 0
    return Recovered(name, way, wanted.total(), given.total(), (wanted & given).total(), spliced)


def table(found: list[Recovered]) -> str:
    """By way of damage and in all: copies, those with text, how much is recovered, how much of it is right."""
    lines = [
        "| damage | copies | with words | of the intact files' words, recovered | of the recovered words, the intact file's | "
        "the same, less words of the file that a piece is from |",
        "|---|---|---|---|---|---|",
    ]
    ways = list(dict.fromkeys(one.way for one in found))
    for way in [*ways, "all"]:
        these = [one for one in found if way in (one.way, "all")]
        intact, given = sum(one.intact for one in these), sum(one.given for one in these)
        common, spliced = sum(one.common for one in these), sum(one.spliced for one in these)
        filled = sum(one.given > 0 for one in these)
        lines.append(
            f"| {way} | {len(these)} | {filled} | {common / max(1, intact):.1%} | {common / max(1, given):.3f} "
            f"| {common / max(1, given - spliced):.3f} |"
        )
    return "\n".join(lines)


def garbage(found: list[Recovered]) -> str:
    """The copies of whose words many are not the intact file's, the worst first."""
    named = [one for one in found if one.given > FEW and one.precision < GARBAGE]
    lines = ["| copy | words | of these, the intact file's |", "|---|---|---|"]
    for one in sorted(named, key=lambda one: (one.precision, one.name)):
        lines.append(f"| {one.name} | {one.given:,} | {one.precision:.3f} |")
    spread = Counter(one.way for one in named)
    told = ", ".join(f"{way} {count}" for way, count in spread.most_common()) or "none"
    return f"Copies with more than {FEW} words of which less than {GARBAGE:.0%} are the intact file's: {told}.\n\n" + (
        "\n".join(lines) if named else ""
    )
