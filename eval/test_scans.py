"""Scans: errors at their rate and by a seed, lines of print that say the text, and spelling of another time."""

import re
import unittest
import xml.etree.ElementTree as ElementTree

from letter_errors import TABLES, damaged, fraktur, of_the_era
from scans import FORMATS, alto, columns, hocr, lines_of, paragraphs

TEXT = "The keeper of the lighthouse administered extraordinarily long correspondences, and answered none of them."


class Errors(unittest.TestCase):
    def test_rate(self) -> None:
        for language in TABLES:
            scan = damaged(TEXT * 100, 0.05, language, "seed")
            self.assertEqual(scan.letters, sum(letter.isalnum() for letter in TEXT) * 100)
            self.assertAlmostEqual(scan.errors / scan.letters, 0.05, delta=0.01)
        self.assertEqual(damaged(TEXT, 0.0, "en", "seed").text, TEXT)

    def test_seed(self) -> None:
        self.assertEqual(damaged(TEXT, 0.1, "en", "a"), damaged(TEXT, 0.1, "en", "a"))
        self.assertNotEqual(damaged(TEXT, 0.1, "en", "a").text, damaged(TEXT, 0.1, "en", "b").text)

    def test_letters_that_look_alike(self) -> None:
        self.assertIn("f", TABLES["de"]["ſ"])
        self.assertIn("已", TABLES["zh"]["己"])
        self.assertIn("m", TABLES["en"]["rn"])
        self.assertTrue(all(printed not in read for table in TABLES.values() for printed, read in table.items()))

    def test_signs_and_blanks_stay(self) -> None:
        self.assertEqual(damaged(" .,-\n" * 50, 1.0, "en", "seed").text, " .,-\n" * 50)


class Spelling(unittest.TestCase):
    def test_of_the_era(self) -> None:
        self.assertEqual(
            of_the_era("Teil, tun, gibt, Ergebnis, installieren"), "Theil, thun, giebt, Ergebniß, installiren"
        )

    def test_fraktur(self) -> None:
        self.assertEqual(fraktur("das System ist so, dass es liest"), "das Syſtem iſt ſo, daß es lieſt")


class Lines(unittest.TestCase):
    def test_width_and_words(self) -> None:
        lines = list(lines_of(TEXT, 20))
        self.assertTrue(all(columns(line) <= 20 for line, _ in lines))
        self.assertTrue(any(rest for _, rest in lines))
        self.assertEqual("".join(line if rest else f"{line} " for line, rest in lines).strip(), TEXT)
        self.assertEqual([line for line, _ in lines_of("系统管理员的手册", 8)], ["系统管理", "员的手册"])

    def test_a_word_longer_than_a_line(self) -> None:
        self.assertEqual(list(lines_of("http://www.example.org/a", 8)), [("http://www.example.org/a", "")])

    def test_formats_say_the_text(self) -> None:
        root = ElementTree.fromstring(alto([TEXT, "second"], 20))
        strings = [node.attrib for node in root.iter() if node.tag.endswith("String")][1:]  # the page number
        words = [
            string.get("SUBS_CONTENT", string["CONTENT"]) for string in strings if string.get("SUBS_TYPE") != "HypPart2"
        ]
        self.assertEqual(" ".join(words), f"{TEXT} second")
        plain = re.sub(r"<[^<>]*>", "", hocr([TEXT], 20)).replace("\u00ad\n", "")
        self.assertEqual(" ".join(plain.split()), TEXT)
        self.assertEqual(set(FORMATS), {"alto", "hocr"})


class Book(unittest.TestCase):
    def test_paragraphs(self) -> None:
        page = '<p id="title">T</p><div class="para">\n one <em>two</em> &amp;<pre>code</pre></div><p>three</p><p> </p>'
        self.assertEqual(paragraphs(page), ["one two &", "three"])


if __name__ == "__main__":
    unittest.main()
