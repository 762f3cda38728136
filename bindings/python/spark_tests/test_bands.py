"""The values by which sketches are brought together: equal where a band is equal."""

from __future__ import annotations

import random

import nearprint
import pyarrow as pa
import pytest
from nearprint.spark._bands import BYTES, BandValues


@pytest.mark.parametrize(("number", "rows"), [(42, 3), (32, 4), (9, 14), (128, 1)])
def test_values_are_equal_where_bands_are(number: int, rows: int) -> None:
    source = random.Random(2)
    sketches = [source.randbytes(BYTES) for _ in range(40)]
    width = 2 * rows
    for at in range(0, 40, 2):
        # The next one has some bands of this one, one of them at another place.
        shared = {source.randrange(number) for _ in range(3)}
        parts = [sketches[at + (band not in shared)][band * width :][:width] for band in range(number)]
        parts[-1] = parts[0]
        sketches[at + 1] = b"".join(parts).ljust(BYTES, b"\0")
    values = BandValues(number, rows)(pa.array(sketches, pa.binary())).to_pylist()
    bands = [(band, sketch[band * width :][:width]) for sketch in sketches for band in range(number)]
    found = [value for row in values for value in row]
    assert len(set(bands)) < len(bands)
    assert len(set(found)) == len(set(bands)) == len(set(zip(bands, found, strict=True)))


def test_values_of_a_part_of_a_batch_are_those_of_the_whole() -> None:
    sketches = pa.array([bytes(nearprint.fingerprint(f"fog came in at {at}", "md1") or b"") for at in range(9)])
    values = BandValues(32, 4)
    parts = [*values(sketches[2:4]).to_pylist(), *values(sketches[4:]).to_pylist()]
    assert parts == values(sketches).to_pylist()[2:]
