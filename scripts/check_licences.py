"""Refuses dependencies whose licence this project cannot ship with, and dependencies without a stated reason.

Reads `cargo metadata` (no network beyond what a build needs). A licence expression passes where one way through its
ORs uses allowed licences only. In the crates' own manifests every dependency that is not a crate of this workspace
must have a comment on its line or directly above it that says why it is needed.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",  # a BSD licence in other words
}


def allowed(expression: str) -> bool:
    """Whether an SPDX expression can be met with allowed licences: AND binds more tightly than OR."""
    tokens = re.findall(r"\(|\)|AND|OR|[^\s()/]+(?: WITH [^\s()]+)?|/", expression)
    at = 0

    def either() -> bool:
        nonlocal at
        value = both()
        while at < len(tokens) and tokens[at] in ("OR", "/"):
            at += 1
            value = both() or value
        return value

    def both() -> bool:
        nonlocal at
        value = single()
        while at < len(tokens) and tokens[at] == "AND":
            at += 1
            value = single() and value
        return value

    def single() -> bool:
        nonlocal at
        token = tokens[at]
        at += 1
        if token == "(":
            value = either()
            at += 1
            return value
        return token in ALLOWED

    return either()


def unexplained(manifest: pathlib.Path) -> list[str]:
    """Names of outside dependencies in a manifest without a comment beside or above them."""
    found, table, commented = [], False, False
    for line in manifest.read_text(encoding="utf-8").splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            table = stripped.rstrip("]").endswith("dependencies")
            commented = False
        elif stripped.startswith("#"):
            commented = True
        elif not stripped:
            commented = False
        elif table and re.match(r"[\w-]+(\.workspace)?\s*=", stripped):
            name = re.match(r"[\w-]+", stripped).group()
            if not name.startswith("nearprint") and not commented and "#" not in stripped:
                found.append(name)
            # One comment may stand above several lines that belong together.
    return found


def main() -> int:
    # The expressions that decide are few: make sure they are read as they should be.
    assert allowed("MIT OR GPL-3.0-only") and allowed("(Apache-2.0 OR GPL-2.0) AND BSD-3-Clause")
    assert not allowed("MIT AND GPL-3.0-only") and not allowed("MPL-2.0")
    metadata = json.loads(
        subprocess.run(
            ["cargo", "metadata", "--format-version", "1", "--all-features"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout
    )
    problems = []
    outside = [p for p in metadata["packages"] if p["source"]]
    for package in outside:
        if not package["license"]:
            problems.append(f"{package['name']} {package['version']}: no licence stated in its manifest")
        elif not allowed(package["license"]):
            problems.append(f"{package['name']} {package['version']}: licence {package['license']} is not on the list")
    manifests = [*ROOT.glob("crates/*/Cargo.toml"), *ROOT.glob("bindings/*/Cargo.toml")]
    for manifest in sorted(manifests):
        for name in unexplained(manifest):
            problems.append(f"{manifest.relative_to(ROOT)}: {name} has no comment that says why it is needed")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(outside)} dependencies, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
