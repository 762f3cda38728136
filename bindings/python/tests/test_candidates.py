"""Which pairs a verification compares."""

from __future__ import annotations

import pytest
from nearprint._nearprint import candidates
from nearprint.errors import InvalidInputError


def test_thresholds_choose_distance_and_bands() -> None:
    assert candidates(0.7) == (60, "32x4")
    assert candidates(0.3) == (111, "64x2")
    assert candidates(0.8, measure="containment") == (127, "128x1")
    assert candidates(0.8, measure="cosine", scheme="wd1")[1] is None


def test_what_is_no_threshold_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        candidates(1.5)
