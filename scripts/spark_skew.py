"""Decides about a skewed collection on a real Spark cluster, in several partitionings, while a worker is killed.

A master and two workers of one core run on the loopback address. The rows have one text many times, as many short texts that are
equal but for white space, long texts with near copies, and texts of documents.py. Each run decides about all of them with a
`workdir`. While each of the stages KILLED is made, a worker and its executor are killed with -9, and another one is started. The
digest of each run must be that of the command.

Usage: spark_skew.py COMMAND [--rows N] [--partitions N...] [--record FILE.json]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nearprint
import nearprint.spark
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from spark_cluster import FIELDS, Work, digest
from spark_sessions import VARIABLES, session
from spark_standalone import SPARK_HOME, Cluster

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bindings" / "python" / "spark_tests"))

LONG = 1_000_000

KILLED = ("fingerprints", "edges", "decisions")


def rows_of(number: int) -> dict[str, list[Any]]:
    """A fortieth is one text, a half short texts, a thousandth long ones with near copies; the rest are documents."""
    from documents import make_documents

    source = random.Random(7)
    words = [document["text"] for document in make_documents(2_000, seed=5)]
    texts = ["fog came in at noon and stayed over the harbour until the bells rang"] * (number // 40)
    texts += [source.choice(["ok", "ok ", "not found", "moved", "2026", " "]) for _ in range(number // 2)]
    long = []
    for at in range(number // 1_000):
        if at % 5 and long:
            text = source.choice(long).replace("ba", f"x{at}", 3)
        else:
            text = ""
            while len(text) < LONG:
                text += source.choice(words) + f" {source.randrange(10**6)} "
            long.append(text)
        texts.append(text)
    texts += [document["text"] for document in make_documents(number - len(texts), seed=9)]
    source.shuffle(texts)
    ids = [f"{source.getrandbits(40):010x}-{at}" for at in range(len(texts))]
    return {"id": ids, "text": texts, "position": list(range(len(texts)))}


def of_command(command: str, path: Path) -> tuple[str, float]:
    """The digest of the command's decisions, and its processor time."""
    before = os.times()
    asked = [command, "dedup", str(path), "--format", "jsonl", "-qq"]
    done = subprocess.run(asked, capture_output=True, check=False)
    after = os.times()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return digest(tuple(row.get(name) for name in FIELDS) for row in rows if "decision" in row), round(seconds, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--partitions", type=int, nargs="+", default=[1, 24, 500])
    parser.add_argument("--folder", type=Path, help="where all is written for the time of the run")
    parser.add_argument("--record", type=Path)
    asked = parser.parse_args()
    os.environ.update(VARIABLES, SPARK_HOME=str(SPARK_HOME))
    folder = Path(tempfile.mkdtemp(prefix="nearprint-skew-", dir=asked.folder))
    path = folder / "rows.parquet"
    columns = rows_of(asked.rows)
    pq.write_table(pa.table(columns), path, row_group_size=2_000)
    del columns
    expected, seconds = of_command(asked.command, path)
    print(f"the command: {expected[:16]}, {seconds} s of processor", flush=True)
    runs = []
    cluster = Cluster(folder, "2g")
    try:
        for partitions in asked.partitions:
            runs.append(run(cluster, folder, path, partitions))
            print(json.dumps(runs[-1]), flush=True)
            if runs[-1]["digest"] != expected:
                raise SystemExit(f"{partitions} partitions: the digest is not the command's")
    finally:
        cluster.stop()
    shutil.rmtree(folder)
    print(f"{sum(len(row['killed']) for row in runs)} kills in {len(runs)} runs; all digests are the command's")
    if asked.record:
        record = {
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "spark": pyspark.__version__,
            "nearprint": nearprint.__version__,
            "rows": asked.rows,
            "command": {"digest": expected, "processor_seconds": seconds},
            "runs": runs,
        }
        asked.record.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def run(cluster: Cluster, folder: Path, path: Path, partitions: int) -> dict[str, Any]:
    """One run, in whose stages workers are killed."""
    work = folder / f"work-{partitions}"
    settings = {
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.stage.maxConsecutiveAttempts": "20",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.sql.parquet.columnarReaderBatchSize": "256",
    }
    spark = session(cluster.address, settings)
    documents = spark.read.parquet(str(path))

    def decisions() -> str:
        made = nearprint.spark.dedup(documents, order="position", workdir=str(work))
        # From a stage, as all decisions would be more than a driver of 1 GiB takes at once.
        made.write.parquet(f"{work}/decisions")
        return digest(rows_in(Path(f"{work}/decisions")))

    start = time.monotonic()
    disturbed = Work(spark, f"{partitions} partitions", decisions)
    disturbed.thread.start()
    killed = [stage for stage in KILLED if kill_in(stage, work, disturbed, cluster)]
    disturbed.thread.join()
    if disturbed.error is not None:
        raise disturbed.error
    seconds = round(time.monotonic() - start, 1)
    spark.stop()
    shutil.rmtree(work)
    return {"partitions": partitions, "killed": killed, "seconds": seconds, "digest": disturbed.digest}


def kill_in(stage: str, work: Path, disturbed: Work, cluster: Cluster) -> bool:
    """Kills a worker while a stage is made; false where it was over before."""
    tracker, tick = disturbed.spark.sparkContext.statusTracker(), threading.Event()
    while disturbed.thread.is_alive():
        infos = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        # Spark makes the directory when it begins to make the stage.
        begun = [*work.glob(f"*/{stage}"), *work.glob(stage)]
        if begun and any(info and info.numActiveTasks for info in infos):
            done = (begun[0] / "_SUCCESS").exists()
            cluster.kill_worker()
            cluster.add_worker()
            return not done
        tick.wait(0.01)
    return False


def rows_in(folder: Path) -> Iterable[tuple[Any, ...]]:
    """The rows of a stage."""
    table = pq.read_table(folder, columns=list(FIELDS))
    return zip(*(table[name].to_pylist() for name in FIELDS), strict=True)


if __name__ == "__main__":
    main()
