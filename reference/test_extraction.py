#!/usr/bin/env python3
"""Tests of the corpus of extraction profile 1: its documents say themselves what is text, and its files fit together."""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import extraction_corpus as corpus
import nearprint_family as family

PROFILE = (corpus.SPEC / "PROFILE.md").read_text("utf-8")
ROWS = [line.split("\t") for line in (corpus.FOLDER / "corpus.tsv").read_text("utf-8").splitlines()]


def tokens_of(path: str) -> list[str]:
    return corpus.tokens_file(path).read_text("utf-8").split()


def source(path: Path) -> str:
    """The markup of a page, or of all parts of a package."""
    if not zipfile.is_zipfile(path):
        return path.read_text("utf-8")
    with zipfile.ZipFile(path) as package:
        return "\n".join(package.read(name).decode() for name in package.namelist() if name != "mimetype")


class Corpus(unittest.TestCase):
    def test_the_list_names_all_documents_and_their_fingerprints(self) -> None:
        self.assertEqual(ROWS[0], corpus.HEAD.split("\t"))
        self.assertEqual([row[0] for row in ROWS[1:]], corpus.documents())
        for path, kind, count, *strings in ROWS[1:]:
            tokens = tokens_of(path)
            self.assertEqual((kind, int(count)), (corpus.class_of(path), len(tokens)), path)
            for scheme, string in zip(("sd1", "md1"), strings, strict=True):
                found = family.fingerprint_of_tokens(scheme, tokens)
                self.assertEqual(family.to_string(scheme, found.value), string, path)

    def test_words_that_are_not_text_begin_with_zz_and_all_others_are_tokens(self) -> None:
        for path in (row[0] for row in ROWS[1:] if "/pages/" in row[0]):
            tokens = tokens_of(path)
            self.assertEqual([token for token in tokens if token.startswith("zz")], [], path)
            page = source(corpus.SPEC / path)
            # What stands between tags, without the words that are left out.
            plain = re.sub(
                r"(?s)<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^\[>]*(\[.*?\])?>|<(script|style)\b.*?</\2>|<[^>]*>|&\w+;",
                " ",
                page,
            )
            outside = {word for word in re.findall(r"[a-z]{4,}", plain.lower()) if not word.startswith("zz")}
            joined = " ".join(tokens)
            missing = {word for word in outside if word not in joined}
            self.assertEqual(missing, set(), path)

    def test_packages_are_those_of_their_builder(self) -> None:
        builder = corpus.FOLDER / "build.py"
        done = subprocess.run([sys.executable, builder, "--check"], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_each_clause_of_the_profile_is_numbered_once(self) -> None:
        clauses = re.findall(r"^\[((?:1[6-9]|2[01])\.\d+)\]", PROFILE, re.MULTILINE)
        self.assertEqual(len(clauses), len(set(clauses)))
        self.assertGreater(len(clauses), 30)
        for named in set(re.findall(r"\[((?:1[6-9]|2[01])\.\d+)\]", PROFILE)):
            self.assertIn(named, clauses)

    def test_a_text_with_what_is_out_does_not_agree(self) -> None:
        texts = {path: " ".join(tokens_of(path)) for path in corpus.documents()}
        self.assertEqual(corpus.judge(texts), [])
        page = "extraction/pages/landmarks.html"
        with_menus = re.sub(r"<[^>]*>", " ", source(corpus.SPEC / page))
        faults = corpus.judge({**texts, page: with_menus})
        self.assertEqual([fault.partition(":")[0] for fault in faults], [page])
        self.assertEqual(len(corpus.judge({**texts, page: ""})), 1)


if __name__ == "__main__":
    unittest.main()
