"""Compares the crates' dependencies on one another with the arrows drawn in docs/ARCHITECTURE.md.

A dependency that is not listed here points where it should not: draw it in the document and list it here, or remove it.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARROWS = {
    "nearprint-fingerprint": set(),
    "nearprint-pdf": set(),
    "nearprint-extract": {"nearprint-pdf"},
    "nearprint-search": set(),
    "nearprint-output": set(),
    "nearprint-records": {"nearprint-fingerprint", "nearprint-output"},
    "nearprint-tables": {"nearprint-fingerprint", "nearprint-records"},
    "nearprint": {
        "nearprint-extract",
        "nearprint-fingerprint",
        "nearprint-records",
        "nearprint-search",
        "nearprint-tables",
        "nearprint-worker",
    },
    "nearprint-index": {"nearprint"},
    "nearprint-cli": {"nearprint", "nearprint-index", "nearprint-server"},
    "nearprint-python": {"nearprint", "nearprint-cli", "nearprint-index"},
    "nearprint-server": {"nearprint", "nearprint-index"},
    "nearprint-simhash-cpp": {"nearprint-output", "nearprint-search"},
    "nearprint-worker": {"nearprint-extract"},
}


def main() -> int:
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    problems = []
    for package in metadata["packages"]:
        name = package["name"]
        if name not in ARROWS:
            problems.append(f"{name}: a new crate; draw it in docs/ARCHITECTURE.md and list it in {__file__}")
            continue
        for dependency in package["dependencies"]:
            target = dependency["name"]
            if target.startswith("nearprint") and dependency["kind"] is None and target not in ARROWS[name]:
                problems.append(f"{name} -> {target}: an arrow that docs/ARCHITECTURE.md does not draw")
    drawing = (ROOT / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")
    problems += [f"{name}: not in docs/ARCHITECTURE.md" for name in ARROWS if name not in drawing]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(metadata['packages'])} crates, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
