"""Citations that people found twice: what `dedup` drops of them, by the formula of ASySD's own check.

A set is a CSV file with the columns `title`, `author`, `year`, `journal`, `abstract`, `record_id` and `label`, as ASySD's
authors publish theirs (OSF 2b8uq). A record is labelled as one that stays or as a duplicate that goes. As in their
`calculate_performance_function.R`, of records that a program takes for one the record that people kept stays.
"""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

KEPT = {"unique", "in_database"}
GONE = {"duplicate", "duplicate_in_trash"}
FIELDS = ("title", "author", "year", "journal", "abstract")
POLICIES = ("exact", "careful", "loose")

Row = dict[str, str]
Groups = Iterable[list[Row]]  # records that are taken for one


@dataclass(frozen=True)
class Score:
    """Duplicates that go, and others that stay, each of all."""

    program: str
    gone: int
    duplicates: int
    stay: int
    others: int

    def line(self) -> str:
        sensitivity, specificity = self.gone / max(self.duplicates, 1), self.stay / max(self.others, 1)
        return (
            f"| {self.program} | {sensitivity:.4f} ({self.gone} of {self.duplicates}) "
            f"| {specificity:.4f} ({self.stay} of {self.others}) |"
        )


def sets(folder: Path) -> dict[str, list[Row]]:
    """The labelled sets in a folder, by file."""
    found = {}
    for path in sorted(folder.rglob("*.csv")):
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            rows = list(csv.DictReader(lines))
        if rows and {"title", "record_id", "label"} <= set(rows[0]):
            known = [row for row in rows if row["label"].lower() in KEPT | GONE]
            if known:
                found[str(path.relative_to(folder))] = known
    return found


def score(program: str, rows: list[Row], groups: Groups) -> Score:
    """What is right if one record of each group stays; what is in no group stays, too."""
    goes = set()
    for group in groups:
        kept_first = sorted(group, key=lambda row: row["label"].lower() not in KEPT)
        goes.update(row["record_id"] for row in kept_first[1:])
    duplicates = [row["record_id"] for row in rows if row["label"].lower() in GONE]
    others = [row["record_id"] for row in rows if row["label"].lower() in KEPT]
    gone, stay = sum(one in goes for one in duplicates), sum(one not in goes for one in others)
    return Score(program, gone, len(duplicates), stay, len(others))


def same(rows: list[Row], field: str) -> Groups:
    """Records with the same value in a field, letters and digits alone: what a spreadsheet finds."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        value = "".join(filter(str.isalnum, row.get(field, "").lower()))
        groups.setdefault(value if value and value != "na" else row["record_id"] + "\n", []).append(row)
    return groups.values()


def by_command(program: Path, rows: list[Row], policy: str) -> Groups:
    """The clusters of `dedup`, of each record's title, authors, year, journal and abstract."""
    with tempfile.TemporaryDirectory() as folder:
        records, decisions = Path(folder, "records.jsonl"), Path(folder, "decisions.jsonl")
        with records.open("w", encoding="utf-8") as out:
            for row in rows:
                values = [row[name] for name in FIELDS if row.get(name, "NA") not in ("", "NA")]
                out.write(json.dumps({"id": row["record_id"], "text": "\n".join(values)}) + "\n")
        command = [program, "dedup", "-qq", "--policy", policy, "--json", "-o", decisions, records]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        made = [json.loads(line) for line in decisions.read_bytes().splitlines()]
    by_id = {row["record_id"]: row for row in rows}
    groups: dict[str, list[Row]] = {}
    for decision in made:
        is_dropped = decision["decision"] == "drop"
        groups.setdefault(decision["representative"] if is_dropped else decision["id"], []).append(
            by_id[decision["id"]]
        )
    return groups.values()


def page(folder: Path, program: Path) -> list[str]:
    """The part of the record about the sets of a folder."""
    lines = ["", "## Citations with labels of people", "", "Scorer: that of ASySD's own check, in its two rates."]
    for name, rows in sets(folder).items():
        scores = [score(f"same {field}", rows, same(rows, field)) for field in ("doi", "title")]
        scores += [score(f"dedup --policy {one}", rows, by_command(program, rows, one)) for one in POLICIES]
        lines += ["", f"{name}, {len(rows)} records:", "", "| program | duplicates that go | others that stay |"]
        lines += ["|---|---|---|", *(one.line() for one in scores)]
    return lines
