"""The goals that were set before anything was measured, and what a record says of each.

A goal names a figure of the record, what it should be at least or at most, and how both are written.
"""

import contextlib
from dataclasses import dataclass

from record import CORES


class MissingError(Exception):
    """The record has no such row."""


class Rows:
    """A record's rows, to be found by what was asked for."""

    def __init__(self, data):
        self.rows = [row for row in data["rows"] if "failed" not in row]
        self.cores = data["machine"].get("cores", CORES)

    def all(self, what, verb, **options):
        def suits(row):
            had = row.get("options", {})
            # A set is uniform unless its row says otherwise.
            kind = options.get("kind", "uniform")
            return (
                row["what"] == what
                and row["verb"] == verb
                and all(had.get(key) == wanted for key, wanted in options.items() if key != "kind")
                and had.get("kind", "uniform") == kind
                and ("file" in had) == ("file" in options)
            )

        return [row for row in self.rows if suits(row)]

    def best(self, figure, what, verb, **options):
        """The least figure of the rows that suit."""
        found = [row[figure] for row in self.all(what, verb, **options) if figure in row]
        if not found:
            raise MissingError
        return min(found)

    def pairs(self, n, k, threads, figure="seconds", **more):
        return self.best(figure, "nearprint", "pairs", n=n, k=k, threads=threads, **more)


def against_simhash(n, threads):
    return lambda rows: (
        rows.best("seconds", "simhash", "simhash", n=n, k=3)
        / rows.pairs(n, 3, rows.cores if threads == "all" else threads)
    )


def seconds(n, k, **more):
    return lambda rows: rows.pairs(n, k, rows.cores, **more)


def memory(n, k):
    return lambda rows: rows.pairs(n, k, rows.cores, figure="peak_gib")


def times_a_sort(n):
    return lambda rows: rows.pairs(n, 3, rows.cores) / rows.best("seconds", "nearprint", "sort", n=n)


def billion(figure):
    return lambda rows: rows.best(figure, "nearprint", "billion")


def skew(n, k):
    return lambda rows: rows.pairs(n, k, rows.cores, kind="skewed") / rows.pairs(n, k, rows.cores)


def query(figure, n, k):
    return lambda rows: rows.best(figure, "nearprint", "queries", n=n, k=k)


def against_faiss(n, k):
    def compare(rows):
        theirs = [rows.best("us", verb, verb, n=n, k=k) for verb in ("faiss", "flat") if rows.all(verb, verb, n=n, k=k)]
        if not theirs:
            raise MissingError
        return min(theirs) / query("batch_us", n, k)(rows)

    return compare


def joined_by_faiss(n, k):
    """FAISS asked for each print in turn, from the time of a few, against one join."""
    return lambda rows: rows.best("us", "flat", "flat", n=n, k=k) * n / 1e6 / rows.pairs(n, k, 1)


def text(scheme, **more):
    return lambda rows: max(
        (row["mb_s"] for row in rows.rows if row["verb"] == "text" and row["options"].get("scheme") == scheme),
        default=None,
    )


def text_against(scheme, peer):
    def compare(rows):
        theirs = [row["mb_s"] for row in rows.rows if row["verb"] == peer]
        if not theirs:
            raise MissingError
        return text(scheme)(rows) / max(theirs)

    return compare


def markup(media):
    def best(rows):
        found = [
            row["mb_s"]
            for row in rows.rows
            if row["verb"] == "markup" and row["options"]["media"] == media and "engine" not in row["options"]
        ]
        if not found:
            raise MissingError
        return max(found)

    return best


def pdf_against(figure, inverse=False):
    """What pdftotext has of it for each of ours, or the other way round."""

    def compare(rows):
        ours, theirs = (rows.best(figure, what, "pdf") for what in ("command", "pdftotext"))
        return ours / theirs if inverse else theirs / ours

    return compare


def cores(rows):
    """All cores against one: with two, for other numbers there is no goal."""
    if rows.cores != 2:
        raise MissingError
    seconds = [rows.best("seconds", "command", "cores", isolate="heavy", threads=threads) for threads in (1, 2)]
    return seconds[0] / seconds[1]


def growth(rows):
    """The worst growth of the time a print takes, from one decade to the next."""
    each = {}
    for exponent in range(5, 9):
        each[exponent] = rows.pairs(10**exponent, 3, rows.cores) / 10**exponent
    with contextlib.suppress(MissingError):
        each[9] = billion("seconds")(rows) / 10**9
    return max(each[exponent + 1] / each[exponent] for exponent in each if exponent + 1 in each)


