"""What a run measured: rows, each from a program run for it alone, saved after each; and the tables made of them.

Nothing here stops a run: a program that fails, is missing or takes too long leaves a row that says so.
"""

import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
CORES = os.cpu_count() or 1

# Seconds a whole run may take; what is left is left out, and said so.
BUDGET = {"tiny": 240, "short": 600, "full": 2100, "agreement": 3600}


# Options that name files.
FILES = ("file", "passages", "out", "list")


@dataclass
class Section:
    """A table of the report. `rows` measures and gives its lines one by one, so that an interrupted run has those it got to."""

    name: str  # `python3 bench/run.py full NAME` runs it alone
    title: str
    head: list[str]
    rows: Callable[["Record"], Iterator[list]]
    note: str = ""


@dataclass
class Record:
    form: str
    ours: str  # nearprint-bench
    peers: str | None  # an interpreter that has the peers; None where they are left out
    path: pathlib.Path  # without its ending
    command: str = ""  # nearprint itself
    data: dict = field(default_factory=dict)

    def __post_init__(self):
        self.started = time.monotonic()
        self.data |= {
            "form": self.form,
            "date": f"{datetime.date.today()}",
            "machine": machine(),
            "rows": [],
            "sections": [],
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def left(self):
        """Seconds left of the run's budget."""
        return BUDGET[self.form] - (time.monotonic() - self.started)

    def save(self):
        self.data["seconds"] = round(time.monotonic() - self.started)
        self.path.with_suffix(".json").write_text(json.dumps(self.data, indent=1, default=str) + "\n")

    def run(self, section):
        """Measures one section. Whatever goes wrong in it ends that section only."""
        print(f"== {section.name}, {self.left():.0f} s left", file=sys.stderr, flush=True)
        done = {"name": section.name, "title": section.title, "note": section.note, "head": section.head, "lines": []}
        self.data["sections"].append(done)
        start = time.monotonic()
        try:
            if self.left() <= 0:
                done["failed"] = "not run: the time of the whole run was over"
                return
            for line in section.rows(self):
                done["lines"].append([cell(value) for value in line])
                self.save()
        except KeyboardInterrupt:
            done["failed"] = "interrupted"
            raise
        except Exception as error:
            done["failed"] = f"{type(error).__name__}: {error}"
        finally:
            done["seconds"] = round(time.monotonic() - start, 1)
            self.save()

    def measure(self, program, what, verb, timeout=600, **options):
        """Runs `program verb key=value ...`, which prints an object a repetition; the best of them is the row."""
        command = [verb, *(f"{key}={value}" for key, value in options.items())]
        print(what, *command, file=sys.stderr, flush=True)
        # A record names files from the root of the repository: where that lies is nobody's business.
        said = {
            key: str(value).replace(f"{HERE.parent}/", "") if key in FILES else value for key, value in options.items()
        }
        row = {"what": what, "verb": verb, "options": said}
        row["command"] = " ".join([verb, *(f"{key}={value}" for key, value in said.items())])
        try:
            run = subprocess.run(
                [*program, *command],
                check=False,
                capture_output=True,
                text=True,
                timeout=max(1, min(timeout, self.left())),
            )
            printed = run.stdout.replace(f"{HERE.parent}/", "")
            runs = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
            if run.returncode != 0 or not runs:
                said = run.stderr.strip().splitlines()
                row["failed"] = said[-1] if said else f"exit code {run.returncode}"
            # The best of several: what the machine can do, with the least of what else it did.
            by = "seconds" if runs and "seconds" in runs[0] else "batch_us"
            if runs:
                row |= min(runs, key=lambda run: run.get(by, 0))
                row["all_runs"] = [run.get(by) for run in runs]
        except subprocess.TimeoutExpired as error:
            row["failed"] = f"ended after {error.timeout:.0f} s"
        except OSError as error:
            row["failed"] = str(error)
        if "failed" in row:
            print("  failed:", row["failed"], file=sys.stderr)
        self.data["rows"].append(row)
        self.save()
        return row

    def timed(self, what, verb, commands, repeat=1, allowed=(0,), **options):
        """Runs commands one after the other, each time all of them; each figure at its best is the row."""
        print(what, verb, *options.values(), file=sys.stderr, flush=True)
        row = {"what": what, "verb": verb, "options": options}
        shown = " ".join(str(part).replace(f"{HERE.parent}/", "") for part in commands[0][:6])
        row["command"] = f"{shown} ... ({len(commands)} commands)"
        runs = []
        try:
            for _ in range(repeat):
                start, before = time.monotonic(), os.times()
                for command in commands:
                    left = max(1, self.left())
                    run = subprocess.run(
                        command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=left
                    )
                    if run.returncode not in allowed:
                        said = run.stderr.decode(errors="replace").strip().splitlines()
                        raise OSError(said[-1] if said else f"exit code {run.returncode}")
                after = os.times()
                # Of children that were waited for, and of theirs.
                cpu = sum(after[2:4]) - sum(before[2:4])
                runs.append({"seconds": round(time.monotonic() - start, 4), "cpu": round(cpu, 4)})
        except (OSError, subprocess.TimeoutExpired) as error:
            row["failed"] = str(error)
            print("  failed:", row["failed"], file=sys.stderr)
        if runs:
            row |= {key: min(run[key] for run in runs) for key in runs[0]}
            row["all_runs"] = runs
        self.data["rows"].append(row)
        self.save()
        return row

    def nearprint(self, verb, **options):
        return self.measure([self.ours], "nearprint", verb, **options)

    def peer(self, verb, **options):
        if self.peers is None:
            return {"failed": "left out in this form"}
        return self.measure([self.peers, str(HERE / "peers.py")], verb, verb, **options)


def machine():
    """What the figures were measured on, without its name."""
    path = pathlib.Path("/proc/cpuinfo")
    text = path.read_text() if path.exists() else ""
    models = [line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": CORES,
        "avx512": "avx512_vpopcntdq" in text,
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.release()}",
        "rustc": subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.strip(),
        "load_before": os.getloadavg()[0],
    }


def free_gib():
    """Memory that can be had without taking it from anyone."""
    path = pathlib.Path("/proc/meminfo")
    lines = path.read_text().splitlines() if path.exists() else []
    return next((int(line.split()[1]) / 2**20 for line in lines if line.startswith("MemAvailable")), 0.0)


def cell(value):
    """A value as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def value(row, key):
    """A row's figure; what became of the program where there is none."""
    return f"failed: {row['failed'][:80]}" if "failed" in row else row.get(key)


def ratio(slower, row, key="seconds"):
    """How many times as long another program took, or how many times as much."""
    if "failed" in slower or "failed" in row or not row.get(key):
        return None
    return slower[key] / row[key]


def power(n):
    """10^6 for 1000000."""
    exponent = len(str(n)) - 1
    return f"10^{exponent}" if n == 10**exponent else f"{n:,}"
