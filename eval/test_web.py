"""The corpus of web pages without its archives: sources, recipe, sites, labels and scores of made-up pages."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import web_pages
import web_score
from recipe import RecipeError
from web import archives, blogs, pages, rows, sites, tools

MARKDOWN = "---\ntitle: Named\n---\n\n```sh\n# no heading\n```\n\n# A `real` heading\n\nText.\n"
HEAD = "\t".join(rows.COLUMNS)


def row(group: str, themes: str = "furo", registry: str = "npm") -> str:
    """A line of a recipe."""
    return "\t".join([group, "thing", registry, "1.0", "0" * 64, "package/docs/a.md", "en", themes])


class PageTests(unittest.TestCase):
    def test_title_is_the_first_heading_outside_of_code(self) -> None:
        page = pages.prepare_page("docs/Some Page.md", MARKDOWN.encode())
        self.assertEqual((page.slug, page.title, page.suffix), ("some-page", "A real heading", "md"))
        self.assertNotIn("title: Named", page.text)

    def test_names_without_ascii_are_different(self) -> None:
        slugs = [pages.slug_of(f"docs/{name}.md") for name in ("指南", "安装", "a-指南")]
        self.assertEqual([slugs[0][:5], slugs[1][:5], slugs[2]], ["page-", "page-", "a"])
        self.assertNotEqual(slugs[0], slugs[1])

    def test_page_without_heading_gets_the_title_of_its_front_matter(self) -> None:
        page = pages.prepare_page("docs/a.md", b"---\ntitle: Named\n---\nText.\n")
        self.assertTrue(page.text.startswith("# Named\n"))

    def test_label_is_not_a_title(self) -> None:
        page = pages.prepare_page("docs/a.rst", b".. _target:\n\n=====\nTitle\n=====\n\nText.\n")
        self.assertEqual(page.title, "Title")

    def test_constructs_decide_which_generators_read_a_page(self) -> None:
        plain = pages.prepare_page("a.md", b"# A\n\nText `<b>` and {{ braces }}.\n")
        self.assertEqual(pages.generators_for(plain), {"sphinx", "mkdocs", "hexo", "pelican", "vitepress"})
        with_html = pages.prepare_page("a.md", b"# A\n\n<p>Text.\n")
        self.assertNotIn("vitepress", pages.generators_for(with_html))
        self.assertEqual(
            pages.generators_for(pages.prepare_page("a.md", b"# A\n\n:::{note}\nText.\n:::\n")), {"sphinx"}
        )
        self.assertEqual(pages.generators_for(pages.prepare_page("a.rst", b"A\n=\n\n:func:`f`\n")), {"sphinx"})
        self.assertIn("pelican", pages.generators_for(pages.prepare_page("a.rst", b"A\n=\n\n.. note:: Text\n")))


class RecipeTests(unittest.TestCase):
    def read(self, *lines: str) -> list[rows.SourcePage]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "recipe.tsv")
            path.write_text("\n".join([HEAD, *lines]) + "\n", "utf-8")
            return rows.read_rows(path)

    def test_themes_are_known_and_groups_are_different(self) -> None:
        self.assertEqual(self.read(row("a", "furo,next"))[0].themes, ("furo", "next"))
        for lines in ([row("a", "furo,none")], [row("a"), row("a")], [row("a", registry="other")]):
            with self.assertRaises(RecipeError):
                self.read(*lines)

    def test_columns_are_known(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "recipe.tsv")
            path.write_text(HEAD.replace("language", "tongue") + f"\n{row('a')}\n", "utf-8")
            with self.assertRaisesRegex(RecipeError, "columns"):
                rows.read_rows(path)

    def test_recipe_of_the_repository(self) -> None:
        recipe = rows.read_rows()
        self.assertGreater(len(recipe), 60)
        self.assertGreaterEqual(len({page.archive.project for page in recipe}), 12)
        self.assertEqual({name for page in recipe for name in page.themes}, set(rows.THEMES))

    def test_tools_are_pinned(self) -> None:
        for name in tools.PYTHON_ENVIRONMENTS:
            lines = (tools.TOOLS / f"{name}.txt").read_text("utf-8").splitlines()
            self.assertTrue(lines and all("==" in line for line in lines), name)
        for name in tools.NODE_ENVIRONMENTS:
            wanted = json.loads((tools.TOOLS / f"{name}.json").read_text("utf-8"))["dependencies"]
            self.assertTrue(all(version[0].isdigit() for version in wanted.values()), name)


class ArchiveTests(unittest.TestCase):
    def test_members_come_with_their_siblings(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.tgz")
            with tarfile.open(path, "w:gz") as opened:
                for name in ("p/docs/b.md", "p/docs/a.md", "p/docs/c.rst", "p/x.md"):
                    entry = tarfile.TarInfo(name)
                    entry.size = 1
                    opened.addfile(entry, io.BytesIO(b"x"))
            found = archives.members(path, ["p/docs/b.md", "p/none.md"], 24)
        self.assertEqual(list(found), ["p/docs/b.md", "p/docs/a.md", "p/x.md"])

    def client(self, data: bytes | None, talk: bytes = b"") -> mock._patch:
        """A registry's client that brings a file of these bytes, or none."""

        def run(command: list[str], cwd: str, **_more: object) -> subprocess.CompletedProcess[bytes]:
            if data is not None:
                Path(cwd, "thing-1.0.tgz").write_bytes(data)
            return subprocess.CompletedProcess(command, 0 if data is not None else 1, b"", talk)

        return mock.patch.object(archives.subprocess, "run", side_effect=run)

    def test_wrong_digest_is_reported_and_not_kept(self) -> None:
        archive = rows.Archive("thing", "npm", "1.0", hashlib.sha256(b"right").hexdigest())
        with tempfile.TemporaryDirectory() as name:
            cache = Path(name)
            with self.client(b"wrong"):
                self.assertIn("digest differs", str(archives.fetch(archive, cache, Path("python"))))
            self.assertEqual(list(cache.iterdir()), [])
            archives.place(cache, archive).mkdir()
            (archives.place(cache, archive) / "thing-1.0.tgz").write_bytes(b"wrong")  # of an earlier run
            with self.client(b"right"):
                file = archives.fetch(archive, cache, Path("python"))
            self.assertEqual(Path(file).read_bytes(), b"right")
            with self.client(None) as run:
                self.assertEqual(archives.fetch(archive, cache, Path("python")), file)
            run.assert_not_called()

    def test_what_the_client_says_is_in_the_reason(self) -> None:
        for registry, said in (("pypi", "no such version"), ("npm", "code ETARGET")):
            archive = rows.Archive("thing", registry, "1.0", "0" * 64)
            with tempfile.TemporaryDirectory() as cache, self.client(None, b"code ETARGET\n\nno such version\n"):
                reason = archives.fetch(archive, Path(cache), Path("python"))
            self.assertTrue(str(reason).startswith("thing 1.0: "))
            self.assertTrue(str(reason).endswith(f": {said}"))

    def test_pip_checks_the_digest(self) -> None:
        archive = rows.Archive("thing", "pypi", "1.0", "0" * 64)
        with tempfile.TemporaryDirectory() as folder:
            command = archives.command_of(archive, Path(folder), Path("python"))
            self.assertIn("--require-hashes", command)
            self.assertEqual(Path(command[-1]).read_text("utf-8"), f"thing==1.0 --hash=sha256:{'0' * 64}\n")


