"""The cases of verdicts are recipes of both kinds, and their texts are made the same way for ever."""

import re
import unittest
from collections import Counter

import verdict_texts
import verdicts


class CasesTest(unittest.TestCase):
    def test_both_kinds_are_in_both_halves(self) -> None:
        cases = verdicts.cases()
        counts = Counter((case.label, case.half) for case in cases)
        self.assertGreaterEqual(len(cases), 400)
        self.assertEqual({label for label, _ in counts}, {"contradicts", "duplicate"})
        self.assertTrue(all(count >= 150 for count in counts.values()), counts)
        self.assertEqual(len({case.digest for case in cases}), len(cases))

    def test_cases_are_recipes(self) -> None:
        place = re.compile(r"description [\w.+-]+|[\w.+-]+=[\w.:+~-]+ \S+( paragraph \d+| paragraphs)?")
        for case in verdicts.cases():
            self.assertRegex(case.digest, r"^[0-9a-f]{16}$")
            for where, edit in [(case.a, case.edit_a), (case.b, case.edit_b)]:
                self.assertTrue(place.fullmatch(where), where)
                self.assertTrue(not edit or edit.split()[0] in verdict_texts.EDITS, edit)

    def test_edits_are_what_they_were(self) -> None:
        text = 'The "old" mill - with 120 sacks.'
        for edit, wanted in {
            "": text,
            "typography": "THE “OLD” MILL – WITH 120 SACKS.",
            "wrap 12": 'The "old"\nmill - with\n120 sacks.',
        }.items():
            self.assertEqual(verdict_texts.changed(text, edit), wanted)
        self.assertNotIn("120", verdict_texts.changed(text, "numbers 1 7"))
        self.assertEqual(verdict_texts.changed(text, "form de 3"), verdict_texts.changed(text, "form de 3"))

    def test_rates_count_what_is_decided_otherwise(self) -> None:
        case = verdicts.cases()[0]
        wrong = case.label == "contradicts"
        rows = verdicts.table({case: wrong})
        self.assertIn("| 1 | 1 | 100.0% |", rows[2])


if __name__ == "__main__":
    unittest.main()
