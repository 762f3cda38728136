"""The measure of docs/MEASURE.md in plain Python: how similar two texts are, and what they are to each other.

One function per stage, in the order of the page, each naming its section. It is written to be compared with the page,
not to be fast. Text up to its tokens and their hashes is that of the standard (nearprint_sd1.py).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import nearprint_family as family
import nearprint_hashes as hashes
import nearprint_sd1 as sd1

MASK = hashes.MASK
STEP = family.SHINGLE_FACTOR
WORD_BITS = 40
PLACE_BITS, WHOLE_BITS, OWN_BITS, KIND_BITS = 24, 20, 16, 4
PLACES = 3
RESIDUE_PLACE, NAME_PLACE = 4, 8
KINDS = ["number", "date", "sign", "operator", "suffix", "address", "picture", "exponent", "name"]
# Sums of Jaccard and containment are doubled, so that they are whole numbers. [4]
WORDS, SHARED, CONTRADICTED, ALONE = 2, 2, 4, 1
WEIGHTLESS = {"operator", "address", "name"}  # where one text alone has them
CONTRADICTING_ALONE = {"sign", "suffix"}  # [7.1]
MOST_OF_UNEQUAL = 0.9999
PHRASE_SHINGLES, PHRASE_WORDS = 6, 8
LONG, PER_CONTRADICTION = 300, {False: (100, 0), True: (20, 240)}  # by whether the shorter text is long [7.2]
PER_REPLACED, PER_LOST, MONTH = 50, 10, 3
PER_LOST_ELEMENT, DATES, PER_DATE = 5, 10, 20
NAMED = {"operator": "sign", "suffix": "sign"}  # as rows call them
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
ARITHMETIC = set(SIGNS.values())
SYMBOLS = "#&|!~\u2032▲△▼▽" + "".join(map(chr, range(0x2190, 0x2300)))
SIGNS = {sign: sign for sign in SYMBOLS} | SIGNS
CLOSERS = set(")]}\"'")  # an operator stands behind these as behind what they close
DRAWING = 4  # adjacent signs from which on they are drawing
PICTURES = [
    *[(0x2600, 0x26FF), (0x2705, 0x2705), (0x2713, 0x2718), (0x274C, 0x274C), (0x274E, 0x274E), (0x2763, 0x2764)],
    *[(0x2B50, 0x2B50), (0x1F1E6, 0x1F1FF), (0x1F300, 0x1FAFF)],
]
PICTURES = {chr(number) for first, last in PICTURES for number in range(first, last + 1)}
# Digits that stand apart from digits before them, by what they become; of fractions only the first digit does.
APART = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅟↉"
PRIVATE, ADDRESS = 0xE010, "\ue000"  # stand for digits apart and for addresses; in no text of the cases
ENDS = set(".,;:!?'\")]}>/")  # at the end of an address they are none of it
NAME = re.compile(r"[A-Za-z0-9_]+")
NAME_MARK = re.compile(r"_|[a-z][A-Z]")
LONGEST_NAME = 64
MONTH_LETTERS = 3
GROUPS = {".", ",", "'"}  # between numbers that are one
SECONDS = {"s", "sec", "secs", "second", "seconds"}
# Spellings that one word has. [1.6]
UNWRITTEN = {0x640, 0x670, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7, *range(0x64B, 0x653), *range(0x591, 0x5BE)}
SPELLING = dict.fromkeys(UNWRITTEN) | str.maketrans("άέήίόύώΐΰ", "αεηιουωϊϋ")
WHITE = set("\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(n) for n in range(0x2000, 0x200B)}


# ---------------------------------------------------------------- 1. Units


class Unit(NamedTuple):
    """A token or an element, in the order of the text."""

    kind: str  # "token" or one of KINDS
    text: str
    hash: int
    place: int = 0  # of a name, which has its own
    followers: int = 0  # of the first number of a group, how many of the group follow it


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
    if character == ADDRESS:
        return "address"
    if character in SIGNS:
        return "sign"
    if character in PICTURES:
        return "picture"
    return "blank" if character in WHITE else "other"


class Item(NamedTuple):
    """A token, or a maximal run of one kind between two tokens."""

    kind: str
    text: str


def items_between(text: str, start: int, end: int, apart: set[int], addresses: dict[int, str]) -> Iterator[Item]:
    """Maximal runs of one kind between two tokens. [1.2]"""

    def kind_at(at: int) -> str:
        if sd1.CLASSES.get(text[at]) == "D":
            is_numerator = text[at + 1 : at + 2] == "\u2044"
            return "exponent" if at in apart and not is_numerator else "number"
        return kind_of(text[at])

    def ends_before(at: int, begun: int) -> bool:
        kind = kind_at(begun)
        begins = kind in OPERANDS and (at in apart) != (begun in apart)
        return kind_at(at) != kind or begins or kind == "other"

    at = start
    while at < end:
        begun = at
        at += 1
        while at < end and not ends_before(at, begun):
            at += 1
        kind = kind_at(begun)
        yield Item(kind, addresses[begun] if kind == "address" else text[begun:at])


OPERANDS = {"number", "exponent"}


def neighbour(items: Sequence[Item], at: int, step: int) -> tuple[str, Item | None]:
    """How near the next item is on one side of a sign, beyond white space, and which it is. [1.4]"""
    distance = "touching"
    at += step
    if 0 <= at < len(items) and items[at].kind == "blank":
        distance = "near"
        at += step
    return distance, items[at] if 0 <= at < len(items) else None


def operand(items: Sequence[Item], at: int, step: int) -> str:
    """How near an operand is: a number, or a token of one code point. [1.4]"""
    distance, item = neighbour(items, at, step)
    is_one = item and (item.kind in OPERANDS or (item.kind == "token" and len(item.text) == 1))
    return distance if is_one else "none"


def word(items: Sequence[Item], at: int, step: int) -> str:
    """How near any token or number is; on the left, in the same line. [1.7]"""
    if step > 0:
        distance, item = neighbour(items, at, step)
    else:
        distance, beside = "touching", at - 1
        while beside >= 0 and (items[beside].kind == "blank" or items[beside].text in CLOSERS):
            if "\n" in items[beside].text:
                return "none"
            distance, beside = "near", beside - 1
        item = items[beside] if beside >= 0 else None
    return distance if item and (item.kind in OPERANDS or item.kind == "token") else "none"


def begins_line(items: Sequence[Item], at: int) -> bool:
    """Whether nothing but white space stands before a sign in its line. [1.7]"""
    return at == 0 or (items[at - 1].kind == "blank" and (at == 1 or "\n" in items[at - 1].text))


def kind_of_sign(items: Sequence[Item], at: int) -> str | None:
    """Whether adjacent signs are a unit, and of which kind. [1.4] [1.7]"""
    signs = [SIGNS[character] for character in items[at].text]
    if any(sign in ARITHMETIC for sign in signs):
        sides = {operand(items, at, -1), operand(items, at, 1)}
        is_loose = any(sign in LOOSE for sign in signs)
        if (is_loose and sides != {"none"}) or (not is_loose and ("touching" in sides or sides == {"near"})):
            return "sign"
    if begins_line(items, at) or len(signs) >= DRAWING:
        return None
    left, right = word(items, at, -1), word(items, at, 1)
    if left == "touching" and right == "touching":
        return None if set(signs) <= set("-/&") else "operator"
    if left == "touching":
        if set(signs) <= set("#+"):
            return "suffix"
        return None if set(signs) == {"!"} else "operator"
    return "operator" if right == "touching" or left == right == "near" else None


def sign_values(run: str) -> list[str]:
    """The code points of adjacent signs as they count: leading dashes are one. [1.5]"""
    values: list[str] = []
    for character in run:
        if not (values == ["-"] and SIGNS[character] == "-"):
            values.append(SIGNS[character])
    return values


def address_values(address: str) -> bytes:
    """The bytes of an address as they count. [1.7]"""
    data = address.encode("ascii")
    for scheme in (b"http://", b"https://"):
        data = data.removeprefix(scheme) if data.startswith(scheme) else data
    return data.rstrip("".join(sorted(ENDS)).encode("ascii"))


def names(text: str) -> Iterator[Unit]:
    """The names of program code in a text as it was written. [1.8]"""
    for match in NAME.finditer(text):
        name = match.group().strip("_")
        if 0 < len(name) <= LONGEST_NAME and NAME_MARK.search(name):
            lower = running_hash(name.lower().encode())
            yield Unit("name", name, running_hash(name.encode()), lower)


def apart_marked(text: str) -> str:
    """A text in which private code points stand for digits apart."""
    marked = []
    for character in text:
        if character in APART:
            marked.append(chr(PRIVATE + int(APART[character])))
        elif character in FRACTIONS:
            first, *rest = unicodedata.normalize("NFKC", character)
            marked += [chr(PRIVATE + int(first)), *rest]
        else:
            marked.append(character)
    return "".join(marked)


def folded(token: str) -> str:
    """A token without what spellings differ in. [1.6]"""
    return token.translate(SPELLING) or token


def may_name_month(words: Sequence[str]) -> bool:
    """Whether the tokens between two numbers may be the name of a month. [1.9]"""
    if len(words) == 3:
        return folded(words[0]) == folded(words[2])
    return not words or (len(words) == 1 and len(words[0]) >= MONTH_LETTERS)


def dates(numbers: list[tuple[str, str, list[str]]]) -> int:
    """How many of the last numbers are a date or time by the last one: each with its joint and the words before it. [1.9]"""
    (first, _, _), (middle, middle_joint, _), (last, joint, words) = ([("", "", [])] * 3 + numbers)[-3:]

    def within(number: str, least: int, most: int) -> bool:
        return 0 < len(number) <= 2 and least <= int(number) <= most

    def is_year(number: str) -> bool:
        return len(number) == 4 and 1900 <= int(number) <= 2100

    if joint == ":":
        if len(last) == 2 and within(last, 0, 59) and within(middle, 0, 59):
            return 3 if middle_joint == ":" else 2
        return 0
    if joint and joint in "-./":
        begins = is_year(first) and within(middle, 1, 12) and within(last, 1, 31)
        ends = is_year(last) and within(first, 1, 31) and within(middle, 1, 31)
        return 3 if middle_joint == joint and (begins or ends) else 0
    return 2 if not joint and may_name_month(words) and is_year(last) and within(middle, 1, 31) else 0


def units(text: str) -> list[Unit]:
    """The units of a text. [1]"""
    normalised = sd1.normalise(apart_marked(sd1.unassigned_to_space(text)))
    digits = {chr(PRIVATE + value): str(value) for value in range(10)}
    apart = {at for at, character in enumerate(normalised) if character in digits}
    normalised = "".join(digits.get(character, character) for character in normalised)
    addresses = {match.start(): match.group() for match in sd1.CUT.finditer(normalised)}
    done = sd1.CUT.sub(lambda match: ADDRESS * len(match.group()), normalised)
    items: list[Item] = []
    end = 0
    for token in placed_tokens(done):
        items += items_between(done, end, token.start, apart, addresses)
        items.append(Item("token", token.text))
        end = max(end, token.end)
    items += items_between(done, end, len(done), apart, addresses)
    return [*units_of(items), *names(text)]


def units_of(items: Sequence[Item]) -> list[Unit]:
    """The units of items. [1]"""
    found: list[Unit] = []
    numbers: list[tuple[str, str, list[str]]] = []
    words: list[str] = []
    since, joint, group = 0, "none", 0

    def mark(count: int) -> None:
        places = [at for at, unit in enumerate(found) if unit.kind in ("number", "date")]
        for at in places[len(places) - count :] if count else []:
            found[at] = found[at]._replace(kind="date")

    for at, (kind, run) in enumerate(items):
        if kind == "token":
            # A word after a fraction below 1 makes it a time.
            if since and run in SECONDS and len(numbers) > 1 and numbers[-1][1] == "." and numbers[-2][0] == "0":
                mark(2)
            found.append(Unit(kind, run, sd1.token_hash(folded(run).encode("utf-8"))))
            words, since, joint = [*words[-3:], run], 0, "none"
        elif kind == "number":
            values = [digit_value(character) for character in run]
            written = "".join(map(str, values))
            if joint in GROUPS:
                found[group] = found[group]._replace(followers=found[group].followers + 1)
            else:
                group = len(found)
            found.append(Unit(kind, written, running_hash(values)))
            numbers.append((written, joint if len(joint) == 1 else "", words))
            mark(dates(numbers))
            words, since, joint = [], since + 1, ""
        elif kind == "exponent":
            values = [digit_value(character) for character in run]
            found.append(Unit(kind, "".join(map(str, values)), running_hash(values)))
            joint = "none"
        elif kind == "sign":
            sign = kind_of_sign(items, at)
            values = sign_values(run)
            if sign:
                found.append(Unit(sign, "".join(values), running_hash(map(ord, values))))
                since += sign == "sign"
            joint = run if joint == "" and len(run) == 1 and run.isascii() else "none"
        elif kind == "address":
            values = address_values(run)
            if values:
                found.append(Unit(kind, run, running_hash(values)))
            joint = "none"
        elif kind == "picture":
            found.append(Unit(kind, run, running_hash(map(ord, run))))
            joint = "none"
        else:
            is_joint = kind == "other" and joint == "" and len(run) == 1 and run.isascii()
            joint = run if is_joint else "none"
    return found


# ---------------------------------------------------------------- 2. Features


class Features(NamedTuple):
    """What of a text is compared."""

    words: dict[int, int]  # the hash of each shingle (or word) and its weight
    elements: dict[int, set[int]]  # by place, the elements that are there, whole; not for the cosine
    weights: dict[int, int]  # of elements, for the cosine only
    text: str  # by which identical texts are known


def join(one: int, two: int, three: int) -> int:
    """As a shingle of three is made, SPEC [11.4]. [2.2]"""
    return ((one * STEP + two) * STEP + three) & MASK


def low(value: int, bits: int) -> int:
    """The least significant bits."""
    return value & ((1 << bits) - 1)


def packed(unit: Unit, place: int, whole: int) -> int:
    """What is kept of an element. [2.2]"""
    kept = low(place, PLACE_BITS) << WHOLE_BITS | low(whole, WHOLE_BITS)
    own = unit.hash + unit.followers * STEP
    return (kept << OWN_BITS | low(own, OWN_BITS)) << KIND_BITS | KINDS.index(unit.kind)


def shingle_features(found: Sequence[Unit], text: str) -> Features:
    """The features of Jaccard and containment. [2.1] [2.2]"""
    tokens = [unit.hash for unit in found if unit.kind == "token"]
    words = {low(shingle, WORD_BITS): 1 for shingle in family.shingles(tokens)} if tokens else {}
    elements: dict[int, set[int]] = {}
    before, last_words, since, residues = [0, 0], [0, 0], 0, 0
    for unit in found:
        if unit.kind == "token":
            last_words = [last_words[1], unit.hash]
            since = residues = 0
        elif unit.kind in ("number", "date", "sign"):
            place, whole = join(*last_words, min(since, PLACES)), join(*before, unit.hash)
            since += 1
        elif unit.kind == "name":
            place, whole = (unit.place * STEP + NAME_PLACE) & MASK, unit.hash
        else:
            place, whole = join(*last_words, RESIDUE_PLACE + min(residues, PLACES)), unit.hash
            residues += 1
        if unit.kind != "token":
            elements.setdefault(low(place, PLACE_BITS), set()).add(packed(unit, place, whole))
        if unit.kind in ("token", "number", "date", "sign"):
            before = [before[1], unit.hash]
    return Features(words, elements, {}, identity(text)[0])


def word_features(found: Sequence[Unit], text: str) -> Features:
    """The features of the cosine. [2.3]"""
    times = Counter(low(unit.hash, WORD_BITS) for unit in found if unit.kind == "token")
    counted = (unit for unit in found if unit.kind != "token" and unit.kind not in WEIGHTLESS)
    numbers = Counter(low(unit.hash, WORD_BITS) for unit in counted)
    weigh = family.weight
    weights = {h: weigh(n) for h, n in numbers.items()}
    return Features({h: weigh(n) for h, n in times.items()}, {}, weights, identity(text)[0])


def features(text: str, measure: str) -> Features:
    """What of a text a measure compares. [2]"""
    return (word_features if measure == "cosine" else shingle_features)(units(text), text)


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
        contradicts = ours - theirs and theirs - ours
        for element in ours | theirs:
            alone = 0 if KINDS[low(element, KIND_BITS)] in WEIGHTLESS else ALONE
            single = CONTRADICTED if contradicts else alone
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
    """How similar two texts are: the lesser of both, and 1 only of identical texts. [3]"""
    least = min(of_overlap(found, measure) for found in overlaps(a, b, measure))
    return least if measure == "containment" or a.text == b.text else min(least, MOST_OF_UNEQUAL)


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


def layout(text: str) -> str:
    """A text in the form by which identical texts are known. [6.2]"""
    lines = re.split("\r\n|\n|\r", text.removeprefix("\ufeff"))
    blank = "".join(sorted(WHITE))
    lines = [unicodedata.normalize("NFC", line.rstrip(blank)) for line in lines]
    plain = ["".join(" " if c in WHITE and c >= "\x80" else c for c in line) for line in lines]
    return "\n".join(plain).rstrip("\n")


def identity(text: str) -> tuple[str, list[str]]:
    """What identical texts, and texts of the same words, have in common. [6]"""
    normalised = sd1.normalise(sd1.unassigned_to_space(text))
    return layout(text), list(sd1.tokens(sd1.cut(normalised)))


def grade(a: str, b: str, measure: str, at_least: float) -> str:
    """`identical`, `same-words`, `near` or `different`. [6]"""
    (text, words), (other_text, other_words) = identity(a), identity(b)
    if text == other_text:
        return "identical"
    if words == other_words:
        return "same-words"
    return "near" if is_match(features(a, measure), features(b, measure), measure, at_least) else "different"


# ---------------------------------------------------------------- 7. What contradicts


def unmatched(ours: set[int], theirs: set[int]) -> list[str]:
    """The kinds of the elements of one text in a place that the other does not have there, in their order. [7.1]"""

    def own(element: int) -> int:
        return low(element >> KIND_BITS, OWN_BITS)

    others = {own(element) for element in theirs}
    missing = sorted((own(element), low(element, KIND_BITS)) for element in ours if own(element) not in others)
    # Each once, of its least kind.
    return [KINDS[kind] for kind in sorted(dict(reversed(missing)).values())]


def contradictions(a: Features, b: Features) -> tuple[Counter[str], bool, list[str]]:
    """Contradictions by kind, whether a date is only in one of the texts, and what the second has alone. [7.1]"""
    found: Counter[str] = Counter()
    more: list[str] = []
    dates = False
    for place in a.elements.keys() | b.elements.keys():
        ours, theirs = a.elements.get(place, set()), b.elements.get(place, set())
        one, other = unmatched(ours, theirs), unmatched(theirs, ours)
        dates |= "date" in one + other
        found.update(min(pair, key=KINDS.index) for pair in zip(one, other, strict=False))
        both = min(len(one), len(other))
        if min(len(a.words), len(b.words)) < LONG:
            found.update(kind for kind in one[both:] + other[both:] if kind in CONTRADICTING_ALONE)
        more += [kind for kind in other[both:] if kind not in WEIGHTLESS | CONTRADICTING_ALONE | {"date"}]
    return found, dates, more


def contradiction(kept: Features, dropped: Features) -> str | None:
    """What contradicts where `careful` keeps both texts, as rows name it. [7.2]"""
    found, dates, more = contradictions(kept, dropped)
    month = MONTH if dates else 0
    alone = [len(one.words.keys() - other.words.keys()) for one, other in ((kept, dropped), (dropped, kept))]
    shorter, replaced = min(len(kept.words), len(dropped.words)), min(alone)
    is_replaced = PER_REPLACED * max(replaced - month, 0) > shorter
    is_lost = PER_LOST * max(alone[1] - month, 0) > len(dropped.words)
    counted = found.total() - found["date"]
    is_fuller = PER_LOST_ELEMENT * len(more) > len(dropped.words)
    is_other_time = found["date"] > DATES and PER_DATE * found["date"] > shorter
    per, more_than = PER_CONTRADICTION[shorter >= LONG]
    is_contradicted = per * counted > shorter - more_than
    if not (is_replaced or is_lost or is_fuller or is_other_time or is_contradicted):
        return None
    named: Counter[str] = Counter()
    for kind in KINDS:
        named[NAMED.get(kind, kind)] += found[kind]
    named["word"] = -(-replaced // 3) if is_replaced else 0
    named["more word"] = max(alone[1] - replaced, 1) if is_lost and not is_replaced else 0
    least = min(more, key=KINDS.index, default="number")
    named[f"more {NAMED.get(least, least)}"] = len(more) if is_fuller else 0
    plural = {"address": "addresses"}
    return ", ".join(f"{n} {kind if n == 1 else plural.get(kind, kind + 's')}" for kind, n in named.items() if n)
