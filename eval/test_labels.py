"""What labels say, on a corpus of ten files."""

import tempfile
import unittest
from pathlib import Path

import report
from labels import Labels, read_labels
from pairs import read_pairs, score_pairs
from recall import recall_of
from recipe import RecipeError

HEAD = ["group_id", "path", "medium", "lang", "kind", "words", "family", "use", "same_as"]
ROWS = [
    ["a", "a/t.txt", "txt", "en", "media", "300", "f", "ref", ""],  # 0
    ["a", "dev/a/h.html.gz", "html", "en", "media", "310", "f", "core", ""],  # 1
    ["a", "a/p.pdf", "pdf", "en", "media+rev", "290", "f", "core", ""],  # 2
    ["a", "a/w.tex", "tex", "en", "media", "300", "f", "weak", ""],  # 3
    ["b", "b/t.txt", "txt", "en", "media", "500", "g", "ref", ""],  # 4
    ["b", "b/h.html", "html", "en", "media", "500", "g", "core", ""],  # 5
    ["c", "c/1.txt", "txt", "en", "rev", "400", "", "ref", "d"],  # 6
    ["d", "d/1.txt", "txt", "en", "media", "400", "", "ref", ""],  # 7
    ["n", "n/1.html", "html", "en", "neg", "400", "n", "neg", ""],  # 8
    ["n", "n/2.html", "html", "de", "neg", "100", "n", "neg", ""],  # 9
]


def corpus_of(rows: list[list[str]], folder: str, similar: str = "path_a\tpath_b\nb/t.txt\tn/1.html\n") -> Path:
    """A corpus folder of a table alone; the files themselves are never read."""
    place = Path(folder)
    (place / "groups.tsv").write_text("\n".join("\t".join(row) for row in [HEAD, *rows]) + "\n", "utf-8")
    (place / "similar_cross_group.tsv").write_text(similar, "utf-8")
    return place


class Verdicts(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.corpus = corpus_of(ROWS, self.folder.name)
        self.labels = read_labels(self.corpus, 200)

    def tearDown(self) -> None:
        self.folder.cleanup()

    def test_true_pairs_are_with_the_reference_and_families_weigh_the_same(self) -> None:
        pairs = self.labels.true_pairs()
        found = {pair.key: (pair.media, pair.weight) for pair in pairs}
        self.assertEqual(found, {(0, 1): ("html-txt", 0.25), (0, 2): ("pdf-txt", 0.25), (4, 5): ("html-txt", 0.5)})
        share = recall_of(pairs, lambda pair: pair.key == (0, 1))
        self.assertEqual((share.value, share.pairs, share.families, share.is_enough), (0.25, 3, 2, False))

    def test_short_documents_are_left_out(self) -> None:
        self.assertEqual({pair.key for pair in read_labels(self.corpus, 301).true_pairs()}, {(4, 5)})

    def test_verdict(self) -> None:
        cases = {
            (0, 1): True,
            (1, 2): True,
            (0, 3): None,  # weak
            (0, 0): None,
            (0, 4): False,
            (6, 7): None,  # one document by same_as, but revisions
            (7, 6): None,
            (8, 9): False,  # pages of one site
            (4, 8): None,  # listed as similar
            (8, 4): None,
        }
        for pair, expected in cases.items():
            self.assertIs(self.labels.verdict(*pair), expected, pair)

    def test_names(self) -> None:
        for name in ("a/h.html", "a/h.html.gz", "/some/where/a/h.html", "dev\\a\\h.html"):
            self.assertEqual(self.labels.find(name), 1, name)
        self.assertIsNone(self.labels.find("a/none.txt"))

    def test_pairs_file(self) -> None:
        listed = self.corpus / "pairs"
        lines = [
            '{"a": "a/h.html", "b": "a/t.txt", "distance": 2}',
            "a/t.txt\tb/t.txt",
            "n/1.html\tn/2.html",
            "a/t.txt\tx/y",
        ]
        listed.write_text("\n".join(lines) + "\n\n", "utf-8")
        found, unknown = read_pairs(listed, self.labels)
        self.assertEqual((found, unknown), ({(0, 1), (0, 4), (8, 9)}, 1))
        score = score_pairs(self.labels, found)  # n/2.html is too short to count
        self.assertEqual((score.same, score.different, score.neither, score.documents), (1, 1, 0, 9))
        self.assertEqual((score.recall.value, score.precision), (0.25, 0.5))
        self.assertAlmostEqual(score.f1, 1 / 3)
        self.assertAlmostEqual(score.false_per_million, 1e6 / 36)

    def test_the_section_on_pairs_says_what_counts_neither_way(self) -> None:
        score = score_pairs(self.labels, {(0, 1), (0, 4), (6, 7)})
        self.assertEqual((score.neither, score.reported), (1, 3))
        section = report.of_pairs(score, 0)
        self.assertIn(
            "Of 3 reported pairs of the corpus\n1 are of one document, 1 of different ones, and 1 **", section
        )
        page = report.with_verified(f"before {report.VERIFIED_BEGIN}old{report.VERIFIED_END} after", section)
        self.assertIn(section, page)
        self.assertNotIn("old", page.partition(report.VERIFIED_BEGIN)[2])
        with self.assertRaises(ValueError):
            report.with_verified("no marks", section)

    def test_own_labels_need_two_columns_only(self) -> None:
        (self.corpus / "groups.tsv").write_text("group_id\tpath\nx\tx/1.html\nx\tx/2.pdf\ny\ty/1.txt\n", "utf-8")
        (self.corpus / "similar_cross_group.tsv").unlink()
        labels: Labels = read_labels(self.corpus, 200)
        self.assertEqual(
            [(pair.key, pair.media, pair.weight) for pair in labels.true_pairs()], [((0, 1), "html-pdf", 1.0)]
        )
        self.assertIs(labels.verdict(0, 2), False)
        (self.corpus / "groups.tsv").write_text("name\tpath\nx\tx/1.html\n", "utf-8")
        with self.assertRaisesRegex(RecipeError, "group_id"):
            read_labels(self.corpus, 200)


if __name__ == "__main__":
    unittest.main()
