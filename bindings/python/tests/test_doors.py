"""Every door gives the same answer: command, library, and Python over paths, texts and the tables of other packages.

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
import nearprint.duckdb
import nearprint.polars
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from conftest import Library, Rows


def digest(rows: Iterable[Mapping[str, Any]], names: list[str]) -> str:
    """The digest of rows: only these fields, sorted."""
    lines = sorted(json.dumps([row.get(name) for name in names], ensure_ascii=False) for row in rows)
    assert lines, "a digest of nothing compares nothing"
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def columns(corpus: Path) -> tuple[list[str], list[str]]:
    found = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    return [row["id"] for row in found], [row["text"] for row in found]


def tables(corpus: Path) -> dict[str, Any]:
    """The documents as the tables of other packages."""
    ids, texts = columns(corpus)
    arrow = pa.table({"id": ids, "text": pa.array(texts, pa.large_string())})
    relation = duckdb.connect().sql(f"SELECT text, id FROM read_json('{corpus}', format = 'newline_delimited')")
    return {"arrow": arrow, "polars": pl.read_ndjson(corpus), "duckdb": relation}


PAIRS = ["a", "b", "distance", "similarity", "estimate", "measure"]
CLUSTERS = ["cluster", "representative", "id"]
DECISIONS = ["id", "decision", "reason", "cluster", "representative", "similarity"]


def members(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each member of a cluster, as Python has them."""
    of_cluster = ["cluster", "representative"]
    return [{name: row[name] for name in of_cluster} | {"id": member} for row in rows for member in row["members"]]


def test_every_door_gives_the_answers_of_the_library(corpus: Path, rows: Rows, library: Library) -> None:
    made = library(corpus)
    expected = {
        "fingerprint": digest(made["fingerprint"], ["id", "fingerprint"]),
        "pairs": digest(made["pairs"], PAIRS),
        "clusters": digest(members(made["clusters"]), CLUSTERS),
        "dedup": digest(made["dedup"], DECISIONS),
    }
    assert expected == {
        "fingerprint": digest(rows("fingerprint", corpus), ["id", "fingerprint"]),
        "pairs": digest(rows("pairs", corpus), PAIRS),
        "clusters": digest(members(rows("clusters", corpus)), CLUSTERS),
        "dedup": digest(rows("dedup", corpus), DECISIONS),
    }
    ids, texts = columns(corpus)
    con = duckdb.connect()
    nearprint.duckdb.register(con)
    by_sql = con.sql(f"SELECT id, nearprint_fingerprint_string(text) AS p FROM read_json('{corpus}')").fetchall()
    expression = pl.col("text").nearprint.fingerprint(as_="string")  # type: ignore[attr-defined]
    by_expression = pl.scan_ndjson(corpus).select("id", expression).collect(engine="streaming").rows()
    for fingerprints in (by_sql, by_expression):
        found = [{"id": id, "fingerprint": print} for id, print in fingerprints]
        assert digest(found, ["id", "fingerprint"]) == expected["fingerprint"]
    forms: dict[str, dict[str, Any]] = {
        "path": {"data": corpus},
        "lists": {"texts": texts, "ids": ids},
        "columns": {"texts": pa.array(texts), "ids": pl.Series(ids)},
    } | {name: {"data": table} for name, table in tables(corpus).items()}
    for name, form in forms.items():
        prints = nearprint.fingerprints(form.get("texts", texts), as_="string")
        if name in ("arrow", "polars", "duckdb"):
            prints = nearprint.fingerprints(pa.table(form["data"])["text"], as_="string")
        found = [{"id": id, "fingerprint": print} for id, print in zip(ids, prints, strict=True)]
        assert expected == {
            "fingerprint": digest(found, ["id", "fingerprint"]),
            "pairs": digest(nearprint.pairs(**form).to_pylist(), PAIRS),
            "clusters": digest(nearprint.clusters(**form).to_pylist(), CLUSTERS),
            "dedup": digest(nearprint.dedup(**form).to_pylist(), DECISIONS),
        }, name
    near = nearprint.duckdb.pairs(con, f"SELECT * FROM read_json('{corpus}')").to_arrow_table()
    assert digest(near.to_pylist(), PAIRS) == expected["pairs"]


