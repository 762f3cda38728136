"""Kills workers of a real Spark cluster while it works, and compares the results with those of one process.

A master and two workers with an executor each run on the loopback address. In each stage of the work (fingerprints, pairs
by both methods, components, decisions), a worker and its executor are killed with -9 when some tasks of the stage are done
and others are running; another worker takes its place. The digests of all results must be those of the module alone.

Usage: spark_cluster.py [--documents N] [--prints N] [--rounds N] [--record FILE.json]
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import platform
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import nearprint
import nearprint.spark
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from pyspark.sql import SparkSession
from spark_sessions import VARIABLES, session
from spark_standalone import SPARK_HOME, Cluster

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bindings" / "python" / "spark_tests"))

FIELDS = ("id", "decision", "reason", "representative", "similarity", "failure")


class Work:
    """One stage of the work, run beside the thread that watches and kills."""

    def __init__(self, spark: SparkSession, name: str, result: Callable[[], str]) -> None:
        self.spark = spark
        self.name = name
        self.digest = ""
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, args=(result,))

    def _run(self, result: Callable[[], str]) -> None:
        try:
            self.digest = result()
        except BaseException as error:
            self.error = error

    def disturbed(self, cluster: Cluster) -> int:
        """Runs it, kills a worker in the middle of a stage, and says how many stages of Spark were running then."""
        tracker, tick, running = self.spark.sparkContext.statusTracker(), threading.Event(), 0
        self.thread.start()
        while self.thread.is_alive() and not running:
            infos = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            running = sum(1 for info in infos if info and info.numCompletedTasks and info.numActiveTasks)
            tick.wait(0.01)
        if running:
            cluster.kill_worker()
            cluster.add_worker()
        self.thread.join()
        if self.error is not None:
            raise self.error
        return running


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """A digest of rows in any order."""
    lines = sorted(json.dumps(row) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--prints", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--record", type=Path)
    arguments = parser.parse_args()
    os.environ.update(VARIABLES, SPARK_HOME=str(SPARK_HOME))
    folder = Path(tempfile.mkdtemp(prefix="nearprint-cluster-"))
    cluster = Cluster(folder)
    try:
        rows = run(cluster, folder, arguments)
    finally:
        cluster.stop()
    shutil.rmtree(folder)
    kills = sum(row["killed"] for row in rows)
    print(f"{kills} kills in {len(rows)} stages of work; all digests are equal")
    if arguments.record:
        record = {
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "spark": pyspark.__version__,
            "nearprint": nearprint.__version__,
            "documents": arguments.documents,
            "fingerprints": arguments.prints,
            "stages": rows,
        }
        arguments.record.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    if kills < len(rows):
        raise SystemExit("a stage ended before a worker could be killed in it: take more documents or fingerprints")


def run(cluster: Cluster, folder: Path, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """All stages in all rounds, with what was killed; ends where a digest differs."""
    from conftest import in_core, make_prints
    from documents import make_documents

    documents = make_documents(arguments.documents)
    prints = make_prints(arguments.prints * 2 // 3, arguments.prints // 4)
    columns = {name: [document[name] for document in documents] for name in ("id", "text", "position")}
    pq.write_table(pa.table(columns), folder / "documents.parquet", row_group_size=500)
    bits = np.array(list(prints.values()), dtype=np.uint64).view(np.int64)
    pq.write_table(pa.table({"id": list(prints), "bits": bits}), folder / "prints.parquet", row_group_size=5_000)
    # A chain and random pairs, in which stars need several rounds.
    source, number = random.Random(4), arguments.prints // 10
    edges = [(at, at + 1) for at in range(number // 10)]
    edges += [(source.randrange(number), source.randrange(number)) for _ in range(number // 3)]

    settings = {
        "spark.executor.memory": "600m",
        "spark.sql.shuffle.partitions": "16",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        # Whichever worker comes takes part; ten of them die on purpose.
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.stage.maxConsecutiveAttempts": "20",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    spark = session(cluster.address, settings)
    texts = spark.read.parquet(str(folder / "documents.parquet")).repartition(24, "id")
    values = spark.read.parquet(str(folder / "prints.parquet")).repartition(24, "id")
    pairs = spark.createDataFrame(edges, "a long, b long").repartition(24, "a")

    def fingerprints() -> str:
        made = nearprint.spark.fingerprint(texts)
        return digest((row["id"], row["fingerprint"]) for row in made.select("id", "fingerprint").collect())

    def pairs_by(method: Any) -> Callable[[], str]:
        def found() -> str:
            made = nearprint.spark.pairs(values, k=3, method=method, most_in_block=20_000 if method == "core" else None)
            return digest((row["a"], row["b"], row["distance"]) for row in made.collect())

        return found

    def components() -> str:
        made = nearprint.spark.clusters(pairs, method="stars", workdir=str(folder / "stars"))
        return digest((row["id"], row["cluster"]) for row in made.collect())

    def decisions() -> str:
        made = nearprint.spark.dedup(texts, order="position")
        return digest(tuple(row[name] for name in FIELDS) for row in made.collect())

    strings = nearprint.fingerprints(columns["text"], as_="string").to_pylist()
    decided = nearprint.dedup(texts=columns["text"], ids=columns["id"]).to_pylist()
    connected = nearprint.spark.clusters(pairs, method="driver")
    of_pairs = digest(in_core(prints, 3))
    expected = {
        "fingerprints": digest(zip(columns["id"], strings, strict=True)),
        "pairs, core": of_pairs,
        "pairs, sql": of_pairs,
        "components": digest((row["id"], row["cluster"]) for row in connected.collect()),
        "decisions": digest(tuple(row[name] for name in FIELDS) for row in decided),
    }
    stages = {
        "fingerprints": fingerprints,
        "pairs, core": pairs_by("core"),
        "pairs, sql": pairs_by("sql"),
        "components": components,
        "decisions": decisions,
    }
    rows = []
    for round_ in range(1, arguments.rounds + 1):
        for name, stage in stages.items():
            start = time.monotonic()
            work = Work(spark, name, stage)
            killed = work.disturbed(cluster) > 0
            seconds = round(time.monotonic() - start, 1)
            print(f"round {round_}, {name}: {'killed a worker' if killed else 'too short'}, {seconds} s", flush=True)
            if work.digest != expected[name]:
                raise SystemExit(f"{name}: the digest differs after a kill")
            rows.append({"round": round_, "stage": name, "killed": killed, "seconds": seconds, "digest": work.digest})
    spark.stop()
    return rows


if __name__ == "__main__":
    main()
