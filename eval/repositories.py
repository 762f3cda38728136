"""Reading the recipe's packages that are git repositories at a commit.

Such a package has the architecture `git`, the name `git:OWNER/NAME@COMMIT` with the commit shortened, and the whole
commit as its version. Its digest is that of the lines `sha256sum` prints for its members, in the order of their paths:

    git --git-dir CLONE archive COMMIT MEMBER... | tar --extract; sha256sum MEMBER... | sha256sum

Members of the architecture `git-pandoc`, pages of MediaWiki, are converted to HTML by pandoc; the digest is that of the
pages, and the HTML may differ between versions of pandoc.

Clones are the user's, below the folder of `--repositories`, or made from github.com into the corpus folder. Clones are
only read, and no other commit replaces a missing one.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path, PurePosixPath

from packages import Fetched
from recipe import Package

GIT = "git"  # the architecture of a repository at a commit
CONVERTED = "git-pandoc"  # the same, with its pages of MediaWiki converted
ARCHITECTURES = (GIT, CONVERTED)
ADDRESS = "https://github.com/{}.git"
NAME = re.compile(r"[a-z-]+:([A-Za-z0-9][\w.-]*/[A-Za-z0-9_][\w.-]*)@[0-9a-f]{7,40}")
COMMIT = re.compile(r"[0-9a-f]{40}")
CLONE_SECONDS = 1800
WITHOUT_QUESTIONS = {"GIT_TERMINAL_PROMPT": "0"}  # github.com asks for a password where there is no repository
ONLY_LOCAL = {"GIT_NO_LAZY_FETCH": "1"}  # a partial clone gets no objects that it has not
PAGE_SECONDS = 60


class RepositoryError(Exception):
    """The reason a package cannot be had, as one line."""


class CloneError(RepositoryError):
    """The reason no package of a repository can be had."""


def last_line(talk: bytes) -> str:
    """The last line that a program says; reasons are cells of a table."""
    return " ".join((talk.decode("utf-8", "replace").strip().splitlines() or ["no message"])[-1].split())


def repository_of(package: Package) -> str:
    """`OWNER/NAME` of a package."""
    found = NAME.fullmatch(package.name)
    if not found or not COMMIT.fullmatch(package.version):
        raise RepositoryError(f"{package.name} {package.version} does not name a repository and a commit")
    return found.group(1)


def git_directory(folder: Path) -> Path | None:
    """The git directory of a clone, bare or not, in a folder or in `repo` below it."""
    places = [folder / name for name in ("", ".git", "repo", "repo/.git")]
    return next((place for place in places if (place / "HEAD").is_file() and (place / "objects").is_dir()), None)


def clone(repository: str, cache: Path) -> Path:
    """The clone of a repository in the cache, made where it is not there. Files come when they are read."""
    target = cache / repository.replace("/", "+")
    if target.is_dir():
        return target
    part = target.with_name(f"{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    print(f"cloning {repository}", flush=True)
    command = ["git", "clone", "--quiet", "--bare", "--filter=blob:none", ADDRESS.format(repository), part]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=CLONE_SECONDS, check=False, env=os.environ | WITHOUT_QUESTIONS
        )
    except subprocess.TimeoutExpired:
        raise CloneError(f"cannot clone {repository}: no answer in {CLONE_SECONDS} s") from None
    if done.returncode:
        raise CloneError(f"cannot clone {repository}: {last_line(done.stderr)}")
    part.rename(target)
    return target


def directory_of(repository: str, given: Path | None, cache: Path) -> Path:
    """The git directory of a repository: one of the user's clones where they are given, else one in the cache."""
    if given is None:
        return clone(repository, cache)
    for name in (repository.replace("/", "+"), repository):
        if found := git_directory(given / name):
            return found
    raise RepositoryError(f"no clone of {repository} in {given}")


