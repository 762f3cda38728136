"""The figures that pages and program state, from the records: `figures.py [--write | --list]`.

A page names a figure between two marks, and the value there is this program's:

    recall <!--figure:verified-recall-->0.997<!--/--> at precision ...

Without an option it fails where a page or `measured_rates.rs` states something else, where a name is unknown, and where
a rate of false pairs was typed by hand. `--write` fills in all of them; `make eval` ends with it. `--list` prints every
name with its value. Records (docs/accuracy, bench/results) are not searched: they are what figures come from.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RATES = ROOT / "crates/nearprint/src/questions/measured_rates.rs"
SPEED = "bench/results/2026-11-22-full.json"
RECORDS = ("docs/accuracy/", "bench/results/", "eval/", "samples/", "CHANGELOG.md")
MARK = re.compile(r"<!--figure:([a-z0-9-]+)-->(.*?)<!--/-->", re.DOTALL)
BY_HAND = re.compile(r"[\d.,]*\d\s+(?:(?:false\s+)?pairs\s+)?(?:per|of\s+a|in\s+a)\s+million", re.IGNORECASE)


def record(path: str) -> dict:
    """A record of measurements."""
    return json.loads((ROOT / path).read_text("utf-8"))


def rates() -> dict[str, list[tuple[int, list[float], list[float]]]]:
    """Of each scheme, by distance: recall and false pairs per million, each with its 95 % interval."""
    schemes = record("docs/accuracy/schemes.json")["schemes"]
    by_distance = record("docs/accuracy/figures.json")
    found = {
        name: {point["k"]: (point["recall"], point["false_per_million"]) for point in scheme["points"].values()}
        for name, scheme in schemes.items()
    }
    # Of sd1 every distance is in the record; its recall has an interval only at the distances of schemes.json.
    for k, rate in by_distance["false_per_million"]["same language"].items():
        recall = by_distance["recall"][k]
        found["sd1"].setdefault(int(k), ([recall, recall, recall], rate))
    return {name: [(k, *points[k]) for k in sorted(points)] for name, points in found.items()}


def rate_text(rate: list[float]) -> str:
    """A rate as one reads it; none found is stated by the upper end of its interval."""
    value, _, high = rate
    if value == 0:
        return f"fewer than {ceiling(high)}"
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def ceiling(value: float) -> int:
    """The next whole number."""
    return int(-(-value // 1))


def seconds(verb: str, **options: object) -> float:
    """The seconds of one job of the record of speed."""
    for row in record(SPEED)["rows"]:
        if row["verb"] == verb and all(row["options"].get(key) == value for key, value in options.items()):
            return row["seconds"]
    raise LookupError(f"{SPEED} has no {verb} of {options}")


def speeds() -> dict[str, str]:
    """Searches of fingerprints, and the same beside simhash-cpp."""
    one, two = (seconds("pairs", n=10**7, k=3, threads=threads, repeat=5) for threads in (1, 2))
    peer = seconds("simhash", n=10**7, k=3, blocks=5)
    real = {
        scheme: seconds("simhash", file=f"bench/.passages/1000000/{scheme}.bin", k=3)
        / seconds("pairs", file=f"bench/.passages/1000000/{scheme}.bin", k=3)
        for scheme in ("sd1", "sl1")
    }
    return {
        "pairs-ten-million-seconds": f"{two:.2f}",
        "pairs-ten-million-ratio": f"{peer / two:.0f}",
        "pairs-ten-million-ratio-one-core": f"{peer / one:.0f}",
        "pairs-passages-ratio-low": f"{min(real.values()):.0f}",
        "pairs-passages-ratio-high": f"{max(real.values()):.0f}",
        "pairs-billion-seconds": f"{seconds('billion'):.0f}",
        "peer-million-four-blocks-seconds": f"{seconds('simhash', n=10**6, blocks=4):.2f}",
        "peer-million-six-blocks-seconds": f"{seconds('simhash', n=10**6, blocks=6):.2f}",
    }


def figures() -> dict[str, str]:
    """Every figure by its name."""
    table = {}
    for scheme, points in rates().items():
        for k, recall, rate in points:
            table[f"{scheme}-{k}-recall"] = f"{recall[0]:.3f}"
            table[f"{scheme}-{k}-false"] = rate_text(rate)
            table[f"{scheme}-{k}-false-low"] = f"{rate[1]:,.0f}"
            table[f"{scheme}-{k}-false-high"] = f"{ceiling(rate[2]):,}"
    verified = record("docs/accuracy/verified.json")
    for name in ("reported", "same", "different", "neither"):
        table[f"verified-{name}"] = f"{verified[name]:,}"
    table["verified-recall"] = f"{verified['recall'][0]:.3f}"
    table["verified-recall-low"] = f"{verified['recall'][1]:.3f}"
    table["verified-precision"] = f"{verified['precision'][0]:.3f}"
    schemes = record("docs/accuracy/schemes.json")
    table["corpus-documents"] = f"{schemes['documents']:,}"
    table["corpus-true-pairs"] = f"{schemes['true_pairs']:,}"
    table["corpus-unlike-pairs"] = f"{schemes['unlike_pairs']:,}"
    cases = (record(str(path.relative_to(ROOT))) for path in sorted((ROOT / "spec/vectors").glob("*.json")))
    table["vectors"] = f"{sum(len(file['cases']) for file in cases):,}"
    return table | speeds()


def rust() -> str:
    """The rates as a module of the library, formatted as rustfmt does."""
    lines = [
        "//! What was measured of each scheme by distance. Written by scripts/figures.py from docs/accuracy: do not edit.",
        "",
        "/// What one distance of a scheme finds, on labelled documents of 200 words or more.",
        "#[derive(Debug, Clone, Copy, PartialEq)]",
        "pub(super) struct MeasuredRate {",
        "    pub(super) distance: u32,",
        "    /// Share of the renderings of one document that are within the distance.",
        "    pub(super) recall: f64,",
        "    /// Pairs of different documents of one language within the distance, per million: the lower end of the 95 %",
        "    /// interval, the value, the upper end.",
        "    pub(super) false_pairs: [f64; 3],",
        "}",
        "",
        "const fn rate(distance: u32, recall: f64, false_pairs: [f64; 3]) -> MeasuredRate {",
        "    MeasuredRate { distance, recall, false_pairs }",
        "}",
    ]
    for scheme, points in rates().items():
        lines += ["", f"pub(super) const {scheme.upper()}: &[MeasuredRate] = &["]
        for k, recall, rate in points:
            value, low, high = (f"{number:.1f}" for number in rate)
            lines.append(f"    rate({k}, {recall[0]:.3f}, [{low}, {value}, {high}]),")
        lines.append("];")
    # rustfmt joins a list that fits one line.
    text = "\n".join(lines) + "\n"
    return subprocess.run(
        ["rustfmt", "--edition", "2024", "--config-path", ROOT], input=text, capture_output=True, text=True, check=True
    ).stdout


def pages() -> list[Path]:
    """The pages that may state figures."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    return [ROOT / name for name in listed if name and not name.startswith(RECORDS) and (ROOT / name).exists()]


