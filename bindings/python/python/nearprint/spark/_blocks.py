"""Fingerprints under the keys of their tables, with heavy blocks split to finer keys."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from nearprint.errors import LimitError
from nearprint.spark._tables import Table, signed, tables
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

MOST_SPLITS = 3
"""How often a block is split. Three times leave few of the 64 bits; what is heavy then is searched as it is."""

MOST_HEAVY = 1_000_000
"""Heavy blocks that the driver holds, at most."""


def keyed(prints: DataFrame, k: int, number: int, most: int) -> tuple[DataFrame, list[Table]]:
    """Each row once for each of its tables, with the columns `table` (a number) and `key` (the bits in common).

    The sizes of all blocks are counted first. A block of more than `most` rows is split, and its parts again.

    Args:
        prints: Rows with the column `bits`.
        k: The distance of pairs, in bits.
        number: The number of rows, from which the first tables are chosen.
        most: Rows of a block, at most.

    Returns:
        The rows, and the tables that they are numbered by.

    Raises:
        LimitError: Where there are too many heavy blocks to hold on the driver.
    """
    first = tables(k)
    # All blocks would be heavy, without any skew: then all are split, without counting.
    while number >> _fewest_bits(first) > most // 2 and all(table.split(k) for table in first):
        first = [part for table in first for part in table.split(k)]
    known = list(first)
    rows = _exploded(prints, fn.array(*[_key(at, table) for at, table in enumerate(known)]))
    done: list[DataFrame] = []
    columns = rows.columns
    for _ in range(MOST_SPLITS):
        counted = rows.groupBy("table", "key").count().where(fn.col("count") > most).select("table", "key")
        heavy = [(row["table"], row["key"]) for row in counted.limit(MOST_HEAVY + 1).collect()]
        if len(heavy) > MOST_HEAVY:
            raise LimitError(
                f"more than {MOST_HEAVY} blocks of fingerprints have more than {most} rows: raise most_in_block"
            )
        parts = {at: known[at].split(k) for at in sorted({table for table, _ in heavy})}
        heavy = [block for block in heavy if parts[block[0]]]
        if not heavy:
            break
        blocks = fn.broadcast(rows.sparkSession.createDataFrame(heavy, "table int, key long"))
        done.append(rows.join(blocks, ["table", "key"], "left_anti").select(*columns))
        finer: Column | None = None
        for at, split in parts.items():
            if not split:
                continue
            keys = fn.array(*[_key(len(known) + part, table) for part, table in enumerate(split)])
            known += split
            finer = fn.when(fn.col("table") == at, keys) if finer is None else finer.when(fn.col("table") == at, keys)
        assert finer is not None
        rows = _exploded(rows.join(blocks, ["table", "key"], "left_semi").select(*columns), finer)
    return reduce(lambda all_rows, some: all_rows.unionByName(some), done, rows), known


def _key(number: int, table: Table) -> Column:
    key = fn.col("bits").bitwiseAND(fn.lit(signed(table.mask)).cast("long"))
    return fn.struct(fn.lit(number).cast("int").alias("table"), key.alias("key"))


def _exploded(rows: DataFrame, keys: Column) -> DataFrame:
    kept = [name for name in rows.columns if name not in ("table", "key", "at")]
    return rows.select(*kept, fn.explode(keys).alias("at")).select(*kept, "at.table", "at.key")


def _fewest_bits(known: list[Table]) -> int:
    return min(table.mask.bit_count() for table in known)
