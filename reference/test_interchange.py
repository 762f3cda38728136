#!/usr/bin/env python3
"""Tests of interchange: what the vectors cannot say, of pieces, random ids, damage, and the two forms."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import nearprint_family as family
import nearprint_interchange as interchange
import vector_stages
from nearprint_interchange import RefusedFileError, Row

FIELDS = [("Scheme", "sl1"), ("Extractor", "a/1 html/2"), ("Extractor", "b/3"), ("Collection", "Nebel: é")]


def random_rows(chance: random.Random, count: int) -> list[Row]:
    """Rows with ids of all kinds of bytes."""
    pieces = [
        b"a",
        b"/",
        b"%",
        b"\t",
        b"\n",
        b"\0",
        b"\xff",
        b"\xe2\x82",
        "é日\U0001f600\u2028".encode(),
        b"\xc2\x85",
        b"%41",
    ]
    rows = []
    for _ in range(count):
        string = family.to_string("sl1", chance.getrandbits(64))
        rows.append(Row(string, chance.random() < 0.3, b"".join(chance.choices(pieces, k=chance.randint(1, 6)))))
    return rows


def written(rows: list[Row], form: str) -> bytes:
    return b"".join(interchange.write(FIELDS, rows, form))


class Interchange(unittest.TestCase):
    """Section 15."""

    def test_what_is_written_is_read(self) -> None:
        chance = random.Random(151)
        for count in (0, 1, 2, 40):
            rows = random_rows(chance, count)
            files = [interchange.read_file(written(rows, form), form) for form in interchange.FORMS]
            for file in files:
                self.assertEqual((file.header.fields, file.rows), (FIELDS, rows))
            self.assertEqual(files[0].digest, files[1].digest)

    def test_ids_have_one_form(self) -> None:
        chance = random.Random(152)
        for _ in range(3000):
            data = bytes(
                chance.choice(b"a%4\xc3\xa9\xe2\x82\xac\xed\xa0\x80\xf0\x9f\x98\x80\x09\x7f\xc2\x85")
                for _ in range(chance.randint(1, 9))
            )
            text = interchange.id_text(data)
            self.assertEqual(interchange.id_bytes(text), data)
            self.assertFalse(interchange.CONTROL.search(text) or "\t" in text)

    def test_pieces_of_any_size_give_one_verdict(self) -> None:
        for case in vector_stages.load("interchange/reading"):
            given = case["input"]
            if "text" not in given or "fill" in given:
                continue
            data = given["text"].encode()
            for size in (1, 7):
                pieces = [data[at : at + size] for at in range(0, len(data), size)]
                try:
                    list(interchange.read(pieces, given["form"]))
                    verdict = (None, None)
                except RefusedFileError as refused:
                    verdict = (refused.reason, refused.line)
                self.assertEqual(verdict, (case["expected"]["reason"], case["expected"]["line"]), case["name"])

    def test_every_cut_is_noticed(self) -> None:
        for form in interchange.FORMS:
            data = written(random_rows(random.Random(153), 3), form)
            for end in range(len(data)):
                with self.assertRaises(RefusedFileError):
                    interchange.read_file(data[:end], form)

    def test_every_changed_byte_of_a_row_is_noticed(self) -> None:
        data = written(random_rows(random.Random(154), 3), "lines")
        for at in range(data.index(b"\n\n") + 2, len(data)):
            for change in (0x01, 0x20, 0x80):
                damaged = data[:at] + bytes([data[at] ^ change]) + data[at + 1 :]
                with self.assertRaises(RefusedFileError):
                    interchange.read_file(damaged)

    def test_the_program(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder, "good.nearprint"), Path(folder, "bad.nearprint.jsonl")
            data = written([Row("sl1:bmgoquslrrbai", True, b"a")], "lines")
            good.write_bytes(data)
            bad.write_bytes(written([], "jsonl")[:-2])
            done = subprocess.run(
                [sys.executable, interchange.__file__, good, bad], capture_output=True, text=True, check=False
            )
        self.assertEqual(done.stdout, f"{good}: 1 fingerprints of sl1, 1 short\n{bad}: refused, line 2: truncated\n")
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
