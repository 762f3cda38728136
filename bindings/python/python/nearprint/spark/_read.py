"""Documents from files: rows carry paths, and the task that has a path reads its file record by record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import fsspec
import nearprint
import pyarrow as pa
from nearprint.errors import NearprintError
from nearprint.spark._batches import MOST_BYTES, MOST_ROWS, pieces
from nearprint.spark._memory import cores
from nearprint.spark._memory import options as memory
from nearprint.spark._schema import arrow_schema, place_type, schema_of
from nearprint.spark._streams import is_local, listed, local_file
from nearprint.spark._task import Batches, checked

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MOST_PARTITIONS = 10_000
"""Partitions of a reading, at most: then a task reads several files."""

FILE_BYTES = 64 << 20
"""Bytes of small local files that one task reads together. A file of another file system counts as so many."""

_COLUMNS = ("id", "file", "number", "text", "reason", "detail")

Row = tuple[str, str, int | None, str | None, str | None, str | None]


def read(spark: SparkSession, paths: str | Sequence[str], **options: Any) -> DataFrame:
    """The documents of files: WARC, JSON lines, CSV, Parquet, Arrow, and folders of single documents.

    Args:
        spark: The session.
        paths: Files, folders or patterns: local paths that every executor has, or URLs that fsspec opens (s3, hdfs, https),
            which are copied to the task's temporary directory, one at a time.
        options: How documents are read: as of `nearprint.read`.

    Returns:
        `id`, `place` (`file`, and in collections the `number` of the record from 1), `text`, and where there is no text
        `reason` and `detail`. A damaged record or a file that cannot be read is a row with a reason.
    """
    files = listed([paths] if isinstance(paths, str) else paths)
    schema = _schema()
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        for batch in batches:
            for path in batch["path"].to_pylist():
                yield from _batches(_records(path, options), arrow)

    rows = spark.createDataFrame([(path,) for path in files], "path string")
    least = int(spark.conf.get("spark.sql.shuffle.partitions", "200") or 200)
    return rows.repartition(_partitions(files, least)).mapInArrow(checked(work), schema)


def read_index(df: DataFrame, *, base: str = "https://data.commoncrawl.org/", **options: Any) -> DataFrame:
    """The documents of records that an index names, such as Common Crawl's, by range reads.

    Args:
        df: The columns `warc_filename`, `warc_record_offset` and `warc_record_length`, filtered as wanted.
        base: What comes before a file name: another is `s3://commoncrawl/`.
        options: As of `read`.

    Returns:
        As `read`; `number` is the offset of the record in its archive, in bytes.
    """
    schema = _schema()
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        for batch in batches:
            ranges = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            found = (
                row for filename, offset, length in ranges for row in _ranged(base, filename, offset, length, options)
            )
            yield from _batches(found, arrow)

    columns = df.select("warc_filename", "warc_record_offset", "warc_record_length")
    return columns.mapInArrow(checked(work), schema)


def _partitions(files: Sequence[str], least: int) -> int:
    """Partitions for files: `least` for small ones, as a task has its cost, and one for each that is large."""
    size = sum(min(_size(path), FILE_BYTES) for path in files)
    return max(1, min(len(files), MOST_PARTITIONS, max(least, -(-size // FILE_BYTES))))


def _size(path: str) -> int:
    if not is_local(path):
        return FILE_BYTES
    local = Path(path.removeprefix("file://"))
    return local.stat().st_size if local.is_file() else 0


def _schema() -> Any:
    return schema_of(("id", "string"), ("place", place_type()), *((name, "string") for name in _COLUMNS[3:]))


def _records(path: str, options: dict[str, Any]) -> Iterator[Row]:
    """The records of a file, and where it cannot be read on, a last one that says so."""
    number = 0
    try:
        with local_file(path) as local:
            for number, record in enumerate(nearprint.read(local, threads=cores(), **{**memory(), **options}), 1):
                # What is named by its place is named by the place where it was found.
                name = path + record.id.removeprefix(local) if record.id.startswith(local) else record.id
                collected = len(record.place) > 1
                yield name, path, number if collected else None, record.text, record.reason, record.detail
    except (NearprintError, OSError, ValueError) as error:
        yield path, path, number + 1 if number else None, None, _reason(error), str(error)


def _ranged(base: str, filename: str, offset: int, length: int, options: dict[str, Any]) -> Iterator[Row]:
    """The document of one record; a record without one is a row that says so."""
    place, found = base + filename, False
    try:
        system, name = fsspec.core.url_to_fs(place)
        content = system.cat_file(name, start=offset, end=offset + length)
        with TemporaryDirectory(prefix="nearprint-") as folder:
            local = Path(folder) / "record.warc.gz"
            local.write_bytes(content)
            for record in nearprint.read(str(local), threads=cores(), **{**memory(), **options}):
                found = True
                name = f"{place}:{offset}" if record.id.startswith(folder) else record.id
                yield name, place, offset, record.text, record.reason, record.detail
        if not found:
            yield f"{place}:{offset}", place, offset, None, "no-document", "the record is no response with a document"
    except (NearprintError, OSError, ValueError) as error:
        yield f"{place}:{offset}", place, offset, None, _reason(error), str(error)


def _reason(error: Exception) -> str:
    return error.kind if isinstance(error, NearprintError) else "io"


def _batches(rows: Iterator[Row], schema: pa.Schema) -> Batches:
    """Rows as batches, made when they have enough rows or bytes, so that no archive is in memory as a whole."""
    held: list[Row] = []
    size = 0
    for row in rows:
        held.append(row)
        size += len(row[3] or "")
        if len(held) >= MOST_ROWS or size >= MOST_BYTES:
            yield from pieces(_batch(held, schema))
            held, size = [], 0
    if held:
        yield from pieces(_batch(held, schema))


def _batch(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    ids, files, numbers, texts, reasons, details = (list(column) for column in zip(*rows, strict=True))
    places = pa.StructArray.from_arrays(
        [pa.array(files, pa.string()), pa.array(numbers, pa.int64())], fields=list(schema.field("place").type)
    )
    strings = [pa.array(column, pa.string()) for column in (ids, texts, reasons, details)]
    return pa.RecordBatch.from_arrays([strings[0], places, *strings[1:]], schema=schema)
