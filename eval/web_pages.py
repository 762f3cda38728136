"""Builds the development corpus of web pages: `web_pages.py build/web`.

Each row of development-web.tsv is a page of documentation in an archive of PyPI or npm. It is built into the sites of
several generators and themes, with menus, tables of contents, links to other pages and footers around it. The source
and every theme's page are renderings of one document; the other pages of a site are different documents.

    corpus/groups.tsv               a row a file, in the columns that score.py reads, and its theme
    corpus/similar_cross_group.tsv  files of different groups whose source texts are too alike
    corpus/left_out.tsv             what the recipe names and the corpus has not, each with the reason
    corpus/references.jsonl         the main content of each group, by docutils or a Markdown parser

Exit status 0, or 3 where anything is left out, or 1 where the parsers that read the references cannot be run.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import check
from build import GROUP_COLUMNS, LEFT_OUT_COLUMNS, SIMILAR_COLUMNS
from comparison import containment, shingles
from crude import crude_words, from_markup
from recipe import HERE, write_table
from repositories import last_line
from web.archives import fetch, members
from web.blogs import hexo, pelican
from web.manuals import mkdocs, sphinx, vitepress
from web.pages import PreparedPage, generators_for, prepare_page
from web.rows import RECIPE, THEMES, SourcePage, read_rows
from web.sites import Order, Site, SiteOutcome, empty_folder
from web.tools import Tools

GENERATORS: dict[str, Callable[[Order], SiteOutcome]] = {
    "sphinx": sphinx,
    "mkdocs": mkdocs,
    "vitepress": vitepress,
    "pelican": pelican,
    "hexo": hexo,
}
BLOGS = ("pelican", "hexo")
NOT_MEASURED = {"cos", "jac3", "same_as"}  # columns of other corpora
WEB_COLUMNS = [*(name for name in GROUP_COLUMNS if name not in NOT_MEASURED), "theme"]
SIBLINGS = 12  # pages of the same folder that make up the menus of a manual
SIBLINGS_OF_BLOG = 4  # of each project
FEWEST_WORDS = 200
RENDERED = 0.5  # the share of the reference's 3-shingles that a page must have to count as a rendering


def fetch_trees(
    pages: list[SourcePage], cache: Path, python: Path
) -> tuple[dict[str, dict[str, bytes]], dict[str, str]]:
    """The pages of each project with their siblings, and the reason for each project that is missing."""
    trees: dict[str, dict[str, bytes]] = {}
    missing: dict[str, str] = {}
    for archive in dict.fromkeys(page.archive for page in pages):
        file = fetch(archive, cache, python)
        if isinstance(file, str):
            missing[archive.project] = file
            continue
        wanted = [page.member for page in pages if page.archive == archive]
        trees[archive.project] = members(file, wanted, SIBLINGS)
    return trees, missing


def references(pages: dict[str, PreparedPage], python: Path) -> dict[str, str]:
    """The text of each group's source page, by parsers that know nothing of any site."""
    lines = [json.dumps({"suffix": page.suffix, "text": page.text}) for page in pages.values()]
    command = [python, "-m", "web.reader"]
    try:
        done = subprocess.run(command, input="\n".join(lines).encode(), cwd=HERE, capture_output=True, check=False)
    except OSError as error:
        raise SystemExit(f"cannot read the references: {error}") from None
    if done.returncode:
        raise SystemExit(f"cannot read the references: {last_line(done.stderr)}")
    read = (from_markup(json.loads(line).encode()) for line in done.stdout.splitlines())
    return dict(zip(pages, read, strict=True))


def site_of(rows: list[SourcePage], trees: dict[str, dict[str, bytes]], name: str, generator: str) -> Site:
    """The pages of a site: those of the rows, and some of the same folders."""
    pages: dict[str, PreparedPage] = {}
    projects: dict[str, str] = {}
    for project in dict.fromkeys(row.archive.project for row in rows):
        wanted = [row.member for row in rows if row.archive.project == project]
        folders = {Path(member).parent for member in wanted}
        more = [name for name in trees[project] if Path(name).parent in folders and name not in wanted]
        for member in wanted + (more[:SIBLINGS_OF_BLOG] if generator in BLOGS else more):
            page = prepare_page(member, trees[project][member])
            if generator in generators_for(page) and page.slug not in pages:
                pages[page.slug], projects[page.slug] = page, project
    return Site(name, rows[0].language, list(pages.values()), projects)


def sites(rows: list[SourcePage]) -> dict[tuple[str, str], list[SourcePage]]:
    """The rows of each site by its name and theme: a manual of a project and a language, a blog of a language."""
    found: dict[tuple[str, str], list[SourcePage]] = defaultdict(list)
    for row in rows:
        for theme in row.themes:
            is_blog = THEMES[theme][0] in BLOGS
            name = f"Programs {row.language}" if is_blog else f"{row.archive.project} {row.language}"
            found[name, theme].append(row)
    return dict(sorted(found.items()))


