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
from pathlib import Path

import coverage
import volume_report
from damage import WAYS, damaged
from volume_files import Source, collect, opened
from volume_run import Run, extract_all, fingerprint_all

WORDS = 100  # in fewer, a page number decides the share
DAMAGED = 200  # PDFs that are damaged, each in every way
SEED = 11


def damaged_copies(sources: list[Source], folder: Path) -> list[Path]:
    """Writes damaged copies of a sample of the PDFs."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets = [source for source in sources if source.kind == "pdf"]
    chosen = random.Random(SEED).sample(sheets, min(DAMAGED, len(sheets)))
    copies = []
    for number, source in enumerate(chosen):
        content, other = opened(source.path), opened(chosen[number - 1].path)
        for way in WAYS:
            copy = folder / f"{number:03}-{way}.pdf"
            copy.write_bytes(damaged(content, other, way, source.path.name))
            copies.append(copy)
    return copies


def examined(item: tuple[Source, Run]) -> tuple[float | None, str]:
    """The share of pdftotext's words that a run's text has, and the cause of what is missing; none of too few words."""
    source, run = item
    expected = coverage.reference(opened(source.path))
    wanted = expected.words
    if wanted.total() < WORDS:
        return None, ""
    share = coverage.covered(wanted, coverage.counted(run.text or ""))
    return share, "" if share >= coverage.ENOUGH else coverage.cause(expected, run.text, run.reason, run.warnings)


def covered(results: list[tuple[Source, Run]]) -> tuple[int, list[coverage.Shortfall]]:
    """How many PDFs have enough words to judge by, and those of them that lack too many."""
    sheets = [result for result in results if result[0].kind == "pdf"]
    with ThreadPoolExecutor(2) as pool:
        shares = list(pool.map(examined, sheets))
    judged = [
        (source, share, why) for (source, _), (share, why) in zip(sheets, shares, strict=True) if share is not None
    ]
    return len(judged), [
        coverage.Shortfall(f"{source.package}: {source.path.name}", share, why)
        for source, share, why in judged
        if share < coverage.ENOUGH
    ]


def disagreements(program: Path, paths: list[Path], runs: list[Run]) -> list[str]:
    """Files of which a job of all of them says anything else than a run of its own did, or than with another thread."""
    one, two = (fingerprint_all(program, paths, threads) for threads in (1, 2))
    found = [str(row["id"]) for row, other in zip(one, two, strict=True) if row != other]
    for path, run, row in zip(paths, runs, one, strict=True):
        alone = (run.record or {}).get("characters"), run.warnings
        told = row["characters"], tuple(warning["code"] for warning in row["warnings"])
        # A job has further reasons for documents whose text is read: `no-tokens`.
        if (run.text is not None and alone != told) or (run.text is None and run.reason != row["reason"]):
            found.append(str(path))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where packages and files are kept")
    parser.add_argument("--nearprint", type=Path, required=True, help="the command, built for release")
    parser.add_argument(
        "--report", type=Path, help="the folder of volume.md and warnings.md; nothing is written without"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth file only, for a quick look")
    args = parser.parse_args()
    program = args.nearprint.resolve()
    sources, missing = collect(args.folder)
    sources = sources[:: args.every]
    print(f"{len(sources)} files; {len(missing)} packages missing", flush=True)
    paths = [source.path for source in sources]
    results = list(zip(sources, extract_all(program, paths), strict=True))
    print("compared with pdftotext", flush=True)
    judged, short = covered(results)
    copies = damaged_copies(sources, args.folder / "damaged")
    copied = list(zip(copies, extract_all(program, copies), strict=True))
    print("as one job, twice", flush=True)
    runs = [run for _, run in results] + [run for _, run in copied]
    differing = disagreements(program, paths + copies, runs)
    found = volume_report.Found(program, args.folder, results, copied, judged, short, differing, missing)
    print(volume_report.summary(found))
    if args.report:
        volume_report.write(found, args.report)
    return 0 if volume_report.holds(found) else 1


if __name__ == "__main__":
    sys.exit(main())
