"""Checks that each test that crates/nearprint-extract/tests/PITFALLS.md names exists, and that each golden case is named there.

The document says how names are written.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATES = ROOT / "crates"
TESTS = CRATES / "nearprint-extract/tests"
VECTORS = ROOT / "spec/vectors"


def has_function(file: pathlib.Path, name: str) -> bool:
    return file.is_file() and re.search(rf"\bfn {name}\b", file.read_text(encoding="utf-8")) is not None


def module_files(source: pathlib.Path, path: list[str]) -> list[pathlib.Path]:
    """Where a module may stand: in a file of its own, or inside its parent's."""
    places = [path] if path[-1] != "tests" else [path, path[:-1]]
    files = []
    for place in places:
        stem = source.joinpath(*place)
        files += [stem.with_suffix(".rs"), stem / "mod.rs"]
    return files


class Row:
    """One row's names; some are looked for in what an earlier one named."""

    def __init__(self) -> None:
        self.files: list[pathlib.Path] = []
        self.vectors: set[str] = set()
        self.cases: set[str] = set()

    def exists(self, name: str) -> bool:
        if name.endswith(".json"):
            path = VECTORS / name
            if path.is_file():
                cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
                self.vectors = {case["name"] for case in cases}
            return path.is_file()
        crate, _, rest = name.rpartition(":") if "::" not in name else partition_crate(name)
        crate_folder = CRATES / f"nearprint-{crate or 'extract'}"
        if rest.endswith(".rs"):
            self.files = [crate_folder / "tests" / rest]
            return self.files[0].is_file()
        if "::" in rest:
            *module, function = rest.split("::")
            self.files = [file for file in module_files(crate_folder / "src", module) if file.is_file()]
            return any(has_function(file, function) for file in self.files)
        if (TESTS / "cases" / f"{name}.input").is_file():
            self.cases.add(name)
            return True
        return name in self.vectors or any(has_function(file, name) for file in self.files)


def partition_crate(name: str) -> tuple[str, str, str]:
    """Splits `crate:module::function`, of which the crate may be left out."""
    head, colons, tail = name.partition("::")
    crate, colon, module = head.rpartition(":")
    return crate, colon, module + colons + tail


def main() -> int:
    problems, named, count = [], set(), 0
    for number, line in enumerate((TESTS / "PITFALLS.md").read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or cells[-1] in ("test", "---"):
            continue
        row = Row()
        names = re.findall(r"`([^`]+)`", cells[-1])
        problems += [f"line {number}: there is no {name}" for name in names if not row.exists(name)]
        if not names:
            problems.append(f"line {number}: no test is named")
        named |= row.cases
        count += len(names)
    cases = {path.stem for path in (TESTS / "cases").glob("*.input")}
    problems += [f"the case {name} is in no row" for name in sorted(cases - named)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{count} tests of pitfalls, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
