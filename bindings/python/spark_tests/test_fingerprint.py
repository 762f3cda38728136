"""Fingerprints of frames: those of the module, with reasons where there is none."""

from __future__ import annotations

from pathlib import Path

import nearprint
import nearprint.spark
import pyarrow as pa
import pytest
from nearprint.errors import InvalidInputError
from nearprint.spark._batches import pieces
from pyspark.sql import SparkSession

TEXTS = ["Fog came in at noon.", None, "2024", "fog came in, at NOON", " \n"]


def test_texts_have_the_fingerprints_of_the_module(spark: SparkSession) -> None:
    df = spark.createDataFrame([(at, text) for at, text in enumerate(TEXTS)], "key long, body string")
    rows = nearprint.spark.fingerprint(df, id_field="key", text_field="body", schemes=["sd1", "sl1"]).collect()
    assert len(rows) == 10
    for scheme in ("sd1", "sl1"):
        made = {row["id"]: row for row in rows if row["scheme"] == scheme}
        strings = nearprint.fingerprints(TEXTS, scheme, "string").to_pylist()
        assert [made[at]["fingerprint"] for at in range(5)] == strings
        values = nearprint.fingerprints(TEXTS, scheme).to_pylist()
        assert [made[at]["bits"] and made[at]["bits"] % 2**64 for at in range(5)] == values
        assert [made[at]["reason"] for at in range(5)] == [None, "empty", "no-tokens", None, "no-text"]
        assert made[0]["tokens"] == 5 and made[0]["place"] is None


def test_sketches_are_binary(spark: SparkSession) -> None:
    df = spark.createDataFrame([("a", TEXTS[0])], "id string, text string")
    (row,) = nearprint.spark.fingerprint(df, schemes="md1").collect()
    value = nearprint.fingerprint(str(TEXTS[0]), "md1")
    assert value is not None and bytes(row["bits"]) == bytes(value)
    with pytest.raises(InvalidInputError, match="one call for each width"):
        nearprint.spark.fingerprint(df, schemes=["sd1", "md1"])


def test_documents_are_extracted_in_the_executors(spark: SparkSession, samples: Path) -> None:
    folder = samples / "lighthouse"
    names = ["en.html", "en.pdf"]
    contents = [(name, (folder / name).read_bytes()) for name in names]
    df = spark.createDataFrame([*contents, ("bad", b"%PDF-1.7 nothing"), ("none", None)], "id string, body binary")
    made = {row["id"]: row for row in nearprint.spark.fingerprint(df, content_field="body").collect()}
    for name in names:
        (record,) = nearprint.read(folder / name)
        assert made[name]["fingerprint"] == str(record.fingerprint)
    assert made["bad"]["bits"] is None and made["bad"]["reason"] not in (None, "no-tokens")
    assert made["none"]["reason"] == "empty"


def test_batches_are_cut_by_bytes() -> None:
    batch = pa.record_batch({"text": ["x" * 100] * 50 + ["y" * 5000]})
    cut = list(pieces(batch, 1000))
    assert pa.Table.from_batches(cut).equals(pa.Table.from_batches([batch]))
    assert all(piece.nbytes <= 1000 or piece.num_rows == 1 for piece in cut)
    assert len(cut) > 5
