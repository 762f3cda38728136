"""Other packages, the real ones: polars, DuckDB, datasets, datatrove."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import duckdb
import nearprint
import nearprint.datasets
import nearprint.datatrove
import nearprint.duckdb
import nearprint.polars
import polars as pl
import pytest
from conftest import edited, make_text
from nearprint.datasets import AddFingerprint, KeepUnique

TEXTS = [make_text(1), None, "2024", edited(make_text(1), 5), make_text(2)]
VALUES = nearprint.fingerprints(TEXTS).to_pylist()
STRINGS = nearprint.fingerprints(TEXTS, as_="string").to_pylist()


def test_polars_expressions() -> None:
    frame = pl.DataFrame({"text": TEXTS})
    column = pl.col("text").nearprint  # type: ignore[attr-defined]
    made = frame.with_columns(
        value=column.fingerprint(), string=column.fingerprint(as_="string"), sketch=column.fingerprint("md1")
    )
    assert made["value"].to_list() == VALUES and made["string"].to_list() == STRINGS
    assert made.schema["value"] == pl.UInt64 and made.schema["sketch"] == pl.Binary
    distances = made.select(pl.col("value").nearprint.distance(pl.col("value").shift(3)))["value"].to_list()  # type: ignore[attr-defined]
    assert distances == [None, None, None, (VALUES[0] ^ VALUES[3]).bit_count(), None]


def test_polars_streaming(tmp_path: Path) -> None:
    texts = [make_text(seed, 30) for seed in range(20_000)]
    pl.DataFrame({"text": texts}).write_parquet(tmp_path / "texts.parquet", row_group_size=1000)
    lazy = pl.scan_parquet(tmp_path / "texts.parquet").select(pl.col("text").nearprint.fingerprint())  # type: ignore[attr-defined]
    assert lazy.collect_schema() == {"text": pl.UInt64}
    assert lazy.collect(engine="streaming")["text"].to_list() == nearprint.fingerprints(texts).to_pylist()


def test_duckdb_functions() -> None:
    con = duckdb.connect()
    nearprint.duckdb.register(con)
    con.execute("CREATE TABLE pages (id INTEGER, text VARCHAR)")
    con.executemany("INSERT INTO pages VALUES (?, ?)", list(enumerate(TEXTS)))
    found = con.sql("SELECT nearprint_fingerprint(text), nearprint_fingerprint_string(text) FROM pages ORDER BY id")
    assert found.fetchall() == list(zip(VALUES, STRINGS, strict=True))
    near = nearprint.duckdb.pairs(con, "SELECT id, text FROM pages").fetchall()
    assert [row[:2] for row in near] == [("0", "3")]
    kept = nearprint.duckdb.dedup(con, "SELECT id, text FROM pages", policy="loose").filter("decision = 'keep'")
    assert [row[0] for row in kept.fetchall()] == ["0", "1", "2", "4"]
    nearprint.duckdb.register(other := duckdb.connect(), "md1")
    sketch = other.execute("SELECT nearprint_fingerprint(?)", [TEXTS[0]]).fetchall()[0][0]
    assert sketch == nearprint.fingerprints(TEXTS[:1], "md1")[0]


HASHED = "from datasets.fingerprint import Hasher; from nearprint.datasets import AddFingerprint; print(Hasher.hash(AddFingerprint(scheme='sl1')))"


@pytest.mark.filterwarnings("ignore")
def test_datasets_functions_are_found_in_the_cache(tmp_path: Path) -> None:
    made = datasets.Dataset.from_dict({"text": TEXTS})
    first = made.map(AddFingerprint(), batched=True)
    assert list(first["fingerprint"]) == STRINGS
    assert made.map(AddFingerprint(), batched=True)._fingerprint == first._fingerprint
    assert made.map(AddFingerprint(scheme="sl1"), batched=True)._fingerprint != first._fingerprint
    hashes = {
        subprocess.run([sys.executable, "-c", HASHED], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(hashes) == 1
    unique = KeepUnique(made["text"], policy="loose")
    kept = made.filter(unique, with_indices=True)
    assert list(kept["text"]) == [TEXTS[0], TEXTS[1], TEXTS[2], TEXTS[4]]
    # Rows in another order, fewer or more are not those that were decided about.
    for other in (made.select([4, 3, 2, 1, 0]), made.select([1, 2]), datasets.concatenate_datasets([made, made])):
        with pytest.raises(nearprint.InvalidInputError, match=r"row \d is not that of the data set"):
            other.filter(unique, with_indices=True)
    with pytest.raises(nearprint.InvalidInputError, match="no column text: give text_field"):
        made.rename_column("text", "body").filter(unique, with_indices=True)


@pytest.mark.filterwarnings("ignore")
def test_a_data_set_keeps_the_rows_that_dedup_keeps() -> None:
    made = datasets.Dataset.from_dict({"text": TEXTS, "n": range(5), "id": ["same"] * 5})
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [3, 1], [0, 3, 3]):
        given = made.select(order)
        decisions = nearprint.dedup(texts=[TEXTS[at] for at in order], policy="loose")["decision"]
        wanted = [at for at, decision in zip(order, decisions, strict=True) if decision == "keep"]
        kept = nearprint.datasets.dedup(given, policy="loose")
        assert list(kept["n"]) == wanted and kept.column_names == given.column_names, order
    dedup = nearprint.datasets.dedup
    assert list(dedup(made.shuffle(seed=1), keep="field:n:max", policy="loose").sort("n")["n"]) == [1, 2, 3, 4]
    renamed = made.rename_column("text", "body")
    assert list(dedup(renamed, text_field="body", policy="loose", only="text")["n"]) == [0, 1, 2, 4]
    assert list(dedup(made, against=made.select([4, 0]), policy="loose")["n"]) == [1, 2]
    for wrong, options, error, words in (
        (datasets.DatasetDict({"train": made}), {}, TypeError, "one split"),
        (made.to_iterable_dataset(), {}, TypeError, "not IterableDataset"),
        (made, {"column": "text"}, TypeError, "column is now called text_field"),
        (made, {"ids": ["a"]}, TypeError, "ids has no use"),
        (renamed, {}, nearprint.InvalidInputError, 'no column "text"; there are: body, n, id'),
        (made, {"keep": "field:size"}, nearprint.InvalidInputError, 'no column "size"'),
        (made, {"text_field": "n"}, nearprint.InvalidInputError, "contains Int64, not text"),
    ):
        with pytest.raises(error, match=words):
            dedup(wrong, **options)


def test_old_names_say_the_new_ones() -> None:
    with pytest.raises(ImportError, match="Deduplicate is now called Dedup"):
        from nearprint.datatrove import Deduplicate  # type: ignore[attr-defined] # noqa: F401
    with pytest.raises(AttributeError, match="has no attribute 'Other'"):
        nearprint.datatrove.Other  # noqa: B018


@pytest.mark.parametrize(
    ("library", "statement", "extra"),
    [
        ("polars", "import nearprint.polars", "polars"),
        ("duckdb", "import nearprint.duckdb", "duckdb"),
        ("numpy", "import nearprint.duckdb", "duckdb"),
        ("datatrove", "import nearprint.datatrove", "datatrove"),
        ("pyspark", "import nearprint.spark", "spark"),
        ("scrapy", "import nearprint.scrapy", "scrapy"),
        ("tqdm", "import nearprint; nearprint.pairs(texts=['fog'], progress=True)", "progress"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(library: str, statement: str, extra: str) -> None:
    # What is None among the modules is not found.
    code = f"import sys; sys.modules['{library}'] = None\n{statement}"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(f"needs {library}: pip install 'nearprint[{extra}]'"), done.stderr


PIPELINE = """
import json, sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.data import Document
from datatrove.pipeline.writers import ParquetWriter
from nearprint.datatrove import AddFingerprint, Dedup

