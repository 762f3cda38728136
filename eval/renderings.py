"""Sources and their renderings: `renderings.py SOURCES PAGES --nearprint PROGRAM [--words 20]`.

SOURCES has texts in a light markup (`a/b.rst`, `a/b.md.gz`, `a/b.rst.txt`), PAGES the HTML that was made of them
(`a/b.html`). Prints how alike the texts of both are, by their word 3-shingles, and the words that differ in most
files: what an extractor shows and a rendering does not, or the other way round. Pages may have what their sources
take from other files, so a low similarity of one pair says little.
"""

from __future__ import annotations

import argparse
import re
import statistics
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

from drops import texts

SOURCE = re.compile(r"(.+?)\.(?:rst\.txt|rst|md|adoc|txt)(?:\.gz)?$")
WORD = re.compile(r"[^\W\d]\w*")
SHORTEST = 20  # shingles of a text that is compared
CELLS = 20_000_000  # of a comparison word by word
LONGEST = 8  # words of a difference that is counted


def pairs(sources: Path, pages: Path) -> list[tuple[Path, Path]]:
    """Each source that has a page, and the page."""
    found = []
    for path in sorted(sources.rglob("*")):
        named = SOURCE.match(str(path.relative_to(sources)))
        page = pages / f"{named[1]}.html" if named else path
        if named and path.is_file() and page.is_file():
            found.append((path, page))
    return found


def shingles(text: str) -> set[tuple[str, ...]]:
    words = WORD.findall(text.lower())
    return set(zip(words, words[1:], words[2:], strict=False))


def differences(source: str, page: str) -> set[tuple[str, str]]:
    """The words of one that stand where the other has others, or none."""
    ours, theirs = WORD.findall(source), WORD.findall(page)
    if len(ours) * len(theirs) > CELLS:
        return set()
    found = set()
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal" and max(b - a, d - c) <= LONGEST:
            found.add((" ".join(ours[a:b]), " ".join(theirs[c:d])))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--nearprint", required=True)
    parser.add_argument("--words", type=int, default=20)
    arguments = parser.parse_args()
    found = pairs(arguments.sources, arguments.pages)
    read = texts(arguments.nearprint, [str(path) for pair in found for path in pair])
    similarities, differing = [], Counter()
    for source, page in found:
        ours, theirs = (shingles(read.get(str(path), "")) for path in (source, page))
        if min(len(ours), len(theirs)) >= SHORTEST:
            similarities.append(len(ours & theirs) / len(ours | theirs))
            differing.update(differences(read[str(source)], read[str(page)]))
    if not similarities:
        parser.error("no source has a page beside it")
    tenth = sorted(similarities)[len(similarities) // 10]
    equal = sum(similarity == 1 for similarity in similarities)
    mean, median = statistics.fmean(similarities), statistics.median(similarities)
    print(
        f"{len(similarities)} pairs: mean {mean:.3f}, median {median:.3f}, tenth {tenth:.3f}, {equal} with equal shingles"
    )
    for (ours, theirs), files in differing.most_common(arguments.words):
        print(f"{files:5} [{ours} | {theirs}]")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
