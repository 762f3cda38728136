"""Writes the documents of the standard as HTML and PDF that people would print: `standard_pages.py DIRECTORY [--no-pdf]`.

HTML is made by markdown-it-py: a table of contents, an anchor for each heading and each clause, and a link wherever a
clause is named. PDF is what Chromium prints of it (Debian: chromium fonts-noto-core fonts-noto-cjk; CHROMIUM names
another one); without Chromium there is none, and the program says so. Files that pages link to, such as tables, are not
copied: --link-base names the address of spec/ that such links lead to.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec"
PAGES = ("SPEC.md", "CUSTOM.md", "INTERCHANGE.md", "PROFILE.md", "PASSAGES.md", "QUESTIONS.md", "GLOSSARY.md")
CLAUSE = re.compile(r"\[(\d+\.\d+)\]")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
STYLE = """
@page { size: A4; margin: 22mm 20mm 20mm; @bottom-center { content: counter(page); font: 9pt sans-serif; color: #555 } }
:root { color-scheme: light }
body { font: 11pt/1.45 "Noto Serif", Georgia, serif; color: #111; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6em; line-height: 1.2 } h2 { font-size: 1.25em; margin-top: 2em } h3 { font-size: 1.05em }
h1, h2, h3, nav { font-family: "Noto Sans", sans-serif } h1, h2, h3 { break-after: avoid }
nav ol { list-style: none; padding-left: 0; columns: 2; font-size: .9em } nav li { break-inside: avoid }
a { color: #14418b; text-decoration: none } a:hover { text-decoration: underline }
a.clause { color: inherit } p:target, li:target { background: #fff3c4 }
code, pre { font-family: "Noto Sans Mono", "DejaVu Sans Mono", monospace; font-size: .84em }
pre { background: #f5f5f2; padding: .7em; overflow-x: auto; line-height: 1.3; font-size: .74em; break-inside: avoid }
pre code { font-size: 1em }
table { border-collapse: collapse; width: calc(100% - 1px); font-size: .88em; margin: 1em 0 }
th, td { border: 1px solid #bbb; padding: .3em .5em; text-align: left; vertical-align: top; overflow-wrap: break-word }
th { background: #f0f0ec } tr { break-inside: avoid } p { orphans: 3; widows: 3 }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt } a { color: inherit }
  pre { white-space: pre-wrap; overflow: visible; font-size: .64em } }
"""


def anchor(title: str) -> str:
    """The name of a heading, as links in the pages have it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def clause_pages() -> dict[str, str]:
    """The page that has each clause."""
    found = {}
    for name in PAGES:
        for clause in re.findall(r"^\[(\d+\.\d+)\]", (SPEC / name).read_text("utf-8"), re.MULTILINE):
            found[clause] = f"{Path(name).stem}.html"
    return found


class Page:
    """A document, and how it becomes a page."""

    def __init__(self, name: str, clauses: dict[str, str], base: str | None) -> None:
        self.name, self.clauses, self.base = name, clauses, base
        self.contents: list[tuple[str, str]] = []
        self.title = ""

    def html(self) -> str:
        parser = MarkdownIt("commonmark").enable("table")
        tokens = parser.parse((SPEC / self.name).read_text("utf-8"))
        tokens = [token for token in tokens if token.type != "html_block"]
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                self.open_heading(token, tokens[at + 1].content)
            elif token.type == "inline":
                self.open_clause(tokens[at - 1], token)
                token.children = self.linked(token.children or [])
        body = parser.renderer.render(tokens, parser.options, {})
        head, end, rest = body.partition("</h1>")
        return self.framed(head + end + self.table_of_contents() + rest)

    def open_heading(self, token: Token, title: str) -> None:
        name = anchor(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title.replace("`", "")))
        token.attrSet("id", name)
        if token.tag == "h1":
            self.title = title
        elif token.tag == "h2":
            self.contents.append((name, title.replace("`", "")))

    def open_clause(self, parent: Token, token: Token) -> None:
        """A clause is where its paragraph begins."""
        found = CLAUSE.match(token.content)
        if found and parent.type == "paragraph_open":
            parent.attrSet("id", found[1])

    def linked(self, children: list[Token]) -> list[Token]:
        """Links to other pages lead to their HTML, and clauses that are named are links."""
        done: list[Token] = []
        within = 0
        for child in children:
            if child.type == "html_inline":
                continue
            within += (child.type == "link_open") - (child.type == "link_close")
            if child.type == "link_open":
                child.attrSet("href", self.target(str(child.attrGet("href"))))
            if child.type == "text" and not within:
                done += self.clause_links(child.content)
            else:
                done.append(child)
        return done

    def target(self, link: str) -> str:
        path, hash_, heading = link.partition("#")
        if path in PAGES:
            return f"{Path(path).stem}.html{hash_}{heading}"
        return f"{self.base}/{link}" if self.base and path and "://" not in link else link

    def clause_links(self, text: str) -> list[Token]:
        parts = CLAUSE.split(text)
        tokens: list[Token] = []
        for at, part in enumerate(parts):
            token = Token("text", "", 0, content=part)
            if at % 2 and part in self.clauses:
                page = self.clauses[part] if self.clauses[part] != f"{Path(self.name).stem}.html" else ""
                token = Token("html_inline", "", 0, content=f'<a class="clause" href="{page}#{part}">[{part}]</a>')
            elif at % 2:
                token.content = f"[{part}]"
            tokens.append(token)
        return tokens

    def table_of_contents(self) -> str:
        if len(self.contents) < 3:
            return ""
        lines = "".join(f'<li><a href="#{name}">{html.escape(title)}</a></li>' for name, title in self.contents)
        return f'<nav aria-label="Contents"><ol>{lines}</ol></nav>'

    def framed(self, body: str) -> str:
        title = html.escape(self.title)
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        return f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n'


def chromium() -> str | None:
    """The browser that prints."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)


def print_pdf(browser: str, page: Path) -> None:
    """Prints a page beside itself."""
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={page.with_suffix('.pdf')}"]
    if os.getuid() == 0:
        options.append("--no-sandbox")
    subprocess.run([browser, *options, page.as_uri()], check=True, stderr=subprocess.DEVNULL, timeout=120)


def broken_links(folder: Path) -> list[str]:
    """Links of the pages to anchors that are not there."""
    texts = {file.name: file.read_text("utf-8") for file in folder.glob("*.html")}
    wrong = []
    for name, text in texts.items():
        for link in re.findall(r'href="([^":]*#[^"]+)"', text):
            page, _, heading = link.partition("#")
            if page in ("", *texts) and f'id="{heading}"' not in texts[page or name]:
                wrong.append(f"{name}: {link}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIRECTORY")
    parser.add_argument("--no-pdf", action="store_true", help="HTML only")
    parser.add_argument("--link-base", metavar="URL", help="where links to other files of spec/ lead")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    clauses = clause_pages()
    for name in PAGES:
        page = arguments.folder / f"{Path(name).stem}.html"
        page.write_text(Page(name, clauses, arguments.link_base).html(), "utf-8")
    if wrong := broken_links(arguments.folder):
        print("\n".join(wrong), file=sys.stderr)
        return 1
    if arguments.no_pdf:
        return 0
    browser = chromium()
    if not browser:
        print("no PDF was made: install Chromium (Debian: chromium), or name one in CHROMIUM", file=sys.stderr)
        return 0
    for name in PAGES:
        print_pdf(browser, (arguments.folder / f"{Path(name).stem}.html").resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
