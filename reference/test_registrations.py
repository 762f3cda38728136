#!/usr/bin/env python3
"""Tests of spec/registrations: the forms that the registries demand of the two data files.

What a registry's own program says is in the README there; these are the same rules, stated here, because its files are
not part of this repository.
"""

from __future__ import annotations

import csv
import datetime
import json
import re
import unittest
from pathlib import Path

import nearprint_family as family

FOLDER = Path(__file__).resolve().parent.parent / "spec" / "registrations"
COLUMNS = [0, 32, 48, 64, 76]  # where the columns of multicodec's table begin
DOMAIN = re.compile(r"[A-Za-z]{2,63}(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+")


class Registrations(unittest.TestCase):
    """The rows of multicodec and the entry of the C2PA list."""

    def test_the_rows_of_multicodec(self) -> None:
        lines = (FOLDER / "multicodec.csv").read_text("ascii").splitlines()
        codes = []
        for line in lines:
            name, tag, code, status, description = next(csv.reader([line], skipinitialspace=False))
            starts = [line.index(cell.strip(), start) for cell, start in zip(line.split(","), COLUMNS, strict=False)]
            self.assertEqual(starts, COLUMNS[: len(starts)])
            self.assertRegex(name, r"^[a-z][a-z0-9_-]+$")
            self.assertRegex(code.strip(), r"^0x([0-9a-f]{2})+$")
            self.assertEqual((tag.strip(), status.strip()), ("softhash", "draft"))
            size = family.SCHEMES[name.removeprefix("nearprint-")].bits // 8
            self.assertIn(f" {size}-byte ", description)
            codes.append(int(code, 16))
        self.assertEqual(codes, sorted(set(codes)))
        self.assertTrue(all(code not in range(0x300000, 0x400000) for code in codes))

    def test_the_entry_of_the_c2pa_list(self) -> None:
        [entry] = json.loads((FOLDER / "c2pa-soft-binding.json").read_text("ascii"))
        self.assertEqual(set(entry), {"identifier", "alg", "type", "decodedMediaTypes", "entryMetadata"})
        self.assertIn(entry["identifier"], range(65536))
        self.assertTrue(DOMAIN.fullmatch(entry["alg"]))
        self.assertEqual((entry["type"], entry["decodedMediaTypes"]), ("fingerprint", ["text"]))
        metadata = entry["entryMetadata"]
        self.assertEqual(set(metadata), {"description", "dateEntered", "contact", "informationalUrl"})
        datetime.datetime.fromisoformat(metadata["dateEntered"])
        self.assertRegex(metadata["contact"], r"^[^@ ]+@[^@ ]+$")
        self.assertTrue(metadata["informationalUrl"].startswith("https://"))
        scheme = entry["alg"].rpartition(".")[2]
        rules = family.SCHEMES[scheme]
        needed = rules.places - int((1 - rules.loose) * rules.places)
        self.assertIn(f"at least {needed} of the {rules.places} numbers", metadata["description"])

    def test_blanks_are_marked(self) -> None:
        for file in FOLDER.iterdir():
            text = file.read_text("utf-8")
            self.assertNotRegex(text, r"(?i)\b(todo|tbd|xxx)\b")
            for address in re.findall(r"[\w.]+@[\w.]+", text):
                self.assertTrue(address.endswith("example.org"), address)


if __name__ == "__main__":
    unittest.main()
