"""Ships nearprint to the executors of a real cluster in three ways, and runs the job with each.

The executors' own Python has Arrow but no nearprint, so a job that ends well used what was shipped:

1. a packed environment: `--archives env.tar.gz#env` and PYSPARK_PYTHON=./env/bin/python;
2. the unpacked wheel: `--archives nearprint.zip#nearprint-wheel` and spark.executorEnv.PYTHONPATH=./nearprint-wheel;
3. the packed environment by `addArtifacts` of Spark Connect (Spark 4: pyspark 3.5 is installed without the server of Connect).

What is kept must be what the module keeps, PDF included, which an executor reads in a process of its own. Another version on
the executors must be refused in the first batch, with both versions named.

Usage: spark_shipping.py WHEEL [--record FILE.json]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import venv
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import nearprint
import nearprint.spark
import pyarrow.parquet as pq
import pyspark
from pyspark.sql import SparkSession
from spark_sessions import SETTINGS
from spark_standalone import SPARK_HOME, Cluster

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples" / "documents"
JOB = Path(nearprint.spark.__file__).parent / "job.py"

IS_OLD = pyspark.__version__.startswith("3.")

# What executors need besides nearprint.
NEEDED = ["pyarrow<22" if IS_OLD else "pyarrow", "fsspec"]


def environment(folder: Path, *packages: str) -> Path:
    """A virtual environment with these packages, and its interpreter."""
    venv.create(folder, with_pip=True)
    install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *packages], check=True)
    return folder / "bin" / "python"


def packed_environment(folder: Path, wheel: Path) -> Path:
    """An archive of an environment that can be unpacked anywhere, where the same Python is installed."""
    environment(folder / "packed", str(wheel), *NEEDED, "venv-pack")
    archive = folder / "env.tar.gz"
    pack = [folder / "packed" / "bin" / "venv-pack", "--quiet", "--compress-level", "1", "--output", archive]
    subprocess.run([*pack, "--prefix", folder / "packed"], check=True)
    return archive


def unpacked_wheel(folder: Path, wheel: Path, name: str, version: str | None = None) -> Path:
    """A wheel as an archive that Spark unpacks, with another version if one is named."""
    archive = folder / f"{name}.zip"
    shutil.copy(wheel, archive)
    if version is not None:
        path = "nearprint/__init__.py"
        with zipfile.ZipFile(archive, "a") as out, warnings.catch_warnings():
            # The second member of a name wins.
            warnings.simplefilter("ignore")
            out.writestr(path, out.read(path).decode() + f'\n__version__ = "{version}"\n')
    return archive


def settings(cluster: Cluster) -> dict[str, str]:
    return {
        **SETTINGS,
        "spark.master": cluster.address,
        "spark.executor.memory": "600m",
        "spark.sql.shuffle.partitions": "4",
    }


def submitted(cluster: Cluster, folder: Path, python: str, more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The job by spark-submit, with executors that run this Python."""
    command: list[object] = [SPARK_HOME / "bin" / "spark-submit"]
    for name, value in {**settings(cluster), **more}.items():
        command += ["--conf", f"{name}={value}"]
    command += [JOB, SAMPLES, "--job", folder / "job", "--output", folder / "kept"]
    variables = {**os.environ, "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": sys.executable}
    return subprocess.run(list(map(str, command)), env=variables, capture_output=True, text=True, check=False)


def kept_by_job(cluster: Cluster, folder: Path, python: str, more: dict[str, str]) -> set[str]:
    done = submitted(cluster, folder, python, more)
    # 1: some of the samples are damaged.
    if done.returncode != 1:
        raise SystemExit(f"the job ended with {done.returncode}:\n{done.stderr[-4000:]}")
    return set(pq.read_table(folder / "kept")["id"].to_pylist())


