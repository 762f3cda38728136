"""What the Spark tests share: one session, local, over Connect or of Sail, and generated fingerprints."""

from __future__ import annotations

import importlib
import os
import random
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nearprint
import numpy as np
import pyarrow as pa
import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession

# The questions that all doors are asked stand with the tests of the other doors.
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

# The interpreter that runs the tests, and no other of the machine.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "4",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.connect.grpc.binding.address": "127.0.0.1",
    # Most code runs too seldom for the optimising compiler to pay.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}

Pair = tuple[str, str, int]


def pytest_configure(config: pytest.Config) -> None:
    """Warnings are errors, but Spark 3.5 itself leaves sockets open and calls what others have deprecated since."""
    if pyspark.__version__.startswith("3."):
        config.addinivalue_line("filterwarnings", "ignore")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session of two cores; NEARPRINT_SPARK is `connect` for one over Connect, or `sail` for one of Sail (pysail)."""
    kind = os.environ.get("NEARPRINT_SPARK", "local")
    builder = SparkSession.builder
    if kind == "sail":
        # No requirement of the tests, so checkers of types do not find it.
        server = importlib.import_module("pysail.spark").SparkConnectServer("127.0.0.1", 0)
        server.start(background=True)
        builder = builder.remote(f"sc://127.0.0.1:{server.listening_address[1]}")
    else:
        builder = builder.remote("local[2]") if kind == "connect" else builder.master("local[2]")
    warehouse = tmp_path_factory.mktemp("warehouse")
    # The driver holds all pairs, and in local mode runs all tasks.
    memory = (
        {"spark.driver.memory": "4g", "spark.driver.extraJavaOptions": ""}
        if os.environ.get("NEARPRINT_SPARK_LARGE")
        else {}
    )
    for name, value in {**SETTINGS, **memory, "spark.sql.warehouse.dir": str(warehouse)}.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        # The server of Connect takes all settings at its start, and warns that it does not take some later.
        warnings.filterwarnings("ignore", "Failed to set spark", UserWarning)
        session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def samples() -> Path:
    """The documents of the repository."""
    return Path(__file__).resolve().parents[3] / "samples" / "documents"


def make_prints(number: int, skewed: int, seed: int = 1) -> dict[str, int]:
    """Fingerprints by id: random ones, near copies of some, many that share a block, and equal ones."""
    source = random.Random(seed)
    values = [source.getrandbits(64) for _ in range(number)]
    for value in values[: number // 10]:
        flipped = source.sample(range(64), source.randrange(5))
        values.append(value ^ sum(1 << bit for bit in flipped))
    values += [0xABCD << 48 | source.getrandbits(48) for _ in range(skewed)]
    values += values[: number // 50] + values[:3]
    return {f"d{at}": value for at, value in enumerate(values)}


def signed(prints: dict[str, int]) -> Any:
    """The fingerprints as signed numbers of the same bits."""
    return np.array(list(prints.values()), dtype=np.uint64).view(np.int64)


def frame(spark: SparkSession, prints: dict[str, int]) -> DataFrame:
    """The fingerprints as a frame of signed numbers."""
    bits = signed(prints)
    if spark.version.startswith("3."):
        return spark.createDataFrame(list(zip(prints, bits.tolist(), strict=True)), "id string, bits long")
    return spark.createDataFrame(pa.table({"id": list(prints), "bits": bits}))


def in_core(prints: dict[str, int], k: int, against: dict[str, int] | None = None) -> list[Pair]:
    """The pairs that the Python module finds, as Spark names them."""
    ids, array = list(prints), np.array(list(prints.values()), dtype=np.uint64)
    if against is None:
        rows = nearprint.pairs(array, k=k).to_pylist()
        return sorted((*sorted((ids[row["a"]], ids[row["b"]])), row["distance"]) for row in rows)
    others, other = list(against), np.array(list(against.values()), dtype=np.uint64)
    rows = nearprint.pairs(array, against=other, k=k).to_pylist()
    return sorted((ids[row["a"]], others[row["b"]], row["distance"]) for row in rows)


def found(pairs: DataFrame) -> list[Pair]:
    """The rows of a frame of pairs, sorted; a pair that comes twice is there twice."""
    return sorted((row["a"], row["b"], row["distance"]) for row in pairs.collect())
