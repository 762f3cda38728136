"""Differences, calibration, correlation and health: the same as of the command."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import nearprint
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from conftest import Rows, edited, make_text
from test_doors import columns, digest

OLD = {
    "same.txt": make_text(1),
    "words.txt": "Django 2.2 is designated as a long-term support release.",
    "little.txt": make_text(2),
    "much.txt": make_text(3),
    "moved.txt": make_text(4),
    "gone.txt": make_text(5),
    "empty.txt": "2024",
}
NEW = {
    "same.txt": OLD["same.txt"].upper(),
    "words.txt": "Django 3.2 is designated as a long-term support release.",
    "little.txt": edited(OLD["little.txt"], 1, 2),
    "much.txt": make_text(6),
    "elsewhere.txt": OLD["moved.txt"],
    "new.txt": make_text(7),
    "empty.txt": "2025",
}
KINDS = {
    "same.txt": "same-words",
    "words.txt": "same-words",
    "little.txt": "changed-little",
    "much.txt": "changed-much",
    "elsewhere.txt": "moved",
    "new.txt": "new",
    "gone.txt": "gone",
    "empty.txt": "not-compared",
}


@pytest.fixture
def editions(tmp_path: Path) -> tuple[Path, Path]:
    for name, texts in (("old", OLD), ("new", NEW)):
        (tmp_path / name).mkdir()
        for file, text in texts.items():
            (tmp_path / name / file).write_text(text)
    return tmp_path / "old", tmp_path / "new"


def test_differences(editions: tuple[Path, Path], rows: Rows) -> None:
    names = ["difference", "id", "old_id", "similarity"]
    for options, arguments in (([], {}), (["--changes", "--threshold", "0.99"], {"changes": True, "threshold": 0.99})):
        of_command = rows("diff", *options, *editions)
        found = nearprint.diff(*editions, **arguments)  # type: ignore[arg-type]
        assert [[row[name] for name in names] for row in found.to_pylist()] == [
            [row[name] for name in names] for row in of_command
        ]
    found = nearprint.diff(*editions)
    assert {row["id"]: row["difference"] for row in found.to_pylist()} == KINDS
    assert found.summary["differences"] == Counter(KINDS.values()) and found.summary["documents"] == 14
    assert [failure["reason"] for failure in found.failures] == ["no-tokens"] * 2
    by_text = nearprint.diff(OLD, {**NEW, "none.txt": None})
    assert digest(by_text.to_pylist()[:-2], names) == digest(found.to_pylist()[:-1], names)
    assert by_text.to_pylist()[-2]["difference"] == "new"
    assert nearprint.diff(editions[0], NEW).summary["differences"] == found.summary["differences"]


@pytest.mark.parametrize(
    ("old", "error", "words"),
    [
        ([".", "."], TypeError, "one path"),
        (7, TypeError, "one path"),
        ({1: "fog"}, TypeError, "ids of texts are str"),
        ({"a": b"fog"}, TypeError, "str"),
        ({"": "fog"}, nearprint.InvalidInputError, "empty"),
        ({"a": "\ud800"}, nearprint.InvalidInputError, "surrogates"),
    ],
)
def test_editions_that_are_none_are_refused(old: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        nearprint.diff(old, NEW)


def test_calibration(corpus: Path, rows: Rows, tmp_path: Path) -> None:
    # Times differ from run to run.
    def timeless(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{k: v for k, v in row.items() if k not in ("microseconds", "schema")} for row in found]

    options = ["--sample", 30, "--seed", 7, "--recall", "0.9"]
    arguments: dict[str, Any] = {"sample": 30, "seed": 7, "recall": 0.9}
    of_command = timeless(rows("prints", "calibrate", *options, corpus))
    found = nearprint.calibrate(corpus, **arguments)
    assert timeless(found.to_pylist()) == of_command
    assert sum(row["recommended"] for row in of_command) == 1 and found.summary["documents"] == 5000
    ids, texts = columns(corpus)
    assert timeless(nearprint.calibrate(texts=texts, ids=ids, **arguments).to_pylist()) == of_command
    labels = [(f"page-{at}", f"page-{at - 7}", True) for at in range(9, 300, 10)] + [("page-1", "page-2", False)]
    file = tmp_path / "labels.tsv"
    file.write_text("".join(f"{a}\t{b}\t{'same' if same else 'different'}\n" for a, b, same in labels))
    of_command = timeless(rows("prints", "calibrate", "--labels", file, corpus))
    for given in (labels, file, iter(labels)):
        assert timeless(nearprint.calibrate(corpus, labels=given).to_pylist()) == of_command
    left_out = nearprint.calibrate(corpus, labels=[*labels, ("page-1", "nowhere", True)])
    assert left_out.summary["labels_left_out"] == 1
    for wrong, error in ([("a", "b", False)], nearprint.InvalidInputError), ([("a", "b")], TypeError), (7, TypeError):
        with pytest.raises(error):
            nearprint.calibrate(corpus, labels=wrong)  # type: ignore[arg-type]
    with pytest.raises(nearprint.InvalidInputError, match="give documents"):
        nearprint.calibrate(np.zeros(2, dtype=np.uint64))  # type: ignore[arg-type]


def test_correlation(corpus: Path, rows: Rows) -> None:
    names = ["a", "b", "distance", "similarity", "estimate", "measure"]
    ids, texts = columns(corpus)
    for options, arguments in (
        (["--sample", 30], {"sample": 30}),
        (
            ["--sample", 9, "--planted", "--scheme", "md1", "--measure", "jaccard-words"],
            {"sample": 9, "planted": True, "scheme": "md1", "measure": "jaccard-words"},
        ),
    ):
        of_command = digest(rows("prints", "correlate", *options, corpus), names)
        found = nearprint.correlate(corpus, **arguments)  # type: ignore[arg-type]
        assert digest(found.to_pylist(), names) == of_command
        by_text = nearprint.correlate(texts=pa.array(texts), ids=ids, **arguments)  # type: ignore[arg-type]
        assert digest(by_text.to_pylist(), names) == of_command and by_text.summary == found.summary
    counts = found.summary["correlation"]
    assert counts["pairs"] == len(found) and 0.5 < counts["coefficient"] <= 1
    assert counts["similar_within"] <= counts["similar"] <= counts["pairs"]
    for wrong in ({"measure": "jaccard"}, {"threshold": 2.0}, {"idf": "x"}, {"measure": "cosine-tfidf"}):
        with pytest.raises(nearprint.InvalidInputError):
            nearprint.correlate(texts=["fog"], **wrong)  # type: ignore[arg-type]


def test_health(corpus: Path, rows: Rows, tmp_path: Path) -> None:
    # Pairs are drawn, many of few documents too.
    few = tmp_path / "few.jsonl"
    few.write_text("".join(corpus.read_text(encoding="utf-8").splitlines(keepends=True)[:50]), encoding="utf-8")
    ids, texts = columns(few)
    for scheme in ("sd1", "md1"):
        written = tmp_path / f"{scheme}.prints"
        rows("fingerprint", "--scheme", scheme, "--output", written, few)
        (of_command,) = rows("prints", "health", written)
        del of_command["schema"]
        prints = nearprint.fingerprints(texts, scheme)
        found = [
            nearprint.health(few, scheme=scheme),
            nearprint.health(texts=texts, ids=ids, scheme=scheme),
            nearprint.health(prints),
            nearprint.health(pa.array(prints), scheme=scheme),
        ]
        if scheme == "sd1":
            found += [nearprint.health(prints.to_numpy()), nearprint.health(pl.Series(prints.to_pylist()))]
        assert all(json.loads(json.dumps(one)) == of_command for one in found)
    assert nearprint.health(np.array([], dtype=np.uint64))["prints"] == 0


def test_progress_ends_the_work() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    texts = [make_text(seed) for seed in range(200)]
    for call in (
        lambda: nearprint.diff(dict(enumerate_texts(texts)), {}, progress=stop),
        lambda: nearprint.calibrate(texts=texts, progress=stop),
        lambda: nearprint.correlate(texts=texts, progress=stop),
        lambda: nearprint.health(texts=texts, progress=stop),
    ):
        with pytest.raises(KeyboardInterrupt):
            call()


def enumerate_texts(texts: list[str]) -> list[tuple[str, str]]:
    return [(str(at), text) for at, text in enumerate(texts)]
