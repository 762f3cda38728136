"""Questions with all their defaults, and which pairs their verification compares."""

from __future__ import annotations

from typing import Any

import pytest
from nearprint._nearprint import resolved
from nearprint.errors import InvalidInputError


def compared(**options: Any) -> tuple[int, str | None]:
    candidates = resolved("pairs", **options)["candidates"]
    return candidates["distance"], candidates["bands"]


def test_thresholds_choose_distance_and_bands() -> None:
    assert compared(threshold=0.7) == (60, "32x4")
    assert compared() == (111, "64x2")
    assert compared(measure="containment") == (127, "128x1")
    assert compared(measure="cosine", verify=True, scheme="wd1")[1] is None
    assert resolved("dedup")["candidates"] == {"scheme": "md1", "distance": 60, "bands": "32x4"}


def test_defaults_that_follow_from_others_are_filled_in() -> None:
    question = resolved("pairs", threshold=0.5)["question"]
    assert (question["measure"], question["scheme"], question["verify"]) == ("jaccard", "md1", True)
    assert resolved("pairs", **question)["question"] == question
    assert resolved("pairs", k=3)["candidates"] is None


@pytest.mark.parametrize("options", [{"threshold": 1.5}, {"nothing": 1}, {"k": 3, "similarity": 0.9}, {"k": "near"}])
def test_what_is_no_question_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises((InvalidInputError, TypeError), match=next(iter(options))):
        resolved("pairs", **options)
