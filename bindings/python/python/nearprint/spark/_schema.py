"""Schemas of results: built from the types of the caller's columns, for Spark and for Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import LongType, StringType, StructType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType


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
