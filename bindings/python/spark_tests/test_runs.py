"""Partitions in pieces: what belongs together is in one, and no piece is larger than it must be."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest
from nearprint.spark._runs import PILES, Piles, runs


@pytest.mark.parametrize("most_bytes", [1, 300, 1 << 30])
def test_rows_of_a_key_are_in_one_table(most_bytes: int) -> None:
    source = random.Random(most_bytes)
    keys = sorted(source.choices(range(-20, 20), k=200))
    whole = pa.table({"key": keys, "row": range(len(keys))})
    batches = [*whole.to_batches(max_chunksize=7), *whole.slice(0, 0).to_batches()]
    made = [table.to_pydict() for table in runs(iter(batches), "key", most_bytes)]
    assert [row for table in made for row in table["row"]] == list(range(len(keys)))
    of_tables = [set(table["key"]) for table in made]
    assert all(not one & other for at, one in enumerate(of_tables) for other in of_tables[:at])
    # A table may have a batch more than was asked for.
    least = {1: 25, 300: 8, 1 << 30: 1}[most_bytes]
    assert least <= len(made) <= {1: 40, 300: 20, 1 << 30: 1}[most_bytes]


@pytest.mark.parametrize("most_bytes", [100, 1 << 30])
def test_rows_of_a_number_are_in_one_pile(most_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    source = random.Random(3)
    pool = [source.getrandbits(64) - (1 << 63) for _ in range(300)]
    rows = [(source.choice(pool), at) for at in range(2_000)]
    piles = Piles(14, most_bytes)
    for at in range(0, len(rows), 100):
        some = rows[at : at + 100]
        piles.add(*(pa.array([row[part] for row in some], pa.int64()) for part in (0, 1)))
    assert len(list(tmp_path.iterdir())) == (1 if most_bytes == 100 else 0)
    made = [table.to_pydict() for table in piles]
    found = [list(zip(table["number"], table["companion"], strict=True)) for table in made]
    assert sorted(row for table in found for row in table) == sorted(rows)
    numbers = [{number for number, _ in table} for table in found]
    assert sum(map(len, numbers)) == len({number for number, _ in rows})
    assert len(made) == (PILES if most_bytes == 100 else 1)
    assert not list(tmp_path.iterdir())
    assert list(Piles(14, most_bytes)) == []