@dataclass
class Goal:
    work: str
    figure: object
    unit: str
    least: float | None = None
    most: float | None = None


GOALS = [
    Goal("all pairs, 10^6, k = 3, one core, against simhash-cpp", against_simhash(10**6, 1), "x", least=50),
    Goal("all pairs, 10^6, k = 3, all cores, against simhash-cpp", against_simhash(10**6, "all"), "x", least=100),
    Goal("all pairs, 10^7, k = 3, one core, against simhash-cpp", against_simhash(10**7, 1), "x", least=50),
    Goal("all pairs, 10^7, k = 3, all cores, against simhash-cpp", against_simhash(10**7, "all"), "x", least=100),
    Goal("all pairs, 10^8, k = 3", seconds(10**8, 3), " s", most=3.5),
    Goal("the same, memory", memory(10**8, 3), " GiB", most=3),
    Goal("the same, against the faster sort of the same integers", times_a_sort(10**8), "x", most=3),
    Goal("all pairs, 10^9, k = 3", billion("seconds"), " s", most=60),
    Goal("the same, memory", billion("peak_gib"), " GiB", most=20),
    Goal("all pairs, 10^7, k = 6", seconds(10**7, 6), " s", most=3),
    Goal("all pairs, 10^7, k = 8", seconds(10**7, 8), " s", most=20),
    Goal("the same on one core, against FAISS by brute force", joined_by_faiss(10**7, 8), "x", least=1),
    Goal("all pairs, 10^7, k = 3, skewed against uniform", skew(10**7, 3), "x", most=2),
    Goal("all pairs, 10^7, k = 6, skewed against uniform", skew(10**7, 6), "x", most=2),
    Goal("all pairs, 10^7, k = 8, skewed against uniform", skew(10**7, 8), "x", most=2),
    Goal("queries, 10^7, k = 3, one core, in batches", query("batch_us", 10**7, 3), " us", most=0.8),
    Goal("the same alone, p50", query("alone_p50_us", 10**7, 3), " us", most=5),
    Goal("the same in batches, against FAISS at its best", against_faiss(10**7, 3), "x", least=10),
    Goal("queries, 10^7, k = 6, one core, in batches", query("batch_us", 10**7, 6), " us", most=60),
    Goal("the same, against FAISS at its best", against_faiss(10**7, 6), "x", least=10),
    Goal("queries, 10^7, k = 8, one core, in batches", query("batch_us", 10**7, 8), " us", most=300),
    Goal("the same, against FAISS at its best", against_faiss(10**7, 8), "x", least=10),
    Goal("query index, bytes a print beyond print and id", query("bytes_beyond", 10**7, 3), " bytes", most=24),
    Goal("English text to sd1, one core", text("sd1"), " MB/s", least=1200),
    Goal("the same, against ClickHouse's wordShingleSimHash (chdb)", text_against("sd1", "chdb"), "x", least=3),
    Goal("English text to md1, one core", text("md1"), " MB/s", least=300),
    Goal("the same, against rensa's RMinHash of 128", text_against("md1", "rensa"), "x", least=6),
    Goal("HTML to text, one core", markup("text/html"), " MB/s", least=200),
    Goal("XML to text, one core", markup("application/xml"), " MB/s", least=200),
    Goal("PDF to text, processor time a page, against pdftotext", pdf_against("cpu"), "x", least=2),
    Goal("the same, agreement with the document's HTML, XML or text", pdf_against("agreement", True), "x", least=1),
    Goal("manuals in many media to prints, two cores against one", cores, "x", least=1.8),
    Goal("growth of the time a print takes, worst decade of 10^5 to 10^9", growth, "x", most=1.5),
]


def judge(data):
    """For each goal: the work, the goal, what was measured, and whether it is met or by what factor it is missed."""
    rows = Rows(data)
    for goal in GOALS:
        wanted = f">= {goal.least:g}{goal.unit}" if goal.least is not None else f"<= {goal.most:g}{goal.unit}"
        try:
            measured = goal.figure(rows)
        except MissingError:
            measured = None
        if measured is None:
            yield goal.work, wanted, "–", "not measured"
            continue
        missed = goal.least / measured if goal.least is not None else measured / goal.most
        verdict = "met" if missed <= 1 else f"missed by {missed:.2g}x"
        yield (
            goal.work,
            wanted,
            f"{measured:.3g}{goal.unit}" if measured < 1000 else f"{measured:,.0f}{goal.unit}",
            verdict,
        )
