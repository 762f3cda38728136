"""What reading documents in workers costs, by medium and size: `isolation.py PROGRAM [--runs 5]`.

Documents of invented words, 32 MiB of each size, are fingerprinted by one thread in the command itself and in a worker,
in turns. Processor time of the command and its workers is compared, the least of the runs: other work on the machine
makes it longer, never shorter. Prints a table of both and of their difference.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

TOTAL = 32 << 20
SIZES = {"4 KiB": 4 << 10, "64 KiB": 64 << 10, "1 MiB": 1 << 20, "4 MiB": 4 << 20, "16 MiB": 16 << 20}


def words(size: int, seed: int) -> str:
    """Sentences of so many bytes, about."""
    rng = random.Random(seed)
    known = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randrange(2, 11))) for _ in range(5000)]
    # One sentence after the other from some thousand of them: made once, so that making takes less time than reading.
    sentences = [" ".join(rng.choices(known, k=14)).capitalize() + "." for _ in range(min(4000, size // 90 + 2))]
    length = sum(map(len, sentences)) + len(sentences)
    return "\n".join(rng.choices(sentences, k=len(sentences) * size // length + 1))[:size]


def lines(text: str, before: str, after: str, begin: str = "", end: str = "") -> str:
    return begin + "".join(f"{before}{line}{after}\n" for line in text.split("\n")) + end


MEDIA: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "html": lambda text: lines(text, '<p class="x"><b>A</b> ', "</p>", "<!doctype html><title>x</title><body>"),
    "xml": lambda text: lines(text, "<p><b>A</b> ", "</p>", "<?xml version='1.0'?><a>", "</a>"),
    "markdown": lambda text: lines(text, "A *b* [c](d) ", "\n", "# Title\n\n"),
    "latex": lambda text: lines(
        text, "\\emph{A} ", "\n", "\\documentclass{a}\n\\begin{document}\n", "\\end{document}\n"
    ),
    "mail": lambda text: "From: a@example.org\nTo: b@example.org\nSubject: A letter\nMIME-Version: 1.0\n\n" + text,
}


def took(program: Path, folder: Path, isolation: str) -> float:
    """Seconds of the processor, of the command and its workers."""
    command = [program, "fingerprint", "-qq", "--threads", "1", "--read", f"isolate={isolation}", folder]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"status {child.returncode}: {command}")
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    print("| medium | size | in the command (s) | in a worker (s) | cost |")
    print("|---|---|---|---|---|")
    for medium, made in MEDIA.items():
        for name, size in SIZES.items():
            with tempfile.TemporaryDirectory() as directory:
                folder = Path(directory)
                distinct = [made(words(size, seed)).encode() for seed in range(3)]
                for number in range(max(2, TOTAL // size)):
                    (folder / f"{number}.txt").write_bytes(distinct[number % len(distinct)])
                here, there = [], []
                for _ in range(given.runs):
                    here.append(took(given.program, folder, "never"))
                    there.append(took(given.program, folder, "everything"))
            cost = min(there) / min(here) - 1
            print(f"| {medium} | {name} | {min(here):.2f} | {min(there):.2f} | {100 * cost:+.1f} % |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
