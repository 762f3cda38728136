"""Measures nearprint beside its peers in one go, and writes a dated record.

    python3 bench/run.py full [SECTION...]    every section, within 35 minutes on two quiet cores
    python3 bench/run.py short [SECTION...]   within 10 minutes, smaller sets
    python3 bench/run.py tiny                 seconds, without peers: whether this itself works
    python3 bench/run.py agreement            whether every way to join 10^7 prints finds the same pairs
    python3 bench/run.py report [RECORD]      writes a record's report again, and the goals in docs/SEARCH.md
    python3 bench/run.py check                whether these are as the records say
    python3 bench/run.py list                 names of the sections

It runs unattended. A peer that cannot be installed, fails or takes too long leaves a row that says so; a section
that fails ends alone; an interrupted run (Ctrl-C, SIGTERM) has written what it measured. Peers live in bench/.venv,
made on first use. Records go to bench/results/: JSON with every figure, a report in Markdown, a plot. The index there
(README.md) lists those that are kept.
Only the standard library is used here; the plot is drawn inside the peers' environment.
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile

import agreement_rows
import build_rows
import container_rows
import extraction_rows
import real_rows
import report
import search_rows
import text_rows
from record import HERE, Record

# Every section once, in the order of the report. A new one is a `Section` (record.py) in this list.
SECTIONS = [
    *search_rows.SECTIONS,
    *real_rows.SECTIONS,
    *text_rows.SECTIONS,
    *extraction_rows.SECTIONS,
    *container_rows.SECTIONS,
    *build_rows.SECTIONS,
]

RESULTS = HERE / "results"
VENV = HERE / ".venv"
PEERS = [
    "numpy==2.4.6",
    "simhash-pybind==0.0.3",
    "faiss-cpu==1.15.1",
    "chdb==4.4.0",
    "rensa==0.5.0",
    "matplotlib==3.11.2",
]


def build(folder, name, *options):
    """Builds a program and returns its path."""
    command = ["cargo", "build", "--message-format=json", *options]
    lines = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
    made = [row for row in map(json.loads, lines.splitlines()) if row.get("executable") and not row["profile"]["test"]]
    return next(row["executable"] for row in made if row["target"]["name"] == name)


def build_bench(form):
    """Builds the program that measures what runs in its memory."""
    return build(HERE, "nearprint-bench", *([] if form == "tiny" else ["--release"]))


def build_command(form):
    """Builds the command as it is released; in the tiny form with the options of `make test`, which has just built it."""
    options = (
        ["--workspace", "--all-targets", "--all-features"]
        if form == "tiny"
        else ["--profile", "dist", "--package", "nearprint-cli"]
    )
    return build(HERE.parent, "nearprint", *options)


def environment():
    """Installs the peers, each by itself, and returns their interpreter; None where there can be none."""
    python = VENV / "bin" / "python"
    if not python.exists() and subprocess.run([sys.executable, "-m", "venv", VENV], check=False).returncode:
        print("no environment for the peers could be made: they are left out", file=sys.stderr)
        return None
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # simhash-pybind is built from source and needs these beside a C++ compiler.
    for package in ["setuptools pybind11", *PEERS]:
        if subprocess.run([*pip, *package.split()], check=False).returncode:
            print(f"{package} could not be installed: its rows will say so", file=sys.stderr)
    return str(python)


def measure(form, names, results=RESULTS):
    """A whole run; returns the record."""
    chosen = agreement_rows.SECTIONS if form == "agreement" else SECTIONS
    unknown = set(names) - {section.name for section in chosen}
    if unknown:
        raise SystemExit(f"no section {', '.join(sorted(unknown))}: see python3 bench/run.py list")
    chosen = [section for section in chosen if not names or section.name in names]
    record = Record(form, build_bench(form), None if form == "tiny" else environment(), pathlib.Path())
    if any(section in extraction_rows.OF_THE_COMMAND for section in chosen):
        record.command = build_command(form)
    record.path = results / "-".join([record.data["date"], form, *names])
    if names:
        record.data["only"] = names

    def interrupted(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupted)
    try:
        for section in chosen:
            record.run(section)
    except KeyboardInterrupt:
        record.data["unfinished"] = "interrupted"
        record.save()
    write(record.data, record.path, record.peers)
    return record


def write(data, path, peers):
    """A record's report and plot; of a full run also the goals in docs/SEARCH.md."""
    path.with_suffix(".md").write_text(report.markdown(data))
    print(report.markdown(data))
    if data["form"] == "full" and "only" not in data:
        report.update_document(data, path.name)
    if peers and data["form"] in ("short", "full"):
        subprocess.run([peers, str(HERE / "plot.py"), str(path.with_suffix(".json"))], check=False)


def recorded(name):
    return json.loads((RESULTS / f"{name}.json").read_text())


def check():
    """Whether the goals in the documentation, and the report they link to, are what their record says."""
    name = report.recorded_name()
    if not name:
        return []
    data = recorded(name)
    document = report.DOCUMENT.read_text()
    wrong = []
    if report.with_goals(document, data, name) != document:
        wrong.append(f"{report.DOCUMENT.name} is not as {name} says")
    if (RESULTS / f"{name}.md").read_text() != report.markdown(data):
        wrong.append(f"{name}.md is not as {name}.json says")
    return [f"{line}: python3 bench/run.py report {name}" for line in wrong]


def tiny():
    """The small form, into a folder that goes again: everything has to have run, but for the peers."""
    with tempfile.TemporaryDirectory() as folder:
        record = measure("tiny", [], pathlib.Path(folder))
        bad = [f"{section['name']}: {section['failed']}" for section in record.data["sections"] if "failed" in section]
        bad += [f"{row['command']}: {row['failed']}" for row in record.data["rows"] if "failed" in row]
        bad += [f"{section['name']}: no rows" for section in record.data["sections"] if not section["lines"]]
    return bad + check()


def main():
    form, *rest = sys.argv[1:] or ["short"]
    if form == "list":
        print("\n".join(section.name for section in SECTIONS))
        return 0
    if form == "report":
        name = pathlib.Path(rest[0]).stem if rest else report.recorded_name()
        write(recorded(name), RESULTS / name, None)
        return 0
    if form in ("check", "tiny"):
        bad = check() if form == "check" else tiny()
        print("\n".join(bad), file=sys.stderr)
        return 1 if bad else 0
    if form not in ("short", "full", "agreement"):
        raise SystemExit(__doc__)
    data = measure(form, rest).data
    if data.get("unfinished"):
        return 130
    # A peer that fails is a row of the report; of the agreement nothing may fail or differ.
    failed = [section for section in data["sections"] if "failed" in section]
    return 1 if failed and form == "agreement" else 0


if __name__ == "__main__":
    sys.exit(main())
