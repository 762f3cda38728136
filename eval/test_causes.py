"""The section on causes: which pairs it lists, and what it refuses."""

import tempfile
import unittest
from pathlib import Path

import causes
from causes import Judgement
from fidelity import Fidelity
from labels import Labelled, Labels
from recipe import RecipeError


def corpus(containments: list[float]) -> tuple[list[Fidelity], Labels]:
    """A document of two media for each containment, each of a family of its own."""
    files = [
        Labelled(f"d{number}/{medium}", f"d{number}", medium, "en", f"f{number}", "media", use, 1000, ())
        for number in range(len(containments))
        for medium, use in (("pdf", "ref"), ("tex", "core"))
    ]
    labels = Labels(files, [], 200)
    pairs = labels.true_pairs()
    figures = [
        Fidelity(pair, 1.0, value, (9, 9), (value, value), ()) for pair, value in zip(pairs, containments, strict=True)
    ]
    return figures, labels


class Page(unittest.TestCase):
    def test_lists_the_pairs_under_the_goal(self) -> None:
        figures, labels = corpus([0.5, 0.96] * 10 + [1.0] * 10)
        judged = [Judgement("d0", "pdf-tex", ("glyphs", "moved")), Judgement("d29", "pdf-tex", ("marks",))]
        page = causes.written(figures, labels, judged)
        self.assertIn("20 of 30 pairs are under 0.97", page)
        self.assertIn("| `d0` | 0.500 | glyphs, moved |", page)
        self.assertIn("| not judged | 19 |", page)
        self.assertNotIn("`d29`", page)
        self.assertIn("no longer under the goal: d29 pdf-tex", page)

    def test_leaves_out_what_meets_the_goal_or_is_too_few(self) -> None:
        for values in ([0.9] + [1.0] * 39, [0.5] * 29):
            figures, labels = corpus(values)
            self.assertIn("All medium pairs", causes.written(figures, labels, []))


class Reading(unittest.TestCase):
    def test_refuses(self) -> None:
        for rows, told in [
            ("a\tpdf-tex\tgremlins\n", "no such cause: gremlins"),
            ("a\tpdf-tex\t\n", "none given"),
            ("a\tpdf-tex\tmarks\na\tpdf-tex\tmoved\n", "judged twice: a pdf-tex"),
        ]:
            with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(RecipeError, told):
                path = Path(folder, "causes.tsv")
                path.write_text("group_id\tmedia\tcauses\n" + rows, "utf-8")
                causes.read_causes(path)

    def test_the_judgements_of_the_project_are_read(self) -> None:
        self.assertTrue(causes.read_causes(Path(causes.__file__).with_name("causes.tsv")))


if __name__ == "__main__":
    unittest.main()
