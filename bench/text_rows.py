"""From text in memory to prints, beside ClickHouse's functions and rensa; one core on each side."""

import real_rows
from record import Section, ratio, value


def text(record):
    file = real_rows.folder(record) / "english.txt"
    if not file.stat().st_size:
        raise ValueError("no English text could be had: see bench/passages.py")
    for scheme, peers in (("sd1", ["chdb"]), ("sl1", []), ("md1", ["rensa"]), ("wd1", [])):
        ours = record.nearprint("text", file=file, scheme=scheme, repeat=5)
        theirs = [record.peer(peer, file=file) for peer in peers] or [{}]
        yield [
            scheme,
            value(ours, "mb_s"),
            value(ours, "peak_gib"),
            " ".join(peers) or None,
            value(theirs[0], "mb_s"),
            value(theirs[0], "peak_gib"),
            ratio(ours, theirs[0], "mb_s") if theirs[0] else None,
        ]


SECTIONS = [
    Section(
        "text",
        "English text in memory to prints, one core",
        ["scheme", "MB/s", "GiB", "peer", "its MB/s", "GiB", "ratio"],
        text,
        "Real documentation in pieces of 600 words. chdb: ClickHouse's wordShingleSimHash(s, 1) over a table in memory, one thread; rensa: RMinHash of 128 over shingles of 3 words, "
        "its words cut by Python's split.",
    )
]
