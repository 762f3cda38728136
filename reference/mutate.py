#!/usr/bin/env python3
"""Breaks every clause of the standard in the reference, and fails unless the vectors notice.

Each mutation of mutations.json is applied to a copy of the reference, in memory. In the vector file of the named stage
a case that names the clause must then fail. Every clause of SPEC.md must have a mutation or a reason why it can have
none. large.json takes part in nothing here: it would take too long.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

from vector_stages import STAGES, failures

HERE = Path(__file__).resolve().parent
REFERENCE = HERE / "nearprint_reference.py"
SPEC = HERE.parent / "spec" / "SPEC.md"


def module_of(source: str) -> ModuleType:
    """The reference made of a source."""
    module = ModuleType("mutated")
    module.__file__ = str(REFERENCE)
    sys.modules["mutated"] = module  # NamedTuple looks for its module
    exec(compile(source, str(REFERENCE), "exec"), module.__dict__)  # our own source, changed by our own list
    return module


def problem_of(mutation: dict[str, str], source: str) -> str | None:
    """Why a mutation does not count, None if the vectors catch it as they should."""
    found = source.count(mutation["find"])
    if found != 1:
        return f"its find occurs {found} times"
    mutated = module_of(source.replace(mutation["find"], mutation["replace"]))
    failed = [case for case, _ in failures(mutated, mutation["stage"])]
    if not failed:
        return f"{mutation['stage']}.json does not notice"
    if not any(mutation["clause"] in case["clauses"] for case in failed):
        return f"{mutation['stage']}.json notices, but in no case for the clause: {[case['name'] for case in failed]}"
    return None


def main() -> None:
    listed = json.loads((HERE / "mutations.json").read_text("ascii"))
    source = REFERENCE.read_text("utf-8")
    problems = [
        f"{stage}.json fails without any mutation"
        for stage in STAGES
        if stage != "large" and any(failures(module_of(source), stage))
    ]
    clauses = re.findall(r"^\[(\d+\.\d+)\]", SPEC.read_text("utf-8"), re.MULTILINE)
    mutated = {mutation["clause"] for mutation in listed["mutations"]}
    excused = {entry["clause"] for entry in listed["not_mutated"]}
    problems += [f"[{clause}] stands twice in SPEC.md" for clause in {c for c in clauses if clauses.count(c) > 1}]
    problems += [f"[{clause}] has neither a mutation nor a reason" for clause in sorted({*clauses} - mutated - excused)]
    problems += [f"[{clause}] is not in SPEC.md" for clause in sorted((mutated | excused) - {*clauses})]
    problems += [f"[{clause}] has a mutation and a reason for none" for clause in sorted(mutated & excused)]
    for mutation in listed["mutations"]:
        if problem := problem_of(mutation, source):
            problems.append(f"[{mutation['clause']}] {mutation['why']}: {problem}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(listed['mutations'])} mutations of {len(mutated)} clauses, {len(excused)} clauses without: ", end="")
    print(f"{len(problems)} problems" if problems else "all noticed")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
