"""The volume run's own code: damage, shares of words and causes of what is missing."""

from __future__ import annotations

import tempfile
import unittest
from collections import Counter
from pathlib import Path

import coverage
import damage
import recovered
import volume_files
import volume_judged
import volume_report
from recipe import RecipeError
from volume_report import BEGIN, END
from volume_run import Job, Run, reason_of

CONTENT = b"1 0 obj << /Length 42 >> stream of some length endobj 2 0 obj " * 20
PROSE = "\n".join(f"line {number} of the harbour {chr(97 + number % 26) * 3}" for number in range(30))


class DamageTests(unittest.TestCase):
    def test_every_way_damages_and_repeats(self) -> None:
        for way in damage.WAYS:
            copy = damage.damaged(CONTENT, b"another file" * 50, way, "seed")
            self.assertNotEqual(copy, CONTENT, way)
            self.assertEqual(copy, damage.damaged(CONTENT, b"another file" * 50, way, "seed"), way)
        self.assertNotEqual(
            damage.damaged(CONTENT, b"", "flipped", "one"), damage.damaged(CONTENT, b"", "flipped", "other")
        )
        with self.assertRaises(ValueError):
            damage.damaged(CONTENT, b"", "burnt", "seed")


class CoverageTests(unittest.TestCase):
    def test_words_count_as_often_as_they_occur(self) -> None:
        wanted = coverage.counted("sea sea sea fog")
        self.assertEqual(coverage.share(wanted, coverage.counted("sea fog wind")), 0.5)
        self.assertEqual(coverage.share(wanted, wanted), 1.0)
        self.assertEqual(coverage.share(Counter(), wanted), 1.0)
        self.assertEqual(coverage.counted("har-\nbour x y"), Counter({"harbour": 1}))
        self.assertEqual(coverage.counted("\u0627\u0640\u0644"), coverage.counted("\u0627\u0644"))

    def test_heads_and_feet_are_not_missed(self) -> None:
        head = "A Running Head of Many Words Which All Pages Have and Which Goes Away"
        body = ["\n".join(f"{chr(97 + line)}{chr(97 + page)}x stays" for line in range(9)) for page in range(9)]
        pages = coverage.Reference(tuple(f"{head} {number}\n{text}" for number, text in enumerate(body)))
        self.assertEqual(coverage.covered(pages, "\n".join(body)), 1.0)
        self.assertAlmostEqual(coverage.covered(pages, "\n".join(body).replace("stays", "")), 0.5)
        # Pages that are all alike have no heads.
        alike = coverage.Reference(("line 1\nline 2",) * 9)
        self.assertEqual(coverage.covered(alike, "nothing"), 0.0)
        self.assertEqual(coverage.strict(alike, "line 1\n" * 9), 0.5)

    def test_causes(self) -> None:
        one = coverage.Reference((PROSE,))
        self.assertEqual(coverage.cause(one, None, "encrypted", ()), "no text: encrypted")
        self.assertIn("divided elsewhere", coverage.cause(one, PROSE.replace("harbour", "har bour"), "", ()))
        accents = PROSE.replace("e", "e\u0301")
        self.assertIn("accents", coverage.cause(one, accents, "", ()))
        greek = "\u03bb\u03b9\u03bc\u03ac\u03bd\u03b9 " * len(PROSE)
        self.assertIn("another alphabet", coverage.cause(one, greek, "", ("glyphs-without-unicode",)))
        self.assertIn("without Unicode", coverage.cause(one, "nothing", "", ("glyphs-without-unicode",)))
        self.assertIn("in part", coverage.cause(one, "nothing", "", ("recovered",)))
        self.assertEqual(coverage.cause(one, "nothing", "", ()), "other")
        noise = coverage.Reference(
            ("\u00cd\u00e5 \u00ee\u00f7\u00e5\u00ed\u00fc \u00ea\u00f0\u00e0\u00f2\u00ea\u00ee\u00e5",)
        )
        self.assertIn("another encoding", coverage.cause(noise, "nothing", "", ()))


