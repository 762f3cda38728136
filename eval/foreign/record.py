"""The dated record of a run: a table for each benchmark, of all pages and of the part that rules were not tuned on."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from foreign.pages import FOLDS, Benchmark, Page, Row, interval
from foreign.programs import Texts


@dataclass(frozen=True)
class Result:
    """What the scorer of a benchmark says of a program."""

    made: Texts
    rows: dict[str, Row]


def cells(benchmark: Benchmark, result: Result, pages: list[Page]) -> tuple[str, str, str]:
    """Precision, recall and F1 of some pages."""
    if not pages:
        return "-", "-", "-"
    totals = benchmark.totals([result.rows[page.key] for page in pages])
    return f"{totals['precision']:.3f}", f"{totals['recall']:.3f}", f"{totals['f1']:.3f}"


def table(benchmark: Benchmark, results: list[Result]) -> list[str]:
    """All programs beside each other, the best last."""
    reported = [page for page in benchmark.pages if page.part == 1]
    lines = [
        f"## {benchmark.name}",
        "",
        f"{len(benchmark.pages)} pages, {len(reported)} of them in part 1. Scorer: {benchmark.scorer}.",
        "",
        "| program | precision | recall | F1 | 95 % | F1, part 1 | without text | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for result in sorted(results, key=lambda one: cells(benchmark, one, benchmark.pages)[2]):
        precision, recall, both = cells(benchmark, result, benchmark.pages)
        low, high = interval(benchmark.pages, result.rows, benchmark.totals)
        made = result.made
        without = ", ".join(f"{count} {reason}" for reason, count in sorted(made.without.items())) or "0"
        part = cells(benchmark, result, reported)[2]
        lines.append(
            f"| {made.program} {made.version} | {precision} | {recall} | {both} | {low:.3f}..{high:.3f} | {part} "
            f"| {without} | {made.seconds:.1f} |"
        )
    return lines


def folds(benchmark: Benchmark, results: list[Result]) -> list[str]:
    """F1 of each fold of domains. Nothing is trained, so each fold says what the same rules give on other sites."""
    by_fold = [[page for page in benchmark.pages if page.fold == fold] for fold in range(FOLDS)]
    lines = [
        "",
        "F1 by fold of domains, and how far they lie apart:",
        "",
        "| program | " + " | ".join(f"{number + 1} ({len(pages)})" for number, pages in enumerate(by_fold)),
        "|---" * (FOLDS + 2) + "|",
    ]
    lines[-2] += " | mean | deviation |"
    for result in results:
        found = [benchmark.totals([result.rows[page.key] for page in pages])["f1"] for pages in by_fold if pages]
        named = [f"{one:.3f}" for one in found] + ["-"] * (FOLDS - len(found))
        mean, apart = statistics.fmean(found), statistics.pstdev(found)
        lines.append(f"| {result.made.program} | " + " | ".join(named) + f" | {mean:.3f} | {apart:.3f} |")
    return lines


def kinds(benchmark: Benchmark, results: list[Result]) -> list[str]:
    """F1 by the benchmark's own classes of pages, if it has several."""
    by_kind: dict[str, list[Page]] = {}
    for page in benchmark.pages:
        by_kind.setdefault(page.kind, []).append(page)
    if len(by_kind) < 2:
        return []
    names = sorted(by_kind)
    lines = [
        "",
        "F1 by type of page:",
        "",
        "| program | " + " | ".join(f"{name} ({len(by_kind[name])})" for name in names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    for result in results:
        found = [cells(benchmark, result, by_kind[name])[2] for name in names]
        lines.append(f"| {result.made.program} | " + " | ".join(found) + " |")
    return lines


def page(day: str, machine: str, judged: list[tuple[Benchmark, list[Result]]], others: Sequence[str] = ()) -> str:
    """The record, with what is said of benchmarks that are not about pages."""
    lines = [
        f"# Other people's benchmarks, {day}",
        "",
        "`make foreign`, which fetches nothing: benchmarks as their authors publish them, in folders of the user, each",
        "by its own scorer, all programs in one run. Pages are in two parts by the digest of their domain: rules are",
        "tuned on part 0, and part 1 tells whether they hold. Intervals are bootstrapped over domains. Seconds are for",
        "all pages, one after the other, of the command with its start, of packages without.",
        "",
        f"Machine: {machine}.",
    ]
    for benchmark, results in judged:
        lines += ["", *table(benchmark, results), *folds(benchmark, results), *kinds(benchmark, results)]
    return "\n".join([*lines, *others]) + "\n"
