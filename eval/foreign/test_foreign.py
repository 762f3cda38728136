"""The command for other people's benchmarks, on made-up folders and a program that answers from the page itself."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from foreign import citations, pages
from foreign.__main__ import main
from foreign.benchmarks import KNOWN, segments_found, words_in_common

# Stands for the command: the text of a page is its file, of which main content is what stands after a bar.
PROGRAM = """#!{python}
import gzip, json, pathlib, sys
if "--version" in sys.argv:
    sys.exit(print("nearprint 9.9"))
listed = pathlib.Path(sys.argv[sys.argv.index("--files-from") + 1]).read_bytes().split(b"\\0")[:-1]
with open(sys.argv[sys.argv.index("-o") + 1], "w") as out:
    for name in map(bytes.decode, listed):
        data = pathlib.Path(name).read_bytes()
        text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
        text = text.rpartition("|")[2] if "main-content" in sys.argv else text
        row = {{"id": name, "text": text}} if text else {{"id": name, "reason": "no-text"}}
        print(json.dumps(row), file=out)
"""
# Stand for the scorers that come with the benchmarks.
WCXB = """
import json, pathlib
def load_ground_truth(split):
    folder = pathlib.Path(__file__).parent / split / "ground-truth"
    read = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    return {key: {"main_content": found["text"], "page_type": found["type"]} for key, found in read.items()}
def word_f1(predicted, reference):
    same = float(predicted == reference)
    return same, same, same
"""
ARTICLES = """
def string_shingle_matching(true, pred):
    return float(true == pred), 0.0, float(true != pred)
def metrics_from_tp_fp_fns(rows):
    share = sum(row[0] for row in rows) / len(rows)
    return {"precision": share, "recall": share, "f1": share}
