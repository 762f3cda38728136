"""The scheme sd1 in plain Python: sections 2 to 7 of spec/SPEC.md.

One function per stage, in the order of the standard, each naming its clauses. It is written to be compared with the
text, not to be fast, and needs nothing but Python 3.11 or later and the tables in spec/tables: no Unicode data of Python
is used. The other schemes are in nearprint_family.py, the command line is nearprint_reference.py.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

TABLES = Path(__file__).resolve().parent.parent / "spec" / "tables"
SCHEME = "sd1"
BITS = 64
MASK = 0xFFFFFFFF
MAX_NON_STARTERS = 30
MAX_WORD = 128
SHORT_BELOW = 50
CLOSE_SIMILARITY = 0.98
LOOSE_SIMILARITY = 0.90
DEFAULT_WITHIN = 3
BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


# ---------------------------------------------------------------- 2. Unicode data


def read_table(name: str) -> list[str]:
    """The lines of a table, whose digest must be the one in DIGESTS. [2.2]"""
    content = (TABLES / name).read_bytes()
    listed = dict(reversed(line.split()) for line in (TABLES / "DIGESTS").read_text("ascii").splitlines())
    if hashlib.sha256(content).hexdigest() != listed[name]:
        raise ValueError(f"{name} is not the table of the standard: its SHA-256 digest is not the one in DIGESTS")
    return content.decode("ascii").splitlines()


def read_ranges(name: str) -> Iterator[tuple[str, str]]:
    """Each code point of a table of ranges, with what stands behind the semicolon. [2.2]"""
    for line in read_table(name):
        numbers, _, value = line.partition(";")
        first, last = numbers.split("..")
        for number in range(int(first, 16), int(last, 16) + 1):
            yield chr(number), value


def read_fold() -> dict[str, str]:
    """The folding map. [2.2]"""
    entries = (line.split(";") for line in read_table("fold.txt"))
    return {chr(int(of, 16)): "".join(chr(int(number, 16)) for number in to.split()) for of, to in entries}


class Normal(NamedTuple):
    """What normalisation knows of a code point. [2.2]"""

    combining: int  # the canonical combining class
    mapping: str  # the canonical decomposition, one step; empty: itself
    composes: bool  # whether the mapping composes to it


def read_normal() -> dict[str, Normal]:
    """The code points that have a combining class or a decomposition. [2.2]"""
    entries = (line.split(";") for line in read_table("normal.txt"))
    return {
        chr(int(of, 16)): Normal(int(combining), "".join(chr(int(n, 16)) for n in to.split()), composes == "=")
        for of, combining, to, composes in entries
    }


# The data of Unicode 14.0.0. [2.1]
ASSIGNED = {character for character, _ in read_ranges("assigned.txt")}
FOLD = read_fold()
CLASSES = dict(read_ranges("classes.txt"))
NORMAL = read_normal()
STARTER = Normal(0, "", composes=False)
COMPOSITES = {normal.mapping: character for character, normal in NORMAL.items() if normal.composes}


def combining(character: str) -> int:
    """The canonical combining class. [2.2]"""
    return NORMAL.get(character, STARTER).combining


def is_non_starter(character: str) -> bool:
    """Whether the canonical combining class is not 0. [2.3]"""
    return combining(character) != 0


@functools.cache
def mapped(character: str) -> str:
    """The full canonical decomposition of a code point; of a syllable of Hangul by arithmetic. [2.4]"""
    syllable = ord(character) - 0xAC00
    if 0 <= syllable < 11172:
        leading, rest = divmod(syllable, 588)
        vowel, trailing = divmod(rest, 28)
        return chr(0x1100 + leading) + chr(0x1161 + vowel) + (chr(0x11A7 + trailing) if trailing else "")
    mapping = NORMAL.get(character, STARTER).mapping
    return "".join(map(mapped, mapping)) if mapping else character


def composed(first: str, second: str) -> str | None:
    """The code point to which two compose. [2.4]"""
    leading, vowel = ord(first) - 0x1100, ord(second) - 0x1161
    if 0 <= leading < 19 and 0 <= vowel < 21:
        return chr(0xAC00 + (leading * 21 + vowel) * 28)
    syllable, trailing = ord(first) - 0xAC00, ord(second) - 0x11A7
    if 0 <= syllable < 11172 and syllable % 28 == 0 and 0 < trailing < 28:
        return chr(ord(first) + trailing)
    return COMPOSITES.get(first + second)


# ---------------------------------------------------------------- 3. Text


def repair(data: bytes) -> str:
    """Decodes UTF-8; each maximal subpart of an ill-formed sequence becomes U+FFFD. [3.1]"""
    text: list[str] = []
    needed = seen = number = 0  # continuation bytes needed and seen, and the number so far
    low, high = 0x80, 0xBF  # the range of the next continuation byte
    position = 0
    while position < len(data):
        byte = data[position]
        if needed:
            if not low <= byte <= high:
                text.append("\ufffd")  # what began before; this byte is looked at again as a first one
                needed = seen = 0
                low, high = 0x80, 0xBF
                continue
            low, high = 0x80, 0xBF
            number = number << 6 | byte & 0x3F
            seen += 1
            if seen == needed:
                text.append(chr(number))
                needed = seen = 0
        elif byte <= 0x7F:
            text.append(chr(byte))
        elif 0xC2 <= byte <= 0xDF:
            needed, number = 1, byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            needed, number = 2, byte & 0x0F
            low = 0xA0 if byte == 0xE0 else 0x80  # no overlong forms
            high = 0x9F if byte == 0xED else 0xBF  # no surrogates
        elif 0xF0 <= byte <= 0xF4:
            needed, number = 3, byte & 0x07
            low = 0x90 if byte == 0xF0 else 0x80  # no overlong forms
            high = 0x8F if byte == 0xF4 else 0xBF  # nothing above U+10FFFF
        else:
            text.append("\ufffd")
        position += 1
    if needed:
        text.append("\ufffd")
    return "".join(text)


def from_utf16(units: Iterable[int]) -> str:
    """The code points of UTF-16 code units; surrogates without a partner stay, for the next stage. [3.2]"""
    data = b"".join(unit.to_bytes(2, "little") for unit in units)
    return data.decode("utf-16-le", "surrogatepass")


def unassigned_to_space(text: str) -> str:
    """Replaces unassigned code points, noncharacters and lone surrogates by U+0020. [3.2]"""
    return "".join(character if character in ASSIGNED else " " for character in text)


# ---------------------------------------------------------------- 4. Normalised text


def decompose(text: str) -> str:
    """Canonical decomposition and ordering: NFD, in a time that does not grow with the square of a run. [4.1]"""
    ordered: list[str] = []
    run: list[str] = []
    for character in "".join(mapped(character) for character in text):
        if not is_non_starter(character):
            ordered += sorted(run, key=combining)  # stable: equal classes keep their order
            ordered.append(character)
            run = []
        else:
            run.append(character)
    return "".join(ordered + sorted(run, key=combining))


def fold(text: str) -> str:
    """Replaces what the folding map lists; an empty mapping deletes. [4.2] [4.3]"""
    return "".join(FOLD.get(character, character) for character in text)


def bound(text: str) -> str:
    """Keeps the first 30 of each maximal run of non-starters, in the order folding left. [4.4]"""
    kept: list[str] = []
    run = 0
    for character in text:
        run = run + 1 if is_non_starter(character) else 0
        if run <= MAX_NON_STARTERS:
            kept.append(character)
    return "".join(kept)


def compose(text: str) -> str:
    """Canonical decomposition and composition: NFC. [2.4] [4.5]"""
    done: list[str] = []
    starter = last = -1  # the place of the last starter; the combining class of what is kept last after it
    for character in decompose(text):
        here = combining(character)
        # A starter composes with the one right before it only; a mark unless one of its class or above is in between.
        together = composed(done[starter], character) if starter >= 0 and last < here else None
        if together:
            done[starter] = together
            continue
        if here == 0:
            starter, last = len(done), -1
        else:
            last = here
        done.append(character)
    return "".join(done)


def normalise(text: str) -> str:
    """The normalised text. [4.1] to [4.5]"""
    return compose(bound(fold(decompose(text))))


# ---------------------------------------------------------------- 5. Cuts

URL = r"[a-z][a-z0-9+.-]{0,31}://[!-~]*"  # [5.2]
NAMED = r"(?<![a-z0-9])(?:www\.|urn:|doi:|arxiv:)[!-~]*"  # [5.3]
EMAIL = r"[a-z0-9._%+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}"  # [5.4]
DOI = r"(?<![a-z0-9.])10\.[0-9]{4,9}(?:\.[0-9]+)*/[!-~]*"  # [5.5]
CUT = re.compile("|".join([URL, NAMED, EMAIL, DOI]))  # [5.1]


def cut(text: str) -> str:
    """Replaces URLs and identifiers by U+0020: leftmost matches, the first pattern first. [5.1]"""
    return CUT.sub(" ", text)


# ---------------------------------------------------------------- 6. Tokens


def runs(text: str) -> Iterator[tuple[str, str]]:
    """The pair runs ("pair") and words ("word") of a cut text, in order. [6.2] [6.3]"""
    kind, start = "", 0  # the kind is empty between runs
    for position, character in enumerate(text + "\n"):
        character_class = CLASSES.get(character, "")  # [6.1]
        if character_class == "P" or (character_class == "M" and kind == "pair"):
            here = "pair"
        else:
            here = "word" if character_class else ""
        if here != kind:
            if kind:
                yield kind, text[start:position]
            kind, start = here, position


def pairs(run: str) -> list[str]:
    """The tokens of a pair run before [6.7]: itself if it is one code point, else its overlapping pairs. [6.4]"""
    if len(run) == 1:
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


def trim(word: str) -> str:
    """A word without the connectors at its ends. [6.5]"""
    start, end = 0, len(word)
    while start < end and CLASSES[word[start]] == "C":
        start += 1
    while start < end and CLASSES[word[end - 1]] == "C":
        end -= 1
    return word[start:end]


def has_letter(token: str) -> bool:
    """Whether a token holds a letter of either class. [6.7]"""
    return any(CLASSES[character] in ("L", "P") for character in token)


def tokens(text: str) -> Iterator[str]:
    """The tokens of a cut text, in order. [6.2] to [6.7]"""
    for kind, run in runs(text):
        if kind == "pair":
            candidates = pairs(run)
        else:
            word = trim(run)
            candidates = [word] if len(word) <= MAX_WORD else []  # [6.6]
        yield from filter(has_letter, candidates)


# ---------------------------------------------------------------- 7. Fingerprint


def rotate(number: int, bits: int) -> int:
    """`rot(x, k)` of [7.1]."""
    return (number << bits | number >> 32 - bits) & MASK


def mix(a: int, b: int, c: int) -> tuple[int, int, int]:
    """`mix` of [7.1]."""
    for bits in (4, 6, 8, 16, 19, 4):
        a = (a - c) & MASK ^ rotate(c, bits)
        c = (c + b) & MASK
        a, b, c = b, c, a  # the next step does to b, c, a what this one did to a, b, c
    return a, b, c


def final(a: int, b: int, c: int) -> tuple[int, int, int]:
    """`final` of [7.1]."""
    for bits in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - rotate(b, bits)) & MASK
        a, b, c = b, c, a
    return c, a, b  # seven steps have turned the names once and a third; this turns them back


def token_hash(token: bytes) -> int:
    """lookup3's hashlittle2 with seeds 0, as (c << 32) | b. [7.1]"""
    a = b = c = (0xDEADBEEF + len(token)) & MASK
    position = 0
    while len(token) - position > 12:
        x, y, z = words_of(token[position : position + 12])
        a, b, c = mix((a + x) & MASK, (b + y) & MASK, (c + z) & MASK)
        position += 12
    if position < len(token):
        x, y, z = words_of(token[position:].ljust(12, b"\0"))
        a, b, c = final((a + x) & MASK, (b + y) & MASK, (c + z) & MASK)
    return c << 32 | b


