"""Schemas of results: built from the types of the caller's columns, for Spark and for Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from nearprint.errors import InvalidInputError
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import CharType, LongType, NullType, StringType, StructType, VarcharType

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType


OLD_ARGUMENTS = {"id": "id_field", "text": "text_field", "content": "content_field"}
"""Arguments of this package by the names that they once had."""


def text_column(df: DataFrame, name: str) -> Column:
    """The column of this name, which must be of strings.

    Raises:
        InvalidInputError: Where it holds something else.
    """
    kind = type_of(df, name)
    if isinstance(kind, NullType):
        return df[name].cast("string")
    if not isinstance(kind, StringType | CharType | VarcharType):
        raise InvalidInputError(
            f"the column {name} is of {kind.simpleString()}, not of strings: cast it, or name another"
        )
    return df[name]


def type_of(df: DataFrame, column: str) -> DataType:
    """The type of a column, which may be a field of a struct."""
    return df.select(df[column].alias("one")).schema["one"].dataType


def place_type() -> DataType:
    """Where a document is: the path of its file, and in collections the number of its record, from 1."""
    return StructType().add("file", StringType()).add("number", LongType())


def schema_of(*columns: tuple[str, DataType | str]) -> StructType:
    """A schema of columns by their types or the types' names."""
    schema = StructType()
    for name, kind in columns:
        schema = schema.add(name, kind)
    return schema


def arrow_schema(schema: StructType) -> pa.Schema:
    """The same columns for Arrow."""
    return to_arrow_schema(schema)
