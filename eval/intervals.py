"""95 % intervals: Wilson's for counts, the bootstrap over families for means in which every family weighs the same."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from comparison import quantile

Z95 = 1.959963984540054  # standard deviations that leave 2.5 % above
RESAMPLES = 1000
SEED = 20140  # any number; the same one, so that a report can be made again


def wilson(hits: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval of a share, for independent trials; (0, 1) without any."""
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle = share + z * z / (2 * trials)
    scale = 1 + z * z / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def family_means(values: Iterable[tuple[str, float]]) -> list[float]:
    """The mean of each family's values."""
    by_family: dict[str, list[float]] = defaultdict(list)
    for family, value in values:
        by_family[family].append(value)
    return [math.fsum(group) / len(group) for _, group in sorted(by_family.items())]


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of none."""
    return math.fsum(values) / len(values) if values else 0.0


def bootstrap(means: Sequence[float], statistic: Callable[[Sequence[float]], float] = mean) -> tuple[float, float]:
    """The interval of a statistic of family means, families drawn anew with replacement; (0, 1) of fewer than two."""
    if len(means) < 2:
        return 0.0, 1.0
    draw = random.Random(SEED)
    drawn = [statistic(draw.choices(means, k=len(means))) for _ in range(RESAMPLES)]
    return quantile(drawn, 0.025), quantile(drawn, 0.975)