def kept_over_connect(cluster: Cluster, folder: Path, archive: Path, python: Path) -> set[str]:
    """The same over Spark Connect, whose server knows nothing of nearprint."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(SPARK_HOME / "bin" / "spark-submit")]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    of_server = {"spark.connect.grpc.binding.address": "127.0.0.1", "spark.connect.grpc.binding.port": str(port)}
    for name, value in {**settings(cluster), **of_server, "spark.log.level": "INFO"}.items():
        command += ["--conf", f"{name}={value}"]
    variables = {**os.environ, "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python)}
    log = folder / "connect.log"
    with log.open("wb") as out:
        server = subprocess.Popen(command, env=variables, stdout=out, stderr=out, start_new_session=True)
    try:
        while "Spark Connect server started" not in log.read_text():
            if server.poll() is not None:
                raise SystemExit(f"the server of Connect ended:\n{log.read_text()[-3000:]}")
            time.sleep(0.2)
        spark = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
        spark.addArtifacts(f"{archive}#env", archive=True)
        spark.conf.set("spark.sql.execution.pyspark.python", "env/bin/python")
        documents = nearprint.spark.read(spark, str(SAMPLES))
        texts = documents.where("text IS NOT NULL").select("id", "text", "place")
        kept = nearprint.spark.dedup(texts).where("decision = 'keep'").select("id").collect()
        spark.stop()
        return {row["id"] for row in kept}
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--record", type=Path)
    asked = parser.parse_args()
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_HOME"] = str(SPARK_HOME)
    rows = nearprint.dedup(str(SAMPLES)).to_pylist()
    expected = {row["id"] for row in rows if row["decision"] == "keep" and not row["failure"]}
    folder = Path(tempfile.mkdtemp(prefix="nearprint-shipping-"))
    bare = environment(folder / "bare", *NEEDED)
    packed = packed_environment(folder, asked.wheel.resolve())
    wheel = unpacked_wheel(folder, asked.wheel, "nearprint")
    other = unpacked_wheel(folder, asked.wheel, "other", "9.9.9")
    cluster = Cluster(folder)

    def place(name: str) -> Path:
        (folder / name).mkdir()
        return folder / name

    def by_wheel(archive: Path) -> dict[str, str]:
        return {
            "spark.archives": f"{archive}#nearprint-wheel",
            "spark.executorEnv.PYTHONPATH": "./nearprint-wheel",
        }

    ways: dict[str, Callable[[], set[str]]] = {
        "packed environment": lambda: kept_by_job(
            cluster, place("1"), "./env/bin/python", {"spark.archives": f"{packed}#env"}
        ),
        "unpacked wheel": lambda: kept_by_job(cluster, place("2"), str(bare), by_wheel(wheel)),
    }
    if not IS_OLD:
        ways["addArtifacts"] = lambda: kept_over_connect(cluster, place("3"), packed, bare)
    try:
        # First, as a session over Connect leaves variables that make later jobs ones of Connect.
        refused = submitted(cluster, place("4"), str(bare), by_wheel(other))
        words = f"the driver has nearprint {nearprint.__version__} and an executor has 9.9.9"
        if refused.returncode == 0 or words not in refused.stderr:
            raise SystemExit(f"another version was not refused:\n{refused.stderr[-4000:]}")
        print(f"another version: refused ({words})")
        for name, way in ways.items():
            start = time.monotonic()
            if way() != expected:
                raise SystemExit(f"{name}: other documents are kept than by the module")
            print(f"{name}: {len(expected)} documents kept, {time.monotonic() - start:.0f} s", flush=True)
    finally:
        cluster.stop()
    shutil.rmtree(folder)
    if asked.record:
        before = json.loads(asked.record.read_text()) if asked.record.exists() else []
        record = {
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "spark": pyspark.__version__,
            "nearprint": nearprint.__version__,
            "ways": list(ways),
            "kept": len(expected),
            "another version": words,
        }
        asked.record.write_text(json.dumps([*before, record], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
