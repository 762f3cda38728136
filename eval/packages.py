"""Fetching and unpacking the recipe's packages through apt, at the versions the recipe pins.

A package whose pinned version apt no longer offers is reported and left out, never replaced by another version
unasked: other versions hold other texts, and figures would no longer compare.

A package of the architecture `source` is the archive of a Debian source package that has the pinned digest, and its name
is `src:` and that of the source. Apt is asked for it with lists of sources of our own below the folder, so that the
machine's configuration stays as it is.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from recipe import Package

BATCH = 40  # packages in one call of apt-get
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
SOURCE = "source"  # the architecture of source packages
TARGETS = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"]


@dataclass
class Fetched:
    """What became of the packages."""

    trees: dict[str, Path] = field(default_factory=dict)  # name to the folder it is unpacked in
    versions: dict[str, str] = field(default_factory=dict)  # name to the version used
    missing: dict[str, str] = field(default_factory=dict)  # name to the reason

    def add(self, other: Fetched) -> None:
        """Takes in what became of other packages."""
        self.trees |= other.trees
        self.versions |= other.versions
        self.missing |= other.missing


def file_name(package: Package) -> str:
    """The name apt-get gives a package's file; it writes the colon of an epoch as %3a."""
    return f"{package.name}_{package.version.replace(':', '%3a')}_{package.architecture}.deb"


def place(cache: Path, package: Package) -> Path:
    """Where a package's file is; of a source package whatever archive has its digest, or where none is."""
    if package.architecture != SOURCE:
        return cache / file_name(package)
    folder = cache / file_name(package).replace(":", "-").removesuffix(".deb")
    archives = sorted(folder.glob("*.tar.*"))
    return next((path for path in archives if sha256(path) == package.sha256), (archives or [folder / "absent"])[0])


def sha256(path: Path) -> str:
    """The digest of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def download(wanted: list[Package], cache: Path, any_version: bool) -> None:
    """Asks apt for the packages that the cache has not; what apt does not have is seen by `fetch`."""
    if shutil.which("apt-get") is None:
        raise SystemExit("make eval needs apt-get (Debian 12 with its package lists: apt-get update)")
    names = [package.name if any_version else f"{package.name}={package.version}" for package in wanted]
    for start in range(0, len(names), BATCH):
        batch = names[start : start + BATCH]
        done = subprocess.run(["apt-get", "download", "-qq", *batch], cwd=cache, capture_output=True, check=False)
        if done.returncode:  # one missing version stops the whole batch
            for name in batch:
                subprocess.run(["apt-get", "download", "-qq", name], cwd=cache, capture_output=True, check=False)


def download_sources(wanted: list[Package], cache: Path) -> None:
    """Asks apt for the archives of source packages, one after another, each into a folder of its own."""
    lists = cache.parent / "apt"
    for folder in (lists / "lists" / "partial", lists / "cache"):
        folder.mkdir(parents=True, exist_ok=True)
    targets = subprocess.run(TARGETS, capture_output=True, text=True, check=True).stdout.split("\n")
    lines = sorted({f"deb-src [signed-by={KEYS}] {target}\n" for target in targets if target and "debian" in target})
    (lists / "sources.list").write_text("".join(lines))
    settings = {"Etc::SourceList": "sources.list", "State::Lists": "lists", "Cache": "cache"}
    options = [part for key, name in settings.items() for part in ("-o", f"Dir::{key}={(lists / name).resolve()}")]
    command = ["apt-get", "-qq", "-o", "Dir::Etc::SourceParts=-", *options]
    subprocess.run([*command, "update"], capture_output=True, check=False)
    for package in wanted:
        folder = place(cache, package).parent
        folder.mkdir(exist_ok=True)
        name = f"{package.name.removeprefix('src:')}={package.version}"
        subprocess.run(
            [*command, "source", "--download-only", "--tar-only", name], cwd=folder, capture_output=True, check=False
        )


def unpack(path: Path, members: list[str], trees: Path) -> Path:
    """The folder with the members of a package, unpacked where needed; members it has not are simply not there."""
    is_deb = path.suffix == ".deb"
    # Names in a .deb begin with "./"; in an archive of sources some do.
    names = [name for member in members for name in ([f"./{member}"] if is_deb else [member, f"./{member}"])]
    listed = "".join(f"{name}\n" for name in names).encode()
    tree = trees / f"{path.stem}-{hashlib.sha256(listed).hexdigest()[:8]}"
    if tree.exists():
        return tree
    part = tree.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    (part / ".members").write_bytes(listed)
    command = ["tar", "--extract", "--directory", part, "--verbatim-files-from", "--files-from", part / ".members"]
    if is_deb:
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE) as reading:
            subprocess.run(command, stdin=reading.stdout, capture_output=True, check=False)
            reading.communicate()
        if reading.returncode:
            raise SystemExit(f"dpkg-deb cannot read {path}; remove it and run again")
    else:
        subprocess.run([*command, "--file", path], capture_output=True, check=False)
    part.rename(tree)
    return tree


def fetch(
    packages: dict[str, Package], members: dict[str, list[str]], folder: Path, any_version: bool = False
) -> Fetched:
    """The packages, downloaded into `folder/debs` where needed, and their members, unpacked below `folder/trees`."""
    cache, trees = folder / "debs", folder / "trees"
    cache.mkdir(parents=True, exist_ok=True)
    trees.mkdir(parents=True, exist_ok=True)
    absent = [package for package in packages.values() if not place(cache, package).exists()]
    if absent:
        print(f"fetching {len(absent)} packages, {sum(package.bytes for package in absent) / 1e6:.0f} MB", flush=True)
        download([package for package in absent if package.architecture != SOURCE], cache, any_version)
        if sources := [package for package in absent if package.architecture == SOURCE]:
            download_sources(sources, cache)
    fetched = Fetched()
    for name, package in packages.items():
        path = place(cache, package)
        version = package.version
        if path.exists() and sha256(path) != package.sha256:
            fetched.missing[name] = f"{path.name} is not the file of the recipe: its digest differs"
            continue
        if not path.exists():
            others = sorted(cache.glob(f"{name}_*.deb")) if any_version else []
            if not others:
                fetched.missing[name] = f"apt offers no version {package.version} for {package.architecture}"
                continue
            path = others[-1]
            version = path.name.split("_")[1].replace("%3a", ":")
        fetched.trees[name], fetched.versions[name] = unpack(path, members[name], trees), version
    return fetched
