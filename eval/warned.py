"""How often each warning appears in the corpus, by medium: `warned.py CORPUS --nearprint PROGRAM --report FOLDER`.

Writes its table into FOLDER/warnings.md, between its marks; without --report it prints it. volume.py does the same for
thousands of PDFs and pages.
"""

from __future__ import annotations

import argparse
import datetime
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from labels import read_labels
from volume_run import codes, fingerprint_all

BEGIN, END = "<!-- corpus: begin -->", "<!-- corpus: end -->"


def table(records: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """A line for each medium: its files, and the share of them that has each warning; of (medium, codes) of each file."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    files: Counter[str] = Counter()
    for medium, found in records:
        files[medium] += 1
        counts[medium].update(set(found))
    lines = ["| medium | files | warnings, with the share of the files that have them |", "|---|---|---|"]
    for medium, number in sorted(files.items(), key=lambda item: (-item[1], item[0])):
        shares = [
            f"`{code}` {times / number:.1%}"
            for code, times in sorted(counts[medium].items(), key=lambda item: (-item[1], item[0]))
        ]
        lines.append(f"| {medium} | {number:,} | {', '.join(shares) or 'none'} |")
    return "\n".join(lines)


def placed(document: str, measured: str) -> str:
    """The document with the table between its marks."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("warnings.md has no marks for the corpus")
    return f"{before}{BEGIN}\n{measured}\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--nearprint", type=Path, metavar="PROGRAM", required=True)
    parser.add_argument("--report", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    files = read_labels(args.corpus, 0).files
    job = fingerprint_all(args.nearprint, [args.corpus / file.path for file in files], 2)
    made = table((file.medium, codes(row)) for file, row in zip(files, job.rows, strict=True))
    told = subprocess.run([args.nearprint, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    today = datetime.date.today().isoformat()
    measured = f"Measured {today} by `make eval` with {told} on its {len(files):,} files:\n\n{made}"
    if args.report:
        place = args.report / "warnings.md"
        place.write_text(placed(place.read_text("utf-8"), measured), "utf-8")
    else:
        print(measured)


if __name__ == "__main__":
    main()
