"""A server that is attacked, in a process of its own, and clients with addresses of their own."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

# Addresses of loopback: each is a client of its own to the server.
ATTACKER, VICTIM = "127.0.0.2", "127.0.0.3"


@dataclass
class Answer:
    status: int
    body: bytes
    seconds: float

    def json(self) -> dict:
        return json.loads(self.body)


class Served:
    """A server of a directory, which may open only so many files if that is said."""

    def __init__(self, program: Path, folder: Path, *options: str, files: int | None = None) -> None:
        self.folder = folder
        self.log = tempfile.NamedTemporaryFile("w+")  # noqa: SIM115, it is closed with the server
        command: list[str | Path] = [program, "serve", folder, "--listen", "127.0.0.1:0", *options]

        if files is not None:
            command = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *command]
        begun = time.monotonic()
        self.process = subprocess.Popen(command, stderr=self.log)
        while "serving on" not in self.said():
            if self.process.poll() is not None:
                raise SystemExit(f"the server did not start: {self.said()}")
            time.sleep(0.01)
        self.start_seconds = time.monotonic() - begun
        self.port = int(self.said().split("http://127.0.0.1:")[1].split("/")[0])

    def said(self) -> str:
        return Path(self.log.name).read_text(encoding="utf-8")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def terminate(self) -> int:
        self.process.terminate()
        return self.process.wait()

    def socket(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60, source_address=(source, 0))

    def ask(self, method: str, path: str, body: bytes = b"", source: str = "127.0.0.1", **headers: str) -> Answer:
        """What is answered, over a connection of its own; raises OSError or HTTPException where nothing is."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        begun = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(source, 0))
        try:
            connection.request(method, path, body or None, named)
            answer = connection.getresponse()
            return Answer(answer.status, answer.read(), time.monotonic() - begun)
        finally:
            connection.close()

    def create(self, name: str, **settings: object) -> None:
        answer = self.ask("PUT", f"/v1/collections/{name}", json.dumps(settings).encode())
        assert answer.status == 201, answer

    def add(self, collection: str, id_: str, text: str, source: str = "127.0.0.1") -> Answer:
        path = f"/v1/collections/{collection}/documents?id={quote(id_, safe='')}"
        return self.ask("PUT", path, text.encode(), source, Content_Type="text/plain")


def until(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Waits for something, and returns how long."""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > seconds:
            raise SystemExit(f"not within {seconds} s: {what}")
        time.sleep(0.05)
    return time.monotonic() - begun


def text(number: int, words: int = 60) -> str:
    """A text of its own for each number."""
    return " ".join(f"word{(number * 7919 + at * at * 31) % 5000}" for at in range(words)) + f" document {number}"
