"""What the volume run found, in words and tables; the prose of volume.md stands in volume_page.md."""

from __future__ import annotations

import datetime
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from string import Template

import volume_judged
from coverage import ENOUGH, Shortfall
from recipe import Package
from recovered import Recovered, garbage, table
from volume_files import Source
from volume_run import NEVER, Job, Run, codes

SHARE = 0.98  # of the PDFs, that must have enough of the words
RESIDENT = 2 << 30  # bytes that no real file may need
TEMPLATE = Path(__file__).resolve().parent / "volume_page.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


@dataclass(frozen=True)
class Found:
    """Everything a run found."""

    program: Path
    folder: Path
    sources: list[Source]
    jobs: list[Job]  # of all sources, then all damaged copies: with one thread, with two
    sheets: list[tuple[Source, Run]]  # each PDF by a command of its own
    runs: list[Run]  # the same, then the damaged copies
    judged: list[Shortfall]  # PDFs with words enough
    damage: tuple[list[Recovered], list[Recovered]]  # of the damaged copies, by the command and by pdftotext
    differing: list[str]
    missing: list[Package]

    @property
    def faults(self) -> list[str]:
        """What must never happen."""
        alone = [run.fault for run in self.runs if run.fault]
        return alone + [f"{row['id']}: {row['reason']}" for row in self.jobs[0].rows if row["reason"] in NEVER]

    @property
    def resident(self) -> int:
        """The most memory that a process took, in bytes."""
        return max([run.resident for run in self.runs] + [job.resident for job in self.jobs])

    @property
    def enough(self) -> float:
        """The share of the judged PDFs that have enough of the words."""
        return 1 - len(self.short) / len(self.judged) if self.judged else 1.0

    @property
    def short(self) -> list[Shortfall]:
        """The judged PDFs that have too few of the words."""
        return [one for one in self.judged if one.covered < ENOUGH]

    def rows(self, kind: str) -> list[dict[str, object]]:
        """The job's records of one medium; of the damaged copies for `damaged`."""
        if kind == "damaged":
            return self.jobs[0].rows[len(self.sources) :]
        return [row for source, row in zip(self.sources, self.jobs[0].rows, strict=False) if source.kind == kind]


def holds(found: Found) -> bool:
    """Whether everything asked for holds."""
    return not found.faults and not found.differing and found.enough >= SHARE and found.resident <= RESIDENT


def summary(found: Found) -> str:
    """The outcome in some lines."""
    pdf, html, copies = (len(found.rows(kind)) for kind in ("pdf", "html", "damaged"))
    ends = Counter(row["reason"] or "text" for row in found.rows("damaged"))
    judged, strict = len(found.judged), sum(one.strict >= ENOUGH for one in found.judged)
    slowest = max(run.seconds for run in found.runs)
    lines = [
        f"- PDFs: {pdf:,}; pages of HTML: {html:,}; damaged copies of PDFs: {copies:,}.",
        f"- Crashes, hangs and dead workers: {len(found.faults)}.",
        f"- Most memory of a process: {found.resident / 1e6:.0f} MB. Most time of the processor for one PDF: {slowest:.1f} s.",
        f"- Of {judged:,} PDFs in which pdftotext finds 100 words or more, {judged - len(found.short):,} "
        f"({found.enough:.2%}) give text with at least 0.9 of its words, heads and feet aside; the goal is {SHARE:.0%}. "
        f"With heads and feet, which the command leaves out, {strict:,}.",
        f"- Files whose record is another one with one thread, with two, or in a run of their own: {len(found.differing)}.",
        "- What damaged copies come to: " + ", ".join(f"{name} {count}" for name, count in ends.most_common()) + ".",
    ]
    lines.extend(f"- **{fault}**" for fault in found.faults)
    lines.extend(f"- **differs: {name}**" for name in found.differing[:20])
    return "\n".join(lines)


def reasons(found: Found) -> str:
    """What files without text say."""
    lines = ["| medium | reason | files |", "|---|---|---|"]
    for kind in ("pdf", "html"):
        counts = Counter(row["reason"] for row in found.rows(kind) if row["reason"])
        lines.extend(f"| {kind} | `{reason}` | {count} |" for reason, count in counts.most_common())
    return "\n".join(lines)


def warnings(found: Found) -> str:
    """How often each warning appears."""
    rows = {kind: found.rows(kind) for kind in ("pdf", "html")}
    seen = Counter(code for each in rows.values() for row in each for code in codes(row))
    lines = ["| warning | of PDFs | of pages of HTML |", "|---|---|---|"]
    for code, _ in seen.most_common():
        shares = [f"{sum(code in codes(row) for row in each) / max(1, len(each)):.2%}" for each in rows.values()]
        lines.append(f"| `{code}` | {' | '.join(shares)} |")
    return "\n".join(lines)


def causes(found: Found) -> str:
    """The PDFs that lack words, by cause and one by one."""
    judged = volume_judged.read_judgements()
    lines = ["| cause, by the program | PDFs |", "|---|---|"]
    lines.extend(f"| {cause} | {count} |" for cause, count in Counter(one.cause for one in found.short).most_common())
    parts = ["\n".join(lines), volume_judged.sides(found.short, judged), volume_judged.table(found.short, judged)]
    return "\n\n".join(parts) + "\n" + volume_judged.out_of_date(found.short, judged)


def damage(found: Found) -> str:
    """How much of damaged copies is recovered, and how much of that is right."""
    own, other = found.damage
    return f"{table(own)}\n\nThe same copies, read by pdftotext:\n\n{table(other)}\n\n{garbage(own)}"


def page(found: Found, told: str, today: str) -> str:
    """The whole of volume.md: the prose of the template around what was measured."""
    missing = f" {len(found.missing)} packages were no longer offered." if found.missing else ""
    template = Template(TEMPLATE.read_text("utf-8"))
    return template.substitute(
        today=today,
        told=told,
        missing=missing,
        summary=summary(found),
        reasons=reasons(found),
        damage=damage(found),
        causes=causes(found),
    )


def write(found: Found, folder: Path) -> None:
    """Writes volume.md, and the measured part of warnings.md."""
    told = subprocess.run([found.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    today = datetime.date.today().isoformat()
    (folder / "volume.md").write_text(page(found, told, today), "utf-8")
    place = folder / "warnings.md"
    before, _, rest = place.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    measured = f"Measured {today} by `scripts/test-long.sh volume` on {len(found.sources):,} files ([volume.md](volume.md)):\n\n{warnings(found)}"
    place.write_text(f"{before}{BEGIN}\n{measured}\n{END}{after}", "utf-8")
