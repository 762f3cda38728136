"""Fingerprints of the documents of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import nearprint
import pyarrow as pa
import pyarrow.compute as pc
from nearprint._names import refuse_old_arguments
from nearprint.errors import DocumentError, InvalidInputError
from nearprint.spark._batches import bound_batches, pieces
from nearprint.spark._memory import cores
from nearprint.spark._memory import options as memory
from nearprint.spark._schema import OLD_ARGUMENTS, arrow_schema, place_type, schema_of, text_column, type_of
from nearprint.spark._task import Batches, checked
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def fingerprint(
    df: DataFrame,
    *,
    id_field: str = "id",
    text_field: str | None = None,
    content_field: str | None = None,
    schemes: str | Sequence[str] = "sd1",
    **options: Any,
) -> DataFrame:
    """The fingerprints of a frame's documents, a row for each document and scheme.

    Args:
        df: The frame. A column `place`, where it has one, goes into the result.
        id_field: The column with the ids.
        text_field: The column with the texts; `text` where neither it nor `content_field` is given.
        content_field: Instead, the column with the bytes of documents: HTML, PDF, office documents.
        schemes: The scheme or schemes, all of 64 bits or all wider.
        options: With `content_field`, how documents are read: as of `nearprint.extract`.

    Returns:
        `id`, `place` (null where `df` has none), `scheme`, `fingerprint` (the standard's string), `bits` (of schemes of
        64 bits the same bits as a long, of wider ones binary), `tokens`, and `reason` where there is no fingerprint.

    Raises:
        InvalidInputError: Where a scheme is unknown, schemes differ in width, or text_field and content_field are both given.
    """
    refuse_old_arguments(options, OLD_ARGUMENTS)
    if text_field is not None and content_field is not None:
        raise InvalidInputError("name text_field= or content_field=, not both")
    if content_field is None and options:
        raise InvalidInputError(f"{sorted(options)[0]} is about reading documents: name content_field=")
    named = [schemes] if isinstance(schemes, str) else list(schemes)
    wide = {nearprint.fingerprints([], scheme).to_arrow().type != pa.uint64() for scheme in named}
    if len(wide) != 1:
        raise InvalidInputError("schemes must be all of 64 bits or all wider: make one call for each width")
    source = df[content_field] if content_field else text_column(df, text_field or "text")
    place = df["place"] if "place" in df.columns else None
    columns = [df[id_field].alias("id"), source.alias("source")]
    taken = df.select(*columns, *([place.alias("place")] if place is not None else []))
    schema = schema_of(
        ("id", type_of(taken, "id")),
        ("place", place_type() if place is None else type_of(taken, "place")),
        ("scheme", "string"),
        ("fingerprint", "string"),
        ("bits", "binary" if wide == {True} else "long"),
        ("tokens", "long"),
        ("reason", "string"),
    )
    bound_batches(df)
    from_text, returned = content_field is None, arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        threads = cores()
        for batch in batches:
            for piece in pieces(batch):
                texts, reasons = (piece["source"], None) if from_text else _extracted(piece["source"], threads, options)
                for scheme in named:
                    yield from pieces(_rows(piece, texts, reasons, scheme, threads, returned))

    return taken.mapInArrow(checked(work), schema)


def sketches(documents: DataFrame, carried: Sequence[str], scheme: str) -> DataFrame:
    """The sketches of the column `text`: the columns that are carried, `bits`, `tokens`, `reason` and two about the text.

    `size` is the number of its bytes. `solid` is, where there is no sketch, a hash of the text without white space.
    """
    key = fn.struct(*carried).alias("id")
    taken = documents.select(key, documents["text"].alias("source"))
    columns = [("bits", "binary"), ("tokens", "long"), ("reason", "string")]
    schema = schema_of(("id", type_of(taken, "id")), *columns, ("size", "long"), ("solid", "binary"))
    all_columns = schema_of(
        ("id", type_of(taken, "id")),
        ("place", place_type()),
        ("scheme", "string"),
        ("fingerprint", "string"),
        *columns,
    )
    bound_batches(documents)
    wanted, made = arrow_schema(schema), arrow_schema(all_columns)

    def work(batches: Batches) -> Batches:
        threads = cores()
        for batch in batches:
            for piece in pieces(batch):
                rows = _rows(piece, piece["source"], None, scheme, threads, made)
                size = pc.fill_null(pc.binary_length(piece["source"]), 0).cast(pa.int64())
                columns = [*(rows[name] for name in wanted.names[:-2]), size, _solid(piece["source"], rows["bits"])]
                yield from pieces(pa.RecordBatch.from_arrays(columns, schema=wanted))

    return taken.mapInArrow(checked(work), schema).select("id.*", *wanted.names[1:])


def _solid(texts: pa.Array, bits: pa.Array) -> pa.Array:
    """Hashes of the texts that have no sketch, which are few and short."""
    without = texts.filter(bits.is_null()).to_pylist()
    hashes = [sha256("".join((text or "").replace("\ufeff", "").split()).encode()).digest() for text in without]
    return pc.replace_with_mask(pa.nulls(len(texts), pa.binary()), bits.is_null(), pa.array(hashes, pa.binary()))


def _rows(
    piece: pa.RecordBatch,
    texts: pa.Array,
    reasons: list[str | None] | None,
    scheme: str,
    threads: int,
    schema: pa.Schema,
) -> pa.RecordBatch:
    made = nearprint.fingerprints(texts, scheme, "struct", threads=threads).to_arrow()
    fields = {name: made.field(name) for name in ("value", "fingerprint", "tokens", "reason")}
    valid = made.is_valid()
    values = pc.if_else(valid, fields["value"], pa.scalar(None, fields["value"].type))
    # The same bits: Spark has no unsigned numbers.
    bits = values.view(pa.int64()) if values.type == pa.uint64() else values.cast(pa.binary())
    reason = pc.if_else(bits.is_valid(), pa.scalar(None, pa.string()), _reasons(texts))
    if reasons is not None:
        reason = pc.coalesce(pa.array(reasons, pa.string()), reason)
    number = piece.num_rows
    place = piece["place"] if "place" in piece.schema.names else pa.nulls(number, schema.field("place").type)
    columns = [
        piece["id"],
        place,
        pa.repeat(scheme, number),
        fields["fingerprint"],
        bits,
        fields["tokens"].cast(pa.int64()),
        reason,
    ]
    return pa.RecordBatch.from_arrays(
        [column.cast(field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
    )


def _reasons(texts: pa.Array) -> pa.Array:
    """Why each text would have no fingerprint, as the command says it of documents; a missing text is an empty one."""
    filled = pc.fill_null(texts, "")
    blank = pc.equal(pc.utf8_trim_whitespace(filled), "")
    empty = pc.equal(pc.binary_length(filled), 0)
    return pc.if_else(empty, "empty", pc.if_else(blank, "no-text", "no-tokens"))


def _extracted(contents: pa.Array, threads: int, options: dict[str, Any]) -> tuple[pa.Array, list[str | None]]:
    """The texts of documents, and of those that have none the reason."""
    texts: list[str | None] = []
    reasons: list[str | None] = []
    for content in contents:
        try:
            texts.append(nearprint.extract(content.as_py() or b"", threads=threads, **{**memory(), **options}).text)
            reasons.append(None)
        except DocumentError as error:
            texts.append(None)
            reasons.append(error.reason)
    return pa.array(texts, pa.string()), reasons
