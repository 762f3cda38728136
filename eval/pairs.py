"""Scoring a final list of pairs: what a search or a verification gave out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from intervals import wilson
from labels import Labels
from recall import Share, recall_of, strata


@dataclass(frozen=True)
class PairScore:
    """How good a list of pairs is."""

    same: int  # pairs of one document
    different: int
    neither: int
    recall: Share
    precision: float
    precision_low: float
    precision_high: float
    documents: int
    by_stratum: dict[str, dict[str, Share]]

    @property
    def reported(self) -> int:
        """All pairs of the list, also those that count neither way."""
        return self.same + self.different + self.neither

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision."""
        together = self.recall.value + self.precision
        return 2 * self.recall.value * self.precision / together if together else 0.0

    @property
    def false_per_million(self) -> float:
        """False pairs per million pairs of documents."""
        return 1e6 * self.different / max(1, self.documents * (self.documents - 1) // 2)


def read_pairs(path: Path, labels: Labels) -> tuple[set[tuple[int, int]], int]:
    """The pairs of a file, and how many name a document that the corpus has not."""
    found: set[tuple[int, int]] = set()
    unknown = 0
    for line in path.read_text("utf-8").splitlines():
        if not line.strip():
            continue
        if line.lstrip().startswith("{"):
            record = json.loads(line)
            names = [str(record["a"]), str(record["b"])]
        else:
            names = line.split("\t")[:2]
        one, other = (labels.find(name) for name in names)
        if one is None or other is None:
            unknown += 1
        else:
            found.add((min(one, other), max(one, other)))
    return found, unknown


def score_pairs(labels: Labels, found: set[tuple[int, int]]) -> PairScore:
    """The score; pairs with a document that is too short are not looked at."""
    counted = {pair for pair in found if labels.eligible[pair[0]] and labels.eligible[pair[1]]}
    verdicts = Counter(labels.verdict(*pair) for pair in counted)
    pairs = labels.true_pairs()
    judged = verdicts[True] + verdicts[False]
    low, high = wilson(verdicts[True], judged)
    return PairScore(
        same=verdicts[True],
        different=verdicts[False],
        neither=verdicts[None],
        recall=recall_of(pairs, lambda pair: pair.key in counted),
        precision=verdicts[True] / judged if judged else 0.0,
        precision_low=low,
        precision_high=high,
        documents=sum(labels.eligible),
        by_stratum={
            kind: {name: recall_of(members, lambda pair: pair.key in counted) for name, members in named.items()}
            for kind, named in strata(labels, pairs).items()
        },
    )
