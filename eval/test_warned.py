"""The table of warnings of the corpus: shares by medium, in its place."""

import unittest
from pathlib import Path

import warned


class Warned(unittest.TestCase):
    def test_a_file_counts_once_for_each_of_its_warnings(self) -> None:
        made = warned.table(
            [
                ("tex", ("recovered", "recovered")),
                ("tex", ()),
                ("html", ()),
                ("tex", ("includes-missing",)),
                ("tex", ()),
            ]
        )
        self.assertEqual(
            made.splitlines()[2:],
            ["| tex | 4 | `includes-missing` 25.0%, `recovered` 25.0% |", "| html | 1 | none |"],
        )

    def test_the_table_has_its_place(self) -> None:
        text = (Path(__file__).parents[1] / "docs/accuracy/warnings.md").read_text("utf-8")
        changed = warned.placed(text, "a table")
        self.assertIn(f"{warned.BEGIN}\na table\n{warned.END}", changed)
        self.assertEqual(warned.placed(changed, "a table"), changed)
        with self.assertRaises(ValueError):
            warned.placed("no marks", "a table")


if __name__ == "__main__":
    unittest.main()
