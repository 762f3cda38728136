"""The report's pictures, as small SVG files that are the same for the same figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from fidelity import Fidelity
from matplotlib import pyplot
from matplotlib.axes import Axes
from recall import FEWEST_FAMILIES, Hamming
from report import FALSE_KINDS, media_rows

mpl.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "nearprint",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
)
SIZE = (6.4, 3.6)  # inches
TRUE, FALSE, TEMPLATE = "#2a6f97", "#bc4749", "#dda15e"
FEWEST_PAIRS_DRAWN = 10


def drawn(folder: Path, figures: Sequence[Fidelity], hamming: Hamming) -> list[tuple[str, str]]:
    """Draws every picture; (file name, what it shows)."""
    pictures = [
        ("recall.svg", "Recall by distance", lambda axes: recall_by_distance(axes, hamming)),
        ("distances.svg", "Distances of true and of false pairs", lambda axes: distances(axes, hamming)),
        ("false.svg", "Recall against false pairs", lambda axes: recall_against_false(axes, hamming)),
    ]
    if figures:
        pictures.append(("containment.svg", "Containment by medium pair", lambda axes: containments(axes, figures)))
    for name, shows, draw in pictures:
        picture, axes = pyplot.subplots(figsize=SIZE, layout="constrained")
        draw(axes)
        axes.set_title(shows, loc="left")
        picture.savefig(folder / name, metadata={"Date": None, "Creator": None})
        pyplot.close(picture)
    return [(name, shows) for name, shows, _ in pictures]


def recall_by_distance(axes: Axes, hamming: Hamming) -> None:
    """The curve with its interval, and those of the larger medium pairs."""
    ks = list(range(hamming.reported[-1] + 1))
    shares = [hamming.recall(k) for k in ks]
    axes.fill_between(ks, [s.low for s in shares], [s.high for s in shares], color=TRUE, alpha=0.2, linewidth=0)
    axes.plot(ks, [s.value for s in shares], color=TRUE, label="all, with 95 % interval", linewidth=2)
    large = [(m, p) for m, p in hamming.strata["media"].items() if hamming.recall(0, p).is_enough]
    for media, pairs in large:
        axes.plot(ks, [hamming.recall(k, pairs).value for k in ks], label=f"{media} ({len(pairs)})", linewidth=0.9)
    axes.set(xlabel="distance within k", ylabel="recall", ylim=(0, 1))
    axes.legend(frameon=False, fontsize=7, loc="lower right")


def distances(axes: Axes, hamming: Hamming) -> None:
    """Histograms, each adding up to 1; the scale is logarithmic so that the tails meet where they do."""
    found = Counter(distance for distance in hamming.distances.values() if distance is not None)
    series = [("true pairs", found, TRUE)]
    for kind, colour in zip(FALSE_KINDS, (FALSE, TEMPLATE), strict=True):
        counts: Counter[int] = Counter()
        for (distance, _, _), times in hamming.false[kind].items():
            counts[distance] += times
        series.append((f"different documents, {kind}", counts, colour))
    for name, counts, colour in series:
        if counts:
            ks = range(max(counts) + 1)
            axes.step(
                ks, [counts[k] / counts.total() or float("nan") for k in ks], where="mid", color=colour, label=name
            )
    axes.set(xlabel="distance", ylabel="share of pairs", yscale="log", xlim=(0, hamming.width * 0.75))
    axes.legend(frameon=False, fontsize=7)


def recall_against_false(axes: Axes, hamming: Hamming) -> None:
    """Every k is a point."""
    for kind, colour in zip(FALSE_KINDS, (FALSE, TEMPLATE), strict=True):
        points = [(hamming.false_rate(kind, k).per_million, hamming.recall(k).value, k) for k in hamming.reported]
        points = [point for point in points if point[0] > 0]
        axes.plot(
            [x for x, _, _ in points],
            [y for _, y, _ in points],
            "o-",
            color=colour,
            markersize=3,
            linewidth=1,
            label=kind,
        )
        for x, y, k in points:
            axes.annotate(str(k), (x, y), textcoords="offset points", xytext=(3, -7), fontsize=6)
    axes.set(xlabel="false pairs per million", ylabel="recall", xscale="log", ylim=(0, 1))
    axes.legend(frameon=False, fontsize=7, loc="lower right")


def containments(axes: Axes, figures: Sequence[Fidelity]) -> None:
    """A box from quartile to quartile, whiskers from the 5th to the 95th percentile."""
    rows = [(media, found) for media, found in media_rows(figures) if len(found) >= FEWEST_PAIRS_DRAWN]
    rows = [(m, f) for m, f in rows if len({one.pair.family for one in f}) >= FEWEST_FAMILIES][::-1]
    axes.boxplot(
        [[one.containment for one in found] for _, found in rows],
        tick_labels=[f"{media} ({len(found)})" for media, found in rows],
        orientation="horizontal",
        whis=(5, 95),
        flierprops={"markersize": 2, "markeredgecolor": FALSE},
        medianprops={"color": TRUE, "linewidth": 2},
    )
    axes.axvline(0.97, color="grey", linewidth=0.6, linestyle=":")
    axes.set(xlabel="containment of 3-shingles", xlim=(0, 1.01))
