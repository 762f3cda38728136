"""Pages of a benchmark and what they are judged by; the scores of a program, with intervals over domains."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

RESAMPLED = 1000
SEED = 37
PARTS = 2
FOLDS = 5

Row = tuple[float, ...]
Totals = Callable[[Sequence[Row]], dict[str, float]]


@dataclass(frozen=True)
class Page:
    """A page in a file, and what its benchmark says of it."""

    key: str
    path: Path
    domain: str
    kind: str  # the benchmark's own class of pages, or ""

    @property
    def part(self) -> int:
        """The part of the benchmark that it is in: rules are tuned on part 0, and part 1 is what counts."""
        return self.number % PARTS

    @property
    def fold(self) -> int:
        """The fold that it is in, with all pages of its domain, whichever part that is in."""
        return self.number // PARTS % FOLDS

    @property
    def number(self) -> int:
        """A number that all pages of its domain have."""
        return int.from_bytes(hashlib.sha256(self.domain.encode()).digest()[:4], "big")


@dataclass(frozen=True)
class Benchmark:
    """Pages with the scorer that came with them."""

    name: str
    scorer: str  # what it is, for the record
    pages: list[Page]
    judge: Callable[[Page, str], Row]  # of one page and the text that a program made of it
    totals: Totals  # precision, recall and F1 of several


def domain_of(address: str) -> str:
    """The site of an address: pages of one site are alike, and so stay in one part."""
    host = (urlsplit(address if "//" in address else f"//{address}").hostname or address).lower()
    labels = host.split(".")
    # Of `example.co.uk` the last two are not a site.
    size = 3 if len(labels) > 2 and len(labels[-2]) <= 3 else 2
    return ".".join(labels[-size:])


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of both."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def interval(pages: list[Page], rows: dict[str, Row], totals: Totals) -> tuple[float, float]:
    """95 % of the F1 of benchmarks made of the same domains, drawn with replacement."""
    by_domain: dict[str, list[Row]] = {}
    for page in pages:
        by_domain.setdefault(page.domain, []).append(rows[page.key])
    domains, draw = sorted(by_domain), random.Random(SEED)
    found = []
    for _ in range(RESAMPLED):
        drawn = [row for name in draw.choices(domains, k=len(domains)) for row in by_domain[name]]
        found.append(totals(drawn)["f1"])
    found.sort()
    return found[RESAMPLED * 25 // 1000], found[RESAMPLED * 975 // 1000 - 1]


def scores(benchmark: Benchmark, texts: dict[str, str]) -> dict[str, Row]:
    """What each page's text is worth; no text is an empty one."""
    return {page.key: benchmark.judge(page, texts.get(page.key, "")) for page in benchmark.pages}
