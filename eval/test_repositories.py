"""Packages that are git repositories at a commit, and the recipe of wiki pages."""

import os
import subprocess
import tempfile
import unittest
from collections import Counter, defaultdict
from pathlib import Path
from unittest import mock

import repositories
from build import lay_out, packages_of
from packages import Fetched
from recipe import HERE, Package, Rendering, read_packages, read_recipe

PAGES = {"A page.mediawiki": b"== One ==\n'''two''' [[three]]\n", "folder/B.md": b"# One\n**two**\n"}
RECIPE = HERE / "development-wiki.tsv"
QUIET = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def git(folder: Path, *arguments: str) -> str:
    """What a git command says, in a folder."""
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    done = subprocess.run(
        ["git", *identity, *arguments],
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, **QUIET},
    )
    return done.stdout.strip()


class Repository(unittest.TestCase):
    """A repository of two commits: the pages, and a commit that deletes one of them."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.clones = self.folder / "clones"
        self.clone = self.clones / "owner+name"
        self.clone.mkdir(parents=True)
        git(self.clone, "init", "--quiet")
        for path, data in PAGES.items():
            (self.clone / path).parent.mkdir(exist_ok=True)
            (self.clone / path).write_bytes(data)
        git(self.clone, "add", ".")
        git(self.clone, "commit", "--quiet", "--message=pages")
        self.commit = git(self.clone, "rev-parse", "HEAD")
        git(self.clone, "rm", "--quiet", "A page.mediawiki")
        git(self.clone, "commit", "--quiet", "--message=converted")
        self.later = git(self.clone, "rev-parse", "HEAD")

    def package(self, commit: str = "", digest: str = "", architecture: str = "git") -> Package:
        """The package of the pages at a commit."""
        commit = commit or self.commit
        return Package(
            f"{architecture}:owner/name@{commit[:9]}",
            commit,
            architecture,
            sum(map(len, PAGES.values())),
            digest or repositories.digest_of(PAGES),
        )

    def fetch(self, package: Package, members: list[str] | None = None, given: Path | None = None) -> Fetched:
        """What became of a package."""
        wanted = {package.name: list(PAGES) if members is None else members}
        return repositories.fetch_repositories([package], wanted, self.folder / "work", given or self.clones)

    def reason(self, package: Package, members: list[str] | None = None) -> str:
        """Why a package could not be had."""
        fetched = self.fetch(package, members)
        self.assertFalse(fetched.trees)
        self.assertNotIn("\n", fetched.missing[package.name])
        return fetched.missing[package.name]


class Fetching(Repository):
    def test_members_of_a_clone(self) -> None:
        package = self.package()
        fetched = self.fetch(package)
        self.assertEqual(fetched.missing, {})
        self.assertEqual(fetched.versions, {package.name: self.commit})
        for path, data in PAGES.items():
            self.assertEqual((fetched.trees[package.name] / path).read_bytes(), data)
        self.clone.rename(self.clones / "gone")
        self.assertEqual(self.fetch(package).trees, fetched.trees)  # kept, so that no clone is needed

    def test_places_of_clones(self) -> None:
        for name in ("owner/name", "owner+name/repo", "owner/name/repo"):
            for is_bare in (True, False):
                with self.subTest(name=name, is_bare=is_bare), tempfile.TemporaryDirectory() as folder:
                    target = Path(folder, name)
                    target.parent.mkdir(parents=True)
                    kind = ["--bare"] if is_bare else []
                    git(self.folder, "clone", "--quiet", *kind, str(self.clone), str(target))
                    found = repositories.directory_of("owner/name", Path(folder), self.folder)
                    self.assertEqual(repositories.read_members(found, self.commit, list(PAGES)), PAGES)

    def test_cloned_where_none_is_given(self) -> None:
        package = self.package()
        with mock.patch.object(repositories, "ADDRESS", f"file://{self.folder}/{{}}"):
            (self.folder / "owner").mkdir()
            self.clone.rename(self.folder / "owner" / "name")
            work = self.folder / "work"
            fetched = repositories.fetch_repositories([package], {package.name: list(PAGES)}, work)
            self.assertEqual(fetched.missing, {})
            absent = [Package(f"git:owner/other@abcdef{end}", self.commit, "git", 1, "00") for end in "01"]
            wanted = {one.name: ["x"] for one in absent}
            with mock.patch.object(repositories.subprocess, "run", wraps=subprocess.run) as run:
                fetched = repositories.fetch_repositories(absent, wanted, work)
            self.assertEqual(run.call_count, 1)
        for one in absent:
            self.assertIn("cannot clone owner/other", fetched.missing[one.name])

    def test_converted(self) -> None:
        package = self.package(architecture="git-pandoc")
        with mock.patch.object(repositories, "convert_page", lambda page: b"<p>" + page):
            fetched = self.fetch(package)
        tree = fetched.trees[package.name]
        self.assertEqual((tree / "folder/B.md").read_bytes(), b"<p>" + PAGES["folder/B.md"])
        self.assertNotEqual(tree, self.fetch(self.package()).trees[self.package().name])

    def test_pandoc(self) -> None:
        absent = mock.patch.object(repositories.subprocess, "run", side_effect=FileNotFoundError)
        with absent, self.assertRaisesRegex(repositories.RepositoryError, "pandoc is not installed"):
            repositories.convert_page(b"page")


class Missing(Repository):
    def test_no_clone(self) -> None:
        self.clone.rename(self.clones / "other")
        self.assertIn("no clone of owner/name", self.reason(self.package()))

    def test_folder_inside_another_repository(self) -> None:
        (self.clone / ".git").rename(self.clones / ".git")
        self.assertIn("no clone of owner/name", self.reason(self.package()))

    def test_no_commit(self) -> None:
        self.assertIn("has no commit", self.reason(self.package("0" * 40)))

    def test_partial_clone_of_the_user_stays_as_it_is(self) -> None:
        git(self.clone, "config", "uploadpack.allowFilter", "true")
        git(self.clone, "config", "uploadpack.allowAnySHA1InWant", "true")
        clones = self.folder / "partial"
        directory = clones / "owner+name"
        git(self.folder, "clone", "--quiet", "--bare", "--filter=blob:none", f"file://{self.clone}", str(directory))
        before = sorted(directory.rglob("*"))
        package = self.package()
        fetched = self.fetch(package, given=clones)
        self.assertIn(package.name, fetched.missing)
        self.assertEqual(sorted(directory.rglob("*")), before)
        self.assertEqual(repositories.read_members(directory, self.commit, list(PAGES), is_ours=True), PAGES)

    def test_no_answer(self) -> None:
        with mock.patch.object(repositories.subprocess, "run", side_effect=subprocess.TimeoutExpired("git", 1)) as run:
            self.assertIn("no answer", self.reason(self.package()))
        self.assertEqual(run.call_args.kwargs["env"]["GIT_TERMINAL_PROMPT"], "0")

    def test_no_member(self) -> None:
        self.assertIn("has no member A page.mediawiki", self.reason(self.package(self.later)))
        for member in ("folder", "../outside", "/etc/hostname", "folder/../folder/B.md", ""):
            self.assertIn(f"has no member {member}", self.reason(self.package(), [*PAGES, member]))

    def test_other_digest(self) -> None:
        self.assertIn("digest differs", self.reason(self.package(digest="0" * 64)))
        self.assertIn("digest differs", self.reason(self.package(), ["folder/B.md"]))

    def test_no_name_of_a_repository(self) -> None:
        for name in ("git:name@abcdef0", "git:--upload-pack=x/name@abcdef0", "git:owner/../../x@abcdef0", "name"):
            package = Package(name, self.commit, "git", 1, "00")
            self.assertIn("does not name a repository", self.reason(package, []))
        self.assertIn("does not name", self.reason(Package(self.package().name, "HEAD", "git", 1, "00"), []))

    def test_left_out_of_the_corpus(self) -> None:
        package = self.package(self.later)
        rendering = Rendering("g", "wiki.mediawiki", "wiki", "en", "f", "media", package.name, ("A page.mediawiki",))
        reasons = lay_out([rendering], self.fetch(package), self.folder / "corpus")
        self.assertIn("has no member", reasons["g/wiki.mediawiki"])


class TheRecipe(unittest.TestCase):
    def setUp(self) -> None:
        self.recipe = read_recipe(RECIPE)
        self.packages = read_packages(packages_of(RECIPE))

    def test_packages(self) -> None:
        self.assertEqual({rendering.package for rendering in self.recipe}, set(self.packages))
        for package in self.packages.values():
            self.assertIn(package.architecture, repositories.ARCHITECTURES)
            self.assertTrue(package.name.startswith(f"{package.architecture}:"))
            self.assertTrue(package.version.startswith(package.name.partition("@")[2]))
            repositories.repository_of(package)

    def test_families_of_no_other_corpus(self) -> None:
        families = {rendering.family for rendering in self.recipe}
        for other in (HERE / "recipe.tsv", HERE / "development.tsv"):
            self.assertFalse(families & {rendering.family for rendering in read_recipe(other)})

    def test_groups(self) -> None:
        groups: dict[str, list[Rendering]] = defaultdict(list)
        for rendering in self.recipe:
            groups[rendering.group].append(rendering)
        documents: Counter[str] = Counter()
        for group, members in groups.items():
            self.assertEqual(len({(one.language, one.family, one.kind) for one in members}), 1, group)
            if members[0].kind == "media":
                documents[members[0].family] += 1
                self.assertEqual(members[0].medium, "wiki", group)
                self.assertEqual(len(members), 2, group)
                is_converted = self.packages[members[1].package].architecture == repositories.CONVERTED
                self.assertEqual(members[0].family.endswith("-converted"), is_converted, group)
        self.assertLessEqual(max(documents.values()), 60)


if __name__ == "__main__":
    unittest.main()
