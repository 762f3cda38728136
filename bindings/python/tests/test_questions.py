"""One test asks every question, with no option and with each, of every door, and compares digests of the rows.

The library is what all are compared with. Spark is asked in spark_tests/test_questions.py, where there is a session.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nearprint
import pyarrow as pa
import pytest
from conftest import Library, Rows
from nearprint.client import ServerCollection
from nearprint.errors import InvalidInputError
from questions import EXCEPTIONS, VERBS, Options, cases, digest, is_verified, of_command, without_bytes
from test_client import start, stop


@pytest.fixture(scope="session")
def texts(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The texts of the samples as JSON lines."""
    path = tmp_path_factory.mktemp("texts") / "texts.jsonl"
    found = [record for record in nearprint.read(samples) if record.text]
    lines = [json.dumps({"id": "/".join(Path(record.id).parts[-2:]), "text": record.text}) for record in found]
    # Documents with a word less than another one: of every kind of pair there are some.
    lines += [
        json.dumps({"id": f"cut-{at}", "text": (record.text or "").rsplit(None, 3)[0]})
        for at, record in enumerate(found[::5])
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def columns(path: Path) -> tuple[list[str], list[str]]:
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row["id"] for row in found], [row["text"] for row in found]


def asked(question: str, **given: Any) -> list[dict[str, Any]]:
    """What the Python module answers; of matches, each document is a query."""
    if question == "matches":
        query = given["data"] if "data" in given else pa.table({"id": given["ids"], "text": given["texts"]})
        given["query"] = [query] if isinstance(query, Path) else query
    rows: list[dict[str, Any]] = getattr(nearprint, question)(**given).to_pylist()
    return rows


def of_index(index: nearprint.Index, question: str, path: Path, options: Options) -> list[dict[str, Any]]:
    """What an index answers."""
    made = index.matches([path], **options) if question == "matches" else getattr(index, question)(**options)
    rows: list[dict[str, Any]] = made.to_pylist()
    return rows


@pytest.fixture(scope="session")
def index(texts: Path, tmp_path_factory: pytest.TempPathFactory) -> nearprint.Index:
    """An index on disk that keeps features, made by the module with no other option."""
    made = nearprint.Index.create(tmp_path_factory.mktemp("index") / "texts.index")
    made.add(texts)
    return made


@pytest.fixture(scope="module")
def collection(texts: Path, command: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerCollection]:
    """A collection of a server, made with no option but that it keeps texts."""
    running, url = start(command, tmp_path_factory.mktemp("server"))
    made = nearprint.connect(url).create("texts", texts=True)
    ids, found = columns(texts)
    assert made.add(texts=found, ids=ids).summary["added"] == len(ids)
    yield made
    stop(running)


def of_server(collection: ServerCollection, question: str, path: Path, options: Options) -> list[dict[str, Any]]:
    """What a collection of the server answers."""
    ids, found = columns(path)
    matches = question == "matches"
    made = collection.matches(texts=found, ids=ids, **options) if matches else getattr(collection, question)(**options)
    rows: list[dict[str, Any]] = made.to_pylist()
    return rows


@pytest.mark.parametrize(("question", "option", "options"), cases(), ids=lambda value: str(value) if value else "none")
def test_every_door_answers_alike(
    question: str,
    option: str,
    options: Options,
    texts: Path,
    rows: Rows,
    library: Library,
    index: nearprint.Index,
    collection: ServerCollection,
    command: Path,
) -> None:
    def by_library(options: Options) -> tuple[int, str]:
        return digest(question, library("--ask", json.dumps({question: options}), texts)["rows"])

    expected = by_library(options)
    assert expected[0] > 0, "a digest of nothing compares nothing"
    ids, found = columns(texts)
    doors: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "command": lambda: of_command(rows, question, options, texts, texts),
        "paths": lambda: asked(question, data=texts, **options),
        "texts": lambda: asked(question, texts=found, ids=ids, **options),
        "table": lambda: (
            asked(question, data=pa.table({"id": ids, "text": found}), **options)
            if question != "matches"
            else asked(question, texts=pa.array(found), ids=ids, **options)
        ),
    }
    answers = {door: digest(question, ask()) for door, ask in doors.items()}
    assert answers == dict.fromkeys(doors, expected)
    if ("index-and-server", question) in EXCEPTIONS:
        return
    if question == "dedup":
        expected = digest(question, without_bytes(doors["texts"]()))
        assert digest(question, without_bytes(of_server(collection, question, texts, options))) == expected
        if ("index", option) not in EXCEPTIONS:
            assert digest(question, without_bytes(of_index(index, question, texts, options))) == expected
        return
    if ("index", option) in EXCEPTIONS:
        return
    # Of an index the scheme is not a wish: texts are compared as they are without one.
    there = {**options, "scheme": "md1", "verify": is_verified(question, options)}
    in_index = by_library(there)
    assert digest(question, of_index(index, question, texts, options)) == in_index
    assert digest(question, of_command(rows, question, options, Path(index.path), texts)) == in_index
    assert digest(question, of_server(collection, question, texts, options)) == in_index


@pytest.mark.parametrize("question", ["pairs", "clusters", "matches", "dedup", "passages"])
def test_every_door_prints_the_same_question(question: str, texts: Path, command: Path) -> None:
    verb = VERBS.get(question, question)
    inputs = [texts, "--queries", texts] if question == "matches" else [texts]
    made = subprocess.run([command, verb, "--dry-run", *inputs], capture_output=True, check=True, text=True)
    line = made.stdout.splitlines()[0].removeprefix("question\t")
    if question in ("pairs", "dedup"):
        resolved: Any = nearprint._nearprint.resolved  # type: ignore[attr-defined]
        assert json.loads(line) == {question: resolved(question)["question"]}
    assert list(json.loads(line)) == [question]


def test_an_index_refuses_another_scheme(index: nearprint.Index) -> None:
    with pytest.raises(InvalidInputError, match="the fingerprints are of md1, not of sl1"):
        index.pairs(scheme="sl1")


def test_exceptions_are_few() -> None:
    assert len(EXCEPTIONS) <= 13
