"""Scores extraction and fingerprints on a labelled corpus: `score.py CORPUS --nearprint PROGRAM --report FOLDER`.

    --nearprint PROGRAM   takes texts with `PROGRAM extract` and prints with `PROGRAM fingerprint`
    --stand-in            takes texts crudely and computes sd1 with the reference: a check of the harness itself, slow
    --fingerprints FILE   scores prints of any Hamming scheme: JSON lines with `id` and `fingerprint`, or two columns
    --pairs FILE          scores a list of pairs: JSON lines with `a` and `b`, or two columns

CORPUS is a folder with groups.tsv (see labels.py): the one that build.py makes, any other, your own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import causes
import report
from extractor import Cache, Command, StandIn
from fidelity import Fidelity, measure
from labels import Labels, read_labels
from pairs import read_pairs, score_pairs
from prints import false_distances, prints_of, read_prints
from recall import Hamming
from words import fingerprint, tokens

HERE = Path(__file__).resolve().parent


def paths_of(labels: Labels) -> list[str]:
    """The files that any figure needs."""
    return [file.path for file, eligible in zip(labels.files, labels.eligible, strict=True) if eligible]


def stand_in_prints(cache: Cache, corpus: Path, paths: list[str]) -> Iterator[tuple[str, str | None]]:
    """sd1 of the kept texts, by the reference."""
    for path in paths:
        value = fingerprint(tokens(cache.get(corpus, path).text or ""))
        yield path, None if value is None else f"{value:016x}"


def command_line() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--nearprint", type=Path, metavar="PROGRAM")
    source.add_argument("--stand-in", action="store_true")
    source.add_argument("--fingerprints", type=Path, metavar="FILE")
    source.add_argument("--pairs", type=Path, metavar="FILE")
    parser.add_argument("--scheme", default="sd1", help="the scheme of the prints that PROGRAM makes (default sd1)")
    parser.add_argument("--min-words", type=int, default=200, help="leave shorter documents out (default 200)")
    parser.add_argument(
        "--cache", type=Path, default=HERE.parent / "build" / "eval" / "texts", help="where texts are kept"
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FOLDER",
        help="write README.md, the figures and the plots there; with --pairs, the section on pairs of that README.md",
    )
    parser.add_argument(
        "--causes", type=Path, metavar="FILE", help="add the causes to the report, with the judgements of FILE"
    )
    parser.add_argument("--command", default="", help="the command that the report shall name")
    parser.add_argument("--worst", type=int, default=40, help="how many of the worst pairs to list (default 40)")
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def scored(args: argparse.Namespace, labels: Labels) -> tuple[list[Fidelity], Hamming, str]:
    """Extraction and distances, and the name of what made them."""
    if args.fingerprints:
        values, width, told = read_prints(args.fingerprints, labels)
        return [], Hamming(labels, values, width, told, false_distances(labels, values, width)), args.fingerprints.name
    paths = paths_of(labels)
    extractor = StandIn({file.path: file.medium for file in labels.files}) if args.stand_in else Command(args.nearprint)
    cache = Cache(args.cache, extractor)
    cache.fill(args.corpus, paths)
    found = (
        extractor.fingerprints(args.corpus, paths, args.scheme)
        if isinstance(extractor, Command)
        else stand_in_prints(cache, args.corpus, paths)
    )
    values, width, told = prints_of(found, labels)
    hamming = Hamming(labels, values, width, told, false_distances(labels, values, width))
    return measure(labels, cache, args.corpus, args.workers), hamming, extractor.name


def main() -> int:
    args = command_line()
    labels = read_labels(args.corpus, args.min_words)
    if args.pairs:
        found, unknown = read_pairs(args.pairs, labels)
        score = score_pairs(labels, found)
        section = report.of_pairs(score, unknown)
        if args.report:
            page = args.report / "README.md"
            page.write_text(report.with_verified(page.read_text("utf-8"), section), "utf-8")
            figures = report.figures_of_pairs(score, datetime.now(UTC).strftime("%Y-%m-%d"))
            (args.report / "verified.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
        else:
            print(section)
        return 0
    figures, hamming, maker = scored(args, labels)
    heading = report.Heading(
        maker=maker,
        scheme=args.scheme if not args.fingerprints else "",
        corpus=args.corpus.name,
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        command=args.command or " ".join(sys.argv),
        left_out=report.left_out(args.corpus),
    )
    text = report.written(heading, labels, figures, hamming, args.worst)
    print(text)
    if args.report:
        import plots  # matplotlib is needed for a report only

        args.report.mkdir(parents=True, exist_ok=True)
        names = plots.drawn(args.report, figures, hamming)
        if args.causes:
            text += "\n" + causes.written(figures, labels, causes.read_causes(args.causes))
        (args.report / "README.md").write_text(report.with_plots(text, names), "utf-8")
        (args.report / "figures.json").write_text(
            json.dumps(report.figures_of(labels, figures, hamming), indent=1) + "\n", "utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
