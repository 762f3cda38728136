"""Short texts of one work in two renderings: which twins `pairs` finds, and what else it reports.

    short_texts.py CORPUS --nearprint PROGRAM [--most-files N] [--rows FILE]

CORPUS is a labelled corpus (labels.py). Of each group the reference and another rendering are taken as text, and their
paragraphs are aligned by those that are equal. A paragraph that stands alone between two equal neighbours, in both
renderings, is the same paragraph by its place: a *twin*, if the two differ by letters and agree in their numbers, and
share half of their characters, whatever their words. Two paragraphs of the work are *other texts* if at least one
of them has its equal or its twin elsewhere. Of pairs that are neither nothing is known, and they count neither way.
Every measure finds paragraphs of equal words and numbers, so these are not among the twins.

For each way of asking the table has, by the words of the shorter text: twins, and the share found with Wilson's 95 %
interval; how many reported pairs are right, paragraphs of equal words and numbers among them, and how many are of other
texts, equal words with other numbers among them; and the precision with its interval.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from intervals import wilson
from labels import read_labels

sys.path.insert(0, str(Path(__file__).parent.parent / "reference"))
import nearprint_sd1 as sd1

BINS = [(5, 9), (10, 19), (20, 29), (30, 49)]
LEAST_ALIKE = 0.5  # of characters; below, a place has two different paragraphs
MOST_PARAGRAPHS = 4_000  # of one rendering: aligning takes the square of it
# Media whose text has a paragraph a line; of the others paragraphs are divided by empty lines.
LINES = {"html", "xml", "epub", "odt", "docx", "htm"}
Key = tuple[tuple[str, ...], tuple[str, ...]]
BEST = "equal numbers, each the other's best"
WAYS = ["", "--measure jaccard-words --threshold 0.6", f"{BEST}: --measure jaccard-words --threshold 0.4"]


@dataclass
class Work:
    """The paragraphs of two renderings, and what is known of them."""

    name: str
    texts: list[list[str]]
    twins: set[tuple[int, int]] = field(default_factory=set)
    # Places that have an equal or a twin, of each rendering.
    known: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))


def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of the standard."""
    return tuple(sd1.tokens(sd1.cut(sd1.normalise(sd1.unassigned_to_space(text)))))


def numbers_of(text: str) -> tuple[str, ...]:
    """The numbers of a text, in order."""
    return tuple(re.findall(r"\d+", text))


def key_of(text: str) -> Key:
    """What equal paragraphs have in common."""
    return tokens_of(text), numbers_of(text)


def paragraphs(text: str, medium: str) -> list[str]:
    """The paragraphs of an extracted text, white space as one blank."""
    parts = text.split("\n") if medium in LINES else re.split(r"\n\s*\n", text)
    return [part for part in (" ".join(part.split()) for part in parts) if part]


def aligned(work: Work) -> None:
    """Finds the equal paragraphs and the twins of a work."""
    keys = [[key_of(text) for text in texts] for texts in work.texts]
    matcher = difflib.SequenceMatcher(None, *keys, autojunk=False)
    blocks = matcher.get_matching_blocks()
    for one, other, length in blocks:
        for side, start in enumerate((one, other)):
            work.known[side].update(range(start, start + length))
    for before, after in pairwise(blocks):
        one, other = before.a + before.size, before.b + before.size
        is_alone = after.a - one == 1 and after.b - other == 1 and before.size and after.size
        texts = (work.texts[0][one], work.texts[1][other]) if is_alone else ("", "")
        if not is_alone or keys[0][one][0] == keys[1][other][0] or keys[0][one][1] != keys[1][other][1]:
            continue
        alike = difflib.SequenceMatcher(None, *texts, autojunk=False).ratio()
        if alike >= LEAST_ALIKE:
            work.twins.add((one, other))
            work.known[0].add(one)
            work.known[1].add(other)


def extracted(program: str, files: list[Path]) -> dict[str, str]:
    """The texts of files, by their paths."""
    command = [program, "extract", "-qq", "--format", "jsonl", "--files-from", "-"]
    listed = "".join(f"{file}\n" for file in files)
    found = subprocess.run(command, input=listed, capture_output=True, text=True, check=False)
    rows = (json.loads(line) for line in found.stdout.split("\n") if line)
    return {row["id"]: row["text"] for row in rows if row.get("text")}


