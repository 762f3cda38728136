"""Decisions about documents: those of the command, whatever is kept."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import nearprint.spark
import pytest
from documents import Document, frame_of, make_documents, sample_documents, written
from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark import _bands, _dedup, _groups
from pyspark.sql import DataFrame, SparkSession

FIELDS = ("id", "decision", "reason", "representative", "similarity", "failure")

Rows = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def documents(samples: Path) -> list[Document]:
    """Generated documents, then those of the repository."""
    made = make_documents(900)
    return made + sample_documents(samples, len(made))


def decided(df: DataFrame) -> Rows:
    """The decisions of Spark, sorted."""
    return sorted(tuple(row[name] for name in FIELDS) for row in df.collect())


def by_command(path: Path, *arguments: str) -> Rows:
    """The decisions of the command."""
    command = [os.environ["NEARPRINT_COMMAND"], "dedup", str(path), "--format", "jsonl", "-qq", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return sorted(tuple(row.get(name) for name in FIELDS) for row in rows if "decision" in row)


@pytest.mark.parametrize(
    ("keep", "linkage"),
    [("first", "star"), ("longest", "components"), ("field:score", "star"), ("field:score:max", "star")],
)
def test_decisions_are_those_of_the_command(
    spark: SparkSession, documents: list[Document], tmp_path: Path, keep: str, linkage: Any
) -> None:
    df = frame_of(spark, documents).repartition(3, "text")
    made = nearprint.spark.dedup(
        df, keep=keep, order="position", chains=linkage == "components", workdir=str(tmp_path / "work")
    )
    arguments = ["--keep", keep, *(["--search", "chains"] if linkage == "components" else [])]
    expected = by_command(written(documents, tmp_path / "pages.jsonl"), *arguments)
    reasons = {row[2] for row in expected}
    assert reasons >= {"unique", "representative", "same-bytes", "same-words", "near", "too-short", "no-fingerprint"}
    assert decided(made) == expected


def test_a_workdir_overwrites_nothing(spark: SparkSession, documents: list[Document], tmp_path: Path) -> None:
    df = frame_of(spark, documents[:200])
    theirs = tmp_path / "fingerprints"
    df.limit(3).write.parquet(str(theirs))
    made = [nearprint.spark.dedup(df, order="position", workdir=str(tmp_path)) for _ in range(2)]
    assert decided(made[0]) == decided(made[1])
    assert spark.read.parquet(str(theirs)).count() == 3
    assert len(list(tmp_path.glob("nearprint-*"))) == 2


def test_copies_of_one_text_are_grouped_in_linear_time(spark: SparkSession) -> None:
    # 54.8 s of this size when the hash of all members was made for each of them.
    text = "fog came in at noon and stayed over the harbour until the bells rang"
    rows = [(f"{at:06}", f"{text} {at % 2}") for at in range(60_000)]
    df = spark.createDataFrame(rows, "id string, text string").repartition(2)
    kept = nearprint.spark.dedup(df, order="id").where("decision = 'keep'")
    assert kept.count() == 2


def test_there_may_be_any_number_of_equal_texts(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    # No task holds them, and no band.
    monkeypatch.setattr(_groups, "MOST_TOGETHER", 1)
    monkeypatch.setattr(_bands, "MOST_IN_BAND", 1)
    texts = ["fog came in at noon and stayed over the harbour", "fog", "2026", " "]
    df = spark.range(400).selectExpr(
        "id", f"array({', '.join(map(repr, texts))})[int(id % {len(texts)})] text", "id % 7 n"
    )
    made = nearprint.spark.dedup(df, order=["n", "id"])
    reasons = {
        (row["decision"], row["reason"]): row["count"] for row in made.groupBy("decision", "reason").count().collect()
    }
    assert reasons == {("drop", "same-bytes"): 396, ("keep", "representative"): 4}
    # The first by n and then by id: a multiple of 7.
    assert {row["id"] for row in made.where("decision = 'keep'").collect()} == {0, 7, 14, 21}


@pytest.mark.parametrize(
    ("keep", "options", "broadcast"),
    [
        ("first", {}, 1_000_000),
        ("field:score:max", {"policy": "loose", "threshold": 0.4}, 10),
        ("longest", {"chains": True, "threshold": 0.5, "least_words": 2}, 10),
    ],
)
def test_copies_are_decided_about_as_their_first(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keep: str,
    options: dict[str, Any],
    broadcast: int,
) -> None:
    monkeypatch.setattr(_dedup, "MOST_BROADCAST", broadcast)
    source = random.Random(keep)
    pool = [document["text"] for document in make_documents(80, seed=3)]
    pool += [f"{text} for {price} pounds" for text in pool[:20] for price in (17, 18)]
    skewed = [
        {"id": f"{source.getrandbits(40):010x}-{at}", "text": source.choice(pool), "position": at, "score": at % 5}
        for at in range(600)
    ]
    df, others = frame_of(spark, skewed[100:]), frame_of(spark, skewed[:100])
    made = nearprint.spark.dedup(df, order="position", keep=keep, against=others, **options)
    path, against = written(skewed[100:], tmp_path / "pages.jsonl"), written(skewed[:100], tmp_path / "others.jsonl")
    expected = nearprint.dedup(path, against=against, keep=keep, **options).to_pylist()
    assert decided(made) == sorted(tuple(row[name] for name in FIELDS) for row in expected)
    assert len({row["reason"] for row in expected}) >= 4


def test_references_are_compared_with_and_not_decided(
    spark: SparkSession, documents: list[Document], tmp_path: Path
) -> None:
    references = [{**document, "id": f"other-{at}"} for at, document in enumerate(documents[:300])]
    references += [{**document} for document in documents[300:320]]
    made = nearprint.spark.dedup(frame_of(spark, documents), order="position", against=frame_of(spark, references))
    others = written(references, tmp_path / "others.jsonl")
    expected = by_command(written(documents, tmp_path / "pages.jsonl"), "--against", str(others))
    assert decided(made) == expected


def test_the_place_of_documents_that_were_read_is_their_order(spark: SparkSession) -> None:
    text = "fog came in at noon and stayed over the harbour until the bells rang"
    places = [("a", ("b.jsonl", 1)), ("c", ("a.jsonl", 10)), ("b", ("a.jsonl", 9))]
    schema = "id string, text string, place struct<file: string, number: long>"
    df = spark.createDataFrame([(name, text, place) for name, place in places], schema)
    assert [row[0] for row in decided(nearprint.spark.dedup(df)) if row[1] == "keep"] == ["b"]
    references = df.where("id = 'c'")
    made = nearprint.spark.dedup(df.where("id != 'c'"), against=references)
    assert {row[3] for row in decided(made)} == {"c"}


def test_documents_of_equal_order_are_kept_by_the_bytes_of_their_ids(spark: SparkSession) -> None:
    text = "fog came in at noon and stayed over the harbour until the bells rang"
    df = spark.createDataFrame([(name, text, 1) for name in ("é", "b", "Z", "a")], "id string, text string, n int")
    made = nearprint.spark.dedup(df, order="n")
    assert [row[0] for row in decided(made) if row[1] == "keep"] == ["Z"]


def test_what_has_no_order_or_no_unique_id_is_refused(spark: SparkSession) -> None:
    df = spark.createDataFrame([("a", "x", 1), ("a", "y", 2)], "id string, text string, n int")
    for keep in ("first", "oldest"):
        with pytest.raises(InvalidInputError, match="needs order="):
            nearprint.spark.dedup(df, keep=keep)
    with pytest.raises(InvalidInputError, match="no column size"):
        nearprint.spark.dedup(df, keep="field:size")
    with pytest.raises(InvalidInputError, match="repeated: a"):
        nearprint.spark.dedup(df, order="n")
    with pytest.raises(InvalidInputError, match="is null"):
        nearprint.spark.dedup(df.selectExpr("nullif(id, 'a') id", "text", "n"), order="n")


def test_components_that_no_task_can_hold_are_refused(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_groups, "MOST_TOGETHER", 2)
    text = "fog came in at noon and stayed over the harbour until the bells rang"
    df = spark.createDataFrame([(at, f"{text} {at}") for at in range(3)], "id long, text string")
    with pytest.raises(LimitError, match="3 documents are connected by candidates, among them 0"):
        nearprint.spark.dedup(df, order="id")
    monkeypatch.setattr(_groups, "MOST_TOGETHER", 3)
    said: list[tuple[str, int, int | None]] = []
    nearprint.spark.dedup(df, order="id", progress=lambda *step: said.append(step))
    assert said == [("documents", 3, 3), ("copies", 0, 3), ("connected", 3, 3), ("largest", 3, 3)]
    spark.conf.set(_groups.BYTES_TOGETHER, "200")
    try:
        with pytest.raises(LimitError, match="connect with 0 have 210 bytes of text, more than the 200"):
            nearprint.spark.dedup(df, order="id")
    finally:
        spark.conf.unset(_groups.BYTES_TOGETHER)


def test_old_names_say_the_new_ones(spark: SparkSession) -> None:
    with pytest.raises(ImportError, match="deduplicate is now called dedup"):
        nearprint.spark.deduplicate  # noqa: B018
    df = spark.createDataFrame([("a", "fog", 1)], ["id", "text", "n"])
    for name in ("id", "text"):
        for function in (nearprint.spark.dedup, nearprint.spark.verified_pairs, nearprint.spark.fingerprint):
            with pytest.raises(TypeError, match=f"{name} is now called {name}_field"):
                function(df, **{name: name})  # type: ignore[arg-type]
    for function in (nearprint.spark.dedup, nearprint.spark.verified_pairs, nearprint.spark.fingerprint):
        with pytest.raises(nearprint.InvalidInputError, match="column n is of bigint, not of strings"):
            function(df, text_field="n", **({"order": "id"} if function is nearprint.spark.dedup else {}))  # type: ignore[arg-type]