class RecoveredTests(unittest.TestCase):
    def test_words_count_as_often_as_they_occur(self) -> None:
        one = recovered.recovered("a", "spliced", "sea sea fog wind", "sea sea sea fog tide noise", "tide sea lamp")
        self.assertEqual((one.intact, one.given, one.common, one.spliced), (4, 6, 3, 2))
        self.assertEqual(one.precision, 0.5)
        # Only a spliced copy has a piece of another file.
        self.assertEqual(recovered.recovered("a", "cut", "sea", "tide", "tide").spliced, 0)
        self.assertEqual(recovered.recovered("a", "cut", "sea", "", "").precision, 1.0)

    def test_ways_are_summed_by_words(self) -> None:
        found = [
            recovered.recovered("a", "cut", "sea " * 90, "sea " * 45, ""),
            recovered.recovered("b", "cut", "fog " * 10, "", ""),
            recovered.recovered("c", "spliced", "sea " * 100, "sea " * 40 + "noise " * 30 + "tide " * 10, "tide " * 50),
        ]
        rows = recovered.table(found).splitlines()[2:]
        self.assertEqual(
            rows,
            [
                "| cut | 2 | 1 | 45.0% | 1.000 | 1.000 |",
                "| spliced | 1 | 1 | 40.0% | 0.500 | 0.571 |",
                "| all | 3 | 2 | 42.5% | 0.680 | 0.739 |",
            ],
        )
        told = recovered.garbage(found)
        self.assertIn("spliced 1.", told)
        self.assertIn("| c | 80 | 0.500 |", told)
        self.assertIn("none.", recovered.garbage(found[:2]))


class RunTests(unittest.TestCase):
    def test_faults(self) -> None:
        fine = Run("text", {"warnings": [{"code": "recovered"}]}, "", 0, 0.1, 1)
        self.assertEqual((fine.fault, fine.warnings), ("", ("recovered",)))
        self.assertEqual(Run(None, None, "encrypted", 1, 0.1, 1).fault, "")
        for run in (
            Run(None, None, "worker-failed", 1, 0.1, 1),
            Run(None, None, "internal", 1, 0.1, 1),
            Run(None, None, "", 1, 0.1, 1),
            Run(None, None, "", -11, 0.1, 1),
            Run(None, None, "", -9, 0.1, 1, overdue=True),
        ):
            self.assertNotEqual(run.fault, "", run)
        self.assertEqual(reason_of("a b.pdf", "note\na b.pdf: encrypted: no password\n"), "encrypted")


class RecipeTests(unittest.TestCase):
    def test_files_are_known_by_name(self) -> None:
        for name, kind in [("a.PDF", "pdf"), ("a.pdf.gz", "pdf"), ("a.htm", "html"), ("a.txt.gz", None), ("pdf", None)]:
            self.assertEqual(volume_files.kind_of(Path(name)), kind, name)

    def test_the_report_has_its_place(self) -> None:
        text = (Path(__file__).parents[1] / "docs/accuracy/warnings.md").read_text("utf-8")
        self.assertLess(text.index(BEGIN), text.index(END))


class ReportTests(unittest.TestCase):
    def found(self, names: list[str]) -> volume_report.Found:
        source = volume_files.Source(Path("a.pdf"), "pdf", "package")
        rows: list[dict[str, object]] = [{"id": "a.pdf", "reason": None, "warnings": [{"code": "recovered"}]}]
        run = Run("text", {"warnings": []}, "", 0, 0.25, 3_000_000)
        judged = [coverage.Shortfall(name, 0.875, 0.75, "other") for name in names]
        judged += [coverage.Shortfall(f"package: {number}.pdf", 1.0, 0.89, "") for number in range(99)]
        folder, jobs = Path(), [Job(rows, 4_000_000)]
        damage = ([recovered.recovered("package: a.pdf, cut", "cut", "sea sea fog", "sea", "")], [])
        return volume_report.Found(folder, folder, [source], jobs, [(source, run)], [run], judged, damage, [], [])

    def test_the_page_is_whole_and_says_what_was_found(self) -> None:
        judged = next(iter(volume_judged.read_judgements().values()))
        found = self.found([judged.name, "package: new.pdf"])
        page = volume_report.page(found, "nearprint 9.9", "2026-01-02")
        self.assertNotIn("$", page)
        for part in (
            "Made 2026-01-02 by `scripts/test-long.sh volume` with nearprint 9.9",
            "Of 101 PDFs in which pdftotext finds 100 words or more, 99 (98.02%)",
            f"| {judged.name} | 0.875 | 0.750 | other | {judged.side} | {judged.why} |",
            "| package: new.pdf | 0.875 | 0.750 | other | not judged |  |",
            f"| {judged.side} | 1 |",
            "Judged, and no longer short of words: ",
            "| cut | 1 | 1 | 33.3% | 1.000 | 1.000 |",
        ):
            self.assertIn(part, page)
        self.assertTrue(volume_report.holds(found))
        self.assertFalse(volume_report.holds(self.found(["a", "b", "c"])))

    def test_judgements_are_checked(self) -> None:
        head = "package\tfile\tside\twhy\n"
        for rows in ("a\tb.pdf\tnobody\twhy\n", "a\tb.pdf\tours\t\n", "a\tb.pdf\tours\twhy\n" * 2):
            with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
                file.write(head + rows)
                file.flush()
                with self.assertRaises(RecipeError):
                    volume_judged.read_judgements(Path(file.name))


if __name__ == "__main__":
    unittest.main()
