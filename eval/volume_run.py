"""Runs of the command over many files: what each came to, how long it took, how much memory."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

AT_ONCE = 2
NEVER = ("worker-failed", "worker-unavailable", "internal")  # reasons that real files must not come to
SECONDS = 300  # by the clock; far beyond what any real file takes


@dataclass(frozen=True)
class Run:
    """What one run of `nearprint extract --json FILE` came to."""

    text: str | None
    record: dict[str, object] | None  # with the text
    reason: str  # why there is no text
    status: int  # exit code; the negative number of a signal
    seconds: float  # of the processor, command and worker together
    resident: int  # bytes, of the larger of command and worker
    overdue: bool = False
    clock: float = 0.0  # seconds by the clock

    @property
    def warnings(self) -> tuple[str, ...]:
        """The codes of its warnings."""
        return tuple(warning["code"] for warning in (self.record or {}).get("warnings", ()))

    @property
    def fault(self) -> str:
        """What must never happen, if it did: a crash, a hang, a dead worker, a fault of the program's own."""
        if self.overdue:
            return f"no end after {SECONDS} s"
        if self.status not in (0, 1):
            return f"status {self.status}"
        if self.reason in NEVER:
            return self.reason
        if self.status == 1 and not self.reason:
            return "failed without a reason"
        return ""


def reason_of(path: str, talk: str) -> str:
    """The code behind the file's name in what `extract` says."""
    for line in talk.splitlines():
        if line.startswith(f"{path}: "):
            return line.removeprefix(f"{path}: ").partition(":")[0]
    return ""


def extract(program: Path, path: Path) -> Run:
    """One file by a command of its own, worker and all."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as talk:
        started = time.perf_counter()
        child = subprocess.Popen(
            [program, "extract", "--json", path], stdin=subprocess.DEVNULL, stdout=out, stderr=talk
        )
        timer = threading.Timer(SECONDS, child.kill)
        timer.start()
        # Counts the worker too: it has ended, and its parent has waited for it.
        _, status, usage = os.wait4(child.pid, 0)
        clock = time.perf_counter() - started
        overdue = not timer.is_alive()
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        talk.seek(0)
        said = talk.read().decode("utf-8", "replace")
        lines = out.read().splitlines()
    # A container has a line for each of its documents: none of them is that of the file.
    record = json.loads(lines[0]) if child.returncode == 0 and len(lines) == 1 else None
    reason = "" if child.returncode == 0 else reason_of(str(path), said)
    seconds, resident = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    text = record.pop("text") if record else None
    return Run(text, record, reason, child.returncode, seconds, resident, overdue, clock)


def extract_all(program: Path, paths: list[Path]) -> Iterator[Run]:
    """All files, a few at a time, in their order."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(lambda path: extract(program, path), paths)


@dataclass(frozen=True)
class Job:
    """What a run of `nearprint fingerprint` over many files came to."""

    rows: list[dict[str, object]]  # a record for each file, in their order
    resident: int  # bytes, of the larger of command and workers
    seconds: float = 0.0  # of the processor, command and workers together


class DeadJobError(SystemExit):
    """The command ended by a signal, or with a status that no job has."""


def fingerprint_all(program: Path, paths: list[Path], threads: int) -> Job:
    """All files as one job."""
    with tempfile.NamedTemporaryFile() as listed:
        listed.write(b"".join(os.fsencode(path) + b"\0" for path in paths))
        listed.flush()
        options = ["-qq", "--format", "jsonl", "--threads", str(threads), "--files-from", listed.name]
        with tempfile.TemporaryFile() as out:
            child = subprocess.Popen([program, "fingerprint", *options], stdin=subprocess.DEVNULL, stdout=out)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            lines = out.read().decode("utf-8").splitlines()
    if child.returncode not in (0, 1):
        raise DeadJobError(f"{program} fingerprint: status {child.returncode}")
    return Job([json.loads(line) for line in lines], usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def codes(row: dict[str, object]) -> tuple[str, ...]:
    """The codes of the warnings of a record."""
    return tuple(warning["code"] for warning in row["warnings"])
