"""What a crawler waits for: a page of 5 kB is sent to a server, which says what in a collection is similar, verified.

`crawl_hook.py PROGRAM --documents 1000000` fills a collection, a tenth of whose texts are revisions of others, and then asks
about pages, half of them revisions: by text from 16 connections, by fingerprint from one. Last it lets the server decide
about pages and keep them, by a budget, in one request each. Times are those of whole requests
over loopback; clients and server share the processors. `bench/results` has the results.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable

LETTERS = "etaoinshrdlucmfwygpb"
BATCH = 1000
# Bytes of a text, about.
LENGTH = 5000
ADDRESS = re.compile(r"http://([\w.:]+)/")


# The method, the path below the collections, a body and its media type.
Question = tuple[str, str, bytes, str]


class Texts:
    """Texts by their numbers: the same for a number on every run. One in ten is another one with some words changed."""

    def __init__(self) -> None:
        words = random.Random(39)
        self._words = ["".join(words.choices(LETTERS, k=words.randrange(2, 11))) for _ in range(40_000)]

    def _fresh(self, number: int) -> list[str]:
        # Short ranks are frequent, as in languages.
        rng = random.Random(number)
        count = LENGTH // 7
        return [self._words[int(len(self._words) ** rng.random()) - 1] for _ in range(count)]

    def of(self, number: int) -> str:
        """The text of a number."""
        if number % 10:
            return " ".join(self._fresh(number))
        return self.revision(number + 1, number)

    def revision(self, number: int, seed: int) -> str:
        """A text with about one word of fifty changed."""
        rng, words = random.Random(-1 - seed), self._fresh(number)
        for at in rng.sample(range(len(words)), len(words) // 50):
            words[at] = rng.choice(self._words)
        return " ".join(words)


def asked(connection: http.client.HTTPConnection, method: str, path: str, body: bytes, media: str) -> bytes:
    """The body of an answer."""
    connection.request(method, path, body, {"Content-Type": media})
    answer = connection.getresponse()
    got = answer.read()
    if answer.status >= 300:
        raise SystemExit(f"{method} {path}: {answer.status} {got[:300].decode()}")
    return got


def fill(host: str, texts: Texts, documents: int) -> float:
    """Adds the documents in batches; seconds of the requests alone."""
    connection, spent = http.client.HTTPConnection(host), 0.0
    asked(connection, "PUT", "/v1/collections/crawl", b"{}", "application/json")
    asked(connection, "PUT", "/v1/collections/prints", b'{"scheme": "sd1"}', "application/json")
    for start in range(0, documents, BATCH):
        numbers = range(start, min(start + BATCH, documents))
        lines = "".join(json.dumps({"id": str(number), "text": texts.of(number)}) + "\n" for number in numbers)
        begun = time.perf_counter()
        asked(connection, "POST", "/v1/collections/crawl/documents/batch", lines.encode(), "application/x-ndjson")
        spent += time.perf_counter() - begun
        asked(connection, "POST", "/v1/collections/prints/documents/batch", lines.encode(), "application/x-ndjson")
    return spent


def times(host: str, connections: int, seconds: float, question: Callable[[int], Question]) -> list[float]:
    """Milliseconds of each request, in order of size."""
    found: list[float] = []
    end = time.perf_counter() + seconds

    def client(first: int) -> None:
        connection, number, own = http.client.HTTPConnection(host), first, []
        # Making a text is not part of its request.
        while (begun := time.perf_counter()) < end:
            method, path, body, media = question(number)
            begun = time.perf_counter()
            asked(connection, method, f"/v1/collections/{path}", body, media)
            own.append((time.perf_counter() - begun) * 1e3)
            number += connections
        found.extend(own)

    clients = [threading.Thread(target=client, args=(first,)) for first in range(connections)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    return sorted(found)


def row(name: str, found: list[float], seconds: float) -> str:
    """A row of the table."""

    def at(share: float) -> str:
        return f"{found[int((len(found) - 1) * share)]:.1f}"

    return f"| {name} | {len(found) / seconds:.0f} | {at(0.5)} | {at(0.9)} | {at(0.99)} | {at(1)} |"


def main() -> None:
    """Fills a collection and asks about pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=15.0, help="of each measurement (%(default)s)")
    given = parser.parse_args()
    texts = Texts()
    with tempfile.TemporaryDirectory() as directory:
        command = [given.program, "serve", directory, "--listen", "127.0.0.1:0"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            found = ADDRESS.search(server.stderr.readline())
            if found is None:
                raise SystemExit("the server does not say where it listens")
            host = found[1]
            spent = fill(host, texts, given.documents)
            print(
                f"{given.documents} documents of {LENGTH} bytes: {given.documents / spent:.0f} added a second, in batches"
            )
            # Made before they are asked about: a client that makes texts takes time from the server.
            pages = [texts.revision(7 * n + 1, n) if n % 2 else texts.of(given.documents + n) for n in range(4000)]

            def prints(scheme: str) -> list[bytes]:
                connection = http.client.HTTPConnection(host)
                path = f"/v1/fingerprint?scheme={scheme}"
                answers = [asked(connection, "POST", path, page.encode(), "text/plain") for page in pages[:500]]
                return [json.dumps({"fingerprint": json.loads(answer)["fingerprint"]}).encode() for answer in answers]

            by_scheme = {"crawl": prints("md1"), "prints": prints("sd1")}

            def by_text(number: int) -> Question:
                return "POST", "crawl/query", pages[number % len(pages)].encode(), "text/plain"

            def by_print(collection: str, options: str = "") -> Callable[[int], Question]:
                found = by_scheme[collection]
                return lambda number: (
                    "POST",
                    f"{collection}/query{options}",
                    found[number % len(found)],
                    "application/json",
                )

            def within_budget(crawler: str) -> Callable[[int], Question]:
                path = f"crawl/documents?budget=1&id={crawler}-"
                return lambda number: ("PUT", path + str(number), pages[number % len(pages)].encode(), "text/plain")

            connection = http.client.HTTPConnection(host)
            similar = [
                asked(connection, "POST", "/v1/collections/crawl/query", page.encode(), "text/plain")
                for page in pages[:200]
            ]
            print("\n| question | a second | p50 ms | p90 | p99 | most |\n|---|---|---|---|---|---|")
            for name, connections, question in [
                ("by text, verified, 16 connections", 16, by_text),
                ("by text, verified, 4 connections", 4, by_text),
                ("by text, verified, 1 connection", 1, by_text),
                ("by fingerprint, `sd1`, 1 connection", 1, by_print("prints")),
                ("by fingerprint, `md1`, 1 connection", 1, by_print("crawl")),
                ("the same with `recall=0.99`", 1, by_print("crawl", "?recall=0.99")),
                ("kept within a budget, 1 connection", 1, within_budget("alone")),
                ("kept within a budget, 16 connections", 16, within_budget("one")),
            ]:
                print(row(name, times(host, connections, given.seconds, question), given.seconds), flush=True)
            print(f"\nOf 200 pages {sum(map(bool, similar))} had a similar document.")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
