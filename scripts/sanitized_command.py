"""The command under AddressSanitizer, workers and server included: `sanitized_command.py PROGRAM WORKER [FOLDER...]`.

PROGRAM is the command and WORKER the example `hostile_worker` of nearprint-worker, as `scripts/sanitize_command.sh`
builds them. A worker that reads behind an allocation must be reported first. Then the command reads the samples, the
seeds and finds of fuzzing, some thousand generated hostile files, and the files of every FOLDER, each in its own process
and in workers; it deduplicates, keeps an index, and serves a few requests. Exit status 1 where AddressSanitizer reports
anything, where a process ends otherwise than with 0 or 1, and where a worker dies.

A worker has all its protections but the limit on address space, of which AddressSanitizer takes terabytes at its start.
The filter of system calls ends it while it writes its report, of which the first line is its last words in the record
of the document; `--read isolate=never` shows the whole report.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "eval"))

import hostile_files  # noqa: E402
from volume_run import NEVER  # noqa: E402

SAMPLES = ROOT / "samples/documents"
AT_ONCE = 400  # files of a run
REPORT = b"AddressSanitizer"
RULE = b"=" * 60  # the line before a report
SANITIZER = 86  # exit status of a process that AddressSanitizer ends
# Leaks are not faults of memory: what a process has when it ends is given back at once.
OPTIONS = f"exitcode={SANITIZER}:detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1"


class Checked:
    """A program whose every run is looked at."""

    def __init__(self, program: Path, folder: Path, kept: Path) -> None:
        self.program, self.folder, self.kept = program, folder, kept
        self.faults: list[str] = []
        self.outcomes: Counter[str] = Counter()
        self.environment = os.environ | {"ASAN_OPTIONS": OPTIONS}

    def fault(self, what: str, said: bytes) -> None:
        """Notes a fault, with what was said of it beside."""
        self.faults.append(what)
        path = self.kept / f"fault-{len(self.faults)}.txt"
        path.write_bytes(said)
        print(f"fault: {what}; see {path}", file=sys.stderr, flush=True)

    def run(self, *arguments: object, takes: bytes = b"") -> bytes:
        """What a run writes to standard output."""
        command = [str(argument) for argument in (self.program, *arguments)]
        done = subprocess.run(
            command, input=takes, capture_output=True, check=False, cwd=self.folder, env=self.environment
        )
        if done.returncode not in (0, 1) or REPORT in done.stderr:
            self.fault(f"{' '.join(command[1:])[:300]}: status {done.returncode}", done.stderr)
        self.outcomes[f"exit {done.returncode}"] += 1
        return done.stdout

    def read(self, paths: list[Path], isolate: str) -> None:
        """Fingerprints of files, and the reasons of those that have none."""
        listed = self.folder / "list"
        for begin in range(0, len(paths), AT_ONCE):
            listed.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in paths[begin : begin + AT_ONCE]))
            options = ["-qq", "--format", "jsonl", "--threads", 2]
            options += ["--read", f"isolate={isolate}", "--limit", "worker-time=600"]
            for line in self.run("fingerprint", *options, "--files-from", listed).splitlines():
                row = json.loads(line)
                outcome = "fingerprint" if row["fingerprint"] else row["reason"]
                self.outcomes[outcome] += 1
                if outcome in (*NEVER, "unreadable") or RULE in line:
                    path = Path(row["place"]["file"])
                    shutil.copy(path, self.kept / f"fault-{len(self.faults) + 1}-{path.name}")
                    self.fault(f"{row['id']}: {outcome} with --read isolate={isolate}", line)


def faults_are_seen(program: Path, worker: Path, folder: Path) -> bool:
    """Whether a fault in a worker ends up in the record of its document."""
    path = folder / "overrun.txt"
    path.write_text("die: overrun", "utf-8")
    command = [program, "fingerprint", "-qq", "--format", "jsonl", "--read", "isolate=everything", path]
    environment = os.environ | {"NEARPRINT_WORKER": str(worker.resolve())}
    return RULE in subprocess.run(command, capture_output=True, check=False, env=environment).stdout


def files(folder: Path) -> list[Path]:
    """All regular files below a folder."""
    return sorted(path for path in folder.resolve().rglob("*") if path.is_file() and not path.is_symlink())


def documents(checked: Checked, folders: list[Path], hostile: int, seed: int) -> Iterator[str]:
    """Files, as the command reads them by itself and in workers."""
    for folder in (SAMPLES, ROOT / "fuzz/seeds", ROOT / "fuzz/regressions", ROOT / "fuzz/tables", *folders):
        paths = files(folder)
        for isolate in ("never", "everything"):
            checked.read(paths, isolate)
        yield f"{len(paths):,} files of {folder.name}"
    for begin in range(0, hostile, AT_ONCE):
        with tempfile.TemporaryDirectory(dir=checked.folder) as directory:
            paths = []
            for number in range(begin, min(begin + AT_ONCE, hostile)):
                paths.append(Path(directory) / f"{seed}-{number}")
                paths[-1].write_bytes(hostile_files.generated(seed, number)[1])
            for isolate in ("never", "heavy"):
                checked.read(paths, isolate)
    yield f"{hostile:,} hostile files of seed {seed}"


def verbs(checked: Checked) -> Iterator[str]:
    """Everything else that the command does, on the samples."""
    prints = checked.folder / "samples.prints"
    for form in ("csv", "arrow", "parquet", "text", "jsonl", "binary"):
        output = checked.folder / f"samples.{form}"
        checked.run("fingerprint", "-qq", "--format", form, "--output", output, SAMPLES)
        if form not in ("csv", "arrow", "parquet"):
            checked.run("prints", "pairs", "-qq", output)
            checked.run("prints", "convert", "-qq", "--format", "hex", output)
    for scheme in ("sd1", "md1", "sl1"):
        checked.run("fingerprint", "-qq", "--scheme", scheme, "--format", "binary", "--output", prints, SAMPLES)
        checked.run("prints", "pairs", "-qq", "--scheme", scheme, prints)
        prints.unlink(missing_ok=True)
    yield "prints"
    light = SAMPLES / "lighthouse"
    checked.run("compare", "--measure", "edit", light / "en.pdf", light / "en-revised.txt")
    checked.run("diff", light / "en.txt", light / "en-revised.txt")
    checked.run("extract", "--json", light / "en.pdf")
    checked.run("clusters", "--format", "table", SAMPLES)
    checked.run("query", light / "en.pdf", SAMPLES)
    checked.run("prints", "correlate", "-qq", "--format", "csv", "--output", checked.folder / "measured.csv", light)
    checked.run("prints", "idf", "-qq", "--output", checked.folder / "texts.idf", SAMPLES)
    checked.run("dedup", SAMPLES, "--report", checked.folder / "report.html")
    checked.run("dedup", "-qq", "--write", checked.folder / "once", SAMPLES)
    for table in files(ROOT / "fuzz/tables"):
        column = ("--read", "text=page.text", "--read", "id=page.id") if "nested" in table.name else ()
        checked.run("dedup", "-qq", *column, "--write", checked.folder / f"once-{table.name}", table)
    checked.run("prints", "vectors", "--verify")
    yield "verbs"
    index = checked.folder / "samples.index"
    checked.run("index", "create", index)
    checked.run("index", "add", index, SAMPLES)
    checked.run("query", index, "--queries", SAMPLES)
    checked.run("index", "remove", index, f"{light}/en.txt")
    for verb in ("pairs", "clusters"):
        checked.run(verb, index)
        checked.run("prints", verb, index)
    for verb in ("compact", "verify", "rebuild", "list", "export", "stats"):
        checked.run("index", verb, index)
    checked.run("dedup", "-qq", light / "en-revised.txt", "--against", f"index:{index}")
    yield "index"


def server(checked: Checked) -> Iterator[str]:
    """A server: its requests, its pages, a job, and its end."""
    log = checked.kept / "server.txt"
    with log.open("wb") as said:
        command = [checked.program, "serve", checked.folder / "collections", "--listen", "127.0.0.1:0"]
        child = subprocess.Popen(command, stderr=said, env=checked.environment)
    address = ""
    while not address and child.poll() is None:
        time.sleep(0.1)
        address = next((word.rstrip("/") for word in log.read_text("utf-8").split() if word.startswith("http://")), "")

    def ask(method: str, path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(address + path, body, method=method)
        request.add_header("Content-Type", "application/octet-stream")
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                data, status = answer.read(), answer.status
        except urllib.error.HTTPError as error:
            data, status = error.read(), error.code
        checked.outcomes[f"status {status}"] += 1
        if status >= 500:
            checked.fault(f"{method} {path}: status {status}", data)
        return data

    ask("PUT", "/v1/collections/samples", b'{"texts": true}')
    for path in files(SAMPLES):
        ask("PUT", f"/v1/collections/samples/documents?id={path.parent.name}-{path.name}", path.read_bytes())
    for number in range(100):
        ask("POST", "/v1/fingerprint?id=hostile", hostile_files.generated(2, number)[1])
    ask("POST", "/v1/collections/samples/query?measure=jaccard", (SAMPLES / "lighthouse/en.pdf").read_bytes())
    for kind in ("pairs", "clusters", "dedup"):
        job = json.loads(ask("POST", "/v1/jobs", json.dumps({"type": kind, "collection": "samples"}).encode()))
        while json.loads(ask("GET", f"/v1/jobs/{job['id']}"))["state"] in ("waiting", "queued", "running"):
            time.sleep(0.2)
        ask("GET", f"/v1/jobs/{job['id']}/result")
    for page in ("/", "/reference", "/openapi.json", "/collections/samples", "/jobs", "/v1/collections"):
        ask("GET", page)
    child.send_signal(signal.SIGTERM)
    status, said = child.wait(), log.read_bytes()
    if status != 0 or REPORT in said:
        checked.fault(f"serve: status {status}", said)
    yield "server"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("worker", type=Path)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--hostile", type=int, default=2000, help="so many generated files")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--kept", type=Path, default=ROOT / "build/sanitize", help="what is said of faults")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=UserWarning)  # members of a name, which are meant
    given.kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        if not faults_are_seen(given.program, given.worker, Path(directory)):
            raise SystemExit(f"{given.worker} reads behind an allocation, and nothing reports it")
        checked = Checked(given.program.resolve(), Path(directory), given.kept.resolve())
        parts = (verbs(checked), server(checked), documents(checked, given.folders, given.hostile, given.seed))
        for part in parts:
            began = time.monotonic()
            for done in part:
                print(f"{done}: {time.monotonic() - began:.0f} s", flush=True)
                began = time.monotonic()
    print(", ".join(f"{outcome} {count:,}" for outcome, count in checked.outcomes.most_common()))
    print(f"{len(checked.faults)} faults" if checked.faults else "no fault")
    return int(bool(checked.faults))


if __name__ == "__main__":
    sys.exit(main())
