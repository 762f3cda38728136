"""The plan of collections that no driver, executor or task holds, at a size that a test has: the command's decisions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nearprint
import nearprint.spark
import pyarrow as pa
import pytest
from documents import frame_of, make_documents, written
from nearprint.errors import InputOutputError
from nearprint.spark import _clusters, _dedup, _homes, _runs, _width, job
from pyspark.sql import SparkSession

FIELDS = ("id", "decision", "reason", "representative", "similarity", "failure")


@pytest.fixture
def large(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[SparkSession]:
    """A session in which all is taken to be too much: for the driver, for a broadcast, for one stage and for one task."""
    monkeypatch.setattr(_clusters, "MOST_ON_DRIVER", 0)
    monkeypatch.setattr(_homes, "MOST_BROADCAST", 0)
    monkeypatch.setattr(_dedup, "MOST_BROADCAST", 0)
    monkeypatch.setattr(_width, "MOST_TASKS", 3)
    spark.conf.set(_runs.BYTES, "4000")
    yield spark
    spark.conf.unset(_runs.BYTES)


def test_large_collections_are_decided_about_as_small_ones(large: SparkSession, tmp_path: Path) -> None:
    keep, source = "field:score:max", random.Random(4)
    options: dict[str, Any] = {"chains": True, "threshold": 0.5, "least_words": 2}
    pool = make_documents(300, seed=3)
    skewed = [*pool, *({**source.choice(pool), "id": f"{source.getrandbits(40):010x}-{at}"} for at in range(300))]
    made = [{**document, "position": at} for at, document in enumerate(skewed)]
    df, others = frame_of(large, made[100:]).repartition(5), frame_of(large, made[:100]).repartition(2)
    found = nearprint.spark.dedup(
        df, order="position", keep=keep, against=others, workdir=str(tmp_path / "work"), **options
    )
    path, against = written(made[100:], tmp_path / "pages.jsonl"), written(made[:100], tmp_path / "others.jsonl")
    expected = nearprint.dedup(path, against=against, keep=keep, **options).to_pylist()
    assert sorted(tuple(row[name] for name in FIELDS) for row in found.collect()) == sorted(
        tuple(row[name] for name in FIELDS) for row in expected
    )
    stages = {path.name for path in next((tmp_path / "work").iterdir()).iterdir()}
    assert stages >= {"documents", "copies", "copy-by-home", "component-by-home", "rounds"}


def test_a_job_of_many_documents_keeps_what_the_command_keeps(large: SparkSession, tmp_path: Path) -> None:
    documents, references = make_documents(200), make_documents(40, seed=2)
    inputs = [written(documents[at::2], tmp_path / f"pages-{at}.jsonl") for at in range(2)]
    others = written([*references, *documents[:20]], tmp_path / "others.jsonl")
    asked = [*map(str, inputs), "--against", str(others), "--job", str(tmp_path / "job"), "--output"]
    assert job.main([*asked, str(tmp_path / "kept")]) == 1
    expected = nearprint.dedup([*map(str, inputs)], against=str(others)).to_pylist()
    kept = {row["id"] for row in expected if row["decision"] == "keep" and not row["failure"]}
    assert {row["id"] for row in large.read.parquet(str(tmp_path / "kept")).collect()} == kept
    assert 20 < len(kept) < 180


def test_what_an_executor_does_not_see_is_an_error(large: SparkSession, tmp_path: Path) -> None:
    look = _homes._lookup(str(tmp_path / "component-by-home"), pa.schema([]))
    batch = pa.record_batch({"node": [1]})
    with pytest.raises(InputOutputError, match="name a workdir= that all executors reach"):
        list(look(iter([batch])))
