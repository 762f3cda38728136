#!/usr/bin/env python3
"""Breaks every clause of the standard in the reference, and fails unless the vectors notice.

Each mutation of mutations.json is applied to a copy of the reference, in memory: to the one of its files that has it. In the vector file of the named stage
a case that names the clause must then fail. Every clause of spec/ must have a mutation or a reason why it can have
none. large.json and family_large.json take part in nothing here: it would take too long.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

from vector_stages import FURTHER, SLOW, STAGES, failures

HERE = Path(__file__).resolve().parent
# Each needs only those before it.
FILES = (
    "nearprint_sd1",
    "nearprint_hashes",
    "nearprint_custom",
    "nearprint_idf",
    "nearprint_family",
    "nearprint_interchange",
)
PAGES = [HERE.parent / "spec" / name for name in ("SPEC.md", "CUSTOM.md", "INTERCHANGE.md")]


UNCHANGED: dict[str, ModuleType] = {}  # by source: the files before the changed one need not be made again


def module_of(sources: dict[str, str]) -> ModuleType:
    """The reference made of the sources of its files."""
    changed = False
    for name, source in sources.items():
        changed = changed or source not in UNCHANGED
        module = ModuleType(name) if changed else UNCHANGED[source]
        sys.modules[name] = module  # for the files behind it, and because NamedTuple looks for its module
        if changed:
            module.__file__ = str(HERE / f"{name}.py")
            exec(compile(source, module.__file__, "exec"), module.__dict__)  # our own source, changed by our own list
    return sys.modules["nearprint_family"]


def problem_of(mutation: dict[str, str], sources: dict[str, str]) -> str | None:
    """Why a mutation does not count, None if the vectors catch it as they should."""
    found = sum(source.count(mutation["find"]) for source in sources.values())
    if found != 1:
        return f"its find occurs {found} times"
    changed = {name: text.replace(mutation["find"], mutation["replace"]) for name, text in sources.items()}
    mutated = module_of(changed)
    failed = [case for case, _ in failures(mutated, mutation["stage"])]
    if not failed:
        return f"{mutation['stage']}.json does not notice"
    if not any(mutation["clause"] in case["clauses"] for case in failed):
        return f"{mutation['stage']}.json notices, but in no case for the clause: {[case['name'] for case in failed]}"
    return None


def main() -> None:
    listed = json.loads((HERE / "mutations.json").read_text("ascii"))
    sources = {name: (HERE / f"{name}.py").read_text("utf-8") for name in FILES}
    unchanged = module_of(sources)
    UNCHANGED.update((source, sys.modules[name]) for name, source in sources.items())
    problems = [
        f"{stage}.json fails without any mutation"
        for stage in STAGES | FURTHER
        if stage not in SLOW and any(failures(unchanged, stage))
    ]
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    clauses = re.findall(r"^\[(\d+\.\d+)\]", text, re.MULTILINE)
    mutated = {mutation["clause"] for mutation in listed["mutations"]}
    excused = {entry["clause"] for entry in listed["not_mutated"]}
    problems += [f"[{clause}] is twice in spec/" for clause in {c for c in clauses if clauses.count(c) > 1}]
    problems += [f"[{clause}] has neither a mutation nor a reason" for clause in sorted({*clauses} - mutated - excused)]
    problems += [f"[{clause}] is not in spec/" for clause in sorted((mutated | excused) - {*clauses})]
    problems += [f"[{clause}] has a mutation and a reason for none" for clause in sorted(mutated & excused)]
    for mutation in listed["mutations"]:
        if problem := problem_of(mutation, sources):
            problems.append(f"[{mutation['clause']}] {mutation['why']}: {problem}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(listed['mutations'])} mutations of {len(mutated)} clauses, {len(excused)} clauses without: ", end="")
    print(f"{len(problems)} problems" if problems else "all noticed")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
