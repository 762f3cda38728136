#!/usr/bin/env python3
"""Tests of the checker of decisions.

python3 -m unittest discover -s reference -p "test_*.py"
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import check_decisions as checker

TEXT = "Fog came in at noon and stayed over the harbour until the bells rang for the last boat home."
TEXTS = {"a": TEXT, "same": TEXT + "\n", "words": TEXT.replace("noon", "noon,"), "near": TEXT.replace("over", "above")}


def drop(name: str, reason: str, similarity: float, **more: object) -> dict:
    """A row of a dropped document."""
    return {
        "id": name,
        "representative": "a",
        "reason": reason,
        "similarity": similarity,
        "place": {"file": "-"},
    } | more


class Checks(unittest.TestCase):
    """What holds and what does not."""

    def test_right_rows_hold(self) -> None:
        for row in (drop("same", "identical", 1.0), drop("words", "same-words", 0.9999), drop("near", "near", 0.7)):
            self.assertIsNone(checker.problem(row, None, TEXTS), row)

    def test_false_rows_do_not(self) -> None:
        for row, found in (
            (drop("words", "identical", 1.0), "same-words"),
            (drop("near", "same-words", 0.9999), "similarity 0.7"),
            (drop("near", "near", 0.8), "similarity 0.7"),
            (drop("gone", "near", 0.8), "missing"),
            (drop("same", "same-bytes", 1.0, sha256="00", representative_sha256="01"), "digests differ"),
        ):
            self.assertIn(found, checker.problem(row, None, TEXTS) or "", row)

    def test_what_contradicts_is_not_dropped_unless_chains_drop_it(self) -> None:
        row = drop("near", "near", 0.7, policy="careful")
        self.assertEqual(checker.problem(row, None, TEXTS), "contradicts 1 word")
        self.assertIsNone(checker.problem(row | {"contradicts": "1 word"}, None, TEXTS))

    def test_changed_bytes_are_seen(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "a.txt")
            file.write_text(TEXT, "utf-8")
            digest = hashlib.sha256(TEXT.encode()).hexdigest()
            row = drop("same", "identical", 1.0, sha256=digest) | {"place": {"file": str(file)}}
            self.assertIsNone(checker.problem(row, None, TEXTS))
            file.write_text("fog", "utf-8")
            self.assertIn("other bytes", checker.problem(row, None, TEXTS) or "")


class Against(unittest.TestCase):
    """Documents that were dropped for some that were only compared with."""

    def test_texts_of_both_are_compared_and_equal_ids_counted_as_unread(self) -> None:
        row = {"decision": "drop", "reason": "near", "representative": "a", "similarity": 0.7, "cluster": 1}
        row |= {"sha256": "00", "representative_sha256": "01", "place": {"file": "rows", "line": 1}}
        with tempfile.TemporaryDirectory() as folder:
            decisions, texts = Path(folder, "decisions"), Path(folder, "texts")
            for ids, said in (
                (["near"], "1 drops checked, 0 do not hold"),
                (["a"], "0 drops checked, 0 do not hold, 1"),
            ):
                decisions.write_text("".join(json.dumps(row | {"id": name}) + "\n" for name in ids), "utf-8")
                lines = (json.dumps({"id": name, "text": text}) + "\n" for name, text in TEXTS.items())
                texts.write_text("".join(lines), "utf-8")
                talk = io.StringIO()
                arguments = ["check_decisions.py", str(decisions), str(texts)]
                with mock.patch("sys.argv", arguments), contextlib.redirect_stderr(talk):
                    self.assertEqual(checker.main(), 0)
                self.assertIn(said, talk.getvalue())


class Length(unittest.TestCase):
    """A checker that can be read at one sitting."""

    def test_it_has_at_most_200_lines(self) -> None:
        self.assertLessEqual(len(Path(checker.__file__).read_text("utf-8").splitlines()), 200)


if __name__ == "__main__":
    unittest.main()
