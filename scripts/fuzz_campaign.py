"""Fuzzes all targets in turns, and sums what was done: `fuzz_campaign.py [--hours 2] [TARGET...]`.

A run takes two hours at the most and continues where the last one ended: the target that has had least time is next.
What each target has had (processor time, runs, edges, inputs, finds) is kept in build/fuzz/campaign.json; `--record
FILE` writes it as a page. `--coverage` measures which lines of each parser the inputs reach, with the tools of LLVM of the version
that rustc has (Debian 12: `apt-get install llvm-22`), and `--hostile N` adds N generated files of `eval/hostile.py` to
the inputs. `--minimise` puts the smallest inputs that reach most of a target into its seeds.

Inputs that fail are put into fuzz/regressions, where `make test` replays them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FUZZ, KEPT = ROOT / "fuzz", ROOT / "build/fuzz"
STATE = KEPT / "campaign.json"
LONGEST = 16384  # bytes of an input
MOST_HOURS = 2.0
# The targets that read generated files of a medium; those of other media are detected.
READERS = {
    "text/html": "html",
    "application/xhtml+xml": "xhtml",
    "application/xml": "xml",
    "application/x-latex": "latex",
    "application/rtf": "rtf",
    "text/troff": "roff",
    "text/markdown": "markdown",
    "text/x-rst": "restructured",
    "text/asciidoc": "asciidoc",
    "text/x-info": "info",
    "text/x-texinfo": "texinfo",
    "text/x-wiki": "mediawiki",
    "application/x-bibtex": "bibtex",
    "application/x-research-info-systems": "ris",
    "message/rfc822": "mail",
    "mail": "mail",
    "archive": "warc",
    "lines": "json_lines",
}
SEED_BYTES, SEEDS = 1024, 24  # of an input that becomes a seed, and how many of them for a target


def targets() -> list[str]:
    """All targets."""
    return sorted(path.stem for path in (FUZZ / "fuzz_targets").glob("*.rs"))


def host() -> str:
    said = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^host: (.*)$", said, re.MULTILINE)[1]


def built() -> Path:
    """Where `scripts/fuzz.sh` puts its executables."""
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "fuzz"
    return folder / host() / "release"


def state() -> dict[str, dict[str, object]]:
    return json.loads(STATE.read_text("utf-8")) if STATE.exists() else {}


def processor_seconds() -> float:
    """What the programs that this one has run had of the processors: the machine may do other work."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def number(text: str, pattern: str) -> int:
    """The last number that a pattern finds; 0 for none."""
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def turn(target: str, seconds: int, had: dict[str, object]) -> dict[str, object]:
    """One turn of a target; what it has had since it was first run."""
    corpus, finds = KEPT / target, FUZZ / "regressions" / target
    corpus.mkdir(parents=True, exist_ok=True)
    finds.mkdir(parents=True, exist_ok=True)
    before = set(finds.iterdir())
    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=20", "-rss_limit_mb=2048"]
    options += ["-print_final_stats=1", f"-artifact_prefix={finds}/"]
    dictionary = KEPT / "dictionaries" / f"{target}.dict"
    options += [f"-dict={dictionary}"] if dictionary.exists() else []
    began = processor_seconds()
    run = subprocess.run(
        [built() / target, corpus, FUZZ / "seeds" / target, *options],
        check=False,
        cwd=FUZZ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    took = processor_seconds() - began
    found = sorted(str(path.relative_to(FUZZ)) for path in set(finds.iterdir()) - before)
    if run.returncode and not found:
        print(run.stderr[-3000:], file=sys.stderr)
    if not any(finds.iterdir()):
        finds.rmdir()
    return {
        "seconds": had.get("seconds", 0) + took,
        "runs": had.get("runs", 0) + number(run.stderr, r"number_of_executed_units: (\d+)"),
        "edges": max(had.get("edges", 0), number(run.stderr, r"cov: (\d+)")),
        "features": max(had.get("features", 0), number(run.stderr, r"ft: (\d+)")),
        "inputs": sum(1 for _ in corpus.iterdir()),
        "finds": [*had.get("finds", []), *found],
    }


def campaign(chosen: list[str], hours: float, seconds: int) -> int:
    """Runs until the time is over; how many inputs failed."""
    subprocess.run([ROOT / "scripts/fuzz.sh", "0", *chosen], check=True)
    ends, finds = time.monotonic() + hours * 3600, 0
    while time.monotonic() < ends:
        done = state()
        target = min(chosen, key=lambda name: done.get(name, {}).get("seconds", 0))
        had = done.get(target, {})
        left = max(1, min(seconds, int(ends - time.monotonic())))
        done[target] = turn(target, left, had)
        new = done[target]["finds"][len(had.get("finds", [])) :]
        finds += len(new)
        for found in new:
            print(f"found: fuzz/{found}", file=sys.stderr, flush=True)
        STATE.write_text(json.dumps(done, indent=1) + "\n", "utf-8")
    return finds


def tool(name: str) -> str:
    """A tool of LLVM of the version that rustc has."""
    said = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"^LLVM version: (\d+)", said, re.MULTILINE)[1]
    found = shutil.which(f"{name}-{version}")
    if not found:
        raise SystemExit(f"{name}-{version} is not installed: apt-get install llvm-{version}")
    return found


