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
    page = (ROOT / "docs" / "tutorials" / "spark.md").read_text("utf-8")
    # The JVM has been somewhere else since it was started.
    page = page.replace('workdir="work"', f'workdir="{tmp_path}/work"')
    (tmp_path / "page.md").write_text(page, "utf-8")
    found = doctest.testfile(str(tmp_path / "page.md"), module_relative=False, optionflags=flags, encoding="utf-8")
    assert found.attempted > 3 and found.failed == 0
