"""Data sets of the package `datasets` without their near-duplicates: `nearprint.datasets.dedup(dataset)`.

`AddFingerprint` and `KeepUnique` are functions for `Dataset.map` and `filter`, of which a second run is a cache hit; they need
nothing but nearprint themselves. `dedup` needs datasets (`pip install nearprint[datasets]`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

import nearprint
from nearprint._names import refuse_old_arguments
from nearprint.errors import InvalidInputError

if TYPE_CHECKING:
    from datasets import Dataset  # pyright: ignore[reportMissingTypeStubs]

__all__ = ["AddFingerprint", "KeepUnique", "dedup"]

# The column of positions, by which decisions name rows.
_POSITION = "nearprint position"


def dedup(dataset: Dataset, *, text_field: str = "text", against: Any = None, **options: Any) -> Dataset:
    """The rows of a data set that `nearprint.dedup` keeps, in their order, also of one that was shuffled or filtered.

    Args:
        dataset: The data set: one split, with a length.
        text_field: The column with the texts.
        against: Drop what duplicates one of these too: another data set with this column, or as of `nearprint.dedup`.
        options: The other options of `nearprint.dedup`, such as `threshold` and `keep`.

    Returns:
        A data set of the same columns, which shares the files of the given one.

    Raises:
        TypeError: Where it is no `Dataset`, but the splits of one or a stream.
        InvalidInputError: Where there is no such column, or an option makes no sense.
    """
    refuse_old_arguments(options, {"column": "text_field"})
    for name in ("texts", "ids", "id_field", "html_field"):
        if name in options:
            raise TypeError(f"rows are named by their positions here, and texts by text_field: {name} has no use")
    named = {text_field} | _field_of(options.get("keep", "first"))
    # The types of datasets are in part unknown.
    given: Any = dataset
    table = _table(given, named)
    if hasattr(against, "with_format"):
        against = _table(against, {text_field})
    decisions = nearprint.dedup(table, against=against, text_field=text_field, id_field=_POSITION, **options)
    dropped = _dropped(decisions)
    kept: Dataset = given.select([at for at in range(len(given)) if at not in dropped])
    return kept


@dataclass(frozen=True)
class AddFingerprint:
    """Adds a column of fingerprints. For `map(..., batched=True)`.

    Args:
        text_field: The column with the text.
        into: The column that is added.
        scheme: The scheme, as of `nearprint.fingerprint`.
        as_: The form: `string` or `value`, as of `nearprint.fingerprints`.
    """

    text_field: str = "text"
    into: str = "fingerprint"
    scheme: str = "sd1"
    as_: Literal["value", "string"] = "string"

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        return {self.into: nearprint.fingerprints(batch[self.text_field], self.scheme, self.as_).to_pylist()}


class KeepUnique:
    """Keeps the documents that `nearprint.dedup` keeps. For `filter(..., with_indices=True)` of the dataset it was made of.

    Of a data set in another order, or of other texts, it raises an error at the first row that has another text. One that
    only lacks rows at its end cannot be told from the whole. `dedup` takes any data set.

    Args:
        texts: The column with the text, such as `dataset["text"]`.
        text_field: The name of this column.
        arguments: As of `nearprint.dedup`.
    """

    def __init__(self, texts: Any, *, text_field: str = "text", **arguments: Any) -> None:
        texts = list(texts)
        self._text_field = text_field
        self._digests = tuple(map(_digest, texts))
        dropped = _dropped(nearprint.dedup(texts=texts, **arguments))
        self._kept = tuple(at not in dropped for at in range(len(texts)))

    def __call__(self, example: Mapping[str, Any], index: int) -> bool:
        if self._text_field not in example:
            raise InvalidInputError(f"there is no column {self._text_field}: give text_field to KeepUnique")
        if index >= len(self._kept) or _digest(example[self._text_field]) != self._digests[index]:
            raise InvalidInputError(
                f"row {index} is not that of the data set that KeepUnique was made of, which was shuffled, filtered or "
                "changed since: make KeepUnique of this one, or call nearprint.datasets.dedup"
            )
        return self._kept[index]


def _dropped(decisions: nearprint.Table) -> set[int]:
    """The positions of the rows that are dropped. What there is no decision about stays."""
    pairs = zip(decisions["id"].to_pylist(), decisions["decision"].to_pylist(), strict=True)
    return {int(id) for id, decision in pairs if decision != "keep"}


def _digest(text: str | None) -> bytes:
    """A short digest by which another text is noticed."""
    return b"" if text is None else blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _field_of(keep: str) -> set[str]:
    """The column that decides which of several is kept."""
    if not keep.startswith("field:"):
        return set()
    return {keep.removeprefix("field:").removesuffix(":max").removesuffix(":min")}


def _table(dataset: Any, names: set[str]) -> Any:
    """Columns of a data set in its own order, with the positions of the rows."""
    kind = type(dataset).__name__
    if not hasattr(dataset, "select_columns") or not hasattr(dataset, "__len__"):
        raise TypeError(f"dedup takes a Dataset, whose rows have positions, not {kind}")
    if isinstance(dataset, dict):
        raise TypeError(f"dedup takes one split of a data set, such as dataset['train'], not {kind}")
    missing = sorted(names - set(dataset.column_names))
    if missing:
        raise InvalidInputError(f'there is no column "{missing[0]}"; there are: {", ".join(dataset.column_names)}')
    rows = dataset.select_columns(sorted(names)).with_format("arrow")[:]
    return rows.append_column(_POSITION, [list(range(rows.num_rows))])
