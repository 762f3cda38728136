"""Files as a task reads them: local ones in place, all others as a stream into a temporary file of the task."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import fsspec

AT_ONCE = 1 << 20
"""Bytes of a stream that are in memory at once."""


def listed(paths: Sequence[str]) -> list[str]:
    """The files that paths name: those of folders with all below them, and those that match a pattern. Sorted."""
    found: list[str] = []
    for path in paths:
        system, name = fsspec.core.url_to_fs(path)
        if system.isdir(name):
            names = [below for below in system.find(name) if not _hidden(below, name)]
        elif any(sign in name for sign in "*?["):
            names = system.glob(name)
        else:
            # What is missing is an error row of the task that would read it.
            names = [name]
        found += sorted(below if is_local(path) else system.unstrip_protocol(below) for below in names)
    return found


def is_local(path: str) -> bool:
    """Whether a path is of the machine's own file system."""
    return "://" not in path or path.startswith("file://")


@contextlib.contextmanager
def local_file(path: str) -> Iterator[str]:
    """A local path with the content of a file, for as long as it is read."""
    if is_local(path):
        yield path.removeprefix("file://")
        return
    with TemporaryDirectory(prefix="nearprint-") as folder:
        # The name's endings may say what the file is.
        name = f"{folder}/{PurePosixPath(path.split('?')[0]).name or 'document'}"
        with fsspec.open(path, "rb") as source, Path(name).open("wb") as target:
            shutil.copyfileobj(source, target, AT_ONCE)
        yield name


def _hidden(name: str, folder: str) -> bool:
    return any(part.startswith(".") for part in name.removeprefix(folder).split("/"))
