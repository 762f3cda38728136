"""The peers, each measured alone: `python peers.py PEER key=value ...`, one JSON object on stdout.

simhash  simhash-pybind's C++ call (simhash-cpp's algorithm): all pairs, one thread
faiss    FAISS BinaryMultiHash, parts of some bits with some flips in each: queries, one thread
flat     FAISS BinaryFlat, brute force: queries, one thread
chdb     ClickHouse's wordShingleSimHash(s, 1) over a table in memory, one thread
rensa    rensa's RMinHash of 128 over shingles of three words, one thread
"""

import json
import resource
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


def given(n=None, file=None):
    """Prints of a file of little-endian words, or the made ones."""
    return prints(n) if file is None else np.fromfile(file, dtype="<u8")


def digest(pairs):
    """What the pairs come to, in any order; src/agreement.rs has the same."""
    if not pairs:
        return f"{0:016x}"
    pairs = np.array(pairs, dtype=np.uint64)
    least, most = pairs.min(axis=1), pairs.max(axis=1)
    with np.errstate(over="ignore"):
        z = least * np.uint64(0x9E3779B97F4A7C15) + most
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return f"{int((z ^ (z >> np.uint64(31))).sum(dtype=np.uint64)):016x}"


def simhash(k, blocks, repeat=1, **which):
    import simhash as peer

    hashes = set(given(**which).tolist())
    # The call turns the Python set into a C++ one first; with one block and distance 0 it does that and one
    # sort, which bounds what the conversion takes.
    start = time.perf_counter()
    peer.c_find_all(hashes, 1, 0)
    overhead = time.perf_counter() - start
    for _ in range(repeat):
        start, cpu = time.perf_counter(), time.process_time()
        found = peer.c_find_all(hashes, blocks, k)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        row = {"seconds": seconds, "cpu": cpu, "conversion_at_most": overhead, "pairs": len(found), "blocks": blocks}
        yield row | {"digest": digest(list(found))}


def queries(set_, count):
    """Half random, half two bits from a print of the set."""
    asked = prints(count, seed=99)
    at = np.arange(count, dtype=np.uint64)
    near = set_[asked % np.uint64(len(set_))]
    near = near ^ (np.uint64(1) << (asked >> np.uint64(58))) ^ (np.uint64(1) << (at % np.uint64(64)))
    return np.where(at % np.uint64(2) == 0, asked, near)


def as_bytes(words):
    return np.ascontiguousarray(words.astype("<u8")).view(np.uint8).reshape(-1, 8)


def search(index, count, k, **which):
    import faiss

    faiss.omp_set_num_threads(1)
    set_ = given(**which)
    start = time.perf_counter()
    index.add(as_bytes(set_))
    built = time.perf_counter() - start
    asked = as_bytes(queries(set_, count))
    start = time.perf_counter()
    # FAISS gives what is nearer than the radius.
    limits, _, _ = index.range_search(asked, k + 1)
    seconds = time.perf_counter() - start
    yield {"build_seconds": built, "us": seconds * 1e6 / count, "seconds": seconds, "matches": int(limits[-1])}


def faiss(k, queries, parts, bits, flips, **which):
    import faiss as peer

    index = peer.IndexBinaryMultiHash(64, parts, bits)
    # Exact: of `parts` parts one differs in at most k/parts bits.
    assert flips >= k // parts, "this would not be exact"
    index.nflip = flips
    return search(index, queries, k, **which)


def flat(k, queries, **which):
    import faiss as peer

    return search(peer.IndexBinaryFlat(64), queries, k, **which)


def chdb(file):
    from chdb.session import Session

    session = Session()
    session.query("SET max_threads = 1")
    session.query("CREATE DATABASE bench ENGINE = Atomic")
    session.query("CREATE TABLE bench.texts (s String) ENGINE = Memory")
    session.query(f"INSERT INTO bench.texts SELECT line FROM file('{file}', 'LineAsString', 'line String')")
    size = int(str(session.query("SELECT sum(length(s)) FROM bench.texts")))
    for _ in range(3):
        start, cpu = time.perf_counter(), time.process_time()
        session.query("SELECT max(wordShingleSimHash(s, 1)) FROM bench.texts SETTINGS max_threads = 1")
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        yield {"seconds": seconds, "cpu": cpu, "mb_s": size / 1e6 / seconds, "bytes": size}


def rensa(file):
    from rensa import RMinHash

    with open(file, encoding="utf-8") as opened:  # noqa: PTH123
        texts = opened.read().splitlines()[:4000]
    size = sum(len(text.encode()) for text in texts)
    for _ in range(3):
        start, cpu = time.perf_counter(), time.process_time()
        for text in texts:
            words = text.split()
            minima = RMinHash(128, 42)
            minima.update([" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))])
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        yield {"seconds": seconds, "cpu": cpu, "mb_s": size / 1e6 / seconds, "bytes": size}


def option(text):
    """A value that is a number where it looks like one."""
    return int(text) if text.isdecimal() else text


def main():
    verb, *options = sys.argv[1:]
    options = {key: option(value) for key, value in (text.split("=", 1) for text in options)}
    peers = {"simhash": simhash, "faiss": faiss, "flat": flat, "chdb": chdb, "rensa": rensa}
    for row in peers[verb](**options):
        # ru_maxrss is in KiB on Linux.
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(json.dumps(options | row | {"peak_gib": round(memory, 3)}), flush=True)


if __name__ == "__main__":
    main()
