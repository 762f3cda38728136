"""Whether every plan, instruction set, number of threads and bound finds the same pairs, and simhash-cpp too."""

import tempfile

from record import CORES, Section, power, value


def agreement(record):
    for kind, n, k in [("skewed", 10**6, 3), ("skewed", 10**6, 6), ("skewed", 10**7, 3), ("weak", 2 * 10**5, 3)]:
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/prints.bin"
            record.nearprint("write", kind=kind, n=n, out=file, threads=CORES)
            ours = record.nearprint("agreement", file=file, k=k, threads=CORES, timeout=1800)
            if "failed" in ours:
                raise ValueError(f"{kind}, {n}, k = {k}: {ours['failed']}")
            theirs = record.peer("simhash", file=file, k=k, blocks=k + 2, timeout=1200)
        if not ours["pairs"]:
            raise ValueError("no pairs, which all ways agree on")
        same = (ours["pairs"], ours["digest"]) == (theirs.get("pairs"), theirs.get("digest"))
        # One that ran and found others ends the run; one that could not be run is said to have failed.
        if "failed" not in theirs and not same:
            raise ValueError(f"simhash-cpp found {theirs['pairs']} pairs, not {ours['pairs']}")
        ways = len(ours["all_runs"])
        yield [power(n), kind, k, ways, ours["pairs"], ours["digest"], value(theirs, "digest")]


SECTIONS = [
    Section(
        "agreement",
        "The same pairs of distinct prints in every way",
        ["prints", "kind", "k", "ways that agree", "pairs", "their digest", "simhash-cpp's digest"],
        agreement,
        "Ways: plans (auto, draft, multi-index, blocks; up to 10^6 prints brute force), instruction sets, threads (1, 2, 3, 7), bounds of memory, spilled to files.",
    )
]
