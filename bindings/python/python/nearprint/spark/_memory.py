"""The Python memory of a task, where `spark.executor.pyspark.memory` limits it.

Spark divides the setting among the cores of an executor, and the system refuses what a Python process maps beyond its share,
used or not. Libraries and the stacks of threads count in full. Extraction workers are processes of their own: the system limits
each of them alone, so what they may take is set here.

This module is imported before Arrow, which a very small share does not let in.
"""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from pathlib import Path

from nearprint.errors import ResourceError
from pyspark import TaskContext

SETTING = "spark.executor.pyspark.memory"

LEAST = 768 << 20
"""Bytes of a share, at least. With 640 MiB a task that read and fingerprinted an archive ended by a failed allocation."""

NEEDED = 256 << 20
"""Bytes of it that work needs: stacks of threads, and batches."""


@dataclass(frozen=True)
class Driver:
    """What the driver passes to a task.

    A task unpickles it before its work, and so imports this module before Arrow.
    """

    version: str


def cores() -> int:
    """Cores of this task: `spark.task.cpus`."""
    context = TaskContext.get()
    return context.cpus() if context is not None else 1


def share() -> int:
    """Bytes that this process may map as a task; 0 where they are not limited."""
    return max(0, int(os.environ.get("PYSPARK_EXECUTOR_MEMORY_MB") or 0)) << 20


def options() -> dict[str, int]:
    """The options by which reading stays within the share of this task; none where it is not limited.

    Half of a share is for the processes that read heavy documents, a quarter for what is held of documents, and a document
    has an eighth at most: a longer one is an error row, and not the end of the process.
    """
    size = share()
    return {"memory": size // 4, "worker_memory": size // 2 // cores(), "max_bytes": size // 8} if size else {}


def prepare() -> None:
    """Refuses a share of which too little is left: the work would end without an error of its own.

    Raises:
        ResourceError: It names the setting and what to set it to.
    """
    if not share():
        return
    import pyarrow as pa

    # Arrow's own pool maps 1 GiB at its first use, if it can.
    pa.set_memory_pool(pa.system_memory_pool())
    limit, taken = resource.getrlimit(resource.RLIMIT_AS)[0], _mapped()
    if limit != resource.RLIM_INFINITY and limit - taken < NEEDED:
        raise _too_little(limit, taken + NEEDED)


def refuse_share() -> None:
    """Refuses a share in which not even the modules are sure to be loaded. As of `prepare`."""
    if 0 < share() < LEAST:
        raise _too_little(share(), LEAST)


def _too_little(limit: int, needed: int) -> ResourceError:
    least = -(-needed // (64 << 20)) * 64
    return ResourceError(
        f"{SETTING}, divided by the cores of an executor, lets a Python process map {limit >> 20} MiB, and it needs {least} MiB "
        f"with its modules: set {SETTING} to {least}m or more for each core"
    )


def _mapped() -> int:
    """Bytes that this process has mapped."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[0]) * resource.getpagesize() if statm.exists() else 0


refuse_share()
