"""Pairs of documents whose texts are similar, as the command `nearprint pairs` finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import nearprint
import pyarrow as pa
from nearprint.spark._batches import returned, whole
from nearprint.spark._groups import grouped
from nearprint.spark._memory import cores
from nearprint.spark._schema import arrow_schema, schema_of, type_of
from nearprint.spark._stages import Stages
from nearprint.spark._task import Batches, checked
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def verified_pairs(
    df: DataFrame,
    *,
    id: str = "id",
    text: str = "text",
    threshold: float = 0.7,
    measure: Literal["jaccard", "containment", "cosine"] = "jaccard",
    scheme: Literal["md1", "wd1"] = "md1",
    bands: str | None = None,
    workdir: str | None = None,
) -> DataFrame:
    """All pairs of documents whose texts are similar: candidates by sketches, compared exactly.

    Args:
        df: The documents, of unique ids. It is read three times: write it first where it takes work.
        id: The column with the ids.
        text: The column with the texts.
        threshold: The least similarity, 0 to 1. The lower it is, the more documents are connected by candidates, and all that
            are connected are compared in one task.
        measure: The measure of similarity.
        scheme: The scheme of the sketches that propose candidates: `wd1` suits cosine.
        bands: The bands in which candidates agree, such as "32x4". With `wd1` or cosine they must be named, as the command
            chooses these by the number of documents.
        workdir: A directory that all executors reach, for what is made on the way; it stays there.

    Returns:
        `a`, `b` (ids, a < b), `distance` of the sketches, `similarity`. Each pair comes once.

    Raises:
        InvalidInputError: Where bands must be named.
        LimitError: Where more documents are connected than a task may hold.
    """
    documents = df.select(
        fn.xxhash64(df[id]).alias("node"), df[id].alias("id"), df[text].alias("text"), fn.lit(False).alias("reference")
    )
    stages = Stages(df.sparkSession, workdir)
    groups = grouped(documents, threshold=threshold, measure=measure, scheme=scheme, bands=bands, stages=stages)
    kind = type_of(documents, "id")
    schema = schema_of(("a", kind), ("b", kind), ("distance", "integer"), ("similarity", "double"))
    arrow = arrow_schema(schema)
    # Where these are named, the core would not compare texts without being asked to.
    named: dict[str, Any] = {"verify": True, "scheme": scheme, "bands": bands} if bands else {}

    def work(batches: Batches) -> Batches:
        held = whole(batches)
        if held is None:
            return
        texts = held["text"].cast(pa.large_string())
        found = nearprint.pairs(
            texts=texts, threshold=threshold, measure=measure, max_pairs=None, threads=cores(), **named
        ).to_arrow()
        ids = [held["id"].take(found[name].cast(pa.string()).cast(pa.int64())) for name in ("a", "b")]
        columns = [*ids, found["distance"].cast(pa.int32()), found["similarity"].cast(pa.float64())]
        yield from returned(pa.table(columns, names=arrow.names), arrow)

    found = groups.together.mapInArrow(checked(work), schema)
    return found.select(fn.least("a", "b").alias("a"), fn.greatest("a", "b").alias("b"), "distance", "similarity")
