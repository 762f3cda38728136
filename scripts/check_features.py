#!/usr/bin/env python3
"""The facade without its features: it compiles, reads texts, names what is missing, and pulls in few crates. The same
with files and markup alone, and the command without its server and its tables.

Counts crates as `cargo tree` lists them, with those of the workspace and procedural macros, without build scripts. The
bounds are today's counts: a dependency more is a decision, made here.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

BOUNDS = {"--no-default-features": 28, "--features=default": 159}
"""The most crates of a build of `nearprint` with these options."""


def crates(option: str) -> set[str]:
    command = ["cargo", "tree", "--quiet", "--package", "nearprint", option, "--edges", "normal", "--prefix", "none"]
    target = ["--target", "x86_64-unknown-linux-gnu"]
    found = subprocess.run(command + target, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {" ".join(line.split()[:2]) for line in found.splitlines() if line.strip()}


def main() -> int:
    failed = False
    for option, most in BOUNDS.items():
        found = crates(option)
        if len(found) > most:
            print(f"nearprint {option} needs {len(found)} crates, more than {most}: {', '.join(sorted(found))}")
            failed = True
        elif len(found) < most:
            print(f"nearprint {option} needs {len(found)} crates: lower the bound of {most} in {Path(__file__).name}")
            failed = True
    for some in ([], ["--features", "files,markup"]):
        test = ["cargo", "test", "--quiet", "--package", "nearprint", "--no-default-features", *some]
        test += ["--test", "missing_features"]
        done = subprocess.run(test, cwd=ROOT, check=False, capture_output=True, text=True, env=os.environ)
        if done.returncode:
            print(done.stdout, done.stderr, sep="\n")
            failed = True
    # Compiled without code, which takes a third of the time: what it says without them is constant.
    check = ["cargo", "check", "--quiet", "--package", "nearprint-cli", "--no-default-features"]
    done = subprocess.run(check, cwd=ROOT, check=False, capture_output=True, text=True, env=os.environ)
    if done.returncode:
        print(done.stderr)
        failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
