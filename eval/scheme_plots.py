"""Pictures of several schemes beside one another."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from matplotlib import pyplot
from plots import FALSE, SIZE, TRUE
from recall import Hamming
from report import FALSE_KINDS

COLOURS = ("#2a6f97", "#bc4749", "#6a994e", "#dda15e")


def drawn(folder: Path, hammings: dict[str, Hamming]) -> None:
    """Draws both pictures."""
    picture, axes = pyplot.subplots(figsize=SIZE, layout="constrained")
    for (name, hamming), colour in zip(hammings.items(), COLOURS, strict=True):
        kind = FALSE_KINDS[0]
        points = [(hamming.false_rate(kind, k).per_million, hamming.recall(k).value) for k in hamming.reported]
        points = [point for point in points if point[0] > 0]
        axes.plot(*zip(*points, strict=True), "o-", color=colour, markersize=3, linewidth=1, label=name)
    axes.set(xlabel=f"false pairs per million, {FALSE_KINDS[0]}", ylabel="recall", xscale="log", ylim=(0, 1.02))
    axes.legend(frameon=False, fontsize=7, loc="lower right")
    axes.set_title("Recall against false pairs", loc="left")
    picture.savefig(folder / "schemes.svg", metadata={"Date": None, "Creator": None})
    pyplot.close(picture)

    picture, panels = pyplot.subplots(2, 2, figsize=(SIZE[0], 1.4 * SIZE[1]), layout="constrained")
    for (name, hamming), axes in zip(hammings.items(), panels.flat, strict=True):
        false: Counter[int] = Counter()
        for (distance, _, _), times in hamming.false[FALSE_KINDS[0]].items():
            false[distance] += times
        true = Counter(distance for distance in hamming.distances.values() if distance is not None)
        ks = range(hamming.width + 1)
        for shows, counts, colour in (("true", true, TRUE), ("false", false, FALSE)):
            shares = [counts[k] / counts.total() or float("nan") for k in ks]
            axes.step(ks, shares, where="mid", color=colour, linewidth=0.9, label=shows)
        axes.set(xlabel=f"distance of {name}", ylabel="share of pairs", yscale="log")
        axes.legend(frameon=False, fontsize=7)
    picture.savefig(folder / "scheme-distances.svg", metadata={"Date": None, "Creator": None})
    pyplot.close(picture)
