"""The index of records: it lists each file, and each record is cited by the pages that it states."""

import pathlib
import re
import unittest

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "bench" / "results"
LINK = re.compile(r"\]\(([^)#]+)\)")


def rows():
    """The records and the pages that cite them, for each row of the index."""
    for line in (RESULTS / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| 20"):
            yield LINK.findall(cells[1]), LINK.findall(cells[2])


class Index(unittest.TestCase):
    def test_each_file_is_listed(self):
        listed = sorted(name for names, _ in rows() for name in names)
        # Plots are drawn again from the figures.
        files = sorted(path.name for path in RESULTS.glob("20*") if path.suffix != ".svg")
        self.assertEqual(listed, files)

    def test_each_record_is_cited_by_its_pages(self):
        for names, pages in rows():
            self.assertTrue(pages, names)
            for page in pages:
                text = (RESULTS / page).read_text()
                self.assertTrue(any(name in text for name in names), f"{page} does not cite {names[0]}")


if __name__ == "__main__":
    unittest.main()
