"""How much of what pdftotext finds in a PDF the command's text has, and what a shortfall comes from."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from dataclasses import dataclass

from crude import HYPHEN, PDF_SECONDS, crude_words

ENOUGH = 0.9
DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Reference:
    """What pdftotext finds in a file."""

    pages: tuple[str, ...]

    @property
    def words(self) -> Counter[str]:
        """The words of all pages, those divided at line ends joined."""
        return counted("\n".join(self.pages))


@dataclass(frozen=True)
class Shortfall:
    """A PDF whose text has fewer of the words than asked for."""

    name: str
    covered: float
    cause: str


def counted(text: str) -> Counter[str]:
    """The words of a text."""
    return Counter(crude_words(HYPHEN.sub("", text)))


def reference(content: bytes) -> Reference:
    """What pdftotext finds; no pages where it fails."""
    command = ["pdftotext", "-enc", "UTF-8", "-", "-"]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=PDF_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Reference(())
    return Reference(tuple(done.stdout.decode("utf-8", "replace").split("\f")[:-1]))


def covered(wanted: Counter[str], found: Counter[str]) -> float:
    """The share of the wanted words, each as often as it occurs, that are found."""
    return (wanted & found).total() / wanted.total() if wanted else 1.0


def without_repeated(pages: tuple[str, ...]) -> Counter[str]:
    """The words but for lines that stand on a third of the pages or more, whatever their numbers: heads and feet."""
    lines = Counter(line for page in pages for line in {DIGITS.sub("0", line.strip()) for line in page.split("\n")})
    limit = max(2, len(pages) / 3)
    kept = [line for page in pages for line in page.split("\n") if lines[DIGITS.sub("0", line.strip())] < limit]
    return counted("\n".join(kept))


def letters(words: Counter[str]) -> Counter[str]:
    """The letters of words; of two-letter pieces of unspaced scripts, both."""
    found: Counter[str] = Counter()
    for word, count in words.items():
        for letter in word:
            found[letter] += count
    return found


def cause(expected: Reference, text: str | None, reason: str, warnings: tuple[str, ...]) -> str:
    """Why a text has fewer than ENOUGH of the words: the first of these that explains it."""
    if text is None:
        return f"no text: {reason}"
    found = counted(text)
    if covered(without_repeated(expected.pages), found) >= ENOUGH:
        return "lines repeated on a third of the pages, left out as heads and feet"
    if covered(letters(expected.words), letters(found)) >= 0.97:
        return "the same letters, words divided elsewhere"
    if "glyphs-without-unicode" in warnings:
        return "glyphs without Unicode, left out and warned of"
    if "part-unreadable" in warnings or "recovered" in warnings:
        return "damaged, read in part and warned of"
    return "other"
