"""Why pairs stay below the goal: judged pair by pair by a reader, kept in causes.tsv, put into words here.

causes.tsv has a row for each judged pair: the documents' group, its media, and one cause or more, the heaviest first.
A cause says what the missing shingles have in common, by the list below. A pair without a row is told as not judged,
a row whose pair has come to meet the goal as out of date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fidelity import Fidelity
from labels import Labels
from recipe import RecipeError, read_table
from report import GOAL_MEDIAN, media_rows, meets_goal, table

CAUSES = {
    "glyphs": "glyphs of the PDF's fonts state no character, as ligatures of Arabic type often do; the letters are missing from it, in other readers of PDF too",
    "marks": "combining marks stand at another letter or in another order than in the source",
    "generated": "what a program adds when it sets the document: labels of lists and examples, names such as Figure and Theorem, dates, citations",
    "elsewhere": "words that come from files which are not the document: its class, files it reads, its bibliography",
    "moved": "figures, tables, notes or parallel columns stand in another place",
    "formulas": "letters of formulas and matrices are joined or ordered in another way",
    "definitions": "the source defines commands or letters in ways that only TeX can follow",
    "diagrams": "trees and drawings, whose source has directions between the words",
    "computed": "what the document shows is computed from its source: transliterated, calculated, typeset from examples",
    "spaces": "words are joined or divided where the page has no space, or one that is not in the source",
    "edition": "the source is that of another text",
}


@dataclass(frozen=True)
class Judgement:
    """A row of causes.tsv."""

    group: str
    media: str
    causes: tuple[str, ...]


def read_causes(path: Path) -> list[Judgement]:
    """The judgements; an unknown cause, or a pair that stands twice, is an error."""
    found = [Judgement(row["group_id"], row["media"], tuple(row["causes"].split())) for row in read_table(path)]
    for one in found:
        unknown = [cause for cause in one.causes if cause not in CAUSES]
        if unknown or not one.causes:
            raise RecipeError(f"{path}: {one.group} {one.media}: no such cause: {' '.join(unknown) or 'none given'}")
    twice = [key for key, times in Counter((one.group, one.media) for one in found).items() if times > 1]
    if twice:
        raise RecipeError(f"{path}: judged twice: {' '.join(twice[0])}")
    return found


def written(figures: Sequence[Fidelity], labels: Labels, judged: Sequence[Judgement]) -> str:
    """The section of the report: the causes of each pair under the goal of each medium pair that does not meet it."""
    judgements = {(one.group, one.media): one.causes for one in judged}
    sections, used = [], set()
    for media, found in media_rows(figures):
        if meets_goal(found) is not False:
            continue
        below = sorted((one for one in found if one.containment < GOAL_MEDIAN), key=lambda one: one.containment)
        rows = []
        counted: Counter[str] = Counter()
        for one in below:
            key = (labels.files[one.pair.one].group, media)
            used.add(key)
            causes = judgements.get(key, ())
            counted.update(causes[:1] or ["not judged"])
            rows.append([f"`{key[0]}`", f"{one.containment:.3f}", ", ".join(causes) or "not judged"])
        heaviest = table(["heaviest cause", "pairs"], [list(item) for item in counted.most_common()])
        pairs = table(["document", "containment", "causes, the heaviest first"], rows)
        sections.append(
            f"### Causes, {media}\n\n{len(below)} of {len(found)} pairs are under {GOAL_MEDIAN}.\n\n{heaviest}\n\n{pairs}\n"
        )
    stale = sorted(" ".join(key) for key in judgements if key not in used)
    explained = table(["cause", ""], [[name, text] for name, text in CAUSES.items()])
    out_of_date = f"\nJudged, and no longer under the goal: {', '.join(stale)}.\n" if stale else ""
    body = "\n".join(sections) or "All medium pairs of enough pairs meet the goal.\n"
    return f"""## Causes

Of each medium pair that does not meet the goal above, the pairs of documents under {GOAL_MEDIAN} with what a reader
found to be missing, from [causes.tsv](../../eval/causes.tsv).

{explained}

{body}{out_of_date}"""
