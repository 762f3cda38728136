"""Compares the schemes on a labelled corpus: `schemes.py CORPUS --nearprint PROGRAM --report FOLDER [--page SCHEMES.md]`.

Writes schemes.md, schemes.json and two plots into FOLDER, and the summary table into the block of docs/SCHEMES.md between its two marks. The metric code is
that of the other reports: recall.py for distances, pairs.py for lists of pairs.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from extractor import Cache, Command
from intervals import wilson
from labels import Labels, read_labels
from pairs import PairScore, read_pairs, score_pairs
from prints import false_distances, prints_of
from recall import Hamming
from report import FALSE_KINDS, table
from summary import in_page

SAME_LANGUAGE = FALSE_KINDS[0]
FALSE_RATES = (10, 100)  # per million, at which recall is told
SIZES = (10**6, 10**7, 10**8)
MEASURES = ("jaccard", "containment", "cosine")
RECOMMENDED = ("md1", "jaccard")
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Way:
    """A way to search: a scheme within its default distance, verified or not."""

    scheme: str
    measure: str | None
    score: PairScore
    seconds: float


def schemes_of(program: Path) -> list[dict[str, object]]:
    """The standard's schemes, as the command lists them."""
    run = subprocess.run([program, "prints", "schemes", "--format", "jsonl"], capture_output=True, check=True)
    found = [json.loads(line) for line in run.stdout.decode().splitlines()]
    return [scheme for scheme in found if scheme["id"] in ("sd1", "sl1", "md1", "wd1")]


def searched(program: Path, corpus: Path, labels: Labels, scheme: str, measure: str | None) -> Way:
    """The pairs that the command gives out, scored."""
    unbounded = ["-qq", "--search", "max-pairs=none"]
    with tempfile.TemporaryDirectory() as folder:
        file, prints = Path(folder) / "pairs.tsv", Path(folder) / "prints"
        if measure is None:
            steps = [
                ["fingerprint", "-qq", "--scheme", scheme, "--output", prints, "."],
                ["prints", "pairs", *unbounded, "--output", file, prints],
            ]
        else:
            candidates = ["--search", f"scheme={scheme}", "--measure", measure]
            steps = [["pairs", *unbounded, *candidates, "--output", file, "."]]
        begun = time.monotonic()
        for arguments in steps:
            done = subprocess.run([program.resolve(), *arguments], cwd=corpus, check=False)
            if done.returncode not in (0, 1):  # 1: some documents failed, which are missed
                raise SystemExit(f"{' '.join(map(str, arguments))}: status {done.returncode}")
        seconds = time.monotonic() - begun
        found, _ = read_pairs(file, labels)
    return Way(scheme, measure, score_pairs(labels, found), seconds)


def speed(program: Path, texts: Path, scheme: str) -> float:
    """MB of plain text a second of the processor, reading included, by one thread.

    The best of three, so that the first of all schemes does not pay for the disk.
    """
    data = sum(file.stat().st_size for file in texts.iterdir())
    arguments = [program.resolve(), "fingerprint", "-qq", "--threads", "1", "--read", "isolate=never"]
    taken = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*arguments, "--scheme", scheme, texts], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return data / 1e6 / min(taken)


def expected(rate: float) -> list[float]:
    """False pairs to expect among so many documents of one language at a rate per million pairs."""
    return [rate / 1e6 * size * (size - 1) / 2 for size in SIZES]


def at_false_rate(hamming: Hamming, most: float) -> tuple[int, float] | None:
    """The greatest distance with no more false pairs per million, and the recall there."""
    best = None
    for k in range(hamming.width):
        if hamming.false_rate(SAME_LANGUAGE, k).per_million > most:
            break
        best = (k, hamming.recall(k).value)
    return best


def distance_figures(scheme: dict[str, object], hamming: Hamming) -> dict[str, object]:
    """What a scheme's prints alone are worth."""
    points = {}
    for name in ("close", "default_distance", "loose"):
        k = int(str(scheme[name]))
        share, rate = hamming.recall(k), hamming.false_rate(SAME_LANGUAGE, k)
        points[name] = {
            "k": k,
            "recall": [round(number, 4) for number in (share.value, share.low, share.high)],
            "false_per_million": [round(number, 3) for number in (rate.per_million, rate.low, rate.high)],
            "false_pairs": rate.false,
            "expected": expected(rate.per_million),
        }
    rates = {str(most): at_false_rate(hamming, most) for most in FALSE_RATES}
    return {"bytes": scheme["bytes"], "positions": scheme["positions"], "points": points, "at_false_rate": rates}


def way_figures(way: Way, unlike: int) -> dict[str, object]:
    """What a list of pairs is worth; `unlike` pairs of different documents could have been in it."""
    score = way.score
    low, high = wilson(score.different, unlike)
    rate = 1e6 * score.different / max(1, unlike)
    return {
        "scheme": way.scheme,
        "measure": way.measure,
        "recall": [round(number, 4) for number in (score.recall.value, score.recall.low, score.recall.high)],
        "precision": [round(number, 4) for number in (score.precision, score.precision_low, score.precision_high)],
        "same": score.same,
        "different": score.different,
        "false_per_million": [round(number, 3) for number in (rate, 1e6 * low, 1e6 * high)],
        "expected": expected(rate),
        "expected_at_most": expected(1e6 * high),
        "seconds": round(way.seconds, 1),
    }