def words_of(block: bytes) -> tuple[int, int, int]:
    """The three 32-bit numbers of 12 bytes, least significant byte first. [7.1]"""
    return tuple(int.from_bytes(block[i : i + 4], "little") for i in (0, 4, 8))


def counters(occurrences: Iterable[str]) -> tuple[list[int], int]:
    """The 64 counters, that of the least significant bit first, and the number of occurrences. [7.2]"""
    counted = Counter(occurrences)
    totals = [0] * 64
    for token, times in counted.items():  # as if each occurrence came by itself
        hashed = token_hash(token.encode("utf-8"))
        for bit in range(64):
            totals[bit] += times if hashed >> bit & 1 else -times
    return totals, counted.total()


class Print(NamedTuple):
    """A fingerprint, and what is reported beside it."""

    value: int
    count: int  # token occurrences

    @property
    def short(self) -> bool:
        """Few tokens decide the bits. [7.5]"""
        return self.count < SHORT_BELOW


def bits_of(totals: list[int]) -> int:
    """The fingerprint of counters. [7.3]"""
    return sum(1 << bit for bit, total in enumerate(totals) if total > 0)


def fingerprint_of_tokens(occurrences: Iterable[str]) -> Print | None:
    """The fingerprint of tokens; none if there are none. [7.2] to [7.5]"""
    totals, count = counters(occurrences)
    return Print(bits_of(totals), count) if count > 0 else None  # [7.4]


