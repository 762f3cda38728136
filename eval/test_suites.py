"""The check of other people's suites, on a program that answers from a table."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

import suites

# Stands for the command: what it answers is in the file itself, as `FINGERPRINT` or as `REASON`.
PROGRAM = """#!{python}
import json, pathlib, sys
def answer(path):
    text = pathlib.Path(path).read_text().strip()
    is_print = text.startswith("sd1:")
    return {{"id": path, "fingerprint": text if is_print else None, "reason": None if is_print else text.split()[0],
            "media_type": "text/plain", "warnings": [], "place": {{"file": path}}, "text": text, "characters": len(text)}}
if sys.argv[1] == "extract":
    row = answer(sys.argv[-1])
    if "dies" in row["text"] or "killer" in row["text"]:
        sys.exit(70)
    if row["reason"] and "alone-fine" not in row["text"]:
        print(f"{{sys.argv[-1]}}: {{row['reason']}}: why", file=sys.stderr)
        sys.exit(1)
    print(json.dumps(row))
else:
    paths = pathlib.Path(sys.argv[-1]).read_bytes().split(b"\\0")[:-1]
    for at, path in enumerate(paths):
        row = answer(path.decode())
        if "container" in row["text"]:
            print(json.dumps(row | {{"reason": "damaged"}}))
            row |= {{"fingerprint": "sd1:eeee", "reason": None}}
        if "killer" in row["text"]:
            sys.exit(70)
        if "placed" in row["text"]:
            row["reason"] = f"at-{{at}}"
        if "racy" in row["text"]:
            row["reason"] = "by-" + sys.argv[sys.argv.index("--threads") + 1]
        print(json.dumps(row))
"""


class SuitesTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)
        self.program = self.place / "program"
        self.program.write_text(PROGRAM.format(python=sys.executable), "utf-8")
        self.program.chmod(0o755)
        self.suite = self.place / "suite"
        self.suite.mkdir()
        self.file("a.txt", "sd1:aaaa")
        self.file("b.txt", "damaged")

    def file(self, name: str, content: str) -> None:
        (self.suite / name).write_text(content, "utf-8")

    def run_with(self, *options: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            status = suites.main([str(self.suite), "--nearprint", str(self.program), *options])
        return status, out.getvalue()

    def test_a_good_suite_passes_and_is_counted(self) -> None:
        status, said = self.run_with()
        self.assertEqual(status, 0, said)
        self.assertIn("suite: 2 files, 1 with a fingerprint\n        1 damaged\n", said)
        self.assertTrue(said.endswith("no fault, no difference\n"), said)

    def test_a_container_is_counted_by_its_documents(self) -> None:
        self.file("c.txt", "container")
        summary = self.place / "summary.json"
        self.assertEqual(self.run_with("--summary", str(summary), "--write")[0], 0)
        found = json.loads(summary.read_text("utf-8"))["outcomes"]
        self.assertRegex(found["suite/c.txt"], r"^container: 1 damaged, 1 fingerprint \([0-9a-f]{16}\)$")

    def test_a_table_has_a_row_for_each_folder(self) -> None:
        self.file("c.txt", "container")
        self.file("d.txt", "no-tokens")
        table = self.place / "table.md"
        self.run_with("--table", str(table))
        row = table.read_text("utf-8").splitlines()[2]
        self.assertRegex(row, r"^\| suite \| 4 \| 3 \| damaged 2 \| - \| \d+\.\d\d \| \d+\.\d\d \| \d+ \|$")

    def test_files_that_take_little_together_are_not_read_by_themselves(self) -> None:
        self.file("c.txt", "sd1:dies")
        status, said = self.run_with("--together", "2")
        self.assertEqual(status, 1, said)
        self.assertIn("suite: 3 files, 2 with a fingerprint\n", said)
        self.assertIn("1 of 3 files were read by themselves\n", said)
        self.assertIn("fault: suite/c.txt: status 70\n", said)
        self.file("c.txt", "racy")
        self.file("d.txt", "sd1:dddd")
        self.assertIn("differs: suite/c.txt: by-1 in order", self.run_with("--together", "2")[1])

    def test_a_dead_job_leaves_the_files_by_themselves(self) -> None:
        self.file("c.txt", "sd1:killer")
        self.file("d.txt", "sd1:dddd")
        status, said = self.run_with("--together", "2")
        self.assertEqual(status, 1, said)
        self.assertIn("fault: suite/c.txt: status 70\n", said)
        self.assertIn("differs: suite/a.txt: sd1:aaaa in order by one thread, container: empty", said)
        self.assertIn("differs: a job of all files has no record\n", self.run_with()[1])

    def test_the_second_job_reads_in_another_order(self) -> None:
        for name in "cdefgh":
            self.file(f"{name}.txt", "placed")
        status, said = self.run_with()
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"differs: suite/.\.txt: at-\d in order by one thread, at-\d shuffled by two\n")

    def test_a_changed_outcome_is_named(self) -> None:
        summary = str(self.place / "summary.json")
        self.assertEqual(self.run_with("--summary", summary, "--write")[0], 0)
        self.assertEqual(self.run_with("--summary", summary)[0], 0)
        self.file("b.txt", "sd1:bbbb")
        self.file("new.txt", "sd1:cccc")
        status, said = self.run_with("--summary", summary)
        self.assertEqual(status, 1)
        self.assertIn("changed: suite/b.txt: damaged before, sd1:bbbb now\n", said)
        self.assertNotIn("new.txt: ", said.partition("changed")[2])
        Path(summary).write_text(json.dumps({"schema": "other"}), "utf-8")
        with self.assertRaises(SystemExit):
            self.run_with("--summary", summary)

    def test_faults_and_differences_are_named(self) -> None:
        for content, expected in (
            ("sd1:dies", "fault: suite/c.txt: status 70\n"),
            ("racy", "differs: suite/c.txt: by-1 in order by one thread, by-2 shuffled by two\n"),
            ("damaged alone-fine", "differs: suite/c.txt: damaged in a job, None by itself\n"),
            ("worker-failed", "fault: suite/c.txt: worker-failed\n"),
        ):
            with self.subTest(content):
                self.file("c.txt", content)
                status, said = self.run_with()
                self.assertEqual(status, 1, said)
                self.assertIn(expected, said)
        self.file("c.txt", "sd1:dddd")
        for option, word in (
            ("--seconds", " s, 0 are allowed"),
            ("--memory", " MiB beyond its size, 0 are allowed"),
        ):
            status, said = self.run_with(option, "0")
            self.assertEqual(status, 1)
            self.assertIn(word, said)


if __name__ == "__main__":
    unittest.main()
