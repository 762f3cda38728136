"""Recall and false pairs by distance, with 95 % intervals, for the whole corpus and for its strata."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intervals import Z95, bootstrap, family_means, mean, wilson
from labels import Labels, TruePair
from prints import Counts, distance_between, positions

LENGTHS = ((200, "200-499"), (500, "500-1,999"), (2000, "2,000-9,999"), (10_000, "10,000 and more"))
FEWEST_PAIRS, FEWEST_FAMILIES = 30, 5  # of a stratum whose figures say something


@dataclass(frozen=True)
class Share:
    """A share with its interval and what it rests on."""

    value: float
    low: float
    high: float
    pairs: int
    families: int

    @property
    def is_enough(self) -> bool:
        """Whether the stratum is large enough to speak of."""
        return self.pairs >= FEWEST_PAIRS and self.families >= FEWEST_FAMILIES


@dataclass(frozen=True)
class Rate:
    """False pairs per million pairs of different documents."""

    per_million: float
    low: float
    high: float
    false: int
    pairs: int


def recall_of(pairs: Sequence[TruePair], is_found: Callable[[TruePair], bool]) -> Share:
    """The share of pairs found, every family weighing the same."""
    means = family_means((pair.family, float(is_found(pair))) for pair in pairs)
    low, high = bootstrap(means)
    return Share(mean(means), low, high, len(pairs), len(means))


def distance_of(values: dict[int, int], width: int, pair: TruePair) -> int | None:
    """The distance of a true pair; None where one of its documents has no print."""
    one, other = values.get(pair.one), values.get(pair.other)
    return None if one is None or other is None else distance_between(one, other, width)


def within(distances: dict[tuple[int, int], int | None], k: int) -> Callable[[TruePair], bool]:
    """Whether a pair is within k; a pair without distance never is."""

    def is_found(pair: TruePair) -> bool:
        distance = distances[pair.key]
        return distance is not None and distance <= k

    return is_found


def length_of(labels: Labels, pair: TruePair) -> str:
    """The stratum of a pair's shorter file."""
    words = min(labels.files[pair.one].words, labels.files[pair.other].words)
    return next((name for least, name in reversed(LENGTHS) if words >= least), f"under {LENGTHS[0][0]}")


def strata(labels: Labels, pairs: Sequence[TruePair]) -> dict[str, dict[str, list[TruePair]]]:
    """The pairs by medium pair, by language and by length, largest strata first."""
    kinds: dict[str, Callable[[TruePair], str]] = {
        "media": lambda pair: pair.media,
        "language": lambda pair: labels.files[pair.one].language or "unknown",
        "words of the shorter": lambda pair: length_of(labels, pair),
    }
    found: dict[str, dict[str, list[TruePair]]] = {}
    for kind, key in kinds.items():
        members: dict[str, list[TruePair]] = defaultdict(list)
        for pair in pairs:
            members[key(pair)].append(pair)
        found[kind] = dict(sorted(members.items(), key=lambda item: (-len(item[1]), item[0])))
    return found


def false_rate(counts: Counts, k: int) -> Rate:
    """The rate at distance k or less.

    Pairs share documents and documents share families, so they are no independent trials: the interval is the
    jackknife's over families (each left out in turn). Where nothing is false it is Wilson's.
    """
    pairs_of, false_of = Counter[str](), Counter[str]()
    total = false = 0
    for (distance, one, other), times in counts.items():
        is_false = distance <= k
        total += times
        false += times * is_false
        for family in {one, other}:
            pairs_of[family] += times
            false_of[family] += times * is_false
    if total == 0:
        return Rate(0.0, 0.0, 1e6, 0, 0)
    low, high = wilson(false, total)
    without = [(false - false_of[family]) / (total - count) for family, count in pairs_of.items() if count < total]
    if false and len(without) > 1:
        middle = mean(without)
        spread = Z95 * math.sqrt(
            (len(without) - 1) / len(without) * math.fsum((share - middle) ** 2 for share in without)
        )
        low, high = max(0.0, false / total - spread), min(1.0, false / total + spread)
    return Rate(1e6 * false / total, 1e6 * low, 1e6 * high, false, total)


class Hamming:
    """The fingerprints of a corpus, the distances between them, and the figures that follow."""

    def __init__(
        self, labels: Labels, values: dict[int, int], width: int, told: Counter[str], false: dict[str, Counts]
    ) -> None:
        self.width = positions(width)
        self.told = told  # names read, without a print, unknown
        self.false = false
        self.pairs = labels.true_pairs()
        self.strata = strata(labels, self.pairs)
        self.distances = {pair.key: distance_of(values, width, pair) for pair in self.pairs}
        step = max(1, self.width // 64)
        self.default, self.loose = 3 * step, 6 * step
        self.reported = [*range(0, 13 * step, step), 16 * step]

    def recall(self, k: int, pairs: Sequence[TruePair] | None = None) -> Share:
        """The share of true pairs within k; of all, or of a stratum's. A document without a print misses its pairs."""
        return recall_of(self.pairs if pairs is None else pairs, within(self.distances, k))

    def missing(self) -> int:
        """True pairs of which a document has no print."""
        return sum(distance is None for distance in self.distances.values())

    def false_rate(self, kind: str, k: int) -> Rate:
        """False pairs of a kind per million."""
        return false_rate(self.false[kind], k)
