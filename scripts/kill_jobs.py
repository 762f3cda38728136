"""Kills jobs with SIGKILL at random moments, goes on with them, and compares what comes out, byte by byte.

    python3 scripts/kill_jobs.py PROGRAM INPUT [--kills 20] [--seed 1] [--memory 2G] [--most MIB] [--commit 10000] [--damaged] [--decisions]
        [--verb fingerprint] [--verb dedup] [--verb passages]

A moment is a number of bytes that the process has read and written (/proc/PID/io, so Linux only). One job is killed again and
again: the moments lie evenly over all that a job left alone reads and writes, and of what is left of it each run gets about as far
as there are kills left: so reading, committing, searching and assembling are all met. `fingerprint`,
`dedup --write` (with --decisions `dedup --output`, for tables, whose rows are not cut out) and `passages` are killed so; the result must be that of a job left alone, for 1 and for 2 threads, and no folder of a job
and no half-written output may be left.
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

VERBS = ("fingerprint", "dedup", "passages")


def moved(process):
    """Bytes the process has read and written so far; None once it is gone."""
    try:
        lines = pathlib.Path(f"/proc/{process.pid}/io").read_text().splitlines()
    except OSError:
        return None
    fields = dict(line.split(": ") for line in lines)
    return int(fields["rchar"]) + int(fields["wchar"]) if fields else None


def resident(process):
    """Bytes of memory that the process and its workers held at most, each by itself, added up."""
    most = 0
    try:
        of_threads = pathlib.Path(f"/proc/{process.pid}/task").glob("*/children")
        workers = [worker for each in of_threads for worker in each.read_text().split()]
        for each in [process.pid, *workers]:
            lines = pathlib.Path(f"/proc/{each}/status").read_text().splitlines()
            most += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))
    except OSError:
        pass
    return most


def size(folder):
    """Bytes of all files in a directory; 0 where it is not there."""
    with contextlib.suppress(OSError):
        return sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file())
    return 0


class Run:
    """A command on its way: the bytes it moved, the most its job's folder held, and when that was."""

    def __init__(self, command, job=None):
        self.command, self.job = command, job
        self.bytes = self.folder = self.folder_at = self.memory = 0

    def until(self, moment=None, ends=0):
        """Runs it, killed once it has moved so many bytes; whether it was. Whole, it must exit with `ends`."""
        process = subprocess.Popen(self.command)
        looked = 0
        while process.poll() is None:
            self.bytes = max(self.bytes, moved(process) or 0)
            if moment is not None and self.bytes >= moment:
                process.send_signal(signal.SIGKILL)
                return process.wait() == -signal.SIGKILL
            if time.monotonic() - looked > 0.05:
                looked = time.monotonic()
                self.memory = max(self.memory, resident(process))
                held = size(self.job) if self.job else 0
                if held > self.folder:
                    self.folder, self.folder_at = held, self.bytes
            time.sleep(0.001)
        if process.returncode != ends:
            sys.exit(f"{' '.join(map(str, self.command))}: exit code {process.returncode}")
        return False


def digest(path):
    """One digest of a file, or of all files below a directory."""
    found = hashlib.sha256()
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    for file in files:
        found.update(str(file.relative_to(path)).encode() + b"\0")
        with file.open("rb") as data:
            while part := data.read(1 << 20):
                found.update(part)
    return found.hexdigest()


def removed(path):
    shutil.rmtree(path, ignore_errors=True)
    path.unlink(missing_ok=True)


def survives(name, command, folder, given, rng):
    """`command` writes to folder/out; its options are completed here. With --damaged it must exit with 1, else with 0."""
    ends = 1 if given.damaged else 0
    out = folder / "out"
    job = folder / "job"
    as_job = ["--job", job, "--limit", f"commit={given.commit}"]
    wanted = set()
    for threads in (1, 2):
        removed(out)
        alone = Run([*command, out, "--threads", str(threads), *as_job], job)
        began = time.monotonic()
        alone.until(ends=ends)
        wanted.add(digest(out))
        held = f"{alone.memory >> 20:,} MiB of memory, {alone.folder >> 20:,} MiB in the folder of the job"
        print(f"{name}, {threads} threads: {time.monotonic() - began:.1f} s, {held}", flush=True)
        if 0 < given.most < alone.memory >> 20:
            sys.exit(f"{name}: more than {given.most} MiB of memory")
    removed(out)
    Run([*command, out]).until(ends=ends)
    wanted.add(digest(out))
    if len(wanted) != 1:
        sys.exit(f"{name}: outputs differ by threads or by --job")
    killed = late = jobs = read = 0
    began = time.monotonic()
    while killed < given.kills:
        removed(out)
        jobs += 1
        ended = False
        while killed < given.kills and not ended:
            # What going on reads first, what there is to read then, and what comes behind it.
            there = size(job)
            to_read = alone.folder_at * max(0.0, 1 - there / max(alone.folder, 1))
            left = to_read + alone.bytes - alone.folder_at
            step = min(2 * left / (given.kills - killed), left * 0.98)
            again = Run([*command, out, "--threads", "2", *as_job])
            ended = not again.until(there + rng.uniform(0, step), ends)
            read += again.bytes
            killed += not ended
            late += not ended and size(job) >= alone.folder
            if not ended and out.exists():
                sys.exit(f"{name}: a killed job left an output under its final name")
        if not ended:
            Run([*command, out, "--threads", "2", *as_job]).until(ends=ends)
        if digest(out) not in wanted:
            sys.exit(f"{name}: {killed} kills changed the output")
        if job.exists():
            sys.exit(f"{name}: the folder of the job is left")
        for part in folder.glob(".out*.part"):
            removed(part)
    took = f"{time.monotonic() - began:.1f} s with the kills, {read / max(alone.bytes, 1):.1f} times the bytes of a job left alone"
    kills = f"{killed} kills in {jobs} jobs, {late} of them when all was read"
    print(f"{name}: {kills}; outputs equal ({wanted.pop()}); {took}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("input", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--most", type=int, default=0, help="MiB of memory that no job left alone may pass")
    parser.add_argument("--commit", default="10000")
    parser.add_argument("--folder", type=pathlib.Path, help="where outputs and jobs lie; a temporary directory")
    parser.add_argument("--damaged", action="store_true", help="some documents of INPUT are damaged")
    parser.add_argument("--decisions", action="store_true", help="dedup writes decisions, not what is kept")
    parser.add_argument("--verb", action="append", choices=VERBS, help="this one only; else all")
    given = parser.parse_args()
    verbs = given.verb or VERBS
    rng = random.Random(given.seed)
    program = [given.program.resolve()]
    with tempfile.TemporaryDirectory(dir=given.folder) as directory:
        folder = pathlib.Path(directory)
        os.environ["TMPDIR"] = directory
        read = ["-qq", given.input.resolve()]
        prints = [*program, "fingerprint", *read, "--format", "jsonl", "--output"]
        if "fingerprint" in verbs:
            survives("fingerprint", prints, folder, given, rng)
        kept = [*program, "dedup", *read, "--limit", f"memory={given.memory}"]
        kept += ["--format", "jsonl", "--output"] if given.decisions else ["--write"]
        if "dedup" in verbs:
            survives("dedup", kept, folder, given, rng)
        shared = [*program, "passages", *read, "--limit", f"memory={given.memory}", "--format", "jsonl", "--output"]
        if "passages" in verbs:
            survives("passages", shared, folder, given, rng)
    return 0


if __name__ == "__main__":
    sys.exit(main())
