#!/usr/bin/env python3
"""Writes ../src/character_reference/entities.rs from the HTML standard's named character references.

The list is taken from Python's own `html.entities`, which holds the standard's table; it has not changed
since 2011 and is frozen. Run from anywhere; `--check` compares instead of writing.
"""

import html.entities
import pathlib
import sys

TARGET = pathlib.Path(__file__).resolve().parent.parent / "src/character_reference/entities.rs"


def escaped(text):
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\u{{{ord(c):X}}}" for c in text)


def table(name, doc, rows):
    yield f"/// {doc}"
    yield f"pub(crate) static {name}: [(&str, &str); {len(rows)}] = ["
    for key, value in rows:
        yield f'    ("{key}", "{escaped(value)}"),'
    yield "];"


def render():
    whole = sorted((k[:-1], v) for k, v in html.entities.html5.items() if k.endswith(";"))
    bare = sorted((k, v) for k, v in html.entities.html5.items() if not k.endswith(";"))
    yield "//! The named character references of HTML. Written by `tables/generate_entities.py`; do not edit."
    yield ""
    yield from table("NAMED", "References written with a semicolon, by name, in byte order.", whole)
    yield ""
    yield from table("BARE", "References that also hold without a semicolon, by name, in byte order.", bare)


if __name__ == "__main__":
    text = "\n".join(render()) + "\n"
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text() != text)
    TARGET.write_text(text)
