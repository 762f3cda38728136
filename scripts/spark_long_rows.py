"""10,000 rows of 300 KB of text through nearprint.spark: fingerprints and decisions are those of the command.

Rows of this length exceed what an Arrow column holds (2 GiB) at the default of 10,000 rows a batch, which Spark 3.5 does not
bound by bytes. Run it with an environment of each version of Spark. A row is 100 passages of the documentation that is
installed; a tenth of the rows repeat an earlier one but for one passage.

Usage: spark_long_rows.py COMMAND [--rows N] [--bytes N] [--rows-file FILE] [--folder DIRECTORY] [--record FILE.json]
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nearprint
import nearprint.spark
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from spark_processes import Watch
from spark_sessions import kept_in, session

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bindings" / "python" / "spark_tests"))

FIELDS = ("id", "decision", "reason", "representative", "similarity", "failure")

PASSAGES = 100

# Rows of a row group: Spark's reader holds 4,096 rows at once, but not of two row groups.
GROUP = 100

# Little: ten rows are 3 MB, and all of them 3 GB.
DRIVER_MEMORY = "3g"


def make_rows(path: Path, rows: int, size: int) -> None:
    """Writes the rows; the same on one machine."""
    from documents import real_documents

    source, text = random.Random(1), "\n".join(document["text"] for document in real_documents(20_000))
    each = size // PASSAGES

    def passage() -> str:
        at = source.randrange(len(text) - each)
        return text[at : at + each]

    schema = pa.schema([("id", pa.string()), ("text", pa.string())])
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, rows, GROUP):
            made: list[list[str]] = []
            for row in range(min(GROUP, rows - first)):
                if row % 10 < 9:
                    made.append([passage() for _ in range(PASSAGES)])
                else:
                    made.append([passage(), *source.choice(made)[1:]])
            ids = pa.array([f"row-{first + row:06}" for row in range(len(made))])
            texts = pa.array([" ".join(passages) for passages in made])
            writer.write_batch(pa.record_batch([ids, texts], schema=schema))


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """A digest of rows in any order."""
    return hashlib.sha256("\n".join(sorted(json.dumps(row) for row in rows)).encode()).hexdigest()


def by_command(command: str, verb: str, path: Path, fields: tuple[str, ...]) -> str:
    """The digest of what the command says of each row."""
    done = subprocess.run([command, verb, path, "--format", "jsonl", "--quiet"], capture_output=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return digest(tuple(row.get(name) for name in fields) for row in rows if fields[1] in row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--bytes", type=int, default=300_000)
    parser.add_argument("--rows-file", type=Path, help="where the rows are, or are written to stay for another run")
    parser.add_argument("--verbs", nargs="+", choices=["fingerprint", "dedup"], default=["fingerprint", "dedup"])
    parser.add_argument("--folder", help="where rows and shuffles are written for the time of the run")
    parser.add_argument("--record", type=Path)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="nearprint-rows-", dir=asked.folder))
    path = asked.rows_file or folder / "rows.parquet"
    if not path.exists():
        make_rows(path, asked.rows, asked.bytes)
    kinds = {verb: FIELDS if verb == "dedup" else ("id", "fingerprint") for verb in asked.verbs}
    expected = {verb: by_command(asked.command, verb, path, fields) for verb, fields in kinds.items()}
    results = []
    with Watch() as watch:
        settings = {"spark.driver.memory": DRIVER_MEMORY, "spark.sql.shuffle.partitions": "32"}
        spark = session("local[2]", {**settings, **kept_in(folder)})
        df = spark.read.parquet(str(path))
        for verb, fields in kinds.items():
            start = time.monotonic()
            made = nearprint.spark.fingerprint(df) if verb == "fingerprint" else nearprint.spark.dedup(df, order="id")
            found = digest(tuple(row[name] for name in fields) for row in made.select(*fields).collect())
            seconds = round(time.monotonic() - start, 1)
            print(f"Spark {spark.version}, {verb}: {seconds} s, {found}", flush=True)
            if found != expected[verb]:
                raise SystemExit(f"{verb}: the digest of Spark differs from that of the command, {expected[verb]}")
            results.append({"verb": verb, "seconds": seconds, "digest": found})
        version = spark.version
        spark.stop()
    shutil.rmtree(folder)
    print(json.dumps(watch.peaks()))
    if asked.record:
        record = {
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "spark": version,
            "pyspark": pyspark.__version__,
            "pyarrow": pa.__version__,
            "nearprint": nearprint.__version__,
            "driver_memory": DRIVER_MEMORY,
            "rows": asked.rows,
            "bytes": asked.bytes,
            "results": results,
            "resident, MB": watch.peaks(),
        }
        before = json.loads(asked.record.read_text()) if asked.record.exists() else []
        asked.record.write_text(json.dumps([*before, record], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
