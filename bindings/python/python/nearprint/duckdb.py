"""Fingerprints in DuckDB: `nearprint.duckdb.register(con)`, then `SELECT nearprint_fingerprint(text) FROM pages`.

Needs duckdb and pyarrow (`pip install nearprint[duckdb]`).
"""

from __future__ import annotations

from typing import Any

import nearprint
from nearprint._extras import Extra

with Extra("duckdb", __name__):
    import duckdb
    import numpy as numpy  # DuckDB looks for it where a function is registered.
    import pyarrow as pa

__all__ = ["dedup", "pairs", "register"]


def register(con: duckdb.DuckDBPyConnection, scheme: str = "sd1") -> None:
    """Adds functions to a connection.

    - `nearprint_fingerprint(VARCHAR) -> UBIGINT`: by a scheme of 64 bits; BLOB by others. NULL where there is none.
    - `nearprint_fingerprint_string(VARCHAR) -> VARCHAR`: the standard's form, such as `sd1:aerukz4jvpg66`.

    The distance of two fingerprints of 64 bits is `bit_count(xor(a, b))`.

    Args:
        con: The connection.
        scheme: The scheme of all fingerprints that these functions make.

    Raises:
        InvalidInputError: Where the scheme is unknown.
    """
    wide = nearprint.fingerprints([], scheme).to_arrow().type != pa.uint64()

    def value(texts: pa.ChunkedArray) -> pa.Array:
        made = nearprint.fingerprints(texts, scheme).to_arrow()
        return made.cast(pa.binary()) if wide else made

    def string(texts: pa.ChunkedArray) -> pa.Array:
        return nearprint.fingerprints(texts, scheme, "string").to_arrow()

    # Its types are those of functions of single values.
    create: Any = con.create_function
    for name, function, kind in (
        ("nearprint_fingerprint", value, "BLOB" if wide else "UBIGINT"),
        ("nearprint_fingerprint_string", string, "VARCHAR"),
    ):
        create(name, function, ["VARCHAR"], kind, type="arrow", null_handling="special")


def pairs(con: duckdb.DuckDBPyConnection, sql: str, **arguments: Any) -> duckdb.DuckDBPyRelation:
    """The near-duplicates among the documents of a query, which has the columns `id` and `text`, as a relation.

    Args:
        con: The connection.
        sql: The query.
        arguments: As of `nearprint.pairs`.
    """
    return con.from_arrow(nearprint.pairs(**_documents(con, sql), **arguments).to_arrow())


def dedup(con: duckdb.DuckDBPyConnection, sql: str, **arguments: Any) -> duckdb.DuckDBPyRelation:
    """What to keep of the documents of a query, which has the columns `id` and `text`, as a relation.

    Args:
        con: The connection.
        sql: The query.
        arguments: As of `nearprint.dedup`.
    """
    return con.from_arrow(nearprint.dedup(**_documents(con, sql), **arguments).to_arrow())


def _documents(con: duckdb.DuckDBPyConnection, sql: str) -> dict[str, pa.ChunkedArray]:
    table = con.sql(f"SELECT id::VARCHAR AS id, text::VARCHAR AS text FROM ({sql})").to_arrow_table()
    return {"texts": table["text"], "ids": table["id"]}
