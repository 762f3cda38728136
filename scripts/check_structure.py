"""Checks that arrows point one way: between the crates, and between the entries of each crate's `src/`.

Between crates, the drawing in docs/ARCHITECTURE.md and the manifests must have the same arrows. Within a crate, each
file or folder of `src/`, with the modules in it, is one entry; entries that reach one another form a circle, and a
circle of more than three is a problem. rust_modules.py reads the arrows and says what it does not see.

Usage: check_structure.py [--root FOLDER] [--arrows CRATE]
"""

import argparse
import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys

from rust_modules import Crate, Path

ROOT = pathlib.Path(__file__).resolve().parent.parent
DRAWING = "docs/ARCHITECTURE.md"
LARGEST_CIRCLE = 3


def entry(path: Path) -> str:
    """The file or folder of `src/` that a module stands in."""
    return path[0] if path else "lib"


def named_arrows(crate: Crate) -> dict[tuple[str, str], set[str]]:
    """The arrows between the entries of a crate's `src/`, each with the names that make it."""
    names = collections.defaultdict(set)
    for source, target, path in crate.arrows():
        if entry(source) != entry(target):
            names[entry(source), entry(target)].add(f"{'/'.join(source)}.rs: {'::'.join(path)}")
    return names


def circles(arrows: set[tuple[str, str]]) -> list[list[str]]:
    """Groups of two or more entries of which each reaches each, the largest first."""

    def reached(start: str) -> set[str]:
        seen, left = set(), [start]
        while left:
            at = left.pop()
            for target in {b for a, b in arrows if a == at} - seen:
                seen.add(target)
                left.append(target)
        return seen

    reach = {name: reached(name) for arrow in arrows for name in arrow}
    groups = {tuple(sorted(other for other in reach[name] if name in reach[other])) for name in reach}
    return sorted((list(group) for group in groups if group), key=lambda group: (-len(group), group))


def too_large(crate: str, groups: list[list[str]]) -> list[str]:
    """What is wrong with these circles of a crate."""
    return [
        f"{crate}: a circle of {len(group)} entries: {' '.join(sorted(group))}; --arrows {crate} shows why"
        for group in groups
        if len(group) > LARGEST_CIRCLE
    ]


def drawn(page: str) -> set[tuple[str, str]]:
    """The arrows between crates that the page draws."""
    block = next(block for block in re.findall(r"```text\n(.*?)```", page, re.DOTALL) if "\nnearprint ──" in block)
    arrows, trunk = set(), ""
    for line in block.splitlines():
        groups = [re.findall(r"nearprint[\w-]*", part) for part in line.split("►")]
        trunk = groups[0][0] if groups[0] else trunk
        groups[0] = [trunk]
        for sources, targets in itertools.pairwise(groups):
            arrows |= {(sources[-1], target) for target in targets}
    return arrows


def differences(page: str, packages: list[dict], root: pathlib.Path) -> list[str]:
    """What the drawing and the manifests do not have in common."""
    manifests = {
        (package["name"], dependency["name"])
        for package in packages
        for dependency in package["dependencies"]
        if dependency["name"].startswith("nearprint") and dependency["kind"] is None
    }
    drawing = drawn(page)
    problems = [f"{a} ──► {b}: in the manifest, not drawn in {DRAWING}" for a, b in sorted(manifests - drawing)]
    problems += [f"{a} ──► {b}: drawn in {DRAWING}, not in the manifest" for a, b in sorted(drawing - manifests)]
    folders = [str(pathlib.Path(package["manifest_path"]).parent.relative_to(root)) for package in packages]
    return problems + [f"{folder}: not in {DRAWING}" for folder in folders if f"`{folder}`" not in page]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the checkout to look at")
    parser.add_argument("--arrows", metavar="CRATE", help="list the arrows of one crate, with names that make each")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    packages = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)["packages"]
    problems = differences((root / DRAWING).read_text(encoding="utf-8"), packages, root)
    print(f"{'crate':24} {'entries':>7} {'arrows':>6}  circles")
    for package in packages:
        crate = Crate(pathlib.Path(package["manifest_path"]).parent / "src/lib.rs")
        arrows = named_arrows(crate)
        groups = circles(set(arrows))
        shown = "; ".join(f"{len(group)}: {' '.join(group)}" for group in groups)
        entries = len({entry(path) for path in crate.modules})
        print(f"{package['name']:24} {entries:7} {len(arrows):6}  {shown}".rstrip())
        problems += too_large(package["name"], groups)
        if arguments.arrows == package["name"]:
            for (a, b), names in sorted(arrows.items()):
                print(f"  {a} ──► {b}: {', '.join(sorted(names)[:4])}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
