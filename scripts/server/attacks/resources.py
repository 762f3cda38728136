"""One client holds a resource of the server, and another must be served all the same."""

from __future__ import annotations

import contextlib
import json
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path

from served import ATTACKER, VICTIM, Served, text

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "documents"

# How long another client may wait for anything.
LONGEST = 1.0


def head(method: str, path: str, *lines: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def sent(served: Served, count: int, data: bytes) -> list[socket.socket]:
    """Connections of the attacker that have sent this and wait."""
    held = []
    for _ in range(count):
        connection = served.socket(ATTACKER)
        connection.settimeout(0.2)
        with contextlib.suppress(OSError):
            connection.sendall(data)
        held.append(connection)
    return held


@contextlib.contextmanager
def open_connections(held: list[socket.socket]) -> Iterator[None]:
    try:
        yield
    finally:
        for connection in held:
            connection.close()


@contextlib.contextmanager
def asked_again(
    served: Served, clients: int, method: str, path: str, body: bytes = b"", **headers: str
) -> Iterator[None]:
    """The attacker asks for the same on many connections, again and again."""
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError, HTTPException):
                served.ask(method, path, body, ATTACKER, **headers)

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


BODY = head("POST", "/v1/collections/texts/query", "Content-Length: 67108864")
CHUNKED = head("POST", "/v1/collections/texts/query", "Transfer-Encoding: chunked") + b"2000000\r\n" + b"x" * (32 << 20)
LINES = "".join(json.dumps({"id": f"b{at}", "text": text(at)}) + "\n" for at in range(1000)).encode()
PDF = (SAMPLES / "lighthouse" / "en.pdf").read_bytes()
LIST = head("GET", "/v1/collections/texts/documents?text&limit=1000")
CAPTURES = "/v1/collections/captures/captures?url=example.org&limit=1000"


def attacks(served: Served) -> dict[str, Callable[[], contextlib.AbstractContextManager[None]]]:
    """What holds each resource."""
    lines = {"Content_Type": "application/x-ndjson"}
    batch, job = "/v1/collections/texts/documents/batch", json.dumps({"type": "dedup", "collection": "texts"}).encode()
    return {
        "promised bodies": lambda: open_connections(sent(served, 64, BODY + b"x")),
        "chunked bodies": lambda: open_connections(sent(served, 12, CHUNKED)),
        "half heads": lambda: open_connections(sent(served, 1000, b"GET / HTTP/1.1\r\nHost")),
        "all connections": lambda: open_connections(sent(served, 2000, b"")),
        "answers not read": lambda: open_connections(sent(served, 200, LIST * 50)),
        "look-ups": lambda: asked_again(served, 64, "GET", "/v1/collections/texts/documents?id=1"),
        "single changes": lambda: asked_again(
            served, 64, "PUT", "/v1/collections/texts/documents?id=x", b"Fog came in."
        ),
        "batches": lambda: asked_again(served, 16, "POST", batch, LINES, **lines),
        "documents": lambda: asked_again(served, 32, "POST", "/v1/extract", PDF),
        "captures": lambda: asked_again(served, 16, "GET", CAPTURES),
        "jobs": lambda: asked_again(served, 16, "POST", "/v1/jobs", job),
    }


def requests() -> list[tuple[str, str, bytes]]:
    """What another client asks for, of every lane."""
    return [
        ("GET", "/livez", b""),
        ("GET", "/v1/collections/texts/documents?id=1", b""),
        ("PUT", "/v1/collections/victim/documents?id=v", text(7).encode()),
        ("POST", "/v1/collections/texts/query", text(3).encode()),
        ("POST", "/v1/fingerprint", PDF),
        ("GET", "/v1/collections/captures/captures?url=example.org&limit=10", b""),
        ("GET", "/collections/texts", b""),
        ("POST", "/v1/jobs", json.dumps({"type": "pairs", "collection": "victim"}).encode()),
    ]


def slowest(served: Served, rounds: int) -> tuple[float, str]:
    """The longest that another client waited for anything, and for what."""
    worst = (0.0, "")
    for _ in range(rounds):
        for method, path, body in requests():
            answer = served.ask(method, path, body, VICTIM)
            if answer.status >= 300:
                raise SystemExit(f"another client was refused {method} {path}: {answer}")
            worst = max(worst, (answer.seconds, f"{method} {path.split('?')[0]}"))
    return worst


def fill(served: Served) -> None:
    for name in ("texts", "victim", "captures"):
        served.create(name, texts=True)
    texts = [{"id": str(at), "text": text(at)} for at in range(1000)]
    captures = []
    for at in range(1000):
        date = f"{2000 + at // 336}{1 + at // 28 % 12:02}{1 + at % 28:02}120000"
        captured = {"url": "http://example.org/", "date": date}
        captures.append({"id": f"c{at}", "text": text(at // 3, 500), "capture": captured})
    for name, rows in (("texts", texts), ("captures", captures)):
        body = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path = f"/v1/collections/{name}/documents/batch"
        answer = served.ask("POST", path, body, Content_Type="application/x-ndjson")
        assert answer.status == 200 and b'"problem":{' not in answer.body, answer.body[:500]


def held_resources(program: Path, slower: float) -> list[str]:
    """Each attack, with how long another client waited at most; `slower` excuses what the machine itself takes."""
    said, failed = [], []
    # Few enough files that one client can reach the limit on connections.
    with tempfile.TemporaryDirectory() as folder:
        served = Served(program, Path(folder), files=2048)
        try:
            fill(served)
            alone = slowest(served, 3)
            said.append(f"no attack: {alone[0]:.2f} s at most ({alone[1]})")
            for name, attack in attacks(served).items():
                with attack():
                    seconds, what = slowest(served, 5)
                said.append(f"{name}: {seconds:.2f} s at most ({what})")
                if seconds > max(LONGEST, alone[0] * slower):
                    failed.append(f"{name} made another client wait {seconds:.2f} s for {what}")
        finally:
            served.kill()
    if failed:
        raise SystemExit("\n".join([*said, *failed]))
    return said
