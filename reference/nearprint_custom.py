"""Custom schemes without tables, and seomoz-legacy: sections 13 and 14 of spec/CUSTOM.md.

One function per stage, in the order of the standard, each naming its clauses. Everything up to the tokens is that of sd1
(nearprint_sd1.py); the hash functions are in nearprint_hashes.py.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import nearprint_sd1 as sd1
from nearprint_hashes import FUNCTIONS, MASK, mix, rotate

SECOND_HALF = 0x9E3779B97F4A7C15
STOP = Path(__file__).resolve().parent.parent / "spec" / "stop"


# ---------------------------------------------------------------- 13. Custom schemes: the declaration


class Custom(NamedTuple):
    """What a declaration says. [13.1]"""

    features: str  # "words", "shingles" or "chars"
    length: int  # of shingles and characters
    weight: str
    function: str
    bits: int
    tie: int  # the bit of a counter of 0
    whitespace: bool  # what separates tokens is white space alone
    cut: bool  # further identifiers are cut
    digits: bool  # tokens keep their digits
    stop: str | None
    least: int
    idf: str | None  # the digest of a table


DIGEST = r"[a-z2-7]{25}[aeimquy4]"
DECLARATION = re.compile(
    r"custom:(?:words|shingles-([2-8])|chars-([1-9]|1[0-6])),(binary|tf|log),"
    r"(lookup3|fnv1a|murmur3|xxh3|md5-64|sha1-64|(?:fnv1a|murmur3)-32(?=,32)),(32|64|128)(,tie=1)?"
    r"(?:(,tokens=whitespace)|(,cut=identifiers))?(,digits=none)?"
    r"(?:,stop=(de|en|es|fr|" + DIGEST + r"))?(?:,min=([2-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?"
    r"(?:,idf=(" + DIGEST + r"))?",
    re.ASCII,
)


def parse(declaration: str) -> Custom | None:
    """What a declaration says, none if it is refused. [13.1]"""
    found = DECLARATION.fullmatch(declaration)
    if not found:
        return None
    shingles, chars, weight, function, bits, tie, whitespace, cut, digits, stop, least, idf = found.groups()
    features = "shingles" if shingles else "chars" if chars else "words"
    length = int(shingles or chars or 1)
    rules = int(bits), int(bool(tie)), bool(whitespace), bool(cut), not digits, stop, int(least or 1), idf
    return Custom(features, length, weight, function, *rules)


def id_of(declaration: str) -> str:
    """The id of a declaration. [13.2]"""
    digest = sd1.to_string(sd1.token_hash(declaration.encode("ascii")))
    return "custom-" + digest.partition(":")[2]


# ---------------------------------------------------------------- 13. Custom schemes: tokens and features


@functools.cache
def stop_list(language: str) -> frozenset[str]:
    """The words of a stop list. [13.3]"""
    return frozenset((STOP / f"{language}.txt").read_text("utf-8").split("\n")[:-1])


KNOWN: dict[str, frozenset[str]] = {}  # users' lists by their digests


def know_list(declaration: str, text: str) -> str | None:
    """Makes the list of a text known and gives its digest, none if it has no words. [13.13]"""
    lines = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    words = sorted(set(tokens(parse(declaration), lines)), key=str.encode)
    first = hashlib.sha256("".join(word + "\n" for word in words).encode("utf-8")).digest()[:16]
    digest = sd1.to_string(int.from_bytes(first, "big"), "", 128)[1:]
    KNOWN[digest] = frozenset(words)
    return digest if words else None


def with_list(declaration: str, digest: str) -> str:
    """A declaration without a list, with one in its place. [13.1]"""
    before, least, after = declaration.partition(",min=")
    return f"{before},stop={digest}{least}{after}"


def taken(custom: Custom, tokens: Iterable[str]) -> list[str]:
    """The tokens that take part. [13.3]"""
    stop = frozenset()
    if custom.stop:
        stop = KNOWN[custom.stop] if len(custom.stop) == 26 else stop_list(custom.stop)
    return [token for token in tokens if len(token) >= custom.least and token not in stop]


def features(custom: Custom, tokens: list[str]) -> Iterator[bytes]:
    """The features of tokens that take part, every occurrence. [13.4]"""
    parts = list(" ".join(tokens)) if custom.features == "chars" else tokens
    joint = "" if custom.features == "chars" else " "
    for start in range(max(1, len(parts) - custom.length + 1)):
        yield joint.join(parts[start : start + custom.length]).encode("utf-8")


# ---------------------------------------------------------------- 13. Custom schemes: bits


def widened(hashed: int, bits: int) -> int:
    """A feature's hash as so many bits. [13.6]"""
    if bits == 32:
        return hashed >> 32
    return hashed if bits == 64 else hashed << 64 | mix(hashed + SECOND_HALF & MASK)


WEIGHTS = {"binary": lambda _: 1, "tf": lambda times: times, "log": lambda times: times.bit_length()}


WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


# [13.14]
WORD_BEFORE = "(?<![a-z0-9])"
PART_BEFORE = "(?<![a-z0-9./_@~-])"
PART = "[a-z0-9._+~@%=-]"
WORD_AFTER = "(?![a-z0-9])"
PATTERNS = [
    WORD_BEFORE + r"(?:ark:/?|hdl:)[a-z0-9.-]{1,64}/[!-~]*",
    WORD_BEFORE + r"swh:[0-9]{1,3}:[!-~]*",
    PART_BEFORE + r"(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}(?::[0-9]{1,5})?/[!-~]*",
    PART_BEFORE + rf"(?:/{PART}{{1,255}}|~|\.{{1,2}})/\.{{0,2}}[a-z0-9_/][!-~]*",
    WORD_BEFORE + r"[a-z]:[/\\][a-z0-9_][!-~]*",
    WORD_BEFORE + "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}" + WORD_AFTER,
    WORD_BEFORE + "[0-9a-f]{32,128}" + WORD_AFTER,
    WORD_BEFORE + "(?:[0-9]{4}-){3}[0-9]{3}[0-9x]" + WORD_AFTER,
    WORD_BEFORE + "pmc[0-9]{3,10}" + WORD_AFTER,
]
IDENTIFIERS = re.compile("|".join(PATTERNS))


def without_digits(token: str) -> str:
    """A token without its digits, and without connectors at the ends of what is left. [13.15]"""
    left = [character for character in token if sd1.CLASSES.get(character) != "D"]
    connectors = {character for character in left if sd1.CLASSES.get(character) == "C"}
    return "".join(left).strip("".join(connectors))


def tokens(custom: Custom, text: str) -> list[str]:
    """The tokens of a text, before any is ignored. [13.3]"""
    normalised = sd1.normalise(sd1.unassigned_to_space(text))
    if custom.whitespace:
        found = [run for run in re.split(f"[{WHITE_SPACE}]+", normalised) if 0 < len(run) <= 128]
    else:
        cut = sd1.cut(normalised)
        found = list(sd1.tokens(IDENTIFIERS.sub(" ", cut) if custom.cut else cut))
    if custom.digits:
        return found
    return [left for left in map(without_digits, found) if left]


def fingerprint_of_tokens(
    custom: Custom, tokens: Iterable[str], idf: Callable[[int], int] = lambda _: 1
) -> sd1.Print | None:
    """The fingerprint of a document's tokens, none if none takes part. [13.3] [13.7]"""
    kept = taken(custom, tokens)
    if not kept:
        return None
    frequencies = Counter(FUNCTIONS[custom.function](feature) for feature in features(custom, kept))
    totals = [0] * custom.bits
    for hashed, times in frequencies.items():
        weight = WEIGHTS[custom.weight](times) * idf(hashed)
        pattern = widened(hashed, custom.bits)
        for bit in range(custom.bits):
            totals[bit] += weight if pattern >> bit & 1 else -weight
    return sd1.Print(sd1.bits_of([total + custom.tie for total in totals]), len(kept))


# Of each width the greatest distance of a close match and of a loose one, and the default k. [13.8]
LIMITS = {32: (0, 3, 1), 64: (1, 6, 3), 128: (2, 12, 6)}


class Comparison(NamedTuple):
    """What can be said of two fingerprints of one declaration."""

    distance: int
    similarity: float
    match: str  # "close", else "loose", else "none"
    within_default: bool


def compare(bits: int, one: int, other: int) -> Comparison:
    """Compares two fingerprints of so many bits. [13.8]"""
    close, loose, within = LIMITS[bits]
    apart = sd1.distance(one, other)
    match = "close" if apart <= close else "loose" if apart <= loose else "none"
    return Comparison(apart, 1 - apart / bits, match, apart <= within)


def fingerprint(declaration: str, text: str) -> sd1.Print | None:
    """The fingerprint of a text under a declaration without a table, none where no token takes part."""
    custom = parse(declaration)
    return fingerprint_of_tokens(custom, tokens(custom, text))


# ---------------------------------------------------------------- 14. seomoz-legacy


def legacy(text: str) -> sd1.Print | None:
    """The fingerprint of a text under seomoz-legacy, none where there is no letter. [14.1] [14.2] [14.3]"""
    runs = [sd1.token_hash(run.encode("ascii")) for run in re.findall("[A-Za-z]+", text)]
    if not runs:
        return None
    padded = [0, 0, *runs]
    windows = [
        rotate(first, 2) ^ rotate(second, 1) ^ third
        for first, second, third in zip(padded, padded[1:], runs, strict=False)
    ]
    ones = [sum(window >> bit & 1 for window in windows) for bit in range(64)]
    value = sum(1 << 63 - bit for bit, count in enumerate(ones) if count > len(windows) // 2)
    return sd1.Print(value, len(runs))
