#!/usr/bin/env python3
"""Tests of the reference of spec/PASSAGES.md: its cases, and what the page promises of places.

python3 -m unittest discover -s reference -p "test_*.py"
"""

from __future__ import annotations

import unittest

import make_passage_cases as cases
import nearprint_passages as passages
import nearprint_sd1 as sd1


class Cases(unittest.TestCase):
    """The file that the library reads."""

    def test_the_cases_are_what_the_reference_gives(self) -> None:
        for name, written in cases.written().items():
            stated = (cases.FOLDER / name).read_text("ascii")
            self.assertEqual(stated, written, "run reference/make_passage_cases.py")


class Places(unittest.TestCase):
    """Tokens and their places."""

    def test_tokens_are_those_of_the_standard(self) -> None:
        for name, texts, *_ in cases.BY_HAND:
            for text in texts:
                wanted = list(sd1.tokens(sd1.cut(sd1.normalise(sd1.unassigned_to_space(text)))))
                found = passages.placed_tokens(text, numbers=False)
                self.assertEqual([token for token, _, _ in found], wanted, name)
                for token, start, end in found:
                    source = text.encode()[start:end].decode()
                    self.assertIn(token, sd1.normalise(source), name)

    def test_a_window_that_one_text_lacks_is_not_shared(self) -> None:
        found = passages.passages(["a b c d x", "y a b c d"], None, 4, False, 1000)
        self.assertEqual([row["text"] for row in found["shared"]], ["a b c d"])
        self.assertEqual(passages.passages(["a b c d x", "y a b c e"], None, 4, False, 1000)["shared"], [])


if __name__ == "__main__":
    unittest.main()
