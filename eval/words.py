"""The tokens of a text by the stages of `reference/nearprint_reference.py`, and nothing beside them.

So the report speaks of the words that a fingerprint is made of, whatever program took the text out of the document.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

REFERENCE = Path(__file__).resolve().parent.parent / "reference" / "nearprint_reference.py"


@cache
def reference() -> ModuleType:
    """The reference, loaded from its file: it is a program, not a package."""
    found = importlib.util.spec_from_file_location("nearprint_reference", REFERENCE)
    if found is None or found.loader is None:
        raise ImportError(f"{REFERENCE} is missing; eval/ works inside the repository only")
    module = importlib.util.module_from_spec(found)
    sys.modules.setdefault("nearprint_reference", module)  # named tuples look their module up
    found.loader.exec_module(module)
    return module


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order."""
    ref = reference()
    return [sys.intern(token) for token in ref.tokens(ref.cut(ref.normalise(ref.unassigned_to_space(text))))]


def fingerprint(occurrences: list[str]) -> int | None:
    """The sd1 fingerprint of tokens; none where there are none. Slow: some 50 microseconds a distinct token."""
    found = reference().fingerprint_of_tokens(occurrences)
    return None if found is None else found.value
