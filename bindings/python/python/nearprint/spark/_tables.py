"""By which bits fingerprints of 64 bits are brought together, so that every pair within k bits meets exactly once.

Of k + 1 blocks of bits, two fingerprints within k bits have at least one in common (the pigeonhole principle; G. Manku,
A. Jain, A. Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007). A table brings together what has its block
in common, and a pair belongs to the first table that does so. A table can be split: what it brings together is divided by
the blocks of the remaining bits in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

BITS = 64

MOST_DISTANCE = 16
"""The largest k of the engine's join."""


@dataclass(frozen=True)
class Table:
    """A table: which bits are equal in its pairs, and which are not.

    Args:
        mask: The bits that both fingerprints of a pair have in common.
        before: Masks of the tables before it: a pair differs in each, or it belongs to one of those.
    """

    mask: int
    before: tuple[int, ...]

    def split(self, k: int) -> list[Table]:
        """The tables that have the same pairs and one more block of bits; none where too few bits are left."""
        left = [bit for bit in range(BITS) if not self.mask >> bit & 1]
        if len(left) <= k:
            return []
        blocks = [_mask(left[len(left) * at // (k + 1) : len(left) * (at + 1) // (k + 1)]) for at in range(k + 1)]
        return [Table(self.mask | block, (*self.before, *blocks[:at])) for at, block in enumerate(blocks)]

    def holds(self, a: int, b: int) -> bool:
        """Whether a pair belongs to this table."""
        differs = a ^ b
        return not differs & self.mask and all(differs & mask for mask in self.before)


def tables(k: int) -> list[Table]:
    """The tables of k + 1 blocks."""
    return Table(0, ()).split(k)


def signed(mask: int) -> int:
    """The same 64 bits as a signed number, as Spark and Arrow have them."""
    return mask - (1 << BITS) if mask >> (BITS - 1) else mask


def _mask(bits: list[int]) -> int:
    return sum(1 << bit for bit in bits)
