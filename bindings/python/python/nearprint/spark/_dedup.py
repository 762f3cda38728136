"""Which documents of a frame to keep, as the command `nearprint dedup` decides it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import nearprint
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
from nearprint._names import refuse_old_arguments
from nearprint._nearprint import resolved
from nearprint._progress import Bar
from nearprint.errors import InvalidInputError
from nearprint.spark._batches import bound_batches, returned
from nearprint.spark._copies import later, repeats, with_copies
from nearprint.spark._groups import grouped
from nearprint.spark._homes import MOST_BROADCAST, numbered
from nearprint.spark._memory import cores
from nearprint.spark._runs import held_bytes, runs
from nearprint.spark._schema import OLD_ARGUMENTS, arrow_schema, schema_of, text_column, type_of
from nearprint.spark._stages import Stages, own_folder
from nearprint.spark._task import Batches, checked
from nearprint.spark._width import bounded, narrowed
from pyspark.sql import functions as fn
from pyspark.sql.types import StructType

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

Progress = Callable[[str, int, int | None], None]


def dedup(
    df: DataFrame,
    *,
    id_field: str = "id",
    text_field: str = "text",
    keep: str = "first",
    order: str | Sequence[str] | None = None,
    against: DataFrame | None = None,
    workdir: str | None = None,
    progress: Progress | bool | None = None,
    **options: Any,
) -> DataFrame:
    """A decision for each document: keep or drop.

    The decisions are those of `nearprint dedup` on the same documents in this order, in any partitioning; of equal order,
    by the bytes of the id. Candidates are found when this is called; documents are compared when the result is used.

    Args:
        df: The documents. Without `workdir` it is read several times: write it first where it takes work.
        id_field: The column with the ids, which are unique and not null.
        text_field: The column with the texts.
        keep: Which of several is kept: `first` or `oldest` by `order`, `longest` (most words), `field:NAME` (the smallest
            value of a column), `field:NAME:max`.
        order: The column or columns by which documents are in order, ascending, null last; the column `place` of `read`
            where none is named. `first` and `oldest` need one of these, as a frame has no order.
        against: Drop documents that duplicate one of these too: the same columns of ids and texts, and those of `order`, by
            which the first of several is named.
        workdir: A directory that all executors reach, for what is made on the way, in a folder of its own; it stays
            there. It has the documents too: written once, read from there, and not shuffled again.
        progress: A function that is called with a name, a number and the number of documents when it is known how many
            there are (`documents`), are copies (`copies`), have candidates (`connected`), and are in the largest component
            (`largest`); or True for bars of tqdm.
        options: The other options of the question `dedup` (docs/OPTIONS.md), with its defaults: `threshold`, `chains`,
            `least_words`.

    Returns:
        `id`, `decision` (`keep` or `drop`), `reason`, `representative` (the id of what is kept), `similarity`, `failure`
        (why there is no fingerprint).

    Raises:
        InvalidInputError: Where `keep` needs an order, ids are null or repeated, or a column is missing.
        LimitError: Where more different texts are connected than a task may hold.
    """
    made = decisions(
        df,
        id_field=id_field,
        text_field=text_field,
        keep=keep,
        order=order,
        against=against,
        options=options,
        stages=Stages(df.sparkSession, own_folder(workdir)),
        progress=Bar() if progress is True else progress or None,
    )
    return made.drop("node")


def decisions(
    df: DataFrame,
    *,
    id_field: str,
    text_field: str,
    keep: str,
    order: str | Sequence[str] | None,
    against: DataFrame | None,
    options: Mapping[str, Any],
    stages: Stages,
    has_numbers: bool = False,
    progress: Progress | None = None,
) -> DataFrame:
    """The same and `node`, the number of the document, with the stages of a job that may be resumed.

    Args:
        has_numbers: Whether the frames have `node` already: they are written, with the numbers of `_homes`.
        progress: As of `dedup`.
    """
    refuse_old_arguments(options, OLD_ARGUMENTS)
    asked = resolved("dedup", **options)
    if asked["candidates"]["scheme"] != "md1":
        raise InvalidInputError("scheme: documents are divided among tasks by md1 alone")
    policy = "longest" if keep == "longest" else "first"
    question = {**asked["question"], "keep": policy}
    least_words = int(question["least_words"])
    named = [order] if isinstance(order, str) else list(order or [])
    if not named and "place" in df.columns:
        named = ["place"]
    named = _fields(df, named)
    ranks = _ranks(df, keep, named)
    documents = _documents(df, id_field, text_field, ranks, reference=False, has_numbers=has_numbers)
    number = _number_of_ids(documents, id_field)
    if against is not None:
        others = _ranks_of_references(df, against, ranks, named)
        references = _documents(against, id_field, text_field, others, reference=True, has_numbers=has_numbers)
        number += _number_of_ids(references, f"against.{id_field}")
        documents = documents.unionByName(references)
    bound_batches(df)
    if not has_numbers and stages.folder is not None:
        documents = stages.kept("documents", lambda: numbered(documents))
    elif not has_numbers:
        documents = documents.withColumn("node", fn.xxhash64("reference", "id"))
    names = [f"rank{at}" for at in range(len(ranks))]
    descending = keep.startswith("field:") and keep.endswith(":max")
    repeated = stages.kept("copies", lambda: repeats(documents, names, descending=descending))
    copies = later(repeated)
    number_of_copies = copies.count()
    few = number_of_copies <= MOST_BROADCAST
    if few:
        # Of few copies no sketches are made at all.
        documents = documents.join(fn.broadcast(copies.select("id", "reference")), ["id", "reference"], "left_anti")
    groups = grouped(
        documents,
        asked["candidates"],
        least_words=least_words,
        copies=True,
        repeated=None if few else copies,
        stages=stages,
    )
    if progress is not None:
        progress("documents", number, number)
        progress("copies", number_of_copies, number)
        progress("connected", groups.connected, number)
        progress("largest", groups.largest, number)
    kind = type_of(documents, "id")
    schema = schema_of(
        ("node", "long"),
        ("id", kind),
        ("decision", "string"),
        ("reason", "string"),
        ("representative", kind),
        ("similarity", "double"),
        ("failure", "string"),
    )
    arrow = arrow_schema(schema)
    most_held = held_bytes(df.sparkSession)

    def work(batches: Batches) -> Batches:
        for run in runs(batches, "component", most_held):
            held = _in_order(run, names, descending=descending)
            candidates, references = held, held.slice(0, 0)
            if pc.any(held["reference"]).as_py():
                candidates, references = held.filter(pc.invert(held["reference"])), held.filter(held["reference"])
            with tempfile.TemporaryDirectory() as folder:
                paths = _written(references, folder)
                made = nearprint.dedup(texts=candidates["text"], against=paths, threads=cores(), **question).to_arrow()
            columns = [
                candidates["node"],
                candidates["id"],
                made["decision"].cast(pa.string()),
                made["reason"].cast(pa.string()),
                _representatives(made["representative"], candidates, references),
                made["similarity"],
                made["failure"].cast(pa.string()),
            ]
            yield from returned(pa.table(columns, names=arrow.names), arrow)

    together = groups.together.mapInArrow(checked(work), schema)
    alone = groups.alone.where(~fn.col("reference"))
    reason = (
        fn.when(fn.col("reason").isNotNull(), "no-fingerprint")
        .when(fn.col("tokens") < max(least_words, 1), "too-short")
        .otherwise("unique")
    )
    single = alone.select(
        "node",
        "id",
        fn.lit("keep").alias("decision"),
        reason.alias("reason"),
        fn.lit(None).cast(kind).alias("representative"),
        fn.lit(None).cast("double").alias("similarity"),
        fn.col("reason").alias("failure"),
    )
    return with_copies(together.unionByName(single), repeated)


def _fields(df: DataFrame, order: list[str]) -> list[str]:
    """The same order without structs, which Arrow does not sort: their fields instead."""
    kinds = {name: df.schema[name].dataType for name in order if name in df.columns}
    fields = {name: kind.names if isinstance(kind, StructType) else None for name, kind in kinds.items()}
    return [inner for name in order for inner in ([f"{name}.{field}" for field in fields.get(name) or []] or [name])]


def _ranks(df: DataFrame, keep: str, order: list[str]) -> list[Column]:
    """The columns by which documents are in order."""
    columns = [df[name] for name in order]
    if keep in ("first", "oldest"):
        if not columns:
            raise InvalidInputError(
                f'keep="{keep}" needs order= or a column place: a frame has no order; name a column of positions or times'
            )
        return columns
    if keep == "longest":
        return columns
    if keep.startswith("field:") and len(keep) > len("field:"):
        name = keep.removeprefix("field:").removesuffix(":max").removesuffix(":min")
        if name not in df.columns:
            raise InvalidInputError(f"there is no column {name} to keep by")
        return [df[name], *columns]
    raise InvalidInputError(f"keep is first, longest, oldest, field:NAME or field:NAME:max, not {keep!r:.40}")


def _ranks_of_references(df: DataFrame, against: DataFrame, ranks: list[Column], order: list[str]) -> list[Column]:
    """The same columns of references: null where they have none. A field to keep by does not put them in order."""
    kinds = [df.select(rank.alias("rank")).dtypes[0][1] for rank in ranks]
    names = [None] * (len(ranks) - len(order)) + order
    return [
        (against[name] if name and name.partition(".")[0] in against.columns else fn.lit(None)).cast(kind)
        for name, kind in zip(names, kinds, strict=True)
    ]


def _documents(
    df: DataFrame, id: str, text: str, ranks: Sequence[Column], *, reference: bool, has_numbers: bool
) -> DataFrame:
    """Documents and references in one form."""
    return df.select(
        *([df["node"]] if has_numbers else []),
        df[id].alias("id"),
        text_column(df, text).alias("text"),
        fn.lit(reference).alias("reference"),
        *[rank.alias(f"rank{at}") for at, rank in enumerate(ranks)],
    )


def _number_of_ids(documents: DataFrame, name: str) -> int:
    """The number of documents. Ids that are null or repeated are refused."""
    ids = bounded(narrowed(documents.select("id")), "id").groupBy("id").count()
    wrong = (fn.col("count") > 1) | fn.col("id").isNull()
    found = ids.agg(
        fn.sum("count").alias("number"), fn.min(fn.when(wrong, fn.struct("count", "id"))).alias("wrong")
    ).first()
    if found is None or found["wrong"] is None:
        return 0 if found is None else found["number"] or 0
    said = "null" if found["wrong"]["id"] is None else f"repeated: {found['wrong']['id']!s:.80}"
    raise InvalidInputError(f"an id in the column {name} is {said}; ids must be unique and not null")


def _in_order(held: pa.Table, ranks: Sequence[str], *, descending: bool) -> pa.Table:
    """The rows by their ranks and then by their ids. Texts are moved once."""
    # Stable sorts from the last key to the first; Arrow sorts strings by their bytes, as Spark does.
    order = pc.sort_indices(held.select(["id"]), [("id", "ascending")])
    for at in reversed(range(len(ranks))):
        values = held[ranks[at]].take(order)
        keys = pa.table({"value": values, "place": pa.array(range(len(held)), pa.int64())})
        down = "descending" if descending and at == 0 else "ascending"
        order = order.take(pc.sort_indices(keys, [("value", down), ("place", "ascending")]))
    # A column of strings ends at 2 GiB, which texts brought together may exceed.
    at = held.schema.get_field_index("text")
    return held.set_column(at, "text", held["text"].cast(pa.large_string())).take(order)


def _written(references: pa.Table, folder: str) -> str | None:
    """References as a file, which the core reads; their ids there are their positions."""
    if not len(references):
        return None
    ids = pa.array([f"r{at}" for at in range(len(references))])
    path = f"{folder}/references.parquet"
    pyarrow.parquet.write_table(pa.table({"id": ids, "text": references["text"]}), path)
    return path


def _representatives(named: pa.ChunkedArray, candidates: pa.Table, references: pa.Table) -> pa.Array:
    """Positions that the core names, as ids."""
    ids, others = candidates["id"].to_pylist(), references["id"].to_pylist()
    found = [
        None if name is None else others[int(name[1:])] if name.startswith("r") else ids[int(name)]
        for name in named.to_pylist()
    ]
    return pa.array(found, candidates["id"].type)
