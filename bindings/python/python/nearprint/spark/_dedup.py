"""Which documents of a frame to keep, as the command `nearprint dedup` decides it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import nearprint
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
from nearprint._names import refuse_old_arguments
from nearprint._nearprint import resolved
from nearprint.errors import InvalidInputError
from nearprint.spark._batches import bound_batches, returned, whole
from nearprint.spark._copies import firsts, repeats, with_copies
from nearprint.spark._groups import MOST_BROADCAST, grouped
from nearprint.spark._memory import cores
from nearprint.spark._schema import OLD_ARGUMENTS, arrow_schema, schema_of, text_column, type_of
from nearprint.spark._stages import Stages, own_folder
from nearprint.spark._task import Batches, checked
from pyspark.sql import functions as fn
from pyspark.sql.types import StructType

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def dedup(
    df: DataFrame,
    *,
    id_field: str = "id",
    text_field: str = "text",
    keep: str = "first",
    order: str | Sequence[str] | None = None,
    against: DataFrame | None = None,
    workdir: str | None = None,
    **options: Any,
) -> DataFrame:
    """A decision for each document: keep or drop.

    The decisions are those of `nearprint dedup` on the same documents in this order, in any partitioning; of equal order,
    by the bytes of the id. Candidates are found when this is called; documents are compared when the result is used.

    Args:
        df: The documents. It is read several times: write it first where it takes work.
        id_field: The column with the ids, which are unique and not null.
        text_field: The column with the texts.
        keep: Which of several is kept: `first` or `oldest` by `order`, `longest` (most words), `field:NAME` (the smallest
            value of a column), `field:NAME:max`.
        order: The column or columns by which documents are in order, ascending, null last; the column `place` of `read`
            where none is named. `first` and `oldest` need one of these, as a frame has no order.
        against: Drop documents that duplicate one of these too: the same columns of ids and texts, and those of `order`, by
            which the first of several is named.
        workdir: A directory that all executors reach, for what is made on the way, in a folder of its own; it stays
            there.
        options: The other options of the question `dedup` (docs/OPTIONS.md), with its defaults: `threshold`, `chains`,
            `least_words`.

    Returns:
        `id`, `decision` (`keep` or `drop`), `reason`, `representative` (the id of what is kept), `similarity`, `failure`
        (why there is no fingerprint).

    Raises:
        InvalidInputError: Where `keep` needs an order, ids are null or repeated, or a column is missing.
        LimitError: Where more different texts are connected than a task may hold.
    """
    return decisions(
        df,
        id_field=id_field,
        text_field=text_field,
        keep=keep,
        order=order,
        against=against,
        options=options,
        stages=Stages(df.sparkSession, own_folder(workdir)),
    )


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
) -> DataFrame:
    """The same, with the stages of a job that may be resumed."""
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
    documents = _documents(df, id_field, text_field, ranks, reference=False)
    _refuse_ids(documents, id_field)
    if against is not None:
        others = _ranks_of_references(df, against, ranks, named)
        references = _documents(against, id_field, text_field, others, reference=True)
        _refuse_ids(references, f"against.{id_field}")
        documents = documents.unionByName(references)
    bound_batches(df)
    names = [f"rank{at}" for at in range(len(ranks))]
    descending = keep.startswith("field:") and keep.endswith(":max")
    repeated = stages.kept("copies", lambda: repeats(documents, names, descending=descending))
    # Sketches of few copies are not even made. More copies than are sent to every executor are left out of the sketches.
    unlike = firsts(documents, repeated, MOST_BROADCAST)
    groups = grouped(
        documents if unlike is None else unlike,
        asked["candidates"],
        least_words=least_words,
        copies=True,
        repeated=repeated if unlike is None else None,
        stages=stages,
    )
    kind = type_of(documents, "id")
    schema = schema_of(
        ("id", kind),
        ("decision", "string"),
        ("reason", "string"),
        ("representative", kind),
        ("similarity", "double"),
        ("failure", "string"),
    )
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        held = whole(batches)
        if held is None:
            return
        # A column of strings ends at 2 GiB, which texts brought together may exceed.
        at = held.schema.get_field_index("text")
        held = held.set_column(at, "text", held["text"].cast(pa.large_string()))
        # Stable sorts from the last key to the first; Arrow sorts strings by their bytes, as Spark does.
        held = held.sort_by([("id", "ascending")])
        for at in reversed(range(len(names))):
            direction = "descending" if descending and at == 0 else "ascending"
            places = pc.sort_indices(_with_places(held, names[at]), [("value", direction), ("place", "ascending")])
            held = held.take(places)
        candidates = held.filter(pc.invert(held["reference"]))
        references = held.filter(held["reference"])
        with tempfile.TemporaryDirectory() as folder:
            paths = _written(references, folder)
            made = nearprint.dedup(texts=candidates["text"], against=paths, threads=cores(), **question).to_arrow()
        columns = [
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


def _documents(df: DataFrame, id: str, text: str, ranks: Sequence[Column], *, reference: bool) -> DataFrame:
    """Documents and references in one form; their hashes differ where both have an id."""
    return df.select(
        fn.xxhash64(fn.lit(reference), df[id]).alias("node"),
        df[id].alias("id"),
        text_column(df, text).alias("text"),
        fn.lit(reference).alias("reference"),
        *[rank.alias(f"rank{at}") for at, rank in enumerate(ranks)],
    )


def _refuse_ids(documents: DataFrame, name: str) -> None:
    wrong = documents.groupBy("id").count().where("count > 1 OR id IS NULL").select("id").first()
    if wrong is not None:
        said = "null" if wrong["id"] is None else f"repeated: {wrong['id']!s:.80}"
        raise InvalidInputError(f"an id in the column {name} is {said}; ids must be unique and not null")


def _with_places(held: pa.Table, name: str) -> pa.Table:
    return pa.table({"value": held[name], "place": pa.array(range(len(held)), pa.int64())})


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
