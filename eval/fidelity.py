"""How alike the extracted texts of one document's media are, and what may have gone wrong where they are not.

Cosine of word counts and containment of 3-shingles, both over the standard's tokens; a document without text scores
0.
"""

from __future__ import annotations

import itertools
import multiprocessing
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from comparison import containment, cosine, share_of, shingles
from extractor import Cache, Taken
from labels import Labels, TruePair
from words import tokens

SHORTER = 0.6  # of the other's tokens
HINT_SHARE = 0.25  # of the tokens that only one side has
FREQUENT = 3
MARKUP = frozenset(
    [
        "begin",
        "end",
        "emph",
        "texttt",
        "textbf",
        "item",
        "section",
        "label",
        "href",
        "class",
        "span",
        "div",
        "para",
        "ulink",
        "varlistentry",
        "sect1",
        "toctree",
        "maxdepth",
        "func",
    ]
)
DAMAGED = re.compile("\ufffd|[\u00c2\u00c3][\u0080-\u00bf]|\\(cid:\\d+\\)")
PRIVATE = re.compile("[\ue000-\uf8ff]")


@dataclass(frozen=True)
class Fidelity:
    """One pair's figures."""

    pair: TruePair
    cosine: float
    containment: float
    tokens: tuple[int, int]
    found: tuple[float, float]  # the share of each side's shingles that the other has
    hints: tuple[str, ...]


def glued(alone: Counter[str], other: list[str]) -> int:
    """How many occurrences of tokens that one side alone has are two neighbours of the other written together."""
    together = {first + second for first, second in itertools.pairwise(other)}
    return sum(times for token, times in alone.items() if token in together)


def hints(
    one: Taken, other: Taken, one_tokens: list[str], other_tokens: list[str], media: tuple[str, str]
) -> list[str]:
    """Likely causes, the plainest first; guesses for a reader, not measurements."""
    told = [
        f"{medium}: {taken.reason or 'no text'}"
        for medium, taken in zip(media, (one, other), strict=True)
        if taken.text is None
    ]
    if told:
        return told
    sides = (one_tokens, other_tokens)
    counts = [Counter(side) for side in sides]
    for at, medium in enumerate(media):
        mine, rest = sides[at], sides[1 - at]
        alone = counts[at] - counts[1 - at]
        only_here = Counter({token: times for token, times in alone.items() if token not in counts[1 - at]})
        extra = max(1, alone.total())
        text = (one, other)[at].text or ""
        if len(mine) < SHORTER * len(rest):
            told.append(f"{medium} has {len(mine)} tokens, {media[1 - at]} {len(rest)}")
        if glued(only_here, rest) > HINT_SHARE * extra:
            told.append(f"{medium}: words run together")
        if glued(
            Counter({t: n for t, n in (counts[1 - at] - counts[at]).items() if t not in counts[at]}), mine
        ) > HINT_SHARE * max(1, (counts[1 - at] - counts[at]).total()):
            told.append(f"{medium}: words broken apart")
        if len(DAMAGED.findall(text)) > len(text) / 500:
            told.append(f"{medium}: wrong or missing character maps")
        if len(PRIVATE.findall(text)) > len(text) / 500:
            told.append(f"{medium}: characters of private use")
        if sum(alone[word] for word in MARKUP) > 0.1 * extra and extra > len(mine) / 20:
            told.append(f"{medium}: markup left in")
        told.extend(f"{medium}: warning {code}" for code in (one, other)[at].warnings[:FREQUENT])
        common = [
            f"{token} x{times}" for token, times in alone.most_common(FREQUENT) if times > max(10, len(mine) / 100)
        ]
        if common:
            told.append(f"{medium} has more of: {', '.join(common)}")
    alike = cosine(*counts)
    if alike > 0.97 and containment(shingles(one_tokens), shingles(other_tokens)) < 0.9:
        told.append("the same words in another order")
    return told


def measure_document(task: tuple[Cache, Path, list[tuple[TruePair, str, str, str, str]]]) -> list[Fidelity]:
    """The figures of one document's pairs; each file is divided into tokens once."""
    cache, corpus, pairs = task
    taken: dict[str, Taken] = {}
    divided: dict[str, list[str]] = {}
    parts: dict[str, set[tuple[str, ...]]] = {}
    counted: dict[str, Counter[str]] = {}
    found = []
    for pair, *names, one_medium, other_medium in pairs:
        for name in names:
            if name not in taken:
                taken[name] = cache.get(corpus, name)
                divided[name] = tokens(taken[name].text or "")
                parts[name], counted[name] = shingles(divided[name]), Counter(divided[name])
        one, other = names
        found.append(
            Fidelity(
                pair,
                cosine(counted[one], counted[other]),
                containment(parts[one], parts[other]),
                (len(divided[one]), len(divided[other])),
                (share_of(parts[one], parts[other]), share_of(parts[other], parts[one])),
                tuple(hints(taken[one], taken[other], divided[one], divided[other], (one_medium, other_medium))),
            )
        )
    return found


def measure(labels: Labels, cache: Cache, corpus: Path, workers: int) -> list[Fidelity]:
    """The figures of every true pair, in the order of the labels."""
    documents: dict[str, list[tuple[TruePair, str, str, str, str]]] = {}
    for pair in labels.true_pairs():
        one, other = labels.files[pair.one], labels.files[pair.other]
        documents.setdefault(one.group, []).append((pair, one.path, other.path, one.medium, other.medium))
    tasks = [(cache, corpus, pairs) for pairs in documents.values()]
    with multiprocessing.Pool(workers) as pool:
        return [figures for found in pool.imap(measure_document, tasks, chunksize=4) for figures in found]
