"""The exceptions of nearprint: a small hierarchy, each with a `kind` for programs and a message for people.

Wrong types raise the built-in `TypeError`, and Ctrl-C raises `KeyboardInterrupt`, as everywhere in Python.
"""

from __future__ import annotations

__all__ = [
    "DocumentError",
    "InputOutputError",
    "InternalError",
    "InvalidInputError",
    "LimitError",
    "NearprintError",
    "ResourceError",
]


class NearprintError(Exception):
    """The base of all exceptions of nearprint.

    Attributes:
        kind: What happened, for programs. Where a server refused something, the kind of its problem.
        problem: The answer of that server, with `status`, `detail`, `errors` and others; else None.
    """

    kind: str = "internal"
    problem: dict[str, object] | None = None


class InvalidInputError(NearprintError, ValueError):
    """An argument makes no sense: an unknown scheme, fingerprints of unlike schemes, a malformed fingerprint."""

    kind = "invalid-input"


class LimitError(NearprintError):
    """There is more than a limit allows, such as more pairs than `max_pairs`."""

    kind = "limit"


class ResourceError(NearprintError):
    """The memory allowed, the disk or the system's threads do not suffice."""

    kind = "resource"


class InputOutputError(NearprintError, OSError):
    """A temporary file or an input cannot be read or written."""

    kind = "io"


class DocumentError(NearprintError):
    """A single document cannot be read or holds no text.

    Attributes:
        reason: The code of docs/FORMAT.md, such as `no-text`, `damaged` or `encrypted`.
        detail: The same for people.
        id: The document's id, or None.
        place: Where the document is: a dictionary with `file` and, in collections, `line`, `row` or `record`.
        failure: False where nothing failed and the document merely holds no text.
    """

    kind = "document"

    def __init__(
        self,
        reason: str,
        detail: str,
        id: str | None = None,
        place: dict[str, object] | None = None,
        failure: bool = True,
    ) -> None:
        super().__init__(reason, detail, id, place, failure)
        self.reason = reason
        self.detail = detail
        self.id = id
        self.place = place or {}
        self.failure = failure

    def __str__(self) -> str:
        name = self.id if self.id is not None else self.place.get("file")
        return f"{name}: {self.reason}: {self.detail}" if name else f"{self.reason}: {self.detail}"


class InternalError(NearprintError):
    """A fault of nearprint's own. Please report it."""

    kind = "internal"
