"""Thousands of real PDFs and pages through the command, and damaged copies: `volume.py build/volume --nearprint PROGRAM`.

Asks for: no crash, no hang, no dead worker, memory within bounds; of the PDFs in which pdftotext finds 100 words or
more, nearly all with nearly all of these words; as one job the same results as one by one, with one thread and with two.
Writes volume.md (dated), and into warnings.md how often each warning appears. Exit status 1 where something asked for
does not hold.
"""

from __future__ import annotations

import argparse
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import coverage
import volume_report
from damage import WAYS, damaged
from recovered import Recovered, recovered
from volume_files import Source, collect, opened
from volume_run import Run, codes, extract_all, fingerprint_all

WORDS = 100  # in fewer, a page number decides the share
DAMAGED = 200  # PDFs that are damaged, each in every way
SEED = 11


@dataclass(frozen=True)
class Copy:
    """A damaged copy of a PDF."""

    path: Path
    way: str
    source: Source
    other: Source  # that the piece of a spliced copy is from

    @property
    def name(self) -> str:
        """What it was made of, and how."""
        return f"{self.source.package}: {self.source.path.name}, {self.way}"


def damaged_copies(sources: list[Source], folder: Path) -> list[Copy]:
    """Writes damaged copies of a sample of the PDFs."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets = [source for source in sources if source.kind == "pdf"]
    chosen = random.Random(SEED).sample(sheets, min(DAMAGED, len(sheets)))
    copies = []
    for number, source in enumerate(chosen):
        other = chosen[number - 1]
        content, piece = opened(source.path), opened(other.path)
        for way in WAYS:
            copy = Copy(folder / f"{number:03}-{way}.pdf", way, source, other)
            copy.path.write_bytes(damaged(content, piece, way, source.path.name))
            copies.append(copy)
    return copies


def regained(copies: list[Copy], runs: list[Run], intact: dict[Path, str]) -> list[Recovered]:
    """What the command reads of each copy, against what it reads of the intact file."""
    return [
        recovered(copy.name, copy.way, intact[copy.source.path], run.text or "", intact[copy.other.path])
        for copy, run in zip(copies, runs, strict=True)
    ]


def regained_by_pdftotext(copies: list[Copy]) -> list[Recovered]:
    """The same of pdftotext."""
    paths = {source.path for copy in copies for source in (copy.source, copy.other)}
    with ThreadPoolExecutor(2) as pool:
        intact = dict(zip(paths, pool.map(lambda path: whole(opened(path)), paths), strict=True))
        given = pool.map(lambda copy: whole(copy.path.read_bytes()), copies)
        return [
            recovered(copy.name, copy.way, intact[copy.source.path], text, intact[copy.other.path])
            for copy, text in zip(copies, given, strict=True)
        ]


def whole(content: bytes) -> str:
    """All that pdftotext finds."""
    return "\n".join(coverage.reference(content).pages)


def examined(item: tuple[Source, Run]) -> coverage.Shortfall | None:
    """What of pdftotext's words a run's text has, and the cause of what is missing; none of too few words."""
    source, run = item
    expected = coverage.reference(opened(source.path))
    if expected.words.total() < WORDS:
        return None
    share, strict = coverage.covered(expected, run.text or ""), coverage.strict(expected, run.text or "")
    why = "" if share >= coverage.ENOUGH else coverage.cause(expected, run.text, run.reason, run.warnings)
    return coverage.Shortfall(f"{source.package}: {source.path.name}", share, strict, why)


def covered(results: list[tuple[Source, Run]]) -> list[coverage.Shortfall]:
    """The PDFs that have enough words to judge by, each with what it lacks."""
    with ThreadPoolExecutor(2) as pool:
        return [one for one in pool.map(examined, results) if one is not None]


def differs(run: Run, row: dict[str, object]) -> bool:
    """Whether a job says anything else of a document than a run of its own did."""
    if run.text is None:
        return run.reason != row["reason"]
    # A job has one reason more for documents whose text is read: `no-tokens`.
    return (run.record["characters"], run.warnings) != (row["characters"], codes(row))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where packages and files are kept")
    parser.add_argument("--nearprint", type=Path, required=True, help="the command, built for release")
    parser.add_argument(
        "--report", type=Path, help="the folder of volume.md and warnings.md; nothing is written without"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth file only, for a quick look")
    parser.add_argument("--first", type=int, default=0, metavar="M", help="with --every, the first file taken")
    args = parser.parse_args()
    program = args.nearprint.resolve()
    sources, missing = collect(args.folder)
    sources = sources[args.first :: args.every]
    copies = damaged_copies(sources, args.folder / "damaged")
    paths = [source.path for source in sources] + [copy.path for copy in copies]
    print(f"{len(sources)} files, {len(copies)} damaged copies; {len(missing)} packages missing", flush=True)
    jobs = [fingerprint_all(program, paths, threads) for threads in (1, 2)]
    print("all as one job, twice: done", flush=True)
    alone = [(source, row) for source, row in zip(sources, jobs[0].rows, strict=False) if source.kind == "pdf"]
    runs = list(extract_all(program, [source.path for source, _ in alone] + [copy.path for copy in copies]))
    print("PDFs one by one: done", flush=True)
    sheets = [(source, run) for (source, _), run in zip(alone, runs, strict=False)]
    judged = covered(sheets)
    intact = {source.path: run.text or "" for source, run in sheets}
    damage = (regained(copies, runs[len(sheets) :], intact), regained_by_pdftotext(copies))
    rows = [row for _, row in alone] + jobs[0].rows[len(sources) :]
    differing = [str(row["id"]) for row, other in zip(jobs[0].rows, jobs[1].rows, strict=True) if row != other]
    differing += [str(row["id"]) for run, row in zip(runs, rows, strict=True) if differs(run, row)]
    found = volume_report.Found(program, args.folder, sources, jobs, sheets, runs, judged, damage, differing, missing)
    print(volume_report.summary(found) + "\n\n" + volume_report.causes(found))
    if args.report:
        volume_report.write(found, args.report)
    return 0 if volume_report.holds(found) else 1


if __name__ == "__main__":
    sys.exit(main())
