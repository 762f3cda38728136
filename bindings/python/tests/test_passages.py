"""Passages and items of tests by the module, the command and the library, over paths, texts and tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nearprint
import pyarrow as pa
import pytest
from conftest import Rows
from nearprint.errors import InputOutputError, InvalidInputError

FOG = "Fog came in at noon, and stayed over the harbour until the bells rang for the last boat home."


def test_a_passage_has_its_places_in_both_texts() -> None:
    texts = [f"He wrote: \u201c{FOG}\u201d", f"It rained. {FOG.upper()} Then it left."]
    found = nearprint.passages(texts=texts, ids=["a", "b"], min_tokens=5)
    (row,) = found.to_pylist()
    assert (row["a"], row["b"], row["tokens"], row["documents"]) == ("a", "b", 19, 2)
    assert texts[0][row["a_start"] : row["a_end"]] == row["text"] == FOG.rstrip(".")
    assert texts[1].encode()[row["b_start_byte"] : row["b_end_byte"]].decode() == FOG.rstrip(".").upper()
    assert (found.summary["shared"], found.summary["frequent"], found.summary["documents"]) == (1, 0, 2)
    assert "scheme" not in found.column_names


def test_references_are_compared_with_documents_alone(tmp_path: Path, rows: Rows) -> None:
    for name in ("new", "copy", "old"):
        (tmp_path / name).write_text(f"{name} {name}. {FOG}", encoding="utf-8")
    new, copy, old = (tmp_path / name for name in ("new", "copy", "old"))
    found = nearprint.passages([new, copy], against=old, min_tokens=5)
    assert [row["b"] for row in found] == [str(old)] * 2
    assert found.to_pylist() == [
        {name: row[name] for name in found.column_names}
        for row in rows("passages", "--min-tokens", "5", new, copy, "--against", old)
    ]


def test_places_of_frequent_passages_are_those_of_the_command(tmp_path: Path, rows: Rows) -> None:
    texts = [f"{FOG} {name * 3}. {FOG if name == 'b' else ''}" for name in "abcd"]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(texts)))
    asked = ["passages", "--min-tokens", "8", "--search", "max-places=3"]
    of_command = rows(*asked, "--places", tmp_path / "places.jsonl", path)
    wanted = [json.loads(line) for line in (tmp_path / "places.jsonl").read_text().splitlines()]
    for given in ({"data": path}, {"texts": texts}, {"data": pa.table({"id": ["0", "1", "2", "3"], "text": texts})}):
        found, places = nearprint.passages(**given, min_tokens=8, max_places=3, places=True)  # type: ignore[arg-type]
        assert found.to_pylist() == [{name: row[name] for name in found.column_names} for row in of_command]
        assert places.to_pylist() == [{name: row[name] for name in places.column_names} for row in wanted]
        assert [row["id"] for row in places] == ["0", "1", "1", "2", "3"]
    _, places = nearprint.passages(texts=texts, min_tokens=8, places=True)
    assert places.num_rows == 0


def test_known_passages_are_left_out_as_by_the_command(tmp_path: Path, rows: Rows) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.txt").write_text(f"{name}: {FOG} The end 7.", encoding="utf-8")
    known_file = tmp_path / "known.jsonl"
    for numbers in (False, True):
        options = ["--search", "numbers"] if numbers else []
        listed = ["passages", "boilerplate", "--min-tokens", "8", "--least", "3", *options]
        lines = rows(*listed, *(tmp_path / f"{name}.txt" for name in ("one", "two", "three")))
        known_file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        page = tmp_path / "one.txt"
        (wanted,) = rows("extract", "--without", known_file, page)
        common = nearprint.boilerplate(tmp_path, include=["*.txt"], min_tokens=8, least=3, numbers=numbers)
        known = nearprint.KnownPassages(common["text"], numbers=numbers)
        assert len(known) == len(lines) == 1
        assert wanted["text"] == nearprint.extract(page, without=known_file).text
        assert wanted["text"] == nearprint.extract(page, without=known).text
        assert wanted["text"] == known.without(nearprint.extract(page).text)
        assert FOG[:20] not in wanted["text"]
        assert ("7" in wanted["text"]) != numbers
    assert nearprint.extract(page, without=[FOG]).text.split() == ["one:", ".", "The", "end", "7."]
    known_file.write_text("fog\n")
    with pytest.raises(InvalidInputError, match="line 1"):
        nearprint.KnownPassages(known_file)
    with pytest.raises(InputOutputError, match=r"missing\.jsonl"):
        nearprint.KnownPassages(tmp_path / "missing.jsonl")
    with pytest.raises(InvalidInputError, match="numbers"):
        nearprint.KnownPassages(known_file, numbers=True)


def test_an_option_out_of_its_range_is_named() -> None:
    with pytest.raises(InvalidInputError, match="min_tokens"):
        nearprint.passages(texts=["a"], min_tokens=0)
    with pytest.raises(InvalidInputError, match="answer_within"):
        nearprint.decontaminate(pa.table({"text": ["a"]}), pa.table({"text": ["b"]}), answer_within=10_001)


def test_repeats_are_those_of_the_command(tmp_path: Path, rows: Rows) -> None:
    path = tmp_path / "rows.jsonl"
    texts = [f"One. {FOG}", f"{FOG.upper()} Two.", f"Three. {FOG} {FOG}"]
    path.write_text("".join(json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(texts)))
    found = nearprint.repeats(path, min_tokens=8)
    assert [(row["id"], row["tokens"], row["first"]) for row in found] == [("1", 19, "0"), ("2", 38, "0")]
    assert found.summary == {"documents": 3, "tokens": 79, "repeats": 2, "repeated_tokens": 57}
    cases: list[tuple[list[str], dict[str, Any]]] = [
        ([], {}),
        (["--search", "all-places"], {"all_places": True}),
        (["--search", "ignore-numbers"], {"ignore_numbers": True}),
    ]
    for options, arguments in cases:
        made = nearprint.repeats(path, min_tokens=8, **arguments)
        wanted = rows("passages", "dedup", "--min-tokens", "8", *options, path)
        assert made.to_pylist() == [{name: row[name] for name in made.column_names} for row in wanted]
    assert nearprint.repeats(texts=texts, min_tokens=8).to_pylist() == found.to_pylist()
    only = nearprint.repeats(texts=texts[1:2], against=pa.table({"text": texts[:1]}), min_tokens=8)
    assert [row["id"] for row in only] == ["0"]
    left = "".join(
        text.encode()[row["start_byte"] : row["end_byte"]].decode() for row, text in zip(only, texts[1:], strict=False)
    )
    assert left == FOG.rstrip(".").upper()


def test_boilerplate_is_that_of_the_command(tmp_path: Path, rows: Rows) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name).write_text(f"{name}: {FOG}", encoding="utf-8")
    found = nearprint.boilerplate(tmp_path, min_tokens=8, least=3)
    wanted = rows("passages", "boilerplate", "--min-tokens", "8", "--least", "3", tmp_path)
    assert found.to_pylist() == [{name: row[name] for name in found.column_names} for row in wanted]
    assert [row["documents"] for row in found] == [3]


@pytest.fixture
def items_file(tmp_path: Path) -> Path:
    """Items of a test, as JSON lines."""
    path = tmp_path / "test.jsonl"
    items = [
        {"id": "q1", "question": "Which bird stays over the harbour at noon?", "answer": "The grey gull"},
        {"id": "q2", "question": "What is fog?", "answer": "A cloud"},
        {"id": "q3", "question": "How many boats wait for the pilot outside of the bar?", "answer": "7"},
    ]
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def test_passages_of_items_are_found_apart(tmp_path: Path) -> None:
    train = pa.table({"text": [f"He wrote: {FOG} Who came in at noon and stayed? Fog."]})
    test = pa.table({"id": ["r"], "question": ["Who came in at noon and stayed?"], "context": [FOG]})
    found = nearprint.decontaminate(train, test, question_field="question", passage_field="context")
    assert [(row["item"], row["part"], row["tokens"]) for row in found] == [("r", "passage", 19), ("r", "question", 7)]
    with pytest.raises(InvalidInputError, match="passage_field"):
        nearprint.decontaminate(train, test, question_field="question", passage_field="context", policy="decon-like")


def test_items_are_those_of_the_command(items_file: Path, tmp_path: Path, rows: Rows) -> None:
    train = tmp_path / "train.jsonl"
    texts = ["WHICH bird\nstays over the harbour\nat noon?\nIt is the grey gull. What is fog?", "Nothing of it."]
    train.write_text("".join(json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(texts)))
    fields: dict[str, Any] = {"question_field": "question", "answer_field": "answer"}
    found = nearprint.decontaminate(train, items_file, **fields)
    verdicts = [(row["verdict"], row["item"], row["document"], row["answer"]) for row in found]
    assert verdicts == [("contaminated", "q1", "0", True), ("undecidable", "q2", None, None)]
    assert found.summary == {"items": 3, "contaminated": 1, "undecidable": 1, "documents": 2}
    asked = ("passages", "decontaminate", train, "--against", items_file)
    cases: list[tuple[list[str], dict[str, Any]]] = [
        ([], {}),
        (["--policy", "share8"], {"policy": "share8"}),
        (["--policy", "gpt3"], {"policy": "gpt3"}),
        (["--policy", "decon-like"], {"policy": "decon-like"}),
        (["--min-tokens", "20"], {"min_tokens": 20}),
        (["--search", "answer-within=0"], {"answer_within": 0}),
        (["--search", "ignore-numbers"], {"ignore_numbers": True}),
    ]
    for options, arguments in cases:
        of_command = rows(*asked, "--fields", "question,answer", *options)
        made = nearprint.decontaminate(train, items_file, **fields, **arguments)
        assert made.to_pylist() == [{name: row[name] for name in made.column_names} for row in of_command]
    table = pa.table({"id": ["0", "1"], "text": texts})
    assert nearprint.decontaminate(table, items_file, **fields).to_pylist() == found.to_pylist()
