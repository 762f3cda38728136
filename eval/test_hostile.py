"""Generated hostile files, and the check of them on programs that answer from a table."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import hostile
import hostile_files

# Stands for `measure_files`: what it answers is in the file itself.
MEASURE = """#!{python}
import pathlib, sys
for line in sys.stdin:
    seconds, peak, outcome = pathlib.Path(line.strip()).read_text().split()[:3]
    if outcome == "dies":
        sys.exit(9)
    print(seconds, peak, outcome, sep="\\t", flush=True)
"""

# Stands for the command: as above, but for what differs in a worker.
PROGRAM = """#!{python}
import json, pathlib, sys
for path in pathlib.Path(sys.argv[-1]).read_bytes().decode().split("\\0")[:-1]:
    words = pathlib.Path(path).read_text().split()
    outcome = words[3] if len(words) > 3 else words[2].removesuffix("=1")
    is_print = outcome == "fingerprint"
    print(json.dumps({{"fingerprint": "x" if is_print else None, "reason": None if is_print else outcome, "place": {{"file": path}}}}))
"""


class GeneratedTests(unittest.TestCase):
    def test_every_kind_is_the_same_again_and_not_too_long(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number in range(2 * len(hostile_files.MAKERS)):
                name, data = hostile_files.generated(1, number)
                self.assertEqual(hostile_files.generated(1, number), (name, data), name)
                self.assertTrue(0 < len(data) <= 20 << 20, name)
        self.assertNotEqual(hostile_files.generated(1, 0), hostile_files.generated(2, 0))

    def test_sound_files_hold_what_is_hostile(self) -> None:
        """A writer of nonsense would reach no parser."""
        file = hostile_files.hostile_pdf.Writer().file()
        start = int(file.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
        self.assertTrue(file[start:].startswith(b"xref\n"))
        docx = dict(hostile_files.hostile_packages.members(hostile_files.ROOT / "fuzz/seeds/members/docx"))
        self.assertIn(b"A boat", docx["word/document.xml"])


class CheckTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)
        for name, source in (("program", PROGRAM), ("measure", MEASURE)):
            (self.place / name).write_text(source.format(python=sys.executable), "utf-8")
            (self.place / name).chmod(0o755)

    def run_over(self, answers: list[str], *options: str) -> tuple[int, str]:
        """The exit status, and what was written, for files that say what is answered."""
        made = lambda seed, number, kind: ("text", answers[number].encode())  # noqa: E731
        arguments = ["hostile.py", self.place / "program", self.place / "measure", "--folder", self.place / "state"]
        arguments += ["--count", len(answers), "--batch", 2, *options]
        out = io.StringIO()
        with (
            mock.patch.object(hostile_files, "generated", made),
            mock.patch.object(sys, "argv", [str(argument) for argument in arguments]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            status = hostile.main()
        return status, out.getvalue()

    def test_what_each_medium_took_is_named(self) -> None:
        status, said = self.run_over(["0.1 900 fingerprint=1", "3.5 10 damaged=1", "0.1 80000000 damaged=1"])
        self.assertEqual(status, 0)
        self.assertIn("| text | 3 | 59 | 1 | damaged 2 | 3.50; 16; 1 | 76.3; 22; 2 |", said)
        self.assertIn("3 files", said)

    def test_faults_are_found(self) -> None:
        for answer, fault in (
            ("20.1 1 damaged=1", "20.1 s of the processor"),
            ("0 600000000 damaged=1", "572 MiB beyond its size"),
            ("0 1 internal=1", "internal"),
            ("0 1 dies", "the-process-ended"),
            ("0 1 fingerprint=1 damaged", "by the command"),
        ):
            status, said = self.run_over(["0 1 fingerprint=1", answer, "0 1 fingerprint=1"])
            self.assertEqual(status, 1, answer)
            self.assertIn(fault, said)
            self.assertTrue((self.place / "state/found-1").exists())
            (self.place / "state/seed-1.jsonl").unlink()

    def test_a_run_continues(self) -> None:
        answers = ["0 1 fingerprint=1"] * 5
        self.run_over(answers[:2])
        state = self.place / "state/seed-1.jsonl"
        self.assertEqual([json.loads(line)["to"] for line in state.read_text().splitlines()], [2])
        self.assertIn("5 files", self.run_over(answers)[1])
        self.assertEqual([json.loads(line)["from"] for line in state.read_text().splitlines()], [0, 2, 4])


if __name__ == "__main__":
    unittest.main()
