"""Pairs of fingerprints: those of the core, by both methods, with blocks that are split."""

from __future__ import annotations

from typing import Any, Literal

import nearprint
import nearprint.spark
import pyarrow as pa
import pytest
from conftest import found, frame, in_core, make_prints
from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark import _bands
from pyspark.sql import SparkSession

METHODS: list[Literal["core", "sql"]] = ["core", "sql"]


@pytest.mark.parametrize("method", METHODS)
def test_heavy_blocks_are_split_and_nothing_is_lost(spark: SparkSession, method: Literal["core", "sql"]) -> None:
    prints = make_prints(1_500, 700)
    expected = in_core(prints, 3)
    assert len(expected) > 100
    split = nearprint.spark.pairs(frame(spark, prints), k=3, method=method, most_in_block=50)
    assert found(split) == expected


@pytest.mark.parametrize(("method", "k"), [("core", 0), ("core", 11), ("sql", 6)])
def test_any_distance_is_searched(spark: SparkSession, method: Literal["core", "sql"], k: int) -> None:
    prints = make_prints(300, 50)
    assert found(nearprint.spark.pairs(frame(spark, prints), k=k, method=method)) == in_core(prints, k)


@pytest.mark.parametrize("method", METHODS)
def test_two_sets_are_compared_with_each_other_only(spark: SparkSession, method: Literal["core", "sql"]) -> None:
    prints = make_prints(500, 200)
    names = list(prints)
    left = {name: prints[name] for name in names[:400]}
    right = {name: prints[name] for name in names[400:]}
    expected = in_core(left, 3, right)
    assert any(distance == 0 for *_, distance in expected)
    frames = (frame(spark, left), frame(spark, right))
    assert found(nearprint.spark.pairs(frames[0], against=frames[1], k=3, method=method)) == expected


def test_more_pairs_than_the_bound_are_refused_before_the_work(spark: SparkSession) -> None:
    near = {f"n{bit}": 1 << bit for bit in range(64)}
    with pytest.raises(LimitError, match="about 2016 pairs within 2 bits"):
        nearprint.spark.pairs(frame(spark, near), k=2, max_pairs=2015)
    assert nearprint.spark.pairs(frame(spark, near), k=2, max_pairs=2016).count() == 2016
    copies = {f"c{at}": 7 for at in range(64)}
    with pytest.raises(LimitError, match="about 2016 pairs"):
        nearprint.spark.pairs(frame(spark, copies), method="sql", max_pairs=2015)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 17}, "0 to 16 bits, not 17"),
        ({"method": "fast"}, "method is auto, core or sql"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(spark: SparkSession, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        nearprint.spark.pairs(frame(spark, {"a": 1}), **arguments)


def test_fingerprints_of_several_schemes_are_refused(spark: SparkSession) -> None:
    mixed = spark.createDataFrame([("a", "sd1", 1), ("b", "sl1", 1)], "id string, scheme string, bits long")
    with pytest.raises(InvalidInputError, match="sd1 and sl1"):
        nearprint.spark.pairs(mixed)


@pytest.mark.parametrize("scheme", ["md1", "wd1"])
def test_sketches_are_searched_in_bands(spark: SparkSession, scheme: str) -> None:
    texts = [" ".join(f"w{(at * 7 + word) % 40}x" for word in range(30 + at % 3)) for at in range(60)]
    rows = [(f"t{at}", text) for at, text in enumerate(texts)]
    prints = nearprint.spark.fingerprint(spark.createDataFrame(rows, "id string, text string"), schemes=scheme)
    sketches = nearprint.fingerprints(texts, scheme)
    expected = nearprint.pairs(sketches, k=60, bands="32x4").to_pylist()
    named = sorted((*sorted((f"t{row['a']}", f"t{row['b']}")), row["distance"]) for row in expected)
    assert named
    assert found(nearprint.spark.pairs(prints, k=60, bands="32x4")) == named
    with pytest.raises(InvalidInputError, match="in bands"):
        nearprint.spark.pairs(prints, k=60)


def test_a_value_of_a_band_that_too_many_sketches_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    held = pa.table({"number": [1, 2, 1, 1], "companion": [7, 8, 9, 5]})
    schema = pa.schema([("members", pa.list_(pa.int64()))])
    groups = [batch.to_pydict()["members"] for batch in _bands._members(held, schema)]
    assert groups == [[[5, 7, 9]]]
    monkeypatch.setattr(_bands, "MOST_IN_BAND", 2)
    with pytest.raises(LimitError, match="3 sketches agree in one band, more than the 2"):
        list(_bands._members(held, schema))
