"""Sections on made sets: joins, queries, growth, beside simhash-cpp, FAISS and sorts."""

from record import CORES, Section, free_gib, power, ratio, value

# Memory a join of 10^9 prints takes, with some to spare, in GiB.
BILLION_GIB = 20.0


def against_simhash(record):
    sizes = {
        "tiny": [(3000, [4], 1)],
        "short": [(10**5, [4, 5], 3), (10**6, [5], 5)],
        "full": [(10**5, [4, 5], 5), (10**6, [4, 5, 6], 9), (10**7, [5], 5)],
    }
    for n, blocks, repeat in sizes[record.form]:
        one = record.nearprint("pairs", n=n, k=3, threads=1, repeat=repeat)
        both = record.nearprint("pairs", n=n, k=3, threads=CORES, repeat=repeat)
        tried = [record.peer("simhash", n=n, k=3, blocks=b, repeat=3 if n <= 10**6 else 1) for b in blocks]
        best = min(tried, key=lambda row: row.get("seconds", float("inf")))
        if "pairs" in best and best["pairs"] != one.get("pairs"):
            raise ValueError(f"the pairs differ: {best} {one}")
        yield [
            power(n),
            value(one, "seconds"),
            value(both, "seconds"),
            value(one, "peak_gib"),
            value(best, "seconds"),
            best.get("blocks"),
            value(best, "peak_gib"),
            ratio(best, one),
            ratio(best, both),
        ]


def by_distance(record):
    sizes = {
        "tiny": [(3000, (0, 3))],
        "short": [(10**6, (3, 6, 8))],
        "full": [(10**7, range(9)), (10**6, (10, 12))],
    }
    for n, ks in sizes[record.form]:
        for k in ks:
            uniform = record.nearprint("pairs", n=n, k=k, kind="uniform", threads=CORES, repeat=3 if k < 7 else 1)
            skewed = record.nearprint("pairs", n=n, k=k, kind="skewed", threads=CORES, repeat=3 if k < 7 else 1)
            yield [
                power(n),
                k,
                value(uniform, "seconds"),
                value(uniform, "pairs"),
                value(uniform, "peak_gib"),
                value(skewed, "seconds"),
                value(skewed, "pairs"),
                value(skewed, "peak_gib"),
                ratio(skewed, uniform),
            ]


def growth(record):
    sizes = {"tiny": [1000, 3000], "short": [10**5, 10**6, 10**7], "full": [10**5, 10**6, 10**7, 10**8]}
    last = None
    for n in sizes[record.form]:
        repeat = 9 if n <= 10**6 else 3
        row = record.nearprint("pairs", n=n, k=3, threads=CORES, repeat=repeat)
        sorts = record.nearprint("sort", n=n, threads=CORES, repeat=repeat)
        each = row["seconds"] / n * 1e9 if "seconds" in row else None
        yield [
            power(n),
            value(row, "seconds"),
            value(row, "grouping_seconds"),
            each,
            each / last if each and last else None,
            value(row, "peak_gib"),
            value(sorts, "rayon_seconds"),
            value(sorts, "rdst_seconds"),
            ratio(row, sorts),
        ]
        last = each
    if record.form == "full":
        yield billion(record, last)


def billion(record, last):
    free = free_gib()
    if free < BILLION_GIB:
        return [power(10**9), f"not run: {free:.1f} GiB of memory are free, it takes {BILLION_GIB}", *[None] * 7]
    row = record.nearprint("billion", threads=CORES)
    # 10^9 prints: the seconds are the ns a print.
    each = row.get("seconds")
    growth = each / last if each and last else None
    seconds, grouping, memory = value(row, "seconds"), value(row, "grouping_seconds"), value(row, "peak_gib")
    return [power(10**9) + ", given away", seconds, grouping, each, growth, memory, None, None, None]


def by_width(record):
    sizes = {"tiny": [3000], "short": [10**6], "full": [10**6, 10**7]}
    for n in sizes[record.form]:
        for bits in (32, 64, 128):
            for kind in ("uniform", "skewed"):
                row = record.nearprint("pairs", n=n, k=3, bits=bits, kind=kind, threads=CORES, repeat=3)
                yield [power(n), bits, kind, value(row, "seconds"), value(row, "pairs"), value(row, "peak_gib")]


def other_joins(record):
    sizes = {"tiny": 3000, "short": 10**6, "full": 10**7}
    n = sizes[record.form]
    two = record.nearprint("between", n=n, k=3, threads=CORES, repeat=3)
    yield [f"two sets of {power(n)}", "uniform", value(two, "seconds"), value(two, "pairs"), value(two, "peak_gib")]
    for kind in ("uniform", "skewed"):
        row = record.nearprint("clusters", n=n, k=3, kind=kind, threads=CORES, repeat=3)
        what = f"clusters of {power(n)}"
        yield [what, kind, value(row, "seconds"), value(row, "clusters"), value(row, "peak_gib")]


