"""The plan of deduplication in Spark: what 10^9 and 10^10 documents ask of it, and whether Spark does what the plan says.

    python3 bench/spark_plan.py check
    python3 bench/spark_plan.py predict [--documents N...] [--text-bytes B] [--partitions N]

`predict` counts the exchanges, tasks and blocks of nearprint.spark.dedup without data, by `nearprint.spark._plan`. `check`
decides about some hundred documents in a local session, in the plan of large collections and without adaptive execution, which
would join small partitions. The tasks of each shuffle in Spark's event log must be those of the plan, one by one, and what a
task reports about its blocks must have the bytes that the plan counts for the driver, within a fifth. Needs the package with Spark.
"""

import argparse
import collections
import json
import pathlib
import random
import sys
import tempfile
import time

from nearprint.spark import _clusters, _dedup, _homes
from nearprint.spark._plan import STATUS_BYTES, Collection, Exchange, plan

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))

from spark_sessions import events_in, kept_in, session

STEPS = ("ids", "copies", "fingerprints", "edges", "components", "decisions")

PARTITIONS = 5

FILES = 3

DOCUMENTS = 300


def predict(asked):
    """Prints what each step asks of Spark."""
    for documents in asked.documents:
        exchanges = plan(Collection(documents, text_bytes=asked.text_bytes), asked.partitions)
        print(f"\n{documents:,} documents of {asked.text_bytes:,} bytes, {asked.partitions:,} partitions\n")
        print(
            "| step | exchanges | tasks | blocks | shuffle, TB | MB of a task | driver, MB |\n|---|---|---|---|---|---|---|"
        )
        for step in STEPS:
            print(row(step, [exchange for exchange in exchanges if exchange.step == step]))
        print(row("all", exchanges))


def row(name, exchanges):
    most = max(exchange.size / exchange.reduces for exchange in exchanges)
    return (
        f"| {name} | {len(exchanges)} | {sum(exchange.maps for exchange in exchanges):,} "
        f"| {sum(exchange.blocks for exchange in exchanges):,} | {sum(exchange.size for exchange in exchanges) / 1e12:.2f} "
        f"| {most / 1e6:,.0f} | {sum(exchange.driver_bytes for exchange in exchanges) / 1e6:,.0f} |"
    )


def texts(number):
    """Some repeat another one, some nearly, some are short."""
    source = random.Random(1)
    words = [f"w{at}" for at in range(500)]
    made = []
    for at in range(number):
        text = " ".join(source.choices(words, k=40))
        if at % 4 == 1:
            text = source.choice(made) + " more"
        elif at % 4 == 2:
            text = source.choice(made)
        elif at % 20 == 3:
            text = source.choice(["2026", "2026 ", "- -", "w1 w2", "w1  w2"])
        made.append(text)
    return made


def measured(folder):
    """The tasks of each shuffle as Spark's event log has them, and what a task of so many blocks reported."""
    settings = {
        **kept_in(folder),
        **events_in(folder),
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    }
    _clusters.MOST_ON_DRIVER = _homes.MOST_BROADCAST = _dedup.MOST_BROADCAST = 0
    spark = session("local[2]", settings)
    rows = [(f"d{at}", text) for at, text in enumerate(texts(DOCUMENTS))]
    path = str(folder / "rows")
    spark.createDataFrame(rows, "id string, text string").repartition(FILES).write.parquet(path)
    documents = spark.read.parquet(path)
    start = time.time()
    made = _dedup.dedup(documents, order="id", workdir=str(folder / "work"))
    made.write.parquet(str(folder / "decisions"))
    end = time.time()
    for blocks in (1, 1001):
        spark.range(0, 4000, 1, 2).repartition(blocks, "id").take(1)
    spark.stop()
    stages, reported = collections.Counter(), {}
    for event in events(folder / "events"):
        if event["Task Type"] != "ShuffleMapTask":
            continue
        if start <= event["Task Info"]["Launch Time"] / 1000 <= end:
            stages[event["Stage ID"]] += 1
        elif event["Task Info"]["Launch Time"] / 1000 > end:
            reported.setdefault(event["Stage ID"], event["Task Metrics"]["Result Size"])
    rounds = len(list(folder.glob("work/*/rounds/*/round-*")))
    return sorted(stages.values()), [size for _, size in sorted(reported.items())], rounds


def events(folder):
    for path in sorted(folder.iterdir()):
        with path.open() as lines:
            for line in lines:
                if '"SparkListenerTaskEnd"' in line:
                    yield json.loads(line)


def check():
    """Whether Spark did what the plan says; prints both."""
    with tempfile.TemporaryDirectory() as folder:
        tasks, reported, rounds = measured(pathlib.Path(folder))
    collection = Collection(DOCUMENTS, text_bytes=200, cores=2, files=FILES, rounds=rounds)
    planned = sorted(exchange.maps for exchange in plan(collection, PARTITIONS))
    one, many = (Exchange("", "", 1, blocks, 0).driver_bytes - STATUS_BYTES for blocks in (1, 1001))
    print(json.dumps({"planned": planned, "Spark": tasks, "bytes planned": many - one, "reported": reported}))
    return planned == tasks and abs(reported[1] - reported[0] - (many - one)) < 0.2 * (many - one)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "predict"])
    parser.add_argument("--documents", type=int, nargs="+", default=[10**9, 10**10])
    parser.add_argument("--text-bytes", type=int, default=3_000, help="mean bytes of a text")
    parser.add_argument("--partitions", type=int, default=4_096, help="spark.sql.shuffle.partitions")
    asked = parser.parse_args()
    if asked.what == "predict":
        predict(asked)
    elif not check():
        sys.exit("the tasks of Spark's shuffles are not those of the plan")


if __name__ == "__main__":
    main()
