"""Tables of other libraries as documents: every function takes them, with the answers that texts and files have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import nearprint
import polars as pl
import pyarrow as pa
import pytest
from conftest import edited, make_text

TEXTS = [make_text(1), edited(make_text(1), 5), make_text(2), None, "2024", make_text(1).upper()]
IDS = ["one", "edited", "other", "none", "wordless", "upper"]
FRAME = pl.DataFrame({"other": range(6), "id": IDS, "text": TEXTS, "rank": [1, 9, 3, 0, 0, 5]})


def forms(frame: pl.DataFrame) -> list[Any]:
    """The same table, as the libraries have it."""
    arrow = frame.to_arrow()
    parts = pa.concat_tables([arrow[:2], arrow[2:2], arrow[2:]])
    dictionary = arrow.set_column(2, "text", arrow["text"].dictionary_encode())
    plain = pa.table({name: arrow[name].cast(pa.string()) for name in ("text", "id")})
    return [
        frame,
        arrow,
        parts,
        dictionary,
        plain,
        parts.to_reader(),
        arrow.combine_chunks().to_batches()[0],
        frame.to_pandas(),
        duckdb.connect().from_arrow(arrow),
        frame.lazy().collect(engine="streaming"),
    ]


def test_every_form_of_a_table_gives_the_answers_of_its_texts() -> None:
    expected = nearprint.pairs(texts=TEXTS, ids=IDS)
    assert len(expected) == 3
    for table in forms(FRAME):
        found = nearprint.pairs(table)
        assert found.to_pylist() == expected.to_pylist(), type(table)
        assert [failure["id"] for failure in found.failures] == ["none", "wordless"], type(table)


def test_every_function_takes_a_table(tmp_path: Path) -> None:
    by_name: dict[str, Any] = {"texts": TEXTS, "ids": IDS}
    for function in (nearprint.pairs, nearprint.clusters, nearprint.dedup, nearprint.health, nearprint.correlate):
        of_table, of_texts = function(FRAME), function(**by_name)  # type: ignore[operator]
        if isinstance(of_table, nearprint.Table):
            assert of_table.to_pylist() == of_texts.to_pylist() and len(of_table), function
            assert of_table.summary == of_texts.summary, function
        else:
            assert of_table == of_texts
    calibrated = [nearprint.calibrate(FRAME), nearprint.calibrate(**by_name)]
    assert len({str(table.to_arrow().drop_columns("microseconds").to_pylist()) for table in calibrated}) == 1
    assert nearprint.clusters(FRAME)._repr_html_() == nearprint.clusters(**by_name)._repr_html_()
    records = [(record.id, record.text, record.fingerprint) for record in nearprint.read(FRAME)]
    made = [nearprint.fingerprint(text or "") for text in TEXTS]
    assert [record[0] for record in records] == IDS and [record[2] for record in records] == made
    # Two collections, either of which may be a table.
    some = FRAME[:1]
    expected = nearprint.dedup(against=some, **by_name).to_pylist()
    FRAME.write_parquet(tmp_path / "all.parquet")
    some.write_parquet(tmp_path / "some.parquet")
    assert [row["decision"] for row in expected] == ["drop", "keep", "keep", "keep", "keep", "drop"]
    for data, against in ((FRAME, tmp_path / "some.parquet"), (tmp_path / "all.parquet", some)):
        found = nearprint.dedup(data, against=against)
        assert [(row["id"], row["decision"]) for row in found.to_pylist()] == [
            (row["id"], row["decision"]) for row in expected
        ]
    assert nearprint.pairs(FRAME[1:], against=some)["b"].to_pylist() == ["one", "one"]
    queries = nearprint.matches(some, FRAME).to_pylist()
    assert queries == nearprint.matches([tmp_path / "some.parquet"], tmp_path / "all.parquet").to_pylist()
    assert {row["id"] for row in queries} == {"one", "edited", "upper"}
    texts = dict(zip(IDS, TEXTS, strict=True))
    changed = nearprint.diff(some, FRAME).to_pylist()
    assert changed == nearprint.diff({"one": TEXTS[0]}, texts).to_pylist()
    assert [row["difference"] for row in changed][:2] == ["identical", "new"]


def test_an_index_takes_a_table() -> None:
    index = nearprint.Index()
    assert index.add(FRAME).summary["added"] == 4
    assert len(index) == 4 and index.get("one") == nearprint.fingerprint(TEXTS[0] or "")
    near = index.matches(FRAME.rename({"id": "name"}), k=0).to_pylist()
    assert {(row["query"], row["id"]) for row in near} >= {("0", "one"), ("5", "upper")}
    with pytest.raises(TypeError, match="id_field names it"):
        index.add(FRAME, ids=IDS)


def test_columns_are_named_as_in_files(tmp_path: Path) -> None:
    renamed = FRAME.rename({"text": "body"})
    renamed.write_parquet(tmp_path / "pages.parquet")
    for options in ({"text_field": "body", "id_field": "other"}, {"text_field": "body"}, {"html_field": "body"}):
        in_memory = nearprint.pairs(renamed, **options).to_pylist()  # type: ignore[arg-type]
        assert in_memory == nearprint.pairs(tmp_path / "pages.parquet", **options).to_pylist()  # type: ignore[arg-type]
        assert len(in_memory) == 3
    kept = nearprint.dedup(FRAME, keep="field:rank:max")
    assert [row["id"] for row in kept.to_pylist() if row["decision"] == "keep"] == [
        "edited",
        "other",
        "none",
        "wordless",
        "upper",
    ]
    structure = pa.table({"doc": pa.StructArray.from_arrays([pa.array(IDS), pa.array(TEXTS)], ["id", "text"])})
    assert len(nearprint.pairs(structure, text_field="doc.text", id_field="doc.id")) == 3
    unnamed = nearprint.clusters(pl.concat([renamed.drop("id")] * 2, rechunk=False), text_field="body")
    assert sorted(int(row["id"]) for row in unnamed.to_pylist()) == [0, 1, 2, 5, 6, 7, 8, 11]


def test_what_is_no_table_of_documents_is_refused() -> None:
    invalid = nearprint.InvalidInputError
    for data, options, error, words in (
        (FRAME.rename({"text": "body"}), {}, invalid, 'no column "text"; there are: other, id, body, rank'),
        (FRAME, {"id_field": "name"}, invalid, 'no column "name"'),
        (FRAME, {"text_field": "rank"}, invalid, "contains Int64, not text"),
        (FRAME, {"texts": TEXTS}, TypeError, "either paths, a table or fingerprints"),
        (FRAME["text"], {}, TypeError, "no column of fingerprints"),
        (pa.StructArray.from_arrays([pa.array(["x"])], ["text"], mask=pa.array([True])), {}, invalid, "null"),
        ({"text": TEXTS}, {}, TypeError, "dict|no Fingerprint"),
    ):
        with pytest.raises(error, match=words):
            nearprint.pairs(data, **options)  # type: ignore[arg-type]
    bad = nearprint.dedup(pl.DataFrame({"id": ["a", "a\nb"], "text": TEXTS[:2]}))
    assert [failure["reason"] for failure in bad.failures] == ["bad-id"]
    with pytest.raises(TypeError, match="a table of documents"):
        nearprint.matches(FRAME["rank"].cast(pl.UInt64), FRAME)
    with pytest.raises(TypeError, match="or a table"):
        nearprint.read(FRAME["rank"].cast(pl.UInt64))
