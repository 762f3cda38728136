"""Reads a web archive of several GB by executors of 1 GiB, on a real cluster on the loopback address.

ARCHIVE is repeated to the size that is wanted. Every record's id, fingerprint and reason must be those of the command: a sum of
hashes of all rows is compared. The largest resident memory of every process is noted.

Usage: spark_archive.py COMMAND ARCHIVE [--times N] [--python-memory MIB] [--record FILE.json]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import subprocess
import tempfile
import time
import zlib
from pathlib import Path

import nearprint
import nearprint.spark
import pyspark
from pyspark.sql import SparkSession
from pyspark.sql import functions as fn
from spark_processes import Watch
from spark_sessions import session
from spark_standalone import SPARK_HOME, Cluster

JAVA_MEMORY = "1g"

Counts = dict[str, list[int]]


def by_command(command: str, archive: Path) -> Counts:
    """By reason the number of rows, and the sum of their hashes."""
    counts: Counts = {}
    line_of = [command, "fingerprint", archive, "--format", "jsonl", "-qq"]
    with subprocess.Popen(line_of, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            row = json.loads(line)
            if "id" not in row:
                continue
            reason = row.get("reason") or "none"
            words = f"{row['id']} {row.get('fingerprint') or ''} {reason}"
            count = counts.setdefault(reason, [0, 0])
            count[0] += 1
            count[1] += zlib.crc32(words.encode())
    return dict(sorted(counts.items()))


def by_spark(spark: SparkSession, archive: Path) -> Counts:
    """The same of the rows of `read`, which are fingerprinted by the same executors."""
    documents = nearprint.spark.read(spark, str(archive))
    # The reason goes along with the id, so that the archive is read once.
    named = documents.select(fn.struct("id", "reason").alias("id"), "text")
    prints = nearprint.spark.fingerprint(named)
    reason = fn.coalesce("id.reason", "reason", fn.lit("none"))
    words = fn.concat_ws(" ", "id.id", fn.coalesce("fingerprint", fn.lit("")), reason)
    hashed = prints.select(reason.alias("reason"), fn.crc32(words).alias("hash"))
    rows = hashed.groupBy("reason").agg(fn.count(fn.lit(1)), fn.sum("hash")).collect()
    return {row[0]: [row[1], row[2]] for row in sorted(rows)}


def session_of(cluster: Cluster, folder: Path, python_memory: int) -> SparkSession:
    os.environ["SPARK_HOME"] = str(SPARK_HOME)
    settings = {
        "spark.executor.memory": JAVA_MEMORY,
        "spark.executor.pyspark.memory": f"{python_memory}m",
        "spark.sql.shuffle.partitions": "8",
        "spark.task.maxFailures": "1",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    return session(cluster.address, settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("archive", type=Path)
    parser.add_argument("--times", type=int, default=1, metavar="N", help="how often ARCHIVE is repeated")
    parser.add_argument("--python-memory", type=int, default=768, metavar="MIB")
    parser.add_argument("--record", type=Path)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="nearprint-archive-", dir=asked.archive.resolve().parent))
    archive = folder / "archive.warc.gz"
    with archive.open("wb") as out:
        for _ in range(asked.times):
            with asked.archive.open("rb") as source:
                shutil.copyfileobj(source, out)
    size = archive.stat().st_size
    cluster = Cluster(folder, memory="3g")
    try:
        with Watch() as watch:
            spark = session_of(cluster, folder, asked.python_memory)
            start = time.monotonic()
            made = by_spark(spark, archive)
            seconds = round(time.monotonic() - start, 1)
            spark.stop()
    finally:
        cluster.stop()
    shutil.rmtree(folder)
    rows = sum(count for count, _ in made.values())
    print(f"{rows} rows in {seconds} s, by reason the number and the sum of hashes: {made}", flush=True)
    print(json.dumps(watch.peaks()), flush=True)
    once = by_command(asked.command, asked.archive)
    expected = {reason: [asked.times * number for number in numbers] for reason, numbers in once.items()}
    if made != expected:
        raise SystemExit(f"the rows differ from those of the command: {made}, not {expected}")
    print("the command has the same rows")
    if asked.record:
        record = {
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "spark": pyspark.__version__,
            "nearprint": nearprint.__version__,
            "archive, bytes": size,
            "times": asked.times,
            "executors": 2,
            "spark.executor.memory": JAVA_MEMORY,
            "spark.executor.pyspark.memory, MiB": asked.python_memory,
            "rows": {reason: count for reason, (count, _) in made.items()},
            "seconds": seconds,
            "resident, MB": watch.peaks(),
        }
        asked.record.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
