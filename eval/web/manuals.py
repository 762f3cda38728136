"""Sites of documentation by Sphinx, MkDocs and VitePress: a header, a tree of all pages, the page's own contents."""

from __future__ import annotations

import json
from pathlib import Path

from web.pages import without_relative_images
from web.sites import Order, SiteOutcome, outcome_of, yaml_string
from web.tools import run

SPHINX_CONF = """
project = {name!r}
author = "The authors of " + project
copyright = "2026, " + author
release = "1.0"
language = {language!r}
extensions = ["myst_parser", "sphinx.ext.doctest"]
myst_enable_extensions = ["colon_fence", "deflist"]
suppress_warnings = ["*"]
html_theme = {theme!r}
html_last_updated_fmt = "2026-11-02"  # a fixed day, so that two builds are alike
html_context = {{
    "display_github": True,
    "github_user": "example",
    "github_repo": "manual",
    "github_version": "main",
    "conf_py_path": "/docs/",
    "doc_path": "docs",
}}
html_theme_options = {options!r}


def setup(app):
    # Roles of extensions that are not here: their text, as those extensions print it.
    for name in {roles!r}:
        app.add_role(name, lambda *given: ([__import__("docutils.nodes").nodes.literal("", given[2])], []))
"""
ROLES = [
    "setting",
    "signal",
    "reqmeta",
    "stat",
    "gh",
    "bug",
    "rev",
    "sha",
    "commit",
    "issue",
    "pr",
    "user",
    "sig",
    "pypi",
    "conf",
    "state",
    "control",
    "event",
    "octicon",
]
REPOSITORY = "https://example.org/manual"
SPHINX_OPTIONS = {
    "alabaster": {"description": "The manual of the project", "show_relbars": True, "fixed_sidebar": True},
    "furo": {"source_repository": "https://github.com/example/manual", "source_branch": "main"},
    "pydata_sphinx_theme": {"use_edit_page_button": True, "github_url": REPOSITORY, "show_prev_next": True},
    "sphinx_book_theme": {"repository_url": "https://github.com/example/manual", "use_issues_button": True},
}
MKDOCS = """
site_name: {name}
site_url: https://example.org/
site_description: The manual of the project
repo_url: https://github.com/example/manual
edit_uri: edit/main/docs/
copyright: Copyright 2026 the authors
theme:
  name: {theme}
{more}
markdown_extensions: [tables, fenced_code, admonition, attr_list, def_list, footnotes]
"""
MATERIAL = """  language: {language}
  features: [navigation.tabs, navigation.footer, navigation.top, toc.follow, content.action.edit, content.code.copy]
extra:
  social:
    - icon: fontawesome/brands/github
      link: https://github.com/example
"""
VITEPRESS = """
export default {{
  title: {name},
  description: 'The manual of the project',
  lang: {language},
  ignoreDeadLinks: true,
  cleanUrls: false,
  themeConfig: {{
    nav: [{{ text: 'Home', link: '/' }}, {{ text: 'Guide', link: '/{first}' }}, {{ text: 'Blog', link: '/blog' }}],
    sidebar: [{{ text: 'Guide', collapsed: false, items: {items} }}],
    outline: [2, 3],
    editLink: {{ pattern: 'https://github.com/example/manual/edit/main/:path' }},
    socialLinks: [{{ icon: 'github', link: 'https://github.com/example/manual' }}],
    footer: {{ message: 'Released under the licence of the project.', copyright: 'Copyright 2026 the authors' }}
  }}
}}
"""


def sphinx(order: Order) -> SiteOutcome:
    """A manual by Sphinx, with the pages in one tree."""
    source, out = order.folder / "source", order.folder / "out"
    source.mkdir()
    for page in order.site.pages:
        (source / f"{page.slug}.{page.suffix}").write_text(page.text, "utf-8")
    names = "\n".join(f"   {page.slug}" for page in order.site.pages)
    index = f"{order.site.name}\n{'=' * 2 * len(order.site.name)}\n\n.. toctree::\n   :maxdepth: 2\n   :caption: Guide\n\n{names}\n"
    (source / "index.rst").write_text(index, "utf-8")
    conf = SPHINX_CONF.format(
        name=order.site.name,
        language=order.site.language.replace("-", "_"),
        theme=order.theme,
        roles=ROLES,
        options=SPHINX_OPTIONS.get(order.theme, {}),
    )
    (source / "conf.py").write_text(conf, "utf-8")
    command = [str(order.tools.python("sphinx")), "-m", "sphinx", "-q", "-b", "html"]
    return outcome_of(order, out, "{}.html", run([*command, str(source), str(out)], order.folder))


def mkdocs(order: Order) -> SiteOutcome:
    """A manual by MkDocs."""
    docs = order.folder / "docs"
    docs.mkdir()
    for page in order.site.pages:
        (docs / f"{page.slug}.md").write_text(page.text, "utf-8")
    (docs / "index.md").write_text(f"# {order.site.name}\n\nThe manual.\n", "utf-8")
    language = {"zh-CN": "zh"}.get(order.site.language, order.site.language)
    more = MATERIAL.format(language=language) if order.theme == "material" else ""
    settings = MKDOCS.format(name=yaml_string(order.site.name), theme=order.theme, more=more)
    (order.folder / "mkdocs.yml").write_text(settings, "utf-8")
    command = [str(order.tools.python("mkdocs")), "-m", "mkdocs", "build", "-q", "-d", str(order.folder / "out")]
    return outcome_of(order, order.folder / "out", "{}/index.html", run(command, order.folder))


def vitepress(order: Order) -> SiteOutcome:
    """A manual by VitePress. Double braces are text, as they are in the source."""
    pages = [page for page in order.site.pages if page.plain and not page.html]
    if not pages:
        return SiteOutcome({}, "no page without HTML")
    for page in pages:
        text = without_relative_images(page.text)
        (order.folder / f"{page.slug}.md").write_text(f"::::: v-pre\n\n{text}\n\n:::::\n", "utf-8")
    (order.folder / "index.md").write_text(f"# {order.site.name}\n", "utf-8")
    items = json.dumps([{"text": page.title, "link": f"/{page.slug}"} for page in pages], ensure_ascii=False)
    (order.folder / ".vitepress").mkdir()
    settings = VITEPRESS.format(
        name=yaml_string(order.site.name),
        language=yaml_string(order.site.language),
        first=pages[0].slug,
        items=items,
    )
    (order.folder / ".vitepress" / "config.mjs").write_text(settings, "utf-8")
    modules = order.tools.modules("vitepress").resolve()
    (order.folder / "node_modules").symlink_to(modules)
    command = ["node", str(modules / "vitepress" / "bin" / "vitepress.js"), "build", "."]
    return outcome_of(order, Path(order.folder, ".vitepress", "dist"), "{}.html", run(command, order.folder))
