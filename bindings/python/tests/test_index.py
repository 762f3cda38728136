"""Indexes on disk: what the command `nearprint index` finds in them, and what a program around them does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import nearprint
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from conftest import Rows
from nearprint import Fingerprint, Index
from test_doors import PAIRS, columns, digest

MATCHES = ["query", "id", "distance", "estimate"]
DOCUMENT = ["id", "fingerprint", "extractor"]


def members(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Clusters as the command gives them, a row for each member."""
    return [{**row, "id": member} for row in rows for member in row["members"]]


def same_answers(path: Path, query: Path, rows: Rows) -> None:
    """Compares what Python and the command find in an index."""
    with Index.open(path, read_only=True) as index:
        for k in (3, 6):
            assert digest(index.pairs(k=k).to_pylist(), PAIRS) == digest(rows("prints", "pairs", "-k", k, path), PAIRS)
            names = ["cluster", "size", "representative", "id"]
            of_command = digest(members(rows("prints", "clusters", "-k", k, path)), names)
            assert digest(index.clusters(k=k).to_pylist(), names) == of_command
            of_command = digest(rows("prints", "query", "-k", k, path, "--queries", query), MATCHES)
            assert digest(index.matches(query, k=k).to_pylist(), MATCHES) == of_command
        exported, listed = index.export().to_pylist(), index.list().to_pylist()
        assert digest(listed, DOCUMENT) == digest(rows("index", "list", path), DOCUMENT) == digest(exported, DOCUMENT)
        assert [row["id"] for row in listed] == [row["id"] for row in rows("index", "list", path)]
        assert digest(exported, DOCUMENT[:2]) == digest(rows("index", "export", path)[1:-1], DOCUMENT[:2])
        (stats,) = rows("index", "stats", path)
        assert {**index.stats(), "schema": stats["schema"]} == stats


