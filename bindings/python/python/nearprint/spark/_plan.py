"""What `dedup` of so many documents asks of Spark: its stages, tasks and blocks, counted without data.

The widths are those of `_width`, by which a run is made too. What is assumed of the documents is in `Collection`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from nearprint.spark._width import MOST_TASKS, USUAL, width

READ_BYTES = 128 << 20
"""Bytes of Parquet that a task reads: `spark.sql.files.maxPartitionBytes`."""

OPEN_BYTES = 4 << 20
"""Bytes that opening a file is taken to cost: `spark.sql.files.openCostInBytes`."""

EXACT_SIZES = 2000
"""Blocks of a task up to which the driver holds the size of each: `spark.shuffle.minNumPartitionsToHighlyCompress`."""

STATUS_BYTES = 200
"""Bytes of the driver for a task's record beside the sizes of its blocks, about."""


@dataclass(frozen=True)
class Collection:
    """What a plan is made for.

    Args:
        documents: How many there are.
        text_bytes: Mean bytes of a text.
        packed: Bytes of a text where it is written, for each of its bytes.
        copies: The part of documents whose text others have too.
        connected: The part of documents with candidates, copies not counted.
        rounds: Rounds of stars.
        cores: Of the cluster.
        files: Files that the documents are in; as many as tasks of 128 MB where not given.
    """

    documents: int
    text_bytes: float = 3_000
    packed: float = 0.4
    copies: float = 0.1
    connected: float = 0.3
    rounds: int = 4
    cores: int = 1_000
    files: int | None = None


@dataclass(frozen=True)
class Exchange:
    """A shuffle.

    Args:
        step: What it is part of.
        keys: What rows are brought together by.
        maps: Tasks that write it.
        reduces: Tasks that read it.
        size: Its bytes.
    """

    step: str
    keys: str
    maps: int
    reduces: int
    size: float

    @property
    def blocks(self) -> int:
        """What is fetched, each by a task from another one."""
        return self.maps * self.reduces

    @property
    def driver_bytes(self) -> int:
        """What the driver holds of it until it is cleaned: for each map task the sizes of its blocks."""
        sizes = self.reduces if self.reduces <= EXACT_SIZES else self.reduces // 8
        return self.maps * (sizes + STATUS_BYTES)


def plan(collection: Collection, partitions: int = USUAL) -> list[Exchange]:
    """The exchanges of `dedup` with a `workdir`, where nothing is small enough for the driver or a broadcast.

    Args:
        collection: What is to be decided about.
        partitions: `spark.sql.shuffle.partitions`.
    """
    return list(_exchanges(collection, width(partitions)))


def read_tasks(files: int, size: float, cores: int) -> int:
    """The tasks that read files of so many bytes together, as Spark packs them, up to the width of a stage."""
    one = size / files
    whole = size + files * OPEN_BYTES
    most = min(READ_BYTES, max(OPEN_BYTES, whole / cores))
    parts = math.ceil(one / most)
    # Spark closes a task before the file that has no room, and counts the opening of those before.
    together = max(1, math.floor((most - one) / (one + OPEN_BYTES)) + 1) if parts == 1 else 1
    return min(MOST_TASKS, math.ceil(files * parts / together))


def _exchanges(asked: Collection, n: int) -> Iterator[Exchange]:
    number, cores = asked.documents, asked.cores
    copies, labels = asked.copies * number, asked.connected * number
    texts = number * asked.text_bytes * asked.packed
    source = read_tasks(asked.files or math.ceil(texts / READ_BYTES), texts, cores)
    documents = read_tasks(source, texts, cores)
    prints = read_tasks(documents, number * PRINT, cores)
    copy = read_tasks(n, copies * COPY, cores)

    yield Exchange("ids", "id", source, n, number * ID)
    yield Exchange("ids", "(count)", n, 1, n)
    yield Exchange("copies", "digest, reference", documents, n, number * DIGEST)
    yield Exchange("copies", "(count)", copy, 1, copy)
    yield Exchange("fingerprints", "(count)", copy, 1, copy)
    yield Exchange("fingerprints", "home", copy, n, copies * LABEL)
    yield Exchange("edges", "part", prints, n, number * VALUES)
    yield Exchange("edges", "members", n, n, labels * MEMBERS)
    yield Exchange("edges", "node", n, n, labels * MEMBERS)
    yield Exchange("edges", "node", prints, n, number * SKETCH)
    yield Exchange("edges", "group", n, n, labels * GROUPS * SKETCH)
    yield Exchange("edges", "a, b", n, n, labels * GROUPS * PAIR)
    for side in ("alike", "alike"):
        yield Exchange("edges", side, prints, n, number * SHORT * PAIR)
    edges = read_tasks(2 * n, labels * PAIR, cores)
    for _ in range(asked.rounds):
        yield Exchange("components", "a", 2 * edges, n, 2 * labels * PAIR)
        for keys in ("a, b", "a", "a, b"):
            yield Exchange("components", keys, n, n, labels * PAIR)
        edges = read_tasks(n, labels * PAIR, cores)
        yield Exchange("components", "(count)", edges, 1, edges)
    yield Exchange("components", "id, cluster", edges, n, labels * PAIR)
    label = read_tasks(edges + n, labels * PAIR, cores)
    yield Exchange("decisions", "(count)", label, 1, label)
    yield Exchange("decisions", "home", label, n, labels * LABEL)
    yield Exchange("decisions", "component", prints, n, labels * LABEL)
    yield Exchange("decisions", "(largest)", n, 1, n)
    yield Exchange("decisions", "component", documents, n, labels * (asked.text_bytes * asked.packed + ID))
    yield Exchange("decisions", "id", n + prints, n, number * DECISION)
    yield Exchange("decisions", "first", copy, n, copies * COPY)


# Bytes of a row in a shuffle or in a file, and rows of a document: about as in the event log of bench/spark_plan.py.
ID = 40
DIGEST = 80
COPY = 60
LABEL = 20
PRINT = 300
VALUES = 32 * 17
MEMBERS = 20
SKETCH = 275
GROUPS = 2
PAIR = 18
SHORT = 0.02
DECISION = 60
