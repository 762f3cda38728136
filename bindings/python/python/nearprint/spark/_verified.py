"""Pairs of documents whose texts are similar, as the command `nearprint pairs` finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nearprint
import pyarrow as pa
from nearprint._names import refuse_old_arguments
from nearprint._nearprint import resolved
from nearprint.errors import InvalidInputError
from nearprint.spark._batches import returned, whole
from nearprint.spark._groups import grouped
from nearprint.spark._memory import cores
from nearprint.spark._schema import OLD_ARGUMENTS, arrow_schema, schema_of, text_column, type_of
from nearprint.spark._stages import Stages, own_folder
from nearprint.spark._task import Batches, checked
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


REFUSED = {
    "recall": "the bands would depend on the number of documents: name them",
    "equal": "texts are compared, so all pairs are",
    "passages": "rows have no passages here",
    "max_pairs": "count the rows instead",
    "whole_buckets": "a component is compared whole where it is in one task",
}
"""Options of the question that are of no use here, and why."""


def verified_pairs(
    df: DataFrame,
    *,
    id_field: str = "id",
    text_field: str = "text",
    workdir: str | None = None,
    **options: Any,
) -> DataFrame:
    """All pairs of documents whose texts are similar: candidates by sketches, compared exactly.

    Args:
        df: The documents, of unique ids. It is read three times: write it first where it takes work.
        id_field: The column with the ids.
        text_field: The column with the texts.
        workdir: A directory that all executors reach, for what is made on the way, in a folder of its own; it stays
            there.
        options: The options of the question `pairs` (docs/OPTIONS.md), with its defaults, such as `threshold`, `measure` and
            `bands`. The lower the threshold is, the more documents are connected by candidates, and all that are connected
            are compared in one task. Where the command chooses bands by the number of documents (`wd1`, cosine), they must
            be named.

    Returns:
        `a`, `b` (ids, a < b), `distance` of the sketches, `similarity`, `evidence`, `duplicate` and `distinct` as the
        command's. Each pair comes once.

    Raises:
        InvalidInputError: Where bands must be named, an option makes no sense, or no texts would be compared.
        LimitError: Where more documents are connected than a task may hold.
    """
    refuse_old_arguments(options, OLD_ARGUMENTS)
    for name, why in REFUSED.items():
        if name in options:
            raise InvalidInputError(f"{name}: {why}")
    asked = resolved("pairs", **options)
    if asked["candidates"] is None:
        raise InvalidInputError("no texts would be compared: nearprint.spark.pairs compares fingerprints alone")
    question = {**asked["question"], "max_pairs": None}
    documents = df.select(
        fn.xxhash64(df[id_field]).alias("node"),
        df[id_field].alias("id"),
        text_column(df, text_field).alias("text"),
        fn.lit(False).alias("reference"),
    )
    stages = Stages(df.sparkSession, own_folder(workdir))
    groups = grouped(documents, asked["candidates"], stages=stages)
    kind = type_of(documents, "id")
    schema = schema_of(
        ("a", kind),
        ("b", kind),
        ("distance", "integer"),
        ("similarity", "double"),
        ("evidence", "boolean"),
        ("duplicate", "boolean"),
        ("distinct", "string"),
    )
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        held = whole(batches)
        if held is None:
            return
        texts = held["text"].cast(pa.large_string())
        found = nearprint.pairs(texts=texts, threads=cores(), **question).to_arrow()
        ids = [held["id"].take(found[name].cast(pa.string()).cast(pa.int64())) for name in ("a", "b")]
        rest = [found[name].cast(arrow.field(name).type) for name in arrow.names[2:]]
        columns = [*ids, *rest]
        yield from returned(pa.table(columns, names=arrow.names), arrow)

    found = groups.together.mapInArrow(checked(work), schema)
    return found.select(fn.least("a", "b").alias("a"), fn.greatest("a", "b").alias("b"), *schema.names[2:])
