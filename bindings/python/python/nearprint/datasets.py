"""Functions for `datasets.Dataset.map` and `filter`, of which a second run is a cache hit.

They need nothing but nearprint themselves: `dataset.map(AddFingerprint(), batched=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import nearprint

__all__ = ["AddFingerprint", "KeepUnique"]


@dataclass(frozen=True)
class AddFingerprint:
    """Adds a column of fingerprints. For `map(..., batched=True)`.

    Args:
        column: The column with the text.
        into: The column that is added.
        scheme: The scheme, as of `nearprint.fingerprint`.
        as_: The form: `string` or `value`, as of `nearprint.fingerprints`.
    """

    column: str = "text"
    into: str = "fingerprint"
    scheme: str = "sd1"
    as_: Literal["value", "string"] = "string"

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        return {self.into: nearprint.fingerprints(batch[self.column], self.scheme, self.as_).to_pylist()}


class KeepUnique:
    """Keeps the documents that `nearprint.dedup` keeps. For `filter(..., with_indices=True)` of the dataset it was made of.

    Args:
        texts: The column with the text, such as `dataset["text"]`.
        arguments: As of `nearprint.dedup`.
    """

    def __init__(self, texts: Any, **arguments: Any) -> None:
        decisions = nearprint.dedup(texts=texts, **arguments)["decision"]
        self._kept = tuple(bool(decision == "keep") for decision in decisions)

    def __call__(self, example: Mapping[str, Any], index: int) -> bool:
        return self._kept[index]