class SiteTests(unittest.TestCase):
    def test_manual_of_a_project_and_blog_of_a_language(self) -> None:
        archive = rows.Archive("thing", "npm", "1.0", "")
        page = rows.SourcePage("g", archive, "p/a.md", "ja", ("furo", "next"))
        self.assertEqual(sorted(web_pages.sites([page])), [("Programs ja", "next"), ("thing ja", "furo")])

    def test_site_has_other_pages_of_the_folder(self) -> None:
        archive = rows.Archive("thing", "npm", "1.0", "")
        page = rows.SourcePage("g", archive, "p/b.md", "en", ("furo",))
        trees = {"thing": {"p/a.md": b"# A\n", "p/b.md": b"# B\n", "q/c.md": b"# C\n"}}
        site = web_pages.site_of([page], trees, "thing en", "sphinx")
        self.assertEqual([one.slug for one in site.pages], ["b", "a"])

    def test_page_that_is_not_in_a_site_gets_no_other_file(self) -> None:
        archive = rows.Archive("thing", "npm", "1.0", "")
        recipe = [rows.SourcePage(f"g{at}", archive, f"p/{at}.md", "en", ("material",)) for at in range(2)]
        trees = {"thing": {"p/0.md": b"# A\n", "p/1.md": b"# B\n\n:::{note}\nText.\n:::\n"}}

        def generator(order: sites.Order) -> sites.SiteOutcome:
            file = order.folder / "index.html"
            file.write_bytes(b"<p>Text.")
            return sites.SiteOutcome(dict.fromkeys(["", *(page.slug for page in order.site.pages)], file))

        with (
            tempfile.TemporaryDirectory() as work,
            mock.patch.dict(web_pages.GENERATORS, {"mkdocs": generator}),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            made, reasons = web_pages.built_pages(recipe, trees, tools.Tools(Path(work)), Path(work, "sites"))
        self.assertEqual(list(made), [("g0", "material")])
        self.assertEqual(reasons, {"g1/material.html": "mkdocs wrote no page"})

    def test_post_has_its_title_once(self) -> None:
        page = pages.prepare_page("docs/some-page.md", b'# Say "it"\n\nText.\n')
        post = blogs.hexo_post(page, 1, "thing")
        self.assertIn('title: "Say \\"it\\""\ndate: 2025-01-09', post)
        self.assertNotIn("# Say", post)
        self.assertIn("Title: Say", blogs.pelican_post(page, 0, "thing"))
        rst = pages.prepare_page("docs/a.rst", b".. comment\n\nTitle\n=====\n\nText.\n")
        self.assertTrue(blogs.pelican_post(rst, 0, "thing").startswith("Title\n=====\n\n:date: 2025-01-06\n"))

    def test_strings_of_settings(self) -> None:
        self.assertEqual(sites.yaml_string('a "b" \\'), '"a \\"b\\" \\\\"')


class ReferenceTests(unittest.TestCase):
    def test_references_that_cannot_be_read_end_the_run_with_a_reason(self) -> None:
        page = pages.prepare_page("a.md", b"# A\n")
        with tempfile.TemporaryDirectory() as folder:
            absent, broken = Path(folder, "absent"), Path(folder, "broken")
            broken.write_text("#!/bin/sh\necho no module >&2\nexit 1\n")
            broken.chmod(0o755)
            for python, reason in ((absent, "No such file"), (broken, "no module")):
                with self.assertRaisesRegex(SystemExit, f"cannot read the references: .*{reason}"):
                    web_pages.references({"g": page}, python)

    def test_no_parsers_no_run(self) -> None:
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(web_pages.sys, "argv", ["web_pages.py", folder]),
            mock.patch.object(tools.Tools, "install", return_value={"sphinx": "offline"}),
            mock.patch.object(web_pages, "build") as build,
            contextlib.redirect_stderr(io.StringIO()) as said,
            self.assertRaisesRegex(SystemExit, "cannot read the references"),
        ):
            web_pages.main()
        build.assert_not_called()
        self.assertIn("generator missing: sphinx: offline", said.getvalue())