folder = sys.argv[1]
steps = [
    [Document(text=text, id=id) for id, text in json.load(open(f"{folder}/in.json"))],
    AddFingerprint(batch_size=2),
    Dedup(exclusion_writer=ParquetWriter(f"{folder}/dropped"), threshold=0.5, policy="loose"),
    ParquetWriter(f"{folder}/kept"),
]
stats = LocalPipelineExecutor(steps, tasks=1, logging_dir=f"{folder}/logs").run()
dedup = stats.stats[-2].stats
print(dedup["total"].total, dedup["forwarded"].total, dedup["dropped_near"].total)
"""


def test_datatrove_pipelines(tmp_path: Path) -> None:
    # An id twice, and a document without words.
    documents = [(name, text) for name, text in zip("abccd", TEXTS, strict=True) if text is not None]
    (tmp_path / "in.json").write_text(json.dumps(documents))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PIPELINE, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[-2] == "4 3 1"

    def written(folder: str) -> list[dict[str, Any]]:
        return pl.read_parquet(tmp_path / folder / "*.parquet").to_dicts()

    kept, dropped = written("kept"), written("dropped")
    assert [row["id"] for row in kept] == ["a", "c", "d"] and [row["id"] for row in dropped] == ["c"]
    assert [row["metadata"]["fingerprint"] for row in kept] == [STRINGS[0], None, STRINGS[4]]
    assert (dropped[0]["metadata"]["reason"], dropped[0]["metadata"]["representative"]) == ("near", "a")
