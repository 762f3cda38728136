"""Damaged copies of documents, the same on every run: what disks, transfers and careless programs do to files."""

from __future__ import annotations

import random
import re

NUMBER = re.compile(rb"\d+")
WAYS = ("flipped", "cut", "spliced", "renumbered")


def damaged(content: bytes, other: bytes, way: str, seed: str) -> bytes:
    """A copy of `content` damaged in one of WAYS; `other` is what pieces are taken from."""
    chance = random.Random(f"{seed} {way}")
    copy = bytearray(content)
    match way:
        case "flipped":  # a bit in each of a hundred places
            for _ in range(100):
                copy[chance.randrange(len(copy))] ^= 1 << chance.randrange(8)
        case "cut":  # the end is missing
            del copy[chance.randrange(len(copy)) :]
        case "spliced":  # a piece of another document in the middle
            length = chance.randrange(1, max(2, min(len(content), len(other)) // 4))
            start = chance.randrange(max(1, len(other) - length))
            at = chance.randrange(len(copy))
            copy[at : at + length // 2] = other[start : start + length]
        case "renumbered":  # lengths, offsets and references that are wrong
            found = list(NUMBER.finditer(content))
            for number in chance.sample(found, min(len(found), 40)):
                copy[number.start()] = ord("0") + chance.randrange(10)
        case _:
            raise ValueError(f"no way of damage {way!r}; there are {', '.join(WAYS)}")
    return bytes(copy)
