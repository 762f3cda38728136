"""What a task looks at before its work: that its nearprint is the driver's, and that its memory suffices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
from nearprint.errors import InvalidInputError
from nearprint.spark import _memory

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Batches = Iterator[pa.RecordBatch]


def checked(work: Callable[[Batches], Batches]) -> Callable[[Batches], Batches]:
    """The same work, which refuses its first batch where the executor has another version of nearprint or too little memory."""
    driver = _memory.Driver(nearprint.__version__)

    def task(batches: Batches) -> Batches:
        if nearprint.__version__ != driver.version:
            raise InvalidInputError(
                f"the driver has nearprint {driver.version} and an executor has {nearprint.__version__}: "
                "install the same version on both (docs/SPARK.md)"
            )
        _memory.prepare()
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
