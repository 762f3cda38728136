"""Attacks on the disk: a full one with kills, and damaged files one by one."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path

from served import Served, text, until

MIB = 1 << 20


@contextlib.contextmanager
def small_disk(mebibytes: int) -> Iterator[Path]:
    """A file system of its own, in memory. Needs root."""
    folder = Path(tempfile.mkdtemp())
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "nearprint", folder], check=True)
    try:
        yield folder
    finally:
        # A server that is still there after a failure keeps it busy.
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


class Ledger:
    """What clients know: the last acknowledged state of each id, and ids of which a request was under way at a kill."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.known: dict[str, int | None] = {}
        self.unclear: dict[str, set[int | None]] = {}
        self.counts = {"acknowledged": 0, "refused": 0}

    def note(self, id_: str, wanted: int | None, status: int | None) -> None:
        with self.lock:
            before = {self.known.get(id_)} | self.unclear.get(id_, set())
            if status is None:
                self.unclear[id_] = before | {wanted}
            elif status < 300 or status == 404:
                self.known[id_] = wanted
                self.unclear.pop(id_, None)
                self.counts["acknowledged"] += 1
            else:
                # What was refused was not done: the document is as it was.
                self.counts["refused"] += 1

    def check(self, served: Served) -> int:
        """Compares every document; returns how many there are."""
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        for id_ in sorted(self.known.keys() | self.unclear.keys()):
            connection.request("GET", f"/v1/collections/texts/documents/text?id={id_}")
            answer = connection.getresponse()
            body = answer.read().decode().rstrip("\n")
            assert answer.status in (200, 404), (id_, answer.status, body)
            found = body if answer.status == 200 else None
            may_be = {self.known.get(id_)} | self.unclear.get(id_, set())
            allowed = {None if number is None else text(number) for number in may_be}
            if found not in allowed:
                raise SystemExit(f"{id_}: found {found!r}, acknowledged {sorted(map(str, may_be))}")
            number = next(number for number in may_be if (None if number is None else text(number)) == found)
            self.known[id_] = number
            self.unclear.pop(id_, None)
        connection.close()
        return sum(number is not None for number in self.known.values())


def load(served: Served, ledger: Ledger, client: int, stop: threading.Event, rng: random.Random) -> None:
    """Additions, replacements and removals of a client's own ids, until the server is gone."""
    while not stop.is_set():
        id_ = f"c{client}n{rng.randrange(300)}"
        wanted = None if rng.random() < 0.2 else rng.randrange(10**6)
        try:
            if wanted is None:
                status = served.ask("DELETE", f"/v1/collections/texts/documents?id={id_}").status
            else:
                status = served.add("texts", id_, text(wanted)).status
        except (OSError, HTTPException):
            ledger.note(id_, wanted, None)
            return
        ledger.note(id_, wanted, status)


def full_disk(program: Path, kills: int, seed: int) -> list[str]:
    """Kills under a mixed load on a disk that is full and then freed, again and again."""
    if os.geteuid() != 0:
        return ["full disk: skipped, because mounting a small file system needs root"]
    rng, ledger, reopened, slowest = random.Random(seed), Ledger(), [], 0.0
    with small_disk(96) as disk:
        ballast = disk / "ballast"
        for kill in range(kills):
            served = Served(program, disk / "collections")
            slowest = max(slowest, served.start_seconds)
            if kill == 0:
                served.create("texts", texts=True)
            ledger.check(served)
            stop = threading.Event()
            seeds = [rng.random() for _ in range(4)]
            clients = [
                threading.Thread(target=load, args=(served, ledger, client, stop, random.Random(own)))
                for client, own in enumerate(seeds)
            ]
            for client in clients:
                client.start()
            time.sleep(0.1 + rng.random() * 0.2)
            # Full: everything that is left of the disk is taken.
            with contextlib.suppress(OSError), ballast.open("wb") as file:
                while True:
                    file.write(bytes(64 << 10))
                    file.flush()
            time.sleep(0.1 + rng.random() * 0.3)
            if kill % 2:
                # Freed, and open again without a restart; killed afterwards under load.
                ballast.unlink()

                def takes(served: Served = served) -> bool:
                    answer = served.add("texts", "probe", text(1))
                    ledger.note("probe", 1, answer.status)
                    return answer.status < 300

                reopened.append(until(takes, 30, "the collection takes documents again"))
                time.sleep(rng.random() * 0.2)
            served.kill()
            stop.set()
            for client in clients:
                client.join()
            ballast.unlink(missing_ok=True)
        served = Served(program, disk / "collections")
        documents = ledger.check(served)
        assert served.terminate() == 0
    counts = ledger.counts
    return [
        f"full disk: {kills} kills, {counts['acknowledged']} changes acknowledged, {counts['refused']} refused; "
        f"{documents} documents, all as acknowledged",
        f"full disk: open again after {max(reopened, default=0):.1f} s at most ({len(reopened)} times), "
        f"ready again after a kill in {slowest:.1f} s at most",
    ]


