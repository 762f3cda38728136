"""The Python module beside other packages of Python, job by job: `python3 python_peers.py WHEEL [JSON]`, where PEERS can be installed.

One table of Markdown on stdout: medians of REPEAT runs, each in a process of its own. The rows of a job take turns, so that what else
the machine does falls on all of them; processor time, that of child processes included, says more on a busy machine. What is compared
is in docs/migrating. text-dedup is a program that reads and writes files: its rows are measured with these.
"""

from __future__ import annotations

import json
import os
import pathlib
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

# Packages by the environment that they are installed into: two are imported by one name, and one is a program with its own.
PEERS = {
    "most": ["datasketch==2.0.0", "rensa==0.5.0", "simhash-pybind==0.0.3", "numpy", "pyarrow"],
    "simhash": ["simhash==2.1.2"],
    "text-dedup": ["text-dedup==0.4.0"],
}
ENVIRONMENTS = pathlib.Path(__file__).resolve().parent / ".peers"
DOCUMENTS = 20_000
HASHES = 1_000_000
# Texts of which those of an index are the first.
INDEXED = 5_000
REPEAT = 3
SHARE = 0.2
THRESHOLD = 0.7


def corpus():
    """Texts of 60 to 240 words, and for each the number of the one that it repeats, or its own."""
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9))) for _ in range(30_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    texts, groups = [], []
    for number in range(DOCUMENTS):
        if number and rng.random() < SHARE:
            of = rng.randrange(number)
            text = texts[of].split()
            for _ in range(max(1, len(text) * rng.randint(1, 5) // 100)):
                text[rng.randrange(len(text))] = rng.choice(words)
            texts.append(" ".join(text))
            groups.append(groups[of])
        else:
            texts.append(" ".join(rng.choices(words, weights, k=rng.randint(60, 240))))
            groups.append(number)
    return texts, groups


def quality(groups, kept):
    """Recall: of the texts that repeat another the share dropped. Lost: groups of which nothing is kept."""
    wanted = len(groups) - len(set(groups))
    left = {groups[at] for at in kept}
    dropped = len(groups) - len(kept)
    lost = len(set(groups)) - len(left)
    return {"recall": (dropped - lost) / wanted, "wrongly dropped": lost}


def shingles(text):
    words = text.split()
    return [" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))]


# Fingerprints of a corpus.


def nearprint_sketches(texts):
    import nearprint

    return len(nearprint.fingerprints(texts, "md1"))


def nearprint_simhashes(texts):
    import nearprint

    return len(nearprint.fingerprints(texts, "sd1"))


def datasketch_minhash(texts):
    from datasketch import MinHash

    return len(MinHash.bulk([[shingle.encode() for shingle in shingles(text)] for text in texts], num_perm=128))


def rensa_minhash(texts):
    from rensa import RMinHash

    made = []
    for text in texts:
        sketch = RMinHash(128, 42)
        sketch.update(shingles(text))
        made.append(sketch)
    return len(made)


def pybind_compute(texts):
    import simhash

    return len([simhash.compute([simhash.unsigned_hash(one.encode()) for one in shingles(text)]) for text in texts])


def compat_compute(texts):
    from nearprint.compat import simhash

    return len([simhash.compute([simhash.unsigned_hash(one.encode()) for one in shingles(text)]) for text in texts])


# The first of each group of near-duplicates.


def nearprint_dedup(texts):
    import nearprint

    decisions = nearprint.dedup(texts=texts, threshold=THRESHOLD)["decision"]
    return [at for at, decision in enumerate(decisions) if decision == "keep"]


def datasketch_lsh(texts):
    from datasketch import MinHash, MinHashLSH

    tables, kept = MinHashLSH(threshold=THRESHOLD, num_perm=128), []
    sketches = MinHash.bulk([[shingle.encode() for shingle in shingles(text)] for text in texts], num_perm=128)
    held = {}
    for at, sketch in enumerate(sketches):
        if not any(sketch.jaccard(held[key]) >= THRESHOLD for key in tables.query(sketch)):
            tables.insert(at, sketch)
            held[at] = sketch
            kept.append(at)
    return kept


def rensa_lsh(texts):
    from rensa import RMinHash, RMinHashLSH

    tables, kept, held = RMinHashLSH(threshold=THRESHOLD, num_perm=128, num_bands=16), [], {}
    for at, text in enumerate(texts):
        sketch = RMinHash(128, 42)
        sketch.update(shingles(text))
        if not any(sketch.jaccard(held[key]) >= THRESHOLD for key in tables.query(sketch)):
            tables.insert(at, sketch)
            held[at] = sketch
            kept.append(at)
    return kept


def text_dedup(texts, method):
    """The program of that package, with its defaults."""
    peer = pathlib.Path(__file__).resolve().parent / "dedup_peers" / "text_dedup_peer.py"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = (json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(texts))
        (folder / "in.jsonl").write_text("".join(rows))
        command = [sys.executable, peer, method, folder / "in.jsonl", folder / "out.jsonl"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return [int(json.loads(line)["id"]) for line in (folder / "out.jsonl").read_text().splitlines()]


def text_dedup_minhash(texts):
    return text_dedup(texts, "minhash")


def text_dedup_simhash(texts):
    return text_dedup(texts, "simhash")


# The fingerprints of an index that is asked for each text before it is added.


def simhash_index(texts):
    from simhash import Simhash, SimhashIndex

    index, found = SimhashIndex([], k=3), 0
    for at, text in enumerate(texts[:INDEXED]):
        made = Simhash(text)
        found += bool(index.get_near_dups(made))
        index.add(str(at), made)
    return found


def nearprint_index(texts):
    import nearprint

    index, found = nearprint.Index(), 0
    for at, text in enumerate(texts[:INDEXED]):
        made = nearprint.fingerprint(text)
        found += bool(index.query(made, k=3))
        index.insert(str(at), made)
    return found


# All pairs of hashes within 3 bits.


def hashes():
    """Hashes of which a tenth lie within some bits of another."""
    rng = random.Random(2)
    made = [rng.getrandbits(64) for _ in range(HASHES * 9 // 10)]
    made += [made[rng.randrange(len(made))] ^ (1 << rng.randrange(64)) for _ in range(HASHES - len(made))]
    return list(dict.fromkeys(made))


def pybind_find_all(made):
    import simhash

    return len(simhash.find_all(set(made), 6, 3))


def compat_find_all(made):
    from nearprint.compat import simhash

    return len(simhash.find_all(set(made), 6, 3))


def nearprint_pairs(made):
    import nearprint
    import numpy as np

    return len(nearprint.pairs(np.array(made, dtype=np.uint64), k=3))


JOBS = {
    "fingerprints": [
        ("nearprint, md1, all cores", nearprint_sketches),
        ("rensa, RMinHash of 128, 3 words", rensa_minhash),
        ("datasketch, MinHash of 128, 3 words", datasketch_minhash),
        ("nearprint, sd1, all cores", nearprint_simhashes),
        ("simhash-pybind, MD5 of 3 words", pybind_compute),
        ("nearprint.compat.simhash, the same", compat_compute),
    ],
    "deduplication": [
        ("nearprint.dedup, texts compared", nearprint_dedup),
        ("rensa, its tables", rensa_lsh),
        ("datasketch, MinHashLSH", datasketch_lsh),
        ("text-dedup, its MinHash, from file to file", text_dedup_minhash),
        ("text-dedup, its SimHash, from file to file", text_dedup_simhash),
    ],
    "an index of 5,000 texts": [
        ("nearprint.Index, k=3", nearprint_index),
        ("simhash, SimhashIndex, k=3", simhash_index),
    ],
    "pairs of hashes": [
        ("nearprint.pairs of a NumPy array", nearprint_pairs),
        ("nearprint.compat.simhash.find_all", compat_find_all),
        ("simhash-pybind, find_all(hashes, 6, 3)", pybind_find_all),
    ],
}


OTHER_ENVIRONMENTS = {simhash_index: "simhash", text_dedup_minhash: "text-dedup", text_dedup_simhash: "text-dedup"}


def processor():
    """Seconds of the processor that this process and its children took."""
    taken = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in taken)


def one(job, name, file):
    """Runs one row of one job in this process, and prints what came of it."""
    run = dict(JOBS[job])[name]
    texts, groups = (hashes(), None) if job == "pairs of hashes" else json.loads(pathlib.Path(file).read_text())
    start, cpu = time.perf_counter(), processor()
    found = run(texts)
    row = {"seconds": time.perf_counter() - start, "cpu": processor() - cpu}
    row |= quality(groups, found) if isinstance(found, list) else {"found": found}
    print(json.dumps(row))


def interpreters(wheel):
    """An interpreter for each environment, with the packages and the wheel."""
    made = {}
    for name, packages in PEERS.items():
        folder = ENVIRONMENTS / f"python-{name}"
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        made[name] = folder / "bin" / "python"
        pip = [made[name], "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *packages], check=True)
        subprocess.run([*pip, "--force-reinstall", "--no-deps", wheel], check=True)
    return made


def measured(wheel, file):
    found, rows = interpreters(wheel), []
    pathlib.Path(file).write_text(json.dumps(corpus()))
    for job, peers in JOBS.items():
        runs, failed = {name: [] for name, _ in peers}, {}
        for _ in range(REPEAT):
            for name, run in peers:
                if name in failed:
                    continue
                python = found[OTHER_ENVIRONMENTS.get(run, "most")]
                command = [python, __file__, "one", job, name, file]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    failed[name] = " ".join(done.stderr.strip().splitlines()[-1:])
                else:
                    runs[name].append(json.loads(done.stdout))
                print(job, name, done.stdout.strip() or failed, file=sys.stderr, flush=True)
        for name, _ in peers:
            if name in failed:
                rows.append({"job": job, "name": name, "failed": failed[name]})
                continue
            medians = {key: statistics.median(run[key] for run in runs[name]) for key in ("seconds", "cpu")}
            rows.append({"job": job, "name": name, **runs[name][0], **medians})
    return rows


def main():
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
        return
    with tempfile.NamedTemporaryFile() as file:
        rows = measured(sys.argv[1], file.name)
    if len(sys.argv) > 2:
        made = {"machine": platform.processor(), "cores": os.cpu_count(), "rows": rows}
        pathlib.Path(sys.argv[2]).write_text(json.dumps(made, indent=1) + "\n")
    print("| job | package | seconds | of the processor | times as many | found |\n|---|---|---|---|---|---|")
    for job in JOBS:
        of_job = [row for row in rows if row["job"] == job]
        least = next((row["cpu"] for row in of_job if "cpu" in row), 1)
        for row in of_job:
            if "failed" in row:
                print(f"| {job} | {row['name']} | failed: {row['failed']} | | | |")
                continue
            found = (
                f"recall {row['recall']:.4f}, {row['wrongly dropped']} lost" if "recall" in row else f"{row['found']:,}"
            )
            cells = f"{row['seconds']:.2f} | {row['cpu']:.2f} | {row['cpu'] / least:.1f}"
            print(f"| {job} | {row['name']} | {cells} | {found} |")


if __name__ == "__main__":
    main()
