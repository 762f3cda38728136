"""The recipe of the web pages: which page of which archive is built with which themes.

development-web.tsv has a row a source page: a page of documentation in Markdown or reStructuredText in an archive of
PyPI or npm, pinned by version and digest. Its themes are separated by commas.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from recipe import RecipeError, read_table

RECIPE = Path(__file__).resolve().parent.parent / "development-web.tsv"
COLUMNS = ["group", "project", "registry", "version", "sha256", "member", "language", "themes"]
REGISTRIES = ("pypi", "npm")
THEMES = {  # the name in the recipe to the generator and the generator's name of the theme
    "alabaster": ("sphinx", "alabaster"),
    "rtd": ("sphinx", "sphinx_rtd_theme"),
    "furo": ("sphinx", "furo"),
    "pydata": ("sphinx", "pydata_sphinx_theme"),
    "book": ("sphinx", "sphinx_book_theme"),
    "material": ("mkdocs", "material"),
    "readthedocs": ("mkdocs", "readthedocs"),
    "cinder": ("mkdocs", "cinder"),
    "yeti": ("mkdocs", "yeti"),
    "notmyidea": ("pelican", "notmyidea"),
    "reflex": ("pelican", "reflex"),
    "smallweb": ("pelican", "smallweb"),
    "landscape": ("hexo", "landscape"),
    "next": ("hexo", "next"),
    "butterfly": ("hexo", "butterfly"),
    "fluid": ("hexo", "fluid"),
    "vitepress": ("vitepress", "default"),
}


@dataclass(frozen=True)
class Archive:
    """An archive of a registry as it was when the recipe was written."""

    project: str
    registry: str  # one of REGISTRIES
    version: str
    sha256: str


@dataclass(frozen=True)
class SourcePage:
    """One page of an archive, and the themes that it is built with."""

    group: str
    archive: Archive
    member: str
    language: str
    themes: tuple[str, ...]

    @property
    def suffix(self) -> str:
        """The medium of the source."""
        return Path(self.member).suffix.lstrip(".")


def read_rows(path: Path = RECIPE) -> list[SourcePage]:
    """The source pages, in the recipe's order."""
    found = []
    table = read_table(path)
    if table and list(table[0]) != COLUMNS:
        raise RecipeError(f"{path.name}: the columns are not {', '.join(COLUMNS)}")
    for number, row in enumerate(table, 2):
        themes = tuple(row["themes"].split(","))
        if row["registry"] not in REGISTRIES:
            raise RecipeError(f"{path.name}:{number}: registry {row['registry']!r} is not one of {REGISTRIES}")
        if unknown := set(themes) - set(THEMES):
            raise RecipeError(f"{path.name}:{number}: unknown themes: {', '.join(sorted(unknown))}")
        archive = Archive(row["project"], row["registry"], row["version"], row["sha256"])
        found.append(SourcePage(row["group"], archive, row["member"], row["language"], themes))
    groups = [page.group for page in found]
    if len(set(groups)) < len(groups):
        raise RecipeError(f"{path.name}: group {next(one for one in groups if groups.count(one) > 1)} twice")
    return found
