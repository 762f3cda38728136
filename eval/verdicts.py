"""Whether `dedup` decides as a careful person would: cases of both kinds, labelled before its rule was chosen.

    verdicts.py WORK --nearprint PROGRAM [--half tuning|reserved] [--policy POLICY]... [--report FILE]

`verdicts.tsv` names pairs of texts by where they stand in Debian packages and by what is changed in them
(`verdict_texts.py`), never the texts; the digest is that of both. A pair *contradicts* where whoever drops one loses
what it says, and is a *duplicate* where nothing is lost. Half of the cases, by the last bit of the first digit of the
digest, are reserved: no rule was ever chosen by them. Needs apt-get and dpkg-deb of Debian 12. Exit status 3 where
texts could not be made again: they are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import verdict_texts
from intervals import wilson

HERE = Path(__file__).parent
POLICIES = ["exact", "careful", "loose"]


@dataclass(frozen=True)
class Case:
    """A pair of texts and what it is."""

    kind: str
    label: str
    language: str
    a: str
    edit_a: str
    b: str
    edit_b: str
    digest: str

    @property
    def half(self) -> str:
        return "reserved" if int(self.digest[0], 16) % 2 else "tuning"


def cases() -> list[Case]:
    """All cases of the table."""
    head, *rows = (HERE / "verdicts.tsv").read_text(encoding="utf8").rstrip("\n").split("\n")
    assert head.split("\t") == list(Case.__dataclass_fields__)
    return [Case(*row.split("\t")) for row in rows]


class Texts:
    """The packages of the cases, fetched and unpacked once."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.lists = work / "lists"
        for folder in [self.lists / "partial", work / "packages", work / "trees"]:
            folder.mkdir(parents=True, exist_ok=True)

    def fetch(self, needed: set[str]) -> None:
        """Fetches packages by `NAME=VERSION`, and the descriptions of all packages."""
        if not any(self.lists.glob("*Translation-en*")):
            options = ["-o", f"Dir::State::Lists={self.lists.resolve()}", "-o", "Acquire::Languages=en"]
            subprocess.run(["apt-get", "-qq", *options, "update"], check=True)
        for package in sorted(needed):
            if not self.tree(package).exists():
                folder = self.work / "packages"
                subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=False, capture_output=True)
                stem = self.tree(package).name
                for archive in folder.glob(f"{stem}_*.deb"):
                    subprocess.run(["dpkg-deb", "-x", archive, self.tree(package)], check=True)

    def tree(self, package: str) -> Path:
        name, version = package.split("=")
        return self.work / "trees" / f"{name}_{version.replace(':', '%3a')}"

    def of(self, place: str, edit: str) -> tuple[bytes, str]:
        """The text at a place, and the ending of its name."""
        where, name, *rest = place.split()
        if where == "description":
            text = verdict_texts.descriptions(self.lists)[name]
        else:
            data = verdict_texts.raw(self.tree(where), name)
            if not rest:
                return data, ".html" if ".htm" in name else ".txt"
            parts = verdict_texts.paragraphs(data, name)
            text = "\n\n".join(parts) if rest == ["paragraphs"] else parts[int(rest[1])]
        return verdict_texts.changed(text, edit).encode(), ".txt"


def build(work: Path, wanted: list[Case]) -> tuple[list[tuple[Case, Path]], list[str]]:
    """A folder with two files for each case, and what could not be made."""
    texts = Texts(work)
    places = {place.split()[0] for case in wanted for place in (case.a, case.b)}
    texts.fetch(places - {"description"})
    found, missing = [], []
    for case in wanted:
        try:
            made = [texts.of(case.a, case.edit_a), texts.of(case.b, case.edit_b)]
        except (OSError, KeyError, IndexError):
            missing.append(f"{case.a}: not there")
            continue
        if hashlib.sha256(made[0][0] + b"\0" + made[1][0]).hexdigest()[:16] != case.digest:
            missing.append(f"{case.a}: another text")
            continue
        folder = work / "cases" / case.digest
        folder.mkdir(parents=True, exist_ok=True)
        for name, (data, ending) in zip("ab", made, strict=True):
            (folder / (name + ending)).write_bytes(data)
        found.append((case, folder))
    return found, missing


def drops(program: Path, policy: str, folder: Path) -> bool:
    """Whether `dedup` drops one of the two."""
    command = [program, "dedup", "-qq", "--format", "jsonl", "--policy", policy, folder]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return any(json.loads(line).get("decision") == "drop" for line in done.stdout.splitlines())


def table(decided: dict[Case, bool]) -> list[str]:
    """Rates of errors by kind, each with its interval."""
    groups = defaultdict(list)
    for case, is_dropped in decided.items():
        is_wrong = is_dropped == (case.label == "contradicts")
        groups[(case.label, case.kind)].append(is_wrong)
        groups[(case.label, "all")].append(is_wrong)
    lines = ["| label | kind | cases | wrong | rate | 95 % interval |", "|---|---|---|---|---|---|"]
    for (label, kind), wrong in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] == "all", item[0])):
        low, high = wilson(sum(wrong), len(wrong))
        rate = sum(wrong) / len(wrong)
        lines.append(f"| {label} | {kind} | {len(wrong)} | {sum(wrong)} | {rate:.1%} | {low:.1%} to {high:.1%} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--nearprint", type=Path, required=True)
    parser.add_argument("--half", choices=["tuning", "reserved"])
    parser.add_argument("--policy", choices=POLICIES, action="append")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list the cases that are decided otherwise")
    options = parser.parse_args()
    wanted = [case for case in cases() if options.half in (None, case.half)]
    built, missing = build(options.work, wanted)
    program = options.nearprint.resolve()
    lines = [
        "# Verdicts",
        "",
        f"Made {date.today()} by `eval/verdicts.py`, {options.half or 'both halves'}, {len(built)} cases.",
        "Wrong is a contradicting pair of which one is dropped, and a duplicate of which none is.",
    ]
    for policy in options.policy or POLICIES:
        with ThreadPoolExecutor(2) as pool:
            dropped = list(pool.map(partial(drops, program, policy), [folder for _, folder in built]))
        decided = {case: is_dropped for (case, _), is_dropped in zip(built, dropped, strict=True)}
        lines += ["", f"## {policy}", "", *table(decided)]
        if options.wrong:
            wrong = [case for case, is_dropped in decided.items() if is_dropped == (case.label == "contradicts")]
            print(*(f"{policy} {case.kind} {case.digest} {case.a} | {case.b}" for case in wrong), sep="\n")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.report:
        options.report.write_text(text, encoding="utf8")
    for reason in missing:
        print(f"left out: {reason}", file=sys.stderr)
    return 3 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
