"""Pairs of a table's blocks by the Rust core: one call for all the blocks of a table in a partition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
import pyarrow.compute as pc
from nearprint.spark._batches import returned, whole
from nearprint.spark._memory import cores
from nearprint.spark._schema import arrow_schema, schema_of, type_of
from nearprint.spark._tables import Table, signed
from nearprint.spark._task import Batches, checked

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_IN_BLOCK = 200_000
"""Rows of a block that a task may hold: some 20 MB with their ids."""


def core_pairs(rows: DataFrame, known: list[Table], k: int, *, two_sets: bool) -> DataFrame:
    """All pairs of the rows of `_blocks.keyed`, each once.

    Args:
        rows: Rows with `table`, `key`, `bits`, `id`, and of two sets `side`, 0 and 1.
        known: The tables.
        k: The distance.
        two_sets: Whether pairs are of one row of each side.

    Returns:
        `bits_a`, `bits_b`, `a`, `b`, `distance`.
    """
    kind = type_of(rows, "id")
    schema = schema_of(("bits_a", "long"), ("bits_b", "long"), ("a", kind), ("b", kind), ("distance", "integer"))
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        held, threads = whole(batches), cores()
        if held is None:
            return
        for number in pc.unique(held["table"]).to_pylist():
            some = held.filter(pc.equal(held["table"], number))
            left, right = some, some
            if two_sets:
                left = some.filter(pc.equal(some["side"], 0))
                right = some.filter(pc.equal(some["side"], 1))
            other = right["bits"] if two_sets else None
            if not len(left) or not len(right):
                continue
            near = nearprint.pairs(left["bits"], against=other, scheme="sd1", k=k, max_pairs=None, threads=threads)
            found = near.to_arrow()
            first, second = left.take(found["a"]), right.take(found["b"])
            pairs = pa.table(
                [first["bits"], second["bits"], first["id"], second["id"], found["distance"].cast(pa.int32())],
                names=arrow.names,
            )
            yield from returned(pairs.filter(_holds(known[number], first["bits"], second["bits"])), arrow)

    return rows.repartition("table", "key").mapInArrow(checked(work), schema)


def _holds(table: Table, a: pa.ChunkedArray, b: pa.ChunkedArray) -> pa.ChunkedArray:
    """Which pairs belong to the table: `Table.holds` of columns."""
    differs = pc.bit_wise_xor(a, b)
    holds = pc.equal(pc.bit_wise_and(differs, signed(table.mask)), 0)
    for mask in table.before:
        holds = pc.and_(holds, pc.not_equal(pc.bit_wise_and(differs, signed(mask)), 0))
    return holds
