"""What cutting identifiers and digits changes: `cuts.py CORPUS --nearprint PROGRAM`.

Prints the share of the tokens that `cut=identifiers` and `digits=none` of custom schemes remove or change, and recall and false pairs
with and without them, of sd1 and sl1 as custom schemes. The documents are read once, for all schemes together.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from labels import Labels, read_labels
from prints import false_distances, prints_of
from recall import Hamming
from report import FALSE_KINDS, table

SAME_LANGUAGE = FALSE_KINDS[0]
WEIGHTS = {"tf": "sd1", "log": "sl1"}
PARTS = ("", ",cut=identifiers", ",digits=none", ",cut=identifiers,digits=none")
DISTANCES = (3, 6)
BATCH = 500  # files in one call


@dataclass
class Made:
    """What one scheme made of the corpus."""

    prints: dict[str, str | None] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)


def schemes() -> list[str]:
    """The declarations that are compared."""
    return [f"custom:words,{weight},lookup3,64{part}" for weight in WEIGHTS for part in PARTS]


def lines_of(program: Path, corpus: Path, paths: list[str]) -> Iterator[str]:
    """The records of all documents under all schemes."""
    named = [option for scheme in schemes() for option in ("--scheme", scheme)]
    for start in range(0, len(paths), BATCH):
        arguments = [program.resolve(), "fingerprint", "-qq", "--format", "jsonl", *named]
        done = subprocess.run(
            [*arguments, *paths[start : start + BATCH]], cwd=corpus, stdout=subprocess.PIPE, check=False
        )
        if done.returncode not in (0, 1):  # 1: some documents failed, each has its line
            raise SystemExit(f"{program} fingerprint: status {done.returncode}")
        yield from done.stdout.decode("utf-8", "replace").splitlines()


def made_of(lines: Iterable[str], ids: dict[str, str]) -> dict[str, Made]:
    """What each scheme made; `ids` names the scheme of an id."""
    made: dict[str, Made] = defaultdict(Made)
    for line in lines:
        record = json.loads(line)
        of = made[ids.get(record.get("scheme"), "")]
        name = str(record["id"])
        of.prints[name] = record["fingerprint"]
        of.tokens[name] = record.get("tokens") or 0
    return made


def ids_of(program: Path) -> dict[str, str]:
    """The declaration of each scheme's id."""
    found = {}
    for scheme in schemes():
        run = subprocess.run(
            [program.resolve(), "fingerprint", "-qq", "--scheme", scheme, "-"],
            input=b"fog",
            stdout=subprocess.PIPE,
            check=True,
        )
        found[run.stdout.decode().partition(":")[0]] = scheme
    return found


def changed(base: Made, other: Made) -> tuple[int, int, float]:
    """Documents with another fingerprint, tokens cut, and their share of all."""
    documents = sum(other.prints.get(name) != value for name, value in values_of(base))
    all_tokens = sum(base.tokens.values())
    cut = all_tokens - sum(other.tokens.values())
    return documents, cut, cut / max(1, all_tokens)


def values_of(made: Made) -> Iterable[tuple[str, str | None]]:
    """The fingerprints without the schemes' ids, which always differ."""
    return ((name, value and value.partition(":")[2]) for name, value in made.prints.items())


def rows_of(labels: Labels, made: dict[str, Made]) -> Iterator[list[object]]:
    """A row for each scheme."""
    for weight, plain in WEIGHTS.items():
        base = made[f"custom:words,{weight},lookup3,64"]
        for part in PARTS:
            of = made[f"custom:words,{weight},lookup3,64{part}"]
            values = {name: value and value.partition(":")[2] for name, value in of.prints.items()}
            documents, cut, share = changed(base, Made(values, of.tokens))
            prints, width, told = prints_of(of.prints.items(), labels)
            hamming = Hamming(labels, prints, width, told, false_distances(labels, prints, width))
            row: list[object] = [f"{plain}{part}", f"{cut:,}", f"{100 * share:.3f} %", f"{documents:,}"]
            for k in DISTANCES:
                recall, rate = hamming.recall(k), hamming.false_rate(SAME_LANGUAGE, k)
                row += [f"{recall.value:.4f} ({recall.low:.3f}-{recall.high:.3f})", f"{rate.per_million:,.1f}"]
            yield row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--min-words", type=int, default=200)
    args = parser.parse_args()
    labels = read_labels(args.corpus, args.min_words)
    paths = [file.path for file, eligible in zip(labels.files, labels.eligible, strict=True) if eligible]
    made = made_of(lines_of(args.nearprint, args.corpus, paths), ids_of(args.nearprint))
    tokens = sum(made[schemes()[0]].tokens.values())
    print(f"{len(paths):,} documents, {tokens:,} tokens, {len(labels.true_pairs()):,} true pairs\n")
    heads = [name for k in DISTANCES for name in (f"recall within {k} (95 %)", f"false per million within {k}")]
    print(table(["scheme", "tokens cut", "share", "fingerprints changed", *heads], rows_of(labels, made)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
