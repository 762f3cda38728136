"""nearprint.scrapy in crawls of the real Scrapy, over a site that is generated, beside a real server."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import nearprint
import pytest
from conftest import make_text
from nearprint.client import Server
from test_client import start, stop

REACTORS = ["asyncioreactor.AsyncioSelectorReactor", "epollreactor.EPollReactor"]
MIDDLEWARE = {"SPIDER_MIDDLEWARES": {"nearprint.scrapy.BudgetMiddleware": 950}, "NEARPRINT_COLLECTION": "pages"}
PIPELINE = {"ITEM_PIPELINES": {"nearprint.scrapy.DuplicatesPipeline": 300}, "NEARPRINT_ITEM_COLLECTION": "items"}
BUDGET = 5

Answerer = Callable[[str], tuple[int, str]]


def serving(answer: Answerer, media: str) -> tuple[ThreadingHTTPServer, str]:
    """A server of what a function says of a path: status and body. Each request has its own thread."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, body = answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body.encode())))
            # Who asked may have given up.
            with contextlib.suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(body.encode())

        do_POST = do_PUT = do_GET  # noqa: N815

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def page(text: str, *links: str, id: str | None = None) -> tuple[int, str]:
    title = f'<h1 id="{id}"></h1>' if id else ""
    return 200, f"<html><body>{title}<p>{text}</p>{''.join(f'<a href={link}>-</a>' for link in links)}</body></html>"


