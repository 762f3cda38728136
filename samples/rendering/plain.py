"""Plain text: 76 columns for scripts with spaces, 38 ideographs for Japanese, whole paragraphs else."""

import textwrap
import unicodedata

from .source import Document, without_ruby

COLUMNS = 76
_NEVER_FIRST = "、。，．：；？！）」』】〉》・ーっゃゅょァィゥェォッャュョ々"  # may not begin a line


def _width(text):
    total = 0
    for char in text:
        if unicodedata.east_asian_width(char) in "WF":
            total += 2
        elif not unicodedata.combining(char):
            total += 1
    return total


def _wrap_ideographs(text, indent):
    lines, line = [], indent
    for char in text:
        if _width(line) >= COLUMNS and char not in _NEVER_FIRST:
            lines.append(line)
            line = indent
        line += char
    return "\n".join([*lines, line])


def _fill(text, lang, first="", rest=""):
    if lang in ("zh", "th"):
        return first + text
    if lang == "ja":
        return _wrap_ideographs(first.strip() + text, rest)
    return textwrap.fill(
        text, COLUMNS, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def _table(rows):
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append(("  " + "   ".join(cells)).rstrip())
    rule = "  " + "-" * (sum(widths) + 3 * (len(widths) - 1))
    return "\n".join([lines[0], rule, *lines[1:]])


def render(document: Document) -> str:
    """The document as text, lines ended by a line feed."""
    lang = document.lang
    title = document.title
    out = [f"{title}\n{'=' * min(_width(title), COLUMNS)}", document.head["author"]]
    for block in document.blocks:
        text = without_ruby(block.text)
        items = block.items if block.kind == "table" else [without_ruby(i) for i in block.items]
        if block.kind == "heading":
            out.append(f"{text}\n{'-' * _width(text)}")
        elif block.kind == "quote":
            out.append(_fill(text, lang, "    ", "    "))
            if block.by:
                out[-1] += f"\n    {block.by}"
        elif block.kind == "list":
            out.append("\n".join(_fill(item, lang, "  * ", "    ") for item in items))
        elif block.kind == "references":
            out.append("\n".join(_fill(item, lang, f"[{n}] ", "    ") for n, item in enumerate(items, 1)))
        elif block.kind == "table":
            out.append(f"{_fill(text, lang)}\n\n{_table(items)}")
        elif block.kind == "figure":
            out.append("[" + _fill(text, lang) + "]")
        else:
            out.append(_fill(text, lang, "　　" if lang == "zh" else ""))
    return "\n\n".join(out) + "\n"
