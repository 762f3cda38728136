"""What a task knows of itself: the cores and the memory it may use, and that its nearprint is the driver's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
from nearprint.errors import InvalidInputError
from pyspark import TaskContext

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Batches = Iterator[pa.RecordBatch]


def cores() -> int:
    """Cores of this task: `spark.task.cpus`."""
    context = TaskContext.get()
    return context.cpus() if context is not None else 1


def memory() -> dict[str, int]:
    """The options by which reading stays within the Python memory of this task; none where it is not limited.

    Spark divides `spark.executor.pyspark.memory` among the cores of an executor. Half of a share is for the processes that
    read heavy documents, a quarter for what is held of documents, and the rest is for Python.
    """
    share = int(os.environ.get("PYSPARK_EXECUTOR_MEMORY_MB") or 0) << 20
    return {"memory": share // 4, "worker_memory": share // 2 // cores()} if share > 0 else {}


def checked(work: Callable[[Batches], Batches]) -> Callable[[Batches], Batches]:
    """The same work, which refuses its first batch where the executor has another version of nearprint."""
    driver = nearprint.__version__

    def task(batches: Batches) -> Batches:
        if nearprint.__version__ != driver:
            raise InvalidInputError(
                f"the driver has nearprint {driver} and an executor has {nearprint.__version__}: "
                "install the same version on both (docs/SPARK.md)"
            )
        return work(batches)

    return task


def executors_have_nearprint(spark: SparkSession) -> bool:
    """Whether a task can import nearprint; asked by a task of one row."""

    def work(batches: Batches) -> Batches:
        import importlib.util

        for batch in batches:
            found = importlib.util.find_spec("nearprint") is not None
            yield pa.RecordBatch.from_arrays([pa.array([found] * batch.num_rows)], names=["found"])

    # By value, as this module may be what the executor lacks.
    work.__module__ = "__main__"
    try:
        row = spark.range(1).mapInArrow(work, "found boolean").first()
    except Exception:  # The classes of Spark's errors differ between Connect and the others.
        return False
    return row is not None and bool(row["found"])
