"""What the spelling folds of comparisons join, and what candidates lose: `spellings.py FOLDER --nearprint PROGRAM`.

FOLDER has texts, one a line, in files named by their language (`ar.quran.txt`), and message catalogues anywhere below it
(`LANGUAGE/LC_MESSAGES/*.mo`). Prints two tables.

*Joins*: of all pairs of texts with other words, how many reach a threshold with the folds of MEASURE [1.6] and do not
without them, by the reference of that page; what `pairs` finds of those that reach it; the joined pairs follow as rows
to be read (`--rows FILE`), those first whose folded words differ.

*Spellings*: each text of 20 words or more beside itself in another spelling that readers do not see as another text:
how similar they are to the comparison and to the fingerprints, and which share `pairs` and `dedup` find.
"""

from __future__ import annotations

import argparse
import gettext
import hashlib
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "reference"))
import nearprint_family as family
import nearprint_measure as measure
import nearprint_sd1 as sd1

LANGUAGES = ["ar", "he", "fa", "tr", "el"]
LEAST_WORDS = 5
MOST_TEXTS = 12_000  # of one language and source, those of the smallest digests
LONG = 20  # words from which on a text is spelled otherwise
SPELLED = 500  # texts of each edit
THRESHOLDS = [0.3, 0.7]
POINTS = dict.fromkeys([*range(0x64B, 0x653), 0x670, *range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7])
TONOS = str.maketrans("άέήίόύώϊϋΐΰ", "αεηιουωιυιυ")


@dataclass(frozen=True)
class Text:
    """A text and what of it is compared, with the folds and without them."""

    source: str  # the language, and where it is from
    text: str
    tokens: tuple[str, ...]
    folded: frozenset[int]
    plain: frozenset[int]


def shingles(tokens: tuple[str, ...]) -> frozenset[int]:
    """The shingles of tokens."""
    return frozenset(family.shingles([sd1.token_hash(token.encode()) for token in tokens]))


def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of a text."""
    return tuple(sd1.tokens(sd1.cut(sd1.normalise(sd1.unassigned_to_space(text)))))


def folded(token: str) -> str:
    """A token as comparisons see it. MEASURE [1.6]"""
    return token.translate(measure.SPELLING) or token


def read(folder: Path) -> dict[str, list[str]]:
    """The texts of each language and source."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.txt")):
        if path.name[:2] in LANGUAGES and path.name[2:3] == ".":
            found[path.stem] += path.read_text(encoding="utf8").splitlines()
    for path in sorted(folder.rglob("LC_MESSAGES/*.mo")):
        language = path.parent.parent.name
        if language in LANGUAGES:
            with path.open("rb") as file:
                messages = gettext.GNUTranslations(file)._catalog.items()
            texts = (text for key, text in messages if key and isinstance(text, str) and "POT-Creation" not in text)
            found[f"{language}.messages"] += texts
    return found


def prepared(source: str, texts: list[str]) -> list[Text]:
    """Distinct texts of enough words, at most so many as are compared."""
    by_digest = {hashlib.sha256(text.encode()).hexdigest(): text for text in texts}
    kept = []
    for _, text in sorted(by_digest.items()):
        tokens = tokens_of(text)
        if len(tokens) >= LEAST_WORDS:
            kept.append(Text(source, text, tokens, shingles(tuple(map(folded, tokens))), shingles(tokens)))
        if len(kept) == MOST_TEXTS:
            break
    return kept


def jaccard(a: frozenset[int], b: frozenset[int]) -> float:
    """The Jaccard similarity of two sets."""
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def near_pairs(texts: list[Text], at_least: float) -> Iterator[tuple[int, int]]:
    """All pairs whose folded words are similar enough."""
    holders: dict[int, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        shared = Counter(other for shingle in text.folded for other in holders[shingle])
        for other, count in shared.items():
            if count >= at_least * (len(text.folded) + len(texts[other].folded) - count):
                yield other, number
        for shingle in text.folded:
            holders[shingle].append(number)


def similarity(a: str, b: str, spelling: dict[int, int | None] | None = None) -> float:
    """The similarity of two texts, with the folds or with others."""
    kept = measure.SPELLING
    measure.SPELLING = kept if spelling is None else spelling
    try:
        return measure.similarity(measure.features(a, "jaccard"), measure.features(b, "jaccard"), "jaccard")
    finally:
        measure.SPELLING = kept


def found_by(program: Path, verb: list[str], rows: list[tuple[str, str]]) -> str:
    """What the command prints of rows with an id and a text."""
    lines = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in rows)
    command = [program, *verb, "-qq", "--format", "jsonl", "-"]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout


def pairs_found(program: Path, rows: list[tuple[str, str]], threshold: float) -> set[tuple[str, str]]:
    """The pairs that the command finds."""
    verb = ["pairs", "--threshold", str(threshold), "--search", "evidence=no"]
    records = map(json.loads, found_by(program, verb, rows).splitlines())
    return {(row["a"], row["b"]) for row in records} | {(row["b"], row["a"]) for row in records}


@dataclass
class Joins:
    """What the folds join among the texts of one source."""

    source: str
    texts: int
    pairs: int
    similar: dict[float, int]
    joined: dict[float, list[tuple[str, str, bool]]]
    changed: dict[float, tuple[int, int]]  # similar pairs whose words are spelled in two ways, and those found


