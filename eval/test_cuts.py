"""The figures of cuts.py, by records written by hand."""

from __future__ import annotations

import json
import unittest

from cuts import Made, changed, made_of, values_of


class Cuts(unittest.TestCase):
    """Records of two documents under two schemes."""

    def test_tokens_and_fingerprints_are_compared_by_document(self) -> None:
        records = [
            {"id": "a", "scheme": "custom-1", "fingerprint": "custom-1:xx", "tokens": 10},
            {"id": "a", "scheme": "custom-2", "fingerprint": "custom-2:yy", "tokens": 7},
            {"id": "b", "scheme": "custom-1", "fingerprint": "custom-1:zz", "tokens": 5},
            {"id": "b", "scheme": "custom-2", "fingerprint": "custom-2:zz", "tokens": 5},
        ]
        made = made_of(map(json.dumps, records), {"custom-1": "one", "custom-2": "other"})
        other = Made(dict(values_of(made["other"])), made["other"].tokens)
        self.assertEqual(changed(made["one"], other), (1, 3, 0.2))


if __name__ == "__main__":
    unittest.main()
