"""Which sketches agree in a band, found from the values of bands alone.

A sketch has 256 bytes and dozens of bands, and most bands have a value that no other sketch has. So 16 bytes of each band
are brought together first. A sketch follows once for each group of sketches that it is in, not once for each band.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark._batches import pieces
from nearprint.spark._runs import Piles, held_bytes
from nearprint.spark._schema import arrow_schema, schema_of
from nearprint.spark._task import Batches, checked
from nearprint.spark._width import MOST_PARTS, asked_width, bounded, gathered, parts
from pyspark.sql import functions as fn
from pyspark.sql.types import ArrayType, LongType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

POSITIONS = 128
"""Positions of a sketch, of two bytes each."""

BYTES = 2 * POSITIONS
"""Bytes of a sketch."""

MOST_PACKED = 1 << 20
"""Values of bands that a task holds before it sends them on: 16 MB."""

MOST_IN_BAND = 1_000_000
"""Sketches of a group, at most: 256 MB that one task holds."""


def in_groups(prints: DataFrame, bands: str) -> DataFrame:
    """Sketches in sorted partitions, so that any two that agree in a band are in one group of one of them.

    Args:
        prints: `node`, a hash of the id, `bits` (not null), and what else is wanted. Equal hashes of two ids do no harm.
        bands: The bands, such as "32x4".

    Returns:
        The columns of `prints` and `group`, a row for each group that a sketch is in. Sketches that agree with none are left
        out.
    """
    members = bounded(agreeing(prints, bands), "node")
    return gathered(bounded(prints, "node").join(members, "node"), "group").sortWithinPartitions("group")


def agreeing(prints: DataFrame, bands: str) -> DataFrame:
    """`group` and `node`: the members of each group of sketches that agree in a band. Groups of the same members are one."""
    number, rows = _numbers(bands)
    divided = parts(asked_width(prints.sparkSession))
    longs = ArrayType(LongType(), containsNull=False)
    packed = schema_of(("part", "integer"), ("values", longs), ("nodes", longs))
    packed_arrow, members = arrow_schema(packed), schema_of(("members", longs))
    members_arrow = arrow_schema(members)

    most_held = held_bytes(prints.sparkSession)

    def pack(batches: Batches) -> Batches:
        held: list[pa.RecordBatch] = []
        count = 0
        hashed = BandValues(number, rows)
        for batch in batches:
            held.append(pa.record_batch([batch["node"], hashed(batch["bits"])], names=["node", "values"]))
            count += batch.num_rows * number
            if count >= MOST_PACKED:
                yield from _packed(held, divided, packed_arrow)
                held, count = [], 0
        if held:
            yield from _packed(held, divided, packed_arrow)

    def group(batches: Batches) -> Batches:
        # The bits by which parts differ are those below.
        piles = Piles(MOST_PARTS.bit_length() - 1, most_held)
        for batch in batches:
            piles.add(batch["values"].flatten(), batch["nodes"].flatten())
        for pile in piles:
            yield from _members(pile, members_arrow)

    sent = gathered(prints.select("node", "bits").mapInArrow(checked(pack), packed), "part")
    found = bounded(sent.mapInArrow(checked(group), members), "members").dropDuplicates(["members"])
    # Beside `explode`, the hash of all members would be computed again for each of them.
    named = found.select(fn.xxhash64("members").alias("group"), "members")
    return named.select("group", fn.explode("members").alias("node"))


class BandValues:
    """A hash of each band of sketches, of the band's number too. Arrow computes it, as engines differ in how they cut bytes."""

    def __init__(self, number: int, rows: int) -> None:
        self.number = number
        self.rows = rows
        self._prepare(0)

    def _prepare(self, sketches: int) -> None:
        """Where each band of so many sketches begins, and what its hash begins with."""
        begins = [at * self.rows for at in range(self.number)]
        self.begins = pa.array([at * POSITIONS + band for at in range(sketches) for band in begins], pa.int64())
        self.seeds = _mixed(pa.array([at + 1 for at in range(self.number)] * sketches, pa.uint64()))

    def __call__(self, sketches: pa.Array) -> pa.Array:
        """Of each sketch a list of the values of its bands."""
        fixed = sketches.cast(pa.binary(BYTES))
        positions = pa.Array.from_buffers(
            pa.uint16(), len(fixed) * POSITIONS, [None, fixed.buffers()[1]], offset=fixed.offset * POSITIONS
        )
        size = len(fixed) * self.number
        if len(self.begins) < size:
            self._prepare(len(fixed))
        begins, values = self.begins[:size], self.seeds[:size]
        for row in range(self.rows):
            some = positions.take(pc.add(begins, row)).cast(pa.uint64())
            values = pc.bit_wise_xor(values, pc.shift_left(some, pa.scalar(16 * (row % 4), pa.uint64())))
            # Four positions have the 64 bits of a value.
            if row % 4 == 3 or row == self.rows - 1:
                values = _mixed(values)
        offsets = pa.array(range(0, size + 1, self.number), pa.int32())
        return pa.ListArray.from_arrays(offsets, values.view(pa.int64()))


def _mixed(values: pa.Array) -> pa.Array:
    """Numbers whose bits all depend on all bits: the last steps of splitmix64."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        shifted = pc.shift_right(values, pa.scalar(shift, pa.uint64()))
        values = pc.multiply(pc.bit_wise_xor(values, shifted), pa.scalar(factor, pa.uint64()))
    return pc.bit_wise_xor(values, pc.shift_right(values, pa.scalar(31, pa.uint64())))


def _packed(held: list[pa.RecordBatch], divided: int, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """A row for each part, with all values of bands that are in it: rows of one value each would be far more work."""
    table = pa.Table.from_batches(held)
    lists = table["values"].combine_chunks()
    values = lists.flatten()
    nodes = table["node"].combine_chunks().take(pc.list_parent_indices(lists))
    part = pc.bit_wise_and(values, divided - 1)
    by_part = pa.table({"part": part, "values": values, "nodes": nodes}).group_by("part", use_threads=False)
    made = by_part.aggregate([("values", "list"), ("nodes", "list")])
    columns = [made["part"], made["values_list"], made["nodes_list"]]
    for batch in pa.table(columns, names=schema.names).cast(schema).to_batches():
        yield from pieces(batch)


def _members(held: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The groups of values: the companions that have a value in common, where there are several."""
    values, nodes = held["number"], held["companion"]
    counts = pc.value_counts(values)
    several = counts.field("values").filter(pc.greater(counts.field("counts"), 1))
    largest = pc.max(counts.field("counts")).as_py() or 0
    if largest > MOST_IN_BAND:
        raise LimitError(
            f"{largest} sketches agree in one band, more than the {MOST_IN_BAND} that a task holds: "
            "drop what the documents all repeat first, or raise the threshold"
        )
    shared = pc.is_in(values, value_set=several)
    found = pa.table({"value": values.filter(shared), "node": nodes.filter(shared)})
    # In one order, so that groups of the same members are equal.
    ordered = found.sort_by([("node", "ascending")]).group_by("value", use_threads=False)
    members = pa.table([ordered.aggregate([("node", "list")])["node_list"]], names=schema.names)
    for batch in members.cast(schema).to_batches():
        yield from pieces(batch)


def _numbers(bands: str) -> tuple[int, int]:
    number, _, rows = bands.partition("x")
    if not (number.isdigit() and rows.isdigit() and 0 < int(number) * int(rows) <= POSITIONS):
        raise InvalidInputError(f"bands are two numbers such as 42x3, of 128 positions at most, not {bands!r:.40}")
    return int(number), int(rows)
