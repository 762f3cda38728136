"""Scores the command on the development corpus of web pages: `web_score.py build/web/corpus --nearprint PROGRAM`.

Prints Markdown tables: agreement of renderings by pair of media, main content by theme beside packages of PyPI that
are installed, near-duplicates among the HTML pages, processor time, and with `--worst N` the pages with the least F1.
All with the whole text of a page and with `--read main-content`.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from comparison import containment, cosine, shingles
from crude import crude_words
from foreign import programs
from foreign.benchmarks import means
from foreign.pages import Page, Row, f1
from labels import Labelled, Labels, read_labels
from recipe import read_table
from words import tokens

MODES = {"nearprint": [], "nearprint --read main-content": ["--read", "main-content"]}
RUNS = 5
PAIR_SECONDS = 600


@dataclass(frozen=True)
class Corpus:
    """The corpus of web_pages.py."""

    folder: Path
    labels: Labels
    references: dict[str, str]  # group to the text of its source page
    themes: dict[str, str]  # path to theme, of the HTML pages

    @property
    def html(self) -> list[Labelled]:
        """The HTML pages."""
        return [file for file in self.labels.files if self.themes.get(file.path)]

    def pages(self, files: list[Labelled]) -> list[Page]:
        """The files as the programs get them."""
        return [Page(file.path, self.folder / file.path, file.family, self.themes.get(file.path, "")) for file in files]


def read_rows(path: Path) -> list[dict]:
    """The rows of JSON lines; a text may have characters that `splitlines` takes for ends of lines."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def read_corpus(folder: Path) -> Corpus:
    """The corpus of a folder."""
    references = {row["group_id"]: row["text"] for row in read_rows(folder / "references.jsonl")}
    themes = {row["path"]: row["theme"] for row in read_table(folder / "groups.tsv")}
    return Corpus(folder, read_labels(folder, 0), references, themes)


def bag(text: str, reference: str) -> Row:
    """Precision, recall and F1 of the words of a text as a bag; unspaced scripts count pairs of characters."""

    ours, theirs = Counter(crude_words(text)), Counter(crude_words(reference))
    if not ours or not theirs:
        return (0.0, 0.0, 0.0)
    common = (ours & theirs).total()
    precision, recall = common / ours.total(), common / theirs.total()
    return precision, recall, f1(precision, recall)


