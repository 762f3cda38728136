"""Folders of documents, such as other programs' test suites, as a standing check: `suites.py FOLDER... --nearprint PROGRAM`.

Reads every file once by a command of its own, and twice as one job: in the order of the paths by one thread, and
shuffled by two. With `--together N` the first job is one of every N files, and only those that take much together are
read by commands of their own, which is much faster. Prints, for each folder, how many files have a fingerprint, the
reasons of the others, the slowest files and those that take most memory; `--table FILE` gets a row of Markdown for
each. With `--summary FILE` compares with what an earlier run found there; `--write` replaces it. Nothing of the
documents is kept but their paths, reasons and fingerprints.

Exit status 1 where a file crashes, hangs, kills its worker, takes more than `--seconds` or `--memory`, or comes out
differently in the other order or by itself; or where a file of the summary comes out differently.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from volume_run import NEVER, DeadJobError, Run, codes, extract, fingerprint_all

SHOWN = 10
SEED = 1  # of the second order
CHUNK = 32  # files that a process is sent at once
MIB = 1 << 20
SCHEMA = "nearprint/suites/1"


@dataclass(frozen=True)
class Limits:
    """What one file may take."""

    seconds: float  # of the processor
    beyond: int  # bytes of memory beyond the size of the file


CHEAP = Limits(0.5, 96 * MIB)  # files that take no more than this together are not measured one by one


@dataclass(frozen=True)
class Examined:
    """A file and what came of it."""

    path: str  # below its folder, which is its first part
    size: int
    medium: str
    outcome: str  # its fingerprint, or the reason why there is none
    run: Run | None  # by itself, if it was read so
    documents: Counter[str]  # how many have a text, and the reasons of the others; several in a container
    warnings: Counter[str]  # how many documents have each

    @property
    def beyond(self) -> int:
        """Bytes of memory beyond the size of the file."""
        return max(0, self.run.resident - self.size) if self.run else 0

    @property
    def seconds(self) -> float:
        """Of the processor."""
        return self.run.seconds if self.run else 0.0


def files_of(folders: Iterable[Path]) -> list[tuple[str, Path]]:
    """All regular files, each with its path below the folder's parent, in one order on every machine."""
    found: dict[str, Path] = {}
    for folder in folders:
        above = folder.resolve().parent
        for path in sorted(path for path in folder.resolve().rglob("*") if path.is_file() and not path.is_symlink()):
            found[str(path.relative_to(above))] = path
    return list(found.items())


Rows = list[dict[str, object]]


def outcome(rows: Rows) -> str:
    """The fingerprint of a file, or the reason why it has none; of a container how many of each its documents have."""
    if len(rows) == 1:
        return str(rows[0]["fingerprint"] or rows[0]["reason"])
    counts = Counter("fingerprint" if row["fingerprint"] else str(row["reason"]) for row in rows)
    counted = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    digest = hashlib.sha256("\n".join(outcome([row]) for row in rows).encode()).hexdigest()[:16]
    return f"container: {counted or 'empty'} ({digest})"


def by_file(rows: Rows) -> dict[str, Rows]:
    """The rows of each file; a container has one for each document in it."""
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(str(row["place"]["file"]), []).append(row)
    return found


def alone(program: Path, path: Path) -> Run:
    """One file by a command of its own, without its text."""
    return replace(extract(program, path), text=None)


@dataclass(frozen=True)
class Batch:
    """Files that one command read one after the other, or each by a command of its own."""

    rows: Rows
    runs: list[Run | None]  # of each file; none where all files together took little


def batch(program: Path, paths: list[Path]) -> Batch:
    """Some files by one command; each by itself where this command takes much, or where there is one file."""
    try:
        job = fingerprint_all(program, paths, 1)
    except DeadJobError:
        return Batch([], [alone(program, path) for path in paths])
    cheap = job.seconds <= CHEAP.seconds and job.resident <= CHEAP.beyond
    is_measured = len(paths) == 1 or not cheap or any(row["reason"] in NEVER for row in job.rows)
    return Batch(job.rows, [alone(program, path) if is_measured else None for path in paths])


