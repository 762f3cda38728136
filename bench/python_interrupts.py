"""How soon Ctrl-C ends long calls of the Python module: `python python_interrupts.py [JSON [CALL...]]`, in an environment with nearprint's
wheel and numpy.

Each call runs in a process of its own, which gets SIGINT in the middle of it, at several moments. A row has the longest of the times
from the signal to the KeyboardInterrupt, and what the process took of the processors meanwhile, which says more on a busy machine; or
how long the call took where it ended before the signal.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MOMENTS = [0.5, 2.0]

SETUP = """
import sys, time
import nearprint
import numpy as np
folder = sys.argv[1]
random = np.random.default_rng(1)
numbers = lambda count: random.integers(0, 2**63, count, dtype=np.uint64)
words = [f"word{n}" for n in range(5000)]
def text(n, length=200):
    return " ".join(words[i] for i in np.random.default_rng(n).integers(0, 5000, length).tolist())
def prints(count):
    return [(str(at), nearprint.Fingerprint.from_int(int(value))) for at, value in enumerate(numbers(count))]
"""

# What is made before the call, and the call.
CALLS = {
    "fingerprint, one text of 400 MB": (
        "long = 'fog came in at noon ' * 20_000_000",
        "nearprint.fingerprint(long, 'md1')",
    ),
    "fingerprints": ("texts = ['fog came in at noon ' * 5000] * 20_000", "nearprint.fingerprints(texts, 'md1')"),
    "extract, a text of 200 MB": (
        "long = b'fog came in at noon ' * 10_000_000; limits = {'input-bytes': 1 << 30, 'text-bytes': 1 << 30}",
        "nearprint.extract(long, media_type='text/plain', limits=limits)",
    ),
    "read, 200,000 lines of JSON": (
        "import json, pathlib; file = pathlib.Path(folder, 'x.jsonl'); file.write_text(''.join(json.dumps({'id': str(n), "
        "'text': text(n % 3000)}) + chr(10) for n in range(200_000)))",
        "for record in nearprint.read(file): pass",
    ),
    "pairs of 10^7 fingerprints, k=6": ("x = numbers(10_000_000)", "nearprint.pairs(x, k=6)"),
    "clusters of 10^7 fingerprints, k=6": ("x = numbers(10_000_000)", "nearprint.clusters(x, k=6)"),
    "matches of 10^6 in 10^7, k=6": ("x, y = numbers(10_000_000), numbers(1_000_000)", "nearprint.matches(y, x, k=6)"),
    "pairs of texts": ("texts = [text(n % 3000) for n in range(60_000)]", "nearprint.pairs(texts=texts)"),
    "clusters of texts": ("texts = [text(n % 3000) for n in range(60_000)]", "nearprint.clusters(texts=texts)"),
    "dedup of texts": ("texts = [text(n) for n in range(100_000)]", "nearprint.dedup(texts=texts * 8)"),
    "diff": (
        "old = {str(n): text(n) for n in range(60_000)}; new = {k: v + ' fog' for k, v in old.items()}",
        "nearprint.diff(old, new)",
    ),
    "calibrate, a sample of 20,000": (
        "texts = [text(n) for n in range(20_000)]",
        "nearprint.calibrate(texts=texts, sample=20_000)",
    ),
    "correlate, a sample of 5,000, edit": (
        "texts = [text(n) for n in range(5000)]",
        "nearprint.correlate(texts=texts, sample=5000, measure='edit')",
    ),
    "health of 3 x 10^7 fingerprints": ("x = numbers(30_000_000)", "nearprint.health(x)"),
    "compare_texts, 100 MB each": ("a = 'fog came in at noon ' * 5_000_000", "nearprint.compare_texts(a, a + 'x')"),
    "compare_texts, edit, 2 MB each": (
        "a, b = text(1, 300_000), text(2, 300_000)",
        "nearprint.compare_texts(a, b, measure='edit')",
    ),
    "Index.add of texts": (
        "texts = [text(n) for n in range(100_000)]",
        "nearprint.Index.create(folder + '/i', 'sd1').add(texts=texts * 5)",
    ),
    "Index.insert_many of 10^6": (
        "i = nearprint.Index.create(folder + '/i', 'sd1'); p = prints(1_000_000)",
        "i.insert_many(p)",
    ),
    "Index.query_many of 10^6 in 10^6, k=6": (
        "i = nearprint.Index(); p = prints(1_000_000); i.insert_many(p); q = [print for _, print in p]",
        "i.query_many(q, k=6)",
    ),
}
INDEXED = "i = nearprint.Index.create(folder + '/i', 'sd1'); i.insert_many(prints(1_000_000))"
for name, call in {
    "pairs, k=6": "i.pairs(k=6)",
    "clusters, k=6": "i.clusters(k=6)",
    "export": "i.export()",
    "remove_many": "i.remove_many([str(n) for n in range(1_000_000)])",
    "snapshot": "i.snapshot(folder + '/copy')",
}.items():
    CALLS[f"Index.{name}, of 10^6 documents"] = (INDEXED, call)
for name in ("verify", "rebuild", "compact"):
    CALLS[f"Index.{name}, of 10^6 documents"] = (INDEXED + "; i.close()", f"nearprint.Index.{name}(folder + '/i')")

PROGRAM = """
print("begun", flush=True)
start = time.time()
try:
    {call}
    print("ended", time.time() - start, flush=True)
except KeyboardInterrupt:
    print("interrupted", time.time(), time.process_time(), flush=True)
"""


def processor(pid):
    """Seconds of the processors that a process took."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupted(setup, call, moment):
    """Seconds from the signal to the exception, and of the processors; or the time of the call where that ended before."""
    with tempfile.TemporaryDirectory() as folder:
        program = SETUP + setup + PROGRAM.format(call=call)
        running = subprocess.Popen([sys.executable, "-c", program, folder], stdout=subprocess.PIPE, text=True)
        assert running.stdout.readline() == "begun\n"
        time.sleep(moment)
        cpu, sent = processor(running.pid), time.time()
        running.send_signal(signal.SIGINT)
        said, *numbers = running.communicate()[0].split() or ["died"]
        if said != "interrupted":
            return {"ended": float(numbers[0])} if numbers else {"died": moment}
        return {"longest": float(numbers[0]) - sent, "cpu": float(numbers[1]) - cpu}


def main():
    rows = []
    # Further arguments choose calls by the beginnings of their names.
    chosen = tuple(sys.argv[2:])
    for name, (setup, call) in CALLS.items():
        if chosen and not name.startswith(chosen):
            continue
        found = [interrupted(setup, call, moment) for moment in MOMENTS]
        most = {key: max(row[key] for row in found if key in row) for row in found for key in row}
        rows.append({"call": name, **most})
        print(rows[-1], file=sys.stderr, flush=True)
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).write_text(json.dumps(rows, indent=1) + "\n")
    print(
        "| call | longest from signal to exception, s | of the processors, s | it ended by itself in, s |\n|---|---|---|---|"
    )
    for row in rows:
        cells = [f"{row[key]:.2f}" if key in row else "" for key in ("longest", "cpu", "ended")]
        print(f"| {row['call']} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