# Exact indexes of FAISS for each k: parts, bits of each, bits to flip in each.
HASHES = {3: [(2, 32, 1), (4, 16, 0)], 6: [(2, 32, 3), (3, 21, 2), (4, 16, 1)], 8: [(3, 21, 2), (4, 16, 2)]}


def queries(record):
    n, asked = {"tiny": (3000, 500), "short": (10**6, 100_000), "full": (10**7, 100_000)}[record.form]
    for k in (3, 6, 8) if record.form == "full" else (3, 6):
        ours = record.nearprint("queries", n=n, k=k, queries=asked, repeat=3)
        count = {3: 10_000}.get(k, 500)
        hashes = [record.peer("faiss", n=n, k=k, queries=count, parts=p, bits=b, flips=f) for p, b, f in HASHES[k]]
        flat = record.peer("flat", n=n, k=k, queries=100)
        best = min(hashes, key=lambda row: row.get("us", float("inf")))
        fastest = min(best, flat, key=lambda row: row.get("us", float("inf")))
        batch, us = ours.get("batch_us"), fastest.get("us")
        yield [
            power(n),
            k,
            value(ours, "batch_us"),
            value(ours, "alone_p50_us"),
            value(ours, "alone_p99_us"),
            value(ours, "bytes_beyond"),
            value(ours, "peak_gib"),
            value(best, "us"),
            f"{best['parts']} x {best['bits']}" if "parts" in best else None,
            value(best, "peak_gib"),
            value(flat, "us"),
            us / batch if us and batch else None,
        ]


def against_brute_force(record):
    """Whole joins at k = 8, one core on each side: FAISS asked for each print in turn, from the time of a few."""
    n = {"tiny": 3000, "short": 10**6, "full": 10**7}[record.form]
    ours = record.nearprint("pairs", n=n, k=8, threads=1)
    flat = record.peer("flat", n=n, k=8, queries=100)
    theirs = flat["us"] * n / 1e6 if "us" in flat else None
    yield [
        power(n),
        value(ours, "seconds"),
        value(ours, "peak_gib"),
        value(flat, "us"),
        theirs,
        theirs / ours["seconds"] if theirs and "seconds" in ours else None,
    ]


BOTH = f"{CORES} cores"

SECTIONS = [
    Section(
        "simhash-cpp",
        "All pairs, k = 3, uniform prints, beside simhash-cpp",
        [
            "prints",
            "1 core, s",
            f"{BOTH}, s",
            "GiB",
            "simhash-cpp, 1 core, s",
            "its blocks",
            "GiB",
            "ratio, 1 core",
            f"ratio, {BOTH}",
        ],
        against_simhash,
        "simhash-cpp's algorithm by simhash-pybind's C++ call, at the best of the blocks tried. The call is given a Python set, which takes "
        "at most the time recorded as `conversion_at_most` and is part of its time; its memory holds that set.",
    ),
    Section(
        "growth",
        "Growth with the number of prints, k = 3, and sorts of the same integers",
        [
            "prints",
            f"{BOTH}, s",
            "of it grouping",
            "ns a print",
            "growth",
            "GiB",
            f"rayon's sort, {BOTH}, s",
            f"rdst's sort, {BOTH}, s",
            "times the faster sort",
        ],
        growth,
    ),
    Section(
        "distance",
        f"All pairs by distance and skew, {BOTH}",
        ["prints", "k", "uniform, s", "pairs", "GiB", "skewed, s", "pairs", "GiB", "skewed / uniform"],
        by_distance,
    ),
    Section("width", f"All pairs by width, k = 3, {BOTH}", ["prints", "bits", "kind", "s", "pairs", "GiB"], by_width),
    Section(
        "other-joins", f"Two sets, and clusters, k = 3, {BOTH}", ["work", "kind", "s", "found", "GiB"], other_joins
    ),
    Section(
        "queries",
        "Queries, one core on each side",
        [
            "prints",
            "k",
            "batch, us",
            "alone p50, us",
            "p99, us",
            "bytes beyond",
            "GiB",
            "FAISS MultiHash, us",
            "its parts",
            "GiB",
            "FAISS Flat, us",
            "FAISS at its best / batch",
        ],
        queries,
        "Half the queries are random, half lie near a print of the set. FAISS BinaryMultiHash with parts and flips for which it is exact, at the best of those tried.",
    ),
    Section(
        "brute-force",
        "All pairs, k = 8, one core, beside FAISS by brute force",
        ["prints", "1 core, s", "GiB", "FAISS Flat, us a query", "of all prints, s", "ratio"],
        against_brute_force,
        "FAISS's time for all prints is that of 100 queries, multiplied.",
    ),
]
