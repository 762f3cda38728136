"""The measures on texts small enough to work out by hand."""

import unittest
from collections import Counter
from math import sqrt

from comparison import containment, cosine, jaccard, quantile, share_of, shingles


class Measures(unittest.TestCase):
    def test_cosine(self) -> None:
        one, other = Counter(["a", "a", "b"]), Counter(["a", "b", "b", "c"])
        # the products: 2*1 + 1*2 = 4; the lengths: sqrt(4+1) and sqrt(1+4+1)
        self.assertAlmostEqual(cosine(one, other), 4 / sqrt(5 * 6))
        self.assertAlmostEqual(cosine(other, one), cosine(one, other))
        self.assertAlmostEqual(cosine(one, one), 1.0)
        self.assertEqual(cosine(one, Counter(["x", "y"])), 0.0)
        self.assertEqual(cosine(one, Counter()), 0.0)

    def test_shingles(self) -> None:
        self.assertEqual(shingles(["a", "b", "c", "d"]), {("a", "b", "c"), ("b", "c", "d")})
        self.assertEqual(shingles(["a", "a", "a", "a"]), {("a", "a", "a")})
        self.assertEqual(shingles(["a", "b"]), {("a", "b")})
        self.assertEqual(shingles([]), set())

    def test_containment_is_of_the_smaller_set(self) -> None:
        one, other = {1, 2, 3, 4}, {3, 4, 5}
        self.assertAlmostEqual(containment(one, other), 2 / 3)
        self.assertAlmostEqual(jaccard(one, other), 2 / 5)
        self.assertAlmostEqual(share_of(one, other), 2 / 4)
        self.assertEqual(containment(one, set()), 0.0)

    def test_quantile_interpolates(self) -> None:
        self.assertEqual(quantile([4, 1, 3, 2], 0.5), 2.5)
        self.assertAlmostEqual(quantile([0, 10], 0.05), 0.5)
        self.assertEqual(quantile([7], 0.05), 7)


if __name__ == "__main__":
    unittest.main()