def measured(args: argparse.Namespace, labels: Labels) -> tuple[dict[str, object], dict[str, Hamming]]:
    """All figures."""
    command = Command(args.nearprint)
    paths = [file.path for file, eligible in zip(labels.files, labels.eligible, strict=True) if eligible]
    cache = Cache(args.cache, command)
    cache.fill(args.corpus, paths)
    hammings: dict[str, Hamming] = {}
    by_scheme: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder)
        for number, path in enumerate(paths):
            (texts / f"{number}.txt").write_text(cache.get(args.corpus, path).text or "", "utf-8")
        for scheme in schemes_of(args.nearprint):
            name = str(scheme["id"])
            values, width, told = prints_of(command.fingerprints(args.corpus, paths, name), labels)
            hammings[name] = Hamming(labels, values, width, told, false_distances(labels, values, width))
            by_scheme[name] = distance_figures(scheme, hammings[name])
            by_scheme[name]["megabytes_per_second"] = round(speed(args.nearprint, texts, name), 1)
    ways = [searched(args.nearprint, args.corpus, labels, name, None) for name in by_scheme]
    ways += [searched(args.nearprint, args.corpus, labels, name, "jaccard") for name in by_scheme]
    ways += [searched(args.nearprint, args.corpus, labels, RECOMMENDED[0], measure) for measure in MEASURES[1:]]
    first = next(iter(hammings.values()))
    unlike = sum(first.false[kind].total() for kind in FALSE_KINDS)
    figures = {
        "made": datetime.now(UTC).strftime("%Y-%m-%d"),
        "maker": command.name,
        "documents": len(paths),
        "true_pairs": len(first.pairs),
        "families": len({pair.family for pair in first.pairs}),
        "unlike_pairs": unlike,
        "schemes": by_scheme,
        "ways": [way_figures(way, unlike) for way in ways],
    }
    return figures, hammings


def interval(numbers: list[float], digits: int) -> str:
    """A value with its interval."""
    value, low, high = numbers
    return f"{value:,.{digits}f} ({low:,.{digits}f}-{high:,.{digits}f})"


def written(figures: dict, command: str) -> str:
    """The report."""
    points = []
    for name, scheme in figures["schemes"].items():
        for label, point in scheme["points"].items():
            points.append(
                [
                    name,
                    label.removesuffix("_distance"),
                    point["k"],
                    interval(point["recall"], 3),
                    interval(point["false_per_million"], 1),
                    *(f"{number:,.0f}" for number in point["expected"]),
                ]
            )
    costs = [
        [
            name,
            scheme["bytes"],
            scheme["megabytes_per_second"],
            *(f"{found[1]:.3f} (k={found[0]})" if found else "-" for found in scheme["at_false_rate"].values()),
        ]
        for name, scheme in figures["schemes"].items()
    ]
    lists = [
        [
            way["scheme"],
            way["measure"] or "-",
            interval(way["recall"], 3),
            interval(way["precision"], 4),
            f"{way['different']:,}",
            interval(way["false_per_million"], 3),
            *(
                f"{number:,.0f} (at most {most:,.0f})"
                for number, most in zip(way["expected"], way["expected_at_most"], strict=True)
            ),
            way["seconds"],
        ]
        for way in figures["ways"]
    ]
    sizes = ["at 10^6", "at 10^7", "at 10^8"]
    return f"""# The schemes compared

Made {figures["made"]} by `{command}` with {figures["maker"]} on the corpus of [README.md](README.md): {figures["documents"]:,} documents of 200 words or
more, {figures["true_pairs"]:,} true pairs of {figures["families"]} families, {figures["unlike_pairs"]:,} pairs of different documents of one language or site.
Recall weighs every family the same, its 95 % interval is a bootstrap over families; that of false pairs within a distance is a jackknife over families, of lists of pairs
Wilson's. "At 10^6" and so on: false pairs to expect among so many unrelated documents of one language.

![Recall against false pairs](schemes.svg)

![Distances of true and of false pairs](scheme-distances.svg)

## Prints alone, by distance

{table(["scheme", "match", "k", "recall (95 %)", "false pairs per million (95 %)", *sizes], points)}

## Cost, and recall at equal false pairs

MB of plain text a second of the processor on one thread of the machine of this run, reading included, best of three; the recall where so many pairs of a million are false.

{table(["scheme", "bytes", "MB/s", *(f"recall at {rate} per million" for rate in FALSE_RATES)], costs)}

## Lists of pairs as the command gives them

`nearprint fingerprint --scheme S` and `prints pairs`, or `pairs --search scheme=S --measure M`, with the defaults of each.

{table(["scheme", "verified by", "recall (95 %)", "precision (95 %)", "false", "false per million", *sizes, "seconds"], lists)}

The recommended way is `{RECOMMENDED[0]}` verified by {RECOMMENDED[1]}; [README.md](README.md#verified-pairs) has it by medium, language and length.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--report", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--page", type=Path, metavar="SCHEMES.md", help="the file whose summary table is replaced")
    parser.add_argument("--min-words", type=int, default=200)
    parser.add_argument("--cache", type=Path, default=HERE.parent / "build" / "eval" / "texts")
    parser.add_argument("--command", default="", help="the command that the report shall name")
    args = parser.parse_args()
    labels = read_labels(args.corpus, args.min_words)
    figures, hammings = measured(args, labels)
    import scheme_plots  # matplotlib is needed for a report only

    args.report.mkdir(parents=True, exist_ok=True)
    scheme_plots.drawn(args.report, hammings)
    (args.report / "schemes.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    (args.report / "schemes.md").write_text(written(figures, args.command or " ".join(sys.argv)), "utf-8")
    if args.page:
        args.page.write_text(in_page(args.page.read_text("utf-8"), figures), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
