"""Garbage in every argument: clear exceptions, never a panic, an abort or an internal error."""

from __future__ import annotations

import inspect
import io
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nearprint
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nearprint import Fingerprint, Index

# What clear exceptions are: those of Python about types, values and missing keys, and our own but the internal one.
CLEAR = (TypeError, ValueError, OverflowError, LookupError, AttributeError, OSError, nearprint.NearprintError)


class Liar:
    """An object whose protocols do not keep what they promise."""

    def __iter__(self) -> Any:
        return iter([self, 7])

    def __len__(self) -> int:
        return 2

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self

    def __fspath__(self) -> Any:
        return 7

    def read(self) -> Any:
        return self


class Stream(Liar):
    """The same, without a path."""

    __fspath__ = None  # type: ignore[assignment]


def closed() -> io.BytesIO:
    file = io.BytesIO(b"fog")
    file.close()
    return file


ODD: list[Any] = [
    None, True, 0, -1, 2**64, -(2**200), 1.5, math.nan, math.inf, "", "\ud800", "\0", "fog", b"", b"\xff\0", bytearray(b"fog"),
    [], [None], ["\udfff"], ["fog", b"rain"], [1, "a"], {}, {"a": 1}, {1: "a"}, set(), object(), Liar(), Stream(), closed(),
    io.StringIO("fog"), np.array([math.nan]), np.array([[1]], dtype=np.uint64), np.array([1], dtype=np.uint64), np.array(["a"]),
    np.array([1, 2, 3, 4], dtype=np.uint64)[::2], pa.array([1.5]), pa.array([b"x"]), pa.array([[1]]), pa.table({"a": [1]}),
    pa.chunked_array([], pa.string()), pa.array([None, "fog"]), Fingerprint.from_int(7), [Fingerprint.from_int(7), "x"], print, int,
    Path("/nowhere"), Path("/dev/null"), [Path("/nowhere"), 7], "*.nothing", "[", "sd1", "custom:", "custom:words,tf,lookup3,99", "x" * 10_000,
]  # fmt: skip

# None of these is a path that leads out of the directory of the tests.
TEXTS = st.text(max_size=20).filter(lambda text: "/" not in text and ".." not in text)

VALUES = st.one_of(
    st.sampled_from(ODD),
    st.integers(),
    st.floats(),
    TEXTS,
    st.binary(max_size=20).filter(lambda path: b"/" not in path and b".." not in path),
    st.lists(st.one_of(st.integers(), TEXTS, st.none()), max_size=4),
)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(nearprint, name)
    for name in nearprint.__all__
    if inspect.isbuiltin(getattr(nearprint, name)) and name != "read"
}


@pytest.fixture(autouse=True, scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """In a directory of nothing: garbage may be a path."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("nothing"))
    yield
    os.chdir(before)


def clear(call: Callable[[], Any]) -> None:
    """Calls, and lets pass what it gives or a clear exception."""
    try:
        call()
    except nearprint.InternalError:
        raise
    except CLEAR as error:
        assert str(error), f"{type(error).__name__} says nothing"


def names(function: Callable[..., Any]) -> list[str]:
    """Arguments of a function by name, but for options."""
    found = inspect.signature(function).parameters.values()
    return [one.name for one in found if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_functions_take_garbage(name: str, data: st.DataObject) -> None:
    function = FUNCTIONS[name]
    keywords = st.dictionaries(st.sampled_from([*names(function), "charset", "limits", "memory"]), VALUES, max_size=3)
    arguments = data.draw(keywords)
    arguments.pop("temp", None)
    # The samples' documents are enough for who gives no data.
    needed = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    needed = [one for one in needed if one.kind is one.POSITIONAL_OR_KEYWORD and one.name not in arguments]
    clear(lambda: function(**{one.name: data.draw(VALUES) for one in needed}, **arguments, threads=1))


@pytest.mark.parametrize("name", ["from_int", "from_bytes", "distance", "similarity"])
@settings(max_examples=60, deadline=None)
@given(VALUES, VALUES)
def test_fingerprints_take_garbage(name: str, one: Any, other: Any) -> None:
    print_ = Fingerprint.from_int(7)
    clear(lambda: Fingerprint(one))
    clear(lambda: getattr(print_, name)(one))
    clear(lambda: getattr(Fingerprint, name)(one, other))
    # Arrays compare element by element, and answer with a new array each time.
    if not isinstance(one, np.ndarray):
        assert (print_ == one) is (one == print_)


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.create(tmp_path_factory.mktemp("garbage") / "index", "sd1")


METHODS = ["insert", "insert_many", "add", "remove", "remove_many", "get", "document", "query", "query_many", "matches"]


@pytest.mark.parametrize("name", [*METHODS, "pairs", "clusters", "export", "list"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_indexes_take_garbage(name: str, on_disk: Index, data: st.DataObject) -> None:
    method = getattr(Index, name)
    arguments = data.draw(st.dictionaries(st.sampled_from([*names(method), "nonsense"]), VALUES, max_size=3))
    positional = data.draw(st.lists(VALUES, max_size=2))
    for index in (on_disk, Index("md1")):
        clear(lambda index=index: getattr(index, name)(*positional, **arguments))  # type: ignore[misc]
        assert len(index) >= 0
    clear(lambda: Index.open(*positional))


@settings(max_examples=100, deadline=None)
@given(
    st.binary(max_size=300),
    st.sampled_from(["text/html", "application/pdf", "application/json", "message/rfc822", None]),
)
def test_bytes_of_any_kind_are_documents_or_clear_errors(content: bytes, media: str | None) -> None:
    options: dict[str, Any] = {} if media is None else {"media_type": media}
    clear(lambda: nearprint.extract(content, isolate="never", **options))


def test_records_of_nothing_are_clear_errors() -> None:
    for odd in ODD:
        clear(lambda odd=odd: [None for _ in nearprint.read(odd)])  # type: ignore[misc]
