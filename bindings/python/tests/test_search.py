"""Pairs, clusters, matches, decisions and comparisons: of documents, texts and arrays of fingerprints."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import nearprint
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from conftest import edited, make_text
from hypothesis import given, settings
from hypothesis import strategies as st
from nearprint import Fingerprint

WORDS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 63) | st.sampled_from([0, 2**64 - 1]), max_size=60)


def near(values: list[int], k: int) -> list[tuple[int, int, int]]:
    """Pairs by looking at all of them."""
    return [
        (a, b, (values[a] ^ values[b]).bit_count())
        for a in range(len(values))
        for b in range(a + 1, len(values))
        if (values[a] ^ values[b]).bit_count() <= k
    ]


def tuples(table: nearprint.Table) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in table.to_pylist()]


@settings(max_examples=60, deadline=None)
@given(WORDS, st.integers(0, 6))
def test_pairs_of_arrays_are_all_there_are(values: list[int], k: int) -> None:
    array = np.array(values, dtype=np.uint64)
    expected = near(values, k)
    forms: list[Any] = [
        array,
        array.view(np.int64),
        pa.array(values, pa.uint64()),
        pl.Series(values, dtype=pl.UInt64),
        [Fingerprint.from_int(value) for value in values],
    ]
    for form in forms:
        assert tuples(nearprint.pairs(form, k=k)) == expected
    half = len(values) // 2
    between = nearprint.pairs(array[:half], against=array[half:], k=k)
    assert tuples(between) == [(a, b - half, d) for a, b, d in expected if a < half <= b]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.none() | st.integers(0, 40), max_size=40), st.integers(0, 2))
def test_positions_are_those_of_the_array_where_values_are_null(values: list[int | None], k: int) -> None:
    places = [place for place, value in enumerate(values) if value is not None]
    expected = [(places[a], places[b], d) for a, b, d in near([value for value in values if value is not None], k)]
    assert tuples(nearprint.pairs(pa.array(values, pa.uint64()), k=k)) == expected
    objects = [None if value is None else Fingerprint.from_int(value) for value in values]
    assert tuples(nearprint.pairs(objects, k=k)) == expected
    clusters = nearprint.clusters(pa.array(values, pa.uint64()), k=k).to_pylist()
    linked = {place for pair in expected for place in pair[:2]}
    assert {row["id"] for row in clusters} == linked
    for a, b, _ in expected:
        assert len({row["cluster"] for row in clusters if row["id"] in (a, b)}) == 1


@settings(max_examples=40, deadline=None)
@given(WORDS, st.integers(0, 8))
def test_matches_of_arrays_are_all_there_are(values: list[int], k: int) -> None:
    queries = [0, 7, *values[:3]]
    expected = [
        (query, place, (value ^ asked).bit_count())
        for query, asked in enumerate(queries)
        for place, value in enumerate(values)
        if (value ^ asked).bit_count() <= k
    ]
    expected.sort(key=lambda match: (match[0], match[2], match[1]))
    array = np.array(values, dtype=np.uint64)
    assert tuples(nearprint.matches(np.array(queries, dtype=np.uint64), array, k=k)) == expected
    one = nearprint.matches(Fingerprint.from_int(0), array, k=k)
    assert tuples(one) == [match for match in expected if match[0] == 0]


def test_columns_carry_their_scheme() -> None:
    texts = [make_text(1), edited(make_text(1), 1, 1), make_text(2)]
    for scheme in ("sd1", "sl1", "md1", "custom:words,log,lookup3,32"):
        column = nearprint.fingerprints(texts, scheme)
        found = nearprint.pairs(column, k=120 if scheme == "md1" else 12)
        assert (0, 1) in [(row["a"], row["b"]) for row in found.to_pylist()]
        # Through another library and back.
        again = nearprint.pairs(pa.array(column), scheme=scheme, k=120 if scheme == "md1" else 12)
        assert tuples(again) == tuples(found)
    with pytest.raises(nearprint.InvalidInputError, match="of sl1, not of sd1"):
        nearprint.pairs(nearprint.fingerprints(texts, "sl1"), scheme="sd1")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, TypeError, "either paths, a table or fingerprints"),
        ({"data": 7}, TypeError, "int is neither"),
        ({"data": [7]}, TypeError, "int is no Fingerprint"),
        ({"data": np.array([1.5, float("nan")])}, TypeError, "float64 is no Fingerprint"),
        ({"data": np.zeros((2, 2), dtype=np.uint64)}, nearprint.InvalidInputError, "one dimension"),
        ({"data": pa.array(["x"])}, TypeError, "no column of fingerprints"),
        ({"data": b"bytes"}, TypeError, "not bytes"),
        ({"data": np.zeros(2, dtype=np.uint64), "scheme": "md1"}, nearprint.InvalidInputError, "of 64 bits"),
        ({"data": np.zeros(2, dtype=np.uint64), "threshold": 0.5}, nearprint.InvalidInputError, "only fingerprints"),
        ({"data": np.zeros(2, dtype=np.uint64), "k": 99}, nearprint.InvalidInputError, "at most"),
        ({"data": np.zeros(2, dtype=np.uint64), "k": -1}, nearprint.InvalidInputError, "not -1"),
        ({"data": np.zeros(2, dtype=np.uint64), "max_pairs": 0}, nearprint.LimitError, "argument max_pairs"),
        ({"data": "-"}, nearprint.InvalidInputError, "standard input"),
        ({"texts": ["fog"], "threshold": float("nan")}, nearprint.InvalidInputError, "from 0 to 1"),
        ({"texts": ["fog"], "threshold": 2.0}, nearprint.InvalidInputError, "from 0 to 1"),
        ({"texts": ["fog"], "measure": "dice"}, nearprint.InvalidInputError, "jaccard"),
        ({"texts": ["fog"], "idf": "no.idf"}, nearprint.InvalidInputError, "cosine-tfidf"),
        ({"texts": ["fog"], "measure": "cosine-tfidf"}, nearprint.InvalidInputError, "needs a table"),
        ({"texts": ["fog"], "k": 3, "similarity": 0.9}, nearprint.InvalidInputError, "another form of k"),
        ({"texts": ["fog"], "similarity": 2.0}, nearprint.InvalidInputError, "from 0 to 1"),
        ({"texts": ["fog"], "ids": []}, nearprint.InvalidInputError, "0 ids for 1 texts"),
        ({"texts": ["fog"], "data": "path"}, TypeError, "either"),
        ({"texts": "fog"}, TypeError, "one text"),
    ],
)
def test_searches_that_make_no_sense_are_refused(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        nearprint.pairs(**arguments)


TEXTS = [make_text(1), edited(make_text(1), 5), make_text(2), "2024", None, make_text(1).upper()]
IDS = ["one", "edited", "other", "number", "none", "upper"]


def test_texts_at_hand_are_verified_documents() -> None:
    found = nearprint.pairs(texts=TEXTS, ids=IDS)
    assert [(row["a"], row["b"]) for row in found.to_pylist()] == [
        ("one", "edited"),
        ("one", "upper"),
        ("edited", "upper"),
    ]
    assert all(row["measure"] == "jaccard" and row["similarity"] >= 0.3 for row in found.to_pylist())
    assert {key: found.summary[key] for key in ("documents", "fingerprints", "found", "scheme")} == {
        "documents": 6,
        "fingerprints": 4,
        "found": 3,
        "scheme": "md1",
    }
    assert [(failure["id"], failure["reason"]) for failure in found.failures] == [
        ("number", "no-tokens"),
        ("none", "empty"),
    ]
    clusters = nearprint.clusters(texts=pl.Series(TEXTS), linkage="star").to_pylist()
    assert [row["id"] for row in clusters] == ["0", "1", "5"]
    decisions = nearprint.dedup(texts=TEXTS, ids=IDS).to_pylist()
    assert [(row["id"], row["decision"], row["reason"]) for row in decisions] == [
        ("one", "keep", "representative"),
        ("edited", "keep", "contradicts"),
        ("other", "keep", "unique"),
        ("number", "keep", "no-fingerprint"),
        ("none", "keep", "no-fingerprint"),
        ("upper", "drop", "same-words"),
    ]
    matches = nearprint.matches((TEXTS[0] or "").encode(), texts=TEXTS, ids=IDS).to_pylist()
    assert [row["id"] for row in matches] == ["one", "upper", "edited"]


def test_tables_go_to_other_libraries() -> None:
    table = nearprint.pairs(texts=TEXTS, ids=IDS)
    expected = table.to_pylist()
    assert len(table) == 3 and table.column_names[:3] == ["a", "b", "distance"]
    assert table.to_arrow().to_pylist() == expected
    assert pa.table(table).schema.metadata[b"nearprint.scheme"] == b"md1"
    assert table.to_polars().to_dicts() == expected
    assert pl.DataFrame(table).height == 3
    assert table.to_pandas().shape == (3, len(table.column_names))
    assert table["a"].to_pylist() == [row["a"] for row in expected]
    assert repr(table).startswith("<nearprint.Table of 3 rows: a, b, distance")
    with pytest.raises(KeyError):
        table["nonsense"]
    empty = nearprint.pairs(texts=["fog came in"])
    assert len(empty) == 0 and empty.to_arrow().num_rows == 0 and empty.to_polars().height == 0
    assert empty["a"].to_pylist() == []


def test_comparisons(tmp_path: Path) -> None:
    a, b = Fingerprint.from_int(7), Fingerprint.from_int(5)
    assert (nearprint.compare(a, b)["distance"], nearprint.compare(a, b)["match"]) == (1, "close")
    page = tmp_path / "page.html"
    page.write_text("<p>Django 2.2 is designated as a long-term support release.")
    found = nearprint.compare(page, b"Django 3.2 is designated as a long-term support release.", details=3)
    assert (found["texts"], found["verified"], found["distance"]) == ("same-words", True, 0)
    assert found["shared"] and found["passages"]
    assert nearprint.compare_texts("Fog came in.", "Fog came in. \n")["texts"] == "identical"
    with pytest.raises(TypeError, match="with a fingerprint"):
        nearprint.compare(a, page)
    with pytest.raises(nearprint.DocumentError) as caught:
        nearprint.compare(b"2024", b"2025")
    assert caught.value.reason == "no-tokens"


def test_measures_of_whole_texts(tmp_path: Path, command: Path) -> None:
    assert nearprint.compare_texts("kitten", "Sitting", measure="edit", threshold=0.5) == {
        "similarity": 1 - 3 / 7,
        "measure": "edit",
        "texts": "near",
        "verified": True,
    }
    found = nearprint.compare(b"fog and rain", b"fog and sun", measure="jaccard-words")
    assert (found["text_similarity"], found["measure"], found["verified"]) == (0.5, "jaccard-words", False)
    rows = nearprint.pairs(texts=TEXTS, ids=IDS, measure="cosine-tf", threshold=0.9)
    assert [(row["a"], row["b"]) for row in rows.to_pylist()][:1] == [("one", "edited")]
    assert all(row["measure"] == "cosine-tf" and row["similarity"] >= 0.9 for row in rows.to_pylist())
    assert (rows.summary["scheme"], rows.summary["open"]) == ("wd1", 0)
    for search in (nearprint.clusters, partial(nearprint.matches, b"fog")):
        with pytest.raises(nearprint.InvalidInputError, match="measures whole texts"):
            search(texts=TEXTS, measure="edit")
    table = tmp_path / "texts.idf"
    (tmp_path / "texts.txt").write_text("fog and rain")
    arguments = ["prints", "idf", "-qq", "--scheme", "custom:words,tf,lookup3,64", "--least", "1", "--output", table]
    subprocess.run([command, *arguments, tmp_path / "texts.txt"], check=True)
    weighed = nearprint.compare_texts("fog and rain", "fog and rain", measure="cosine-tfidf", idf=table)
    assert weighed["similarity"] == 1.0


def test_similarity_is_another_form_of_k() -> None:
    values = np.array([0, 0b111111, 0b1111111], dtype=np.uint64)
    for similarity, k in ((0.9, 6), (0.98, 1), (1.0, 0)):
        by_similarity = nearprint.pairs(values, similarity=similarity).to_pylist()
        assert by_similarity == nearprint.pairs(values, k=k).to_pylist()
        clusters = nearprint.clusters(values, similarity=similarity).to_pylist()
        assert clusters == nearprint.clusters(values, k=k).to_pylist()
        matches = nearprint.matches(Fingerprint.from_int(0), values, similarity=similarity).to_pylist()
        assert matches == nearprint.matches(Fingerprint.from_int(0), values, k=k).to_pylist()


def test_an_index_changes_and_is_queried() -> None:
    index = nearprint.Index()
    a, b = Fingerprint.from_int(0b111), Fingerprint.from_int(0b101)
    assert index.insert("a", a) == "added"
    assert index.insert_many([("b", b), ("c", a)]) == (2, 0, 0)
    assert (len(index), "a" in index, "x" in index, index.get("b"), index.get("x")) == (3, True, False, b, None)
    assert index.query(a) == [("a", 0), ("c", 0), ("b", 1)]
    assert index.query_many([a, b], k=0) == [[("a", 0), ("c", 0)], [("b", 0)]]
    with pytest.raises(nearprint.InvalidInputError, match="already contains"):
        index.insert("a", b)
    assert index.insert("a", b, on_duplicate="replace") == "replaced"
    assert index.insert("a", a, on_duplicate="skip") == "skipped"
    index.remove("c")
    with pytest.raises(KeyError):
        index.remove("c")
    other = nearprint.fingerprint("fog came in", "sl1")
    assert other is not None
    with pytest.raises(nearprint.InvalidInputError, match="different schemes"):
        index.query(other)
    assert repr(index) == "<nearprint.Index of 2 documents by sd1>"
