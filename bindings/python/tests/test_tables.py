"""Tables and columns of results: as sequences, pickled, and in other libraries."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import duckdb
import nearprint
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import edited, make_text

TEXTS = [edited(make_text(n // 2), n, edits=n % 2) for n in range(30)]
TABLES = {
    "pairs": nearprint.pairs(texts=TEXTS),
    "clusters": nearprint.clusters(texts=TEXTS),
    "decisions": nearprint.dedup(texts=[*TEXTS, "2024", None]),
    "pairs of fingerprints": nearprint.pairs(nearprint.fingerprints(TEXTS), k=3),
    "calibration": nearprint.calibrate(texts=TEXTS),
    "nothing": nearprint.pairs(texts=[]),
}
COLUMNS = {form: nearprint.fingerprints([*TEXTS, None], as_=form) for form in ("value", "string", "struct")}
COLUMNS["sketch"] = nearprint.fingerprints([*TEXTS, "2024"], "md1")


def of_worker(texts: list[str]) -> tuple[nearprint.Table, nearprint.Column]:
    return nearprint.dedup(texts=texts), nearprint.fingerprints(texts)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_a_sequence_of_rows(name: str) -> None:
    table = TABLES[name]
    rows = table.to_pylist()
    assert list(table) == rows and table.num_rows == len(table) == len(rows)
    assert [next(again) for again in [iter(table)] for _ in rows] == rows
    assert table.num_columns == len(table.column_names) and list(table.schema) == table.column_names
    assert table.schema == {column: table[column].type for column in table.column_names}
    for part in (slice(None), slice(2, 5), slice(-3, None), slice(5, 2), slice(0, 10**9)):
        some = table[part]
        assert isinstance(some, nearprint.Table) and some.to_pylist() == rows[part] and some.schema == table.schema
        assert some.to_arrow().to_pylist() == rows[part] and pickle.loads(pickle.dumps(some)).to_pylist() == rows[part]
    for at in (0, -1, len(rows) // 2) if rows else ():
        assert table[at] == rows[at]
    for wrong, error in ((len(rows), IndexError), (-len(rows) - 1, IndexError), ("x", KeyError), (1.5, TypeError)):
        with pytest.raises(error):
            table[wrong]  # type: ignore[call-overload]
    with pytest.raises(nearprint.InvalidInputError, match="no slices with steps"):
        table[::2]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_pickled_whole(name: str) -> None:
    table = TABLES[name]
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), copy.copy(table)):
        assert again.to_pylist() == table.to_pylist() and again.schema == table.schema
        assert again.summary == table.summary and again.failures == table.failures
        assert again.to_arrow().equals(table.to_arrow(), check_metadata=True)


@pytest.mark.parametrize("form", COLUMNS)
def test_a_column_is_pickled_whole(form: str) -> None:
    column = COLUMNS[form]
    for some in (column, column[3:7], column[5:5]):
        again = pickle.loads(pickle.dumps(some))
        assert again.to_pylist() == some.to_pylist() and (again.type, again.name) == (some.type, some.name)
        assert (again.scheme, again.null_count) == (some.scheme, some.null_count)


def test_results_leave_a_worker() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        answers = list(pool.map(of_worker, [TEXTS[:10], TEXTS[10:]]))
    for texts, (table, column) in zip((TEXTS[:10], TEXTS[10:]), answers, strict=True):
        assert table.to_pylist() == nearprint.dedup(texts=texts).to_pylist()
        assert column.to_pylist() == nearprint.fingerprints(texts).to_pylist()


@pytest.mark.parametrize("name", TABLES)
def test_other_libraries_take_a_table_by_the_interface_of_arrow(name: str) -> None:
    found = TABLES[name]
    rows = found.to_pylist()
    assert pa.RecordBatchReader.from_stream(found).read_all().to_pylist() == rows
    assert pl.DataFrame(found).to_dicts() == pl.LazyFrame(pl.DataFrame(found)).collect().to_dicts() == rows
    assert len(found.to_pandas()) == len(rows) and list(found.to_pandas().columns) == found.column_names
    if rows:
        assert pd.DataFrame(list(found)).shape == pd.DataFrame(found).shape == (found.num_rows, found.num_columns)
        assert duckdb.sql("SELECT count(*) FROM found").fetchall() == [(len(rows),)]


def test_columns_are_arrays_of_numpy() -> None:
    assert np.array_equal(np.asarray(COLUMNS["value"][:5]), COLUMNS["value"][:5].to_numpy())
    pairs = TABLES["pairs"]
    for name, kind in (("distance", "uint32"), ("similarity", "float64"), ("a", "object")):
        made = np.asarray(pairs[name])
        assert made.dtype == kind and made.tolist() == pairs[name].to_pylist()
    assert np.asarray(pairs["distance"], dtype="float32").dtype == "float32"
    assert np.asarray(COLUMNS["value"]).tolist() == COLUMNS["value"].to_pylist()
    with pytest.raises(ValueError, match="NumPy copies"):
        np.asarray(pairs["distance"], copy=False)


def test_lazy_frames_are_tables() -> None:
    frame = pl.DataFrame({"id": [str(at) for at in range(len(TEXTS))], "text": TEXTS})
    lazy: Any = frame.lazy()
    assert nearprint.pairs(lazy).to_pylist() == nearprint.pairs(frame).to_pylist()
    assert (
        nearprint.dedup(lazy.filter(pl.col("id") != "1")).to_pylist()
        == nearprint.dedup(frame.filter(pl.col("id") != "1")).to_pylist()
    )
    assert [record.id for record in nearprint.read(lazy)] == frame["id"].to_list()
    assert nearprint.matches(lazy, frame).to_pylist() == nearprint.matches(frame, lazy).to_pylist()


def test_errors_are_one_sentence_each() -> None:
    import datasets

    data: Any = datasets.Dataset.from_dict({"text": TEXTS})
    wrong: list[tuple[type[Exception], str, Any]] = [
        (TypeError, "ids are str, not int: give", lambda: nearprint.pairs(texts=TEXTS[:1], ids=[1])),  # type: ignore[list-item]
        (TypeError, "ids is a column of Int64, not of text", lambda: nearprint.dedup(texts=["a"], ids=pa.array([1]))),
        (TypeError, "ids is an iterable of str", lambda: nearprint.dedup(texts=["a"], ids=1)),  # type: ignore[arg-type]
        (TypeError, "ids is one id", lambda: nearprint.dedup(texts=["a"], ids="a")),
        (ValueError, "id x is given twice: ids must be unique", lambda: nearprint.dedup(texts=["a", "b"], ids=["x", "x"])),
        (ValueError, "threads is 1 or more, or None for all processors, not 0", lambda: nearprint.pairs(texts=[], threads=0)),
        (ValueError, "threads is 1 or more, .* not -1", lambda: nearprint.fingerprints([], threads=-1)),
        (TypeError, "threads is a number or None, not str", lambda: nearprint.pairs(texts=[], threads="2")),  # type: ignore[arg-type]
        (TypeError, "a Dataset is no table here.*nearprint.datasets.dedup", lambda: nearprint.pairs(data)),
    ]  # fmt: skip
    for error, words, ask in wrong:
        with pytest.raises(error, match=words) as raised:
            ask()
        assert "\n" not in str(raised.value), words
    index = nearprint.Index()
    assert index.add(texts=["Fog.", "Rain."], ids=["x", "x"], on_duplicate="skip").summary["skipped"] == 1
