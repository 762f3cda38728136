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
from nearprint.spark._batches import pieces, whole
from nearprint.spark._schema import arrow_schema, schema_of
from nearprint.spark._task import Batches, checked
from pyspark.sql import functions as fn
from pyspark.sql.types import ArrayType, LongType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BYTES = 256
"""Bytes of a sketch: 128 positions of two."""

PARTS = 1 << 12
"""Parts that the values of bands are divided into, at least; a task takes some of them."""

MOST_PACKED = 1 << 20
"""Values of bands that a task holds before it sends them on: 16 MB."""

MOST_IN_BAND = 1_000_000
"""Sketches of a group, at most: 256 MB that one task holds."""


def in_groups(prints: DataFrame, bands: str) -> DataFrame:
    """Sketches in partitions, so that any two that agree in a band are in one of them.

    Args:
        prints: `node`, a hash of the id, `bits` (not null), and what else is wanted. Equal hashes of two ids do no harm.
        bands: The bands, such as "32x4".

    Returns:
        The columns of `prints`, a row for each group that a sketch is in. Sketches that agree with none are left out.
    """
    return prints.join(agreeing(prints, bands), "node").repartition("group").drop("group")


def agreeing(prints: DataFrame, bands: str) -> DataFrame:
    """`group` and `node`: the members of each group of sketches that agree in a band. Groups of the same members are one."""
    number, rows = _numbers(bands)
    width = rows * BYTES // 128
    values = [fn.xxhash64(fn.lit(band), fn.substring("bits", band * width + 1, width)) for band in range(number)]
    tasks = int(prints.sparkSession.conf.get("spark.sql.shuffle.partitions", "200") or 200)
    parts = max(PARTS, 1 << (8 * tasks).bit_length())
    longs = ArrayType(LongType(), containsNull=False)
    packed = schema_of(("part", "integer"), ("values", longs), ("nodes", longs))
    packed_arrow, members = arrow_schema(packed), schema_of(("members", longs))
    members_arrow = arrow_schema(members)

    def pack(batches: Batches) -> Batches:
        held: list[pa.RecordBatch] = []
        count = 0
        for batch in batches:
            held.append(batch)
            count += batch.num_rows * number
            if count >= MOST_PACKED:
                yield from _packed(held, parts, packed_arrow)
                held, count = [], 0
        if held:
            yield from _packed(held, parts, packed_arrow)

    def group(batches: Batches) -> Batches:
        held = whole(batches)
        if held is not None:
            yield from _members(held, members_arrow)

    columns = prints.select("node", fn.array(*values).alias("values"))
    sent = columns.mapInArrow(checked(pack), packed).repartition("part")
    found = sent.mapInArrow(checked(group), members).dropDuplicates(["members"])
    return found.select(fn.xxhash64("members").alias("group"), fn.explode("members").alias("node"))


def _packed(held: list[pa.RecordBatch], parts: int, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """A row for each part, with all values of bands that are in it: rows of one value each would be far more work."""
    table = pa.Table.from_batches(held)
    lists = table["values"].combine_chunks()
    values = lists.flatten()
    nodes = table["node"].combine_chunks().take(pc.list_parent_indices(lists))
    part = pc.bit_wise_and(values, parts - 1)
    by_part = pa.table({"part": part, "values": values, "nodes": nodes}).group_by("part", use_threads=False)
    made = by_part.aggregate([("values", "list"), ("nodes", "list")])
    columns = [made["part"], made["values_list"], made["nodes_list"]]
    for batch in pa.table(columns, names=schema.names).cast(schema).to_batches():
        yield from pieces(batch)


def _members(held: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The groups of a partition: the nodes that have a value in common, where there are several."""
    values, nodes = (pa.chunked_array([chunk.flatten() for chunk in held[name].chunks]) for name in ("values", "nodes"))
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
    if not (number.isdigit() and rows.isdigit() and 0 < int(number) * int(rows) <= BYTES // 2):
        raise InvalidInputError(f"bands are two numbers such as 42x3, of 128 positions at most, not {bands!r:.40}")
    return int(number), int(rows)
