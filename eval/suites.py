"""Folders of documents, such as other programs' test suites, as a standing check: `suites.py FOLDER... --nearprint PROGRAM`.

Reads every file once by a command of its own, and twice as one job: in the order of the paths by one thread, and
shuffled by two. Prints, for each folder, how many files have a fingerprint, the reasons of the others, the slowest
files and those that take most memory; `--table FILE` gets a row of Markdown for each. With `--summary FILE` compares
with what an earlier run found there; `--write` replaces it. Nothing of the documents is kept but their paths, reasons
and fingerprints.

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

from volume_run import Run, codes, extract, fingerprint_all

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


@dataclass(frozen=True)
class Examined:
    """A file and what came of it."""

    path: str  # below its folder, which is its first part
    size: int
    medium: str
    outcome: str  # its fingerprint, or the reason why there is none
    run: Run
    documents: Counter[str]  # how many have a text, and the reasons of the others; several in a container
    warnings: Counter[str]  # how many documents have each

    @property
    def beyond(self) -> int:
        """Bytes of memory beyond the size of the file."""
        return max(0, self.run.resident - self.size)


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


def all_alone(program: Path, paths: list[Path]) -> Iterator[Run]:
    """All files, one after the other, by a small process: a command starts with the peak of whoever starts it."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(partial(alone, program), paths, chunksize=CHUNK)


def documents(rows: Rows) -> Counter[str]:
    """How many documents have a text, under the name `text`, and the reasons of the others."""
    return Counter("text" if row["reason"] in (None, "no-tokens") else str(row["reason"]) for row in rows)


def examine(program: Path, files: list[tuple[str, Path]]) -> tuple[list[Examined], list[str]]:
    """Every file, and those that come out differently in another order by two threads or by themselves."""
    paths = [path for _, path in files]
    shuffled = random.Random(SEED).sample(paths, len(paths))
    runs = list(all_alone(program, paths))
    one, two = (by_file(fingerprint_all(program, *how).rows) for how in ((paths, 1), (shuffled, 2)))
    examined, differing = [], []
    for (name, path), run in zip(files, runs, strict=True):
        rows, others = one.get(str(path), []), two.get(str(path), [])
        medium = str(rows[0]["media_type"]) if len(rows) == 1 else "container"
        warnings = Counter(code for row in rows for code in set(codes(row)))
        found = Examined(name, path.stat().st_size, medium, outcome(rows), run, documents(rows), warnings)
        examined.append(found)
        if rows != others:
            differing.append(f"{name}: {outcome(rows)} in order by one thread, {outcome(others)} shuffled by two")
        if len(rows) != 1 or len(rows[0]["place"]) > 1:
            continue  # a container, which `extract` reads no document of
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
        slowest, clock = max(one.run.seconds for one in those), max(one.run.clock for one in those)
        peak = max(one.run.resident for one in those) / MIB
        lines.append(
            f"| {folder} | {len(those):,} | {texts:,} | {counted(reasons)} | {counted(warnings)} "
            f"| {slowest:.2f} | {clock:.2f} | {peak:.0f} |"
        )
    return "\n".join(lines) + "\n"


def page(examined: list[Examined]) -> str:
    """What was found, a table for each folder, then the slowest and the largest of each medium."""
    lines = []
    by_medium: dict[str, list[Examined]] = {}
    for one in examined:
        by_medium.setdefault(one.medium, []).append(one)
    for folder, those in by_folder(examined).items():
        reasons = Counter(one.outcome for one in those if ":" not in one.outcome)
        lines.append(f"{folder}: {len(those)} files, {len(those) - reasons.total()} with a fingerprint")
        lines += [f"  {count:7} {reason}" for reason, count in reasons.most_common()]
    slowest = sorted(examined, key=lambda one: -one.run.seconds)[:SHOWN]
    largest = sorted(examined, key=lambda one: -one.beyond)[:SHOWN]
    lines += ["slowest, seconds of the processor and by the clock:"]
    lines += [f"  {one.run.seconds:7.2f} {one.run.clock:7.2f} {one.path}" for one in slowest]
    lines += ["most memory beyond the file's size, MiB:"]
    lines += [f"  {one.beyond // MIB:7} {one.path}" for one in largest]
    lines += ["slowest and largest of each medium:"]
    for medium, those in sorted(by_medium.items()):
        slow, large = max(those, key=lambda one: one.run.seconds), max(those, key=lambda one: one.beyond)
        lines.append(f"  {medium}: {slow.run.seconds:.2f} s {slow.path}; {large.beyond // MIB} MiB {large.path}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="one suite each, with its subfolders")
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM", help="the command")
    parser.add_argument("--summary", type=Path, metavar="FILE", help="what an earlier run found, to compare with")
    parser.add_argument("--write", action="store_true", help="write the summary instead of comparing with it")
    parser.add_argument("--table", type=Path, metavar="FILE", help="gets a table of all folders")
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
    examined, differing = examine(args.nearprint.resolve(), files)
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
