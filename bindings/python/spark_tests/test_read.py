"""Documents from files: those that the module reads, damage included, from streams too."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import Any

import fsspec
import nearprint
import nearprint.spark
import pytest
from nearprint.spark._read import FILE_BYTES, _partitions
from nearprint.spark._streams import listed, local_file
from pyspark.sql import DataFrame, SparkSession

LINES = '{"id": "a", "text": "Fog came in."}\n{"text": "without an id"}\n{damaged\n{"id": "d", "text": ""}\n'


def rows(df: DataFrame) -> list[tuple[Any, ...]]:
    """What of each row is compared, sorted."""
    return sorted((row["id"], row["place"]["file"], row["text"], row["reason"]) for row in df.collect())


def by_module(*paths: Path) -> list[tuple[Any, ...]]:
    """The same of the module; texts of documents without a word are not kept by it."""
    return sorted(
        (record.id, str(path), record.text, record.reason) for path in paths for record in nearprint.read(str(path))
    )


def archive(path: Path, number: int) -> Path:
    """A web archive of pages, a member of gzip each."""
    with path.open("wb") as out:
        for at in range(number):
            page = f"<p>Fog came in at noon and stayed {'long ' * at}".encode()
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{at:032x}>\r\n"
                f"WARC-Target-URI: http://example.com/{at}\r\nWARC-Date: 2026-01-0{at + 1}T00:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            out.write(gzip.compress(head.encode() + http + b"\r\n\r\n"))
    return path


def test_files_of_all_kinds_are_read_and_damage_is_a_row(spark: SparkSession, samples: Path, tmp_path: Path) -> None:
    lines, whole, damaged = tmp_path / "a.jsonl", archive(tmp_path / "b.warc.gz", 5), tmp_path / "c.warc.gz"
    lines.write_text(LINES, encoding="utf-8")
    content = bytearray(whole.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged.write_bytes(content)
    made = nearprint.spark.read(spark, [str(lines), str(tmp_path / "*.gz"), str(samples / "lighthouse")])
    expected = by_module(lines, whole, damaged, *sorted((samples / "lighthouse").iterdir()))
    assert rows(made) == expected
    assert {"bad-line", "empty"} <= {row[3] for row in expected}
    assert any(row[1] == str(damaged) and row[3] for row in expected)
    numbers = {row["place"]["number"] for row in made.where("reason IS NULL").collect()}
    assert numbers >= {None, 1, 2, 5}


def test_a_file_that_cannot_be_read_is_a_row(spark: SparkSession, tmp_path: Path) -> None:
    (row,) = nearprint.spark.read(spark, str(tmp_path / "missing.jsonl")).collect()
    assert row["text"] is None and row["reason"] and "missing.jsonl" in row["id"]


def test_small_files_share_tasks_and_large_ones_have_their_own(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{at}.txt") for at in range(50)]
    for path in paths:
        Path(path).touch()
    assert _partitions(paths, 4) == 4 and _partitions(paths, 200) == 50
    for path in paths[:9]:
        with Path(path).open("r+b") as out:
            out.truncate(3 * FILE_BYTES)
    assert _partitions(paths, 4) == 9
    assert _partitions([f"s3://bucket/{at}" for at in range(30)], 4) == 30
    assert _partitions([], 4) == 1


def test_records_of_an_index_are_read_by_their_ranges(spark: SparkSession, tmp_path: Path) -> None:
    path = archive(tmp_path / "crawl.warc.gz", 4)
    records = list(nearprint.read(str(path)))
    wanted = [("crawl.warc.gz", record.place["offset"], record.place["length"]) for record in records[1:]]
    broken = ("crawl.warc.gz", records[0].place["offset"] + 7, 50)
    schema = "warc_filename string, warc_record_offset long, warc_record_length long"
    df = spark.createDataFrame([*wanted, broken, ("none.warc.gz", 0, 9)], schema)
    made = nearprint.spark.read_index(df, base=f"file://{tmp_path}/").collect()
    assert sorted(row["text"] for row in made if row["text"]) == sorted(str(record.text) for record in records[1:])
    assert sorted(row["id"] for row in made if row["text"]) == sorted(record.id for record in records[1:])
    failed = [row for row in made if not row["text"]]
    assert len(failed) == 2 and all(row["reason"] for row in failed)


def test_streams_of_other_file_systems_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = b'{"id": "a", "text": "Fog came in."}\n' * 10_000
    with fsspec.open("memory://folder/pages.jsonl.gz", "wb") as out:
        out.write(gzip.compress(lines))
    sizes: list[int] = []
    copy = shutil.copyfileobj

    def watched(source: Any, target: Any, size: int) -> None:
        sizes.append(size)
        copy(source, target, size)

    monkeypatch.setattr(shutil, "copyfileobj", watched)
    with local_file("memory://folder/pages.jsonl.gz") as local:
        assert local.endswith("pages.jsonl.gz")
        assert sum(1 for _ in nearprint.read(local)) == 10_000
    assert sizes == [1 << 20] and not Path(local).exists()
    assert listed(["memory://folder"]) == ["memory:///folder/pages.jsonl.gz"]