@pytest.fixture(scope="module")
def rows(command: Path) -> Rows:
    """Runs the command, of which not every verb is ever quiet."""

    def run(*arguments: object) -> list[dict[str, Any]]:
        given = [command, *map(str, arguments), "--format", "jsonl"]
        done = subprocess.run(given, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr.decode()
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_documents_are_found_as_the_command_finds_them(
    samples: Path, command: Path, rows: Rows, tmp_path: Path
) -> None:
    ours, theirs = tmp_path / "ours.index", tmp_path / "theirs.index"
    with Index.create(ours, "sd1") as index:
        added = index.add(samples)
        assert added.summary["added"] == len(index) == added.summary["documents"] > 10
        assert (added.summary["failed"], len(added.failures)) == (0, 3)
        assert len(added) == 0 and index.path == ours
    for verb in (["create", "--scheme", "sd1", theirs], ["add", "-qq", theirs, samples]):
        subprocess.run([command, "index", *verb], check=False, capture_output=True)
    for path in (ours, theirs):
        same_answers(path, samples, rows)
    with Index.open(ours, read_only=True) as one, Index.open(theirs, read_only=True) as other:
        names = [*DOCUMENT, "print"]
        assert digest(one.export().to_pylist(), names) == digest(other.export().to_pylist(), names)
    assert Index.verify(ours) == []


def test_texts_and_columns_of_fingerprints_are_one_index(corpus: Path, rows: Rows, tmp_path: Path) -> None:
    ids, texts = columns(corpus)
    prints = nearprint.fingerprints(texts)
    forms: dict[str, dict[str, Any]] = {
        "paths": {"data": corpus},
        "texts": {"texts": pa.array(texts), "ids": ids},
        "arrow": {"data": prints, "ids": pl.Series(ids)},
        "numpy": {"data": prints.to_numpy(), "ids": ids},
        "objects": {"data": [Fingerprint.from_int(value) for value in prints], "ids": pa.array(ids)},
    }
    found = set()
    for name, arguments in forms.items():
        with Index.create(tmp_path / name, "sd1") as index:
            assert index.add(**arguments).summary["added"] == len(ids)
            found.add(digest(index.pairs(k=6).to_pylist(), PAIRS))
            back = index.export()
            assert back["id"].to_pylist() == ids and np.array_equal(back["print"].to_numpy(), prints.to_numpy())
            assert len(nearprint.pairs(back["print"], k=6)) == len(index.pairs(k=6))
    assert len(found) == 1
    same_answers(tmp_path / "numpy", corpus.parent / "pages.jsonl", rows)


def test_what_is_near_is_told_and_left_out(tmp_path: Path) -> None:
    values = np.array([0, 1, 0xFFFF, 3], dtype=np.uint64)
    with Index.create(tmp_path / "new", "sd1") as index:
        near = index.add(values, if_new=True, k=1)
        assert [(row["query"], row["id"], row["distance"]) for row in near.to_pylist()] == [("1", "0", 1)]
        assert near.summary["added"] == 3 and near.summary["near"] == 1
    with Index.create(tmp_path / "all", "sd1") as index:
        index.add(values[:2])
        near = index.add(values[2:], ids=["c", "d"], matches=True, k=2)
        assert [(row["query"], row["id"], row["distance"]) for row in near.to_pylist()] == [
            ("d", "1", 1),
            ("d", "0", 2),
        ]
        assert len(index) == 4
        with pytest.raises(nearprint.InvalidInputError, match="already contains"):
            index.add(values)
        assert index.add(values, ids=["0", "1", "c", "x"], on_duplicate="skip").summary["skipped"] == 3
        found = index.matches(Fingerprint.from_int(0), k=1).to_pylist()
        assert [row["id"] for row in found] == ["0", "1"]
        asked = index.matches(pa.array([None, 3], pa.uint64()), ids=["null", "three"], k=0).to_pylist()
        assert [(row["query"], row["id"]) for row in asked] == [("three", "d"), ("three", "x")]


def test_metadata_choose(tmp_path: Path) -> None:
    with Index.create(tmp_path / "pages", "sd1") as index:
        index.add(texts=["fog came in"], ids=["a"], metadata={"crawl": "2025", "host": "x"})
        index.add(texts=["Fog came in."], ids=["b"], metadata={"crawl": "2026", "host": "x"})
        print_ = index.get("a")
        assert print_ is not None
        index.insert("c", print_, metadata={"crawl": 2026, "host": "y"})
        assert index.insert("c", print_, metadata={"host": "z"}, on_duplicate="skip") == "skipped"
        assert [row["id"] for row in index.matches(print_, where="crawl=2026").to_pylist()] == ["b", "c"]
        assert [row["id"] for row in index.export(where=["crawl>=2026", "host!=x"]).to_pylist()] == ["c"]
        assert len(index.pairs()) == 3 and len(index.pairs(not_same="host")) == 2
        document = index.document("b")
        assert document is not None and document["metadata"] == {"crawl": "2026", "host": "x"}
        assert document["fingerprint"] == str(print_) and document["time"] > 1_600_000_000_000
        assert index.document("x") is None
        assert index.remove_many(where="host=x") == 2
        assert index.remove_many(["c", "x"]) == 1 and len(index) == 0
        for wrong in ({"where": "crawl"}, {}, {"ids": ["a"], "where": "crawl=1"}):
            with pytest.raises(nearprint.InvalidInputError):
                index.remove_many(**wrong)
        with pytest.raises(TypeError):
            index.insert("d", print_, metadata={"x": object()})
        with pytest.raises(nearprint.InvalidInputError, match="metadata"):
            index.insert("d", print_, metadata={"x": "y" * 70_000})


def test_texts_are_kept_given_back_and_compared(tmp_path: Path) -> None:
    fog = "Fog came in at noon and stayed over the harbour until the bells rang."
    ids, texts = ["fog", "rain", "again"], [fog, "It rained on the hills for a week without an end.", fog.upper()]
    decided = [("fog", "keep"), ("rain", "keep"), ("again", "drop")]

    def decisions(table: nearprint.Table) -> list[tuple[str, str]]:
        return [(row["id"], row["decision"]) for row in table.to_pylist()]

    for features, kept in ((False, True), (True, True), (True, False)):
        with Index.create(tmp_path / f"{features}-{kept}", "md1", features=features, texts=kept) as index:
            index.add(texts=texts, ids=ids, metadata={"crawl": "1"})
            document = index.document("fog")
            assert document is not None and document.get("text") == (fog if kept else None)
            assert "features" not in document and "main_content" not in document
            made = index.dedup()
            assert decisions(made) == decided and made.summary["documents"] == 3
            assert decisions(index.dedup(where="crawl!=1")) == []
            new = {"texts": [fog, "Bread needs time, and nobody hurries it."], "ids": ["new", "bread"]}
            assert decisions(nearprint.dedup(**new, against=index)) == [("new", "drop"), ("bread", "keep")]
            if kept:
                # Any scheme can be named where there are texts.
                assert decisions(index.dedup(scheme="sd1")) == decided
            else:
                with pytest.raises(nearprint.InvalidInputError, match="are of md1, not of sd1"):
                    index.dedup(scheme="sd1")
    with Index.create(tmp_path / "prints", "md1", features=False) as bare:
        with pytest.raises(nearprint.InvalidInputError, match="only fingerprints"):
            bare.dedup()
        with pytest.raises(nearprint.InvalidInputError, match="keeps no features"):
            nearprint.dedup(texts=[fog], against=bare)
    with pytest.raises(nearprint.InvalidInputError, match=r"Index\.create"):
        nearprint.dedup(texts=[fog], against=Index("md1"))


def test_indexes_are_merged_with_all_that_they_store(tmp_path: Path) -> None:
    with (
        Index.create(tmp_path / "all", "md1", texts=True) as whole,
        Index.create(tmp_path / "november", "md1", texts=True) as november,
    ):
        whole.add(texts=["fog came in at noon", "rain fell all day"], ids=["fog", "rain"])
        november.add(texts=["rain fell", "snow came early"], ids=["rain", "snow"], metadata={"crawl": "2026-11"})
        with pytest.raises(nearprint.InvalidInputError, match="already contains a document with the id rain"):
            whole.merge(november)
        assert len(whole) == 2
        assert whole.merge(november, on_duplicate="skip") == (1, 0, 1)
        stored = whole.document("snow")
        assert stored and (stored["text"], stored["metadata"]) == ("snow came early", {"crawl": "2026-11"})
        assert whole.merge(november, on_duplicate="replace") == (0, 2, 0)
        rain = whole.document("rain")
        assert rain and rain["text"] == "rain fell"
        # Without a directory there are fingerprints alone.
        held = Index("md1")
        assert held.merge(whole) == (3, 0, 0) and held.get("snow") == whole.get("snow")
        with pytest.raises(nearprint.InvalidInputError, match="fingerprints alone cannot be added"):
            whole.merge(held, on_duplicate="skip")
        with pytest.raises(nearprint.InvalidInputError, match="sd1"):
            whole.merge(Index("sd1"))
        assert len(november) == 2


def test_what_was_added_is_there_after_the_end_and_in_copies(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    with Index.create(path, "sl1") as index:
        assert index.scheme == "sl1" and repr(index) == f"<nearprint.Index at {path} of 0 documents by sl1>"
        index.add(texts=["fog came in", "rain fell"], ids=["fog", "rain"])
        assert index.snapshot(tmp_path / "copy") == 2
        with pytest.raises(nearprint.InvalidInputError, match="exists already"):
            index.snapshot(tmp_path / "copy")
        with pytest.raises(nearprint.ResourceError, match="another process writes"):
            Index.open(path)
        with Index.open(path, read_only=True) as reader:
            index.remove("fog")
            assert len(reader) == 1 and "fog" not in reader
            with pytest.raises(nearprint.InvalidInputError, match="reading only"):
                reader.add(texts=["sun"])
    assert repr(index) == "<nearprint.Index, closed>"
    with pytest.raises(nearprint.InvalidInputError, match="closed"):
        len(index)
    Index.compact(path)
    Index.rebuild(path)
    assert Index.verify(path) == []
    with Index.open(path) as again:
        assert (len(again), again.stats()["documents"]) == (1, 1)
    with Index.open(tmp_path / "copy") as copy:
        assert [row["id"] for row in copy.list(after="a", limit=1).to_pylist()] == ["fog"]
    (path / "store.redb").write_bytes(b"damaged")
    with pytest.raises(nearprint.NearprintError):
        Index.open(path)


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(nearprint.InvalidInputError, match="is not an index"):
        Index.open(tmp_path / "nothing")
    with pytest.raises(nearprint.InvalidInputError, match="is not an index"):
        Index.verify(tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(nearprint.InvalidInputError, match="klingon"):
        Index.create(tmp_path / "x", "klingon")
    memory = Index()
    assert memory.path is None
    for call in (memory.pairs, memory.clusters, memory.export, memory.list, memory.stats):
        with pytest.raises(nearprint.InvalidInputError, match=r"Index\.create"):
            call()
    with pytest.raises(nearprint.InvalidInputError, match=r"Index\.create"):
        memory.add(texts=["fog"], if_new=True)
    with pytest.raises(nearprint.InvalidInputError, match=r"Index\.create"):
        memory.matches(texts=["fog"], where="a=b")
    assert memory.add(texts=["fog came in", None, "rain"], ids=["fog", "none", "rain"]).summary["added"] == 2
    assert memory.add(np.array([1, 2], dtype=np.uint64)).summary["documents"] == 4
    assert [row["id"] for row in memory.matches(texts=["FOG came in"]).to_pylist()] == ["fog"]
    with Index.create(tmp_path / "real", "sd1") as index:
        for arguments in ({}, {"data": "x", "texts": ["x"]}, {"data": ".", "ids": ["x"]}, {"data": 7}):
            with pytest.raises(TypeError):
                index.add(**arguments)
        for wrong in (
            {"texts": ["x"], "k": 3},
            {"texts": ["x"], "if_new": True, "matches": True},
            {"texts": ["x"], "ids": []},
            {"texts": ["x"], "on_duplicate": "maybe"},
            {"data": nearprint.fingerprints(["fog"], "sl1")},
        ):
            with pytest.raises(nearprint.InvalidInputError):
                index.add(**wrong)
        with pytest.raises(nearprint.InvalidInputError, match="at most"):
            index.pairs(k=99)

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            index.add(texts=["fog came in"] * 2, progress=stop)
        # What was cancelled before a commit is not there, and the index works.
        index.add(texts=["fog came in"] * 2, on_duplicate="skip")
        assert len(index) == 2


FORKED = """
import os, sys
import nearprint
with nearprint.Index.create(sys.argv[1], "sd1") as index:
    index.add(texts=["fog came in"])
    child = os.fork()
    if child == 0:
        try:
            len(index)
        except nearprint.ResourceError:
            del index
            # Readers need nothing of the parent.
            os._exit(7 if len(nearprint.Index.open(sys.argv[1], read_only=True)) == 1 else 1)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    try:
        nearprint.Index.open(sys.argv[1])
    except nearprint.ResourceError:
        # The child has not let go of its parent's lock.
        index.add(texts=["rain fell"], ids=["rain"])
        sys.exit(0 if len(index) == 2 else 1)
sys.exit(1)
"""


def test_a_forked_process_leaves_the_index_to_its_parent(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORKED, tmp_path / "forked"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
