"""Measures nearprint's search and its peers in one go, and writes a dated record.

    python3 bench/run.py short      within 10 minutes
    python3 bench/run.py full       10^5 to 10^8 prints, an hour or so
    python3 bench/run.py billion    10^9 prints once: 20 GiB of memory, nothing else running

Peers live in bench/.venv, made on first use. Records go to bench/results/: JSON with every figure, a table in
Markdown, a plot. Only the standard library is used here; the plot is drawn inside the peers' environment.
"""

import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
VENV = HERE / ".venv"
PEERS = ["simhash-pybind==0.0.3", "faiss-cpu==1.15.1", "numpy==2.4.6", "matplotlib==3.11.2"]
CORES = os.cpu_count() or 1


def build():
    """Builds the bench program and returns its path."""
    command = ["cargo", "build", "--release", "--message-format=json"]
    lines = subprocess.run(command, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout
    made = [json.loads(line).get("executable") for line in lines.splitlines()]
    return [path for path in made if path][-1]


def environment():
    """Installs the peers and returns their interpreter."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # simhash-pybind is built from source and needs these beside a C++ compiler.
    subprocess.run([*pip, "setuptools", "pybind11"], check=True)
    subprocess.run([*pip, *PEERS], check=True)
    return str(python)


class Record:
    """Rows measured so far; saved after each, so that a later failure loses nothing."""

    def __init__(self, name, ours, python):
        self.ours, self.python = ours, python
        self.path = HERE / "results" / f"{datetime.date.today():%Y-%m-%d}-{name}"
        self.path.parent.mkdir(exist_ok=True)
        self.data = {"name": name, "date": f"{datetime.date.today()}", "machine": machine(), "rows": []}

    def measure(self, program, what, command, timeout=3600):
        print(what, *command, file=sys.stderr, flush=True)
        run = subprocess.run([*program, *command], check=False, capture_output=True, text=True, timeout=timeout)
        if run.returncode != 0:
            print(run.stderr, file=sys.stderr)
            row = {"failed": run.stderr.strip().splitlines()[-1:]}
        else:
            runs = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
            # The best of several: what the machine can do, with the least of what else it did.
            row = min(runs, key=lambda run: run.get("seconds", run.get("batch_us", 0)))
        row |= {"what": what, "command": " ".join(command)}
        self.data["rows"].append(row)
        self.path.with_suffix(".json").write_text(json.dumps(self.data, indent=1) + "\n")
        return row

    def nearprint(self, verb, **options):
        command = [verb, *(f"{key}={value}" for key, value in options.items())]
        return self.measure([self.ours], "nearprint", command)

    def peer(self, verb, **options):
        command = [verb, *(f"{key}={value}" for key, value in options.items())]
        return self.measure([self.python, str(HERE / "peers.py")], verb, command)


def machine():
    """What the figures were measured on, without its name."""
    text = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    models = [line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": CORES,
        "avx512": "avx512_vpopcntdq" in text,
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.release()}",
        "rustc": subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.strip(),
        "load_before": os.getloadavg()[0],
    }


def table(rows):
    """Lines of a Markdown table."""
    head, *body = [[str(cell) for cell in row] for row in rows]
    return [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *("| " + " | ".join(row) + " |" for row in body),
    ]


def figure(number, digits=3):
    return f"{number:.{digits}g}" if number else "–"


def times(slower, row):
    """How many times as long another program took."""
    return figure(slower["seconds"] / row["seconds"]) if slower else "–"


def pairs_against_simhash(record, sizes, repeat):
    rows = [
        [
            "prints",
            "k",
            "1 core, s",
            f"{CORES} cores, s",
            "GiB",
            "simhash-cpp, s",
            "blocks",
            "ratio, 1 core",
            f"ratio, {CORES} cores",
        ]
    ]
    for n, blocks in sizes:
        one = record.nearprint("pairs", n=n, k=3, threads=1, repeat=repeat)
        all_ = record.nearprint("pairs", n=n, k=3, threads=CORES, repeat=repeat)
        best = min(
            (record.peer("simhash", n=n, k=3, blocks=b) for b in blocks),
            key=lambda r: r.get("seconds", 1e9),
            default={},
        )
        if best and best.get("pairs") != one["pairs"]:
            raise SystemExit(f"the pairs differ: {best} {one}")
        rows.append(
            [
                f"{n:.0e}",
                3,
                figure(one["seconds"]),
                figure(all_["seconds"]),
                all_["peak_gib"],
                figure(best.get("seconds", 0)),
                best.get("blocks", "–"),
                times(best, one),
                times(best, all_),
            ]
        )
    return ["## All pairs, k = 3, uniform prints", "", *table(rows), ""]


def pairs_against_k(record, n, ks, repeat):
    rows = [["prints", "k", "kind", f"{CORES} cores, s", "ns a print", "pairs", "GiB"]]
    for k in ks:
        for kind in ("uniform", "skewed"):
            row = record.nearprint("pairs", n=n, k=k, kind=kind, threads=CORES, repeat=repeat)
            rows.append(
                [
                    f"{n:.0e}",
                    k,
                    kind,
                    figure(row["seconds"]),
                    figure(row["seconds"] / n * 1e9),
                    row["pairs"],
                    row["peak_gib"],
                ]
            )
    return ["## All pairs by distance and skew", "", *table(rows), ""]


def growth(record, sizes, repeat):
    rows = [
        [
            "prints",
            f"{CORES} cores, s",
            "ns a print",
            "growth",
            "rayon's sort, s",
            "rdst's sort, s",
            "times the faster sort",
        ]
    ]
    last = None
    for n in sizes:
        row = record.nearprint("pairs", n=n, k=3, threads=CORES, repeat=repeat)
        sorts = record.nearprint("sort", n=n, threads=CORES, repeat=repeat)
        each = row["seconds"] / n * 1e9
        faster = min(sorts["rayon_seconds"], sorts["rdst_seconds"])
        rows.append(
            [
                f"{n:.0e}",
                figure(row["seconds"]),
                figure(each),
                figure(each / last) if last else "–",
                figure(sorts["rayon_seconds"]),
                figure(sorts["rdst_seconds"]),
                figure(row["seconds"] / faster),
            ]
        )
        last = each
    return ["## Growth with the number of prints, k = 3", "", *table(rows), ""]


def queries(record, n, ks, count):
    rows = [
        [
            "prints",
            "k",
            "batch, us",
            "alone p50, us",
            "p99, us",
            "bytes beyond",
            "FAISS MultiHash 2x32, us",
            "ratio",
            "FAISS Flat, us",
        ]
    ]
    for k in ks:
        ours = record.nearprint("queries", n=n, k=k, queries=count, repeat=3)
        hash_ = record.peer("faiss", n=n, k=k, queries=max(count // 100, 100) if k > 3 else 10_000)
        flat = record.peer("flat", n=n, k=k, queries=100)
        ratio = figure(hash_["us"] / ours["batch_us"]) if "us" in hash_ else "–"
        rows.append(
            [
                f"{n:.0e}",
                k,
                figure(ours["batch_us"]),
                figure(ours["alone_p50_us"]),
                figure(ours["alone_p99_us"]),
                ours["bytes_beyond"],
                figure(hash_.get("us", 0)),
                ratio,
                figure(flat.get("us", 0)),
            ]
        )
    return ["## Queries, one core", "", *table(rows), ""]


def billion(record):
    row = record.nearprint("billion", threads=CORES)
    rows = [["prints", "k", "making, s", "grouping, s", "grouping and join, s", "GiB", "pairs"]]
    rows.append(
        [
            f"{row['n']:.0e}",
            row["k"],
            row["making_seconds"],
            row["grouping_seconds"],
            row["seconds"],
            row["peak_gib"],
            row["pairs"],
        ]
    )
    return ["## 10^9 prints, sorted in place", "", *table(rows), ""]


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "short"
    record = Record(name, build(), None if name == "billion" else environment())
    if name == "short":
        parts = [
            pairs_against_simhash(record, [(10**5, [4, 5]), (10**6, [5])], 3),
            pairs_against_k(record, 10**6, [3, 6, 8], 2),
            growth(record, [10**5, 10**6, 10**7], 3),
            queries(record, 10**6, [3, 6], 100_000),
        ]
    elif name == "full":
        parts = [
            pairs_against_simhash(record, [(10**5, [4, 5, 6]), (10**6, [4, 5, 6]), (10**7, [5])], 5),
            pairs_against_k(record, 10**7, [0, 1, 2, 3, 4, 5, 6, 7, 8], 3),
            pairs_against_k(record, 10**6, [10, 12], 1),
            growth(record, [10**5, 10**6, 10**7, 10**8], 3),
            queries(record, 10**7, [3, 6, 8], 100_000),
        ]
    elif name == "billion":
        parts = [billion(record)]
    else:
        raise SystemExit(__doc__)
    lines = [f"# Search, {name} run of {record.data['date']}", ""]
    lines += [f"- {key}: {value}" for key, value in record.data["machine"].items()]
    lines += [
        f"- command: `python3 bench/run.py {name}`",
        '- input: SplitMix64 of seed 1; "skewed" as `bench/src/sets.rs` says',
        "",
    ]
    lines += [line for part in parts for line in part]
    record.path.with_suffix(".md").write_text("\n".join(lines))
    print("\n".join(lines))
    if record.python:
        subprocess.run([record.python, str(HERE / "plot.py"), str(record.path.with_suffix(".json"))], check=True)


if __name__ == "__main__":
    main()
