"""A partition in pieces that a task can hold, where what belongs together is in one piece."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from nearprint.spark._batches import pieces

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BYTES = "spark.nearprint.task.bytes"
"""The setting for bytes of a partition that a task holds at once, unless what belongs together has more."""

MOST_HELD = 64 << 20
"""Its default."""

PILES = 64
"""Files that a partition is divided into where it has more."""


def held_bytes(spark: SparkSession) -> int:
    """The bytes that a task holds at once."""
    said = str(spark.conf.get(BYTES, str(MOST_HELD)))
    return int(said) if said.isdigit() else MOST_HELD


def runs(batches: Iterator[pa.RecordBatch], key: str, most_bytes: int) -> Iterator[pa.Table]:
    """The rows of a partition that is sorted by a key, in tables that hold all rows of each of their keys.

    Args:
        batches: The partition.
        key: The column that it is sorted by, of whole numbers.
        most_bytes: Bytes of a table after which the next key begins another.
    """
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        for piece in pieces(batch):
            if not piece.num_rows:
                continue
            # What continues the last key still belongs to the table.
            same = pc.sum(pc.equal(piece[key], held[-1][key][-1])).as_py() if size >= most_bytes else piece.num_rows
            held.append(piece.slice(0, same))
            size += held[-1].nbytes
            if same < piece.num_rows:
                yield pa.Table.from_batches(held)
                held = [piece.slice(same)]
                size = held[0].nbytes
    if held:
        yield pa.Table.from_batches(held)


class Piles:
    """Rows of a number and a companion, divided by bits of the number; on disk where memory shall not hold them.

    Args:
        shift: Bits of the number below those that divide, in which all rows of a partition may agree.
        most_bytes: Bytes that are held in memory.
    """

    def __init__(self, shift: int, most_bytes: int) -> None:
        self.shift = shift
        self.most_bytes = most_bytes
        self.held: list[pa.Table] = []
        self.size = 0
        self.folder: TemporaryDirectory[str] | None = None
        self.files: list[pa.ipc.RecordBatchStreamWriter] = []

    def add(self, numbers: pa.Array, companions: pa.Array) -> None:
        """Takes rows."""
        rows = pa.table([numbers, companions], names=["number", "companion"])
        self.held.append(rows)
        self.size += rows.nbytes
        if self.size > self.most_bytes:
            self._spill()

    def __iter__(self) -> Iterator[pa.Table]:
        """The rows with columns `number` and `companion`: all rows of a number are in one table."""
        if self.folder is None:
            if self.held:
                yield pa.concat_tables(self.held)
            return
        self._spill()
        for file in self.files:
            file.close()
        for at in range(PILES):
            path = Path(self.folder.name) / str(at)
            with pa.OSFile(str(path)) as source:
                rows = pa.ipc.open_stream(source).read_all()
            path.unlink()
            if len(rows):
                yield rows
        self.folder.cleanup()

    def _spill(self) -> None:
        if not self.held:
            return
        rows = pa.concat_tables(self.held)
        if self.folder is None:
            self.folder = TemporaryDirectory(prefix="nearprint-", dir=_local_directory())
            self.files = [pa.ipc.new_stream(str(Path(self.folder.name) / str(at)), rows.schema) for at in range(PILES)]
        pile = pc.bit_wise_and(pc.shift_right(rows["number"], self.shift), PILES - 1)
        rows = rows.append_column("pile", pile).sort_by("pile")
        counts = {row["values"]: row["counts"] for row in pc.value_counts(rows["pile"]).to_pylist()}
        begin, rows = 0, rows.drop_columns("pile")
        for at in sorted(counts):
            self.files[at].write_table(rows.slice(begin, counts[at]))
            begin += counts[at]
        self.held, self.size = [], 0


def _local_directory() -> str | None:
    """A directory of those that Spark spills to; the system's where it names none."""
    named = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    return named if named and Path(named).is_dir() else None
