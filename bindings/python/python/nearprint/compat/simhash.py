"""The functions of simhash-py and simhash-pybind: `from nearprint.compat import simhash` instead of `import simhash`.

Names, arguments and answers are theirs. docs/migrating/simhash.md says what differs: `find_all` needs the memory of its
input whatever the number of blocks, and stops at `max_pairs`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import nearprint
from nearprint import _nearprint

__all__ = ["compute", "find_all", "num_differing_bits", "shingle", "unsigned_hash"]

_T = TypeVar("_T")
_BITS = 64
_END = 1 << _BITS


def _checked(number: int) -> int:
    if not isinstance(number, int) or not 0 <= number < _END:
        message = f"{number!r} is no hash: hashes are integers from 0 to 2**64 - 1"
        raise TypeError(message)
    return number


def num_differing_bits(a: int, b: int) -> int:
    """Bits in which the hashes `a` and `b`, of 64 bits, differ: 0 to 64."""
    return (_checked(a) ^ _checked(b)).bit_count()


def unsigned_hash(obj: bytes) -> int:
    """A hash of 64 bits: the first 8 bytes of MD5, most significant first."""
    return int.from_bytes(hashlib.md5(obj, usedforsecurity=False).digest()[:8], "big")


def shingle(tokens: Iterable[_T], window: int = 4) -> Iterator[list[_T]]:
    """Every `window` tokens that follow one another."""
    if window <= 0:
        message = "Window size must be positive"
        raise ValueError(message)
    current: list[_T] = []
    for token in tokens:
        current.append(token)
        if len(current) > window:
            del current[0]
        if len(current) == window:
            yield list(current)


def compute(hashes: Iterable[int]) -> int:
    """The simhash of hashes: a bit is 1 where more than half of the hashes have it. Of none it is 0."""
    return _nearprint.simhash(hashes)


def find_all(
    hashes: Iterable[int], number_of_blocks: int, different_bits: int, *, max_pairs: int | None = 100_000_000
) -> set[tuple[int, int]]:
    """All pairs of different hashes that differ in at most `different_bits` bits, the smaller hash first.

    Args:
        hashes: Hashes of 64 bits; equal ones count once.
        number_of_blocks: Only checked, as there: more than `different_bits`, at most 64. The engine plans by itself.
        different_bits: The largest distance.
        max_pairs: Raise where more are found; None is no bound.

    Raises:
        ValueError: Where the number of blocks does not suit.
        TypeError: Where something is no hash of 64 bits.
    """
    if number_of_blocks <= different_bits:
        message = f"Number of blocks ({number_of_blocks}) must be greater than different_bits ({different_bits})"
        raise ValueError(message)
    if number_of_blocks > _BITS:
        message = "Number of blocks must not exceed 64"
        raise ValueError(message)
    # In order, so that the smaller hash of a pair is its first.
    values = sorted({_checked(number) for number in hashes})
    found = nearprint.pairs(_prints(values), k=different_bits, max_pairs=max_pairs)
    a, b = (found[name].to_pylist() for name in ("a", "b"))
    return {(values[int(i)], values[int(j)]) for i, j in zip(a, b, strict=True)}


def _prints(values: list[int]) -> Any:
    """Hashes as the engine takes them: without NumPy one object each, which is slower."""
    try:
        import numpy as np
    except ImportError:
        return [nearprint.Fingerprint.from_int(value) for value in values]
    return np.array(values, dtype=np.uint64)
