"""Runs a section of a page with the libraries of one extra alone: `lone_extra.py EXTRA PAGE [SECTION]`. With `-` for it, all are visible.

What is installed beside them is hidden, as if the extra had been installed alone in a fresh environment. That is quick, and needs
no network; `scripts/extras.py` installs each extra in an environment of its own.
"""

from __future__ import annotations

import doctest
import sys
import tomllib
from collections.abc import Iterable, Sequence
from importlib import metadata
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def closure(requirements: list[str]) -> set[str]:
    """The names of packages that are installed with others.

    Args:
        requirements: What the others are called, with their extras.
    """
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    left = [Requirement(text) for text in requirements]
    while left:
        requirement = left.pop()
        name = canonicalize_name(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            found.add(name)
            try:
                needed = metadata.requires(name) or []
            except metadata.PackageNotFoundError:
                continue
            for text in needed:
                inner = Requirement(text)
                if inner.marker is None or inner.marker.evaluate({"extra": extra}):
                    left.append(inner)
    return found


class Visible:
    """A finder of modules on the path, to which those of all packages but some are missing."""

    def __init__(self, packages: set[str]) -> None:
        owners = metadata.packages_distributions()
        self.hidden = {
            module for module, names in owners.items() if not packages & {canonicalize_name(name) for name in names}
        }

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is None and name in self.hidden and not name.startswith("_"):
            return None
        return PathFinder.find_spec(name, path, target)

    def find_distributions(self, context: Any) -> Iterable[metadata.Distribution]:
        return metadata.MetadataPathFinder.find_distributions(context)


def section(page: Path, name: str | None) -> str:
    """The text of a section of a page, or of the whole."""
    text = page.read_text(encoding="utf-8")
    return text if name is None else text.split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]


def run(text: str, name: str) -> doctest.TestResults:
    """Runs the examples of a text."""
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    # Functions of the main module are sent to workers as they are.
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    return doctest.DocTestRunner(optionflags=flags).run(test)


def main() -> int:
    extra, page, *named = sys.argv[1:]
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    if extra != "-":
        packages = closure(project["project"]["optional-dependencies"][extra])
        for module in [name for name in sys.modules if name.partition(".")[0] == "packaging"]:
            del sys.modules[module]
        sys.meta_path[sys.meta_path.index(PathFinder)] = Visible(packages | {"nearprint"})
    found = run(section(Path(page), named[0] if named else None), page)
    return 0 if found.attempted >= 2 and not found.failed else 1


if __name__ == "__main__":
    sys.exit(main())
