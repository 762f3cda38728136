"""The script `nearprint`: the command, run inside the extension module."""

from __future__ import annotations

import os
import signal
import sys

from nearprint import _worker
from nearprint._nearprint import run_command


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    # The command as its own worker would be an interpreter: so it uses the program in the package.
    worker = _worker.executable()
    if worker is not None:
        os.environ["NEARPRINT_WORKER"] = worker
    # The command treats Ctrl-C as programs do that are not Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(sys.argv)
