"""One digest of pairs and of decisions: the command, Python, Spark and Spark Connect, by any method and partitioning."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import nearprint
import nearprint.spark
import pytest
from conftest import found, frame, in_core, make_prints
from documents import frame_of, make_documents, sample_documents, written
from nearprint import Fingerprint
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.connect

# scripts/test-long.sh: 10^6 fingerprints and 20,000 documents.
LARGE = bool(os.environ.get("NEARPRINT_SPARK_LARGE"))

CONNECT = os.environ.get("NEARPRINT_SPARK", "local") != "local"


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """A digest of rows in any order."""
    lines = sorted(json.dumps(row) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def of_command(*arguments: object) -> list[dict[str, Any]]:
    """The rows of the command."""
    command = [os.environ["NEARPRINT_COMMAND"], *map(str, arguments), "--format", "jsonl", "--quiet"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def partitionings(df: DataFrame, column: str) -> list[DataFrame]:
    """The same rows in three ways; over Connect in one."""
    ways = [df.repartition(7), df.coalesce(1), df.repartitionByRange(3, column)]
    return ways[:1] if CONNECT else ways


@pytest.fixture(scope="module")
def prints(samples: Path) -> dict[str, int]:
    """Fingerprints of real and generated documents, random ones with planted pairs, and a skewed block."""
    made = make_prints(700_000, 210_000, seed=5) if LARGE else make_prints(12_000, 6_000, seed=5)
    documents = make_documents(20_000 if LARGE else 2_000)
    documents += sample_documents(samples, len(documents))
    column = nearprint.fingerprints([document["text"] for document in documents]).to_pylist()
    named = zip((document["id"] for document in documents), column, strict=True)
    return made | {name: value for name, value in named if value is not None}


@pytest.fixture(scope="module")
def expected(prints: dict[str, int], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the command's pairs, which are those of the module."""
    path = tmp_path_factory.mktemp("prints") / "prints.jsonl"
    rows = [{"id": name, "fingerprint": str(Fingerprint.from_int(value))} for name, value in prints.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    pairs = of_command("pairs", "--prints", path, "-k", 3)
    named = [(*sorted((row["a"], row["b"])), row["distance"]) for row in pairs]
    assert len(named) > 1_000
    assert digest(named) == digest(in_core(prints, 3))
    return digest(named)


@pytest.mark.parametrize("method", ["core", "sql"])
def test_pairs_have_one_digest(
    spark: SparkSession, prints: dict[str, int], expected: str, method: Literal["core", "sql"]
) -> None:
    for df in partitionings(frame(spark, prints), "bits"):
        # The skewed block is larger than this.
        made = nearprint.spark.pairs(df, k=3, method=method, most_in_block=2_000)
        assert digest(found(made)) == expected


def test_decisions_have_one_digest(spark: SparkSession, samples: Path, tmp_path: Path) -> None:
    documents = make_documents(20_000 if LARGE else 3_000, seed=8)
    documents += sample_documents(samples, len(documents))
    fields = ("id", "decision", "reason", "representative", "similarity", "failure")
    path = written(documents, tmp_path / "pages.jsonl")
    expected = digest(tuple(row[name] for name in fields) for row in of_command("dedup", path))
    for df in partitionings(frame_of(spark, documents), "text"):
        made = nearprint.spark.deduplicate(df, order="position")
        assert digest(tuple(row[name] for name in fields) for row in made.collect()) == expected
