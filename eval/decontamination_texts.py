"""The items of decontamination.py, and the training texts that they are planted in."""

from __future__ import annotations

import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "reference"))
import nearprint_sd1 as sd1
from nearprint_passages import placed_tokens

IN_LINES = "in short lines"
WRAPPED, SHORT = 500, 200  # items planted in short lines, and how many of them have fewer than 13 words
EACH = 200  # items of every other variant
AROUND = 150  # words of filler before and after what is planted
LEAST_TOKENS = 5  # with fewer an item is undecidable


@dataclass(frozen=True)
class Item:
    """A question with its right answer."""

    number: int
    question: str
    answer: str

    @cached_property
    def tokens(self) -> int:
        """Tokens of the standard, and numbers; of a longer question its words, as tokens are counted slowly."""
        words = words_of(self.question)
        return len(words) if len(words) > 12 else len(placed_tokens(sd1.unassigned_to_space(self.question), True))

    @property
    def words(self) -> int:
        """Words between white space."""
        return len(self.question.split())


@dataclass(frozen=True)
class Plant:
    """What was planted in a text."""

    variant: str
    item: Item


def words_of(text: str) -> tuple[str, ...]:
    """Words and numbers, whatever their case."""
    return tuple(re.findall(r"[^\W_]+", text.lower()))


def items_of(rows: Iterable[dict]) -> list[Item]:
    """The items of a test: of each question the row with the right answer, without passages and repeated questions."""
    chosen: dict[tuple, dict] = {}
    for row in rows:
        key = tuple(row.get(name) for name in ("eval_key", "config", "split", "eval_instance_index"))
        if key not in chosen or row.get("is_correct"):
            chosen[key] = row
    known = [(row, words_of(row["question"])) for row in chosen.values() if not row.get("passage")]
    often = Counter(words for _, words in known)
    once = [row for row, words in known if words and often[words] == 1]
    return [Item(number, row["question"], row.get("answer") or "") for number, row in enumerate(once)]


class Filler:
    """Running text that surrounds what is planted."""

    def __init__(self, texts: Iterable[str], random: Random) -> None:
        # Of letters that are mostly Latin, so that a line has words.
        fit = [text for text in texts if len(text.split()) >= 400 and sum(map(str.isascii, text)) > 0.98 * len(text)]
        self.texts, self.random = [re.split(r"(\s+)", text) for text in fit], random

    def take(self, words: int) -> str:
        """So many words in a row of some text, with the white space between them."""
        parts = self.random.choice(self.texts)
        start = 2 * self.random.randrange(max(1, len(parts) // 2 - words))
        return "".join(parts[start : start + 2 * words]).strip()

    def word(self, other: str) -> str:
        """A word that is not the other one."""
        while True:
            word = self.random.choice(self.random.choice(self.texts))
            if re.fullmatch(r"[A-Za-z]{3,12}", word) and word.lower() not in other.lower():
                return word


def in_capitals(text: str) -> str:
    """In capitals, without punctuation at the ends of words."""
    return " ".join(re.sub(r"^[\"']+|[.,;:!?\"']+$", "", word).upper() for word in text.split())


def with_dashes(text: str) -> str:
    """With a dash of two hyphens after every eighth word."""
    words = text.split()
    return " -- ".join(" ".join(words[start : start + 8]) for start in range(0, len(words), 8))


def changed(question: str, share: float, filler: Filler) -> str:
    """With this share of the words replaced, at least one."""
    words = question.split()
    for at in filler.random.sample(range(len(words)), max(1, round(share * len(words)))):
        words[at] = filler.word(words[at])
    return " ".join(words)


def answered(question: str, answer: str) -> str:
    """A question and its answer in the next line."""
    return f"{question}\nAnswer: {answer}" if answer else question


def half(question: str) -> str:
    """The first half of the words."""
    words = question.split()
    return " ".join(words[: len(words) // 2])


# Name, items it is for, and what becomes of them.
VARIANTS: list[tuple[str, Callable[[Item], bool], Callable[[Item, Filler], str]]] = [
    ("exact", lambda item: True, lambda item, _: answered(item.question, item.answer)),
    (
        "in capitals, without punctuation",
        lambda item: True,
        lambda item, _: answered(in_capitals(item.question), in_capitals(item.answer)),
    ),
    (
        "` -- ` after every 8 words",
        lambda item: item.words >= 9,
        lambda item, _: answered(with_dashes(item.question), item.answer),
    ),
    *(
        (
            f"{round(100 * share)} % of words changed",
            # So that one word is at most the double of the share.
            lambda item, share=share: item.words >= max(20, 0.5 / share),
            lambda item, filler, share=share: answered(changed(item.question, share, filler), item.answer),
        )
        for share in (0.01, 0.02, 0.05, 0.1)
    ),
    ("first half of the question", lambda item: item.words >= 26, lambda item, _: half(item.question)),
    ("question without its answer", lambda item: bool(item.answer), lambda item, _: item.question),
    (
        "answer 150 words later",
        lambda item: 0 < len(item.answer.split()) <= 20,
        lambda item, filler: f"{item.question}\n{filler.take(150)}\n{item.answer}",
    ),
]


def planted(items: list[Item], filler: Filler) -> tuple[list[str], list[Plant]]:
    """The texts, and of each what was planted in it."""
    fit, used = [item for item in items if item.tokens >= LEAST_TOKENS], set()

    def some(is_for: Callable[[Item], bool], count: int) -> list[Item]:
        """So many items that are not planted yet."""
        left = [item for item in fit if item.number not in used and is_for(item)]
        chosen = filler.random.sample(left, min(count, len(left)))
        used.update(item.number for item in chosen)
        return chosen

    short = some(lambda item: item.words < 13, SHORT)
    long = some(lambda item: item.words >= 13, WRAPPED - SHORT)
    texts, plants = [], [Plant(IN_LINES, item) for item in short + long]
    for plant in plants:
        parts = filler.take(AROUND), answered(plant.item.question, plant.item.answer), filler.take(AROUND)
        width = filler.random.randint(28, 60)
        texts.append(textwrap.fill(" ".join(" ".join(parts).split()), width, break_long_words=False))
    for name, is_for, make in VARIANTS:
        of_it = some(is_for, EACH)
        plants += [Plant(name, item) for item in of_it]
        texts += [f"{filler.take(AROUND)}\n\n{make(item, filler)}\n\n{filler.take(AROUND)}" for item in of_it]
    return texts, plants