def damages(path: Path, rng: random.Random) -> Iterator[str]:
    """Damages a file in one way after the other; the caller puts it back in between."""
    whole = path.read_bytes()
    path.write_bytes(b"")
    yield "empty"
    path.write_bytes(whole[: len(whole) // 2])
    yield "cut"
    path.write_bytes(rng.randbytes(min(len(whole), MIB)))
    yield "random"
    path.unlink()
    yield "missing"


def damaged_files(program: Path, seed: int) -> list[str]:
    """Damages each file of a server in turn: it starts, other collections answer, and nothing is deleted."""
    rng, cases, states = random.Random(seed), 0, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "whole"
        served = Served(program, folder)
        for collection in ("one", "two"):
            served.create(collection, texts=True)
            for at in range(20):
                assert served.add(collection, f"d{at}", text(at)).status == 201
        assert served.ask("POST", "/v1/collections/one/snapshots").status == 201
        assert served.ask("PUT", "/v1/aliases/alias", json.dumps({"collection": "one"}).encode()).status < 300
        job = served.ask("POST", "/v1/jobs", json.dumps({"type": "pairs", "collection": "one"}).encode()).json()
        until(lambda: served.ask("GET", f"/v1/jobs/{job['id']}").json()["state"] == "done", 30, "the job is done")
        assert served.terminate() == 0
        files = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
        files = [path for path in files if "collections/two@" not in str(path) and path.suffix != ".lock"]
        for file in files:
            copy = Path(name) / "damaged"
            shutil.copytree(folder, copy)
            for damage in damages(copy / file, rng):
                shutil.copytree(folder, Path(name) / "again", ignore=lambda *_: [])
                damaged = Path(name) / "again"
                (damaged / file).unlink()
                if (copy / file).exists():
                    shutil.copy(copy / file, damaged / file)
                kept = sum(path.stat().st_size for path in damaged.rglob("*") if path.is_file())
                served = Served(program, damaged)
                try:
                    other = served.ask("GET", "/v1/collections/two/documents/text?id=d3")
                    assert other.status == 200 and other.body.decode().rstrip("\n") == text(3), (file, damage, other)
                    assert served.ask("GET", "/readyz").status == 200
                    own = served.ask("GET", "/v1/collections/one/documents/text?id=d3")
                    assert own.status in (200, 404, 503), (file, damage, own)
                    health = served.ask("GET", "/healthz").json()["status"]
                    assert own.status == 200 or own.status == 404 or health == "degraded", (file, damage, own, health)
                    for page in ("/", "/collections", "/jobs", "/metrics"):
                        assert served.ask("GET", page).status == 200, (file, damage, page)
                finally:
                    served.kill()
                left = sum(path.stat().st_size for path in damaged.rglob("*") if path.is_file())
                # Small files may be written again; nothing large is gone.
                assert left >= kept - 4096, f"{file}, {damage}: {kept - left} bytes are gone"
                states[own.status] = states.get(own.status, 0) + 1
                cases += 1
                shutil.rmtree(damaged)
            shutil.rmtree(copy)
    shown = ", ".join(f"{count} times {status}" for status, count in sorted(states.items()))
    return [
        f"damaged files: {cases} cases of {len(files)} files, the other collection answered in all; its own: {shown}"
    ]
