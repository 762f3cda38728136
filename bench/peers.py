"""The peers, each measured alone: `python peers.py PEER key=value ...`, one JSON object on stdout.

simhash  simhash-pybind's C++ call (simhash-cpp's algorithm): all pairs, one thread
faiss    an exact FAISS index (BinaryMultiHash, two halves of 32 bits): queries, one thread
flat     FAISS BinaryFlat, brute force: queries, one thread
"""

import json
import sys
import time

import numpy as np


def prints(count, seed=1):
    """The uniform set that nearprint-bench makes of the same seed (SplitMix64)."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def simhash(n, k, blocks):
    import simhash as peer

    hashes = set(prints(n).tolist())
    # The call turns the Python set into a C++ one first; with one block and distance 0 it does that and one
    # sort, which bounds what the conversion takes.
    start = time.perf_counter()
    peer.c_find_all(hashes, 1, 0)
    overhead = time.perf_counter() - start
    start = time.perf_counter()
    found = peer.c_find_all(hashes, blocks, k)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "conversion_at_most": overhead, "pairs": len(found), "blocks": blocks}


def queries(set_, count):
    """Half random, half two bits from a print of the set."""
    asked = prints(count, seed=99)
    at = np.arange(count, dtype=np.uint64)
    near = set_[asked % np.uint64(len(set_))]
    near = near ^ (np.uint64(1) << (asked >> np.uint64(58))) ^ (np.uint64(1) << (at % np.uint64(64)))
    return np.where(at % np.uint64(2) == 0, asked, near)


def as_bytes(words):
    return np.ascontiguousarray(words.astype("<u8")).view(np.uint8).reshape(-1, 8)


def search(index, n, k, count):
    import faiss

    faiss.omp_set_num_threads(1)
    set_ = prints(n)
    start = time.perf_counter()
    index.add(as_bytes(set_))
    built = time.perf_counter() - start
    asked = as_bytes(queries(set_, count))
    start = time.perf_counter()
    # FAISS gives what is nearer than the radius.
    limits, _, _ = index.range_search(asked, k + 1)
    seconds = time.perf_counter() - start
    return {"build_seconds": built, "us": seconds * 1e6 / count, "matches": int(limits[-1])}


def faiss(n, k, queries):
    import faiss as peer

    index = peer.IndexBinaryMultiHash(64, 2, 32)
    # Two halves: one of them differs in at most k/2 bits, so that this is exact.
    index.nflip = k // 2
    return search(index, n, k, queries)


def flat(n, k, queries):
    import faiss as peer

    return search(peer.IndexBinaryFlat(64), n, k, queries)


if __name__ == "__main__":
    verb, *options = sys.argv[1:]
    options = {key: int(value) for key, value in (option.split("=") for option in options)}
    result = {"simhash": simhash, "faiss": faiss, "flat": flat}[verb](**options)
    print(json.dumps(options | result))
