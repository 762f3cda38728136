"""Pairs of sketches that agree in a band, found by the Rust core in partitions of bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
from nearprint.errors import InvalidInputError
from nearprint.spark._batches import returned, whole
from nearprint.spark._schema import arrow_schema, schema_of, type_of
from nearprint.spark._task import Batches, checked, cores
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BYTES = 256
"""Bytes of a sketch: 128 positions of two."""

PARTS = 1 << 12
"""Parts that the values of bands are divided into; a task takes some of them."""


def sketch_pairs(prints: DataFrame, *, k: int, bands: str) -> DataFrame:
    """All pairs of sketches that agree in a band and differ in k positions at most: `a`, `b` (a < b), `distance`."""
    kind = type_of(prints, "id")
    schema = schema_of(("a", kind), ("b", kind), ("distance", "integer"))
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        held = once(whole(batches))
        if held is None:
            return
        sketches = held["bits"].cast(pa.binary(BYTES))
        near = nearprint.pairs(
            sketches.combine_chunks(), scheme="md1", k=k, bands=bands, max_pairs=None, threads=cores()
        )
        found = near.to_arrow()
        columns = [held["id"].take(found["a"]), held["id"].take(found["b"]), found["distance"].cast(pa.int32())]
        yield from returned(pa.table(columns, names=arrow.names), arrow)

    found = in_parts(prints, bands).mapInArrow(checked(work), schema)
    ordered = found.select(fn.least("a", "b").alias("a"), fn.greatest("a", "b").alias("b"), "distance")
    # Two that agree in several bands may meet in several tasks.
    return ordered.dropDuplicates(["a", "b"])


def in_parts(prints: DataFrame, bands: str) -> DataFrame:
    """Sketches in partitions, so that any two that agree in a band are in one of them: `id`, `bits`."""
    number, rows = _bands(bands)
    width = rows * BYTES // 128
    values = [fn.xxhash64(fn.lit(band), fn.substring("bits", band * width + 1, width)) for band in range(number)]
    parts = fn.array_distinct(fn.array(*[fn.pmod(value, fn.lit(PARTS)).cast("int") for value in values]))
    with_bits = prints.where(fn.col("bits").isNotNull())
    return with_bits.select("id", "bits", fn.explode(parts).alias("part")).repartition("part").select("id", "bits")


def _bands(bands: str) -> tuple[int, int]:
    number, _, rows = bands.partition("x")
    if not (number.isdigit() and rows.isdigit() and 0 < int(number) * int(rows) <= BYTES // 2):
        raise InvalidInputError(f"bands are two numbers such as 42x3, of 128 positions at most, not {bands!r:.40}")
    return int(number), int(rows)


def once(held: pa.Table | None) -> pa.Table | None:
    """Each row once: it comes for every one of its bands."""
    if held is None:
        return None
    numbered = pa.table({"id": held["id"], "at": pa.array(range(len(held)), pa.int64())})
    first = numbered.group_by("id", use_threads=False).aggregate([("at", "min")])
    return held.take(first["at_min"])
