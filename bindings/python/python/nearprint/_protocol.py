"""What a collection of documents can be asked, wherever it is kept."""

# Checkers of types take `*_: Any, **options: Any` for any arguments: an index has more of them than a server.
# pyright: reportUnusedFunction=false

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from nearprint._nearprint import Fingerprint, Index, Table
    from nearprint._server_collection import ServerCollection


@runtime_checkable
class Collection(Protocol):
    """Documents that are added, removed and asked about by id: an `Index` on this machine, or a collection of a server.

    `nearprint.Index` and `nearprint.client.ServerCollection` both have these methods, and give equal answers. A function that
    takes a `Collection` works with either. Each has more of its own: paths, tables and progress of an index, files that lie
    on the server.

    - A `str` is a path. Texts are given by name, as `texts=[...]`.
    - An id that is there is an error, unless `on_duplicate` says otherwise.
    - What has rows is a `Table`.
    """

    @property
    def scheme(self) -> str:
        """The scheme of all fingerprints."""
        ...

    def __len__(self) -> int: ...
    def __contains__(self, id: str, /) -> bool: ...

    def add(
        self,
        *,
        texts: Iterable[str | None] | None = None,
        ids: Iterable[str] | None = None,
        on_duplicate: Literal["error", "replace", "skip"] = "error",
        if_new: bool = False,
        k: int | None = None,
    ) -> Table:
        """Adds texts under their ids. `summary` of the table counts what was added, replaced, skipped, near and failed.

        Args:
            texts: The texts.
            ids: As many ids; positions as strings where they are not given.
            on_duplicate: What to do with a text whose id is there.
            if_new: Leave out what is within `k` of a document that is there, or of an earlier one of these.
            k: The distance of `if_new`.

        Returns:
            What `if_new` found.

        Raises:
            InvalidInputError: Where an id is there and `on_duplicate` is "error".
        """
        ...

    def remove(self, id: str) -> None:
        """Removes a document.

        Args:
            id: Its id.

        Raises:
            KeyError: Where there is none of this id.
        """
        ...

    def remove_many(self, ids: Sequence[str] | None = None, *, where: str | Sequence[str] | None = None) -> int:
        """Removes documents, and returns how many of them were there.

        Args:
            ids: Their ids.
            where: Instead of `ids`, conditions on the metadata. An index in memory has none.

        Raises:
            InvalidInputError: Where neither or both are given, or a condition is none.
        """
        ...

    def get(self, id: str) -> Fingerprint | None:
        """The fingerprint of a document; None where there is none of this id.

        Args:
            id: Its id.
        """
        ...

    def document(self, id: str) -> dict[str, Any] | None:
        """All that is stored of a document but its features; None where there is none of this id.

        Args:
            id: Its id.
        """
        ...

    def list(self, prefix: str = "", *, after: str | None = None, limit: int | None = None) -> Table:
        """Documents in the order of their ids.

        Args:
            prefix: Only ids that begin with it.
            after: Only ids after this one.
            limit: So many at most.
        """
        ...

    def query(self, fingerprint: Fingerprint, k: int | None = None) -> builtins.list[tuple[str, int]]:
        """Ids and distances of all documents within k positions (<=), nearest first.

        Args:
            fingerprint: What is asked about.
            k: The distance; the scheme's default where it is None.
        """
        ...

    def query_many(
        self, fingerprints: Sequence[Fingerprint], k: int | None = None
    ) -> builtins.list[builtins.list[tuple[str, int]]]:
        """The answers to many queries, in their order.

        Args:
            fingerprints: What is asked about.
            k: As of `query`.
        """
        ...

    def matches(self, *_: Any, **options: Any) -> Table:
        """The documents that match texts, most similar first, or nearest first where no texts are compared.

        Args:
            options: `texts`, what is asked about; `ids`, as many ids, or positions as strings where they are not given;
                `where`, conditions on the metadata of what is found; and the options of the question `matches`
                (docs/OPTIONS.md).
        """
        ...

    def pairs(self, *_: Any, **options: Any) -> Table:
        """All pairs of the collection.

        Args:
            options: The options of the question `pairs` (docs/OPTIONS.md).
        """
        ...

    def clusters(self, *_: Any, **options: Any) -> Table:
        """The documents of the collection grouped by its pairs, a row for each member.

        Args:
            options: The options of the question `clusters` (docs/OPTIONS.md).
        """
        ...

    def dedup(self, *_: Any, **options: Any) -> Table:
        """Which documents to keep, a row for each. Nothing is removed.

        A server needs the texts, which it keeps if `texts` is set.

        Args:
            options: The options of the question `dedup` (docs/OPTIONS.md).
        """
        ...

    def stats(self) -> dict[str, Any]:
        """What the collection is like: `scheme`, `documents`, and more that depends on where it is kept."""
        ...


if TYPE_CHECKING:

    def _both(index: Index, served: ServerCollection) -> tuple[Collection, Collection]:
        """For those who check types: both have all methods."""
        return index, served