def media_table(corpus: Corpus, texts: dict[str, dict[str, str]]) -> list[str]:
    """Agreement of all renderings of each group by pair of media, the median and the 5th percentile of pairs."""
    groups: dict[str, list[Labelled]] = defaultdict(list)
    for file in corpus.labels.files:
        groups[file.group].append(file)
    lines = [
        "| media | text | pairs | cosine, median | containment, median | 5th percentile |",
        "|---|---|---|---|---|---|",
    ]
    for name, found in texts.items():
        words = {path: tokens(text) for path, text in found.items()}
        parts = {path: shingles(one) for path, one in words.items()}

        counts = {path: Counter(one) for path, one in words.items()}
        values: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for members in groups.values():
            for one, other in combinations(members, 2):
                a, b = one.path, other.path
                key = "-".join(sorted((one.medium, other.medium)))
                values[key].append(
                    (cosine(counts[a], counts[b]), containment(parts[a], parts[b]))
                    if a in words and b in words
                    else (0.0, 0.0)
                )
        for media, pairs in sorted(values.items()):
            cos, cont = (sorted(column) for column in zip(*pairs, strict=True))
            low = cont[len(cont) * 5 // 100]
            lines.append(
                f"| {media} | {name} | {len(pairs)} | {statistics.median(cos):.3f} | {statistics.median(cont):.3f} "
                f"| {low:.3f} |"
            )
    return lines


def main_content_tables(corpus: Corpus, made: list[programs.Texts], rows: dict[str, dict[str, Row]]) -> list[str]:
    """Precision, recall and F1 by program, and F1 by theme."""
    lines = ["| program | precision | recall | F1 | F1, 5th percentile | without text |", "|---|---|---|---|---|---|"]
    for one in made:
        total = means(list(rows[one.program].values()))
        low = sorted(row[2] for row in rows[one.program].values())[len(corpus.html) * 5 // 100]
        without = ", ".join(f"{count} {reason}" for reason, count in sorted(one.without.items())) or "0"
        lines.append(
            f"| {one.program} {one.version} | {total['precision']:.3f} | {total['recall']:.3f} | {total['f1']:.3f} "
            f"| {low:.3f} | {without} |"
        )
    names = [one.program for one in made]
    lines += [
        "",
        "F1 by theme, and precision and recall of `--read main-content`:",
        "",
        "| theme | pages | precision | recall | " + " | ".join(names) + " |",
        "|---" * (len(names) + 4) + "|",
    ]
    main = list(MODES)[1]
    for theme in sorted(set(corpus.themes.values()) - {""}):
        paths = [file.path for file in corpus.html if corpus.themes[file.path] == theme]
        own = means([rows[main][path] for path in paths])
        cells = [f"{means([rows[name][path] for path in paths])['f1']:.3f}" for name in names]
        lines.append(
            f"| {theme} | {len(paths)} | {own['precision']:.3f} | {own['recall']:.3f} | " + " | ".join(cells) + " |"
        )
    return lines


def pair_table(corpus: Corpus, program: Path) -> list[str]:
    """What `pairs` finds among the HTML pages."""
    index = {str(corpus.folder / file.path): file for file in corpus.html}
    groups: dict[str, int] = defaultdict(int)
    for file in corpus.html:
        groups[file.group] += 1
    true = sum(count * (count - 1) // 2 for count in groups.values())
    lines = [
        "| text | true pairs | found | recall | wrong pairs | of one site | neither |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, options in MODES.items():
        with tempfile.TemporaryDirectory() as folder:
            listed, out = Path(folder, "pages"), Path(folder, "pairs.jsonl")
            listed.write_bytes(b"".join(path.encode() + b"\0" for path in index))
            command = [program, "pairs", "-qq", "--format", "jsonl", "-o", out, *options, "--files-from", listed]
            done = subprocess.run(command, check=False, timeout=PAIR_SECONDS, stdin=subprocess.DEVNULL)
            if done.returncode not in (0, 1):
                raise SystemExit(f"{program} pairs: status {done.returncode}")
            found = read_rows(out)
        right = wrong = site = neither = 0
        for pair in found:
            one, other = index[pair["a"]], index[pair["b"]]
            verdict = corpus.labels.verdict(corpus.labels.find(one.path), corpus.labels.find(other.path))
            right += verdict is True
            wrong += verdict is False
            neither += verdict is None
            site += verdict is False and (one.family, corpus.themes[one.path]) == (
                other.family,
                corpus.themes[other.path],
            )
        lines.append(f"| {name} | {true} | {right} | {right / max(true, 1):.4f} | {wrong} | {site} | {neither} |")
    return lines


def processor_seconds(program: Path, pages: list[Page], options: list[str]) -> float:
    """The processor time of one process that reads all pages, by one thread; the median of some runs."""
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        listed, out = Path(folder, "pages"), Path(folder, "texts")
        listed.write_bytes(b"".join(bytes(page.path) + b"\0" for page in pages))
        command = [program, "extract", "-qq", "--json", "--threads", "1", "--force", "-o", out, *options]
        for _ in range(RUNS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([*command, "--files-from", listed], check=False, stdin=subprocess.DEVNULL)
            if done.returncode not in (0, 1):
                raise SystemExit(f"{program} extract: status {done.returncode}")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds)


def worst(corpus: Corpus, texts: dict[str, str], rows: dict[str, Row], count: int) -> list[str]:
    """The pages with the least F1, with the words that are missing and those that are too many."""

    lines = ["| F1 | precision | recall | page | missing | too many |", "|---|---|---|---|---|---|"]
    for path, row in sorted(rows.items(), key=lambda item: item[1][2])[:count]:
        ours = Counter(crude_words(texts.get(path, "")))
        theirs = Counter(crude_words(corpus.references[path.partition("/")[0]]))
        less, more = (" ".join(word for word, _ in side.most_common(8)) for side in (theirs - ours, ours - theirs))
        lines.append(f"| {row[2]:.3f} | {row[0]:.3f} | {row[1]:.3f} | {path} | {less} | {more} |")
    return lines


def command_line() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--no-peers", action="store_true", help="the command alone")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N pages with the least F1")
    return parser.parse_args()


def main() -> int:
    args = command_line()
    program = args.nearprint.resolve()
    corpus = read_corpus(args.corpus.resolve())
    pages = corpus.pages(corpus.html)
    everything = corpus.pages(corpus.labels.files)
    whole = {name: programs.by_command(program, everything, options, name) for name, options in MODES.items()}
    made = list(whole.values())
    if not args.no_peers:
        made += [
            found for name in programs.PEERS if (found := programs.by_peer(name, pages, lambda path: path.read_bytes()))
        ]
    rows = {
        one.program: {
            page.key: bag(one.texts.get(page.key, ""), corpus.references[page.key.partition("/")[0]]) for page in pages
        }
        for one in made
    }
    seconds = {name: processor_seconds(program, pages, options) for name, options in MODES.items()}
    main_mode = list(MODES)[1]
    sections = {
        "Agreement of renderings": media_table(corpus, {name: one.texts for name, one in whole.items()}),
        "Main content": main_content_tables(corpus, made, rows),
        "Near-duplicates among the HTML pages": pair_table(corpus, program),
        "Processor time": [
            "; ".join(f"{name}: {found:.2f} s" for name, found in seconds.items())
            + f"; ratio {seconds[main_mode] / seconds['nearprint']:.2f}"
        ],
    }
    if args.worst:
        sections["Worst pages"] = worst(corpus, whole[main_mode].texts, rows[main_mode], args.worst)
    print(f"{len(pages)} HTML pages of {len(corpus.references)} groups\n")
    for title, lines in sections.items():
        print(f"## {title}\n\n" + "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
