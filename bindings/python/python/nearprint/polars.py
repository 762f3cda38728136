"""Fingerprints in polars expressions: `import nearprint.polars`, then `pl.col("text").nearprint.fingerprint()`.

Needs polars (`pip install nearprint[polars]`). Works in eager, lazy and streaming queries.
"""

from __future__ import annotations

from typing import Literal

import nearprint
from nearprint._extras import Extra

with Extra("polars", __name__):
    import polars as pl

__all__ = ["NearprintExpr"]


@pl.api.register_expr_namespace("nearprint")
class NearprintExpr:
    """The namespace `nearprint` of polars expressions."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def fingerprint(self, scheme: str = "sd1", *, as_: Literal["value", "string", "struct"] = "value") -> pl.Expr:
        """The fingerprints of a column of text, null where there is none.

        Args:
            scheme: The scheme, as of `nearprint.fingerprint`.
            as_: The form, as of `nearprint.fingerprints`: UInt64 (Binary for wider fingerprints), String or Struct.
        """
        empty = _made(pl.Series([], dtype=pl.String), scheme, as_)
        return self._expr.map_batches(
            lambda texts: _made(texts, scheme, as_), return_dtype=empty.dtype, is_elementwise=True
        )

    def distance(self, other: pl.Expr) -> pl.Expr:
        """Bits in which fingerprints of 64 bits differ from those of another column, as UInt32."""
        return (self._expr ^ other).bitwise_count_ones()


def _made(texts: pl.Series, scheme: str, as_: Literal["value", "string", "struct"]) -> pl.Series:
    return nearprint.fingerprints(texts, scheme, as_).to_polars().alias(texts.name)
