"""Building blocks of the corpus: crude texts, joined pages, the check of labels, and the recipe itself."""

import gzip
import hashlib
import io
import tempfile
import unittest
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import check
from build import packages_of
from crude import crude_text, crude_words
from packages import place
from pages import joined, unwrapped
from recipe import HERE, Package, Rendering, read_packages, read_recipe, split_members


def container(**members: str) -> bytes:
    """A zip file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        for name, text in members.items():
            opened.writestr(name.replace("__", "."), text)
    return made.getvalue()


class CrudeTexts(unittest.TestCase):
    def test_media(self) -> None:
        cases = [
            ("html", b"<title>A</title><script>x<y</script><p>fo<b>o</b>&eacute;<td>1<td>b<!-- no -->", "a fooé b"),
            (
                "xml",
                b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY k "some words">]><p>&k; <![CDATA[<in>]]></p>',
                "some words in",
            ),
            ("txt", b"N\x08NA\x08A\x1b[1mME\x1b[0m inter-\n  rupted", "name interrupted"),
            ("tex", b"\\usepackage{x}\\begin{document}% no\n\\emph{one} two\\label{a}\\end{document}", "one two"),
            ("man", b".TH X 1\n.SH NAME\nfoo \\- a \\fBbold\\fP word\n", "name foo a bold word"),
            ("info", b"File: a.info,  Node: Top\n\nwords\n\x1f\nTag Table:\nNode: Top", "words"),
            (
                "texi",
                b"\\input texinfo\n@c no\n@node Top\n@chapter One\n@menu\n* no::\n@end menu\n@code{two} @@ @ref{three, no}.",
                "one two three",
            ),
            ("wiki", b"'''One''' [[no|two]] [http://x.y three] {{no|no}} <ref>four</ref>", "one two three four"),
            ("rtf", b"{\\rtf1{\\fonttbl{\\f0 Arial;}}\\b caf\\'e9\\b0  ok}", "café ok"),
            ("epub", container(a__xhtml="<p>one</p>", b__css="no"), "one"),
            ("odt", container(content__xml="<t>two</t>", styles__xml="no"), "two"),
            ("epub", b"no zip", ""),
        ]
        for medium, data, expected in cases:
            self.assertEqual(" ".join(crude_words(crude_text(data, medium))), expected, (medium, data))

    def test_charsets(self) -> None:
        declared = '<meta charset="koi8-r">слово'.encode("koi8-r")
        for data in ("слово".encode("utf-16"), "слово".encode("utf-8-sig"), declared):
            self.assertEqual(crude_words(crude_text(data, "html")), ["слово"])
        self.assertEqual(crude_words(crude_text("é".encode("latin-1"), "txt")), ["é"])

    def test_words(self) -> None:
        self.assertEqual(crude_words("日本のテ Straße x1 2024 ﬁn"), ["日本", "本の", "のテ", "strasse", "x1", "fin"])


class Pages(unittest.TestCase):
    def test_joined(self) -> None:
        one, two = (
            b"<html><head><title>T</title></head><body>one</body></html>",
            b"<title>U</title><body class=x>two</body>",
        )
        whole = joined([one, two], "html")
        self.assertTrue(whole.startswith(b"<html>") and whole.endswith(b"</body></html>"))
        self.assertEqual(crude_words(crude_text(whole, "html")), ["t", "one", "two"])
        self.assertEqual(joined([b"a", b"b"], "txt"), b"a\nb")

    def test_unwrapped(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder, "a.txt.gz")
            place.write_bytes(gzip.compress(b"text"))
            self.assertEqual(unwrapped(place), b"text")


class Development(unittest.TestCase):
    def test_no_package_of_the_other_corpus(self) -> None:
        recipe = read_recipe(HERE / "development.tsv")
        packages = read_packages(packages_of(HERE / "development.tsv"))
        self.assertEqual({rendering.package for rendering in recipe}, set(packages))
        others = {name for rendering in read_recipe() for name in (rendering.package, rendering.family)}
        self.assertFalse(others & {name.removeprefix("src:") for name in packages})
        self.assertFalse(others & {rendering.family for rendering in recipe})

    def test_place_of_an_archive_of_sources(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            data = b"archive"
            package = Package("src:a", "1:2-3", "source", len(data), hashlib.sha256(data).hexdigest())
            self.assertFalse(place(Path(folder), package).exists())
            inside = place(Path(folder), package).parent
            inside.mkdir()
            (inside / "a_2.orig-x.tar.gz").write_bytes(b"another")
            (inside / "a_2.orig.tar.gz").write_bytes(data)
            self.assertEqual(place(Path(folder), package).name, "a_2.orig.tar.gz")


class Check(unittest.TestCase):
    def test_rule(self) -> None:
        self.assertEqual(check.why_not("html", 100, 120, 0.9, 0.6), "")
        self.assertIn("words", check.why_not("html", 40, 45, 1.0, 1.0))
        self.assertIn("reference", check.why_not("html", 100, 251, 1.0, 1.0))
        self.assertIn("cosine", check.why_not("html", 100, 100, 0.74, 1.0))
        self.assertIn("containment", check.why_not("html", 100, 100, 0.9, 0.49))
        self.assertEqual(check.why_not("tex", 100, 100, 0.9, 0.36), "")

    def test_judge(self) -> None:
        text = " ".join(f"word{number % 70}x{number % 11}" for number in range(300))
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder)
            (corpus / "g").mkdir()
            contents = {"a.txt": text, "b.html": f"<p>{text}</p> more", "c.html": "something else altogether " * 80}
            for name, content in contents.items():
                (corpus / "g" / name).write_text(content, "utf-8")
            members = [
                Rendering("g", name, name.rpartition(".")[2], "en", "f", "media", "p", (name,)) for name in contents
            ]
            first, second, third = check.judge((corpus, members))
        self.assertEqual((first.use, first.reason, first.words), ("ref", "", 300))
        self.assertEqual((second.use, second.reason, second.containment), ("core", "", 1.0))
        self.assertIn("cosine", third.reason)

    def test_similar(self) -> None:
        many, half, other = frozenset(range(0, 800, 8)), frozenset(range(400, 1200, 8)), frozenset(range(9000, 9800, 8))
        files = {"a/1": ("a", many), "a/2": ("a", many), "b/1": ("b", half), "c/1": ("c", other)}
        self.assertEqual(check.similar_pairs(files), [("0.50", "a/1", "b/1"), ("0.50", "a/2", "b/1")])


class TheRecipe(unittest.TestCase):
    def test_members(self) -> None:
        self.assertEqual(split_members("usr/a.txt.gz"), ("usr/a.txt.gz",))
        self.assertEqual(split_members("usr/a::1.html|b/2.html"), ("usr/a/1.html", "usr/a/b/2.html"))

    def test_recipe_is_whole(self) -> None:
        recipe, packages = read_recipe(), read_packages()
        self.assertEqual({rendering.package for rendering in recipe}, set(packages))
        groups: dict[str, list[Rendering]] = defaultdict(list)
        for rendering in recipe:
            groups[rendering.group].append(rendering)
        for group, members in groups.items():
            self.assertGreaterEqual(len(members), 2, group)
            self.assertEqual(len({(member.language, member.family, member.kind) for member in members}), 1, group)
        pairs: Counter[str] = Counter()
        for members in groups.values():
            if members[0].kind == "media":
                pairs.update("-".join(sorted((members[0].medium, member.medium))) for member in members[1:])
        for media in ("html-txt", "html-pdf", "pdf-txt", "html-xml"):
            self.assertGreaterEqual(pairs[media], 30, media)
        self.assertGreaterEqual(len({rendering.language for rendering in recipe}), 12)


if __name__ == "__main__":
    unittest.main()
