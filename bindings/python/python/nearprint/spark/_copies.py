"""Documents with equal texts, collapsed to the first of each before candidates are looked for.

The commonest skew of the web is one page a million times. What the core decides about a text, it decides about all copies of
it: where the first is kept, the others are dropped for it; where the first is dropped, the others are too, for the same reason.
So copies need no sketch that is compared, no component and no task that holds their texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as fn
from pyspark.sql.types import DoubleType, FloatType

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def repeats(documents: DataFrame, ranks: Sequence[str], *, descending: bool) -> DataFrame:
    """The documents whose text another one has too, each with the first of them in the order of `_dedup`.

    Args:
        documents: `id`, `text`, `reference`, and the columns that put documents in order. Empty texts are no copies.
        ranks: The names of these columns. Null is last; of equal ones the id decides.
        descending: Whether the first of these columns puts the greatest first.

    Returns:
        `id`, `reference` and `first`, the id of the first, which is itself such a document. References are among themselves.
    """
    order: list[Column] = []
    for at, name in enumerate(ranks):
        column = fn.col(name)
        order.append(column.isNull().asc())
        if isinstance(documents.schema[name].dataType, FloatType | DoubleType):
            # Arrow sorts what is no number to the end, in both directions.
            order.append(fn.isnan(column).asc())
        order.append(column.desc() if descending and at == 0 else column.asc())
    alike = Window.partitionBy("digest", "reference").orderBy(*order, fn.col("id").asc())
    # By all bits of a digest that nobody can make collide: texts are not compared again.
    digests = documents.where(fn.length("text") > 0).withColumn("digest", fn.sha2(fn.col("text").cast("binary"), 256))
    placed = digests.select(
        "id",
        "reference",
        fn.first("id").over(alike).alias("first"),
        (fn.row_number().over(alike) > 1).alias("later"),
        fn.lead(fn.lit(True), 1, False).over(alike).alias("more"),
    )
    return placed.where(fn.col("later") | fn.col("more")).select("id", "reference", "first")


def without_copies(rows: DataFrame, repeated: DataFrame) -> DataFrame:
    """The rows of documents that are no copy of an earlier one.

    Args:
        rows: Rows with `id` and `reference`.
        repeated: What `repeats` gives.
    """
    return rows.join(_later(repeated), ["id", "reference"], "left_anti")


def firsts(documents: DataFrame, repeated: DataFrame, most: int) -> DataFrame | None:
    """The documents without copies, before anything is made of their texts. None where there are more copies than `most`.

    Args:
        documents: Rows with `id` and `reference`, and texts, which are not shuffled for this.
        repeated: What `repeats` gives.
        most: Copies that every executor may hold.
    """
    later = _later(repeated)
    if later.limit(most + 1).count() > most:
        return None
    return documents.join(fn.broadcast(later), ["id", "reference"], "left_anti")


def _later(repeated: DataFrame) -> DataFrame:
    return repeated.where(fn.col("id") != fn.col("first")).select("id", "reference")


def with_copies(decided: DataFrame, repeated: DataFrame) -> DataFrame:
    """The decisions about all documents.

    Args:
        decided: Those about the first of each text, as `dedup` returns them.
        repeated: What `repeats` gives.
    """
    members = repeated.where(~fn.col("reference")).select(fn.col("id").alias("member"), "first")
    rows = decided.join(members, fn.col("id") == fn.col("first"), "left")
    # Without a member the text is there once.
    several, kept = fn.col("member").isNotNull(), fn.col("decision") == "keep"
    copy = several & (fn.col("member") != fn.col("id"))
    stands = several & kept & ~copy
    reason = (
        fn.when(copy & kept, "same-bytes")
        .when(stands & (fn.col("reason") != "contradicts"), "representative")
        .otherwise(fn.col("reason"))
    )
    return rows.select(
        fn.coalesce("member", "id").alias("id"),
        fn.when(copy, "drop").otherwise(fn.col("decision")).alias("decision"),
        reason.alias("reason"),
        fn.when(several & kept, fn.col("id")).otherwise(fn.col("representative")).alias("representative"),
        fn.when(copy & kept, 1.0).otherwise(fn.col("similarity")).alias("similarity"),
        "failure",
    )
