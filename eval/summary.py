"""The summary table of docs/SCHEMES.md, made from docs/accuracy/schemes.json."""

from __future__ import annotations

import re

BEGIN, END = "<!-- summary: made by eval/schemes.py from docs/accuracy/schemes.json -->", "<!-- end of summary -->"


def per_million(numbers: list[float]) -> str:
    """A rate as one reads it."""
    value, _, high = numbers
    return f"{value:,.1f}" if value > 0 else f"0 (at most {high:,.1f})"


def expected(point: dict) -> str:
    """False pairs to expect among 10^6 documents; at most, where none was found."""
    value, _, high = point["false_per_million"]
    return f"{point['expected'][0]:,.0f}" if value > 0 else f"0 (at most {high * (1e6 - 1) / 2:,.0f})"


def summary(figures: dict) -> str:
    """The block, marks included."""
    ways = {(way["scheme"], way["measure"]): way for way in figures["ways"]}
    rows = []
    for name, scheme in figures["schemes"].items():
        point, verified = scheme["points"]["default_distance"], ways[name, "jaccard"]
        cells = [
            f"`{name}`",
            f"{scheme['bytes']}",
            f"{point['k']} of {scheme['positions']}",
            f"{point['recall'][0]:.3f}",
            per_million(point["false_per_million"]),
            expected(point),
            f"{verified['recall'][0]:.3f}",
            f"{verified['precision'][0]:.4f}",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    head = "| id | bytes | default k | recall | false pairs per million | of 10^6 documents | recall, verified | precision, verified |"
    lines = [
        BEGIN,
        f"Measured {figures['made']} on {figures['true_pairs']:,} pairs of renderings of one document (200 words or more) and {figures['unlike_pairs']:,} pairs of",
        "different documents of one language or site, from Debian packages; intervals, strata and the way it was measured are in",
        "[accuracy/schemes.md](accuracy/schemes.md). *Verified*: only pairs whose sets of word 3-shingles have a Jaccard similarity of 0.3 or more.",
        "",
        head,
        "|" + "---|" * (head.count("|") - 1),
        *rows,
        END,
    ]
    return "\n".join(lines)


def in_page(text: str, figures: dict) -> str:
    """docs/SCHEMES.md with its block replaced."""
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise SystemExit(f"the file has no block, or several, between {BEGIN!r} and {END!r}")
    return pattern.sub(lambda _: summary(figures), text)
