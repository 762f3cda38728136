"""The summary table of docs/SCHEMES.md is what the figures say."""

import json
import unittest
from pathlib import Path

from summary import BEGIN, END, in_page, per_million, summary

ROOT = Path(__file__).resolve().parent.parent


class Summary(unittest.TestCase):
    def test_the_table_of_the_standard_is_that_of_the_figures(self) -> None:
        figures = json.loads((ROOT / "docs/accuracy/schemes.json").read_text("utf-8"))
        text = (ROOT / "docs/SCHEMES.md").read_text("utf-8")
        self.assertIn(summary(figures), text, "run `make eval`, or eval/schemes.py with --page docs/SCHEMES.md")

    def test_a_block_is_replaced_and_only_one(self) -> None:
        figures = json.loads((ROOT / "docs/accuracy/schemes.json").read_text("utf-8"))
        text = in_page(f"before\n{BEGIN}\nold\n{END}\nbehind\n", figures)
        self.assertTrue(text.startswith(f"before\n{BEGIN}\nMeasured ") and text.endswith(f"{END}\nbehind\n"))
        self.assertNotIn("old\n", text)
        for bad in ("no marks", f"{BEGIN}{END}{BEGIN}{END}"):
            with self.assertRaises(SystemExit):
                in_page(bad, figures)

    def test_none_found_is_told_with_its_bound(self) -> None:
        self.assertEqual(per_million([0.0, 0.0, 2.53]), "0 (at most 2.5)")
        self.assertEqual(per_million([1234.56, 1.0, 2000.0]), "1,234.6")


if __name__ == "__main__":
    unittest.main()
