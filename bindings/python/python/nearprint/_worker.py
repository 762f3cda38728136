"""Where the extraction worker is: the small program that reads PDF and other heavy media in a process of its own."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import sysconfig
from pathlib import Path

_NAME = "nearprint-worker"
_VARIABLE = "NEARPRINT_WORKER"


def executable() -> str | None:
    """The path of the worker.

    The variable NEARPRINT_WORKER names it before all others. Else it is the program in the package, and where a package
    was built without one, the script of that name beside the interpreter. None where there is none of these: then the
    library looks for it in PATH.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        return named
    packaged = Path(__file__).parent / "bin" / _NAME
    if packaged.is_file():
        return str(packaged) if os.access(packaged, os.X_OK) else _runnable_copy(packaged)
    for folder in (sysconfig.get_path("scripts"), str(Path(sys.executable).parent)):
        script = Path(folder) / _NAME
        if os.access(script, os.X_OK):
            return str(script)
    return None


@functools.cache
def _runnable_copy(program: Path) -> str | None:
    """A copy in memory that can be run, as some archives and file systems keep no execute bits. Open until the process ends."""
    if not hasattr(os, "memfd_create"):
        return None
    copy = os.memfd_create(_NAME)
    with program.open("rb") as source, os.fdopen(os.dup(copy), "wb") as target:
        shutil.copyfileobj(source, target)
    # "self" is the process that starts the worker, also after a fork: it has the descriptor too.
    return f"/proc/self/fd/{copy}"


def main() -> None:
    """The script `nearprint-worker`: serves the process that started it."""
    from nearprint._nearprint import serve_worker

    serve_worker()
