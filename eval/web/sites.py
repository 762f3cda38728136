"""One site: pages with the menus that a generator makes of them, built with one theme."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from web.pages import PreparedPage
from web.tools import Tools


@dataclass(frozen=True)
class Site:
    """Pages of one language that are built together."""

    name: str  # shown as the name of the site
    language: str  # as the recipe has it: en, zh-CN
    pages: list[PreparedPage]  # each slug once
    projects: dict[str, str]  # slug to the project that a page is of


@dataclass(frozen=True)
class Order:
    """What a generator gets: a site, the generator's name of the theme, an empty folder and the tools."""

    site: Site
    theme: str
    folder: Path
    tools: Tools


@dataclass(frozen=True)
class SiteOutcome:
    """What came of an order: the file of each slug, or the reason why there are none."""

    files: dict[str, Path]
    reason: str = ""


def empty_folder(folder: Path) -> Path:
    """The folder, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def outcome_of(order: Order, out: Path, pattern: str, reason: str) -> SiteOutcome:
    """The pages that a generator wrote. A generator that failed may have written some."""
    files = {page.slug: out / pattern.format(page.slug) for page in order.site.pages}
    there = {slug: path for slug, path in files.items() if path.is_file()}
    return SiteOutcome(there, reason if not there else "")


def yaml_string(text: str) -> str:
    """A string as YAML and JavaScript both read it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
