"""Components and verified pairs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import nearprint
import nearprint.spark
import pytest
from documents import frame_of, make_documents
from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark import _clusters
from pyspark.sql import SparkSession

VERDICT = ["distance", "similarity", "evidence", "duplicate", "distinct"]
"""What a pair says beside its ids."""


def test_both_methods_find_the_components(spark: SparkSession, tmp_path: Path) -> None:
    source = random.Random(3)
    # A long chain, in which stars need several rounds, and random pairs.
    edges = [(at, at + 1) for at in range(100, 160)] + [(source.randrange(60), source.randrange(60)) for _ in range(40)]
    expected: dict[int, int] = {}
    parts = [{a, b} for a, b in edges if a != b]
    while parts:
        part = parts.pop()
        while touching := [other for other in parts if other & part]:
            parts = [other for other in parts if not other & part]
            part = part.union(*touching)
        expected |= dict.fromkeys(part, min(part))
    df = spark.createDataFrame(edges, "a int, b int")
    for made in (
        nearprint.spark.clusters(df, method="driver"),
        nearprint.spark.clusters(df, method="stars", workdir=str(tmp_path)),
    ):
        rows = [(row["id"], row["cluster"]) for row in made.collect()]
        assert sorted(rows) == sorted(expected.items())


def test_more_pairs_than_the_driver_takes_need_a_directory(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_clusters, "MOST_ON_DRIVER", 1)
    df = spark.createDataFrame([(1, 2), (2, 3)], "a int, b int")
    with pytest.raises(LimitError, match="workdir="):
        nearprint.spark.clusters(df)
    with pytest.raises(InvalidInputError, match="workdir="):
        nearprint.spark.clusters(df, method="stars")


def test_verified_pairs_are_those_of_the_module(spark: SparkSession) -> None:
    documents = make_documents(400)
    ids = [document["id"] for document in documents]
    found = nearprint.pairs(texts=[document["text"] for document in documents], ids=ids, threshold=0.7).to_pylist()
    expected = sorted((*sorted((row["a"], row["b"])), *(row[name] for name in VERDICT)) for row in found)
    assert len(expected) > 20
    made = nearprint.spark.verified_pairs(frame_of(spark, documents), threshold=0.7)
    assert sorted(tuple(row) for row in made.collect()) == expected


def test_verified_pairs_are_bounded(spark: SparkSession) -> None:
    text = "fog came in at noon and stayed over the harbour until the bells rang"
    equal = [(at, text) for at in range(3)]
    df = spark.createDataFrame([*equal, (3, f"{text} twice")], "id long, text string")
    with pytest.raises(LimitError, match="3 pairs of documents have equal sketches alone, more than max_pairs=2"):
        nearprint.spark.verified_pairs(df, max_pairs=2)
    # What is not equal is counted by the task that finds it, whose error is Spark's.
    with pytest.raises(Exception, match="max"):
        nearprint.spark.verified_pairs(df, max_pairs=3).collect()
    assert nearprint.spark.verified_pairs(df, max_pairs=6).count() == 6


def test_sketches_of_words_propose_pairs_by_cosine(spark: SparkSession) -> None:
    documents = make_documents(400)
    ids = [document["id"] for document in documents]
    texts = [document["text"] for document in documents]
    named: Any = {"threshold": 0.9, "measure": "cosine", "scheme": "wd1", "bands": "32x4"}
    found = nearprint.pairs(texts=texts, ids=ids, verify=True, **named).to_pylist()
    expected = sorted((*sorted((row["a"], row["b"])), *(row[name] for name in VERDICT)) for row in found)
    assert len(expected) > 20
    df = frame_of(spark, documents)
    assert sorted(tuple(row) for row in nearprint.spark.verified_pairs(df, **named).collect()) == expected
    with pytest.raises(InvalidInputError, match="name them"):
        nearprint.spark.verified_pairs(df, measure="cosine", scheme="wd1")
