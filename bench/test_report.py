"""The report, its goals, and a run that goes wrong: what is said of each."""

import pathlib
import tempfile
import unittest

import extraction_rows
import goals
import report
import run
from record import Record, Section


def row(what, verb, figures, **options):
    return {"what": what, "verb": verb, "options": options, "command": verb} | figures


def data(*rows):
    return {
        "form": "full",
        "date": "2026-01-01",
        "machine": {"cores": 2, "processor": "P", "rustc": "R"},
        "sections": [],
        "rows": list(rows),
    }


def verdicts(*rows):
    return {work: (measured, verdict) for work, _, measured, verdict in goals.judge(data(*rows))}


class Goals(unittest.TestCase):
    work = "all pairs, 10^6, k = 3, one core, against simhash-cpp"

    def test_a_goal_is_met_or_missed_by_a_factor(self):
        peer = row("simhash", "simhash", {"seconds": 1.0}, n=10**6, k=3, blocks=5)
        fast = row("nearprint", "pairs", {"seconds": 0.01}, n=10**6, k=3, threads=1)
        slow = row("nearprint", "pairs", {"seconds": 0.04}, n=10**6, k=3, threads=1)
        self.assertEqual(verdicts(peer, fast)[self.work], ("100x", "met"))
        self.assertEqual(verdicts(peer, slow)[self.work], ("25x", "missed by 2x"))

    def test_what_was_not_measured_or_failed_is_not_met(self):
        failed = row("simhash", "simhash", {"failed": "no compiler", "seconds": 1.0}, n=10**6, k=3)
        fast = row("nearprint", "pairs", {"seconds": 0.01}, n=10**6, k=3, threads=1)
        self.assertEqual(verdicts(failed, fast)[self.work], ("–", "not measured"))
        self.assertEqual({verdict for _, verdict in verdicts().values()}, {"not measured"})

    def test_skewed_sets_and_files_do_not_stand_for_uniform_ones(self):
        rows = [
            row("nearprint", "pairs", {"seconds": 9.0}, n=10**7, k=6, threads=2, kind="uniform"),
            row("nearprint", "pairs", {"seconds": 1.0}, n=10**7, k=6, threads=2, kind="skewed"),
            row("nearprint", "pairs", {"seconds": 0.1}, n=10**7, k=6, threads=2, file="real.bin"),
        ]
        self.assertEqual(verdicts(*rows)["all pairs, 10^7, k = 6"], ("9 s", "missed by 3x"))


class Extraction(unittest.TestCase):
    def test_rates_are_those_of_nearprint_alone(self):
        rows = [
            row("nearprint", "markup", {"mb_s": 150.0}, media="text/html"),
            row("nearprint", "markup", {"mb_s": 900.0}, media="text/html", engine="html5gum"),
            row("nearprint", "markup", {"mb_s": 250.0}, media="application/xml"),
        ]
        found = verdicts(*rows)
        self.assertEqual(found["HTML to text, one core"], ("150 MB/s", "missed by 1.3x"))
        self.assertEqual(found["XML to text, one core"], ("250 MB/s", "met"))

    def test_less_time_and_more_agreement_than_pdftotext_are_wanted(self):
        rows = [
            row("command", "pdf", {"cpu": 2.0, "agreement": 0.9}),
            row("pdftotext", "pdf", {"cpu": 5.0, "agreement": 0.95}),
        ]
        found = verdicts(*rows)
        self.assertEqual(found["PDF to text, processor time a page, against pdftotext"], ("2.5x", "met"))
        self.assertEqual(
            found["the same, agreement with the document's HTML, XML or text"], ("0.947x", "missed by 1.1x")
        )
        self.assertEqual(verdicts(rows[0])["PDF to text, processor time a page, against pdftotext"][1], "not measured")

    def test_two_cores_are_held_against_one(self):
        rows = [
            row("command", "cores", {"seconds": 10.0}, isolate="heavy", threads=1),
            row("command", "cores", {"seconds": 5.0}, isolate="heavy", threads=2),
            row("command", "cores", {"seconds": 1.0}, isolate="everything", threads=2),
        ]
        self.assertEqual(verdicts(*rows)["manuals in many media to prints, two cores against one"], ("2x", "met"))

    def test_twins_lie_beside_their_documents(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file in ("pdf.pdf", "info.info", "txt.txt", "html-multi.html"):
                (folder / file).touch()
            self.assertEqual(extraction_rows.twin(folder / "pdf.pdf"), folder / "html-multi.html")
            (folder / "en.pdf").touch()
            self.assertIsNone(extraction_rows.twin(folder / "en.pdf"))
            (folder / "en.txt").touch()
            self.assertEqual(extraction_rows.twin(folder / "en.pdf"), folder / "en.txt")

    def test_hyphens_at_line_ends_are_none_of_the_words(self):
        self.assertEqual(
            extraction_rows.words("One exam-\n  ple of\nit"), {("one", "example", "of"), ("example", "of", "it")}
        )


class Document(unittest.TestCase):
    def test_the_table_is_replaced_between_its_marks(self):
        document = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
        made = report.with_goals(document, data(), "2026-01-01-full")
        self.assertTrue(made.startswith("before\n") and made.endswith("\nafter\n"))
        self.assertNotIn("old", made)
        self.assertEqual(report.with_goals(made, data(), "2026-01-01-full"), made)
        with self.assertRaises(ValueError):
            report.with_goals("no marks", data(), "x")

    def test_what_the_documentation_says_is_what_the_record_says(self):
        self.assertEqual(run.check(), [])


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.record = Record("tiny", "/nowhere/nearprint-bench", None, pathlib.Path(folder.name) / "record")

    def sections(self, rows):
        self.record.run(Section("one", "One", ["a"], rows))
        return self.record.data["sections"][-1], report.markdown(self.record.data)

    def test_a_program_that_is_missing_leaves_a_row(self):
        done, text = self.sections(lambda record: iter([[record.nearprint("pairs", n=3).get("failed")]]))
        self.assertNotIn("failed", done)
        self.assertIn("## What failed", text)
        self.assertIn("No such file", text)

    def test_commands_are_timed_with_their_children_and_their_failures_told(self):
        row = self.record.timed(
            "sh", "v", [["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"]] * 2, 2, n=1
        )
        self.assertNotIn("failed", row)
        self.assertGreater(row["cpu"], 0)
        self.assertEqual((row["options"], len(row["all_runs"])), ({"n": 1}, 2))
        failing = [["sh", "-c", "echo why >&2; exit 3"]]
        self.assertEqual(self.record.timed("sh", "v", failing)["failed"], "why")
        self.assertNotIn("failed", self.record.timed("sh", "v", failing, allowed=(0, 3)))

    def test_a_section_that_fails_keeps_its_rows_and_the_others_run(self):
        def rows(_):
            yield ["kept"]
            raise ValueError("broken")

        done, text = self.sections(rows)
        self.assertEqual(done["lines"], [["kept"]])
        self.assertIn("Not complete: ValueError: broken.", text)
        done, _ = self.sections(lambda _: iter([["next"]]))
        self.assertEqual(done["lines"], [["next"]])

    def test_an_interrupt_keeps_what_was_measured(self):
        def rows(_):
            yield ["kept"]
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.sections(rows)
        self.assertIn("kept", self.record.path.with_suffix(".json").read_text())

    def test_sections_have_names_of_their_own(self):
        names = [section.name for section in run.SECTIONS]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
