"""Whether the renderings of a group really are one document, and which documents of different groups are too alike.

The rule, on the words and 3-shingles of crude.py, each file against its group's reference (the first that the recipe
lists):

    counts     cosine >= 0.75, containment >= 0.50, and neither has more than 2.5 times the words of the other
    is left out otherwise: another edition, a stub, an index, a file nobody can read

Sources with markup of their own, which crude.py reads badly, need a containment of 0.35 only. A file of a `neg` group
is a document of its own and needs 200 words. Files of different groups are too alike where a quarter or more of the
shingles of the smaller are in the larger, by a sample of one shingle in 8.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from comparison import containment, cosine, jaccard, shingles
from crude import counted
from recipe import Rendering

COSINE = 0.75
CONTAINMENT = 0.50
CONTAINMENT_OF_SOURCES = 0.35
SOURCES = ("tex", "rst", "md", "asciidoc", "org", "man", "info", "xml", "texi", "wiki")
LONGER = 2.5
FEWEST_WORDS = 50  # fewer say nothing about a label
FEWEST_WORDS_NEG = 200
ALIKE = 0.25
SAMPLED = 8  # one shingle in so many
COMMON = 400  # files; a shingle in more of them connects none, or the pairs to count would be too many

Sketch = frozenset[int]


@dataclass(frozen=True)
class Judgement:
    """What the check says of one file."""

    use: str  # ref, core or neg
    words: int
    cosine: float
    jaccard: float
    containment: float
    sketch: Sketch
    reason: str = ""  # why the file is left out; empty where it stays


def sketch_of(parts: Iterable[tuple[str, ...]]) -> Sketch:
    """A sample of shingles that is the same sample in every file."""
    hashes = (zlib.crc32("\x1f".join(part).encode()) for part in parts)
    return frozenset(number for number in hashes if number % SAMPLED == 0)


def why_not(medium: str, words: int, reference_words: int, cos: float, cont: float) -> str:
    """The reason to leave a file out; empty where the rule is met."""
    floor = CONTAINMENT_OF_SOURCES if medium in SOURCES else CONTAINMENT
    if words < FEWEST_WORDS:
        return f"{words} words"
    ratio = max(words, reference_words) / min(words, reference_words)
    if ratio > LONGER:
        return f"{words} words beside {reference_words} of the reference"
    if cos < COSINE:
        return f"cosine {cos:.2f} < {COSINE}"
    return f"containment {cont:.2f} < {floor}" if cont < floor else ""


def judge(task: tuple[Path, list[Rendering]]) -> list[Judgement]:
    """The judgements on a group's files, in order."""
    corpus, members = task
    read = [counted((corpus / member.path).read_bytes(), member.medium) for member in members]
    parts = [shingles(words) for _, words in read]
    judgements = []
    for number, member in enumerate(members):
        counts, words = read[number]
        sketch = sketch_of(parts[number])
        if member.kind == "neg":
            reason = "" if len(words) >= FEWEST_WORDS_NEG else f"{len(words)} words"
            judgements.append(Judgement("neg", len(words), 0.0, 0.0, 0.0, sketch, reason))
        elif number == 0:
            reason = "" if len(words) >= FEWEST_WORDS else f"{len(words)} words"
            judgements.append(Judgement("ref", len(words), 1.0, 1.0, 1.0, sketch, reason))
        else:
            reference_counts, reference_words = read[0]
            cos, cont = cosine(counts, reference_counts), containment(parts[number], parts[0])
            medium = next((one for one in (member.medium, members[0].medium) if one in SOURCES), member.medium)
            reason = why_not(medium, len(words), len(reference_words), cos, cont)
            judgements.append(
                Judgement("core", len(words), cos, jaccard(parts[number], parts[0]), cont, sketch, reason)
            )
    return judgements


def similar_pairs(files: dict[str, tuple[str, Sketch]]) -> list[tuple[str, str, str]]:
    """(containment, path, path) of different documents too alike; `files` is path to document and sketch."""
    holders: dict[int, list[str]] = defaultdict(list)
    for path, (_, sketch) in files.items():
        for number in sketch:
            holders[number].append(path)
    shared: Counter[tuple[str, str]] = Counter()
    for paths in holders.values():
        if 1 < len(paths) <= COMMON:
            shared.update((one, other) for at, one in enumerate(paths) for other in paths[at + 1 :])
    found = []
    for (one, other), count in shared.items():
        smaller = min(len(files[one][1]), len(files[other][1]))
        if count >= ALIKE * smaller:
            (document, sketch), (other_document, other_sketch) = files[one], files[other]
            if document != other_document:
                found.append((f"{containment(sketch, other_sketch):.2f}", one, other))
    return sorted(found, key=lambda row: (-float(row[0]), row[1:]))
