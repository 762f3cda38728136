"""Cutting what a collection repeats, nearprint beside exact peers: processor time, memory, temporary disk, what is cut.

    python3 bench/passage_peers.py texts FOLDER MEGABYTES
    python3 bench/passage_peers.py nearprint FOLDER MEGABYTES [OPTION...]
    python3 bench/passage_peers.py suffixes|text-dedup|sentences|lines FOLDER MEGABYTES
    python3 bench/passage_peers.py compare FOLDER MEGABYTES

FOLDER gets `texts-MEGABYTES.jsonl`, what each program writes, and a line for each run in `runs.jsonl`. The variables
NEARPRINT, SUFFIXES, TEXT_DEDUP and DATATROVE name nearprint, a checkout of google-research's deduplicate-text-datasets
that was built (`cargo build --release`), and the interpreters that have the two packages.
"""

import ctypes
import functools
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import time

from passage_texts import texts
from watch import Watch

TOOLS = {
    name: os.environ.get(name.upper(), value)
    for name, value in [
        ("nearprint", "target/release/nearprint"),
        ("suffixes", "build/deduplicate-text-datasets"),
        ("text_dedup", "python3"),
        ("datatrove", "python3"),
    ]
}
CORES = os.cpu_count() or 1
TOKENS = 50


def rows(path):
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def threshold(source):
    """The median of the bytes of 50 tokens, in the first 20,000 texts."""
    sizes = []
    for row, _ in zip(rows(source), range(20_000), strict=False):
        spans = [match.span() for match in re.finditer(r"\w+", row["text"])]
        for at in range(0, len(spans) - TOKENS, TOKENS):
            sizes.append(len(row["text"][spans[at][0] : spans[at + TOKENS - 1][1]].encode()))
    return sorted(sizes)[len(sizes) // 2]


def measured(folder, what, megabytes, command, **variables):
    """Runs a command in a temporary folder; what it and all of its processes took is a line of runs.jsonl."""
    temporary = folder / "tmp"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # processes whose parent ends become ours, so that their time is counted
    watch, load = Watch(temporary), os.getloadavg()[0]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = os.environ | {"TMPDIR": str(temporary)} | variables
    process = subprocess.Popen([str(part) for part in command], env=environment, stdout=subprocess.PIPE, text=True)
    watch.start()
    said = process.communicate()[0]
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.ended.set()
    watch.join()
    row = {
        "what": what,
        "megabytes": megabytes,
        "exit": process.returncode,
        "cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "seconds": round(seconds, 1),
        "memory_mb": watch.memory // 1_000_000,
        "temporary_mb": watch.disk // 1_000_000,
        "load": [load, os.getloadavg()[0]],
        "said": said[-2000:],
    }
    with (folder / "runs.jsonl").open("a") as out:
        out.write(json.dumps(row) + "\n")
    print(json.dumps(row, indent=1))
    shutil.rmtree(temporary)


def suffixes(source, out):
    """The five steps of deduplicate-text-datasets, with texts and separators as its load_dataset.py writes them."""
    tool = pathlib.Path(TOOLS["suffixes"]).resolve() / "target/release/dedup_dataset"
    folder = pathlib.Path(os.environ["TMPDIR"])
    length, start, ends, took = threshold(source), 0, [], {}
    os.chdir(folder)
    with pathlib.Path("text").open("wb") as data:
        for number, row in enumerate(rows(source)):
            text = row["text"].encode()
            data.write(b"\xff\xff" + number.to_bytes(4, "little") + text)
            ends.append((start + 6, start := start + 6 + len(text)))

    def step(name, *commands):
        before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        for at in range(0, len(commands), CORES):
            running = [subprocess.Popen([tool, *map(str, c)], stdout=output) for c in commands[at : at + CORES]]
            if any(process.wait() for process in running):
                raise SystemExit(f"{name} failed")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        took[name] = [round(cpu, 1), round(time.monotonic() - clock, 1)]

    # As make_suffix_array.py has it, but with as many parts at once as there are processors.
    jobs = 96 if start > 1e9 else 4
    parts = [(at * (start // jobs), min((at + 1) * (start // jobs) + 100_000, start)) for at in range(jobs)]
    with pathlib.Path("ranges").open("w+") as output:
        step(
            "make-part", *(["make-part", "--data-file=text", f"--start-byte={a}", f"--end-byte={b}"] for a, b in parts)
        )
        pathlib.Path("tmp").mkdir()
        names = [part for a, b in parts for part in ("--suffix-path", f"text.part.{a}-{b}")]
        step("merge", ["merge", "--output-file", "tmp/out", *names, "--num-threads", CORES])
        with pathlib.Path("text.table.bin").open("wb") as table:
            for path in sorted(pathlib.Path("tmp").glob("out.table.bin.*")):
                with path.open("rb") as data:
                    shutil.copyfileobj(data, table, 1 << 24)
                path.unlink()
        common = ["--data-file=text", f"--length-threshold={length}", "--cache-dir=cache"]
        step("self-similar", ["self-similar", *common, "--num-threads", CORES])
        output.truncate(output.seek(0))
        step("collect", ["collect", *common])
        output.seek(0)
        lines = [line.split() for line in output.read().partition("out\n")[2].splitlines()]
    ranges = [(int(a), int(b)) for a, b in lines]
    with out.open("w", encoding="utf-8") as kept, out.with_suffix(".ranges").open("w") as places:
        at = 0
        for row, (first, last) in zip(rows(source), ends, strict=True):
            text, cut, begin = row["text"].encode(), [], 0
            while at < len(ranges) and ranges[at][1] <= first:
                at += 1
            here = at
            while here < len(ranges) and ranges[here][0] < last:
                a, b = max(0, ranges[here][0] - first), min(last, ranges[here][1]) - first
                places.write(f"{row['id']} {a} {b}\n")
                cut.append(text[begin:a])
                begin, here = b, here + 1
            row["text"] = b"".join([*cut, text[begin:]]).decode(errors="ignore")
            kept.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(json.dumps({"length": length, "cpu, seconds": took}))


def text_dedup(source, out):
    """Its command, in a copy of the checkout that has a `cargo` which only runs what was built."""
    checkout = pathlib.Path(TOOLS["suffixes"]).resolve()
    folder = pathlib.Path(os.environ["TMPDIR"])
    for name in ("google/target/debug", "google/scripts", "bin"):
        (folder / name).mkdir(parents=True)
    shutil.copy(checkout / "scripts/make_suffix_array.py", folder / "google/scripts")
    (folder / "google/target/debug/dedup_dataset").symlink_to(checkout / "target/release/dedup_dataset")
    (folder / "bin/cargo").write_text('#!/bin/sh\nshift\nexec ./target/debug/dedup_dataset "$@"\n')
    (folder / "bin/cargo").chmod(0o755)
    config = f"""[input]\ninput_type = "local_files"\nfile_type = "json"
[input.read_arguments]\npath = "json"\ndata_files = "{source}"\nsplit = "train"\ncache_dir = "cache"
[algorithm]\nalgorithm_name = "suffix_array"\ntext_column = "text"\nlength_threshold = {threshold(source)}
google_repo_path = "google"\n[output]\noutput_dir = "out"\n[debug]\nenable_profiling = false\n"""
    (folder / "config.toml").write_text(config)
    python = shutil.which(TOOLS["text_dedup"]) or TOOLS["text_dedup"]
    path = f"{folder / 'bin'}:{pathlib.Path(python).parent}:{os.environ['PATH']}"
    command = [python, "-m", "text_dedup.suffix_array"]
    subprocess.run(command, cwd=folder, env=os.environ | {"PATH": path}, stdout=sys.stderr, check=True)
    write = "import datasets, sys; datasets.load_from_disk(sys.argv[1]).to_json(sys.argv[2])"
    subprocess.run([python, "-c", write, folder / "out", out], check=True)


def sentences(source, out, split_sentences=True):
    """datatrove's: spans of three sentences, or lines, that are there before; texts that become short are kept."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import (
        SentDedupConfig,
        SentenceDedupFilter,
        SentenceDedupSignature,
        SentenceFindDedups,
    )
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter

    folder = pathlib.Path(os.environ["TMPDIR"])
    (folder / "in").mkdir()
    with source.open("rb") as lines:
        files = [(folder / "in" / f"{part}.jsonl").open("wb") for part in range(CORES)]
        for number, line in enumerate(lines):
            files[number % CORES].write(line)
        for file in files:
            file.close()
    reader = JsonlReader(str(folder / "in"))
    config = SentDedupConfig(split_sentences=split_sentences, min_doc_words=0, min_num_sentences=0)
    found, repeats = str(folder / "found"), str(folder / "repeats")
    writer = JsonlWriter(str(out.parent), output_filename=f"{out.stem}-${{rank}}.jsonl", compression=None)
    for tasks, pipeline in [
        (CORES, [reader, SentenceDedupSignature(output_folder=found, config=config)]),
        (1, [SentenceFindDedups(data_folder=found, output_folder=repeats, config=config)]),
        (CORES, [reader, SentenceDedupFilter(data_folder=repeats, config=config), writer]),
    ]:
        log = str(folder / "logs" / type(pipeline[-1]).__name__)
        LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=tasks, logging_dir=log).run()


def compare(folder, megabytes):
    """What nearprint finds with all places and what the suffix array finds, in bytes; some stretches of one alone."""
    ours, theirs, text, other, chance = {}, {}, {}, 0, random.Random(1)
    length = threshold(folder / f"texts-{megabytes}.jsonl")
    for row in rows(folder / f"texts-{megabytes}.jsonl"):
        text[row["id"]] = row["text"].encode()
    for row in rows(folder / f"nearprint-all-{megabytes}.rows"):
        span = row["start_byte"], row["end_byte"]
        if text[row["id"]][slice(*span)] == row["text"].encode():
            ours.setdefault(row["id"], []).append(span)
        else:
            other += span[1] - span[0]
    for line in (folder / f"suffixes-{megabytes}.ranges").read_text().splitlines():
        name, *span = line.split()
        theirs.setdefault(name, []).append(tuple(map(int, span)))
    total, left = sum(map(len, text.values())), {}
    for path in folder.glob(f"*-{megabytes}*.jsonl"):  # datatrove writes a file for each process
        size = sum(len(row["text"].encode()) for row in rows(path))
        left[path.name.split(f"-{megabytes}")[0]] = left.get(path.name.split(f"-{megabytes}")[0], 0) + size
    print(json.dumps({"bytes": total, "nearprint, at other places": other}))
    print(json.dumps({f"{name} removes": round(1 - size / total, 4) for name, size in left.items() if name != "texts"}))
    for title, found, others in [("nearprint", ours, theirs), ("suffixes", theirs, ours)]:
        both = beside = alone = 0
        samples = []
        for name, spans in found.items():
            for a, b in spans:
                common = sum(max(0, min(b, d) - max(a, c)) for c, d in others.get(name, []))
                both += common
                beside += b - a - common if common else 0
                if not common:
                    alone += b - a
                    samples.append((name, a, b))
        print(
            json.dumps(
                {"found by": title, "both": both, "ends": beside, "alone": alone, "stretches alone": len(samples)}
            )
        )
        few = sum(len(re.findall(r"\w+", text[name][a:b].decode(errors="replace"))) < TOKENS for name, a, b in samples)
        short = sum(b - a < length for _, a, b in samples)
        print(json.dumps({"alone, of fewer than 50 words": few, "alone, of too few bytes": short}))
        for name, a, b in chance.sample(samples, min(10, len(samples))):
            part = text[name][a:b].decode(errors="replace")
            print(json.dumps([name, a, b, len(re.findall(r"\w+", part)), part[:400]], ensure_ascii=False))


def main():
    what, folder, megabytes, *options = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    source, out = folder / f"texts-{megabytes}.jsonl", folder / f"{what}-{megabytes}.jsonl"
    lines = functools.partial(sentences, split_sentences=False)
    inside = {"suffixes": suffixes, "text-dedup": text_dedup, "sentences": sentences, "lines": lines}
    if what == "texts":
        texts(TOOLS["nearprint"], folder, int(megabytes))
    elif what == "compare":
        compare(folder, megabytes)
    elif what == "nearprint":
        out = folder / f"nearprint-all-{megabytes}.jsonl" if "all-places" in options else out
        found = ["--output", out.with_suffix(".rows"), "--json", "--force", *options]
        command = [TOOLS["nearprint"], "passages", "dedup", "--write", out, *found, source]
        measured(folder, " ".join([what, *options]), megabytes, command)
    elif "INSIDE" in os.environ:
        inside[what](source, out)
    else:
        python = TOOLS["datatrove"] if what in ("sentences", "lines") else sys.executable
        measured(folder, what, megabytes, [python, __file__, what, folder, megabytes], INSIDE="1")


if __name__ == "__main__":
    main()
