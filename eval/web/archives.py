"""The archives of source pages, asked for by the registries' own clients and checked by their digests."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from repositories import last_line

from web.rows import Archive

ARCHIVE_SECONDS = 300
FILES = "*.t*gz"  # the archives that the registries have


def sha256(path: Path) -> str:
    """The digest of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def place(cache: Path, archive: Archive) -> Path:
    """The folder of one archive's file."""
    name = archive.project.replace("/", "-").lstrip("@")
    return cache / f"{archive.registry}-{name}-{archive.version}"


def command_of(archive: Archive, folder: Path, python: Path) -> list[str]:
    """The client's command, which brings the file into the folder and runs nothing of a file with another digest.

    Pip asks the build backend of a source for its requirements, and so runs its `setup.py`. With digests to check it
    refuses a file before that.
    """
    if archive.registry == "npm":
        options = ["--loglevel=error", "--logs-max=0", "--ignore-scripts"]
        return ["npm", "pack", *options, f"{archive.project}@{archive.version}"]
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{archive.project}=={archive.version} --hash=sha256:{archive.sha256}\n", "utf-8")
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-binary", ":all:"]
    return [str(python), "-m", "pip", "download", *options, "--require-hashes", "--requirement", str(wanted)]


def fetch(archive: Archive, cache: Path, python: Path) -> Path | str:
    """The file of an archive, or the reason why it is not there. `python` has the build backends of the sources."""
    folder = place(cache, archive)
    kept = next((path for path in sorted(folder.glob(FILES)) if sha256(path) == archive.sha256), None)
    if kept:
        return kept
    name = f"{archive.project} {archive.version}"
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as part:
        command = command_of(archive, Path(part), python)
        try:
            done = subprocess.run(command, cwd=part, capture_output=True, timeout=ARCHIVE_SECONDS, check=False)
        except (subprocess.TimeoutExpired, OSError) as error:
            return f"{name}: {type(error).__name__}"
        files = sorted(Path(part).glob(FILES))
        if not files:
            # Npm's first line has the code of the error, its last one is about log files.
            talk = done.stderr.partition(b"\n")[0] if archive.registry == "npm" else done.stderr
            return f"{name}: the registry's client brought no archive of the recipe's digest: {last_line(talk)}"
        if sha256(files[0]) != archive.sha256:
            return f"{name}: the digest differs from the recipe's"
        folder.mkdir(exist_ok=True)
        return Path(shutil.move(files[0], folder / files[0].name))


def siblings(names: Iterable[str], member: str, most: int) -> list[str]:
    """The first pages of the folder of a page that have its suffix, by name: the menu around it."""
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
