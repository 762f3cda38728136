"""The examples of the tutorial are run, and print what it says."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[3]


def test_examples_print_what_the_page_says(
    spark: SparkSession, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(samples, tmp_path / "samples" / "documents")
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    page = str(ROOT / "docs" / "tutorials" / "spark.md")
    found = doctest.testfile(page, module_relative=False, optionflags=flags, encoding="utf-8")
    assert found.attempted > 3 and found.failed == 0
