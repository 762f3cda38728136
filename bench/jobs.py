"""Deduplication from end to end, nearprint against other programs, in one run: seconds, memory, and what was kept.

    python3 bench/jobs.py [--rows 100000] [--program target/release/nearprint] [--corpus build/eval/corpus]

Speed is measured on a file of JSON lines with known near-duplicates (generate.py), quality on that and on the labelled
corpus of `make eval` where it is there: the text of each file as nearprint extracts it, and labels that nobody's program
made. Each program reads a file and writes the lines it keeps. Every peer has an environment of its own under bench/.peers
and its own defaults at a threshold of 0.7, but for what is stated in PEERS. The record goes to bench/results/ as JSON and as
a table.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import labelled

HERE = pathlib.Path(__file__).resolve().parent
WORK = HERE / ".peers"
CORES = os.cpu_count() or 1

# name: (packages of its environment, script and its arguments, what is run)
PEERS = {
    "text-dedup, MinHash": (
        ["text-dedup==0.4.0"],
        ["text_dedup_peer.py", "minhash"],
        f"minhash, 5-grams, 250 permutations, {CORES} processes",
    ),
    "text-dedup, SimHash": (
        ["text-dedup==0.4.0"],
        ["text_dedup_peer.py", "simhash"],
        f"simhash, 3-grams, 3 bits, {CORES} processes",
    ),
    "datatrove": (
        ["datatrove[processing,io]==0.10.1", "spacy"],
        ["datatrove_peer.py", str(CORES)],
        f"minhash, 5-grams, 14 x 8, {CORES} processes",
    ),
    "rensa": (["rensa==0.5.0", "numpy"], ["rensa_peer.py", "rensa"], "R-MinHash, 3-shingles, 128, 1 core"),
    "rensa + datasketch": (
        ["rensa==0.5.0", "datasketch==2.0.0"],
        ["rensa_peer.py", "datasketch"],
        "MinHash of rensa's hashes, MinHashLSH of datasketch, 3-shingles, 128, 1 core",
    ),
}


def environment(name, packages):
    """An interpreter with these packages, made on first use."""
    folder = WORK / name.split(",")[0].replace(" ", "")
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(pip, check=True)
    return python


def timed(command):
    """Seconds of a command, and the peak memory in MiB of the largest of its processes."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, cwd=WORK)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        if process.returncode != 0:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
            raise RuntimeError(" ".join(last) or f"exit code {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def groups_of(path):
    """Row -> the text it goes back to: of made-up rows the first of them."""
    with path.open(encoding="utf-8") as file:
        rows = (json.loads(line) for line in file)
        return {row["id"]: row["id"] if row["kind"] == "new" else row["kind"] for row in rows}


def quality(groups, kept):
    """Recall and precision of removal, and texts of which nothing is left.

    Of a group of n near-duplicates n - 1 should go, whichever: removing the last is as wrong as removing a text that
    has no near-duplicate.
    """
    sizes, left = {}, {}
    for row, group in groups.items():
        sizes[group] = sizes.get(group, 0) + 1
        left[group] = left.get(group, 0) + (row in kept)
    wanted = sum(size - 1 for size in sizes.values())
    removed = sum(sizes[group] - left[group] for group in sizes)
    right = sum(min(sizes[group] - left[group], sizes[group] - 1) for group in sizes)
    lost = sum(1 for group in sizes if left[group] == 0)
    return {
        "recall": right / wanted if wanted else 1.0,
        "precision": right / removed if removed else 1.0,
        "texts_lost": lost,
        "kept": len(kept),
    }


def kept_ids(path):
    """Ids of the rows a program wrote: a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        return {json.loads(line)["id"] for line in file if line.strip()}


def measured(name, what, command, rows, groups):
    out = WORK / "kept.jsonl"
    out.unlink(missing_ok=True)
    print(name, *command, file=sys.stderr, flush=True)
    try:
        seconds, memory = timed([*map(str, command), str(rows), str(out)])
        row = {"seconds": seconds, "mib": memory, **quality(groups, kept_ids(out))}
    except (RuntimeError, OSError) as error:
        row = {"failed": str(error)}
    return {"name": name, "what": what, **row}


def of_labels(row):
    """What a program did on the labelled corpus, in cells of the table."""
    found = row.get("labelled")
    if found is None or "failed" in found:
        return "– | – | –"
    return f"{found['recall']:.4f} | {found['precision']:.4f} | {found['texts_lost']}"


def table(data):
    """The record as lines of Markdown."""
    ours = data["rows"][0].get("seconds")
    lines = [
        f"# Deduplication from end to end, {data['date']}",
        "",
        f"{data['documents']:,} JSON lines of made-up prose, {data['mb']:.0f} MB, 20 % near-duplicates (generate.py, seed 1); "
        f"{data['machine']}, {CORES} cores. Read, fingerprint, search, write what is kept. {said_of_corpus(data)}",
        "",
        "| program | seconds | MB/s | times as long | GiB, largest process | recall | precision | texts lost | labelled: recall | precision | texts lost |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in data["rows"]:
        if "failed" in row:
            lines.append(f"| {row['name']} ({row['what']}) | failed: {row['failed'][:120]} | | | | | | | | | |")
            continue
        ratio = f"{row['seconds'] / ours:.1f}" if ours else "–"
        lines.append(
            f"| {row['name']} ({row['what']}) | {row['seconds']:.1f} | {data['mb'] / row['seconds']:.1f} | {ratio} "
            f"| {row['mib'] / 1024:.2f} | {row['recall']:.4f} | {row['precision']:.4f} | {row['texts_lost']} | {of_labels(row)} |"
        )
    lines += [
        "",
        "Recall: of the rows that repeat another, the share removed. Precision: of the rows removed, the share that repeat one that is left.",
        "",
        "The text-dedup of PyPI, 0.4.0, is an earlier program than the one whose authors' figures are quoted elsewhere.",
    ]
    return "\n".join(lines) + "\n"


def said_of_corpus(data):
    if data["labelled"] is None:
        return "The labelled corpus was not there (`make eval` builds it)."
    documents, files = data["labelled"]["documents"], data["labelled"]["files"]
    return f"Labelled: the corpus of `make eval`, {files:,} renderings of {documents:,} documents of {labelled.LEAST_WORDS} words and more."


def processor():
    path = pathlib.Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "a processor unknown")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--program", default=str(HERE.parent / "target/release/nearprint"))
    parser.add_argument("--only", nargs="*", default=list(PEERS), help="peers to run")
    parser.add_argument("--corpus", type=pathlib.Path, default=HERE.parent / "build/eval/corpus")
    given = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    source = WORK / f"rows-{given.rows}.jsonl"
    if not source.exists():
        python = environment("generate", ["numpy", "pyarrow"])
        partial = source.with_suffix(".part")
        command = [python, HERE / "generate.py", "lines", partial, "--rows", str(given.rows)]
        subprocess.run(command, check=True)
        partial.rename(source)
    groups = groups_of(source)
    data = {
        "date": f"{datetime.date.today()}",
        "machine": processor(),
        "documents": given.rows,
        "mb": source.stat().st_size / 1e6,
        "labelled": None,
        "rows": [],
    }
    corpus, groups_of_corpus = None, {}
    if (given.corpus / "groups.tsv").exists():
        corpus = WORK / "labelled.jsonl"
        labelled.write(given.program, given.corpus, corpus)
        groups_of_corpus = groups_of(corpus)
        data["labelled"] = {"files": len(groups_of_corpus), "documents": len(set(groups_of_corpus.values()))}

    def measure(name, what, command):
        row = measured(name, what, command, source, groups)
        if corpus is not None:
            row["labelled"] = measured(name, what, command, corpus, groups_of_corpus)
        data["rows"].append(row)

    ours = [sys.executable, HERE / "dedup_peers" / "nearprint_peer.py", pathlib.Path(given.program).resolve()]
    measure("nearprint", f"dedup, as it comes, {CORES} cores", ours)
    for name in given.only:
        packages, (script, *arguments), what = PEERS[name]
        python = environment(name, packages)
        command = [python, HERE / "dedup_peers" / script, *arguments]
        measure(name, what, command)
    path = HERE / "results" / f"{data['date']}-deduplication"
    path.with_suffix(".json").write_text(json.dumps(data, indent=1) + "\n")
    path.with_suffix(".md").write_text(table(data))
    print(table(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
