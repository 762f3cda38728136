"""The named hostile cases: what counts as a fault of one, and that their files are what they say."""

from __future__ import annotations

import io
import unittest
import zipfile

from hostile_cases import MIB, Case, contents, entities, fault_of, forms, package, workbook


def row(reason: str | None = None, tokens: int | None = None) -> dict[str, object]:
    return {"reason": reason, "tokens": tokens}


class FaultTests(unittest.TestCase):
    def test_a_reason_comes_with_its_exit_code(self) -> None:
        case = Case("x", b"", "damaged")
        self.assertEqual(fault_of(case, 0.1, 0, 1, [row("damaged")]), "")
        self.assertEqual(fault_of(case, 0.1, 0, 0, [row("damaged")]), "not damaged")
        self.assertEqual(fault_of(case, 0.1, 0, 1, [row("unsupported-media")]), "not damaged")
        self.assertEqual(fault_of(case, 0.1, 0, -9, []), "not damaged")

    def test_a_text_has_as_many_tokens_as_stated(self) -> None:
        case = Case("x", b"", (15, 25))
        self.assertEqual(fault_of(case, 0.1, 0, 0, [row(tokens=10), row(tokens=10)]), "")
        self.assertEqual(fault_of(case, 0.1, 0, 0, [row(tokens=45174)]), "not (15, 25)")
        self.assertEqual(fault_of(case, 0.1, 0, 1, [row("damaged")]), "not (15, 25)")

    def test_time_and_memory_have_limits(self) -> None:
        case = Case("x", b"", "work-limit")
        self.assertEqual(fault_of(case, 20.5, 0, 1, [row("work-limit")]), "20.5 s")
        self.assertEqual(fault_of(case, 1.0, 513 * MIB, 1, [row("work-limit")]), "513 MiB")
        # The time of a line of 100 GB is that of reading it, and its first GiB is held.
        self.assertEqual(fault_of(Case("x", b"", "too-large"), 160.0, 1024 * MIB, 1, [row("too-large")]), "")
        self.assertEqual(fault_of(Case("x", b"", "too-large"), 1.0, 1537 * MIB, 1, [row("too-large")]), "1537 MiB")


class FileTests(unittest.TestCase):
    def test_files_are_as_long_as_they_say(self) -> None:
        self.assertEqual(len(entities(770_000)) // 1000, 770)
        self.assertEqual(contents(1000).count(b"4 0 R "), 1000)
        self.assertEqual(forms(3, 10).count(b" Do "), 20)

    def test_packages_are_archives(self) -> None:
        for kind in ("docx", "odt", "epub"):
            with zipfile.ZipFile(io.BytesIO(package(kind, 10, 5))) as archive:
                self.assertIsNone(archive.testzip())
                self.assertEqual(sum(name.startswith("m") and name[1:].isdigit() for name in archive.namelist()), 5)
        self.assertTrue(zipfile.is_zipfile(io.BytesIO(workbook())))


if __name__ == "__main__":
    unittest.main()
