"""Fingerprints of many texts: every form of input, every form of output."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import nearprint
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import make_text
from hypothesis import given, settings
from hypothesis import strategies as st

TEXTS: list[str | None] = ["Fog came in at noon.", None, "2024", "Es war einmal, 中文 ünïcödé", "", make_text(1, 5000)]


def alone(text: str | None, scheme: str = "sd1") -> int | None:
    made = None if text is None else nearprint.fingerprint(text, scheme)
    return None if made is None else int(made)


EXPECTED = [alone(text) for text in TEXTS]


def generated() -> Iterator[str | None]:
    yield from TEXTS


FORMS: dict[str, Callable[[], Any]] = {
    "list": lambda: TEXTS,
    "tuple": lambda: tuple(TEXTS),
    "generator": generated,
    "utf8": lambda: pa.array(TEXTS, pa.string()),
    "large_utf8": lambda: pa.array(TEXTS, pa.large_string()),
    "string_view": lambda: pa.array(TEXTS, pa.string_view()),
    "dictionary": lambda: pa.array(TEXTS, pa.string()).dictionary_encode(),
    "dictionary of views": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, None, 1, 2, 3, 4], pa.int8()),
        pa.array([text for text in TEXTS if text is not None], pa.large_string()),
    ),
    "chunked": lambda: pa.chunked_array([pa.array(TEXTS[:2], pa.string()), [], pa.array(TEXTS[2:], pa.string())]),
    "sliced": lambda: pa.array(["before", *TEXTS, "after"], pa.string()).slice(1, len(TEXTS)),
    "sliced views": lambda: pa.array(["before", *TEXTS], pa.string_view()).slice(1),
    "sliced dictionary": lambda: pa.array(["before", *TEXTS]).dictionary_encode().slice(1),
    "polars": lambda: pl.Series(TEXTS),
    "polars categories": lambda: pl.Series(TEXTS, dtype=pl.Categorical),
    "pandas": lambda: pd.Series(TEXTS, dtype="str").astype(pd.ArrowDtype(pa.string())),
    "object array": lambda: np.array(TEXTS, dtype=object),
    "stream": lambda: pl.DataFrame({"text": TEXTS})["text"],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_texts_gives_the_same_fingerprints(form: str) -> None:
    column = nearprint.fingerprints(FORMS[form]())
    assert column.to_pylist() == EXPECTED
    assert (len(column), column.null_count, column.scheme) == (6, 3, "sd1")


@pytest.mark.parametrize("scheme", ["sd1", "sl1", "md1", "wd1", "custom:words,log,lookup3,32"])
@pytest.mark.parametrize("threads", [1, 3])
def test_forms_of_output_agree(scheme: str, threads: int) -> None:
    values = nearprint.fingerprints(TEXTS, scheme, threads=threads)
    strings = nearprint.fingerprints(TEXTS, scheme, "string", threads=threads)
    structs = nearprint.fingerprints(TEXTS, scheme, as_="struct", threads=threads)
    assert [row and row["value"] for row in structs] == values.to_pylist()
    assert [row and row["fingerprint"] for row in structs] == strings.to_pylist()
    for text, value, string, row in zip(TEXTS, values, strings, structs, strict=True):
        made = None if text is None else nearprint.fingerprint(text, scheme)
        assert string == (None if made is None else str(made))
        assert value == (None if made is None else int(made) if scheme in ("sd1", "sl1") else bytes(made))
        if text is None:
            assert row is None
        else:
            assert row["reason"] == (None if made is not None else "no-tokens")
            assert row["tokens"] == (0 if made is None else row["tokens"])


def test_columns_go_to_other_libraries_without_nulls_lost() -> None:
    column = nearprint.fingerprints(TEXTS)
    arrow = column.to_arrow()
    assert arrow.type == pa.uint64() and arrow.to_pylist() == EXPECTED
    assert pa.array(column).equals(arrow)
    assert pa.chunked_array(column).to_pylist() == EXPECTED
    assert column.to_polars().to_list() == EXPECTED
    assert pl.Series(column).dtype == pl.UInt64
    assert [None if pd.isna(value) else value for value in column.to_pandas()] == EXPECTED
    with pytest.raises(nearprint.InvalidInputError, match="3 values are null"):
        column.to_numpy()
    full = column[3:4].to_numpy()
    assert full.dtype == np.uint64 and full.tolist() == EXPECTED[3:4]
    sketches = nearprint.fingerprints(["fog came in at noon and stayed"], "md1")
    assert sketches.to_arrow().type == pa.binary(256)
    assert bytes(sketches.to_numpy()[0]) == sketches[0]


def test_a_column_is_a_sequence() -> None:
    column = nearprint.fingerprints(TEXTS)
    assert list(column) == EXPECTED
    assert column[-1] == EXPECTED[-1]
    assert column[1:].to_pylist() == EXPECTED[1:]
    assert column[5:2].to_pylist() == []
    assert repr(column).startswith("<nearprint.Column of 6 UInt64: [")
    for place in (6, -7):
        with pytest.raises(IndexError):
            column[place]
    with pytest.raises(nearprint.InvalidInputError):
        column[::2]


def test_bytes_that_are_no_utf8_in_arrow_are_repaired_not_trusted() -> None:
    # pyarrow does not check what is declared as text.
    bad = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\x0d\0\0\0"), pa.py_buffer(b"fog \xff came in")]
    )
    assert nearprint.fingerprints(bad).to_pylist() == [alone("fog \ufffd came in")]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ("one text", "a list"),
        (b"bytes", "a list"),
        (7, "not int"),
        ([7], "not int"),
        ([b"x"], "not bytes"),
        (pa.array([1, 2]), "Int64"),
        (pa.array([b"x"]), "Binary"),
        (pa.table({"text": ["x"]}), "name one of its columns"),
        (pl.DataFrame({"text": ["x"]}), "name one of its columns"),
        (np.array([1.5]), "not"),
    ],
)
def test_what_is_no_text_is_a_type_error(texts: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        nearprint.fingerprints(texts)


def test_an_exception_of_a_generator_comes_through() -> None:
    def broken() -> Iterator[str]:
        yield "fog"
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        nearprint.fingerprints(broken())
    for arguments in ({"scheme": "sd9"}, {"as_": "hex"}):
        with pytest.raises(nearprint.InvalidInputError):
            nearprint.fingerprints(["fog"], **arguments)  # type: ignore[arg-type]
    with pytest.raises(nearprint.InvalidInputError, match="surrogates"):
        nearprint.fingerprints(["fog \udcff"])


def test_progress_is_reported_and_may_raise() -> None:
    told: list[tuple[str, int, int | None]] = []
    nearprint.fingerprints(["fog"] * 70_000, progress=lambda *state: told.append(state))
    assert told[-1] == ("texts", 70_000, None)

    def stop(stage: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nearprint.fingerprints(["fog"], progress=stop)


def test_sixteen_threads_get_the_answers_that_one_gets() -> None:
    texts = [make_text(seed, 50) for seed in range(2000)]
    expected, found = nearprint.fingerprints(texts).to_pylist(), []

    def work() -> None:
        found.append(nearprint.fingerprints(texts, threads=2).to_pylist())

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 16


ANY_TEXT = st.none() | st.text(st.characters(codec="utf-8"), max_size=60)


@settings(max_examples=60, deadline=None)
@given(st.lists(ANY_TEXT, max_size=40), st.data())
def test_any_column_gives_what_its_texts_give(texts: list[str | None], data: st.DataObject) -> None:
    expected = [alone(text, "sl1") for text in texts]
    kind = data.draw(st.sampled_from([pa.string(), pa.large_string(), pa.string_view()]))
    first = data.draw(st.integers(0, len(texts)))
    whole = pa.array(texts, kind)
    assert nearprint.fingerprints(whole.slice(first), "sl1").to_pylist() == expected[first:]
    parts = pa.chunked_array([whole.slice(0, first), whole.slice(first)], kind)
    assert nearprint.fingerprints(parts, "sl1").to_pylist() == expected


# No strings alone: for searches they are paths, and "/" is one.
GARBAGE = st.recursive(
    st.none() | st.integers() | st.floats() | st.binary() | st.dictionaries(st.text(), st.integers()), st.lists
)


@settings(max_examples=100, deadline=None)
@given(GARBAGE)
def test_garbage_is_refused_with_an_exception(garbage: Any) -> None:
    for call in (nearprint.fingerprints, nearprint.pairs, nearprint.clusters, nearprint.dedup, nearprint.extract):
        with contextlib.suppress(TypeError, nearprint.NearprintError):
            call(garbage)