class LabelTests(unittest.TestCase):
    def test_page_without_the_text_is_left_out(self) -> None:
        words = [f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(300)]
        text = " ".join(words)
        archive = rows.Archive("thing", "npm", "1.0", "")
        page = rows.SourcePage("g", archive, "p/a.md", "en", ("furo", "next"))
        reasons: dict[str, str] = {}
        with tempfile.TemporaryDirectory() as folder:
            made = {"furo": f"<p>Menu<p>{text}".encode(), "next": b"<p>Nothing but a menu"}
            table = web_pages.rows_of(page, text.encode(), text, made, Path(folder), reasons)
            self.assertTrue(Path(folder, "g", "furo.html").is_file())
        self.assertEqual(
            [(one["path"], one["use"]) for one in table], [("g/source.md", "ref"), ("g/furo.html", "core")]
        )
        self.assertEqual(list(reasons), ["g/next.html"])


class ScoreTests(unittest.TestCase):
    def test_bag_counts_words_as_often_as_they_are(self) -> None:
        precision, recall, both = web_score.bag("one two two", "two three three three")
        self.assertAlmostEqual(precision, 1 / 3)
        self.assertAlmostEqual(recall, 1 / 4)
        self.assertAlmostEqual(both, 2 / 7)
        self.assertEqual(web_score.bag("", "one"), (0.0, 0.0, 0.0))

    def test_time_of_a_failed_run_is_no_figure(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            for status in (0, 1, 2):
                program.write_text(f"#!/bin/sh\nexit {status}\n")
                program.chmod(0o755)
                if status < 2:
                    self.assertGreaterEqual(web_score.processor_seconds(program, [], []), 0)
                else:
                    with self.assertRaisesRegex(SystemExit, "extract: status 2"):
                        web_score.processor_seconds(program, [], [])

    def test_tables_of_a_small_corpus(self) -> None:
        columns = ["group_id", "path", "medium", "words", "theme", "family"]
        files = [("g/source.md", "md", ""), ("g/furo.html", "html", "furo"), ("g/next.html", "html", "next")]
        lines = [
            "\t".join(columns),
            *("\t".join(["g", path, medium, "9", theme, "f"]) for path, medium, theme in files),
        ]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "groups.tsv").write_text("\n".join(lines) + "\n", "utf-8")
            references = {"g": "one two three four", "h": "a\u2028b\x85c"}
            listed = [
                json.dumps({"group_id": key, "text": text}, ensure_ascii=False) for key, text in references.items()
            ]
            (folder / "references.jsonl").write_text("\n".join(listed) + "\n", "utf-8")
            corpus = web_score.read_corpus(folder)
        self.assertEqual(corpus.references["h"], "a\u2028b\x85c")
        self.assertEqual([file.path for file in corpus.html], ["g/furo.html", "g/next.html"])
        texts = {"g/source.md": "one two three four", "g/furo.html": "one two three four", "g/next.html": "menu"}
        table = web_score.media_table(corpus, {"program": texts})
        self.assertIn("| html-html | program | 1 | 0.000 | 0.000 | 0.000 |", table)
        self.assertIn("| html-md | program | 2 | 0.500 | 0.500 | 0.000 |", table)
        rows = {path: web_score.bag(texts[path], corpus.references["g"]) for path in ("g/furo.html", "g/next.html")}
        found = web_score.worst(corpus, texts, rows, 1)
        self.assertEqual(found[-1], "| 0.000 | 0.000 | 0.000 | g/next.html | one two three four | menu |")


if __name__ == "__main__":
    unittest.main()
