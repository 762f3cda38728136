"""Kills jobs with SIGKILL at random moments, goes on with them, and compares what comes out, octet by octet.

    python3 scripts/kill_jobs.py PROGRAM INPUT [--kills 20] [--seed 1] [--memory 2G] [--commit 10000] [--damaged] [--decisions]

A moment is a number of octets that the process has read and written (/proc/PID/io, so Linux only), drawn evenly from all that
a job left alone reads and writes: so reading, committing, searching and assembling are all met. Both `fingerprint` and
`dedup --write` (with --decisions `dedup --output`, for tables, whose rows are not cut out) are killed so; the result must be that of a job left alone, for 1 and for 2 threads, and no folder of a job
and no half-written output may be left.
"""

import argparse
import hashlib
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile


def moved(process):
    """Octets the process has read and written so far; None once it is gone."""
    try:
        lines = pathlib.Path(f"/proc/{process.pid}/io").read_text().splitlines()
    except OSError:
        return None
    fields = dict(line.split(": ") for line in lines)
    return int(fields["rchar"]) + int(fields["wchar"]) if fields else None


def run(command, until=None, ends=0):
    """Runs a command, killed once it has moved `until` octets; how many it moved, and whether it was killed. Whole, it must exit with `ends`."""
    process = subprocess.Popen(command)
    last = 0
    while process.poll() is None:
        now = moved(process)
        last = max(last, now or 0)
        if until is not None and last >= until:
            process.send_signal(signal.SIGKILL)
            return last, process.wait() == -signal.SIGKILL
    if process.returncode != ends:
        sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}")
    return last, False


def digest(path):
    """One digest of a file, or of all files below a directory."""
    found = hashlib.sha256()
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    for file in files:
        found.update(str(file.relative_to(path)).encode() + b"\0")
        with file.open("rb") as octets:
            while part := octets.read(1 << 20):
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
    as_job = ["--job", job, "--commit", given.commit]
    wanted = set()
    for threads in (1, 2):
        removed(out)
        octets, _ = run([*command, out, "--threads", str(threads), *as_job], ends=ends)
        wanted.add(digest(out))
    removed(out)
    run([*command, out], ends=ends)
    wanted.add(digest(out))
    if len(wanted) != 1:
        sys.exit(f"{name}: outputs differ by threads or by --job")
    killed = finished = 0
    while killed < given.kills:
        removed(out)
        # A job gone on with moves less: the moments left are of what is left.
        before = killed
        while killed < given.kills and killed - before < 8:
            _, was_killed = run([*command, out, "--threads", "2", *as_job], rng.randrange(1, octets), ends)
            if not was_killed:
                break
            killed += 1
            if out.exists():
                sys.exit(f"{name}: a killed job left an output under its final name")
        if not out.exists():
            run([*command, out, "--threads", "2", *as_job], ends=ends)
        finished += 1
        if digest(out) not in wanted:
            sys.exit(f"{name}: {killed} kills changed the output")
        if job.exists():
            sys.exit(f"{name}: the folder of the job is left")
        for part in folder.glob(".out*.part"):
            removed(part)
    print(f"{name}: {killed} kills in {finished} jobs of {octets:,} octets moved, outputs equal")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("input", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--commit", default="10000")
    parser.add_argument("--damaged", action="store_true", help="some documents of INPUT are damaged")
    parser.add_argument("--decisions", action="store_true", help="dedup writes decisions, not what is kept")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    program = [given.program.resolve()]
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        read = ["--quiet", given.input.resolve()]
        prints = [*program, "fingerprint", *read, "--format", "jsonl", "--output"]
        survives("fingerprint", prints, folder, given, rng)
        kept = [*program, "dedup", *read, "--memory", given.memory]
        kept += ["--format", "jsonl", "--output"] if given.decisions else ["--write"]
        survives("dedup", kept, folder, given, rng)
    return 0


if __name__ == "__main__":
    sys.exit(main())
