"""Fetching and unpacking the recipe's packages through apt, at the versions the recipe pins.

A package whose pinned version apt no longer offers is reported and left out, never replaced by another version
unasked: other versions hold other texts, and figures would no longer compare.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from recipe import Package

BATCH = 40  # packages in one call of apt-get


@dataclass
class Fetched:
    """What became of the packages."""

    trees: dict[str, Path] = field(default_factory=dict)  # name to the folder it is unpacked in
    versions: dict[str, str] = field(default_factory=dict)  # name to the version used
    missing: dict[str, str] = field(default_factory=dict)  # name to the reason


def file_name(package: Package) -> str:
    """The name apt-get gives a package's file; it writes the colon of an epoch as %3a."""
    return f"{package.name}_{package.version.replace(':', '%3a')}_{package.architecture}.deb"


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


def unpack(path: Path, members: list[str], trees: Path) -> Path:
    """The folder with the members of a package, unpacked where needed; members it has not are simply not there."""
    listed = "".join(f"./{member}\n" for member in members).encode()
    tree = trees / f"{path.stem}-{hashlib.sha256(listed).hexdigest()[:8]}"
    if not tree.exists():
        part = tree.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        (part / ".members").write_bytes(listed)
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE) as reading:
            command = [
                "tar",
                "--extract",
                "--directory",
                part,
                "--verbatim-files-from",
                "--files-from",
                part / ".members",
            ]
            subprocess.run(command, stdin=reading.stdout, capture_output=True, check=False)
            reading.communicate()
        if reading.returncode:
            raise SystemExit(f"dpkg-deb cannot read {path}; remove it and run again")
        part.rename(tree)
    return tree


def fetch(
    packages: dict[str, Package], members: dict[str, list[str]], folder: Path, any_version: bool = False
) -> Fetched:
    """The packages, downloaded into `folder/debs` where needed, and their members, unpacked below `folder/trees`."""
    cache, trees = folder / "debs", folder / "trees"
    cache.mkdir(parents=True, exist_ok=True)
    trees.mkdir(parents=True, exist_ok=True)
    absent = [package for package in packages.values() if not (cache / file_name(package)).exists()]
    if absent:
        print(f"fetching {len(absent)} packages, {sum(package.bytes for package in absent) / 1e6:.0f} MB", flush=True)
        download(absent, cache, any_version)
    fetched = Fetched()
    for name, package in packages.items():
        path = cache / file_name(package)
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
