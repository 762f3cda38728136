"""The measure of docs/MEASURE.md in plain Python: how similar two texts are, and what they are to each other.

One function per stage, in the order of the page, each naming its section. It is written to be compared with the page,
not to be fast. Text up to its tokens and their hashes is that of the standard (nearprint_sd1.py).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import nearprint_family as family
import nearprint_hashes as hashes
import nearprint_sd1 as sd1

MASK = hashes.MASK
STEP = family.SHINGLE_FACTOR
WORD_BITS, PLACE_BITS, ELEMENT_BITS = 40, 24, 32
PLACES = 3
# Sums of Jaccard and containment are doubled, so that they are whole numbers. [4]
WORDS, SHARED, CONTRADICTED, ALONE = 2, 2, 4, 1
PHRASE_SHINGLES, PHRASE_WORDS = 6, 8
THRESHOLDS = {"jaccard": 0.3, "containment": 0.8, "cosine": 0.8}

SIGNS = {sign: sign for sign in "+*/<=>^-±√≠≤≥%‰"}
SIGNS |= dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-") | dict.fromkeys("×\u2217\u22c5", "*")
SIGNS |= dict.fromkeys("÷\u2044\u2215", "/")
CURRENCY = [
    *[(0x24, 0x24), (0xA2, 0xA5), (0x58F, 0x58F), (0x60B, 0x60B), (0x7FE, 0x7FF), (0x9F2, 0x9F3), (0x9FB, 0x9FB)],
    *[(0xAF1, 0xAF1), (0xBF9, 0xBF9), (0xE3F, 0xE3F), (0x17DB, 0x17DB), (0x20A0, 0x20C0), (0xA838, 0xA838)],
    *[(0x11FDD, 0x11FE0), (0x1E2FF, 0x1E2FF), (0x1ECB0, 0x1ECB0)],
]
SIGNS |= {chr(number): chr(number) for first, last in CURRENCY for number in range(first, last + 1)}
LOOSE = {"%", "‰"} | {chr(number) for first, last in CURRENCY for number in range(first, last + 1)}
WHITE = set("\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(n) for n in range(0x2000, 0x200B)}


# ---------------------------------------------------------------- 1. Units


class Unit(NamedTuple):
    """A token, a number or a sign, in the order of the text."""

    kind: str  # "token", "number" or "sign"
    text: str
    hash: int


class Token(NamedTuple):
    """A token and where it is in the cut text."""

    start: int
    end: int
    text: str


def placed_tokens(text: str) -> Iterator[Token]:
    """The tokens of a cut text with their places. [1.1]"""
    position = 0
    for kind, run in sd1.runs(text):
        start = text.index(run, position)
        position = start + len(run)
        if kind == "pair":
            parts = [(start + at, pair) for at, pair in enumerate(sd1.pairs(run))]
        else:
            word = sd1.trim(run)
            parts = [(text.index(word, start), word)] if 0 < len(word) <= sd1.MAX_WORD else []
        yield from (Token(at, at + len(part), part) for at, part in parts if sd1.has_letter(part))


def digit_value(character: str) -> int:
    """The value of a decimal digit of any script: its distance from the first of its row, modulo 10. [1.2]"""
    number = ord(character)
    first = number
    while sd1.CLASSES.get(chr(first - 1)) == "D":
        first -= 1
    return (number - first) % 10


def running_hash(values: Iterable[int]) -> int:
    """The hash of a number's digits or of a sign's code points. [1.5]"""
    total = 0
    for value in values:
        total = (total + value + 1) * STEP & MASK
    return hashes.mix(total)


def kind_of(character: str) -> str:
    """What a code point between tokens is. [1.2]"""
    if sd1.CLASSES.get(character) == "D":
        return "number"
    if character in SIGNS:
        return "sign"
    return "blank" if character in WHITE else "other"


def items_between(text: str) -> Iterator[tuple[str, str]]:
    """Maximal runs of one kind between two tokens. [1.2]"""
    run = ""
    for character in text:
        if run and kind_of(run[-1]) != kind_of(character):
            yield kind_of(run[-1]), run
            run = ""
        run += character
    if run:
        yield kind_of(run[-1]), run


def is_operand(item: tuple[str, str]) -> bool:
    """Whether a sign can belong to it: a number, or a token of one code point. [1.4]"""
    kind, text = item
    return kind == "number" or (kind == "token" and len(text) == 1)


def operand(items: Sequence[tuple[str, str]], at: int, step: int) -> str:
    """How near an operand is on one side of a sign. [1.4]"""
    distance = "touching"
    at += step
    if 0 <= at < len(items) and items[at][0] == "blank":
        distance = "near"
        at += step
    return distance if 0 <= at < len(items) and is_operand(items[at]) else "none"


def counts(items: Sequence[tuple[str, str]], at: int) -> bool:
    """Whether adjacent signs are a unit. [1.4]"""
    sides = {operand(items, at, -1), operand(items, at, 1)}
    if any(sign in LOOSE for sign in items[at][1]):
        return sides != {"none"}
    return "touching" in sides or sides == {"near"}


def units(text: str) -> list[Unit]:
    """The units of a text. [1]"""
    done = sd1.cut(sd1.normalise(sd1.unassigned_to_space(text)))
    items: list[tuple[str, str]] = []
    end = 0
    for token in placed_tokens(done):
        items += items_between(done[end : token.start])
        items.append(("token", token.text))
        end = token.end
    items += items_between(done[end:])
    found = []
    for at, (kind, run) in enumerate(items):
        if kind == "token":
            found.append(Unit(kind, run, sd1.token_hash(run.encode("utf-8"))))
        elif kind == "number":
            values = [digit_value(character) for character in run]
            found.append(Unit(kind, "".join(map(str, values)), running_hash(values)))
        elif kind == "sign" and counts(items, at):
            signs = "".join(SIGNS[character] for character in run)
            found.append(Unit(kind, signs, running_hash(map(ord, signs))))
    return found


# ---------------------------------------------------------------- 2. Features


class Features(NamedTuple):
    """What of a text is compared."""

    words: dict[int, int]  # the hash of each shingle (or word) and its weight
    elements: dict[int, set[int]]  # by place, the elements that are there; for the cosine by number, {number}
    weights: dict[int, int]  # of numbers and signs, for the cosine only


def join(one: int, two: int, three: int) -> int:
    """As a shingle of three is made, SPEC [11.4]. [2.2]"""
    return ((one * STEP + two) * STEP + three) & MASK


def low(value: int, bits: int) -> int:
    """The least significant bits."""
    return value & ((1 << bits) - 1)


def shingle_features(found: Sequence[Unit]) -> Features:
    """The features of Jaccard and containment. [2.1] [2.2]"""
    tokens = [unit.hash for unit in found if unit.kind == "token"]
    words = {low(shingle, WORD_BITS): 1 for shingle in family.shingles(tokens)} if tokens else {}
    elements: dict[int, set[int]] = {}
    before, last_words, since = [0, 0], [0, 0], 0
    for unit in found:
        if unit.kind == "token":
            last_words = [last_words[1], unit.hash]
            since = 0
        else:
            place = low(join(*last_words, min(since, PLACES)), PLACE_BITS)
            elements.setdefault(place, set()).add(low(join(*before, unit.hash), ELEMENT_BITS))
            since += 1
        before = [before[1], unit.hash]
    return Features(words, elements, {})


def word_features(found: Sequence[Unit]) -> Features:
    """The features of the cosine. [2.3]"""
    times = Counter(low(unit.hash, WORD_BITS) for unit in found if unit.kind == "token")
    numbers = Counter(low(unit.hash, WORD_BITS) for unit in found if unit.kind != "token")
    weigh = family.weight
    return Features({h: weigh(n) for h, n in times.items()}, {}, {h: weigh(n) for h, n in numbers.items()})


def features(text: str, measure: str) -> Features:
    """What of a text a measure compares. [2]"""
    return (word_features if measure == "cosine" else shingle_features)(units(text))


# ---------------------------------------------------------------- 3. and 4. Overlap and weights


class Overlap(NamedTuple):
    """What the measures need of two documents. [3]"""

    lesser: int
    product: int
    sums: tuple[int, int]
    squares: tuple[int, int]

    def without(self, shared: int) -> Overlap:
        """What is left without some shared features of weight 1, or without all. [5]"""
        out = min(shared, self.lesser)
        (a, b), (aa, bb) = self.sums, self.squares
        return Overlap(self.lesser - out, self.product - out, (a - out, b - out), (aa - out, bb - out))


def overlap(pairs: Iterable[tuple[int, int]]) -> Overlap:
    """Of features, each with its weight in both documents, 0 where it is not. [3]"""
    pairs = list(pairs)
    return Overlap(
        sum(min(a, b) for a, b in pairs),
        sum(a * b for a, b in pairs),
        (sum(a for a, _ in pairs), sum(b for _, b in pairs)),
        (sum(a * a for a, _ in pairs), sum(b * b for _, b in pairs)),
    )


def word_pairs(a: dict[int, int], b: dict[int, int]) -> list[tuple[int, int]]:
    """The weights of all features of either."""
    return [(a.get(feature, 0), b.get(feature, 0)) for feature in a.keys() | b.keys()]


def element_pairs(a: Features, b: Features) -> Iterator[tuple[int, int]]:
    """The weights of all elements of either, by what the other has in their places. [4]"""
    for place in a.elements.keys() | b.elements.keys():
        ours, theirs = a.elements.get(place, set()), b.elements.get(place, set())
        single = CONTRADICTED if ours and theirs else ALONE
        for element in ours | theirs:
            if element in ours and element in theirs:
                yield SHARED, SHARED
            else:
                yield (single, 0) if element in ours else (0, single)


def overlaps(a: Features, b: Features, measure: str) -> tuple[Overlap, Overlap]:
    """Of the words alone, and of words and numbers together. [3] [4]"""
    words = word_pairs(a.words, b.words)
    if measure == "cosine":
        return overlap(words), overlap([*words, *word_pairs(a.weights, b.weights)])
    if not a.elements and not b.elements:
        return overlap(words), overlap(words)
    together = [*((WORDS * one, WORDS * other) for one, other in words), *element_pairs(a, b)]
    return overlap(words), overlap(together)


# ---------------------------------------------------------------- 3. Similarity


def of_overlap(found: Overlap, measure: str) -> float:
    """The similarity of an overlap. [3]"""
    a, b = found.sums
    if measure == "jaccard":
        part, whole = float(found.lesser), float(a + b - found.lesser)
    elif measure == "containment":
        part, whole = float(found.lesser), float(min(a, b))
    else:
        part, whole = float(found.product), math.sqrt(float(found.squares[0]) * float(found.squares[1]))
    return part / whole if whole > 0 else 0.0


def similarity(a: Features, b: Features, measure: str) -> float:
    """How similar two texts are: the lesser of both. [3]"""
    return min(of_overlap(found, measure) for found in overlaps(a, b, measure))


# ---------------------------------------------------------------- 5. Evidence


def is_evidence(a: Features, b: Features, measure: str, at_least: float) -> bool:
    """Whether a pair stays at the threshold without a phrase of eight words. [5]"""
    words, together = overlaps(a, b, measure)
    phrase = PHRASE_WORDS if measure == "cosine" else PHRASE_SHINGLES
    doubled = WORDS if measure != "cosine" and words != together else 1
    left = min(
        of_overlap(words.without(phrase), measure),
        of_overlap(together.without(phrase * doubled), measure),
    )
    return left >= at_least or a.words == b.words


def is_match(a: Features, b: Features, measure: str, at_least: float) -> bool:
    """Whether a pair is reported. [5]"""
    return similarity(a, b, measure) >= at_least and is_evidence(a, b, measure, at_least)


# ---------------------------------------------------------------- 6. What two texts are to each other


def identity(text: str) -> tuple[str, list[str]]:
    """What identical texts, and texts of the same words, have in common. [6]"""
    normalised = sd1.normalise(sd1.unassigned_to_space(text))
    parts = "".join(" " if character in WHITE else character for character in normalised).split(" ")
    return " ".join(part for part in parts if part), list(sd1.tokens(sd1.cut(normalised)))


def grade(a: str, b: str, measure: str, at_least: float) -> str:
    """`identical`, `same-words`, `near` or `different`. [6]"""
    (text, words), (other_text, other_words) = identity(a), identity(b)
    if text == other_text:
        return "identical"
    if words == other_words:
        return "same-words"
    return "near" if is_match(features(a, measure), features(b, measure), measure, at_least) else "different"
