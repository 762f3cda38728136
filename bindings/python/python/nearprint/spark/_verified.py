"""Pairs of documents whose texts are similar, as the command `nearprint pairs` finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nearprint
import pyarrow as pa
from nearprint._names import refuse_old_arguments
from nearprint._nearprint import resolved
from nearprint.errors import InvalidInputError
from nearprint.spark._batches import returned
from nearprint.spark._groups import grouped
from nearprint.spark._homes import numbered
from nearprint.spark._memory import cores
from nearprint.spark._runs import held_bytes, runs
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
        df: The documents, of unique ids. Without `workdir` it is read four times: write it first where it takes work.
        id_field: The column with the ids.
        text_field: The column with the texts.
        workdir: A directory that all executors reach, for what is made on the way, in a folder of its own; it stays
            there.
        options: The options of the question `pairs` (docs/OPTIONS.md), with its defaults, such as `threshold`, `measure` and
            `bands`. The lower the threshold is, the more documents are connected by candidates, and all that are connected
            are compared in one task. `max_pairs` bounds the pairs of equal sketches, which are counted first, and those that
            one call of a task finds. Where the command chooses bands by the number of documents (`wd1`, cosine), they must
            be named.

    Returns:
        `a`, `b` (ids, a < b), `distance` of the sketches, `similarity`, `evidence`, `duplicate` and `distinct` as the
        command's. Each pair comes once.

    Raises:
        InvalidInputError: Where bands must be named, an option makes no sense, or no texts would be compared.
        LimitError: Where more documents are connected than a task may hold, or there are more pairs than `max_pairs`.
    """
    refuse_old_arguments(options, OLD_ARGUMENTS)
    for name, why in REFUSED.items():
        if name in options:
            raise InvalidInputError(f"{name}: {why}")
    asked = resolved("pairs", **options)
    if asked["candidates"] is None:
        raise InvalidInputError("no texts would be compared: nearprint.spark.pairs compares fingerprints alone")
    question = asked["question"]
    stages = Stages(df.sparkSession, own_folder(workdir))
    documents = df.select(
        df[id_field].alias("id"),
        text_column(df, text_field).alias("text"),
        fn.lit(False).alias("reference"),
    )
    if stages.folder is not None:
        documents = stages.kept("documents", lambda: numbered(documents))
    else:
        documents = documents.withColumn("node", fn.xxhash64("reference", "id"))
    groups = grouped(documents, asked["candidates"], most_pairs=question["max_pairs"], stages=stages)
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
    most_held = held_bytes(df.sparkSession)

    def work(batches: Batches) -> Batches:
        for run in runs(batches, "component", most_held):
            texts = run["text"].cast(pa.large_string())
            found = nearprint.pairs(texts=texts, threads=cores(), **question).to_arrow()
            ids = [run["id"].take(found[name].cast(pa.string()).cast(pa.int64())) for name in ("a", "b")]
            rest = [found[name].cast(arrow.field(name).type) for name in arrow.names[2:]]
            yield from returned(pa.table([*ids, *rest], names=arrow.names), arrow)

    found = groups.together.mapInArrow(checked(work), schema)
    return found.select(fn.least("a", "b").alias("a"), fn.greatest("a", "b").alias("b"), *schema.names[2:])
