"""Pairs of a table's blocks by Spark's own join, with nothing installed on the executors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nearprint.spark._tables import Table, signed
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

MOST_IN_BLOCK = 2_000
"""Rows of a block: all of them are compared with one another, one by one."""


def sql_pairs(rows: DataFrame, known: list[Table], k: int, *, two_sets: bool) -> DataFrame:
    """The same as `core_pairs`."""
    left, right = rows, rows
    if two_sets:
        left, right = rows.where(fn.col("side") == 0), rows.where(fn.col("side") == 1)

    def named(side: DataFrame, name: str) -> DataFrame:
        return side.select("table", "key", fn.col("bits").alias(f"bits_{name}"), fn.col("id").alias(name))

    # A broadcast of all fingerprints is never what is wanted here, whatever their estimated size.
    met = named(left, "a").join(named(right, "b").hint("SHUFFLE_HASH"), ["table", "key"])
    differs = fn.col("bits_a").bitwiseXOR(fn.col("bits_b"))
    distance = fn.bit_count(differs)
    near = met.where(distance <= k)
    if not two_sets:
        near = near.where(fn.col("bits_a") < fn.col("bits_b"))
    return near.where(_holds(known, differs)).select(
        "bits_a", "bits_b", "a", "b", distance.cast("int").alias("distance")
    )


def _holds(known: list[Table], differs: Column) -> Column:
    """Whether a pair belongs to its table: it differs in the bits of all tables before."""

    def masks(table: Table) -> Column:
        return fn.array(*[fn.lit(signed(mask)).cast("long") for mask in table.before]).cast("array<bigint>")

    # Data and not conditions: there may be hundreds of tables, and generated code has its limits.
    before = fn.element_at(fn.array(*[masks(table) for table in known]), fn.col("table") + 1)
    return fn.forall(before, lambda mask: differs.bitwiseAND(mask) != 0)