def filled(text: str, table: dict[str, str], place: str) -> tuple[str, list[str]]:
    """The text with its figures, and what is wrong with it."""
    faults = []

    def value(match: re.Match[str]) -> str:
        name, stated = match.groups()
        if name not in table:
            faults.append(f"{place}: there is no figure {name}; `scripts/figures.py --list` prints all")
            return match.group(0)
        if stated.split() == table[name].split():
            return match.group(0)  # Its words may be on two lines.
        faults.append(f"{place}: {name} is {table[name]}, not {stated}")
        return f"<!--figure:{name}-->{table[name]}<!--/-->"

    done = MARK.sub(value, text)
    # What a program writes between marks of its own is checked by that program.
    prose = re.sub(r"<!-- summary: made by.*?<!-- end of summary -->", "", MARK.sub("", text), flags=re.DOTALL)
    faults += [f"{place}: {hit.group(0)!r} is typed by hand; name the figure" for hit in BY_HAND.finditer(prose)]
    return done, faults


def main() -> int:
    table = figures()
    if sys.argv[1:] == ["--list"]:
        print("\n".join(f"{name}\t{value}" for name, value in table.items()))
        return 0
    if sys.argv[1:] not in ([], ["--write"]):
        print("usage: figures.py [--write | --list]", file=sys.stderr)
        return 2
    write = bool(sys.argv[1:])
    outputs = [(path, *filled(path.read_text("utf-8"), table, str(path.relative_to(ROOT)))) for path in pages()]
    stated, module = RATES.read_text("utf-8") if RATES.exists() else "", rust()
    outputs.append(
        (RATES, module, [] if stated == module else [f"{RATES.relative_to(ROOT)} is not what the records say"])
    )
    if write:
        for path, text, _ in outputs:
            if not path.exists() or path.read_text("utf-8") != text:
                path.write_text(text, "utf-8")
        # What is left needs a person.
        outputs = [(path, *filled(text, table, str(path.relative_to(ROOT)))) for path, text, _ in outputs]
    faults = [fault for _, _, wrong in outputs for fault in wrong]
    for fault in faults:
        print(fault)
    if faults and not write:
        print("`scripts/figures.py --write` fills in what the records say")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
