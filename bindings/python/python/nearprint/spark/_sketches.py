"""Pairs of sketches that agree in a band, found by the Rust core in partitions of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
from nearprint.spark._bands import BYTES, in_groups
from nearprint.spark._batches import returned
from nearprint.spark._memory import cores
from nearprint.spark._runs import held_bytes, runs
from nearprint.spark._schema import arrow_schema, schema_of, type_of
from nearprint.spark._task import Batches, checked
from nearprint.spark._width import bounded
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def sketch_pairs(prints: DataFrame, *, k: int, bands: str) -> DataFrame:
    """All pairs of sketches that agree in a band and differ in k positions at most: `a`, `b` (a < b), `distance`."""
    kind = type_of(prints, "id")
    schema = schema_of(("a", kind), ("b", kind), ("distance", "integer"))
    arrow = arrow_schema(schema)
    most_held = held_bytes(prints.sparkSession)

    def work(batches: Batches) -> Batches:
        for run in runs(batches, "group", most_held):
            held = once(run, "id")
            sketches = held["bits"].cast(pa.binary(BYTES))
            near = nearprint.pairs(
                sketches.combine_chunks(), scheme="md1", k=k, bands=bands, max_pairs=None, threads=cores()
            )
            found = near.to_arrow()
            columns = [held["id"].take(found["a"]), held["id"].take(found["b"]), found["distance"].cast(pa.int32())]
            yield from returned(pa.table(columns, names=arrow.names), arrow)

    sketches = prints.where(fn.col("bits").isNotNull()).select(fn.xxhash64("id").alias("node"), "id", "bits")
    found = in_groups(sketches, bands).select("group", "id", "bits").mapInArrow(checked(work), schema)
    ordered = found.select(fn.least("a", "b").alias("a"), fn.greatest("a", "b").alias("b"), "distance")
    # Two that are in several groups may meet in several tasks.
    return bounded(ordered, "a", "b").dropDuplicates(["a", "b"])


def once(held: pa.Table, *columns: str) -> pa.Table:
    """Each row once by these columns: a sketch comes for every group that it is in."""
    numbered = held.select(columns).append_column("at", pa.array(range(len(held)), pa.int64()))
    first = numbered.group_by(list(columns), use_threads=False).aggregate([("at", "min")])
    return held.take(first["at_min"])
