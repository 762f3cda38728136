"""Figures and hints of pairs, the cache, and the lines of the command."""

import tempfile
import unittest
from pathlib import Path

from extractor import Cache, Command, StandIn, Taken, reason_of, taken_from
from fidelity import hints, measure
from labels import read_labels
from words import fingerprint, tokens

TEXT = " ".join(f"word{number} and some more text{number % 17}" for number in range(60))

PROGRAM = """#!/bin/sh
case "$1 $*" in
--version*) echo "pretended 1.0" ;;
extract*bad) echo "bad: damaged: no end" >&2; exit 1 ;;
extract*) echo '{"text": "text of a", "warnings": []}' ;;
fingerprint*"--scheme sd1 a bad")
    echo '{"id": "a", "fingerprint": "sd1:aaaaaaaaaaaaa"}'
    echo '{"id": "bad", "fingerprint": null}'
    exit 1 ;;
*) exit 2 ;;
esac
"""


def hinted(one: str, other: str) -> list[str]:
    """The hints about two texts."""
    return hints(Taken(one), Taken(other), tokens(one), tokens(other), ("html", "pdf"))


class Hints(unittest.TestCase):
    def test_causes(self) -> None:
        words = [f"{'abcdefghij'[number % 10]}{'klmnopqrst'[number // 10]}word" for number in range(100)]
        text = " ".join(words)
        glued = " ".join(first + second for first, second in zip(words[::2], words[1::2], strict=True))
        broken = " ".join(f"{word[:3]} {word[3:]}" for word in words)
        cases = [
            (glued, "pdf: words run together"),
            (broken, "pdf: words broken apart"),
            (" ".join(words[:30]), "pdf has 30 tokens, html 100"),
            (text + " \ufffd" * 30, "pdf: wrong or missing character maps"),
            (text + " begin textbf" * 30, "pdf: markup left in"),
            (" ".join(sorted(words)), "the same words in another order"),
        ]
        self.assertEqual(hinted(text, text), [])
        for other, expected in cases:
            self.assertIn(expected, hinted(text, other))
        told = hints(Taken(None, "image-only"), Taken(text), [], tokens(text), ("pdf", "html"))
        self.assertEqual(told, ["pdf: image-only"])


class Measuring(unittest.TestCase):
    def test_whole_way(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder, "corpus")
            (corpus / "x").mkdir(parents=True)
            (corpus / "groups.tsv").write_text("group_id\tpath\nx\tx/1.txt\nx\tx/2.html\nx\tx/3.xml\n", "utf-8")
            (corpus / "x/1.txt").write_text(TEXT, "utf-8")
            (corpus / "x/2.html").write_text(f"<p>{TEXT}</p>", "utf-8")
            (corpus / "x/3.xml").write_text("<x/>", "utf-8")
            labels = read_labels(corpus, 200)
            cache = Cache(Path(folder, "texts"), StandIn({file.path: file.medium for file in labels.files}))
            cache.fill(corpus, [file.path for file in labels.files])
            same, empty = measure(labels, cache, corpus, 1)
            self.assertEqual((same.cosine, same.containment, same.hints), (1.0, 1.0, ()))
            self.assertEqual((empty.containment, empty.tokens[1], empty.hints), (0.0, 0, ("xml: no-text",)))
            (corpus / "x/3.xml").write_text(f"<x>{TEXT}</x>", "utf-8")  # another file has another place in the cache
            cache.fill(corpus, ["x/3.xml"])
            self.assertEqual(measure(labels, cache, corpus, 1)[1].containment, 1.0)

    def test_what_the_command_says(self) -> None:
        record = {"text": "x", "warnings": [{"code": "recovered", "detail": "an end tag"}]}
        self.assertEqual(taken_from(record, 0.5), Taken("x", "", ("recovered",), 0.5))
        talk = "g/a.pdf: image-only: 3 pages are pictures\n"
        self.assertEqual(reason_of("g/a.pdf", talk, 1), "image-only")
        self.assertEqual(reason_of("g/b.pdf", talk, 1), "status 1: g/a.pdf: image-only: 3 pages are pictures")
        self.assertEqual(reason_of("g/b.pdf", "", -11), "status -11: not a word")

    def test_the_command_is_called(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            program.write_text(PROGRAM, "utf-8")
            program.chmod(0o755)
            command = Command(program)
            self.assertEqual(command.name, "pretended 1.0")
            took = {path: (taken.text, taken.reason) for path, taken in command.take(Path(folder), ["a", "bad"])}
            self.assertEqual(took, {"a": ("text of a", ""), "bad": (None, "damaged")})
            found = list(command.fingerprints(Path(folder), ["a", "bad"], "sd1"))
            self.assertEqual(found, [("a", "sd1:aaaaaaaaaaaaa"), ("bad", None)])

    def test_tokens_are_those_of_the_standard(self) -> None:
        self.assertEqual(tokens("ΟΔΟΣ Straße ﬁne http://x.y/z 第2章 2024"), ["οδοσ", "strasse", "fine", "第", "章"])
        self.assertIsNone(fingerprint([]))


if __name__ == "__main__":
    unittest.main()
