"""What the Python module adds to the library: `python python_overhead.py NEARPRINT-BENCH [JSON]`, in an environment with nearprint's
wheel, numpy and pyarrow.

An Arrow column of 1 GB is fingerprinted and 10^7 fingerprints of NumPy are joined, each beside nearprint-bench doing the same
without Python: it holds all fingerprints at the end too. Both take turns, once to begin with and REPEAT times measured, so that what
else the machine does falls on both. The ratio is the median of those of the turns; that of processor time says more on a busy machine.
"""

import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import nearprint
import numpy as np
import peers
import pyarrow as pa
from python_peers import corpus

REPEAT = 7
BYTES = 1_000_000_000
COUNT = 10_000_000
CORES = os.cpu_count() or 1


def of_library(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def of_python(work):
    start, cpu = time.perf_counter(), time.process_time()
    found = work()
    return {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}, found


def taking_turns(what, library, python):
    """Medians of both, and of their ratios turn by turn."""
    turns = []
    for turn in range(-1, REPEAT):
        one, other = (library(), python()) if turn % 2 else (python(), library())[::-1]
        # Before the first turn the system has fewer large pages ready.
        turns += [(one, other)] if turn >= 0 else []
        print(what, *(f"{row['seconds']:.2f} s ({row['cpu']:.2f} of CPU)" for row in (one, other)), file=sys.stderr)
    row = {"what": what}
    for key in ("seconds", "cpu"):
        row[f"library {key}"] = statistics.median(one[key] for one, _ in turns)
        row[f"python {key}"] = statistics.median(other[key] for _, other in turns)
        row[f"ratio of {key}"] = statistics.median(other[key] / one[key] for one, other in turns)
    return row


def texts(program, scheme, folder):
    lines = corpus()[0]
    size = sum(map(len, lines))
    file = pathlib.Path(folder) / "texts"
    times = -(-BYTES // size)
    column = pa.chunked_array([pa.array(lines, pa.large_string())] * times)
    # What both read lies in memory as often as it is read.
    file.write_text("\n".join(lines * times))
    wanted = nearprint.fingerprints(column.slice(0, len(lines)), scheme).to_pylist()

    def python():
        row, made = of_python(lambda: nearprint.fingerprints(column, scheme, threads=1))
        assert len(made) == len(column) and made[:1000].to_pylist() == wanted[:1000]
        return row

    library = lambda: of_library(program, "text", f"file={file}", f"scheme={scheme}", "keep=1")  # noqa: E731
    what = f"an Arrow column of {times * size / 1e9:.2f} GB ({times * len(lines):,} texts), {scheme}, 1 thread"
    return taking_turns(what, library, python)


def join(program):
    array = peers.prints(COUNT)
    assert array.dtype == np.uint64
    expected = of_library(program, "pairs", f"n={COUNT}", "k=3", f"threads={CORES}")["pairs"]

    def python():
        row, found = of_python(lambda: nearprint.pairs(array, k=3, threads=CORES))
        assert len(found) == expected, (len(found), expected)
        return row

    library = lambda: of_library(program, "pairs", f"n={COUNT}", "k=3", f"threads={CORES}")  # noqa: E731
    what = f"{COUNT:,} fingerprints of a NumPy array joined, k=3 ({expected:,} pairs), {CORES} threads"
    return taking_turns(what, library, python)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        rows = [texts(program, "sd1", folder), texts(program, "md1", folder), join(program)]
    if len(sys.argv) > 2:
        made = {"machine": platform.processor(), "cores": CORES, "version": nearprint.__version__, "rows": rows}
        pathlib.Path(sys.argv[2]).write_text(json.dumps(made, indent=1) + "\n")
    print("| what | library, s | CPU, s | Python, s | CPU, s | ratio | of CPU |\n|---|---|---|---|---|---|---|")
    for row in rows:
        cells = [row[f"{who} {key}"] for who in ("library", "python") for key in ("seconds", "cpu")]
        ratios = [row[f"ratio of {key}"] for key in ("seconds", "cpu")]
        print(
            f"| {row['what']} | "
            + " | ".join([*(f"{cell:.2f}" for cell in cells), *(f"{r:.3f}" for r in ratios)])
            + " |"
        )


if __name__ == "__main__":
    main()