def in_order(program: Path, paths: list[Path], together: int) -> Iterator[Batch]:
    """All files, a batch after the other, by a small process: a command starts with the peak of whoever starts it."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        if together == 1:  # each file by itself, and all as one job
            runs = pool.map(partial(alone, program), paths, chunksize=CHUNK)
            yield Batch(job_rows(program, paths, 1), list(runs))
            return
        batches = [paths[at : at + together] for at in range(0, len(paths), together)]
        yield from pool.map(partial(batch, program), batches)


def job_rows(program: Path, paths: list[Path], threads: int) -> Rows:
    """The records of all files as one job, or none where it dies."""
    try:
        return fingerprint_all(program, paths, threads).rows
    except DeadJobError as error:
        print(error, file=sys.stderr)
        return []


def documents(rows: Rows) -> Counter[str]:
    """How many documents have a text, under the name `text`, and the reasons of the others."""
    return Counter("text" if row["reason"] in (None, "no-tokens") else str(row["reason"]) for row in rows)


def examine(program: Path, files: list[tuple[str, Path]], together: int) -> tuple[list[Examined], list[str]]:
    """Every file, and those that come out differently in another order by two threads or by themselves."""
    paths = [path for _, path in files]
    batches = list(in_order(program, paths, together))
    runs = [run for one in batches for run in one.runs]
    one = by_file([row for batch in batches for row in batch.rows])
    two = by_file(job_rows(program, random.Random(SEED).sample(paths, len(paths)), 2))
    examined, differing = [], [] if one and two else ["a job of all files has no record"]
    for (name, path), run in zip(files, runs, strict=True):
        rows, others = one.get(str(path), []), two.get(str(path), [])
        medium = str(rows[0]["media_type"]) if len(rows) == 1 else "container"
        warnings = Counter(code for row in rows for code in set(codes(row)))
        found = Examined(name, path.stat().st_size, medium, outcome(rows), run, documents(rows), warnings)
        examined.append(found)
        if rows != others:
            differing.append(f"{name}: {outcome(rows)} in order by one thread, {outcome(others)} shuffled by two")
        if run is None or len(rows) != 1 or len(rows[0]["place"]) > 1:
            continue  # not read by itself, or a container, which `extract` reads no document of
        # A job has one reason more for documents whose text is read: `no-tokens`.
        reason = rows[0]["reason"]
        by_itself = run.reason or ("no-tokens" if reason == "no-tokens" else None)
        if by_itself != reason:
            differing.append(f"{name}: {reason} in a job, {by_itself} by itself")
    return examined, differing


def faults(examined: Iterable[Examined], limits: Limits) -> list[str]:
    """What no file may do."""
    found = []
    for one in examined:
        if not one.run:
            continue
        # `extract` names the documents of a container, not the container.
        is_container = one.medium == "container" and one.run.status == 1
        if one.run.fault and not is_container:
            found.append(f"{one.path}: {one.run.fault}")
        if one.run.seconds > limits.seconds:
            found.append(f"{one.path}: {one.run.seconds:.1f} s, {limits.seconds:g} are allowed")
        if one.beyond > limits.beyond:
            allowed = limits.beyond // MIB
            found.append(f"{one.path}: {one.beyond // MIB} MiB beyond its size, {allowed} are allowed")
    return found


def changes(before: dict[str, str], examined: Iterable[Examined]) -> list[str]:
    """Files whose outcome is not that of the summary; files that only one of them has are no change."""
    return [
        f"{one.path}: {before[one.path]} before, {one.outcome} now"
        for one in examined
        if before.get(one.path, one.outcome) != one.outcome
    ]


def read_summary(path: Path) -> dict[str, str]:
    """The outcomes that an earlier run found, by path."""
    found = json.loads(path.read_text("utf-8"))
    if found.get("schema") != SCHEMA:
        raise SystemExit(f"{path}: not a summary of suites.py ({SCHEMA})")
    return found["outcomes"]


def write_summary(path: Path, examined: Iterable[Examined]) -> None:
    """Writes the outcomes, a line each so that versions can be compared."""
    outcomes = {one.path: one.outcome for one in examined}
    path.write_text(json.dumps({"schema": SCHEMA, "outcomes": outcomes}, indent=0, sort_keys=True) + "\n", "utf-8")


def by_folder(examined: Iterable[Examined]) -> dict[str, list[Examined]]:
    """The files of each folder."""
    found: dict[str, list[Examined]] = {}
    for one in examined:
        found.setdefault(Path(one.path).parts[0], []).append(one)
    return found


def counted(counts: Counter[str]) -> str:
    """Counts in a cell, the largest first."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common()) or "-"


