"""The sources of the samples: a header of `key: value` lines, a blank line, then blocks.

Blocks are separated by blank lines:

    # Title                    ## Section heading
    > quotation                > — who said it (last line of a quotation)
    - list item                [1] entry of the reference list
    Table: caption, then rows | a | b |, the first row being the head
    Figure: caption            anything else is one paragraph

The words that open a caption may be in the document's language (CAPTIONS).
`{{old|new}}` is a change: the first edition reads `old`, the revised one `new`.
A block that is empty in one edition is left out of it. `漢字《かんじ》` is a reading
aid over the preceding ideographs: ruby in web pages, left out elsewhere.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

CAPTIONS = {
    "table": ("Table", "Tabelle", "Tableau", "Tabla", "Таблица", "表", "جدول", "तालिका", "표"),
    "figure": ("Figure", "Abbildung", "Figura", "Рисунок", "图", "図", "شكل", "चित्र", "그림"),
}
_CAPTION = re.compile(
    f"^(?:(?P<table>{'|'.join(CAPTIONS['table'])})|(?P<figure>{'|'.join(CAPTIONS['figure'])})) ?[:：] ?"
)
_CHANGE = re.compile(r"\{\{([^|{}]*)\|([^{}]*)\}\}", re.DOTALL)
RUBY = re.compile(r"([\u4e00-\u9fff]+)《([^》]+)》")


@dataclass
class Block:
    """One block: `kind` names it, `text` holds its words, the rest is for some kinds only."""

    kind: str
    text: str = ""
    items: list = field(default_factory=list)  # list items, references, or table rows
    by: str = ""  # who is quoted


@dataclass
class Document:
    """One edition of one source."""

    name: str
    lang: str
    head: dict
    title: str
    blocks: list


def without_ruby(text):
    """Drop reading aids, keeping the words they stand over."""
    return RUBY.sub(r"\1", text)


def _block(lines):
    first = lines[0]
    caption = _CAPTION.match(first)
    if first.startswith("## "):
        return Block("heading", first[3:])
    if first.startswith("# "):
        return Block("title", first[2:])
    if first.startswith("> "):
        quoted = [line.removeprefix("> ") for line in lines]
        by = quoted.pop() if re.match("—|――", quoted[-1]) else ""
        return Block("quote", " ".join(quoted), by=by)
    if first.startswith("- "):
        return Block("list", items=[line.removeprefix("- ") for line in lines])
    if re.match(r"\[\d+\] ", first):
        return Block("references", items=[line.split("] ", 1)[1] for line in lines])
    if caption:
        rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines[1:]]
        kind = "table" if caption["table"] else "figure"
        if (kind == "table") != bool(rows) or len({len(row) for row in rows}) > 1:
            raise ValueError(f"uneven or misplaced table rows after: {first}")
        return Block(kind, first[caption.end() :], items=rows)
    return Block("paragraph", " ".join(lines))


def read(path: Path, revised=False) -> Document:
    """Read one edition of the source at `path`, named `<name>.<lang>.txt`."""
    name, lang = path.name.split(".")[:2]
    header, _, body = path.read_text("utf-8").partition("\n\n")
    head = dict(line.split(": ", 1) for line in header.splitlines())
    if head["lang"] != lang:
        raise ValueError(f"{path.name}: the header says lang {head['lang']}")
    body = _CHANGE.sub(r"\2" if revised else r"\1", body)
    if "{{" in body or "}}" in body:
        raise ValueError(f"{path.name}: a change that is not {{{{old|new}}}}")
    blocks = [_block(chunk.strip().splitlines()) for chunk in body.split("\n\n") if chunk.strip()]
    if not blocks or blocks[0].kind != "title":
        raise ValueError(f"{path.name}: the first block must be the title")
    return Document(name, lang, head, blocks[0].text, blocks[1:])
