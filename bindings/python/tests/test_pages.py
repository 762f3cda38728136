"""The examples of the pages about Python are run, and print what they say."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLES

PAGES = [
    "docs/migrating/datasketch.md",
    "docs/migrating/simhash.md",
    "docs/migrating/simhash-package.md",
    "docs/migrating/text-dedup.md",
    "docs/tutorials/python.md",
    "bindings/python/README.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_examples_print_what_the_page_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES, tmp_path / "samples" / "documents")
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    found = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=flags, encoding="utf-8")
    assert found.attempted >= 3 and found.failed == 0
