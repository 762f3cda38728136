"""The plan that is counted without data: Spark's own counts, and the figures of the page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from nearprint.spark._plan import Collection, Exchange, plan, read_tasks
from nearprint.spark._width import LEAST_PARTS, MOST_PARTS, MOST_TASKS, parts, width

ROOT = Path(__file__).resolve().parents[3]


def printed(verb: str) -> list[str]:
    """The lines that the script prints."""
    command = [sys.executable, str(ROOT / "bench" / "spark_plan.py"), verb]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if line]


def test_spark_has_the_shuffles_of_the_plan() -> None:
    assert printed("check")


def test_the_page_has_the_figures_of_the_plan() -> None:
    page = set((ROOT / "docs" / "SPARK.md").read_text(encoding="utf-8").splitlines())
    lines = printed("predict")
    assert len(lines) == 20
    assert [line for line in lines if line not in page] == []


@pytest.mark.parametrize("documents", [10**6, 10**9, 10**10, 10**11])
def test_no_stage_grows_beyond_its_bound(documents: int) -> None:
    exchanges = plan(Collection(documents), 10**6)
    assert all(exchange.reduces <= MOST_TASKS and exchange.maps <= 4 * MOST_TASKS for exchange in exchanges)
    assert sum(exchange.blocks for exchange in exchanges) < 10**9
    assert sum(exchange.driver_bytes for exchange in exchanges) < 200 << 20


def test_parts_follow_the_width() -> None:
    assert [width(asked) for asked in (1, 200, 4_096, 10**6)] == [1, 200, 4_096, 4_096]
    assert [parts(asked) for asked in (1, 200, 4_096, 10**6)] == [LEAST_PARTS, 2_048, MOST_PARTS, MOST_PARTS]
    # A pack has 64 values or more of each part.
    assert (1 << 20) // MOST_PARTS == 64


def test_files_are_read_as_spark_packs_them() -> None:
    assert read_tasks(3, 1_000, 2) == 2
    assert read_tasks(1, 10 << 30, 2) == 80
    assert read_tasks(10**6, 1e15, 1_000) == MOST_TASKS
    assert Exchange("", "", 10, 4_096, 0).driver_bytes < Exchange("", "", 10, 2_000, 0).driver_bytes
