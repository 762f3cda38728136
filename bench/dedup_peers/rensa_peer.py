"""rensa_peer.py rensa|datasketch IN OUT: minima by rensa, candidates by its own tables or by datasketch's; the first of those alike is kept."""

import json
import pathlib
import sys

from rensa import RMinHash, RMinHashLSH

PERMUTATIONS = 128
THRESHOLD = 0.7


def shingles(text):
    words = text.split()
    return [" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))]


def signature(text):
    minima = RMinHash(PERMUTATIONS, 42)
    minima.update(shingles(text))
    return minima


def by_rensa(rows):
    tables = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=16)
    held = []
    for row in rows:
        minima = signature(row["text"])
        alike = any(minima.jaccard(held[key]) >= THRESHOLD for key in tables.query(minima))
        if not alike:
            tables.insert(len(held), minima)
            held.append(minima)
            yield row


def by_datasketch(rows):
    import numpy as np
    from datasketch import MinHash, MinHashLSH

    tables = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    for number, row in enumerate(rows):
        values = np.array(signature(row["text"]).digest(), dtype=np.uint64)
        minima = MinHash(num_perm=PERMUTATIONS, hashvalues=values, scheme="legacy")
        if not tables.query(minima):
            tables.insert(str(number), minima)
            yield row


def main():
    way, source, out = sys.argv[1:]
    keep = {"rensa": by_rensa, "datasketch": by_datasketch}[way]
    with pathlib.Path(source).open(encoding="utf-8") as lines, pathlib.Path(out).open("w", encoding="utf-8") as kept:
        for row in keep(json.loads(line) for line in lines):
            kept.write(json.dumps(row) + "\n")


main()
