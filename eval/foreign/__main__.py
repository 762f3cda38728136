"""Other people's benchmarks and suites: `python3 eval/foreign --nearprint PROGRAM NAME=FOLDER...`.

Fetches nothing: each FOLDER is a copy of a benchmark that the user has. NAME is `wcxb`, `article-extraction`,
`trafilatura` or `readability`; `asysd`, citations with labels of people; `decon`, a checkout of allenai/decon with its
test items, which are planted in the texts of `--train`; `suite=FOLDER` reads a folder of files (such as the test suites
of pdf.js, PDFBox, veraPDF, qpdf, Tika or html5lib) for crashes, times and memory, as eval/suites.py does. Without any,
the folders of the environment variables are taken: WCXB, ARTICLE_EXTRACTION, TRAFILATURA, READABILITY, ASYSD, DECON
(with TRAIN), and SUITES with several by blanks.

Exit status 1 where a suite has a fault.
"""

from __future__ import annotations

import argparse
import datetime
import gzip
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import suites

from foreign import citations, programs, record
from foreign.benchmarks import KNOWN, wcxb
from foreign.pages import Benchmark, scores

OTHERS = ("asysd", "decon")  # that are not about pages
MODES = {"nearprint --read main-content": ["--read", "main-content"], "nearprint": []}


def read(path: Path) -> bytes:
    """The bytes of a page."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def judged(benchmark: Benchmark, program: Path, peers: list[str]) -> list[record.Result]:
    """Every program on the pages of a benchmark."""
    made = [programs.by_command(program, benchmark.pages, options, name) for name, options in MODES.items()]
    made += [found for name in peers if (found := programs.by_peer(name, benchmark.pages, read))]
    return [record.Result(one, scores(benchmark, one.texts)) for one in made]


def planted(folder: Path, program: Path, train: Path | None) -> list[str]:
    """What eval/decontamination.py says of the items of a checkout of decon; decon itself runs if it was built."""
    if train is None:
        raise SystemExit("decon: --train (or TRAIN) has to name a folder of texts, in which the items are planted")
    script = Path(__file__).resolve().parent.parent / "decontamination.py"
    built = folder / "target" / "release" / "decon"
    with tempfile.TemporaryDirectory() as place:
        made = Path(place, "record")
        command = [sys.executable, script, "--evals", folder / "bundled-evals", "--train", train]
        command += ["--nearprint", program, "--folder", Path(place, "work"), "--record", made]
        command += ["--decon", built] if built.is_file() else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return ["", "## Test items planted in texts", "", *made.read_text("utf-8").rstrip().split("\n")]


def named_folders(given: list[str]) -> list[tuple[str, Path]]:
    """What is asked for, by the arguments or by the environment."""
    if not given:
        variables = {name: name.upper().replace("-", "_") for name in [*KNOWN, *OTHERS]}
        given = [f"{name}={os.environ[variable]}" for name, variable in variables.items() if os.environ.get(variable)]
        given += [f"suite={folder}" for folder in os.environ.get("SUITES", "").split()]
    found = []
    for one in given:
        name, equals, folder = one.partition("=")
        if not equals or name not in {*KNOWN, *OTHERS, "suite"}:
            raise SystemExit(f"{one}: not NAME=FOLDER with one of {', '.join([*KNOWN, *OTHERS, 'suite'])}")
        if not Path(folder).is_dir():
            raise SystemExit(f"{folder}: not a directory")
        found.append((name, Path(folder).resolve()))
    if not found:
        raise SystemExit("no folder is named; see eval/README.md, Other people's benchmarks")
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM", help="the command")
    parser.add_argument("--held-out", action="store_true", help="the part of WCXB that is kept for the end")
    train = os.environ.get("TRAIN")
    parser.add_argument(
        "--train", type=Path, default=train and Path(train), metavar="FOLDER", help="texts for decon's items"
    )
    parser.add_argument("--no-peers", action="store_true", help="the command alone")
    parser.add_argument("--record", type=Path, metavar="FILE", help="where the record goes [default: printed]")
    args = parser.parse_args(arguments)
    program = args.nearprint.resolve()
    found, others, status = [], [], 0
    for name, folder in named_folders(args.folders):
        if name == "suite":
            print(f"suite {folder.name}:", flush=True)
            status |= suites.main([str(folder), "--nearprint", str(program)])
            continue
        if name == "asysd":
            others += citations.page(folder, program)
            continue
        if name == "decon":
            others += planted(folder, program, args.train)
            continue
        benchmark = wcxb(folder, "test") if args.held_out and name == "wcxb" else KNOWN[name](folder)
        if not benchmark.pages:
            raise SystemExit(f"{folder}: no page of {name} is there")
        print(f"{benchmark.name}: {len(benchmark.pages)} pages", file=sys.stderr, flush=True)
        found.append((benchmark, judged(benchmark, program, [] if args.no_peers else list(programs.PEERS))))
    if found or others:
        machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        text = record.page(datetime.date.today().isoformat(), machine, found, others)
        if args.record:
            args.record.write_text(text, "utf-8")
        else:
            print(text, end="")
    return status


if __name__ == "__main__":
    sys.exit(main())