def joins(program: Path, source: str, texts: list[Text]) -> Joins:
    """Counts what the folds join, and what the command finds of it."""
    result = Joins(source, len(texts), len(texts) * (len(texts) - 1) // 2, {}, {}, {})
    candidates = list(near_pairs(texts, min(THRESHOLDS)))
    rows = [(str(number), text.text) for number, text in enumerate(texts)]
    for threshold in THRESHOLDS:
        found = pairs_found(program, rows, threshold)
        result.similar[threshold], result.joined[threshold] = 0, []
        otherwise = lost = 0
        for a, b in candidates:
            one, other = texts[a], texts[b]
            if jaccard(one.folded, other.folded) < threshold:
                continue
            if similarity(one.text, other.text) < threshold:
                continue
            result.similar[threshold] += 1
            if jaccard(one.folded, other.folded) == jaccard(one.plain, other.plain):
                continue
            otherwise += 1
            lost += (str(a), str(b)) not in found
            if similarity(one.text, other.text, {}) < threshold:
                same = list(map(folded, one.tokens)) == list(map(folded, other.tokens))
                result.joined[threshold].append((one.text, other.text, same))
        result.changed[threshold] = otherwise, otherwise - lost
    return result


def stretched(text: str) -> str:
    """A tatweel in every fifth word, between letters that join."""
    words = text.split(" ")
    for at in range(0, len(words), 5):
        word = words[at]
        place = next(
            (i for i, c in enumerate(word[:-1]) if c in "بتثجحخسشصضطظعغفقكلمنهي" and word[i + 1].isalpha()), None
        )
        if place is not None:
            words[at] = word[: place + 1] + "\u0640\u0640" + word[place + 1 :]
    return " ".join(words)


EDITS: list[tuple[str, str, Callable[[str], str]]] = [
    ("ar", "tatweel in every fifth word", stretched),
    ("ar", "without vowel signs", lambda text: text.translate(POINTS)),
    ("he", "without points", lambda text: text.translate(POINTS)),
    ("fa", "Arabic yeh and kaf", lambda text: text.translate(str.maketrans("یک", "يك"))),
    ("tr", "capitals", lambda text: text.replace("i", "İ").replace("ı", "I").upper()),
    ("tr", "capitals without dots", lambda text: text.replace("ı", "I").upper()),
    ("el", "capitals without tonos", lambda text: text.lower().translate(TONOS).upper()),
    ("el", "capitals with tonos", lambda text: text.upper()),
]


def spelled(program: Path, texts: list[Text], edit: Callable[[str], str]) -> list[str] | None:
    """How texts and their other spelling are found."""
    both = [(text.text, edit(text.text)) for text in texts if len(text.tokens) >= LONG]
    both = [(one, other) for one, other in both if sd1.normalise(one) != sd1.normalise(other)][:SPELLED]
    if not both:
        return None
    rows = [
        (f"{number}{side}", text) for number, pair in enumerate(both) for side, text in zip("ab", pair, strict=True)
    ]
    wanted = [(f"{number}a", f"{number}b") for number in range(len(both))]
    shares = []
    for threshold in THRESHOLDS:
        found = pairs_found(program, rows, threshold)
        shares.append(sum(pair in found for pair in wanted) / len(wanted))
    decisions = map(json.loads, found_by(program, ["dedup"], rows).splitlines())
    dropped = {row["id"] for row in decisions if row["decision"] == "drop"}
    shares.append(sum(b in dropped or a in dropped for a, b in wanted) / len(wanted))
    compared = median(similarity(one, other) for one, other in both[:100])
    tokens = [(tokens_of(one), tokens_of(other)) for one, other in both]
    printed = median(jaccard(shingles(one), shingles(other)) for one, other in tokens)
    return [str(len(both)), f"{compared:.3f}", f"{printed:.3f}", *(f"{share:.3f}" for share in shares)]


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nearprint", type=Path, required=True)
    parser.add_argument("--rows", type=Path, help="joined pairs, to be read")
    arguments = parser.parse_args()
    sources = {source: prepared(source, texts) for source, texts in sorted(read(arguments.folder).items())}
    head = ["source", "texts", "pairs"]
    head += [
        f"{what} at {threshold}"
        for threshold in THRESHOLDS
        for what in ("similar", "spelled in two ways", "found", "joined by folds", "with other words")
    ]
    counted, listed = [], []
    for source, texts in sources.items():
        result = joins(arguments.nearprint, source, texts)
        row = [source, str(result.texts), str(result.pairs)]
        for threshold in THRESHOLDS:
            joined = result.joined[threshold]
            row += map(
                str,
                [
                    result.similar[threshold],
                    *result.changed[threshold],
                    len(joined),
                    sum(not same for *_, same in joined),
                ],
            )
            listed += [(same, source, threshold, a, b) for a, b, same in joined]
        counted.append(row)
        print(row, file=sys.stderr)
    print(table(head, counted), end="\n\n")
    edits = []
    for language, name, edit in EDITS:
        for source, texts in sources.items():
            if source.startswith(language) and (row := spelled(arguments.nearprint, texts, edit)):
                edits.append([source, name, *row])
    print(
        table(
            [
                "source",
                "other spelling",
                "texts",
                "similarity",
                "of fingerprints",
                "found at 0.3",
                "found at 0.7",
                "dropped by dedup",
            ],
            edits,
        )
    )
    if arguments.rows:
        lines = (json.dumps(row, ensure_ascii=False) for row in sorted(listed, key=lambda row: row[0]))
        arguments.rows.write_text("\n".join(lines) + "\n", encoding="utf8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
