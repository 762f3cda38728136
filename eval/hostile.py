"""Generated hostile files by the thousand: `hostile.py PROGRAM MEASURE` reads COUNT of them and says what each medium took.

PROGRAM is the command `nearprint`, MEASURE the example `measure_files` of the library, which reads one file after the
other in one process and measures each. Every file goes through both: the command reads them in batches, two threads and
workers. What was done is kept in STATE, a line for each batch, so a run that is stopped continues; the files themselves
are deleted, for SEED and a number give them again (`--only NUMBER` writes one).

Exit status 1 where a file crashes its parser, has no end, takes more than `--seconds` or `--memory` beyond its own
size, or comes out differently in a worker.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import hostile_files
from volume_run import NEVER

MIB = 1 << 20
END = 900  # seconds by the clock after which a file is said to have no end: a busy machine gives little of them
ADDRESSES = 8 << 30  # bytes of address space of the measuring process


@dataclass(frozen=True)
class Taken:
    """What one file took, in the measuring process."""

    number: int
    size: int
    seconds: float  # of the processor
    beyond: int  # bytes of memory at one time beyond the file's size
    outcomes: str  # fingerprints and reasons with their numbers; or what went wrong, behind `fault: `


@dataclass
class Medium:
    """What the files of one kind took."""

    files: int = 0
    bytes: int = 0
    seconds: float = 0.0
    slowest: Taken | None = None
    largest: Taken | None = None
    outcomes: dict[str, int] = field(default_factory=dict)

    def add(self, one: Taken) -> None:
        self.files += 1
        self.bytes += one.size
        self.seconds += one.seconds
        if self.slowest is None or one.seconds > self.slowest.seconds:
            self.slowest = one
        if self.largest is None or one.beyond > self.largest.beyond:
            self.largest = one
        for outcome in one.outcomes.split():
            name, _, count = outcome.partition("=")
            if count:
                self.outcomes[name] = self.outcomes.get(name, 0) + int(count)


class Measure:
    """The measuring process, started again after a file that ends it."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.child: subprocess.Popen[bytes] | None = None

    def of(self, path: Path) -> tuple[float, int, str]:
        """Seconds, bytes and outcomes of a file."""
        if self.child is None:
            self.child = subprocess.Popen(
                [self.program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            resource.prlimit(self.child.pid, resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        assert self.child.stdin and self.child.stdout
        self.child.stdin.write(os.fsencode(path) + b"\n")
        self.child.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(self.child.stdout, selectors.EVENT_READ)
            if not selector.select(END):
                return self.ended(END, f"fault: no-end-in-{END}-s")
        line = self.child.stdout.readline().decode()
        if not line:
            return self.ended(0.0, "fault: the-process-ended")
        seconds, peak, outcomes = line.rstrip("\n").split("\t")
        return float(seconds), int(peak), outcomes

    def ended(self, seconds: float, fault: str) -> tuple[float, int, str]:
        return seconds, 0, f"{fault}-{self.end()}"

    def end(self) -> int:
        """Its exit status, negative for a signal; 0 where none is running."""
        child, self.child = self.child, None
        if child is None:
            return 0
        with child:
            child.kill()
        return child.returncode


def by_command(program: Path, paths: list[Path], folder: Path) -> dict[str, Counter[str]]:
    """The outcomes of each file when the command reads all of them in one call."""
    listed = folder / "list"
    listed.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in paths))
    with tempfile.TemporaryFile() as out:
        options = ["-qq", "--format", "jsonl", "--threads", "2", "--files-from", listed]
        status = subprocess.run(
            [program, "fingerprint", *options], check=False, stdout=out, stderr=subprocess.DEVNULL
        ).returncode
        if status not in (0, 1):
            raise SystemExit(f"{program} fingerprint: status {status}; the files are in {folder}")
        out.seek(0)
        found: dict[str, Counter[str]] = {}
        for line in out:
            row = json.loads(line)
            outcome = "fingerprint" if row["fingerprint"] else row["reason"]
            found.setdefault(row["place"]["file"], Counter())[outcome] += 1
    return found


def batch(given: argparse.Namespace, measure: Measure, numbers: range) -> dict[str, object]:
    """Makes a batch, reads it, and says what it came to."""
    media: dict[str, Medium] = {}
    faults: list[str] = []
    with tempfile.TemporaryDirectory(dir=given.folder) as directory:
        folder = Path(directory)
        taken: dict[Path, tuple[str, Taken]] = {}
        for number in numbers:
            name, data = hostile_files.generated(given.seed, number, given.kind)
            path = folder / str(number)
            path.write_bytes(data)
            seconds, peak, outcomes = measure.of(path)
            taken[path] = name, Taken(number, len(data), seconds, max(0, peak - len(data)), outcomes)
        rows = by_command(given.program, list(taken), folder)
        for path, (name, one) in taken.items():
            media.setdefault(name, Medium()).add(one)
            fault = fault_of(one, rows.get(str(path), Counter()), given)
            if fault:
                faults.append(f"{one.number}, {name}, {one.size} bytes: {fault}")
                shutil.copy(path, given.folder / f"found-{one.number}")
    counted = {name: asdict(medium) for name, medium in media.items()}
    return {"from": numbers.start, "to": numbers.stop, "media": counted, "faults": faults}


def fault_of(one: Taken, rows: Counter[str], given: argparse.Namespace) -> str:
    """What a file may not do, if it did."""
    if one.outcomes.startswith("fault"):
        return one.outcomes
    if one.seconds > given.seconds:
        return f"{one.seconds:.1f} s of the processor"
    if one.beyond > given.memory * MIB:
        return f"{one.beyond // MIB} MiB beyond its size"
    bad = [reason for reason in NEVER if rows[reason] or f"{reason}=" in one.outcomes]
    if bad:
        return f"{bad[0]}"
    alone = Counter({name: int(count) for name, _, count in (part.partition("=") for part in one.outcomes.split())})
    if alone != rows:
        return f"{dict(alone)} in the process, {dict(rows)} by the command"
    return ""


def done(state: Path) -> list[dict[str, object]]:
    """The batches of earlier runs."""
    if not state.exists():
        return []
    return [json.loads(line) for line in state.read_text("utf-8").splitlines()]


def together(batches: list[dict[str, object]]) -> dict[str, Medium]:
    """What the files of each medium took in all batches."""
    found: dict[str, Medium] = {}
    for one in batches:
        for name, stored in one["media"].items():
            medium = found.setdefault(name, Medium())
            medium.files += stored["files"]
            medium.bytes += stored["bytes"]
            medium.seconds += stored["seconds"]
            slowest, largest = Taken(**stored["slowest"]), Taken(**stored["largest"])
            if medium.slowest is None or slowest.seconds > medium.slowest.seconds:
                medium.slowest = slowest
            if medium.largest is None or largest.beyond > medium.largest.beyond:
                medium.largest = largest
            for outcome, count in stored["outcomes"].items():
                medium.outcomes[outcome] = medium.outcomes.get(outcome, 0) + count
    return found


def report(batches: list[dict[str, object]]) -> Iterator[str]:
    """A table of what each medium took, and what was found."""
    yield "| medium | files | bytes | with a fingerprint | other outcomes | slowest (s of the processor; bytes; number) | most memory beyond its size (MiB; bytes; number) |"
    yield "|---|---|---|---|---|---|---|"
    for name, medium in together(batches).items():
        slow, large = medium.slowest, medium.largest
        assert slow and large
        others = sorted(medium.outcomes.items(), key=lambda item: -item[1])
        named = ", ".join(f"{outcome} {count:,}" for outcome, count in others if outcome != "fingerprint")
        yield (
            f"| {name} | {medium.files:,} | {medium.bytes:,} | {medium.outcomes.get('fingerprint', 0):,} | {named} "
            f"| {slow.seconds:.2f}; {slow.size:,}; {slow.number} | {large.beyond / MIB:.1f}; {large.size:,}; {large.number} |"
        )
    files = sum(one["to"] - one["from"] for one in batches)
    yield f"\n{files:,} files."
    faults = [fault for one in batches for fault in one["faults"]]
    yield f"{len(faults)} faults." if faults else "No fault."
    yield from (f"- {fault}" for fault in faults)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("measure", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folder", type=Path, default=Path("build/hostile"), help="for the files of a batch, and what is found"
    )
    parser.add_argument("--hours", type=float, default=2.0, help="ends after so many; run it again to continue")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--memory", type=float, default=512.0, help="MiB beyond a file's own size")
    parser.add_argument("--kind", choices=hostile_files.MAKERS, help="of all kinds only this one")
    parser.add_argument("--only", type=int, help="write this file to FOLDER, and read none")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=UserWarning)  # members of a name, which are meant
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.only is not None:
        name, data = hostile_files.generated(given.seed, given.only, given.kind)
        (given.folder / f"file-{given.only}").write_bytes(data)
        print(f"{name}, {len(data)} bytes")
        return 0
    state = given.folder / f"seed-{given.seed}{f'-{given.kind}' if given.kind else ''}.jsonl"
    batches, measure, ends = done(state), Measure(given.measure), time.monotonic() + given.hours * 3600
    start = max((int(str(one["to"])) for one in batches), default=0)
    while start < given.count and time.monotonic() < ends:
        numbers = range(start, min(start + given.batch, given.count))
        batches.append(batch(given, measure, numbers))
        with state.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps(batches[-1]) + "\n")
        start = numbers.stop
        for fault in batches[-1]["faults"]:
            print(fault, file=sys.stderr, flush=True)
    measure.end()
    print("\n".join(report(batches)))
    return int(any(one["faults"] for one in batches))


if __name__ == "__main__":
    sys.exit(main())
