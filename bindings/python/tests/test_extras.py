"""Each extra of the package brings all that its page needs: `scripts/extras.py` installs it, here what else is there is hidden."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

EXTRAS = tomllib.loads((ROOT / "bindings/python/pyproject.toml").read_text())["project"]["optional-dependencies"]

# What Spark looks for on the driver before it takes a function over Arrow; the tutorial itself needs Java.
SPARK = """
## spark

>>> import nearprint.spark
>>> from pyspark.sql.pandas.utils import require_minimum_pandas_version, require_minimum_pyarrow_version
>>> require_minimum_pandas_version()
>>> require_minimum_pyarrow_version()
"""


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_an_extra_alone_suffices_for_its_page(extra: str, tmp_path: Path) -> None:
    page = ROOT / "docs" / "tutorials" / "libraries.md"
    if extra == "spark":
        page = tmp_path / "spark.md"
        page.write_text(SPARK)
    script = Path(__file__).with_name("lone_extra.py")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script, extra, page, extra], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
