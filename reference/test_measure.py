#!/usr/bin/env python3
"""Tests of the reference of docs/MEASURE.md: its cases, the examples of the page, and what the page promises.

python3 -m unittest discover -s reference -p "test_*.py"
"""

from __future__ import annotations

import random
import re
import unittest
from fractions import Fraction
from pathlib import Path

import make_measure_cases as cases
import nearprint_measure as measure

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "MEASURE.md").read_text("utf-8")


def similarity(a: str, b: str, kind: str = "jaccard") -> float:
    """The similarity of two texts."""
    return measure.similarity(measure.features(a, kind), measure.features(b, kind), kind)


class Cases(unittest.TestCase):
    """The file that the library reads."""

    def test_the_cases_are_what_the_reference_gives(self) -> None:
        stated = cases.PLACE.read_text("ascii")
        self.assertEqual(stated, cases.written(), "run reference/make_measure_cases.py")


class Page(unittest.TestCase):
    """The examples of the page."""

    def test_units_of_the_table(self) -> None:
        rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)
        self.assertGreater(len(rows), 8)
        for text, units in rows:
            found = " ".join(unit.text for unit in measure.units(text))
            self.assertEqual(found, units, text)

    def test_similarities_of_the_table(self) -> None:
        rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (\d+)/(\d+) \|", PAGE, re.MULTILINE)
        self.assertGreater(len(rows), 2)
        for a, b, part, whole in rows:
            self.assertEqual(similarity(a, b), int(part) / int(whole), (a, b))
            self.assertEqual(Fraction(int(part), int(whole)).limit_denominator(10**6), Fraction(int(part), int(whole)))


class Promises(unittest.TestCase):
    """What holds for all texts."""

    def test_measures_are_symmetric_and_bounded(self) -> None:
        for _, a, b in cases.pieces_pairs(100, 7):
            for kind in measure.THRESHOLDS:
                found = similarity(a, b, kind)
                self.assertEqual(found, similarity(b, a, kind))
                self.assertTrue(0 <= found <= 1 + 1e-12)

    def test_numbers_never_raise_a_similarity(self) -> None:
        for _, a, b in cases.pieces_pairs(100, 8):
            for kind in measure.THRESHOLDS:
                one, other = measure.features(a, kind), measure.features(b, kind)
                words, _ = measure.overlaps(one, other, kind)
                self.assertLessEqual(measure.similarity(one, other, kind), measure.of_overlap(words, kind))

    def test_a_text_is_similar_to_itself(self) -> None:
        chance = random.Random(9)
        for _ in range(50):
            text = "fog " + "".join(chance.choices(cases.PIECES, k=40))
            for kind in measure.THRESHOLDS:
                self.assertAlmostEqual(similarity(text, text, kind), 1.0)


if __name__ == "__main__":
    unittest.main()
