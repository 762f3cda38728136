"""The questions of the library, with no option and with each, asked of Spark: the rows are those of the module.

The module is compared with the library and all other doors in tests/test_questions.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nearprint
import nearprint.spark
import pytest
from pyspark.sql import DataFrame, SparkSession
from questions import EXCEPTIONS, Options, cases, is_verified

Documents = list[tuple[str, str, int]]


def wanted() -> list[tuple[str, str, Options]]:
    """What Spark is asked of all cases."""
    there = {"pairs", "dedup"}
    found = [case for case in cases() if case[0] in there and ("spark", case[1]) not in EXCEPTIONS]
    return [case for case in found if is_verified(case[0], case[2])]


@pytest.fixture(scope="module")
def documents(samples: Path) -> Documents:
    """The texts of the samples, and copies that lack some words."""
    found = [("/".join(Path(record.id).parts[-2:]), record.text) for record in nearprint.read(samples) if record.text]
    cut = [(f"cut-{at}", text.rsplit(None, 3)[0]) for at, (_, text) in enumerate(found[::5])]
    return [(id, text, at) for at, (id, text) in enumerate(found + cut)]


@pytest.fixture(scope="module")
def frame(spark: SparkSession, documents: Documents) -> DataFrame:
    return spark.createDataFrame(documents, "id string, text string, position int").repartition(3)


@pytest.mark.parametrize(("question", "option", "options"), wanted(), ids=lambda value: str(value) if value else "none")
def test_spark_answers_as_the_module(
    question: str, option: str, options: Options, documents: Documents, frame: DataFrame
) -> None:
    ids, texts = [id for id, *_ in documents], [text for _, text, _ in documents]
    if question == "pairs":
        expected = nearprint.pairs(texts=texts, ids=ids, **options).to_pylist()
        fields = ("distance", "similarity", "evidence", "duplicate", "distinct")
        rows = [(*sorted((row["a"], row["b"])), *(row[name] for name in fields)) for row in expected]
        found = [tuple(row) for row in nearprint.spark.verified_pairs(frame, **options).collect()]
    else:
        fields = ("id", "decision", "reason", "representative", "similarity")
        decided = nearprint.dedup(texts=texts, ids=ids, **options).to_pylist()
        rows = [tuple(row[name] for name in fields) for row in decided]
        given: dict[str, Any] = {"order": "position", **options}
        found = [tuple(row[name] for name in fields) for row in nearprint.spark.dedup(frame, **given).collect()]
    assert rows, "rows of nothing compare nothing"
    assert sorted(found, key=str) == sorted(rows, key=str)
