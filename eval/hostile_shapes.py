"""Sizes, arrangements of tokens, and changes of bytes that generated hostile files are made of."""

from __future__ import annotations

import random

EDGES = (0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, (1 << 63) - 1, (1 << 64) - 1)
MOST = 20 << 20


def size_of(rng: random.Random) -> int:
    """Bytes of a document: mostly some thousand, seldom some million, at most 20 MiB."""
    chance = rng.random()
    for share, low, high in ((0.70, 200, 16e3), (0.95, 16e3, 256e3), (0.995, 256e3, 4e6)):
        if chance < share:
            return int(low * (high / low) ** rng.random())
    return int(4e6 * (MOST / 4e6) ** rng.random())


def woven(rng: random.Random, tokens: list[str], size: int) -> str:
    """Some of the tokens: repeated, one after the other, opened and closed, or at random. `{n}` is a number."""
    chosen = rng.sample(tokens, min(len(tokens), rng.choice((1, 2, 2, 3, 5))))
    unit = "".join(chosen)
    shape = rng.randrange(5)
    count = max(1, size // max(1, len(unit)))
    if "{n}" in unit:
        found, length, turn = [], 0, 0
        while length < size:
            token = rng.choice(chosen) if shape == 0 else chosen[turn % len(chosen)]
            found.append(token.replace("{n}", str(turn)))
            length += len(found[-1])
            turn += 1
        return "".join(found)
    if shape == 0:
        return "".join(rng.choices(chosen, k=min(count * len(chosen), 2_000_000)))
    if shape == 1:
        return "".join(token * count for token in chosen)
    if shape == 2:
        return chosen[0] * count + "word" + chosen[-1] * count
    if shape == 3:
        return chosen[0] + "".join(chosen[1:] or chosen) * count
    return unit * count


def changed(rng: random.Random, data: bytes) -> bytes:
    """A copy with some pieces taken out, repeated, put elsewhere or replaced by numbers."""
    bytes_ = bytearray(data)
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(bytes_) + 1)
        end = min(len(bytes_), at + rng.randrange(64))
        kind = rng.randrange(7)
        if kind == 0 and at < len(bytes_):
            bytes_[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del bytes_[at:end]
        elif kind == 2:
            bytes_[at:at] = bytes_[at:end] * rng.randrange(1, 30)
        elif kind == 3 and rng.random() < 0.3:
            del bytes_[at:]
        elif kind == 4:
            bytes_[at:end] = str(rng.choice(EDGES)).encode()
        elif kind == 5:
            bytes_[at:end] = rng.choice(EDGES).to_bytes(8, "little")[: end - at]
        else:
            other = rng.randrange(len(bytes_) + 1)
            bytes_[at:end] = bytes_[other : other + 64]
    return bytes(bytes_)


def numbers_changed(rng: random.Random, text: bytes, most: int = 4) -> bytes:
    """A copy in which some of the numbers written in digits are others."""
    places, at = [], 0
    while at < len(text):
        if 48 <= text[at] <= 57:
            start = at
            while at < len(text) and 48 <= text[at] <= 57:
                at += 1
            places.append((start, at))
        at += 1
    for start, end in sorted(rng.sample(places, min(len(places), rng.randrange(most + 1))), reverse=True):
        number = rng.choice((*EDGES, int(text[start:end][:18]) + 1, -1))
        text = text[:start] + str(number).encode() + text[end:]
    return text
