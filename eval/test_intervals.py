"""Intervals: published values, symmetry, and what they must contain."""

import unittest

from intervals import bootstrap, family_means, mean, wilson


class Intervals(unittest.TestCase):
    def test_wilson(self) -> None:
        # 8 of 10: (0.8 + z^2/20 -+ z sqrt(0.016 + z^2/400)) / (1 + z^2/10), z = 1.96
        low, high = wilson(8, 10)
        self.assertAlmostEqual(low, 0.4902, places=4)
        self.assertAlmostEqual(high, 0.9433, places=4)
        self.assertEqual(wilson(0, 0), (0.0, 1.0))
        self.assertAlmostEqual(wilson(0, 50)[0], 0.0)
        self.assertAlmostEqual(wilson(0, 50)[1], 0.0713, places=4)
        self.assertAlmostEqual(wilson(3, 9)[0], 1 - wilson(6, 9)[1])

    def test_a_family_counts_once_however_large(self) -> None:
        values = [("large", 1.0)] * 98 + [("small", 0.0), ("small", 0.5)]
        self.assertEqual(family_means(values), [1.0, 0.25])
        self.assertAlmostEqual(mean(family_means(values)), 0.625)

    def test_bootstrap(self) -> None:
        means = [0.0] * 20 + [1.0] * 60
        low, high = bootstrap(means)
        self.assertTrue(0.6 < low < 0.70 and 0.80 < high < 0.9, (low, high))  # about 0.75 -+ 1.96 sqrt(.75 .25 / 80)
        self.assertEqual(bootstrap(means), (low, high))
        self.assertEqual(bootstrap([0.5] * 9), (0.5, 0.5))
        self.assertEqual(bootstrap([0.5]), (0.0, 1.0))


if __name__ == "__main__":
    unittest.main()
