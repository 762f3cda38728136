"""Blogs by Pelican and Hexo: posts with tags and categories, lists of recent posts, archives, the next post."""

from __future__ import annotations

import shutil
from datetime import date, timedelta

from web.pages import RST_TITLE, PreparedPage
from web.sites import Order, SiteOutcome, outcome_of, yaml_string
from web.tools import TOOLS, run

FIRST_DAY = date(2025, 1, 6)
FEWEST_LETTERS = 5  # of a tag
PELICAN = """
SITENAME = {name!r}
SITESUBTITLE = "Notes on programs and how to use them"
SITEURL = ""
AUTHOR = "The authors"
PATH = "content"
OUTPUT_PATH = "out"
TIMEZONE = "UTC"
DEFAULT_LANG = {language!r}
THEME = {theme!r}
ARTICLE_SAVE_AS = "{{slug}}/index.html"
ARTICLE_URL = "{{slug}}/"
DEFAULT_PAGINATION = 10
LINKS = (("Pelican", "https://example.org/pelican"), ("Python", "https://example.org/python"))
SOCIAL = (("github", "https://example.org/github"), ("mastodon", "https://example.org/mastodon"))
GITHUB_URL = "https://example.org/github"
SITETITLE = SITENAME
SITEDESCRIPTION = SITESUBTITLE
MAIN_MENU = True
MENUITEMS = (("Archives", "/archives.html"), ("Categories", "/categories.html"), ("Tags", "/tags.html"))
COPYRIGHT_NAME = AUTHOR
COPYRIGHT_YEAR = 2026
CC_LICENSE = {{"name": "Creative Commons Attribution-ShareAlike", "version": "4.0", "slug": "by-sa", "language": "en_US"}}
"""
HEXO = """
title: {name}
subtitle: Notes on programs and how to use them
description: A blog about programs
author: The authors
language: {language}
timezone: UTC
url: https://example.org
permalink: ":title/"
theme: {theme}
per_page: 10
post_asset_folder: false
"""


def day_of(number: int) -> str:
    """The date of a post: one every few days."""
    return (FIRST_DAY + timedelta(days=3 * number)).isoformat()


def tags_of(page: PreparedPage) -> list[str]:
    """The tags of a post: longer parts of its name."""
    return [part for part in page.slug.split("-") if len(part) >= FEWEST_LETTERS][:4] or ["notes"]


def pelican_post(page: PreparedPage, number: int, category: str) -> str:
    """A post with its data, as Pelican's reader of its markup has them."""
    fields = {"date": day_of(number), "category": category, "tags": ", ".join(tags_of(page)), "slug": page.slug}
    if page.suffix == "md":
        lines = [f"Title: {page.title}", *(f"{key.title()}: {value}" for key, value in fields.items())]
        return "\n".join(lines) + f"\n\n{page.body}"
    listed = "".join(f":{key}: {value}\n" for key, value in fields.items())
    title = RST_TITLE.search(page.text)
    if title is None:
        return f"{page.title}\n{'#' * 2 * len(page.title)}\n\n{listed}\n{page.text}"
    return (
        f"{page.text[title.start() : title.end()]}\n\n{listed}\n{page.text[: title.start()]}{page.text[title.end() :]}"
    )


def pelican(order: Order) -> SiteOutcome:
    """A blog by Pelican."""
    content = order.folder / "content"
    content.mkdir()
    for number, page in enumerate(order.site.pages):
        post = pelican_post(page, number, order.site.projects[page.slug])
        (content / f"{page.slug}.{page.suffix}").write_text(post, "utf-8")
    settings = PELICAN.format(name=order.site.name, language=order.site.language, theme=order.theme)
    (order.folder / "pelicanconf.py").write_text(settings, "utf-8")
    command = [str(order.tools.python("pelican")), "-m", "pelican", "-q", "-s", "pelicanconf.py"]
    return outcome_of(order, order.folder / "out", "{}/index.html", run(command, order.folder))


def hexo_post(page: PreparedPage, number: int, category: str) -> str:
    """A post with its front matter. Braces are text, as they are in the source."""
    lines = [
        "---",
        f"title: {yaml_string(page.title)}",
        f"date: {day_of(number)} 12:00:00",
        f"updated: {day_of(number + 20)} 12:00:00",
        f"categories: [{yaml_string(category)}]",
        f"tags: [{', '.join(tags_of(page))}]",
        "disableNunjucks: true",
        "---",
    ]
    return "\n".join(lines) + f"\n{page.body}"


def hexo(order: Order) -> SiteOutcome:
    """A blog by Hexo."""
    posts = order.folder / "source" / "_posts"
    posts.mkdir(parents=True)
    for number, page in enumerate(order.site.pages):
        (posts / f"{page.slug}.md").write_text(hexo_post(page, number, order.site.projects[page.slug]), "utf-8")
    settings = HEXO.format(name=yaml_string(order.site.name), language=order.site.language, theme=order.theme)
    (order.folder / "_config.yml").write_text(settings, "utf-8")
    shutil.copy(TOOLS / "hexo.json", order.folder / "package.json")
    modules = order.tools.modules("hexo").resolve()
    (order.folder / "node_modules").symlink_to(modules)
    command = ["node", str(modules / "hexo" / "bin" / "hexo"), "generate", "--silent"]
    return outcome_of(order, order.folder / "public", "{}/index.html", run(command, order.folder))
