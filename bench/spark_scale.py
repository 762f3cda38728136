"""What deduplication in Spark takes, step by step: processor time, shuffle bytes, spill, memory, tasks.

    python3 bench/spark_scale.py IN.parquet --record FILE.json [--partitions N] [--driver-memory 3g] [--plan large]

Runs nearprint.spark from Parquet to the rows that are kept, in a local session of two cores, and appends one measurement to
FILE.json. Processor time is that of the driver, its JVM and the Python workers, from /proc, so it holds on a machine that
does other work too. Shuffle bytes, spill and tasks are those of Spark's event log. `--plan large` takes at any size the plan of
large collections: components by rounds of stars, and joins by shuffles of both sides. bench/spark_model.py makes a model of
these.
"""

import argparse
import datetime
import json
import pathlib
import shutil
import sys
import tempfile
import time

import nearprint
import pyarrow.compute as pc
import pyarrow.parquet as pq
from nearprint.spark import _clusters, _dedup, _homes
from nearprint.spark._dedup import decisions
from nearprint.spark._stages import Stages
from spark_events import of_events

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))

from spark_processes import Watch
from spark_sessions import events_in, kept_in, session

CORES = 2


def processor_seconds():
    """Of this process and all below it, those that have ended included."""
    return time.process_time() + WATCH.processor_seconds()


class MeasuredStages(Stages):
    """Stages that note when each was made, and by how much processor time."""

    def kept(self, name, make):
        before = (time.time(), processor_seconds())
        inner = len(STEPS)
        made = super().kept(name, make)
        seconds = processor_seconds() - before[1]
        # A step within a step is counted by itself.
        seconds -= sum(step["processor_seconds"] for step in STEPS[inner:])
        step = {"step": name, "start": before[0], "end": time.time(), "processor_seconds": round(seconds, 2)}
        STEPS.append(step)
        print(f"{name}: {step['end'] - step['start']:.0f} s, {seconds:.0f} s of processor", file=sys.stderr, flush=True)
        return made


STEPS, WATCH = [], Watch()


def session_of(folder, asked):
    settings = {
        **kept_in(folder),
        **events_in(folder),
        "spark.driver.memory": asked.driver_memory,
        "spark.sql.shuffle.partitions": str(asked.partitions),
    }
    if asked.plan == "large":
        settings["spark.sql.autoBroadcastJoinThreshold"] = "-1"
        settings["spark.sql.adaptive.autoBroadcastJoinThreshold"] = "-1"
        _clusters.MOST_ON_DRIVER = _homes.MOST_BROADCAST = _dedup.MOST_BROADCAST = 0
    return session(f"local[{CORES}]", settings)


def run(spark, folder, source):
    """From Parquet to kept rows; the number of rows kept."""
    documents = spark.read.parquet(str(source)).select("id", "text")
    stages = MeasuredStages(spark, str(folder / "job"))

    def decided():
        return decisions(
            documents,
            id_field="id",
            text_field="text",
            keep="first",
            order="id",
            against=None,
            options={"threshold": 0.7, "least_words": 5},
            stages=stages,
        )

    made = stages.kept("decisions", decided)
    kept = made.where("decision = 'keep'").select("id")
    return stages.kept("output", lambda: documents.join(kept, "id", "left_semi")).count()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, metavar="IN.parquet", help="a folder of files with id and text")
    parser.add_argument("--record", type=pathlib.Path, required=True)
    parser.add_argument("--partitions", type=int, default=64)
    parser.add_argument("--driver-memory", default="3g")
    parser.add_argument("--plan", choices=["auto", "large"], default="auto")
    parser.add_argument("--folder", help="where stages and shuffles are written for the time of the run")
    asked = parser.parse_args()
    rows, text_bytes = 0, 0
    for path in sorted(asked.source.glob("*.parquet")):
        for part in pq.ParquetFile(path).iter_batches(columns=["text"]):
            rows += part.num_rows
            text_bytes += pc.sum(pc.binary_length(part["text"])).as_py()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nearprint-scale-", dir=asked.folder))
    before = processor_seconds()
    start = time.time()
    with WATCH:
        spark = session_of(folder, asked)
        kept = run(spark, folder, asked.source)
        total, seconds = processor_seconds() - before, time.time() - start
        version = spark.version
        spark.stop()
    tasks = of_events(folder / "events")
    steps = []
    for step in STEPS:
        # A step within a step ended before it, and has what both were doing.
        mine = [task for task in tasks if "step" not in task and step["start"] <= task["end"] <= step["end"]]
        for task in mine:
            task["step"] = step["step"]
        steps.append(
            {
                "step": step["step"],
                "seconds": round(step["end"] - step["start"], 1),
                "processor_seconds": step["processor_seconds"],
                "shuffle_bytes": sum(task["shuffle"] for task in mine),
                "spilled_bytes": sum(task["spill"] for task in mine),
                "tasks": len(mine),
            }
        )
    measured = {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "nearprint": nearprint.__version__,
        "spark": version,
        "cores": CORES,
        "partitions": asked.partitions,
        "driver_memory": asked.driver_memory,
        "plan": asked.plan,
        "rows": rows,
        "text_bytes": text_bytes,
        "kept": kept,
        "seconds": round(seconds, 1),
        "processor_seconds": round(total, 1),
        "shuffle_bytes": sum(task["shuffle"] for task in tasks),
        "spilled_bytes": sum(task["spill"] for task in tasks),
        "resident_megabytes": WATCH.peaks(),
        "rounds": len(list((folder / "job").rglob("round-*"))),
        "stage_bytes": {
            path.name: sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
            for path in sorted((folder / "job").iterdir())
        },
        "steps": steps,
    }
    shutil.rmtree(folder)
    before_runs = json.loads(asked.record.read_text()) if asked.record.exists() else []
    asked.record.write_text(json.dumps([*before_runs, measured], indent=2) + "\n")
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
