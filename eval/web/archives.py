"""The archives of source pages, asked for by the registries' own clients and checked by their digests."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from web.rows import Archive

ARCHIVE_SECONDS = 300


def sha256(path: Path) -> str:
    """The digest of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def place(cache: Path, archive: Archive) -> Path:
    """The folder of one archive's file."""
    name = archive.project.replace("/", "-").lstrip("@")
    return cache / f"{archive.registry}-{name}-{archive.version}"


def command_of(archive: Archive, python: Path) -> list[str]:
    """The client's command, run in the folder that the file shall be in."""
    if archive.registry == "npm":
        return ["npm", "pack", "--silent", "--ignore-scripts", f"{archive.project}@{archive.version}"]
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-binary", ":all:"]
    return [str(python), "-m", "pip", "download", *options, f"{archive.project}=={archive.version}"]


def fetch(archive: Archive, cache: Path, python: Path) -> Path | str:
    """The file of an archive, or the reason why it is not there. `python` has the build backends of the sources."""
    folder = place(cache, archive)
    files = sorted(folder.glob("*.t*gz")) if folder.is_dir() else []
    if not files:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as part:
            try:
                subprocess.run(
                    command_of(archive, python), cwd=part, capture_output=True, timeout=ARCHIVE_SECONDS, check=False
                )
            except (subprocess.TimeoutExpired, OSError) as error:
                return f"{archive.project} {archive.version}: {type(error).__name__}"
            found = sorted(Path(part).glob("*.t*gz"))
            if not found:
                return f"{archive.project} {archive.version}: the registry's client brought no archive"
            folder.mkdir(exist_ok=True)
            shutil.move(found[0], folder / found[0].name)
        files = sorted(folder.glob("*.t*gz"))
    if sha256(files[0]) != archive.sha256:
        return f"{archive.project} {archive.version}: the digest differs from the recipe's"
    return files[0]


def siblings(names: Iterable[str], member: str, most: int) -> list[str]:
    """The first pages of the folder of a page that have its suffix, by name: the menu that stands around it."""
    folder, suffix = Path(member).parent, Path(member).suffix
    found = sorted(name for name in names if Path(name).parent == folder and Path(name).suffix == suffix)
    return found[:most]


def members(path: Path, wanted: Iterable[str], most: int) -> dict[str, bytes]:
    """The pages that are wanted and some of their siblings. Those that the archive lacks are not in the answer."""
    with tarfile.open(path) as opened:
        entries = {entry.name: entry for entry in opened.getmembers() if entry.isfile()}
        wanted = list(wanted)
        names = [name for name in wanted if name in entries]
        names += [name for member in wanted for name in siblings(entries, member, most)]
        found = {}
        for name in dict.fromkeys(names):
            reading = opened.extractfile(entries[name])
            if reading:
                found[name] = reading.read()
    return found
