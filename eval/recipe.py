"""The recipe: which files of which Debian packages are renderings of one document.

recipe.tsv has a row a rendering, packages.tsv a row a package with the version and digest it was made with. Both are
tables with a head line and TAB between columns; nothing is quoted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
KINDS = ("media", "neg")


@dataclass(frozen=True)
class Rendering:
    """One file of the corpus and where it comes from."""

    group: str  # one document in one language; in a `neg` group each file is a document of its own
    file: str  # its name inside the group's folder
    medium: str
    language: str
    family: str  # what was written and built together; every family weighs the same in the report
    kind: str  # one of KINDS
    package: str
    members: tuple[str, ...]  # paths in the package; several are the pages of one document, in order

    @property
    def path(self) -> str:
        """The rendering's name in the corpus."""
        return f"{self.group}/{self.file}"


@dataclass(frozen=True)
class Package:
    """A package as it was when the recipe was written."""

    name: str
    version: str
    architecture: str
    bytes: int
    sha256: str


class RecipeError(ValueError):
    """A row that cannot be read, with its file and line."""


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table with a head line."""
    head, *lines = path.read_text("utf-8").splitlines()
    columns = head.split("\t")
    rows = []
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise RecipeError(f"{path.name}:{number}: {len(cells)} columns where the head has {len(columns)}")
        rows.append(dict(zip(columns, cells, strict=True)))
    return rows


def write_table(path: Path, columns: list[str], rows: list[dict[str, object]]) -> None:
    """Writes rows with a head line."""
    lines = ["\t".join(columns)]
    lines.extend("\t".join(str(row[column]) for column in columns) for row in rows)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def split_members(spec: str) -> tuple[str, ...]:
    """The paths of a rendering: one path, or `FOLDER::PAGE|PAGE|...` for the pages of a document."""
    folder, pages, names = spec.partition("::")
    return tuple(f"{folder}/{name}" for name in names.split("|")) if pages else (spec,)


def read_recipe(path: Path = HERE / "recipe.tsv") -> list[Rendering]:
    """The renderings, in the recipe's order. The first of a group is the one the others are held against."""
    found = []
    for number, row in enumerate(read_table(path), 2):
        spec = row.pop("members")
        if row["kind"] not in KINDS:
            raise RecipeError(f"{path.name}:{number}: kind {row['kind']!r}; known are {', '.join(KINDS)}")
        found.append(Rendering(members=split_members(spec), **row))
    names = [rendering.path for rendering in found]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise RecipeError(f"{path.name}: two rows make {twice}")
    return found


def read_packages(path: Path = HERE / "packages.tsv") -> dict[str, Package]:
    """The packages by name."""
    return {row["name"]: Package(**{**row, "bytes": int(row["bytes"])}) for row in read_table(path)}