def fingerprint(text: str) -> Print | None:
    """The fingerprint of a text that is not repaired yet, None where it has no token. Sections 3 to 7"""
    return fingerprint_of_tokens(tokens(cut(normalise(unassigned_to_space(text)))))


# ---------------------------------------------------------------- String


def to_string(value: int, scheme: str = SCHEME, bits: int = BITS) -> str:
    """The string of a fingerprint: its bits and as many zero bits as five at a time need. [7.6] [11.8]"""
    characters = -(-bits // 5)
    padded = value << characters * 5 - bits
    return f"{scheme}:" + "".join(BASE32[padded >> 5 * place & 31] for place in reversed(range(characters)))


class RefusedError(ValueError):
    """Why a string is no fingerprint. [7.7]"""

    def __init__(self, reason: str, position: int | None = None) -> None:
        super().__init__(reason if position is None else f"{reason} at {position}")
        self.reason = reason
        self.position = position  # of the first wrong character, for `alphabet`


def ascii_lower(string: str) -> str:
    """The string with the ASCII letters, and no others, in lower case. [7.7]"""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in string)


def read_string(string: str, known: Mapping[str, int]) -> tuple[str, int]:
    """The scheme and the fingerprint that a string names; `known`: the bits of each scheme the reader knows. [7.7]"""
    scheme, colon, characters = string.partition(":")
    if not colon:
        raise RefusedError("no-scheme")
    if ascii_lower(scheme) not in known:
        raise RefusedError("unknown-scheme")
    value = 0
    for position, character in enumerate(ascii_lower(characters), len(scheme) + 1):
        if character not in BASE32:
            raise RefusedError("alphabet", position)
        value = value << 5 | BASE32.index(character)
    bits = known[ascii_lower(scheme)]
    unused = -bits % 5
    if len(characters) * 5 != bits + unused:
        raise RefusedError("length")
    if value & (1 << unused) - 1:
        raise RefusedError("trailing-bits")
    return ascii_lower(scheme), value >> unused