def parser_of(path: str) -> str:
    """The parser that a source file is part of; nothing for what is none."""
    found = re.search(r"crates/nearprint-(extract|records|tables|pdf)/src/([a-z_]+)", path)
    if found:
        return f"nearprint-{found[1]}" + (f"/{found[2]}" if found[1] == "extract" else "")
    outside = re.search(r"/(hayro-[a-z]+|parquet|arrow-ipc|skrifa|ruzstd|lzma-rust2)-\d[^/]*/src/", path)
    return outside[1] if outside else ""


def hostile(folder: Path, count: int) -> None:
    """Generated hostile files, each in the folder of the target that reads its medium."""
    sys.path.insert(0, str(ROOT / "eval"))
    import hostile_files

    for number in range(count):
        name, data = hostile_files.generated(1, number)
        path = folder / READERS.get(name.partition(",")[0], "extract") / str(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def coverage(count: int) -> dict[str, tuple[int, int]]:
    """Lines reached and all lines of each parser, by the seeds, all inputs that were kept, and so many hostile files."""
    environment = os.environ | {"RUSTFLAGS": "-Cinstrument-coverage --cfg fuzzing"}
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "fuzz-coverage"
    build = ["cargo", "build", "--release", "--quiet", "--bin", "replay", "--target", host(), "--target-dir", folder]
    subprocess.run(build, cwd=FUZZ, env=environment, check=True)
    replay = folder / host() / "release/replay"
    with tempfile.TemporaryDirectory() as directory:
        profile, made = Path(directory) / "all.profdata", Path(directory) / "hostile"
        hostile(made, count)
        for target in targets():
            inputs = [path for path in (KEPT / target, FUZZ / "seeds" / target, made / target) if path.is_dir()]
            named = environment | {"LLVM_PROFILE_FILE": f"{directory}/{target}.profraw"}
            # Nothing is written of what fails: that is in fuzz/regressions.
            subprocess.run([replay, target, *inputs], env=named, check=True, stderr=subprocess.DEVNULL)
        raw = sorted(Path(directory).glob("*.profraw"))
        subprocess.run([tool("llvm-profdata"), "merge", "--sparse", *raw, "-o", profile], check=True)
        export = [tool("llvm-cov"), "export", "--summary-only", f"--instr-profile={profile}", replay]
        summary = json.loads(subprocess.run(export, capture_output=True, check=True).stdout)
    lines: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for file in summary["data"][0]["files"]:
        parser = parser_of(file["filename"])
        if parser:
            lines[parser][0] += file["summary"]["lines"]["covered"]
            lines[parser][1] += file["summary"]["lines"]["count"]
    return {parser: (covered, count) for parser, (covered, count) in sorted(lines.items())}


def minimise(target: str) -> int:
    """Adds the inputs that reach most, each time the one that adds most, to the seeds; how many."""
    with tempfile.TemporaryDirectory() as directory:
        control = Path(directory) / "control"
        out = Path(directory) / "out"
        out.mkdir()
        seeds = FUZZ / "seeds" / target
        options = ["-merge=1", "-use_counters=0", f"-max_len={SEED_BYTES}", f"-merge_control_file={control}"]
        command = [built() / target, *options, out, seeds, KEPT / target]
        run = subprocess.run(command, check=False, cwd=FUZZ, capture_output=True)
        if run.returncode:
            raise SystemExit(run.stderr.decode(errors="replace")[-3000:])
        lines = control.read_text("utf-8").splitlines()
    count = int(lines[0])
    files, reached = [Path(line) for line in lines[2 : 2 + count]], {}
    for line in lines[2 + count :]:
        words = line.split()
        if words[0] == "COV":
            reached[int(words[1])] = set(words[2:])
    known = set().union(*(edges for at, edges in reached.items() if files[at].parent == seeds))
    added = 0
    while added < SEEDS and reached:
        at = max(reached, key=lambda one: (len(reached[one] - known), -files[one].stat().st_size))
        if len(reached[at] - known) < 3:
            break
        known |= reached.pop(at)
        shutil.copy(files[at], seeds / f"reached-{added:02}")
        added += 1
    return added


def page(done: dict[str, dict[str, object]], lines: dict[str, tuple[int, int]]) -> str:
    """What was done, as Markdown."""
    out = []
    if done:
        out = ["| target | minutes | runs | edges | inputs kept | finds |", "|---|---|---|---|---|---|"]
    for target, had in sorted(done.items()):
        row = (
            f"{had['seconds'] / 60:.1f}",
            f"{had['runs']:,}",
            f"{had['edges']:,}",
            f"{had['inputs']:,}",
            f"{len(had['finds'])}",
        )
        out.append(f"| {target} | {' | '.join(row)} |")
    hours = sum(had["seconds"] for had in done.values()) / 3600
    runs = sum(had["runs"] for had in done.values())
    if done:
        out += ["", f"{hours:.2f} hours of the processor in all, {runs:,} runs."]
    if lines:
        out += [""] * bool(out) + ["| parser | lines reached | of |", "|---|---|---|"]
        out += [
            f"| {name} | {covered:,} ({100 * covered / max(1, count):.0f} %) | {count:,} |"
            for name, (covered, count) in lines.items()
        ]
    return "\n".join(out) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", help="all of them if none is named")
    parser.add_argument("--hours", type=float, default=MOST_HOURS)
    parser.add_argument("--turn", type=int, default=60, help="seconds of a target's turn")
    parser.add_argument("--record", type=Path, help="writes a page of what was done in all runs")
    parser.add_argument("--coverage", action="store_true", help="measures the lines reached, and fuzzes nothing")
    parser.add_argument(
        "--hostile", type=int, default=0, help="measures the lines that so many generated files reach, too"
    )
    parser.add_argument("--minimise", action="store_true", help="adds to the seeds, and fuzzes nothing")
    given = parser.parse_args()
    chosen = given.targets or targets()
    unknown = set(chosen) - set(targets())
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    finds, lines = 0, {}
    if given.minimise:
        for target in chosen:
            print(f"{target}: {minimise(target)} seeds")
    elif given.coverage:
        lines = coverage(given.hostile)
    else:
        finds = campaign(chosen, min(given.hours, MOST_HOURS), given.turn)
    text = page(state(), lines)
    print(text, end="")
    if given.record:
        given.record.write_text(text, "utf-8")
    return int(finds > 0)


if __name__ == "__main__":
    sys.exit(main())
