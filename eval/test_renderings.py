"""How alike sources and their pages are, by examples made by hand."""

import tempfile
import unittest
from pathlib import Path

import renderings


class Renderings(unittest.TestCase):
    def test_sources_have_the_page_of_their_name(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for path in ["a/b.rst.gz", "a/c.rst.txt", "d.md", "e.html", "f.rst"]:
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).touch()
            pages = folder / "pages"
            for path in ["a/b.html", "a/c.html", "d.html", "e.html"]:
                (pages / path).parent.mkdir(parents=True, exist_ok=True)
                (pages / path).touch()
            found = [
                (str(a.relative_to(folder)), str(b.relative_to(pages))) for a, b in renderings.pairs(folder, pages)
            ]
        self.assertEqual(found, [("a/b.rst.gz", "a/b.html"), ("a/c.rst.txt", "a/c.html"), ("d.md", "d.html")])

    def test_differences_are_words_of_one_side(self):
        found = renderings.differences("Mind 3 the *gap and rst end", "Note Mind the gap and end")
        self.assertEqual(found, {("", "Note"), ("rst", "")})

    def test_shingles_are_of_three_words(self):
        self.assertEqual(renderings.shingles("A b, 3 C d"), {("a", "b", "c"), ("b", "c", "d")})


if __name__ == "__main__":
    unittest.main()
