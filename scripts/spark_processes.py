"""What the processes of a Spark job take of memory and of processors, from /proc, for records."""

from __future__ import annotations

import os
import threading
from pathlib import Path

# What a command line holds, and what the process is called in records; the first that fits.
KINDS = {
    "deploy.master.Master": "master",
    "deploy.worker.Worker": "worker",
    "CoarseGrainedExecutorBackend": "executor, Java",
    "SparkSubmit": "driver, Java",
    "nearprint-worker": "extraction worker",
    "pyspark.daemon": "Python of a task",
    "pyspark/daemon": "Python of a task",
}


class Watch:
    """Looks at all processes below this one, until it is left."""

    def __init__(self, every: float = 0.2) -> None:
        self.every = every
        # By kind the bytes of each process by its id.
        self.resident: dict[str, dict[int, int]] = {}
        # Of each process, the ended ones included.
        self.ticks: dict[int, int] = {}
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def peaks(self) -> dict[str, list[int]]:
        """By kind the megabytes (2^20) of each process at its largest, the largest ten first."""
        return {
            kind: [size >> 20 for size in sorted(sizes.values(), reverse=True)[:10]]
            for kind, sizes in sorted(self.resident.items())
        }

    def processor_seconds(self) -> float:
        """Of all processes but this one; what a process took since it was last looked at is not in it."""
        ticks = sum(ticks for pid, ticks in [*self.ticks.items()] if pid != os.getpid())
        return ticks / os.sysconf("SC_CLK_TCK")

    def _watch(self) -> None:
        while not self._done.wait(self.every):
            for pid in below(os.getpid()):
                self._look(pid)

    def _look(self, pid: int) -> None:
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            status = Path(f"/proc/{pid}/status").read_text()
            ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        except OSError:
            return
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        self.ticks[pid] = sum(map(int, ticks))
        if "VmHWM" not in fields:
            return
        other = "driver, Python" if pid == os.getpid() else f"other: {fields['Name'].strip()}"
        kind = next((name for words, name in KINDS.items() if words in command), other)
        self.resident.setdefault(kind, {})[pid] = int(fields["VmHWM"].split()[0]) << 10


def below(root: int) -> set[int]:
    """The processes below one, itself included."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    inside, grown = {root}, {root}
    while grown:
        grown = {pid for pid, parent in parents.items() if parent in inside} - inside
        inside |= grown
    return inside
