"""The tokens of a text by the stages of `reference/`, and nothing beside them.

So the report speaks of the words that a fingerprint is made of, whatever program took the text out of the document.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

REFERENCE = Path(__file__).resolve().parent.parent / "reference"


@cache
def reference() -> ModuleType:
    """The reference's module of sd1, of which every scheme takes its tokens; its folder is no package."""
    if str(REFERENCE) not in sys.path:
        sys.path.append(str(REFERENCE))
    return importlib.import_module("nearprint_sd1")


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order."""
    ref = reference()
    return [sys.intern(token) for token in ref.tokens(ref.cut(ref.normalise(ref.unassigned_to_space(text))))]


def fingerprint(occurrences: list[str]) -> int | None:
    """The sd1 fingerprint of tokens; none where there are none. Slow: some 50 microseconds a distinct token."""
    found = reference().fingerprint_of_tokens(occurrences)
    return None if found is None else found.value
