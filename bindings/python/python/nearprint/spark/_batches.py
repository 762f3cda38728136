"""Sizes of Arrow batches: those that Spark hands to a task, and those that a task hands back.

Spark 3.5 bounds the rows of a batch only, Spark 4 its bytes too, and a column of Arrow ends at 2 GiB. So both are set
here, and what a task returns is cut again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS = "spark.nearprint.batch.rows"
"""The setting for rows of a batch, at most."""

MOST_ROWS = 512
"""Its default: 512 documents of 1 MB are half a GiB."""

BYTES = "spark.nearprint.batch.bytes"
"""The setting for bytes of a batch that Spark 4 hands to a task, at most; Spark 3.5 has no such bound."""

MOST_BYTES = 16 << 20
"""Its default, and the bytes of a batch that a task returns, at most, unless one row has more."""


def bound_batches(df: DataFrame) -> None:
    """Sets how much of a frame with documents Spark hands to a task at once, for its whole session."""
    conf = df.sparkSession.conf
    conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", conf.get(ROWS, str(MOST_ROWS)) or str(MOST_ROWS))
    if not df.sparkSession.version.startswith("3."):
        conf.set("spark.sql.execution.arrow.maxBytesPerBatch", conf.get(BYTES, str(MOST_BYTES)) or str(MOST_BYTES))


def pieces(batch: pa.RecordBatch, most_bytes: int = MOST_BYTES) -> Iterator[pa.RecordBatch]:
    """The batch in pieces of so many bytes at most; one row is never divided."""
    if batch.num_rows <= 1 or batch.nbytes <= most_bytes:
        yield batch
        return
    half = batch.num_rows // 2
    yield from pieces(batch.slice(0, half), most_bytes)
    yield from pieces(batch.slice(half), most_bytes)


def whole(batches: Iterator[pa.RecordBatch]) -> pa.Table | None:
    """All rows of a partition as one table; None where it has none."""
    held = [batch for batch in batches if batch.num_rows]
    return pa.Table.from_batches(held) if held else None


def returned(table: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of a table as batches of this schema, small enough to return."""
    for batch in table.cast(schema).to_batches():
        yield from pieces(batch)