class Site:
    """A site of generated pages: `/calendar/N` without end, `/day/N` all at once, `/chain/N` to 20 that differ."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.special: dict[str, Callable[[], tuple[int, str]]] = {}
        self._server, self.url = serving(self._answer, "text/html")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, path: str) -> tuple[int, str]:
        self.asked.append(path)
        if path in self.special:
            return self.special[path]()
        kind, _, number = path.strip("/").partition("/")
        if kind == "calendar":
            # Beyond what any budget lets through, so that a broken one ends too.
            following = [f"/calendar/{int(number) + 1}"] if int(number) < 40 else []
            return page(f"{make_text(1)} on day {number}", *following)
        if kind == "day":
            return page(f"{make_text(2)} on day {number}")
        if kind == "days":
            return page(make_text(3), *(f"/day/{n}" for n in range(30)))
        if kind == "chain":
            following = [f"/chain/{int(number) + 1}"] if int(number) < 20 else []
            return page(make_text(100 + int(number)), *following)
        return 404, ""


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.close()


@pytest.fixture
def server(command: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Server]]:
    running, url = start(command, tmp_path / "server")
    yield running, url, nearprint.connect(url)
    stop(running)


class Crawl:
    """What a crawl gave."""

    def __init__(self, url: str, start: list[str | dict[str, Any]], **settings: Any) -> None:
        requests = [{"url": one} if isinstance(one, str) else one for one in start]
        # A busy machine is not a failure of the server.
        usual = {"NEARPRINT_URL": url, "NEARPRINT_BUDGET": BUDGET, "NEARPRINT_TIMEOUT": 100}
        given = {"settings": usual | settings, "start": requests}
        script = Path(__file__).with_name("scrapy_crawl.py")
        done = subprocess.run(
            [sys.executable, "-W", "ignore", script, json.dumps(given)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        self.items: list[dict[str, Any]] = found["items"]
        self.log = done.stderr
        self.stats = {
            name.removeprefix("nearprint/"): value
            for name, value in found["stats"].items()
            if name.startswith("nearprint/")
        }
        assert "spider_exceptions/count" not in found["stats"] and "log_count/CRITICAL" not in found["stats"], self.log

    def paths(self, kind: str = "") -> list[str]:
        paths = [re.sub(r"https?://[^/]+", "", item["id"]) for item in self.items]
        return sorted(path for path in paths if path.startswith(f"/{kind}"))


@pytest.mark.parametrize("reactor", REACTORS)
def test_a_trap_ends_at_its_budget_and_distinct_pages_are_kept(
    reactor: str, site: Site, server: tuple[Any, str, Server]
) -> None:
    _, url, client = server
    pages = client.create("pages")
    begin: list[str | dict[str, Any]] = [f"{site.url}/{path}" for path in ("calendar/1", "days", "chain/1")]
    options = {**MIDDLEWARE, "TWISTED_REACTOR": f"twisted.internet.{reactor}"}
    first = Crawl(url, begin, **options)
    assert first.paths("calendar") == [f"/calendar/{n}" for n in range(1, BUDGET + 1)]
    # The page after the budget was fetched, and its link was not followed.
    assert sorted(path for path in site.asked if path.startswith("/calendar")) == [
        f"/calendar/{n}" for n in range(1, BUDGET + 2)
    ]
    # Pages that are there at the same time do not exceed the budget either.
    assert len(first.paths("day/")) == BUDGET
    assert len(first.paths("chain")) == 20 and first.paths("days") == ["/days"]
    kept = 2 * BUDGET + 21
    assert first.stats == {
        "pages_kept": kept,
        "pages_spent": 1 + 30 - BUDGET,
        "items_dropped": 1 + 30 - BUDGET,
        "requests_dropped": 1,
    }
    assert len(pages) == kept
    # A second crawl keeps what was kept, and nothing else of these clusters.
    again = Crawl(url, [*begin, f"{site.url}/calendar/30"], **options)
    assert again.paths() == first.paths() and len(pages) == kept
    assert again.stats["pages_spent"] == 2 + 30 - BUDGET


def test_the_crawl_goes_on_when_the_server_dies(site: Site, server: tuple[subprocess.Popen[str], str, Server]) -> None:
    running, url, client = server
    client.create("pages")

    def die() -> tuple[int, str]:
        running.kill()
        running.wait()
        return page(make_text(110), "/chain/11")

    site.special["/chain/10"] = die
    crawl = Crawl(url, [f"{site.url}/chain/1"], **MIDDLEWARE)
    assert len(crawl.items) == 20
    # After five failures in a row nothing is asked for a while.
    assert crawl.stats == {"pages_kept": 9, "failed_open/unreachable": 5, "failed_open/circuit_open": 6}
    assert crawl.log.count("is left alone for a while") == 1


@pytest.mark.parametrize("reactor", REACTORS)
def test_a_held_question_does_not_hold_the_reactor(reactor: str, site: Site) -> None:
    arrived, free = threading.Event(), threading.Event()
    freed: list[bool] = []

    def hold(_path: str) -> tuple[int, str]:
        arrived.set()
        freed.append(free.wait(30))
        return 503, json.dumps({"status": 503, "detail": "held", "kind": "busy"})

    def release() -> tuple[int, str]:
        free.set()
        return page(make_text(52))

    holder, url = serving(hold, "application/problem+json")
    # The second page comes once the question about the first is held; its link, from the spider, frees that question.
    site.special["/held"] = lambda: page(make_text(50))
    site.special["/exempt"] = lambda: (arrived.wait(30), page(make_text(51), "/exempt/release"))[1]
    site.special["/exempt/release"] = release
    begin: list[str | dict[str, Any]] = [
        f"{site.url}/held",
        {"url": f"{site.url}/exempt", "meta": {"nearprint": False}},
    ]
    options = {**MIDDLEWARE, "TWISTED_REACTOR": f"twisted.internet.{reactor}"}
    crawl = Crawl(url, begin, **options)
    holder.shutdown()
    holder.server_close()
    assert freed == [True]
    assert crawl.paths() == ["/exempt", "/exempt/release", "/held"]
    assert crawl.stats == {"failed_open/unavailable": 1, "pages_exempt": 2}


@pytest.mark.parametrize("reactor", REACTORS)
def test_a_page_waits_for_its_turn_no_longer_than_the_timeout(reactor: str, site: Site) -> None:
    over = threading.Event()
    holder, url = serving(lambda _path: (503, "{}") if over.wait(60) else (500, "{}"), "application/problem+json")
    options = {**MIDDLEWARE, "TWISTED_REACTOR": f"twisted.internet.{reactor}", "NEARPRINT_TIMEOUT": 0.3}
    crawl = Crawl(url, [f"{site.url}/day/{n}" for n in range(4)], **options)
    over.set()
    holder.shutdown()
    holder.server_close()
    assert len(crawl.items) == 4
    assert crawl.stats == {"failed_open/timeout": 4}


@pytest.mark.parametrize(
    ("status", "kind", "asked"),
    [(401, "refused", 20), (403, "refused", 20), (404, "refused", 20), (429, "throttled", 5), (503, "unavailable", 5)],
)
def test_what_the_server_refuses_passes_and_is_counted_by_kind(status: int, kind: str, asked: int, site: Site) -> None:
    problem = json.dumps({"status": status, "detail": "it says no", "kind": "any"})
    refuser, url = serving(lambda _path: (status, problem), "application/problem+json")
    crawl = Crawl(url, [f"{site.url}/chain/1"], **MIDDLEWARE)
    refuser.shutdown()
    refuser.server_close()
    assert len(crawl.items) == 20
    rest = {} if asked == 20 else {"failed_open/circuit_open": 20 - asked}
    assert crawl.stats == {f"failed_open/{kind}": asked, **rest}
    assert len(re.findall(r"ERROR: .*it says no", crawl.log)) == (1 if kind == "refused" else 0)


def test_pages_without_text_pass_and_forms_have_ids_of_their_own(site: Site, server: tuple[Any, str, Server]) -> None:
    _, url, client = server
    pages = client.create("pages")
    site.special["/empty"] = lambda: (200, "<html><body></body></html>")
    site.special["/form"] = lambda: page(make_text(60))
    forms: list[str | dict[str, Any]] = [
        {"url": f"{site.url}/form", "method": "POST", "body": body} for body in ("a=1", "a=2")
    ]
    crawl = Crawl(url, [f"{site.url}/empty", f"{site.url}/form", *forms], **MIDDLEWARE)
    assert len(crawl.items) == 4
    assert crawl.stats == {"unreadable": 1, "pages_kept": 3}
    ids = sorted(row["id"] for row in pages.documents())
    assert ids[0] == f"{site.url}/form" and len(ids) == 3
    assert all(re.fullmatch(rf"{site.url}/form POST [0-9a-f]{{40}}", id) for id in ids[1:])


def test_a_collection_that_is_missing_drops_nothing(site: Site, server: tuple[Any, str, Server]) -> None:
    crawl = Crawl(server[1], [f"{site.url}/chain/15"], **MIDDLEWARE)
    assert len(crawl.items) == 6 and crawl.stats == {"failed_open/refused": 6}
    assert crawl.log.count("there is no collection pages") == 1


def test_without_settings_the_parts_are_disabled(site: Site) -> None:
    names = {"NEARPRINT_COLLECTION": "", "NEARPRINT_ITEM_COLLECTION": ""}
    crawl = Crawl("http://127.0.0.1:9", [f"{site.url}/chain/15"], **(MIDDLEWARE | PIPELINE | names))
    assert len(crawl.items) == 6 and not crawl.stats
    assert "NEARPRINT_COLLECTION is not set" in crawl.log and "NEARPRINT_ITEM_COLLECTION is not set" in crawl.log


def test_items_with_a_near_duplicate_are_dropped(site: Site, server: tuple[Any, str, Server]) -> None:
    _, url, client = server
    items = client.create("items", texts=True)
    text, other = make_text(70), make_text(71)
    # Each links to the next, and one question is asked at a time, so that their order is known.
    made = [("a", text), ("b", f"{text.upper()}!"), ("c", other), ("c", make_text(72)), ("c", text), ("d", "2024")]
    made += [("e", ""), ("f", make_text(73))]
    for at, (id, words) in enumerate(made):
        site.special[f"/item/{at}"] = lambda at=at, id=id, words=words: page(words, f"/item/{at + 1}", id=id)
    site.special[f"/item/{len(made)}"] = lambda: page(make_text(74), id="last")
    crawl = Crawl(url, [f"{site.url}/item/0"], **PIPELINE, NEARPRINT_CONCURRENCY=1)
    # One that needs no question may be out before them.
    assert sorted(item["id"] for item in crawl.items) == ["a", "c", "c", "d", "e", "f", "last"]
    assert crawl.stats == {
        "pipeline/added": 4,
        "pipeline/near": 2,
        "pipeline/replaced": 1,
        "pipeline/unreadable": 1,
        "pipeline/incomplete": 1,
    }
    assert crawl.log.count("Dropped: a near-duplicate of a") == 2
    # What was there under the id of a dropped item stays.
    assert items.text("c") == make_text(72)


def test_items_pass_when_the_server_is_away(site: Site) -> None:
    crawl = Crawl("http://127.0.0.1:9", [f"{site.url}/chain/1"], **PIPELINE)
    assert len(crawl.items) == 20
    assert crawl.stats == {"pipeline/failed_open/unreachable": 5, "pipeline/failed_open/circuit_open": 15}