def built_pages(
    rows: list[SourcePage], trees: dict[str, dict[str, bytes]], tools: Tools, work: Path
) -> tuple[dict[tuple[str, str], bytes], dict[str, str]]:
    """The HTML of each group and theme, and the reason for each path that could not be built."""
    pages: dict[tuple[str, str], bytes] = {}
    reasons: dict[str, str] = {}
    for (name, theme), members_of_site in sites(rows).items():
        generator, own_name = THEMES[theme]
        site = site_of(members_of_site, trees, name, generator)
        folder = empty_folder(work / f"{name.replace('/', '-').replace(' ', '-')}-{theme}")
        made = GENERATORS[generator](Order(site, own_name, folder, tools))
        slugs = {page.member: page.slug for page in site.pages}
        for row in members_of_site:
            slug = slugs.get(row.member)
            file = made.files.get(slug) if slug else None
            if file:
                pages[row.group, theme] = file.read_bytes()
            else:
                reasons[f"{row.group}/{theme}.html"] = made.reason or f"{generator} wrote no page"
        print(f"{name}, {theme}: {len(made.files)} pages {made.reason}".rstrip(), flush=True)
        shutil.rmtree(folder)
    return pages, reasons


def rows_of(
    row: SourcePage, source: bytes, reference: str, pages: dict[str, bytes], corpus: Path, reasons: dict[str, str]
) -> list[dict[str, object]]:
    """Writes the files of a group; their rows of groups.tsv, the source first."""
    words = crude_words(reference)
    if len(words) < FEWEST_WORDS:
        reasons[f"{row.group}/source.{row.suffix}"] = f"{len(words)} words"
        return []
    parts = shingles(words)
    folder = corpus / row.group
    folder.mkdir()
    table = []
    for name, medium, data, theme in [
        (f"source.{row.suffix}", row.suffix, source, ""),
        *((f"{theme}.html", "html", data, theme) for theme, data in pages.items()),
    ]:
        found = crude_words(from_markup(data)) if theme else words
        shared = containment(parts, shingles(found)) if theme else 1.0
        if shared < RENDERED:
            reasons[f"{row.group}/{name}"] = f"containment {shared:.2f} < {RENDERED}: not rendered"
            continue
        (folder / name).write_bytes(data)
        table.append(
            {
                "group_id": row.group,
                "path": f"{row.group}/{name}",
                "medium": medium,
                "lang": row.language,
                "source": f"{row.archive.registry}:{row.archive.project}={row.archive.version}:{row.member}",
                "kind": "media",
                "words": len(found),
                "ref": int(not theme),
                "cont3": f"{shared:.3f}",
                "family": row.archive.project,
                "use": "core" if theme else "ref",
                "theme": theme,
            }
        )
    return table


def similar_files(texts: dict[str, str], table: list[dict[str, object]]) -> list[dict[str, object]]:
    """The files of groups whose texts are too alike; menus that sites share do not count."""
    sketches = {group: (group, check.sketch_of(shingles(crude_words(text)))) for group, text in texts.items()}
    paths: dict[object, list[object]] = defaultdict(list)
    for row in table:
        paths[row["group_id"]].append(row["path"])
    return [
        {"containment": shared, "path_a": one, "path_b": other}
        for shared, a, b in check.similar_pairs(sketches)
        for one in paths[a]
        for other in paths[b]
    ]


def build(recipe: list[SourcePage], folder: Path, tools: Tools) -> dict[str, str]:
    """Writes the corpus; the reason for each path that is left out."""
    corpus = empty_folder(folder / "corpus")
    trees, missing = fetch_trees(recipe, folder / "archives", tools.python("fetch"))
    reasons: dict[str, str] = {}
    rows = []
    for row in recipe:
        if row.member in trees.get(row.archive.project, {}):
            rows.append(row)
        else:
            reason = missing.get(row.archive.project, f"no {row.member} in the archive")
            reasons[f"{row.group}/source.{row.suffix}"] = reason
    pages = {row.group: prepare_page(row.member, trees[row.archive.project][row.member]) for row in rows}
    texts = references(pages, tools.python("sphinx"))
    made, not_made = built_pages(rows, trees, tools, folder / "sites")
    reasons.update(not_made)
    table: list[dict[str, object]] = []
    for row in rows:
        themes = {theme: made[row.group, theme] for theme in row.themes if (row.group, theme) in made}
        source = trees[row.archive.project][row.member]
        table += rows_of(row, source, texts[row.group], themes, corpus, reasons)
    kept = {row["group_id"] for row in table}
    texts = {group: text for group, text in texts.items() if group in kept}
    lines = [json.dumps({"group_id": group, "text": text}, ensure_ascii=False) for group, text in texts.items()]
    (corpus / "references.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    write_table(corpus / "groups.tsv", WEB_COLUMNS, table)
    write_table(corpus / "similar_cross_group.tsv", SIMILAR_COLUMNS, similar_files(texts, table))
    left_out = [{"path": path, "reason": reason} for path, reason in sorted(reasons.items())]
    write_table(corpus / "left_out.tsv", LEFT_OUT_COLUMNS, left_out)
    print(f"{len(table)} files of {len(kept)} groups in {corpus}; {len(reasons)} are left out: left_out.tsv")
    return reasons


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where archives, generators and the corpus are kept")
    parser.add_argument("--recipe", type=Path, default=RECIPE, help="default: development-web.tsv beside this file")
    args = parser.parse_args()
    folder = args.folder.resolve()
    tools = Tools(folder / "tools")
    failed = tools.install()
    for name, reason in failed.items():
        print(f"generator missing: {name}: {reason}", file=sys.stderr)
    if "sphinx" in failed:
        raise SystemExit("cannot read the references without docutils and MyST, which are in the environment sphinx")
    return 3 if build(read_rows(args.recipe), folder, tools) else 0


if __name__ == "__main__":
    sys.exit(main())
