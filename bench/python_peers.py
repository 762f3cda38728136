"""The Python module beside other packages of Python, job by job: `python python_peers.py [JSON]` in an environment with nearprint's
wheel and PEERS. One table of Markdown on stdout: medians of REPEAT runs, each in a process of its own.

What is compared is in docs/migrating. text-dedup reads and writes files: jobs.py has its row.
"""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time

PEERS = ["datasketch==2.0.0", "rensa==0.5.0", "simhash-pybind==0.0.3", "numpy", "pyarrow"]
DOCUMENTS = 20_000
HASHES = 1_000_000
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
    ],
    "pairs of hashes": [
        ("nearprint.pairs of a NumPy array", nearprint_pairs),
        ("nearprint.compat.simhash.find_all", compat_find_all),
        ("simhash-pybind, find_all(hashes, 6, 3)", pybind_find_all),
    ],
}


def one(job, name):
    """Runs one row of one job in this process, and prints what came of it."""
    run = dict(JOBS[job])[name]
    texts, groups = (hashes(), None) if job == "pairs of hashes" else corpus()
    start = time.perf_counter()
    found = run(texts)
    row = {"seconds": time.perf_counter() - start}
    row |= quality(groups, found) if isinstance(found, list) else {"found": found}
    print(json.dumps(row))


def measured():
    rows = []
    for job, peers in JOBS.items():
        for name, _ in peers:
            runs = []
            for _ in range(REPEAT):
                done = subprocess.run(
                    [sys.executable, __file__, "one", job, name], capture_output=True, text=True, check=False
                )
                if done.returncode:
                    rows.append({"job": job, "name": name, "failed": done.stderr.strip().splitlines()[-1:]})
                    break
                runs.append(json.loads(done.stdout))
            else:
                rows.append(
                    {"job": job, "name": name, **runs[0], "seconds": statistics.median(r["seconds"] for r in runs)}
                )
            print(rows[-1], file=sys.stderr, flush=True)
    return rows


def main():
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
        return
    rows = measured()
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as out:  # noqa: PTH123
            json.dump({"machine": platform.processor(), "cores": os.cpu_count(), "rows": rows}, out, indent=1)
    print("| job | package | seconds | times as long | found |\n|---|---|---|---|---|")
    for job in JOBS:
        of_job = [row for row in rows if row["job"] == job]
        least = next((row["seconds"] for row in of_job if "seconds" in row), 1)
        for row in of_job:
            if "failed" in row:
                print(f"| {job} | {row['name']} | failed: {row['failed']} | | |")
                continue
            found = (
                f"recall {row['recall']:.4f}, {row['wrongly dropped']} lost" if "recall" in row else f"{row['found']:,}"
            )
            print(f"| {job} | {row['name']} | {row['seconds']:.2f} | {row['seconds'] / least:.1f} | {found} |")


if __name__ == "__main__":
    main()
