"""Reads source pages into HTML of the body alone, without any site: run by the Python that has docutils and MyST,
as `python -m web.reader` in the folder of the evaluation.

Standard input has JSON lines with `suffix` and `text`; standard output has the HTML of each as a JSON string. Roles
and directives of Sphinx are read as what they print: a role as its text, a directive as its argument and content.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import ClassVar

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Directive, directives, roles
from markdown_it import MarkdownIt
from myst_parser.parsers.docutils_ import Parser

from web.pages import MYST

SILENT = {
    *("toctree", "currentmodule", "module", "py:module", "py:currentmodule", "index", "highlight", "include", "image"),
    *("autoclass", "autofunction", "automodule", "automethod", "autodata", "autoexception", "autoattribute", "only"),
    *("click:example", "click:run", "setting", "signal", "reqmeta", "conf", "event", "sig", "stat"),
    *("autosummary", "literalinclude", "testsetup", "testcleanup", "tabularcolumns", "meta", "raw", "figure", "click"),
    *("eval-rst", "default-domain", "default-role", "contents", "program", "versionchanged-hidden", "graphviz"),
}
CODE = {"code-block", "sourcecode", "code", "testcode", "doctest", "parsed-literal", "prompt", "mermaid"}
SETTINGS = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "myst_enable_extensions": ["colon_fence", "deflist"],
    "syntax_highlight": "none",
}
known_directive, known_role = directives.directive, roles.role


class StandIn(Directive):
    """A directive that is not docutils's own."""

    optional_arguments = 100
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, type]] = defaultdict(lambda: str, {"class": str})

    def run(self) -> list[nodes.Node]:
        """Its argument and its content."""
        content = "\n".join(self.content)
        if self.name in SILENT:
            return []
        if self.name in CODE:
            return [nodes.literal_block(content, content)]
        whole = nodes.container()
        if self.arguments:
            parsed, _ = self.state.inline_text(" ".join(self.arguments), self.lineno)
            whole += nodes.paragraph("", "", *parsed)
        self.state.nested_parse(self.content, self.content_offset, whole)
        return [whole]


def stand_in_role(name: str, rawtext: str, text: str, *_more: object, **_named: object) -> tuple[list, list]:
    """A role as the text that it shows: a title before a target, the last part of a name after a tilde."""
    titled = re.fullmatch(r"(.*?)\s*<[^<>]*>", text, re.S)
    shown = titled.group(1) if titled else text.lstrip("!")
    shown = shown.rpartition(".")[2] if shown.startswith("~") else shown
    return [nodes.literal(rawtext, shown)], []


def directive(name: str, language: object, document: object) -> tuple[type, list]:
    """The directive of a name: docutils's own where it prints something, else the stand-in."""
    if name not in SILENT | CODE:
        found, messages = known_directive(name, language, document)
        if found:
            return found, messages
    return StandIn, []


def role(name: str, language: object, lineno: int, reporter: object) -> tuple[Callable, list]:
    """The role of a name, else the stand-in."""
    found, messages = known_role(name, language, lineno, reporter)
    return (found, messages) if found else (stand_in_role, [])


def read(suffix: str, text: str) -> str:
    """The HTML of a page's body."""
    if suffix == "md" and not MYST.search(text):
        return MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    options = {"parser": Parser()} if suffix == "md" else {}
    return publish_parts(text, writer_name="html5", settings_overrides=SETTINGS, **options)["html_body"]


def main() -> None:
    directives.directive, roles.role = directive, role
    for line in sys.stdin:
        page = json.loads(line)
        print(json.dumps(read(page["suffix"], page["text"])), flush=True)


if __name__ == "__main__":
    main()