"""


class ForeignTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)
        self.program = self.write("program", PROGRAM.format(python=sys.executable))
        self.program.chmod(0o755)

    def write(self, name: str, content: str) -> Path:
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".gz":
            path.write_bytes(gzip.compress(content.encode()))
        else:
            path.write_text(content, "utf-8")
        return path

    def run_with(self, *arguments: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            status = main(["--nearprint", str(self.program), "--no-peers", *arguments])
        return status, out.getvalue()

    def benchmarks(self) -> dict[str, Path]:
        self.write("wcxb/evaluate.py", WCXB)
        for key, kind, page in (("1", "article", "menu|one"), ("2", "forum", "two"), ("3", "forum", "")):
            self.write(f"wcxb/dev/html/{key}.html.gz", page)
            truth = {"url": f"https://site{key}.org/", "text": page.rpartition("|")[2] or "three", "type": kind}
            self.write(f"wcxb/dev/ground-truth/{key}.json", json.dumps(truth))
        self.write("articles/evaluate.py", ARTICLES)
        self.write("articles/html/a.html", "menu|one")
        self.write("articles/ground-truth.json", json.dumps({"a": {"articleBody": "one", "url": "a.org/x"}}))
        judged = {"with": ["one  two"], "without": ["menu"]}
        self.write("trafilatura/tests/evaldata.json", json.dumps({"https://a.org/": {"file": "a.html", **judged}}))
        self.write("trafilatura/tests/eval/a.html", "menu|one two")
        self.write("readability/test/test-pages/x/source.html", "menu|one")
        self.write("readability/test/test-pages/x/expected.html", "<p>one</p>")
        names = {"article-extraction": "articles"}
        return {name: self.place / names.get(name, name) for name in KNOWN}

    def test_every_benchmark_is_scored_by_its_own_scorer(self) -> None:
        folders = self.benchmarks()
        status, said = self.run_with(*(f"{name}={folder}" for name, folder in folders.items()))
        self.assertEqual(status, 0)
        main_rows = [line for line in said.splitlines() if line.startswith("| nearprint --read main-content 9.9 |")]
        whole_rows = [line for line in said.splitlines() if line.startswith("| nearprint 9.9 |")]
        self.assertEqual([row.split("|")[4].strip() for row in main_rows], ["0.667", "1.000", "1.000", "1.000"])
        self.assertEqual([row.split("|")[4].strip() for row in whole_rows], ["0.333", "0.000", "0.667", "0.667"])
        self.assertIn("1 no-text", main_rows[0])
        self.assertIn("| nearprint --read main-content | 1.000 | 0.500 |", said)

    def test_the_environment_names_folders(self) -> None:
        folder = self.benchmarks()["trafilatura"]
        record = self.place / "record.md"
        with mock.patch.dict("os.environ", {"TRAFILATURA": str(folder)}, clear=True):
            self.assertEqual(self.run_with("--record", str(record))[0], 0)
        self.assertIn("## trafilatura's evaluation", record.read_text("utf-8"))
        for wrong in ("other=x", f"wcxb={self.place / 'none'}", "wcxb"):
            with self.assertRaises(SystemExit):
                self.run_with(wrong)
        with mock.patch.dict("os.environ", {}, clear=True), self.assertRaises(SystemExit):
            self.run_with()

    def test_the_measures_that_are_stated_here(self) -> None:
        judged = {"with": ["a b", "c"], "without": ["d"]}
        self.assertEqual(segments_found(judged, "a\n b d"), (1, 1, 1))
        precision, recall, both = words_in_common("a a b", "A b c c")
        self.assertEqual((precision, recall), (2 / 3, 2 / 4))
        self.assertAlmostEqual(both, 4 / 7)
        self.assertEqual(words_in_common("", ""), (1.0, 1.0, 1.0))

    def test_citations_are_scored_as_their_authors_do(self) -> None:
        self.write("asysd/other.csv", "a,b\n1,2\n")
        head = "title,doi,record_id,label"
        rows = ("Fog,1,a,Duplicate", "fog!,1,b,Unique", "Fog,NA,c,Duplicate", "Rain,NA,d,Unique", "Rain,,e,Unique")
        self.write("asysd/deep/set.csv", "\n".join((head, *rows)))
        found = citations.sets(self.place / "asysd")
        self.assertEqual(list(found), ["deep/set.csv"])
        rows = found["deep/set.csv"]
        # The record that people kept stays, wherever it is; records without a DOI are not the same.
        for field, line in (
            ("doi", "| 0.5000 (1 of 2) | 1.0000 (3 of 3) |"),
            ("title", "| 1.0000 (2 of 2) | 0.6667 (2 of 3) |"),
        ):
            scored = citations.score("x", rows, citations.same(rows, field))
            self.assertEqual(scored.line(), f"| x {line}")
        with mock.patch.object(citations, "by_command", return_value=[rows[3:]]):
            status, said = self.run_with(f"asysd={self.place / 'asysd'}")
        self.assertEqual(status, 0)
        self.assertIn("| dedup --policy careful | 0.0000 (0 of 2) | 0.6667 (2 of 3) |", said)

    def test_the_items_of_decon_need_texts(self) -> None:
        with mock.patch.dict("os.environ", {}, clear=True), self.assertRaises(SystemExit) as refused:
            self.run_with(f"decon={self.place}")
        self.assertIn("--train", str(refused.exception))

    def test_folds_hold_whole_sites(self) -> None:
        names = [f"https://site{number}.org/{page}" for number in range(200) for page in "ab"]
        made = [pages.Page(name, Path("x"), pages.domain_of(name), "") for name in names]
        self.assertEqual([one.fold for one in made[::2]], [one.fold for one in made[1::2]])
        for part in range(pages.PARTS):
            self.assertEqual({one.fold for one in made if one.part == part}, set(range(pages.FOLDS)))

    def test_pages_of_one_site_are_in_one_part(self) -> None:
        for address, domain in (
            ("https://www.example.org/a", "example.org"),
            ("news.example.co.uk/x", "example.co.uk"),
            ("localhost", "localhost"),
        ):
            self.assertEqual(pages.domain_of(address), domain)


if __name__ == "__main__":
    unittest.main()
