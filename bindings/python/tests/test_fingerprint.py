"""One fingerprint: the value and its forms, and the fingerprint of one text."""

from __future__ import annotations

import json
import multiprocessing
import pickle

import nearprint
import pytest
from conftest import ROOT, make_text
from hypothesis import given
from hypothesis import strategies as st
from nearprint import Fingerprint

TEXT = "The quick brown fox jumps over the lazy dog."


def test_a_text_has_the_fingerprint_of_the_standard() -> None:
    assert str(nearprint.fingerprint(TEXT)) == "sd1:qmlse5xc6xczc"
    assert nearprint.fingerprint("2024, 42") is None
    assert nearprint.fingerprint("") is None


def test_forms_are_inverse() -> None:
    for scheme, size in [("sd1", 8), ("sl1", 8), ("md1", 256), ("custom:words,log,lookup3,128", 16)]:
        made = nearprint.fingerprint(TEXT, scheme)
        assert made is not None
        assert made.scheme == scheme
        assert len(bytes(made)) == size
        assert Fingerprint.from_bytes(bytes(made), scheme) == made
        assert Fingerprint.from_int(int(made), scheme) == made
        assert int(made) == int.from_bytes(bytes(made), "big")
        assert Fingerprint(str(made)) == made
        assert repr(made) == f"Fingerprint('{made}')"
        assert pickle.loads(pickle.dumps(made)) == made


def test_a_fingerprint_is_a_value() -> None:
    a, b = Fingerprint.from_int(7), Fingerprint.from_int(5)
    assert {a, Fingerprint.from_int(7), b} == {a, b}
    assert sorted([a, b]) == [b, a]
    assert a != b and a != "sd1:aaaaaaaaaaaao" and a != 7
    assert (a.distance(b), a.similarity(b), a.positions) == (1, 1 - 1 / 64, 64)
    with pytest.raises(AttributeError):
        a.scheme = "sl1"  # type: ignore[misc]


def test_unlike_schemes_are_refused() -> None:
    one, other = nearprint.fingerprint(TEXT, "sd1"), nearprint.fingerprint(TEXT, "sl1")
    assert one is not None and other is not None
    with pytest.raises(nearprint.InvalidInputError, match="sd1 and sl1") as caught:
        one.distance(other)
    assert caught.value.kind == "invalid-input"
    assert isinstance(caught.value, ValueError)
    assert one != other


@pytest.mark.parametrize(
    "make",
    [
        lambda: Fingerprint("nonsense"),
        lambda: Fingerprint("sd1:aerukz4jvpg6"),
        lambda: Fingerprint.from_int(-1),
        lambda: Fingerprint.from_int(1 << 64),
        lambda: Fingerprint.from_bytes(b"short"),
        lambda: nearprint.fingerprint(TEXT, "sd9"),
        lambda: nearprint.fingerprint("lone \ud800 surrogate"),
    ],
)
def test_values_that_make_no_sense_are_invalid_input(make: object) -> None:
    with pytest.raises(nearprint.InvalidInputError):
        make()  # type: ignore[operator]


@pytest.mark.parametrize("value", [1.5, "7", None, float("nan"), [7]])
def test_values_of_other_types_are_type_errors(value: object) -> None:
    with pytest.raises(TypeError):
        Fingerprint.from_int(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        nearprint.fingerprint(7)  # type: ignore[arg-type]


def test_the_vectors_of_the_standard() -> None:
    vectors = json.loads((ROOT / "spec" / "vectors" / "family_documents.json").read_text(encoding="utf-8"))
    texts = [case for case in vectors["cases"] if "text" in case["input"]]
    assert len(texts) > 30
    for scheme in ("sd1", "sl1", "md1", "wd1"):
        expected = [case["expected"]["strings"][scheme] for case in texts]
        found = nearprint.fingerprints([case["input"]["text"] for case in texts], scheme, "string")
        assert found.to_pylist() == expected


@given(st.text())
def test_any_text_is_fingerprinted_or_refused(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        with pytest.raises(nearprint.InvalidInputError):
            nearprint.fingerprint(text)
    else:
        made = nearprint.fingerprint(text)
        assert made is None or Fingerprint(str(made)) == made


@given(st.binary(max_size=300), st.sampled_from(["sd1", "md1", "custom:words,log,lookup3,32", "", "é"]))
def test_any_bytes_are_a_fingerprint_or_refused(value: bytes, scheme: str) -> None:
    try:
        made = Fingerprint.from_bytes(value, scheme)
    except nearprint.InvalidInputError:
        return
    assert bytes(made) == value


def test_a_long_text_has_the_fingerprint_of_its_pieces() -> None:
    # Longer than what is worked on between two looks at signals.
    text = make_text(1, 2000) * 1000
    assert len(text) > 9 << 20
    column = nearprint.fingerprints([text])
    made = nearprint.fingerprint(text)
    assert made is not None and column[0] == int(made)


def _same(made: Fingerprint) -> tuple[str, Fingerprint]:
    return str(made), made


def test_fingerprints_go_to_other_processes() -> None:
    made = nearprint.fingerprint(TEXT, "custom:words,log,lookup3,32")
    assert made is not None
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_same, (made,)) == (str(made), made)
