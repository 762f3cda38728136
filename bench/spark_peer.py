"""Deduplication by text-dedup's Spark job, for comparison: `python3 bench/spark_peer.py ROWS COMMAND --record FILE.json`.

ROWS is a folder of bench/spark_rows.py with its default words and seed, COMMAND the program nearprint, which runs on the same
rows. Needs an environment of its own with text-dedup 0.3.1 (installed without its dependencies), pyspark 3.5, numpy 1, scipy and
rich: later versions need the GraphFrames jar, which is on no package index. The job is run as it was released, but for two
lines: it reads Parquet and not a BigQuery table, and writes Parquet and not JSON; and `spark.default.parallelism` is PARALLELISM. Its defaults are MinHash of 256
permutations, 5-grams of what ASCII letters and digits make up, and 25 bands of 10 for a Jaccard similarity of 0.7. It
compares no texts: what agrees in a band is a duplicate.

Recorded are the time, the processor time, the shuffle bytes and the memory, the rows kept, and how many of the rows that
repeat another one by construction were dropped.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "scripts")]

from spark_events import of_events  # noqa: E402
from spark_processes import Watch  # noqa: E402
from spark_rows import repeating  # noqa: E402
from spark_sessions import SETTINGS, VARIABLES, events_in, kept_in  # noqa: E402

# The job has 512 parts of everything otherwise, and a task of Python for each in every round: 5,000 rows took over 12 minutes.
PARALLELISM = "8"

LINES = {
    'spark.read.format("bigquery").option("table", args.table).load()': "spark.read.parquet(args.table)",
    'df.write.json(args.output, mode="overwrite")': 'df.write.parquet(args.output, mode="overwrite")',
}


def job(folder):
    """The script of text-dedup that reads and writes Parquet."""
    import text_dedup

    source = (pathlib.Path(text_dedup.__file__).parent / "minhash_spark.py").read_text()
    for line, other in LINES.items():
        if line not in source:
            sys.exit(f"this text-dedup has another job than 0.3.1: no {line}")
        source = source.replace(line, other)
    path = folder / "minhash_spark.py"
    path.write_text(source)
    return path


def timed(command, variables=None, out=None):
    """Runs a command; its seconds, its processor seconds with those of all below it, and its largest processes."""
    start = time.monotonic()
    with Watch() as watch:
        subprocess.run(list(map(str, command)), env=variables, stdout=out, check=True)
    resident = {kind: sizes[0] for kind, sizes in watch.peaks().items() if kind != "driver, Python"}
    return {
        "seconds": round(time.monotonic() - start, 1),
        "processor_seconds": round(watch.processor_seconds(), 1),
        "resident_megabytes": resident,
    }


def by_text_dedup(rows, folder, driver_memory):
    submit = ["--master", "local[2]", "--driver-memory", driver_memory]
    settings = {**SETTINGS, **kept_in(folder), **events_in(folder), "spark.default.parallelism": PARALLELISM}
    for name, value in settings.items():
        submit += ["--conf", f"{name}={value}"]
    variables = {**os.environ, **VARIABLES, "PYSPARK_SUBMIT_ARGS": " ".join([*submit, "pyspark-shell"])}
    command = [sys.executable, job(folder), "--table", rows, "--column", "text", "--output", folder / "kept"]
    taken = timed(command, variables)
    tasks = of_events(folder / "events")
    kept = set(pq.read_table(folder / "kept", columns=["id"])["id"].to_pylist())
    return {**taken, "shuffle_bytes": sum(task["shuffle"] for task in tasks)}, kept


def by_command(command, rows, folder):
    path = folder / "decisions.jsonl"
    with path.open("wb") as out:
        taken = timed([command, "dedup", rows, "--format", "jsonl", "-qq", "--threads", "2"], out=out)
    decided = map(json.loads, path.read_text().splitlines())
    return taken, {row["id"] for row in decided if row.get("decision") == "keep"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=pathlib.Path)
    parser.add_argument("command")
    parser.add_argument("--record", type=pathlib.Path, required=True)
    parser.add_argument("--driver-memory", default="6g")
    parser.add_argument("--folder", help="where the results and shuffles are written for the time of the run")
    asked = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nearprint-peer-", dir=asked.folder))
    number = sum(pq.ParquetFile(path).metadata.num_rows for path in asked.rows.glob("*.parquet"))
    planted = repeating(number)
    ways = {
        "text-dedup 0.3.1": lambda: by_text_dedup(asked.rows.resolve(), folder, asked.driver_memory),
        "the command": lambda: by_command(asked.command, asked.rows, folder),
    }
    runs = json.loads(asked.record.read_text()) if asked.record.exists() else []
    for name, way in ways.items():
        taken, kept = way()
        run = {
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "what": name,
            "rows": number,
            **taken,
            "kept": len(kept),
            "planted": len(planted),
            "planted_dropped": len(planted - kept),
            # What is dropped but repeats no row by construction: real repetition, or a mistake.
            "others_dropped": number - len(kept) - len(planted - kept),
        }
        print(json.dumps(run), flush=True)
        runs.append(run)
    shutil.rmtree(folder)
    asked.record.write_text(json.dumps(runs, indent=2) + "\n")


if __name__ == "__main__":
    main()
