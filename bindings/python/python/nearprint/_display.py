"""What notebooks show: comparisons side by side with the differences marked, and rows of results. Everything is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_CELL = "text-align:left;vertical-align:top;padding:2px 8px"


class Comparison(dict[str, Any]):
    """What a comparison found. In a notebook it shows both texts side by side, with the words marked that only one has."""

    texts: tuple[str, str] | None
    """The two texts; None where fingerprints were compared."""

    def __init__(self, found: Mapping[str, Any], texts: tuple[str, str] | None = None) -> None:
        super().__init__(found)
        self.texts = texts

    def _repr_html_(self) -> str:
        from nearprint._nearprint import side_by_side

        fields = "".join(
            f'<tr><th style="{_CELL}">{_shown(name)}</th><td style="{_CELL}">{_shown(value)}</td></tr>'
            for name, value in self.items()
            if not isinstance(value, list)
        )
        table = f"<table>{fields}</table>"
        return table if self.texts is None else table + side_by_side(*self.texts)


def table(
    names: Sequence[str], rows: Sequence[Mapping[str, Any]], count: int, examples: Sequence[tuple[str, str, str, str]]
) -> str:
    """The first rows of a table of `count`, and examples: two ids and their texts each."""
    from nearprint._nearprint import escaped, side_by_side

    head = "".join(f'<th style="{_CELL}">{escaped(name)}</th>' for name in names)
    body = ""
    before = None
    for row in rows:
        # A line between two clusters.
        line = ";border-top:1px solid" if before is not None and row.get("cluster") != before.get("cluster") else ""
        body += "<tr>" + "".join(f'<td style="{_CELL}{line}">{_shown(row[name])}</td>' for name in names) + "</tr>"
        before = row
    rest = f" The first {len(rows)} are shown." if len(rows) < count else ""
    shown = f"<table><tr>{head}</tr>{body}</table><p>{count} row{'' if count == 1 else 's'}.{rest}</p>"
    for one, other, a, b in examples:
        shown += f"<p><b>{escaped(one)}</b> and <b>{escaped(other)}</b></p>{side_by_side(a, b)}"
    return shown


def _shown(value: object) -> str:
    from nearprint._nearprint import escaped

    match value:
        case None:
            return ""
        case float():
            return f"{value:.4g}"
        case _:
            return escaped(str(value))
