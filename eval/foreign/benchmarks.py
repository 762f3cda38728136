"""The benchmarks that are known: how a folder of each is read, and by what it scores.

Each is a copy of its repository as its authors publish it. Where they have a scorer in Python, it is loaded from the
folder and called; where they have none, or it needs a package that is not there, the measure is stated and is here.
"""

from __future__ import annotations

import importlib.util
import json
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

from foreign.pages import Benchmark, Page, Row, domain_of, f1


def loaded(path: Path) -> ModuleType:
    """The code of a benchmark, from its folder."""
    spec = importlib.util.spec_from_file_location(f"foreign_{path.parent.name}_{path.stem}".replace("-", "_"), path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path}: no code of a scorer")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def file_of(folder: Path, stem: str) -> Path | None:
    """A page, packed or not."""
    return next((path for ending in (".html", ".html.gz") if (path := folder / f"{stem}{ending}").is_file()), None)


def means(rows: Sequence[Row]) -> dict[str, float]:
    """The means of the pages' own precision, recall and F1."""
    precision, recall, both = (statistics.fmean(column) for column in zip(*rows, strict=True))
    return {"precision": precision, "recall": recall, "f1": both}


def wcxb(folder: Path, split: str = "dev") -> Benchmark:
    """Murrough-Foley/web-content-extraction-benchmark: pages of seven types."""
    scorer = loaded(folder / "evaluate.py")
    truth = scorer.load_ground_truth(split)
    pages = []
    for key, judged in truth.items():
        path = file_of(folder / split / "html", key)
        address = json.loads((folder / split / "ground-truth" / f"{key}.json").read_text("utf-8")).get("url", key)
        if path:
            pages.append(Page(key, path, domain_of(address), judged["page_type"]))
    return Benchmark(
        f"WCXB {split}",
        "its evaluate.py: words as a bag, means of the pages",
        pages,
        lambda page, text: scorer.word_f1(text, truth[page.key]["main_content"]),
        means,
    )


def article_extraction(folder: Path) -> Benchmark:
    """scrapinghub/article-extraction-benchmark: news and other articles."""
    scorer = loaded(folder / "evaluate.py")
    truth = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    found = ((key, judged, file_of(folder / "html", key)) for key, judged in truth.items())
    pages = [Page(key, path, domain_of(judged.get("url", key)), "article") for key, judged, path in found if path]
    return Benchmark(
        "article-extraction-benchmark",
        "its evaluate.py: shingles of 4 words, F1 of the mean precision and recall",
        pages,
        lambda page, text: scorer.string_shingle_matching(true=truth[page.key].get("articleBody", ""), pred=text),
        scorer.metrics_from_tp_fp_fns,
    )


def segments_found(judged: dict[str, list[str]], text: str) -> Row:
    """Segments of the page that are in a text and should be, that are and should not, and that are missing."""

    def plain(piece: str) -> str:
        return re.sub(r"\s+", " ", piece).strip()

    text = plain(text)
    right = sum(plain(piece) in text for piece in judged["with"])
    return right, sum(plain(piece) in text for piece in judged["without"]), len(judged["with"]) - right


def of_counts(rows: Sequence[Row]) -> dict[str, float]:
    """Precision and recall of all segments together."""
    right, wrong, missing = (sum(column) for column in zip(*rows, strict=True))
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missing) if right + missing else 0.0
    return {"precision": precision, "recall": recall, "f1": f1(precision, recall)}


def trafilatura(folder: Path) -> Benchmark:
    """adbar/trafilatura: segments of pages that belong to the text and segments that do not."""
    tests = folder / "tests"
    truth = json.loads((tests / "evaldata.json").read_text("utf-8"))
    pages = []
    for address, judged in truth.items():
        path = next((p for sub in ("cache", "eval") if (p := tests / sub / judged["file"]).is_file()), None)
        if path:
            pages.append(Page(address, path, domain_of(address), ""))
    return Benchmark(
        "trafilatura's evaluation",
        "the counting of its eval_common.py, stated again here since that imports the package",
        pages,
        lambda page, text: segments_found(truth[page.key], text),
        of_counts,
    )


class TextOf(HTMLParser):
    """The text of a page that has nothing but content."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.feed(page)
        self.close()

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def words_in_common(text: str, reference: str) -> Row:
    """Precision, recall and F1 of the words as a bag."""
    ours, theirs = (Counter(re.findall(r"\w+", side.lower())) for side in (text, reference))
    if not ours or not theirs:
        return (1.0, 1.0, 1.0) if ours == theirs else (0.0, 0.0, 0.0)
    common = (ours & theirs).total()
    precision, recall = common / ours.total(), common / theirs.total()
    return precision, recall, f1(precision, recall)


def readability(folder: Path) -> Benchmark:
    """mozilla/readability: the pages of its tests, with what its own program makes of them."""
    folders = sorted(path.parent for path in (folder / "test" / "test-pages").glob("*/source.html"))
    texts = {
        path.name: " ".join(TextOf((path / "expected.html").read_text("utf-8")).pieces)
        for path in folders
        if (path / "expected.html").is_file()
    }
    pages = [Page(path.name, path / "source.html", path.name, "") for path in folders if path.name in texts]
    return Benchmark(
        "readability's test pages",
        "words as a bag, means of the pages; its own tests compare markup",
        pages,
        lambda page, text: words_in_common(text, texts[page.key]),
        means,
    )


KNOWN = {
    "wcxb": wcxb,
    "article-extraction": article_extraction,
    "trafilatura": trafilatura,
    "readability": readability,
}
