"""How wide the stages of a plan are: as many tasks as the session says, up to a bound.

Two stages of m and n tasks exchange m x n blocks, and the driver holds a record of each of the m. With a task for every 64 MB,
10^10 documents would exchange 5.6 x 10^10 blocks. So stages stop growing at `MOST_TASKS`, and tasks then have more rows. They
hold a piece of them at a time (`_runs`), never the whole. `_plan` counts with the same functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MOST_TASKS = 4096
"""Tasks of a stage, at most: two such stages exchange 1.7 x 10^7 blocks."""

SETTING = "spark.sql.shuffle.partitions"
"""The setting for tasks of a stage."""

USUAL = 200
"""Its default."""

LEAST_PARTS = 1 << 10
"""Parts that the values of bands are divided into, at least: a row of a pack of 2^20 values has 16 KB."""

MOST_PARTS = 1 << 14
"""Parts, at most: a row of such a pack still has 64 values."""


def asked_width(spark: SparkSession) -> int:
    """The tasks of a stage that the session asks for."""
    said = str(spark.conf.get(SETTING, str(USUAL)))
    # Some services choose by themselves.
    return int(said) if said.isdigit() and int(said) > 0 else USUAL


def width(asked: int) -> int:
    """The tasks of a stage where so many are asked for."""
    return min(asked, MOST_TASKS)


def parts(asked: int) -> int:
    """The parts that values are divided into, a power of two: several for each task, so that tasks have similar numbers."""
    return max(LEAST_PARTS, min(MOST_PARTS, 1 << (8 * width(asked) - 1).bit_length()))


def narrowed(rows: DataFrame) -> DataFrame:
    """The same rows, read by no more tasks than a stage may have."""
    return rows.coalesce(MOST_TASKS)


def gathered(rows: DataFrame, *keys: str) -> DataFrame:
    """The rows so that those of equal keys are in one partition."""
    # Without a number Spark joins partitions that are small.
    return rows.repartition(*keys) if _is_bounded(rows) else rows.repartition(MOST_TASKS, *keys)


def bounded(rows: DataFrame, *keys: str) -> DataFrame:
    """The rows, for a join or an aggregation by keys, which Spark would make as wide as the session says."""
    return rows if _is_bounded(rows) else rows.repartition(MOST_TASKS, *keys)


def _is_bounded(rows: DataFrame) -> bool:
    return asked_width(rows.sparkSession) <= MOST_TASKS
