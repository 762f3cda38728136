"""A Spark standalone cluster on the loopback address, for tests: a master and workers that can be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pyspark

SPARK_HOME = Path(pyspark.__file__).parent


class Cluster:
    """A standalone cluster on the loopback address, whose processes write their logs into a folder."""

    def __init__(self, folder: Path, memory: str = "1g") -> None:
        self.folder = folder
        self.memory = memory
        self.workers: list[subprocess.Popen[bytes]] = []
        self.started = 0
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.master = self._start("master.Master", "--port", str(self.port), "--webui-port", "0")
        self._wait_for("I have been elected leader", 1)
        for _ in range(2):
            self.add_worker()

    @property
    def address(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def add_worker(self) -> None:
        """Starts a worker of one core and waits until the master knows it."""
        self.started += 1
        work = self.folder / f"worker-{self.started}"
        limits = ["--cores", "1", "--memory", self.memory, "--webui-port", "0", "--work-dir", str(work)]
        self.workers.append(self._start("worker.Worker", *limits, self.address))
        self._wait_for("Registering worker", self.started)

    def kill_worker(self) -> None:
        """Kills the oldest worker with its executor, whose Python processes end with it."""
        worker = self.workers.pop(0)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def stop(self) -> None:
        for process in (*self.workers, self.master):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [
            SPARK_HOME / "bin" / "spark-class",
            f"org.apache.spark.deploy.{name}",
            "--host",
            "127.0.0.1",
            *arguments,
        ]
        log = (self.folder / f"{name}.log").open("ab")
        # A group of its own, by which the worker and its executor are killed together.
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def _wait_for(self, words: str, times: int) -> None:
        log = self.folder / "master.Master.log"
        tick = threading.Event()
        while log.read_text().count(words) < times:
            if self.master.poll() is not None:
                raise SystemExit(f"the master ended: {log.read_text()[-2000:]}")
            tick.wait(0.1)
