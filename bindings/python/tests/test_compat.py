"""nearprint.compat beside what the real packages answered: `python tests/test_compat.py` records it anew.

simhash_pybind.json holds answers of simhash-pybind 0.0.3, which comes as C++ to be compiled.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import nearprint
import pytest
from nearprint.compat import simhash as ours

RECORDED = Path(__file__).parent / "simhash_pybind.json"
END = 1 << 64
BLOCKS = [(1, 0), (2, 1), (4, 3), (6, 3), (6, 5), (8, 7), (12, 8)]
TOKENS = ["a", "rose", "is", "a", "rose", "is", "a", "rose"]


def mixed(number: int) -> int:
    """SplitMix64's finisher: numbers that look random and are the same everywhere."""
    number = number * 0x9E3779B97F4A7C15 % END
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % END
    number = (number ^ number >> 27) * 0x94D049BB133111EB % END
    return number ^ number >> 31


def near_one_another(count: int, seed: int) -> list[int]:
    """Hashes of which every five lie within some bits of one another."""
    flips = (mixed(seed ^ number << 8) for number in range(count))
    flipped = (sum({1 << (bits >> 6 * at & 63) for at in range(bits >> 60 & 3)}) for bits in flips)
    return [mixed(seed + number // 5) ^ bits for number, bits in enumerate(flipped)]


def answers(package: Any) -> dict[str, Any]:
    """What a package answers, as it is recorded."""
    found = {}
    for blocks, bits in BLOCKS:
        pairs = sorted(package.find_all(set(near_one_another(3000, blocks)), blocks, bits))
        digest = hashlib.sha256(json.dumps(pairs).encode()).hexdigest()
        found[f"{blocks} blocks, {bits} bits"] = {"pairs": len(pairs), "sha256": digest}
    refused = {}
    for blocks, bits in [(3, 3), (0, 0), (65, 3)]:
        with pytest.raises(ValueError, match="locks") as error:
            package.find_all({1, 2}, blocks, bits)
        refused[f"{blocks} blocks, {bits} bits"] = str(error.value)
    return {
        "find_all": found,
        "refused": refused,
        "unsigned_hash": [package.unsigned_hash(text) for text in [b"", b"abc", bytes(range(256))]],
        "compute": [package.compute(near_one_another(count, count)) for count in [0, 1, 2, 3, 100, 101]],
        "num_differing_bits": [package.num_differing_bits(hash_, 7) for hash_ in near_one_another(9, 1)],
        "shingle": [list(package.shingle(TOKENS, window)) for window in [1, 4, 9]],
    }


def test_answers_are_those_of_simhash_pybind() -> None:
    recorded = json.loads(RECORDED.read_text())
    assert answers(ours) == recorded
    assert all(case["pairs"] > 100 for name, case in recorded["find_all"].items() if not name.endswith(" 0 bits"))


@pytest.mark.parametrize("wrong", [-1, 2**64, "a", 1.5])
def test_what_is_no_hash_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="no hash"):
        ours.find_all({wrong}, 4, 3)
    with pytest.raises(TypeError, match="no hash"):
        ours.compute([wrong])


def test_memory_and_pairs_are_bounded() -> None:
    # simhash-pybind takes 22 GB for these.
    assert ours.find_all({1, 2, 1 << 63}, 64, 10) == {(1, 2), (1, 1 << 63), (2, 1 << 63)}
    with pytest.raises(nearprint.NearprintError):
        ours.find_all(range(200), 4, 3, max_pairs=100)
    with pytest.raises(ValueError, match="positive"):
        list(ours.shingle("abc", 0))


if __name__ == "__main__":
    import simhash as theirs  # type: ignore[import-not-found]

    RECORDED.write_text(json.dumps(answers(theirs), indent=1) + "\n")
