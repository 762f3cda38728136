"""Source pages made ready for the generators: title, text without front matter, and what constructs they use."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", re.S)
FENCED = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2`*~*[ \t]*$|`[^`\n]+`", re.S | re.M)
MYST = re.compile(r"^\s*(?:```|~~~|:::)+\s*\{|\{[a-z:]+\}`|^\([\w-]+\)=$", re.M)
RAW_HTML = re.compile(r"</?[A-Za-z][^>\n]*>|<!--")
MARKDOWN_TITLE = re.compile(r"^#[ \t]+(.+?)[ \t]*#*$", re.M)
RST_TITLE = re.compile(r"^(?:([=\-~#*^\"'+`])\1{2,}\n)?[ \t]*(?!\.\. )(\S[^\n]*)\n([=\-~#*^\"'+`])\3{2,}[ \t]*$", re.M)
RST_ROLE = re.compile(r"(?<!`):([a-zA-Z][\w:+.-]*):`")
RST_DIRECTIVE = re.compile(r"^[ \t]*\.\. ([a-zA-Z][\w:+-]*)::", re.M)
PLAIN_ROLES = {"emphasis", "strong", "literal", "code", "sub", "sup", "title", "math", "pep", "rfc"}
PLAIN_DIRECTIVES = {
    *("note", "warning", "tip", "hint", "important", "caution", "danger", "attention", "error", "admonition"),
    *("code", "code-block", "image", "figure", "contents", "list-table", "csv-table", "table", "topic", "sidebar"),
    *("math", "rubric", "epigraph", "highlights", "pull-quote", "compound", "container", "parsed-literal"),
}
RELATIVE_IMAGE = re.compile(r"(!\[[^\]]*\]\()(?![a-z]+://|#)[^)\s]+")


@dataclass(frozen=True)
class PreparedPage:
    """A page as the generators get it."""

    slug: str  # its name within its site
    member: str
    suffix: str  # md or rst
    title: str
    text: str  # without front matter, with the heading
    plain: bool  # nothing that only one generator knows
    html: bool  # HTML outside of code

    @property
    def body(self) -> str:
        """The Markdown without its heading, for the generators that write the title themselves."""
        found = MARKDOWN_TITLE.search(self.text)
        return self.text[: found.start()] + self.text[found.end() :] if found else self.text


def slug_of(member: str) -> str:
    """The name of a page within its site, of a digest where its own name has none of ASCII's letters and digits."""
    path = Path(member)
    name = f"{path.parent.name}-{path.stem}" if path.stem.lower() in ("readme", "index") else path.stem
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return slug or f"page-{hashlib.sha256(member.encode()).hexdigest()[:8]}"


def only_prose(text: str) -> str:
    """Markdown without its code."""
    return FENCED.sub("", text)


def prepare_page(member: str, data: bytes) -> PreparedPage:
    """A page of an archive made ready."""
    suffix = Path(member).suffix.lstrip(".")
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    slug = slug_of(member)
    if suffix == "rst":
        found = RST_TITLE.search(text)
        roles, directives = set(RST_ROLE.findall(text)), set(RST_DIRECTIVE.findall(text))
        plain = roles <= PLAIN_ROLES and directives <= PLAIN_DIRECTIVES
        return PreparedPage(slug, member, suffix, found.group(2).strip() if found else slug, text, plain, html=False)
    front = FRONT_MATTER.match(text)
    text = text[front.end() :] if front else text
    named = re.search(r"^title:\s*[\"']?(.+?)[\"']?\s*$", front.group(1), re.M) if front else None
    heading = MARKDOWN_TITLE.search(FENCED.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), text))
    if heading:
        title = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)|<[^>]*>", r"\1", text[heading.start(1) : heading.end(1)]).strip()
    else:
        title = named.group(1) if named else slug
        text = f"# {title}\n\n{text}"
    prose = only_prose(text)
    return PreparedPage(slug, member, suffix, title or slug, text, not MYST.search(text), bool(RAW_HTML.search(prose)))


def without_relative_images(text: str) -> str:
    """Markdown whose images are all on a site: a bundler stops at one that it cannot read."""
    return RELATIVE_IMAGE.sub(r"\1https://example.org/image.png", text)


def generators_for(page: PreparedPage) -> set[str]:
    """The generators that can read a page."""
    found = {"sphinx"}
    if page.plain:
        found.add("pelican")
        if page.suffix == "md":
            found |= {"mkdocs", "hexo"} | (set() if page.html else {"vitepress"})
    return found
