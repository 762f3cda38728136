"""Sections on prints of real passages: joins beside uniform prints, queries beside FAISS."""

import json
import shutil

import passages
from record import CORES, HERE, Section, ratio, value

# Made on first use and kept: some GB.
FOLDER = HERE / ".passages"
COUNT = {"tiny": 500, "short": 100_000, "full": 1_000_000}
SCHEMES = ("sd1", "sl1")


def folder(record):
    """The folder with this form's passages, made if need be."""
    count = COUNT[record.form]
    place = record.path.parent / "passages" if record.form == "tiny" else FOLDER / str(count)
    if not (place / "passages.txt").exists():
        made = passages.make(place, count, downloads=record.form != "tiny")
        if made < count:
            print(f"only {made} passages were found")
    return place


def prints(record):
    """The passages' prints by each scheme: name, options for the bench program, their number."""
    place = folder(record)
    for scheme in SCHEMES:
        out = place / scheme
        made = record.nearprint("prints", passages=place / "passages.txt", scheme=scheme, out=out, threads=CORES)
        if "failed" in made:
            raise ValueError(made["failed"])
        yield scheme, out, made


def joins(record):
    for scheme, out, made in prints(record):
        n = made["n"]
        for k in (3,) if record.form == "tiny" else (0, 3, 6):
            real = record.nearprint("pairs", file=f"{out}.bin", scheme=scheme, k=k, threads=CORES, repeat=5)
            uniform = record.nearprint("pairs", n=n, k=k, threads=CORES, repeat=5)
            theirs = {"failed": "k = 3 only"}
            if k == 3:
                theirs = record.peer("simhash", file=f"{out}.bin", k=k, blocks=5, timeout=120)
            distinct = (real["pairs"] - real["equal_pairs"]) if "pairs" in real else None
            yield [
                scheme,
                n,
                k,
                value(real, "seconds"),
                value(real, "pairs"),
                value(real, "equal_pairs"),
                distinct,
                value(real, "peak_gib"),
                value(uniform, "seconds"),
                ratio(real, uniform),
                theirs.get("seconds"),
                ratio(theirs, real),
            ]


def queries(record):
    place = folder(record)
    for scheme in SCHEMES:
        for k in (3,) if record.form == "tiny" else (3, 6):
            file = f"{place / scheme}.bin"
            ours = record.nearprint("queries", file=file, scheme=scheme, k=k, queries=10_000, repeat=3)
            parts, bits, flips = (2, 32, 1) if k == 3 else (3, 21, 2)
            theirs = record.peer("faiss", file=file, k=k, queries=500, parts=parts, bits=bits, flips=flips, timeout=120)
            batch, us = ours.get("batch_us"), theirs.get("us")
            yield [
                scheme,
                ours.get("n"),
                k,
                value(ours, "batch_us"),
                value(ours, "alone_p50_us"),
                value(ours, "alone_p99_us"),
                ours["matches"] / ours["queries"] if "matches" in ours else None,
                value(ours, "peak_gib"),
                value(theirs, "us"),
                us / batch if us and batch else None,
            ]


def sources(record):
    """What the passages are of, and what is left of the disk after making them."""
    place = folder(record)
    for source in json.loads((place / "sources.json").read_text()):
        yield [source["source"], source["passages"]]
    yield ["free on this disk, GiB", shutil.disk_usage(place).free / 2**30]


BOTH = f"{CORES} cores"
WHAT = "Windows of 100 to 200 words of documentation (`bench/passages.py`)."

SECTIONS = [
    Section("passages", "Real passages, by source", ["source", "passages"], sources, WHAT),
    Section(
        "real-joins",
        "All pairs of prints of real passages",
        [
            "scheme",
            "prints",
            "k",
            f"{BOTH}, s",
            "pairs",
            "of equal prints",
            "of unlike ones",
            "GiB",
            "uniform prints, s",
            "real / uniform",
            "simhash-cpp (5 blocks), 1 core, s",
            "ratio",
        ],
        joins,
        "Pairs are counted, not written; simhash-cpp's time is for the distinct prints, and holds its list of pairs.",
    ),
    Section(
        "real-queries",
        "Queries among prints of real passages, one core on each side",
        [
            "scheme",
            "prints",
            "k",
            "batch, us",
            "alone p50, us",
            "p99, us",
            "matches a query",
            "GiB",
            "FAISS MultiHash, us",
            "ratio",
        ],
        queries,
    ),
]
