"""What people see: in notebooks, in consoles, while they wait."""

from __future__ import annotations

import html.parser
import pickle
import sys
from typing import Any

import nearprint
import numpy as np
import pytest
from conftest import edited, make_text
from nearprint import Fingerprint


class Page(html.parser.HTMLParser):
    """Tags in their order, and the text of each kind of element."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: dict[str, list[str]] = {}
        self.feed(page)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self.open[-1] if self.open else "", []).append(data)


def shown(thing: Any) -> Page:
    return Page(thing._repr_html_())


def test_comparisons_mark_what_differs() -> None:
    found = nearprint.compare_texts("Fog came in at noon.", "Fog came, slowly, in at <script>dusk</script>.")
    page = shown(found)
    assert " ".join(page.text["mark"]).split() == ["noon.", "slowly,", "<script>dusk</script>."]
    assert "script" not in page.text and str(found["measure"]) in page.text["td"]
    assert pickle.loads(pickle.dumps(found)).texts == found.texts
    of_documents = nearprint.compare(b"<p>Fog came in at noon.", b"Fog came in at night.", details=3)
    assert shown(of_documents).text["mark"] == ["noon.", "night."]
    of_prints = nearprint.compare(Fingerprint.from_int(7), Fingerprint.from_int(5))
    assert of_prints.texts is None and "mark" not in shown(of_prints).text
    long = shown(nearprint.compare_texts(make_text(1, 900), edited(make_text(1, 900), 1, 1)))
    assert any("…" in text for text in long.text["p"]) and len(long.text["mark"]) == 2
    for a, b in (("", ""), ("x", ""), ("fog " * 100_000, "fog " * 90_000 + "sun")):
        assert "mark" not in shown(nearprint.compare_texts(a, b)).text or a != b


def test_tables_are_shown_by_their_first_rows() -> None:
    ids = ["<b>one</b>", "two & more", "three"]
    texts = [make_text(1), edited(make_text(1), 1, 2), make_text(2)]
    page = shown(nearprint.pairs(texts=texts, ids=ids))
    assert {"<b>one</b>", "two & more"} <= set(page.text["td"]) and "1 row." in page.text["p"]
    many = shown(nearprint.pairs(np.zeros(50, dtype=np.uint64)))
    assert any("The first" in text and "1225" in text for text in many.text["p"])
    assert shown(nearprint.pairs(texts=["fog"])).text["p"] == ["0 rows."]


def test_clusters_are_shown_side_by_side() -> None:
    texts = [make_text(1), edited(make_text(1), 1, 2), make_text(2), edited(make_text(2), 3, 1), make_text(2)]
    page = shown(nearprint.clusters(texts=texts, ids=["a", "<i>b</i>", "c", "d", "e"]))
    assert len(page.text["mark"]) >= 4 and page.text["b"][:2] == ["a", "<i>b</i>"]
    assert "5 rows." in page.text["p"]


def test_reprs_help() -> None:
    column = nearprint.fingerprints(["fog came in", None])
    assert repr(column).startswith("<nearprint.Column of 2 UInt64: [") and repr(column).endswith(", None]>")
    assert repr(nearprint.fingerprint("fog")) == f"Fingerprint('{nearprint.fingerprint('fog')}')"
    assert repr(nearprint.extract(b"<p>fog")) == "<nearprint.Extraction of 4 characters from text/html>"


def test_progress_shows_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [make_text(seed) for seed in range(300)]
    nearprint.fingerprints(texts, progress=True)
    assert "300 texts" in capsys.readouterr().err
    nearprint.pairs(texts=texts, progress=True)
    assert "search: 100%" in capsys.readouterr().err
    nearprint.pairs(texts=texts, progress=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="needs tqdm: pip install"):
        nearprint.pairs(texts=texts, progress=True)


def test_errors_are_a_hierarchy_with_kinds() -> None:
    classes = [getattr(nearprint, name) for name in nearprint.__all__ if name.endswith("Error")]
    assert all(issubclass(one, nearprint.NearprintError) for one in classes)
    kinds = {one.kind for one in classes if one is not nearprint.NearprintError}
    assert kinds == {"document", "invalid-input", "io", "internal", "limit", "resource"}
    with pytest.raises(nearprint.InputOutputError) as caught:
        nearprint.Index.create("/proc/nowhere")
    assert caught.value.kind == "io" and isinstance(caught.value, OSError)
    with pytest.raises(nearprint.LimitError) as limit:
        nearprint.pairs(np.zeros(100, dtype=np.uint64), max_pairs=5)
    assert limit.value.kind == "limit"
