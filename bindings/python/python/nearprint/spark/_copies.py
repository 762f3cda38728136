"""Documents with equal texts, collapsed to the first of each before candidates are looked for.

The commonest skew of the web is one page a million times. What the core decides about a text, it decides about all copies of
it: where the first is kept, the others are dropped for it; where the first is dropped, the others are too, for the same reason.
So copies need no sketch that is compared, no component and no task that holds their texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nearprint.spark._width import bounded
from pyspark.sql import Window
from pyspark.sql import functions as fn
from pyspark.sql.types import DoubleType, FloatType

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def repeats(documents: DataFrame, ranks: Sequence[str], *, descending: bool) -> DataFrame:
    """The documents whose text another one has too, each with the first of them in the order of `_dedup`.

    Args:
        documents: `node`, `id`, `text`, `reference`, and the columns that put documents in order. Empty texts are no copies.
        ranks: The names of these columns. Null is last; of equal ones the id decides.
        descending: Whether the first of these columns puts the greatest first.

    Returns:
        `node`, `id`, `reference` and `first`, the id of the first, which is itself such a document. References are among
        themselves.
    """
    order: list[Column] = []
    for at, name in enumerate(ranks):
        column = fn.col(name)
        order.append(column.isNull().asc())
        if isinstance(documents.schema[name].dataType, FloatType | DoubleType):
            # Arrow sorts what is not a number to the end, in both directions.
            order.append(fn.isnan(column).asc())
        order.append(column.desc() if descending and at == 0 else column.asc())
    alike = Window.partitionBy("digest", "reference").orderBy(*order, fn.col("id").asc())
    # By all bits of a digest that nobody can make collide: texts are not compared again.
    digest = fn.unhex(fn.sha2(fn.col("text").cast("binary"), 256))
    solid = documents.where(fn.length("text") > 0).withColumn("digest", digest).drop("text")
    placed = bounded(solid, "digest", "reference").select(
        "node",
        "id",
        "reference",
        fn.first("id").over(alike).alias("first"),
        (fn.row_number().over(alike) > 1).alias("later"),
        fn.lead(fn.lit(True), 1, False).over(alike).alias("more"),
    )
    return placed.where(fn.col("later") | fn.col("more")).select("node", "id", "reference", "first")


def later(repeated: DataFrame) -> DataFrame:
    """`node`, `id` and `reference` of the documents that are a copy of an earlier one.

    Args:
        repeated: What `repeats` gives.
    """
    return repeated.where(fn.col("id") != fn.col("first")).select("node", "id", "reference")


def unlike(rows: DataFrame, copies: DataFrame) -> DataFrame:
    """The rows, which have `id` and `reference`, of documents that are no copies.

    Args:
        rows: Rows with `id` and `reference`. By these, as the hashes of two may be the same.
        copies: What `later` gives.
    """
    key = ["id", "reference"]
    return bounded(rows, *key).join(bounded(copies.select(*key), *key), key, "left_anti")


def with_copies(decided: DataFrame, repeated: DataFrame) -> DataFrame:
    """The decisions about all documents.

    Args:
        decided: Those about the first of each text, as `dedup` returns them, and `node`.
        repeated: What `repeats` gives.
    """
    references = fn.col("reference")
    members = repeated.where(~references).select(fn.col("id").alias("member"), fn.col("node").alias("number"), "first")
    rows = bounded(decided, "id").join(bounded(members, "first"), fn.col("id") == fn.col("first"), "left")
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
        fn.coalesce("number", "node").alias("node"),
        fn.coalesce("member", "id").alias("id"),
        fn.when(copy, "drop").otherwise(fn.col("decision")).alias("decision"),
        reason.alias("reason"),
        fn.when(several & kept, fn.col("id")).otherwise(fn.col("representative")).alias("representative"),
        fn.when(copy & kept, 1.0).otherwise(fn.col("similarity")).alias("similarity"),
        "failure",
    )
