"""One digest of pairs and of decisions: the command, Python, Spark and Spark Connect, by any method and partitioning."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import nearprint
import nearprint.spark
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import found, in_core, make_prints, signed
from documents import Document, frame_of, make_documents, real_documents, sample_documents, written
from nearprint import Fingerprint
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.connect

# scripts/test-long.sh: 10^6 fingerprints and 20,000 documents.
LARGE = bool(os.environ.get("NEARPRINT_SPARK_LARGE"))

SESSION = os.environ.get("NEARPRINT_SPARK", "local")

FIELDS = ("id", "decision", "reason", "representative", "similarity", "failure")


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """A digest of rows in any order."""
    lines = sorted(json.dumps(row) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def noted(what: str, way: str, rows: Callable[[], Iterable[tuple[Any, ...]]]) -> str:
    """The digest of rows, noted with their number and time in the file that NEARPRINT_SPARK_RECORD names."""
    start = time.monotonic()
    made = list(rows())
    row = {"what": what, "way": way, "rows": len(made), "seconds": round(time.monotonic() - start, 1)}
    row["digest"] = digest(made)
    path = os.environ.get("NEARPRINT_SPARK_RECORD")
    if path:
        with Path(path).open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
    return str(row["digest"])


def of_command(*arguments: object) -> list[dict[str, Any]]:
    """The rows of the command."""
    command = [os.environ["NEARPRINT_COMMAND"], *map(str, arguments), "--format", "jsonl", "-qq"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def partitionings(df: DataFrame, column: str) -> list[tuple[str, DataFrame]]:
    """The same rows in three ways; over Connect in one, where time is short."""
    ways = [
        ("7 partitions", df.repartition(7)),
        ("1 partition", df.coalesce(1)),
        ("3 ranges", df.repartitionByRange(3, column)),
    ]
    named = [(f"Spark {df.sparkSession.version}, {SESSION}, {name}", way) for name, way in ways]
    return named if LARGE or SESSION == "local" else named[:1]


def some_documents(number: int, seed: int, samples: Path) -> list[Document]:
    """Generated documents, for the large check 20,000 real ones, then those of the repository."""
    made = real_documents(20_000, seed) if LARGE else make_documents(number, seed)
    return made + sample_documents(samples, len(made))


@pytest.fixture(scope="module")
def prints(samples: Path) -> dict[str, int]:
    """Fingerprints of real and generated documents, random ones with planted pairs, and a skewed block."""
    made = make_prints(700_000, 210_000, seed=5) if LARGE else make_prints(12_000, 6_000, seed=5)
    documents = some_documents(2_000, 1, samples)
    column = nearprint.fingerprints([document["text"] for document in documents]).to_pylist()
    named = zip((document["id"] for document in documents), column, strict=True)
    return made | {name: value for name, value in named if value is not None}


@pytest.fixture(scope="module")
def expected(prints: dict[str, int], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the command's pairs, which are those of the module."""
    path = tmp_path_factory.mktemp("prints") / "prints.jsonl"
    rows = [{"id": name, "fingerprint": str(Fingerprint.from_int(value))} for name, value in prints.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def by_command() -> list[tuple[Any, ...]]:
        pairs = of_command("prints", "pairs", path, "-k", 3)
        return [(*sorted((row["a"], row["b"])), row["distance"]) for row in pairs]

    made = noted("pairs", "command", by_command)
    module = in_core(prints, 3)
    assert len(module) > 1_000
    assert noted("pairs", "Python", lambda: module) == made
    return made


@pytest.mark.parametrize("method", ["core", "sql"])
def test_pairs_have_one_digest(
    spark: SparkSession, prints: dict[str, int], expected: str, tmp_path: Path, method: Literal["core", "sql"]
) -> None:
    def of_spark(df: DataFrame) -> list[tuple[Any, ...]]:
        # The skewed block is larger than this.
        return [*found(nearprint.spark.pairs(df, k=3, method=method, most_in_block=2_000))]

    # From a file: over Connect a frame of this many rows is more than a message holds.
    path = tmp_path / "prints.parquet"
    pq.write_table(pa.table({"id": list(prints), "bits": signed(prints)}), path)
    for name, df in partitionings(spark.read.parquet(str(path)), "bits"):
        assert noted("pairs", f"{name}, {method}", partial(of_spark, df)) == expected


def test_decisions_have_one_digest(spark: SparkSession, samples: Path, tmp_path: Path) -> None:
    documents = some_documents(3_000, 8, samples)
    path = written(documents, tmp_path / "pages.jsonl")

    def of_fields(rows: Iterable[Any]) -> list[tuple[Any, ...]]:
        return [tuple(row[name] for name in FIELDS) for row in rows]

    expected = noted("decisions", "command", lambda: of_fields(of_command("dedup", path)))
    columns = {name: [document[name] for document in documents] for name in ("id", "text")}

    def by_module() -> list[tuple[Any, ...]]:
        return of_fields(nearprint.dedup(texts=columns["text"], ids=columns["id"]).to_pylist())

    assert noted("decisions", "Python", by_module) == expected

    def of_spark(df: DataFrame) -> list[tuple[Any, ...]]:
        return of_fields(nearprint.spark.dedup(df, order="position").collect())

    for name, df in partitionings(frame_of(spark, documents), "text"):
        assert noted("decisions", name, partial(of_spark, df)) == expected
