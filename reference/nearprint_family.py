"""The schemes sl1, md1 and wd1, and the family's comparisons: sections 1, 10 and 11 of spec/SPEC.md.

One function per stage, in the order of the standard, each naming its clauses. Everything up to the tokens and their
hashes is that of sd1 (nearprint_sd1.py). A sketch is handled as one number of 2048 bits, that of its 256 bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import nearprint_custom as custom
import nearprint_idf as idf
import nearprint_sd1 as sd1

MASK, mix = custom.MASK, custom.mix
BINS = 128
NUMBER_BITS = 16
SHINGLE_FACTOR = 0x9E3779B97F4A7C15
ROUND_STEP = 0xD6E8FEB86659FD93


class Scheme(NamedTuple):
    """What tells the schemes apart once there is a fingerprint."""

    bits: int  # of a fingerprint
    place: int  # bits that are compared as one
    close: float  # least similarity of a close match
    loose: float  # least similarity of a loose match
    within: int | None  # the default distance of lookups; None: that of the loose match

    @property
    def places(self) -> int:
        """The greatest distance."""
        return self.bits // self.place


# [7.10] [10.5] [11.8] [11.10]
SCHEMES = {
    "sd1": Scheme(sd1.BITS, 1, sd1.CLOSE_SIMILARITY, sd1.LOOSE_SIMILARITY, sd1.DEFAULT_WITHIN),
    "sl1": Scheme(sd1.BITS, 1, sd1.CLOSE_SIMILARITY, sd1.LOOSE_SIMILARITY, sd1.DEFAULT_WITHIN),
    "md1": Scheme(BINS * NUMBER_BITS, NUMBER_BITS, 0.8, 0.3, None),
    "wd1": Scheme(BINS * NUMBER_BITS, NUMBER_BITS, 0.8, 0.5, None),
}


# ---------------------------------------------------------------- 10. simhash-log (sl1)


def hashes(occurrences: Iterable[str]) -> list[int]:
    """The hash of each token occurrence, in order. [10.1]"""
    return [sd1.token_hash(token.encode("utf-8")) for token in occurrences]


def features(hashed: Iterable[int]) -> Counter[int]:
    """The features and their term frequencies. [10.2]"""
    return Counter(hashed)


def weight(frequency: int) -> int:
    """The weight of a feature: the number of binary digits of its term frequency. [10.3]"""
    return frequency.bit_length()


def log_counters(hashed: Iterable[int]) -> list[int]:
    """The 64 counters of sl1, that of the least significant bit first. [10.4]"""
    totals = [0] * sd1.BITS
    for feature, frequency in features(hashed).items():
        for bit in range(sd1.BITS):
            totals[bit] += weight(frequency) if feature >> bit & 1 else -weight(frequency)
    return totals


# ---------------------------------------------------------------- 11. Sketches: the sketch of a set


def h(x: int, r: int) -> int:
    """`h(x, r)` of [11.1]."""
    return mix(x + r * ROUND_STEP & MASK)


def bin_of(hashed: int, r: int) -> int:
    """The bin into which round r puts an element of that `h(x, r)`. [11.2]"""
    return hashed >> 57 if r < BINS else r - BINS


class Sketch(NamedTuple):
    """The sketch of a set, and the number of rounds it took."""

    numbers: list[int]
    rounds: int


def sketch(elements: Iterable[int]) -> Sketch:
    """The sketch of a set that is not empty. [11.2] [11.3]"""
    distinct = set(elements)
    winners: dict[int, int] = {}  # by bin, the `h(x, r)` of the winner
    r = 0
    while len(winners) < BINS:
        put: dict[int, int] = {}  # by bin, the smallest `h(x, r)` of this round
        for element in distinct:
            hashed = h(element, r)
            into = bin_of(hashed, r)
            put[into] = min(hashed, put.get(into, hashed))
        winners = put | winners  # what an earlier round put into a bin wins
        r += 1
    return Sketch([winners[number] % (1 << NUMBER_BITS) for number in range(BINS)], r)


# ---------------------------------------------------------------- 11. Sketches: elements


def shingles(hashed: Sequence[int]) -> set[int]:
    """The elements of md1. [11.4] [11.5]"""
    if len(hashed) == 1:
        return {hashed[0]}
    if len(hashed) == 2:
        return {(hashed[0] * SHINGLE_FACTOR + hashed[1]) & MASK}
    return {
        ((one * SHINGLE_FACTOR + two) * SHINGLE_FACTOR + three) & MASK
        for one, two, three in zip(hashed, hashed[1:], hashed[2:], strict=False)
    }


def weighted(hashed: Iterable[int]) -> set[int]:
    """The elements of wd1. [11.6]"""
    return {
        (feature * SHINGLE_FACTOR + j) & MASK
        for feature, frequency in features(hashed).items()
        for j in range(1, weight(frequency) + 1)
    }


ELEMENTS = {"md1": shingles, "wd1": weighted}


# ---------------------------------------------------------------- 11. Sketches: form


def bytes_of(numbers: Iterable[int]) -> bytes:
    """The 256 bytes of a sketch. [11.8]"""
    return b"".join(number.to_bytes(2, "big") for number in numbers)


def to_string(scheme: str, value: int) -> str:
    """The string of a fingerprint. [7.6] [10.5] [11.8]"""
    return sd1.to_string(value, scheme, SCHEMES[scheme].bits)


def from_string(string: str | bytes) -> tuple[str, int]:
    """The scheme and the fingerprint that a string names, to a reader who knows the family. [7.7] [10.5] [11.8]"""
    text = sd1.repair(string) if isinstance(string, bytes) else string
    return sd1.read_string(text, {scheme: SCHEMES[scheme].bits for scheme in SCHEMES})


def to_hex(scheme: str, value: int) -> str:
    """The fingerprint as hexadecimal digits. [7.8] [11.8]"""
    return sd1.to_hex(value, SCHEMES[scheme].bits)


def from_form(scheme: str, form: str, digits: str) -> int:
    """The fingerprint that a form of exchange names, or refused. [7.8] [11.8]"""
    if form == "hex":
        return sd1.from_hex(digits, SCHEMES[scheme].bits)
    if SCHEMES[scheme].bits != sd1.BITS:
        raise sd1.RefusedError("form")  # a sketch has no decimal form
    return sd1.from_decimal(digits)


# ---------------------------------------------------------------- From tokens to fingerprint


def fingerprint_of_tokens(scheme: str, occurrences: Iterable[str]) -> sd1.Print | None:
    """The fingerprint of tokens under a scheme; none if there are none. [7.4] [10.4] [11.7]"""
    hashed = hashes(occurrences)
    if not hashed:
        return None
    if scheme in ELEMENTS:
        value = int.from_bytes(bytes_of(sketch(ELEMENTS[scheme](hashed)).numbers), "big")
    elif scheme == "sl1":
        value = sd1.bits_of(log_counters(hashed))
    else:
        return sd1.fingerprint_of_tokens(occurrences)
    return sd1.Print(value, len(hashed))


def fingerprint(scheme: str, text: str) -> sd1.Print | None:
    """The fingerprint of a text that is not repaired yet, None where it has no token."""
    done = sd1.cut(sd1.normalise(sd1.unassigned_to_space(text)))
    return fingerprint_of_tokens(scheme, list(sd1.tokens(done)))


# ---------------------------------------------------------------- Comparison


class UnlikeSchemesError(ValueError):
    """Two fingerprints of unlike schemes were to be compared. [1.1]"""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other} are unlike schemes: their fingerprints cannot be compared")
        self.schemes = [one, other]


def distance(scheme: str, one: int, other: int) -> int:
    """The number of places in which two fingerprints of a scheme differ. [7.9] [10.5] [11.9]"""
    place, places = SCHEMES[scheme].place, SCHEMES[scheme].places
    return sum((one ^ other) >> place * number & (1 << place) - 1 != 0 for number in range(places))


class Comparison(NamedTuple):
    """What can be said of two fingerprints of one scheme."""

    distance: int
    similarity: float
    match: str  # "close", else "loose", else "none"
    within_default: bool


def compare(one: str, other: str) -> Comparison:
    """Compares two fingerprints given as strings. [1.1] [7.9] [7.10] [11.9] [11.10]"""
    (scheme, first), (second_scheme, second) = from_string(one), from_string(other)
    if scheme != second_scheme:
        raise UnlikeSchemesError(scheme, second_scheme)
    rules = SCHEMES[scheme]
    apart = distance(scheme, first, second)
    alike = 1 - apart / rules.places
    match = "close" if alike >= rules.close else "loose" if alike >= rules.loose else "none"
    within = match != "none" if rules.within is None else apart <= rules.within
    return Comparison(apart, alike, match, within)


# ---------------------------------------------------------------- Every stage


def stages(record: dict[str, object]) -> dict[str, object]:
    """Every stage of a text under every scheme, which is given as `text`, `bytes_hex` or `utf16`."""
    result = sd1.stages(record)
    hashed = hashes(result["tokens"])
    result["hashes"] = [sd1.to_hex(value) for value in hashed]
    result["sl1_signs"] = sd1.signs(log_counters(hashed))
    for scheme in ("sl1", "md1", "wd1"):
        found = fingerprint_of_tokens(scheme, result["tokens"])
        result[f"{scheme}_value"] = to_hex(scheme, found.value) if found else None
        result[f"{scheme}_string"] = to_string(scheme, found.value) if found else None
    if "declarations" in record:
        declared = record["declarations"]
        result["custom"] = [custom_string(declaration, record, result) for declaration in declared]
    return result


def custom_string(declaration: str, record: dict[str, object], done: dict[str, object]) -> str | None:
    """The string of a text under a custom scheme, whose table, where it names one, the record holds."""
    scheme, table = custom.parse(declaration), {}
    if scheme.idf:
        table["idf"] = idf.table_from(bytes.fromhex(record["table_hex"])).weight
    own = scheme.whitespace or scheme.cut or not scheme.digits
    tokens = custom.tokens(scheme, done["assigned"]) if own else done["tokens"]
    found = custom.fingerprint_of_tokens(scheme, tokens, **table)
    return sd1.to_string(found.value, custom.id_of(declaration), scheme.bits) if found else None
