"""Draws a record's times against the number of prints and against k: `python plot.py RECORD.json`."""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "nearprint"
import matplotlib.pyplot as plt  # noqa: E402, the backend has to be chosen before

path = pathlib.Path(sys.argv[1])
record = json.loads(path.read_text())
cores = record["machine"]["cores"]


def rows(what, verb):
    for row in record["rows"]:
        words = row["command"].split()
        if row["what"] == what and words[0] == verb and "failed" not in row:
            yield row | dict(
                word.split("=")
                for word in words[1:]
                if word.count("=") == 1 and word.split("=")[0] in ("threads", "kind")
            )


def least(points):
    """The least time for each place, in order."""
    best = {}
    for at, seconds in points:
        best[at] = min(seconds, best.get(at, seconds))
    return zip(*sorted(best.items()), strict=True) if best else ([], [])


ours = [row for row in rows("nearprint", "pairs") if row.get("kind", "uniform") == "uniform"]
if not ours:
    sys.exit(0)  # of sections named by hand, none joined anything

figure, (by_count, by_k) = plt.subplots(1, 2, figsize=(11, 4.5))
for threads in sorted({row["threads"] for row in ours}, key=int):
    points = [(row["n"], row["seconds"]) for row in ours if row["k"] == 3 and row["threads"] == threads]
    by_count.plot(*least(points), marker="o", label=f"nearprint, threads: {threads}")
# Rows on files of real prints have no `n`: they are in the report only.
theirs = [(row["n"], row["seconds"]) for row in rows("simhash", "simhash") if "n" in row]
by_count.plot(*least(theirs), marker="s", label="simhash-cpp")
by_count.plot(
    *least([(r["n"], r["rayon_seconds"]) for r in rows("nearprint", "sort")]),
    linestyle=":",
    label=f"rayon's sort, threads: {cores}",
)
by_count.set(xscale="log", yscale="log", xlabel="prints", ylabel="seconds", title="all pairs, k = 3")
for kind in ("uniform", "skewed"):
    some = [
        row for row in rows("nearprint", "pairs") if row.get("kind", "uniform") == kind and row["threads"] == str(cores)
    ]
    for n in sorted({row["n"] for row in some}):
        points = [(row["k"], row["seconds"]) for row in some if row["n"] == n]
        if len({k for k, _ in points}) > 1:
            by_k.plot(*least(points), marker="o", linestyle="-" if kind == "uniform" else "--", label=f"{n:.0e} {kind}")
by_k.set(yscale="log", xlabel="k, bits", ylabel="seconds", title=f"all pairs, threads: {cores}")
for axes in (by_count, by_k):
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
figure.suptitle(f"{record['machine']['processor']}, {record['date']}")
figure.tight_layout()
figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