def read_members(directory: Path, commit: str, members: list[str], is_ours: bool = False) -> dict[str, bytes]:
    """The members of a commit by their paths. Clones of ours get the files that they have not, a user's do not."""
    for member in members:
        if member != str(PurePosixPath(member)) or {"", "/", ".", ".."} & {member, *PurePosixPath(member).parts}:
            raise RepositoryError(f"the repository has no member {member}")
    asked = "".join(f"{commit}\n{commit}:{member}\n" for member in members).encode()
    command = ["git", "--git-dir", directory, "cat-file", "--batch"]
    environment = os.environ | WITHOUT_QUESTIONS | ({} if is_ours else ONLY_LOCAL)
    try:
        done = subprocess.run(
            command, input=asked, capture_output=True, timeout=CLONE_SECONDS, check=False, env=environment
        )
    except subprocess.TimeoutExpired:
        raise CloneError(f"git cannot read {commit}: no answer in {CLONE_SECONDS} s") from None
    if done.returncode:
        raise RepositoryError(f"git cannot read {commit}: {last_line(done.stderr)}")
    found: dict[str, bytes] = {}
    rest = memoryview(done.stdout)
    for number in range(2 * len(members)):
        head, _, _ = bytes(rest[:4096]).partition(b"\n")
        *_, kind, size = [b"", *head.split(b" ")]
        wanted = f"member {members[number // 2]}" if number % 2 else f"commit {commit}"
        if kind not in (b"blob", b"commit") or not size.isdigit():
            raise RepositoryError(f"the repository has no {wanted}")
        start = len(head) + 1
        if number % 2:
            found[members[number // 2]] = bytes(rest[start : start + int(size)])
        rest = rest[start + int(size) + 1 :]
    return found


def digest_of(members: dict[str, bytes]) -> str:
    """The digest of a package's members."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(members.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def convert_page(page: bytes) -> bytes:
    """A page of MediaWiki as HTML, by pandoc, which reads no other file."""
    command = ["pandoc", "--sandbox", "--from=mediawiki", "--to=html"]
    try:
        done = subprocess.run(command, input=page, capture_output=True, timeout=PAGE_SECONDS, check=False)
    except FileNotFoundError:
        raise RepositoryError("pandoc is not installed") from None
    except subprocess.TimeoutExpired:
        raise RepositoryError(f"pandoc has no answer in {PAGE_SECONDS} s") from None
    if done.returncode:
        raise RepositoryError(f"pandoc cannot convert a page: {last_line(done.stderr)}")
    return done.stdout


def tree_of(package: Package, members: list[str], given: Path | None, folder: Path) -> Path:
    """The folder with the members of a package, written where it is not there."""
    listed = "\n".join([package.sha256, package.architecture, *sorted(set(members))])
    short = hashlib.sha256(listed.encode()).hexdigest()[:12]
    repository = repository_of(package)
    tree = folder / "trees" / f"{repository.replace('/', '+')}-{short}"
    if tree.is_dir():
        return tree
    directory = directory_of(repository, given, folder / "repositories")
    read = read_members(directory, package.version, sorted(set(members)), is_ours=given is None)
    if digest_of(read) != package.sha256:
        raise RepositoryError(f"the members at {package.version} are not those of the recipe: their digest differs")
    part = tree.with_name(f"{tree.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    for member, data in read.items():
        place = part / member
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(convert_page(data) if package.architecture == CONVERTED else data)
    part.rename(tree)
    return tree


def fetch_repositories(
    packages: list[Package], members: dict[str, list[str]], folder: Path, given: Path | None = None
) -> Fetched:
    """The members of the packages, below `folder/trees`."""
    for name in ("trees", "repositories"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    fetched = Fetched()
    failed_clones: dict[str, str] = {}  # repositories that could not be cloned, asked for once only
    for package in packages:
        try:
            repository = repository_of(package)
            if repository in failed_clones:
                raise CloneError(failed_clones[repository])
            fetched.trees[package.name] = tree_of(package, members[package.name], given, folder)
            fetched.versions[package.name] = package.version
        except RepositoryError as error:
            fetched.missing[package.name] = str(error)
            if isinstance(error, CloneError):
                failed_clones[repository] = str(error)
    return fetched
