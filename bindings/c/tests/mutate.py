#!/usr/bin/env python3
"""Breaks the C library in one place at a time, and fails unless scripts/c.sh notices: `mutate.py [NUMBER OF MUTANTS]`.

Each mutant is a copy of src/ as a package of its own, which is built against this repository's crates; the tree is not
touched. Only what is between C and the crates is mutated: pointers, statuses, layouts, limits, the order of arguments. The
first build takes minutes, each mutant some seconds. With a number the first mutants only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WORK = ROOT / "build" / "c-mutants"
CRATES = ("fingerprint", "search")
MANIFEST = """[package]
name = "nearprint-c"
version = "0.1.0"
edition = "2024"
[lib]
crate-type = ["cdylib", "staticlib"]
[workspace]
[profile.dev]
debug = 0
"""
# A file, what is there once, what is put there.
MUTATIONS = [
    ("calls.rs", "pairs.len() + found.len() > most", "pairs.len() + found.len() >= most"),
    ("calls.rs", "if most != 0 && pairs.len() + found.len() > most", "if most != 0 && pairs.len() > most"),
    ("calls.rs", "if distance > MAX_PLANNED_DISTANCE", "if distance >= MAX_PLANNED_DISTANCE"),
    ("calls.rs", "cluster.members.iter().min()", "cluster.members.iter().max()"),
    (
        "calls.rs",
        "parse(one)?.similarity(&parse(other)?).map_err(|_| Status::UnlikeSchemes)",
        "parse(one)?.similarity(&parse(other)?).map_err(|_| Status::Malformed)",
    ),
    ("calls.rs", "join(values, distance, true,", "join(values, distance, false,"),
    (
        "exports.rs",
        "    if out.is_null() {\n        return Status::NullPointer;\n    }\n",
        "    if out.is_null() {\n        return Status::Ok;\n    }\n",
    ),
    (
        "exports.rs",
        "if count == 0 { Ok(&[]) } else { Err(Status::NullPointer) }",
        "if count <= 1 { Ok(&[]) } else { Err(Status::NullPointer) }",
    ),
    ("exports.rs", "return Err(Status::TooManyValues);", "return Ok(&[]);"),
    ("exports.rs", "const STRING_BYTES: usize = 448;", "const STRING_BYTES: usize = 440;"),
    ("exports.rs", "fingerprint.scheme().positions() } else { 0 }", "fingerprint.scheme().positions() } else { 128 }"),
    ("exports.rs", "let value = value.unwrap_or(0);", "let value = value.unwrap_or(0).swap_bytes();"),
    (
        "exports.rs",
        "calls::parse(text(string, Status::Malformed)?)?, 0, false)",
        "calls::parse(text(string, Status::Malformed)?)?, 0, true)",
    ),
    (
        "exports.rs",
        "calls::find_all(array(values, count)?, distance, most)",
        "calls::find_all(array(values, count)?, distance, 0)",
    ),
    ("exports.rs", "Pair { a: pair.a, b: pair.b,", "Pair { a: pair.b, b: pair.a,"),
    (
        "exports.rs",
        "        if status == Status::Ok {\n            pair_count.write(length);\n        }\n",
        "        pair_count.write(length);\n",
    ),
    ("exports.rs", "    if !pairs.is_null() {\n", "    if false {\n"),
    ("exports.rs", "if cluster_of.is_null() && count > 0", "if cluster_of.is_null() && count > 1"),
    ("status.rs", "    NullPointer = 2,\n", "    NullPointer = 12,\n"),
    (
        "status.rs",
        '    c"an argument is null that may not be",\n    c"no scheme has this name; use sd1, sl1, md1, wd1, seomoz-legacy or custom:...",\n',
        '    c"no scheme has this name; use sd1, sl1, md1, wd1, seomoz-legacy or custom:...",\n    c"an argument is null that may not be",\n',
    ),
]


def build() -> bool:
    """Whether the copy compiles."""
    environment = {name: value for name, value in os.environ.items() if name != "RUSTC_WORKSPACE_WRAPPER"}
    command = ["cargo", "build", "--quiet", "--offline", "--manifest-path", str(WORK / "package" / "Cargo.toml")]
    target = ["--target-dir", str(WORK / "target")]
    return subprocess.run([*command, *target], env=environment, check=False).returncode == 0


def holds() -> bool:
    """Whether the checks of the C library pass with what was built."""
    check = os.environ.get("C_CHECK", str(ROOT / "scripts" / "c.sh"))
    command = ["timeout", "300", check, str(WORK / "target" / "debug")]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def prepare() -> Path:
    """The package with a copy of the sources."""
    package = WORK / "package"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(HERE.parent / "src", package / "src")
    paths = "".join(f'nearprint-{crate} = {{ path = "{ROOT}/crates/nearprint-{crate}" }}\n' for crate in CRATES)
    (package / "Cargo.toml").write_text(f"{MANIFEST}[dependencies]\n{paths}", "utf-8")
    shutil.copy(ROOT / "Cargo.lock", package / "Cargo.lock")
    shutil.copy(HERE.parent / "build.rs", package / "build.rs")
    return package / "src"


def main() -> int:
    mutations = MUTATIONS[: int(sys.argv[1])] if len(sys.argv) > 1 else MUTATIONS
    source = prepare()
    if not build() or not holds():
        print("the checks fail without a mutation", file=sys.stderr)
        return 1
    problems = 0
    for name, find, replace in mutations:
        file = source / name
        content = file.read_text("utf-8")
        started = time.monotonic()
        if content.count(find) != 1:
            verdict = f"has it {content.count(find)} times"
        else:
            file.write_text(content.replace(find, replace), "utf-8")
            verdict = "does not compile" if not build() else "is not noticed" if holds() else ""
            file.write_text(content, "utf-8")
        problems += verdict != ""
        took = f"{time.monotonic() - started:.0f} s"
        print(f"{verdict or 'noticed'} ({took}): {name}: {find!r} -> {replace!r}", flush=True)
    print(f"{len(mutations)} mutations of the C library, {problems} not noticed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
