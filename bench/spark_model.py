"""A model of deduplication in Spark, from measured costs of its steps: what 10^9 and 10^10 documents take.

    python3 bench/spark_model.py check RUNS.json      predictions beside measurements; fails where one is off by more than 25 %
    python3 bench/spark_model.py predict RUNS.json [--documents N...] [--text-bytes B] [--core-hour P] [--terabyte-month P]

RUNS.json is what bench/spark_scale.py wrote with `--plan large`. A step costs a constant, which is what Spark takes to start and
to plan, an amount for each document, and an amount for each byte of text; components take so much for each of their rounds. The
first two come from the runs of FITTED rows, the third from a run with longer texts. All other runs are compared with what the model predicts for them.
"""

import argparse
import json
import math
import pathlib
import sys

# Rows of the runs from which the model is made.
FITTED = (50_000, 400_000)

TOLERANCE = 0.25

STEPS = ("fingerprints", "edges", "components", "decisions", "output")

# What each step is measured by, and the name and the divisor by which it is shown.
QUANTITIES = {
    "processor_seconds": ("processor time, s", 1),
    "shuffle_bytes": ("shuffle, MB", 1e6),
    "stage_bytes": ("stages, MB", 1e6),
}

# What adaptive execution brings together in one task: spark.sql.adaptive.advisoryPartitionSizeInBytes.
TASK_BYTES = 64 << 20

# What one task reads of Parquet: spark.sql.files.maxPartitionBytes. Texts are taken as not compressed.
READ_BYTES = 128 << 20


def amount(run, step, quantity):
    """What one step of a run took; of components what one round took."""
    if step == "components":
        # Its rounds are stages of their own.
        whole = run["stage_bytes"]["rounds"] if quantity == "stage_bytes" else of_step(run, step, quantity)
        return whole / run["rounds"]
    return run["stage_bytes"][step] if quantity == "stage_bytes" else of_step(run, step, quantity)


def of_step(run, step, quantity):
    return sum(part[quantity] for part in run["steps"] if part["step"] == step)


def measured(run, quantity):
    """What all steps of a run took."""
    return sum(amount(run, step, quantity) * (run["rounds"] if step == "components" else 1) for step in STEPS)


def mean_text(run):
    return run["text_bytes"] / run["rows"]


class Cost:
    """What a step takes: a constant, an amount for each document, and an amount for each byte of text."""

    def __init__(self, step, quantity, small, large, longer):
        cost = [amount(run, step, quantity) for run in (small, large)]
        each = max(0.0, (cost[1] - cost[0]) / (large["rows"] - small["rows"]))
        self.constant = max(0.0, cost[0] - each * small["rows"])
        of_longer = max(0.0, (amount(longer, step, quantity) - self.constant) / longer["rows"])
        self.of_byte = max(0.0, (of_longer - each) / (mean_text(longer) - mean_text(large)))
        self.of_document = max(0.0, each - self.of_byte * mean_text(large))

    def __call__(self, documents, text_bytes):
        return self.constant + documents * (self.of_document + self.of_byte * text_bytes)


class Model:
    """The costs of all steps, and the runs that it was not made from."""

    def __init__(self, runs):
        shortest = min(map(mean_text, runs))
        short = [run for run in runs if mean_text(run) < 2 * shortest]
        small, large = (next(run for run in short if run["rows"] == rows) for rows in FITTED)
        longer = next(run for run in runs if mean_text(run) >= 2 * shortest)
        self.costs = {
            quantity: {step: Cost(step, quantity, small, large, longer) for step in STEPS} for quantity in QUANTITIES
        }
        # With larger components there are more.
        self.rounds = max(run["rounds"] for run in runs)
        self.others = [run for run in runs if run not in (small, large, longer)]

    def of(self, quantity, documents, text_bytes, rounds=None):
        """What each step takes."""
        found = {step: cost(documents, text_bytes) for step, cost in self.costs[quantity].items()}
        found["components"] *= rounds or self.rounds
        return found


def check(runs):
    """Prints predictions beside measurements; returns whether all are within the tolerance."""
    model, good = Model(runs), True
    print("| rows | bytes of a text | what | predicted | measured | difference |\n|---|---|---|---|---|---|")
    for run in model.others:
        for quantity, (name, unit) in QUANTITIES.items():
            predicted = sum(model.of(quantity, run["rows"], mean_text(run), run["rounds"]).values())
            taken = measured(run, quantity)
            difference = predicted / taken - 1
            good &= abs(difference) <= TOLERANCE
            print(
                f"| {run['rows']:,} | {mean_text(run):.0f} | {name} | {predicted / unit:,.0f} | {taken / unit:,.0f} "
                f"| {difference:+.0%} |"
            )
    return good and len(model.others) > 0


def predict(runs, asked):
    """Prints the costs of each step for each number of documents."""
    model = Model(runs)
    for documents in asked.documents:
        processor, shuffle, stages = (model.of(name, documents, asked.text_bytes, asked.rounds) for name in QUANTITIES)
        tasks = {step: max(1, math.ceil(size / TASK_BYTES)) for step, size in shuffle.items()}
        tasks["fingerprints"] = math.ceil(documents * asked.text_bytes / READ_BYTES)
        print(
            f"\n{documents:,} documents of {asked.text_bytes:,} bytes of text, {asked.rounds or model.rounds} rounds\n"
        )
        print("| step | core-hours | shuffle, TB | tasks | stage, TB |\n|---|---|---|---|---|")
        for step in STEPS:
            print(
                f"| {step} | {processor[step] / 3600:,.0f} | {shuffle[step] / 1e12:.2f} | {tasks[step]:,} "
                f"| {stages[step] / 1e12:.2f} |"
            )
        hours, moved, kept = sum(processor.values()) / 3600, sum(shuffle.values()) / 1e12, sum(stages.values()) / 1e12
        print(f"| all | {hours:,.0f} | {moved:.2f} | {sum(tasks.values()):,} | {kept:.2f} |\n")
        # Shuffle files stay until the job ends; so do stages, for as long as the job can be resumed.
        elapsed = hours / asked.cores
        disk = (moved + kept) * asked.terabyte_month * elapsed / 730
        print(
            f"{elapsed:,.1f} hours on {asked.cores:,} cores. Price: {hours * asked.core_hour:,.0f} for core-hours at "
            f"{asked.core_hour} each, {disk:,.2f} for disk at {asked.terabyte_month} for a TB and month."
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "predict"])
    parser.add_argument("runs", type=pathlib.Path)
    parser.add_argument("--documents", type=int, nargs="+", default=[10**9, 10**10])
    parser.add_argument("--text-bytes", type=int, default=3_000, help="mean bytes of a text")
    parser.add_argument("--rounds", type=int, help="rounds of components; as measured if not given")
    parser.add_argument("--cores", type=int, default=1_000)
    parser.add_argument("--core-hour", type=float, default=0.05, help="price of a core for an hour")
    parser.add_argument("--terabyte-month", type=float, default=80.0, help="price of a TB of local disk for a month")
    asked = parser.parse_args()
    runs = [run for run in json.loads(asked.runs.read_text()) if run["plan"] == "large"]
    if asked.what == "predict":
        predict(runs, asked)
    elif not check(runs):
        sys.exit(f"a prediction is more than {TOLERANCE:.0%} from what was measured, or there is none to compare")


if __name__ == "__main__":
    main()
