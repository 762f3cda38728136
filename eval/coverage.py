"""How much of what pdftotext finds in a PDF the command's text has, and what a shortfall comes from.

Compared are words of two letters and more: letters that stand apart, as in formulas and in drawn code, are divided one
way by one program and another way by the other. Two things that the command leaves out on purpose are not missed: lines
at the edge of a third of the pages (heads and feet), and the stretching mark of Arabic script.
"""

from __future__ import annotations

import re
import subprocess
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from crude import HYPHEN, IS_UNSPACED, PDF_SECONDS, crude_words

ENOUGH = 0.9
LETTERS = 0.97  # of the letters, accents aside, from which only the division into words differs
DIGITS = re.compile(r"\d+")
STRETCH = "\u0640"
ACCENTED = re.compile("[\u00c0-\u00ff]")
EDGE = 4  # lines of a page, from above and from below, that can be its head or foot
OTHER_ALPHABET = 0.1  # of the letters; the two programs take a font for one of different alphabets
# Persian letters and the Arabic ones that look like them.
ALIKE = str.maketrans("\u06cc\u0649\u06a9\u06c1", "\u064a\u064a\u0643\u0647")
NOISE = 0.4  # of the letters: more accented ones than any language has


@dataclass(frozen=True)
class Reference:
    """What pdftotext finds in a file."""

    pages: tuple[str, ...]

    @cached_property
    def words(self) -> Counter[str]:
        """The words of all pages, those divided at line ends joined."""
        return counted("\n".join(self.pages))

    @cached_property
    def own_words(self) -> Counter[str]:
        """The same without heads and feet: lines near the edge of a third of the pages or more, whatever their numbers."""
        pages = [[line for line in page.split("\n") if line.strip()] for page in self.pages]
        edges = Counter(line for page in pages for line in {plain(line) for line in page[:EDGE] + page[-EDGE:]})
        limit = max(3, len(pages) / 3)
        kept = []
        for page in pages:
            for place, line in enumerate(page):
                inner = EDGE <= place < len(page) - EDGE
                if inner or edges[plain(line)] < limit:
                    kept.append(line)
        return counted("\n".join(kept))


@dataclass(frozen=True)
class Shortfall:
    """What a PDF's text has of pdftotext's words."""

    name: str
    covered: float  # heads and feet aside
    strict: float
    cause: str  # nothing where it has enough


def plain(line: str) -> str:
    """A line with all its numbers alike."""
    return DIGITS.sub("0", line.strip())


def counted(text: str) -> Counter[str]:
    """The words of a text; of those in spaced scripts, those of two letters and more."""
    words = crude_words(HYPHEN.sub("", text.replace(STRETCH, "")))
    return Counter(word for word in words if len(word) > 1 or IS_UNSPACED.match(word))


def reference(content: bytes) -> Reference:
    """What pdftotext finds; no pages where it fails."""
    command = ["pdftotext", "-enc", "UTF-8", "-", "-"]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=PDF_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Reference(())
    return Reference(tuple(done.stdout.decode("utf-8", "replace").split("\f")[:-1]))


def share(wanted: Counter[str], found: Counter[str]) -> float:
    """The share of the wanted words, each as often as it occurs, that are found."""
    return (wanted & found).total() / wanted.total() if wanted else 1.0


def covered(expected: Reference, text: str) -> float:
    """The share of pdftotext's words that a text has, heads and feet aside."""
    found = counted(text)
    whole, own = expected.words, expected.own_words
    # Where nearly all lines are alike, they are not heads and feet but the text.
    if own.total() < whole.total() / 4:
        return share(whole, found)
    return max(share(whole, found), share(own, found))


def strict(expected: Reference, text: str) -> float:
    """The share of pdftotext's words that a text has, whatever they are."""
    return share(expected.words, counted(text))


def letters(words: Counter[str]) -> Counter[str]:
    """The letters of words, each as often as it occurs."""
    found: Counter[str] = Counter()
    for word, count in words.items():
        for letter in word:
            found[letter] += count
    return found


def alike(text: str) -> str:
    """A text without accents and other marks, forms of one letter alike."""
    parts = unicodedata.normalize("NFKD", text).translate(ALIKE)
    return "".join(part for part in parts if not unicodedata.combining(part))


def folded(text: str) -> Counter[str]:
    """The letters of a text, each as often as it occurs, marks off, forms of one letter alike."""
    return Counter(letter for letter in alike(text).lower() if letter.isalpha())


def alphabets(found: Counter[str]) -> Counter[str]:
    """How many of the letters are of each alphabet, by the first word of their names."""
    counts: Counter[str] = Counter()
    for letter, count in found.items():
        counts[unicodedata.name(letter, "?").split()[0]] += count
    return counts


def is_noise(words: Counter[str]) -> bool:
    """Whether words are in no language: letters of another encoding taken for accented Latin ones."""
    found = letters(words)
    return sum(count for letter, count in found.items() if ACCENTED.match(letter)) > NOISE * found.total()


def cause(expected: Reference, text: str | None, reason: str, warnings: tuple[str, ...]) -> str:
    """Why a text has fewer than ENOUGH of the words: the first of these that explains it."""
    if text is None:
        return f"no text: {reason}"
    if is_noise(expected.words):
        return "pdftotext's words are letters of another encoding"
    wanted, found = folded("\n".join(expected.pages)), folded(text)
    if share(counted(alike("\n".join(expected.pages))), counted(alike(text))) >= ENOUGH:
        return "the same words, other accents or forms of letters"
    if share(wanted, found) >= LETTERS:
        return "the same letters, words divided elsewhere"
    if (alphabets(found) - alphabets(wanted)).total() > OTHER_ALPHABET * wanted.total():
        return "letters of another alphabet"
    if "glyphs-without-unicode" in warnings:
        return "glyphs without Unicode, left out and warned of"
    if "part-unreadable" in warnings or "recovered" in warnings:
        return "damaged, read in part and warned of"
    return "other"