def table(examined: Iterable[Examined]) -> str:
    """A row of Markdown for each folder."""
    lines = [
        "| suite | files | documents with text | without | warnings | slowest s | by the clock | peak MiB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for folder, those in by_folder(examined).items():
        reasons, warnings = Counter[str](), Counter[str]()
        for one in those:
            reasons += one.documents
            warnings += one.warnings
        texts = reasons.pop("text", 0)
        measured = [one.run for one in those if one.run]
        slowest = f"{max(run.seconds for run in measured):.2f}" if measured else f"< {CHEAP.seconds:g}"
        clock = f"{max(run.clock for run in measured):.2f}" if measured else "-"
        peak = f"{max(run.resident for run in measured) / MIB:.0f}" if measured else f"< {CHEAP.beyond // MIB}"
        lines.append(
            f"| {folder} | {len(those):,} | {texts:,} | {counted(reasons)} | {counted(warnings)} "
            f"| {slowest} | {clock} | {peak} |"
        )
    return "\n".join(lines) + "\n"


def page(examined: list[Examined]) -> str:
    """What was found, a table for each folder, then the slowest and the largest of each medium."""
    lines = []
    by_medium: dict[str, list[Examined]] = {}
    for one in examined:
        if one.run:
            by_medium.setdefault(one.medium, []).append(one)
    for folder, those in by_folder(examined).items():
        reasons = Counter(one.outcome for one in those if ":" not in one.outcome)
        lines.append(f"{folder}: {len(those)} files, {len(those) - reasons.total()} with a fingerprint")
        lines += [f"  {count:7} {reason}" for reason, count in reasons.most_common()]
    measured = [one for one in examined if one.run]
    slowest = sorted(measured, key=lambda one: -one.seconds)[:SHOWN]
    largest = sorted(measured, key=lambda one: -one.beyond)[:SHOWN]
    lines += [f"{len(measured)} of {len(examined)} files were read by themselves"]
    lines += ["slowest, seconds of the processor and by the clock:"]
    lines += [f"  {one.seconds:7.2f} {one.run.clock if one.run else 0:7.2f} {one.path}" for one in slowest]
    lines += ["most memory beyond the file's size, MiB:"]
    lines += [f"  {one.beyond // MIB:7} {one.path}" for one in largest]
    lines += ["slowest and largest of each medium:"]
    for medium, those in sorted(by_medium.items()):
        slow, large = max(those, key=lambda one: one.seconds), max(those, key=lambda one: one.beyond)
        lines.append(f"  {medium}: {slow.seconds:.2f} s {slow.path}; {large.beyond // MIB} MiB {large.path}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="one suite each, with its subfolders")
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM", help="the command")
    parser.add_argument("--summary", type=Path, metavar="FILE", help="what an earlier run found, to compare with")
    parser.add_argument("--write", action="store_true", help="write the summary instead of comparing with it")
    parser.add_argument("--table", type=Path, metavar="FILE", help="gets a table of all folders")
    parser.add_argument("--together", type=int, default=1, metavar="N", help="files of one command (%(default)s)")
    parser.add_argument("--seconds", type=float, default=5, help="processor time a file may take (%(default)s)")
    parser.add_argument("--memory", type=int, default=512, metavar="MIB", help="beyond its size (%(default)s)")
    args = parser.parse_args(arguments)
    if args.write and not args.summary:
        parser.error("--write needs --summary FILE, which it writes")
    for folder in args.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is not a directory")
    files = files_of(args.folders)
    if not files:
        parser.error("there is no file in these folders")
    examined, differing = examine(args.nearprint.resolve(), files, max(1, args.together))
    print(page(examined))
    if args.table:
        args.table.write_text(table(examined), "utf-8")
    changed: list[str] = []
    if args.write:
        write_summary(args.summary, examined)
    elif args.summary:
        changed = changes(read_summary(args.summary), examined)
    wrong = [
        *(f"fault: {fault}" for fault in faults(examined, Limits(args.seconds, args.memory * MIB))),
        *(f"differs: {difference}" for difference in differing),
        *(f"changed: {change}" for change in changed),
    ]
    print("\n".join(wrong) if wrong else "no fault, no difference")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
