"""Libraries that parts of nearprint need, by the extras of the package that bring them: `pip install 'nearprint[polars]'`.

An import that fails because one of them is missing raises an error that names the extra.
"""

from __future__ import annotations

import importlib
from types import ModuleType, TracebackType

# The extra that brings a library. The extra `arrow` is of pyarrow alone.
_EXTRAS = {
    "datasets": "datasets",
    "datatrove": "datatrove",
    "duckdb": "duckdb",
    "fsspec": "spark",
    "numpy": "pandas",
    "pandas": "pandas",
    "polars": "polars",
    "pyarrow": "arrow",
    "pyspark": "spark",
    "scrapy": "scrapy",
    "tqdm": "progress",
}


class Extra:
    """A block of imports that needs an extra: `with Extra("polars", "nearprint.polars"): import polars`.

    Args:
        name: The extra.
        user: What needs it.
    """

    def __init__(self, name: str, user: str) -> None:
        self._name, self._user = name, user

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("nearprint"):
            raise missing(self._user, error.name, self._name) from error


def library(name: str) -> ModuleType:
    """A library for a method of the compiled part.

    Args:
        name: The name by which it is imported.

    Raises:
        ModuleNotFoundError: Where it is not installed; the message names the extra that brings it.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise missing("this", name, _EXTRAS[name]) from error


def missing(user: str, module: str, extra: str) -> ModuleNotFoundError:
    """The error of a library that is not installed.

    Args:
        user: What needs it.
        module: The library.
        extra: The extra that brings it.
    """
    text = f"{user} needs {module.partition('.')[0]}: pip install 'nearprint[{extra}]'"
    return ModuleNotFoundError(text, name=module)