def from_string(string: str) -> int:
    """The fingerprint of sd1 that a string names, to a reader who knows no other scheme. [7.7]"""
    return read_string(string, {SCHEME: BITS})[1]


def to_hex(value: int, bits: int = BITS) -> str:
    """The fingerprint as hexadecimal digits. [7.8] [11.8]"""
    return f"{value:0{bits // 4}x}"


def from_hex(digits: str, bits: int = BITS) -> int:
    """The fingerprint that hexadecimal digits name, or refused. [7.8] [11.8]"""
    if not re.fullmatch(f"[0-9a-fA-F]{{{bits // 4}}}", digits):
        raise RefusedError("form")
    return int(digits, 16)


def to_decimal(value: int) -> str:
    """The fingerprint as an unsigned decimal number. [7.8]"""
    return str(value)


def from_decimal(digits: str) -> int:
    """The fingerprint that a decimal number names, or refused. [7.8]"""
    if not re.fullmatch("0|[1-9][0-9]{0,19}", digits) or int(digits) >= 1 << BITS:
        raise RefusedError("form")
    return int(digits)


# ---------------------------------------------------------------- Comparison


def distance(one: int, other: int) -> int:
    """The Hamming distance. [7.9]"""
    return (one ^ other).bit_count()


def similarity(one: int, other: int) -> float:
    """1 - distance / 64. [7.9]"""
    return 1 - distance(one, other) / BITS


def grade(one: int, other: int) -> str:
    """The match of two fingerprints: "close", else "loose", else "none". [7.10]"""
    alike = similarity(one, other)
    return "close" if alike >= CLOSE_SIMILARITY else "loose" if alike >= LOOSE_SIMILARITY else "none"


def is_within(one: int, other: int, within: int = DEFAULT_WITHIN) -> bool:
    """Whether the distance is `within` or less. [7.9] [7.10]"""
    return distance(one, other) <= within


# ---------------------------------------------------------------- Every stage


def signs(totals: list[int]) -> str:
    """The signs of the counters, that of the most significant bit first."""
    return "".join("+" if total > 0 else "-" if total < 0 else "0" for total in reversed(totals))


def described(found: Print | None) -> dict[str, object]:
    """The fields that report a fingerprint, or that there is none."""
    return {
        "short": found.short if found else None,
        "value": to_hex(found.value) if found else None,
        "string": to_string(found.value) if found else None,
    }


def stages(record: dict[str, object]) -> dict[str, object]:
    """Every stage of a text, which is given as `text`, `bytes_hex` or `utf16`."""
    result: dict[str, object] = {}
    if "bytes_hex" in record:
        text = result["repaired"] = repair(bytes.fromhex(record["bytes_hex"]))
    else:
        text = from_utf16(record["utf16"]) if "utf16" in record else record["text"]
    result["assigned"] = unassigned_to_space(text)
    result["normalised"] = normalise(result["assigned"])
    result["cut"] = cut(result["normalised"])
    result["tokens"] = list(tokens(result["cut"]))
    totals, result["count"] = counters(result["tokens"])
    return result | {"signs": signs(totals)} | described(fingerprint_of_tokens(result["tokens"]))