def works(corpus: Path, program: str, most_files: int) -> Iterator[Work]:
    """The works of the corpus with two renderings that can be read."""
    groups = defaultdict(list)
    for row in read_labels(corpus, 0).files:
        if row.kind in ("media", "media+rev") and row.use in ("ref", "core"):
            groups[row.group].append(row)
    chosen = {}
    for group, rows in sorted(groups.items()):
        rows.sort(key=lambda row: (row.use != "ref", row.medium not in LINES, row.path))
        other = next(
            (row for row in rows[1:] if row.medium != rows[0].medium and row.medium not in ("pdf", "tex")), None
        )
        if other and rows[0].medium not in ("pdf", "tex"):
            chosen[group] = (rows[0], other)
    by_digest = sorted(chosen, key=lambda group: hashlib.sha256(group.encode()).digest())
    chosen = {group: chosen[group] for group in by_digest[: most_files // 2]}
    files = {
        row.path: next(path for path in (corpus / row.path, corpus / "dev" / row.path) if path.exists())
        for pair in chosen.values()
        for row in pair
    }
    texts = extracted(program, list(files.values()))
    for group, pair in sorted(chosen.items()):
        found = [texts.get(str(files[row.path])) for row in pair]
        if None in found:
            continue
        parts = [paragraphs(text, row.medium) for text, row in zip(found, pair, strict=True)]
        if max(map(len, parts)) <= MOST_PARAGRAPHS:
            work = Work(group, parts)
            aligned(work)
            yield work


def reported(program: str, folder: Path, way: str, keys: dict[str, Key]) -> set[tuple[str, str]]:
    """The pairs of an id of the one rendering and one of the other that are reported."""
    options = way.removeprefix(f"{BEST}: ").split()
    command = [program, "pairs", "-qq", "--format", "jsonl", *options]
    command += [str(folder / "one.jsonl"), "--against", str(folder / "other.jsonl")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode > 1:
        raise SystemExit(found.stderr)
    # Works are compared each by itself.
    rows = [
        row for row in map(json.loads, filter(None, found.stdout.split("\n"))) if work_of(row["a"]) == work_of(row["b"])
    ]
    if not way.startswith(BEST):
        return {(row["a"], row["b"]) for row in rows}
    rows = [row for row in rows if keys[row["a"]][1] == keys[row["b"]][1]]
    best: dict[str, float] = defaultdict(float)
    for row in rows:
        for name in (row["a"], row["b"]):
            best[name] = max(best[name], row["similarity"])
    return {(row["a"], row["b"]) for row in rows if row["similarity"] == best[row["a"]] == best[row["b"]]}


def work_of(name: str) -> str:
    """The work that a paragraph is of."""
    return name.partition("#")[0]


def bin_of(words: int) -> tuple[int, int] | None:
    """The bin of so many words."""
    return next((bounds for bounds in BINS if bounds[0] <= words <= bounds[1]), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--nearprint", required=True)
    parser.add_argument("--most-files", type=int, default=2_000)
    parser.add_argument("--folder", type=Path, default=Path("build/short"))
    parser.add_argument("--rows", type=Path, help="wrong pairs, for reading")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    lengths: dict[str, int] = {}
    twins: dict[tuple[int, int], set[tuple[str, str]]] = {bounds: set() for bounds in BINS}
    known: set[str] = set()
    keys: dict[str, Key] = {}
    texts: dict[str, str] = {}
    count = 0
    with (arguments.folder / "one.jsonl").open("w") as one, (arguments.folder / "other.jsonl").open("w") as other:
        for work in works(arguments.corpus, arguments.nearprint, arguments.most_files):
            count += 1
            for side, out in enumerate((one, other)):
                for at, text in enumerate(work.texts[side]):
                    key = key_of(text)
                    if not BINS[0][0] <= len(key[0]) <= 2 * BINS[-1][1]:
                        continue
                    name = f"{work.name}#{'ab'[side]}{at}"
                    lengths[name], keys[name], texts[name] = len(key[0]), key, text
                    if at in work.known[side]:
                        known.add(name)
                    out.write(json.dumps({"id": name, "text": text}) + "\n")
            for a, b in work.twins:
                pair = (f"{work.name}#a{a}", f"{work.name}#b{b}")
                if pair[0] in lengths and pair[1] in lengths:
                    bounds = bin_of(min(lengths[name] for name in pair))
                    if bounds:
                        twins[bounds].add(pair)
    print(
        f"{count} works, {len(lengths)} paragraphs, {sum(map(len, twins.values()))} twins whose words differ",
        file=sys.stderr,
    )
    wrong_rows = []
    print("| asked | words | twins | found | right | of other texts | precision |\n|---|---|---|---|---|---|---|")
    for way in WAYS:
        pairs = reported(arguments.nearprint, arguments.folder, way, keys)
        for bounds, positives in twins.items():
            found = right = wrong = 0
            for a, b in pairs:
                if bin_of(min(lengths[a], lengths[b])) != bounds:
                    continue
                found += (a, b) in positives
                right += (a, b) in positives or keys[a] == keys[b]
                if (a, b) not in positives and keys[a] != keys[b] and (a in known or b in known):
                    wrong += 1
                    wrong_rows.append((way, texts[a], texts[b]))
            share, sure = wilson(found, len(positives)), wilson(right, right + wrong)
            print(
                f"| {f'`{way}`' if way else 'by default'} | {bounds[0]} to {bounds[1]} | {len(positives)} "
                f"| {found / max(1, len(positives)):.3f} ({share[0]:.3f} to {share[1]:.3f}) | {right} | {wrong} "
                f"| {right / max(1, right + wrong):.3f} ({sure[0]:.3f} to {sure[1]:.3f}) |",
                flush=True,
            )
    if arguments.rows:
        arguments.rows.write_text("".join("\t".join(row) + "\n" for row in wrong_rows))


if __name__ == "__main__":
    main()
