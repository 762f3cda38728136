"""Every door gives the same answer: command, Python over paths, over texts and over columns.

What is compared are digests of canonical rows: sorted, with numbers as JSON writes them.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import nearprint
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from conftest import Rows


def digest(rows: Iterable[Mapping[str, Any]], names: list[str]) -> str:
    """The digest of rows: only these fields, sorted."""
    lines = sorted(json.dumps([row.get(name) for name in names], ensure_ascii=False) for row in rows)
    assert lines, "a digest of nothing compares nothing"
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def columns(corpus: Path) -> tuple[list[str], list[str]]:
    found = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    return [row["id"] for row in found], [row["text"] for row in found]


@pytest.mark.parametrize("scheme", ["sd1", "sl1", "md1", "wd1"])
def test_fingerprints(corpus: Path, rows: Rows, scheme: str) -> None:
    ids, texts = columns(corpus)
    of_command = [row["fingerprint"] for row in rows("fingerprint", "--scheme", scheme, corpus)]
    for form in (texts, pa.array(texts), pl.Series(texts)):
        assert nearprint.fingerprints(form, scheme, "string").to_pylist() == of_command
    records = nearprint.read(corpus, scheme)
    assert [(record.id, str(record.fingerprint)) for record in records] == list(zip(ids, of_command, strict=True))


PAIRS = ["a", "b", "distance", "similarity", "estimate", "measure"]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["--threshold", "0.5"], {"threshold": 0.5}),
        (["--verify=containment"], {"measure": "containment"}),
        (["-k", "6"], {"k": 6}),
        (["--similarity", "0.9"], {"similarity": 0.9}),
        (["--scheme", "sl1", "--verify"], {"scheme": "sl1", "verify": True}),
        (["--no-verify"], {"verify": False}),
    ],
)
def test_pairs(corpus: Path, rows: Rows, options: list[str], arguments: dict[str, Any]) -> None:
    compare_pairs(corpus, rows, options, arguments)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--verify=jaccard-words"], {"measure": "jaccard-words"}),
        (["--verify=edit", "--threshold", "0.5"], {"measure": "edit", "threshold": 0.5}),
    ],
)
def test_pairs_by_whole_texts(
    corpus: Path, rows: Rows, tmp_path: Path, options: list[str], arguments: dict[str, Any]
) -> None:
    # Of the made texts nearly all pairs are candidates of these measures: some of them are enough.
    some = tmp_path / "some.jsonl"
    with corpus.open() as lines:
        some.write_text("".join(next(lines) for _ in range(200)))
    compare_pairs(some, rows, options, arguments)


def compare_pairs(corpus: Path, rows: Rows, options: list[str], arguments: dict[str, Any]) -> None:
    ids, texts = columns(corpus)
    of_command = digest(rows("pairs", *options, corpus), PAIRS)
    assert digest(nearprint.pairs(corpus, **arguments).to_pylist(), PAIRS) == of_command
    assert digest(nearprint.pairs(texts=pa.array(texts), ids=ids, **arguments).to_pylist(), PAIRS) == of_command


def test_clusters_and_decisions(corpus: Path, rows: Rows) -> None:
    ids, texts = columns(corpus)
    for linkage in ("components", "star", "bounded"):
        members = [
            {"cluster": row["cluster"], "representative": row["representative"], "id": member}
            for row in rows("clusters", "--linkage", linkage, corpus)
            for member in row["members"]
        ]
        names = ["cluster", "representative", "id"]
        of_command = digest(members, names)
        assert digest(nearprint.clusters(corpus, linkage=linkage).to_pylist(), names) == of_command  # type: ignore[arg-type]
        by_text = nearprint.clusters(texts=texts, ids=ids, linkage=linkage)  # type: ignore[arg-type]
        assert digest(by_text.to_pylist(), names) == of_command
    names = ["id", "decision", "reason", "cluster", "representative", "similarity"]
    of_command = digest(rows("dedup", corpus), names)
    assert digest(nearprint.dedup(corpus).to_pylist(), names) == of_command
    assert digest(nearprint.dedup(texts=texts, ids=ids).to_pylist(), names) == of_command


def test_matches(corpus: Path, rows: Rows, tmp_path: Path) -> None:
    query = tmp_path / "query.txt"
    query.write_text(columns(corpus)[1][9], encoding="utf-8")
    names = ["query", "id", "distance", "similarity", "estimate", "measure"]
    of_command = digest(rows("query", query, corpus), names)
    assert digest(nearprint.matches(query, corpus).to_pylist(), names) == of_command
    of_command = digest(rows("query", corpus, "--queries", query), names)
    assert digest(nearprint.matches([query], corpus).to_pylist(), names) == of_command


def test_samples_in_every_medium(samples: Path, rows: Rows) -> None:
    assert digest(nearprint.pairs(samples).to_pylist(), PAIRS) == digest(rows("pairs", samples), PAIRS)
    of_command = rows("dedup", samples)
    names = ["id", "decision", "reason", "cluster", "representative", "similarity", "failure"]
    found = nearprint.dedup(samples)
    assert digest(found.to_pylist(), names) == digest(of_command, names)
    assert found.summary["documents"] == len(of_command)


@pytest.mark.parametrize("k", [0, 3, 6])
def test_a_hundred_thousand_fingerprints(rows: Rows, tmp_path: Path, k: int) -> None:
    source = random.Random(k)
    values = [source.getrandbits(64) for _ in range(90_000)]
    values += [values[source.randrange(90_000)] ^ (1 << source.randrange(64)) for _ in range(5_000)]
    values += [values[source.randrange(90_000)] ^ source.getrandbits(6) for _ in range(5_000)]
    path = tmp_path / "prints.txt"
    path.write_text("".join(f"{nearprint.Fingerprint.from_int(value)}\t{at}\n" for at, value in enumerate(values)))
    names = ["a", "b", "distance"]
    of_command = [
        {"a": int(row["a"]), "b": int(row["b"]), "distance": row["distance"]}
        for row in rows("pairs", "--prints", "-k", k, path)
    ]
    array = np.array(values, dtype=np.uint64)
    relation = duckdb.connect().sql(
        "SELECT unnest(numbers) AS print FROM (SELECT $1::UBIGINT[] AS numbers)", params=[values]
    )
    for form in (array, pa.array(array), pl.Series(array), pa.table(relation)["print"]):
        assert digest(nearprint.pairs(form, k=k).to_pylist(), names) == digest(of_command, names)
    members = [
        {"cluster": row["cluster"], "id": int(member)}
        for row in rows("clusters", "--prints", "-k", k, path)
        for member in row["members"]
    ]
    assert digest(nearprint.clusters(array, k=k).to_pylist(), ["cluster", "id"]) == digest(members, ["cluster", "id"])
