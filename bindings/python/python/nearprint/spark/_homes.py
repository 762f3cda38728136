"""Documents that stay where they are written, while what is found about them travels to them.

Texts are nearly all bytes of a collection. A join by the id would shuffle all of them, also those that nothing is known about. So
the task that writes a document gives it a number, `node`: the task's own in the upper bits, its home, and the place among its
rows in the lower. What is found is written in a folder for each home. A task that reads documents reads what was found of their
home beside them, and no text moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

import fsspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from nearprint.errors import InputOutputError
from nearprint.spark._batches import pieces
from nearprint.spark._schema import arrow_schema
from nearprint.spark._task import Batches, checked
from nearprint.spark._width import bounded, gathered, narrowed
from pyspark.sql import functions as fn
from pyspark.sql.types import LongType, StructField, StructType

if TYPE_CHECKING:
    from nearprint.spark._stages import Stages
    from pyspark.sql import Column, DataFrame

ROW_BITS = 33
"""Bits of a number below the home: those of Spark's `monotonically_increasing_id`."""

MOST_BROADCAST = 1_000_000
"""Documents whose numbers every executor holds, some 50 MB. What is found about more is read by home."""

NOTHING = -(1 << 63)
"""What stands for a document about which nothing was found; it is no number."""


def numbered(documents: DataFrame, *, references: bool = False) -> DataFrame:
    """The documents with `node`. They are to be written once and read from there: made again, they may be numbered otherwise.

    Args:
        documents: Rows without a column `node`.
        references: Whether their numbers are to differ from those of other documents: they are negative.
    """
    number: Column = fn.monotonically_increasing_id()
    return narrowed(documents).withColumn("node", fn.bitwise_not(number) if references else number)


class Findings:
    """What was found about some documents: a whole number for each.

    Args:
        labels: `node`, unique, and `name`.
        name: The column of the numbers.
        stages: Where they are written by home, if they are many.
    """

    def __init__(self, labels: DataFrame, name: str, stages: Stages) -> None:
        self.labels = labels.select("node", name)
        self.name = name
        self.number = labels.count()
        self.few = self.number <= MOST_BROADCAST
        self.path: str | None = None
        if not self.few and stages.folder is not None:
            home = fn.shiftright("node", ROW_BITS)
            by_home = labels.select("node", fn.col(name).alias("label"), home.alias("home"))
            self.path = stages.written(
                f"{name}-by-home", lambda: gathered(by_home, "home").sortWithinPartitions("home"), by="home"
            )

    def beside(self, rows: DataFrame) -> DataFrame:
        """The rows, which have `node`, with the numbers: null where nothing was found.

        Args:
            rows: Rows of which those of a home follow one another.
        """
        if self.few:
            return rows.join(fn.broadcast(self.labels), "node", "left")
        if self.path is None:
            return bounded(rows, "node").join(bounded(self.labels, "node"), "node", "left")
        schema = StructType([*rows.schema.fields, StructField(self.name, LongType())])
        return rows.mapInArrow(checked(_lookup(self.path, arrow_schema(schema))), schema)


def _lookup(path: str, schema: pa.Schema) -> Callable[[Batches], Batches]:
    def work(batches: Batches) -> Batches:
        known: dict[int, pa.Array] = {}
        for batch in batches:
            for piece in pieces(batch):
                nodes = piece["node"]
                homes = pc.shift_right(nodes, ROW_BITS)
                found = pa.nulls(len(nodes), pa.int64())
                for home in pc.unique(homes).to_pylist():
                    if home not in known:
                        # Rows of a home follow one another, so one is held.
                        known = {home: _labels(path, home)}
                    row = _rows(nodes, home)
                    mine = pc.and_(pc.equal(homes, home), pc.less(row, len(known[home])))
                    label = known[home].take(pc.if_else(mine, row, None))
                    found = pc.coalesce(found, pc.if_else(pc.equal(label, NOTHING), None, label))
                columns = [piece[field] for field in schema.names[:-1]]
                made = pa.RecordBatch.from_arrays([*columns, found], names=schema.names)
                yield made.cast(schema)

    return work


def _rows(nodes: pa.Array, home: int) -> pa.Array:
    """The places of documents among the rows of their home. Numbers of references count downwards."""
    return pc.bit_wise_and(nodes if home >= 0 else pc.bit_wise_not(nodes), (1 << ROW_BITS) - 1)


def _labels(path: str, home: int) -> pa.Array:
    """The labels of a home by the place of the document."""
    system, folder = fsspec.core.url_to_fs(path)
    if not system.exists(f"{folder}/_SUCCESS"):
        raise InputOutputError(
            f"{path} is not to be seen from this executor: name a workdir= that all executors reach, as a URL with a scheme"
        )
    below = f"{folder}/home={home}"
    files = sorted(system.ls(below, detail=False)) if system.exists(below) else []
    tables = []
    for file in files:
        if file.endswith(".parquet"):
            with system.open(file, "rb") as source:
                tables.append(pq.ParquetFile(source).read(columns=["node", "label"]))
    if not any(map(len, tables)):
        return pa.array([], pa.int64())
    held = pa.concat_tables(tables)
    rows = _rows(held["node"].combine_chunks(), home)
    dense = array("q", [NOTHING]) * (pc.max(rows).as_py() + 1)
    for row, label in zip(rows.to_pylist(), held["label"].to_pylist(), strict=True):
        dense[row] = label
    return pa.Array.from_buffers(pa.int64(), len(dense), [None, pa.py_buffer(dense)])
