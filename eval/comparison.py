"""How alike two texts are, by the words and the shingles they share.

The measures of the report and of the check of labels; pure Python, every function small enough to check by hand
(test_comparison.py).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

SHINGLE = 3  # tokens


def cosine(one: Counter[str], other: Counter[str]) -> float:
    """The cosine of the angle between two word counts, 0 to 1; 0 where one of them is empty."""
    if len(other) < len(one):
        one, other = other, one
    shared = sum(times * other[word] for word, times in one.items() if word in other)
    lengths = sum(n * n for n in one.values()) * sum(n * n for n in other.values())
    return shared / math.sqrt(lengths) if lengths else 0.0


def shingles(tokens: Sequence[str], size: int = SHINGLE) -> set[tuple[str, ...]]:
    """Every run of `size` consecutive tokens, once each; the whole text where it is shorter than that."""
    if 0 < len(tokens) < size:
        return {tuple(tokens)}
    return set(zip(*(tokens[start:] for start in range(size)), strict=False))


def containment(one: AbstractSet[object], other: AbstractSet[object]) -> float:
    """How much of the smaller set is in the larger: |A and B| / min(|A|, |B|); 0 where one is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def jaccard(one: AbstractSet[object], other: AbstractSet[object]) -> float:
    """|A and B| / |A or B|; 0 where both are empty."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0


def share_of(part: AbstractSet[object], whole: AbstractSet[object]) -> float:
    """How much of `part` is in `whole`; 0 where `part` is empty."""
    return len(part & whole) / len(part) if part else 0.0


def quantile(values: Iterable[float], at: float) -> float:
    """The value below which a share `at` (0 to 1) of the values, one or more, lie; interpolated between neighbours."""
    ordered = sorted(values)
    position = at * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