@pytest.mark.parametrize("scheme", ["sd1", "sl1", "md1", "wd1"])
def test_fingerprints(corpus: Path, rows: Rows, scheme: str) -> None:
    ids, texts = columns(corpus)
    of_command = [row["fingerprint"] for row in rows("fingerprint", "--scheme", scheme, corpus)]
    for form in (texts, pa.array(texts), pl.Series(texts)):
        assert nearprint.fingerprints(form, scheme, "string").to_pylist() == of_command
    records = nearprint.read(corpus, scheme)
    assert [(record.id, str(record.fingerprint)) for record in records] == list(zip(ids, of_command, strict=True))


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--threshold", "0.5"], {"threshold": 0.5}),
        (["--measure=containment"], {"measure": "containment"}),
        (["--search", "scheme=sl1"], {"scheme": "sl1", "verify": True}),
        (["--search", "k=6", "--search", "scheme=sd1"], {"k": 6, "scheme": "sd1", "verify": True}),
    ],
)
def test_pairs(corpus: Path, rows: Rows, options: list[str], arguments: dict[str, Any]) -> None:
    compare_pairs(corpus, rows, options, arguments)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--measure=jaccard-words"], {"measure": "jaccard-words"}),
        (["--measure=edit", "--threshold", "0.5"], {"measure": "edit", "threshold": 0.5}),
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


@pytest.mark.parametrize("linkage", ["star", "bounded"])
def test_clusters_by_other_linkages(corpus: Path, rows: Rows, linkage: Any) -> None:
    ids, texts = columns(corpus)
    of_command = digest(members(rows("clusters", "--linkage", linkage, corpus)), CLUSTERS)
    assert digest(nearprint.clusters(corpus, linkage=linkage).to_pylist(), CLUSTERS) == of_command
    assert digest(nearprint.clusters(texts=texts, ids=ids, linkage=linkage).to_pylist(), CLUSTERS) == of_command


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
def test_a_hundred_thousand_fingerprints(rows: Rows, library: Library, tmp_path: Path, k: int) -> None:
    source = random.Random(k)
    values = [source.getrandbits(64) for _ in range(90_000)]
    values += [values[source.randrange(90_000)] ^ (1 << source.randrange(64)) for _ in range(5_000)]
    values += [values[source.randrange(90_000)] ^ source.getrandbits(6) for _ in range(5_000)]
    path = tmp_path / "prints.txt"
    path.write_text("".join(f"{nearprint.Fingerprint.from_int(value)}\t{at}\n" for at, value in enumerate(values)))
    near, grouped = ["a", "b", "distance"], ["cluster", "id"]
    made = library("--prints", path, k)

    def numbered(pairs: list[dict[str, Any]], clusters: list[dict[str, Any]]) -> tuple[str, str]:
        """Digests, with positions instead of the ids that name them."""
        found = [{"a": int(row["a"]), "b": int(row["b"]), "distance": row["distance"]} for row in pairs]
        rows = [{"cluster": row["cluster"], "id": int(row["id"])} for row in members(clusters)]
        return digest(found, near), digest(rows, grouped)

    expected = numbered(made["pairs"], made["clusters"])
    asked = ("-k", k, path)
    assert numbered(rows("prints", "pairs", *asked), rows("prints", "clusters", *asked)) == expected
    array = np.array(values, dtype=np.uint64)
    relation = duckdb.connect().sql(
        "SELECT unnest(numbers) AS print FROM (SELECT $1::UBIGINT[] AS numbers)", params=[values]
    )
    prints = [nearprint.Fingerprint.from_int(value) for value in values]
    for form in (prints, array, pa.array(array), pl.Series(array), pa.table(relation)["print"]):
        pairs, clusters = nearprint.pairs(form, k=k), nearprint.clusters(form, k=k)
        assert (digest(pairs.to_pylist(), near), digest(clusters.to_pylist(), grouped)) == expected, type(form)
