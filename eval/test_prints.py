"""Prints and the distances between them, worked out by hand; with and without numpy."""

import tempfile
import unittest
from collections import Counter
from unittest import mock

import prints
from labels import read_labels
from prints import PrintError, false_distances, prints_of, read_print, rows_of_distances
from recall import Hamming, false_rate
from test_labels import ROWS, corpus_of


class Prints(unittest.TestCase):
    def test_read(self) -> None:
        cases = {
            "sd1:aaaaaaaaaaaac": (1, 64),  # the last character holds four bits and a zero: c is 00010
            "AAAAAAAAAAAAC": (1, 64),
            "00000000000000ff": (255, 64),
            "sd1:00000000000000FF": (255, 64),
            "deadbeef": (0xDEADBEEF, 32),
            "f" * 32: ((1 << 128) - 1, 128),
        }
        for text, expected in cases.items():
            self.assertEqual(read_print(text), expected, text)
        self.assertEqual(read_print("md1:" + "a" * 408 + "ay"), (24 >> 2, 2048))
        for text in ("", "sd1:", "sd1:0000000000000", "zz", "1" * 15):
            with self.assertRaises(PrintError, msg=text):
                read_print(text)

    def test_lines(self) -> None:
        lines = ['{"id": "a/t.txt", "fingerprint": null}', "ff\ta/h.html", "a/p.pdf\tee", ""]
        found = list(prints.named_prints(lines, lambda name: name.startswith("a/")))
        self.assertEqual(found, [("a/t.txt", None), ("a/h.html", "ff"), ("a/p.pdf", "ee")])

    def test_widths_do_not_mix(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            labels = read_labels(corpus_of(ROWS, folder), 200)
        with self.assertRaisesRegex(PrintError, "widths"):
            prints_of([("a/t.txt", "00000000"), ("a/h.html", "0000000000000000")], labels)


class Distances(unittest.TestCase):
    def setUp(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.labels = read_labels(corpus_of(ROWS, folder), 200)
        numbers = {0: 0b0000, 1: 0b0001, 2: 0b0111, 4: 0b1111, 5: 0b1111, 6: 0b0000, 8: 0b1110, 9: 0b0110}
        self.found = [(ROWS[number][1], f"{value:016x}") for number, value in numbers.items()]
        self.values, self.width, self.told = prints_of([*self.found, ("no/one", "0"), ("d/1.txt", None)], self.labels)

    def test_both_ways_count_the_same(self) -> None:
        values = [0, 1, 0xFFFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0001, 1]
        expected = [[1, 64, 2, 1], [63, 1, 0], [62, 63], [1], []]
        self.assertEqual(list(rows_of_distances(values, 64)), expected)
        with mock.patch.object(prints, "numpy", None):
            self.assertEqual(list(rows_of_distances(values, 64)), expected)

    def test_sketches_are_compared_number_by_number(self) -> None:
        values = [0, 0b11, 1 << 16 | 1 << 2047, 3 << 16]
        expected = [[1, 2, 1], [3, 2], [2], []]
        self.assertEqual(list(rows_of_distances(values, prints.SKETCH_BITS)), expected)
        with mock.patch.object(prints, "numpy", None):
            self.assertEqual(list(rows_of_distances(values, prints.SKETCH_BITS)), expected)

    def test_recall_and_false_pairs(self) -> None:
        self.assertEqual((self.told["read"], self.told["none"], self.told["unknown"]), (8, 1, 1))
        false = false_distances(self.labels, self.values, self.width)
        # between a (0 0001 0111), b (1111 1111), c (0) and n/1 (1110), all English; n/2 is short; b/t-n/1 is similar
        self.assertEqual(false["one site or template"], Counter())
        same: Counter[int] = Counter()
        for (distance, _, _), times in false["same language"].items():
            same[distance] += times
        a_b, a_c, b_c, to_n = [4, 4, 3, 3, 1, 1], [0, 1, 3], [4, 4], [3, 4, 2, 1, 3]
        self.assertEqual(same, Counter(a_b + a_c + b_c + to_n))
        hamming = Hamming(self.labels, self.values, self.width, self.told, false)
        # distances 0-1: 1 and 0-2: 3 in family f, 4-5: 0 in family g
        self.assertEqual([hamming.recall(k).value for k in (0, 1, 2, 3)], [0.5, 0.75, 0.75, 1.0])
        rate = hamming.false_rate("same language", 0)
        self.assertEqual((rate.false, rate.pairs, rate.per_million), (1, 16, 1e6 / 16))

    def test_a_missing_print_misses(self) -> None:
        del self.values[5]
        hamming = Hamming(self.labels, self.values, self.width, self.told, {})
        self.assertEqual((hamming.missing(), hamming.recall(64).value), (1, 0.5))

    def test_false_rate_interval(self) -> None:
        counts = Counter({(0, "a", "b"): 1, (9, "a", "c"): 1, (9, "b", "c"): 2})
        rate = false_rate(counts, 3)
        self.assertEqual((rate.false, rate.pairs, rate.per_million), (1, 4, 250_000.0))
        # left out in turn: a: 0 of 2, b: 0 of 1, c: 1 of 1; mean 1/3; sum of squares 2/3; variance 2/3 * 2/3
        self.assertAlmostEqual(rate.high, 1e6 * min(1.0, 0.25 + 1.959963984540054 * 2 / 3), places=3)
        self.assertEqual(rate.low, 0.0)
        self.assertEqual(false_rate(Counter(), 3).pairs, 0)
        self.assertGreater(false_rate(Counter({(9, "a", "b"): 100}), 3).high, 0)


if __name__ == "__main__":
    unittest.main()
