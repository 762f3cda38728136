"""`nearprint.connect`: a real server, started by the command, beside what the module itself answers."""

from __future__ import annotations

import doctest
import json
import os
import re
import select
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path

import nearprint
import openapi_spec_validator
import pytest
from conftest import ROOT, edited, make_text
from nearprint._http import Connection
from nearprint.client import Server

TEXTS = {f"page {n}": edited(make_text(n // 2), n, edits=n % 2) for n in range(60)}


def start(command: Path, folder: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    """A server of a directory, and its address."""
    running = subprocess.Popen(
        [command, "serve", folder, "--listen", "127.0.0.1:0", *options], stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    line = running.stderr.readline()
    found = re.search(r"http://[\d.]+:\d+", line)
    assert found, line
    return running, found[0]


def stop(running: subprocess.Popen[str]) -> None:
    running.kill()
    running.communicate()


@pytest.fixture(scope="module")
def server(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running, url = start(command, tmp_path_factory.mktemp("server"), "--import-from", str(ROOT / "samples"))
    yield nearprint.connect(url)
    stop(running)


def test_the_description_of_the_operations_is_valid(server: Server) -> None:
    with urllib.request.urlopen(f"{server._http.url}/openapi.json") as answer:
        openapi_spec_validator.validate(json.load(answer))


def test_documents_are_added_and_found(server: Server, samples: Path) -> None:
    lights = server.create("lights", "sd1", texts=True)
    assert len(lights) == 0 and [row["name"] for row in server.collections()] == ["lights"]
    print_ = nearprint.fingerprint("Fog came in at noon.")
    assert print_ is not None
    assert lights.insert("a/b?c&d=é", text="Fog came in at noon.", metadata={"year": 2026}) == "added"
    again = lights.insert("a/b?c&d=é", text="Fog came in at noon.", on_duplicate="replace")
    assert again == "replaced" and lights.insert("a/b?c&d=é", print_, on_duplicate="skip") == "skipped"
    near = lights.add([print_], ids=["near"], if_new=True)
    assert near.summary["near"] == 1 and [(row["id"], row["distance"]) for row in near] == [("a/b?c&d=é", 0)]
    pdf = samples / "lighthouse" / "en.pdf"
    assert lights.insert("pdf", str(pdf)) == "added"
    assert lights.get("pdf") == nearprint.fingerprint(nearprint.extract(pdf).text)
    assert lights.text("pdf") == nearprint.extract(pdf).text
    verified = server.create("verified", texts=True)
    verified.insert("pdf", pdf)
    assert [(row["id"], row["similarity"]) for row in verified.matches(pdf.read_bytes())] == [("pdf", 1.0)]
    assert verified.matches(pdf, measure="containment", max_matches=1)["query"].to_pylist() == [str(pdf)]
    assert not verified.pairs(threshold=0.9)
    server.delete("verified")
    assert lights.query(print_, k=0) == [("a/b?c&d=é", 0)]
    assert lights.query(id="pdf", k=0) == []
    assert lights.get("a/b?c&d=é") == print_ and lights.get("nothing") is None and "pdf" in lights
    assert lights.stats()["documents"] == 2
    assert lights.remove_many(["pdf", "nothing"]) == 1 and [row["id"] for row in lights.documents()] == ["a/b?c&d=é"]
    assert server.compare("Fog came in.", "Fog came in.")["distance"] == 0
    server.delete("lights")
    assert server.collections() == []


def test_conditions_on_metadata_all_hold(server: Server) -> None:
    years = server.create("years")
    for year in (2024, 2025, 2026):
        years.insert(str(year), text="Fog came in at noon.", metadata={"year": year, "by": "ferry"})
    text = ["Fog came in at noon."]
    assert years.matches(texts=text, where=["year>2024", "year!=2026"])["id"].to_pylist() == ["2025"]
    assert len(years.matches(texts=text, where="by=ferry")) == 3
    assert len(years.matches(texts=text, max_matches=2)) == 2
    server.delete("years")


def test_documents_are_chosen_by_ids_and_conditions(server: Server) -> None:
    years = server.create("chosen", texts=True)
    for year in range(2020, 2027):
        years.insert(str(year), text=f"Fog came in at noon of {year}.", metadata={"year": year, "by": "ferry"})
    assert (years.count(), years.count("202", where=["year>2021", "not year=2025"])) == (7, 4)
    assert [row["id"] for row in years.documents(where="year in (2021, 2026)")] == ["2021", "2026"]
    row = next(years.documents(text=True, limit=1))
    assert row["text"] == years.text("2020") == "Fog came in at noon of 2020."
    assert (years.document("2020") or {})["text"] == row["text"]
    wanted = ["2026", "none", *(f"missing {at}" for at in range(1500)), "2020"]
    assert [row["id"] for row in years.fetch(wanted)] == ["2026", "2020"]
    assert [row["text"] for row in years.fetch(["2020"], text=True)] == [row["text"]]
    assert years.change_metadata({"by": None, "seen": True}, where="year<2022 or year=2026") == 3
    assert years.change_metadata({"only": 1}, ids=["2021", "none"], replace=True) == 1
    assert [row["metadata"] for row in years.fetch(["2020", "2021", "2022"])] == [
        {"year": 2020, "seen": True},
        {"only": 1},
        {"year": 2022, "by": "ferry"},
    ]
    assert years.matches(texts=[row["text"]], where="seen exists", k=8)["id"].to_pylist() == ["2020", "2026"]
    assert (years.remove_many(where=["by=ferry", "year>=2024"]), years.count()) == (2, 5)
    for wrong in (years.remove_many, lambda: years.remove_many(["a"], where="a=1")):
        with pytest.raises(nearprint.InvalidInputError, match="either"):
            wrong()
    with pytest.raises(nearprint.InvalidInputError, match="character 5") as raised:
        years.count(where="year")
    assert raised.value.kind == "invalid-parameter"
    server.delete("chosen")


def test_answers_are_those_of_the_module(server: Server, tmp_path: Path) -> None:
    pages, index = server.create("pages", "sd1"), nearprint.Index.create(tmp_path / "index", "sd1")
    # More than one request takes.
    texts = [*TEXTS.values()] * 25
    ids = [f"{at:05}" for at in range(len(texts))]
    assert pages.add(texts=texts, ids=ids).summary["added"] == len(ids)
    prints = [one for text in texts if (one := nearprint.fingerprint(text))]
    assert pages.list()["fingerprint"].to_pylist() == list(map(str, prints))
    index.insert_many(zip(ids, prints, strict=True))
    assert [row["id"] for row in pages.documents()] == ids and pages.stats()["documents"] == len(index)
    wanted = index.query_many(prints[:1010], k=3)
    assert pages.query_many(prints[:1010], k=3) == wanted and any(distance for rows in wanted for _, distance in rows)
    assert pages.pairs(k=2).to_pylist() == index.pairs(k=2).to_pylist()
    assert pages.clusters(k=0).to_pylist() == index.clusters(k=0).to_pylist()
    # Jobs leave nothing.
    assert server._http.json("GET", "/jobs")["items"] == []
    server.delete("pages")


def test_imports_and_decisions_are_those_of_the_module(server: Server, samples: Path) -> None:
    kept = server.create("imported", texts=True)
    change, failed = kept.import_("documents")
    decided = {row["id"]: row for row in nearprint.dedup(samples).to_pylist()}
    below = str(samples.parent) + "/"
    # What has no fingerprint was not imported; the module keeps it undecided.
    read = {id.removeprefix(below): row for id, row in decided.items() if row["failure"] is None}
    # A collection does not keep digests of bytes.
    reasons = {"same-bytes": "identical"}
    assert failed and {row["reason"] for row in failed} >= {"empty"}
    assert (change["added"], len(failed)) == (len(read), len(decided) - len(read))
    assert (change["documents"], change["failed"]) == (len(kept), 0)
    rows = kept.dedup()
    assert {row["id"]: (row["decision"], row["reason"]) for row in rows} == {
        id: (row["decision"], reasons.get(row["reason"], row["reason"])) for id, row in read.items()
    }
    # Kept documents of a cluster are not its first, but its longest.
    longest = {row["id"] for row in kept.dedup(keep="longest", threshold=0.5) if row["decision"] == "keep"}
    wanted = nearprint.dedup(samples, keep="longest", threshold=0.5).to_pylist()
    by_module = {row["id"].removeprefix(below) for row in wanted if row["decision"] == "keep" and not row["failure"]}
    assert longest == by_module != {row["id"] for row in rows if row["decision"] == "keep"}
    again, _ = kept.import_("documents", on_duplicate="skip")
    assert (again["skipped"], again["added"]) == (len(kept), 0)
    for kind, ask in {
        "invalid-parameter": lambda: kept.dedup(threshold=2.0),
        "no-texts": lambda: server.create("textless").dedup(),
    }.items():
        with pytest.raises(nearprint.InvalidInputError) as raised:
            ask()
        assert raised.value.kind == kind, kind
    with pytest.raises(nearprint.InvalidInputError, match="directory to import from"):
        kept.import_("../bench")
    assert server._http.json("GET", "/jobs")["items"] == []
    server.delete("imported")
    server.delete("textless")


def test_problems_are_exceptions_with_their_kinds(server: Server) -> None:
    with pytest.raises(nearprint.InvalidInputError, match="missing") as raised:
        server.collection("missing").stats()
    assert raised.value.kind == "unknown-collection" and raised.value.problem
    assert raised.value.problem["status"] == 404
    kept = server.create("kept", scheme="sd1")
    assert kept.insert("a", text="Fog came in.") == "added"
    for kind, ask in {
        "collection-exists": lambda: server.create("kept", scheme="md1"),
        "invalid-parameter": lambda: server.create("kept", scheme="none"),
        "duplicate-document": lambda: kept.insert("a", text="It rained."),
        "unknown-document": lambda: kept.query(id="b"),
        "no-texts": lambda: kept.text("a"),
        "other-scheme": lambda: kept.query(nearprint.fingerprint("Fog came in.", "md1")),
    }.items():
        with pytest.raises(nearprint.InvalidInputError) as raised:
            ask()
        assert raised.value.kind == kind, kind
    with pytest.raises(nearprint.DocumentError) as unread:
        kept.insert("numbers", text="12")
    assert (unread.value.reason, unread.value.kind, unread.value.id) == ("no-tokens", "no-fingerprint", "numbers")
    with pytest.raises(nearprint.LimitError) as limit:
        kept.insert("long", text="fog " * (17 << 20))
    assert limit.value.kind == "too-large"
    added = kept.add([b"It rained.", b"12", b"%PDF-1.4 cut"], ids=["b", "c", "d"])
    assert [failure["id"] for failure in added.failures] == ["c", "d"] and added.failures[0]["reason"] == "no-tokens"
    assert (added.summary["added"], added.summary["failed"], len(kept)) == (1, 2, 2)
    with pytest.raises(nearprint.InvalidInputError) as there:
        kept.add(texts=["It rained.", "It snowed."], ids=["b", "e"])
    assert there.value.kind == "duplicate-document"
    found = kept.matches(texts=["It rained.", "12"], k=0)
    assert [(row["query"], row["id"]) for row in found] == [("0", "b")]
    assert [(failure["id"], failure["reason"]) for failure in found.failures] == [("1", "no-tokens")]
    with pytest.raises(nearprint.InvalidInputError, match="either"):
        kept.query()
    with pytest.raises(KeyError, match="none"):
        kept.remove("none")
    with pytest.raises(ValueError, match="shorter"):
        kept.add(texts=["Fog."], ids=["x", "y"])
    for error, words, ask in (
        (TypeError, "not int", lambda: kept.insert("x", 5)),
        (TypeError, "give either", lambda: kept.insert("x")),
        (TypeError, "ids are str, not int", lambda: kept.add(texts=["Fog."], ids=[1])),
        (TypeError, "texts is one text", lambda: kept.add(texts="Fog.")),
        (TypeError, "remove_many takes many", lambda: kept.remove(["a"])),
        (TypeError, "of documents and texts matches are asked", lambda: kept.query("Fog.")),
        (FileNotFoundError, "a text is given by name", lambda: kept.insert("x", "Fog came in.")),
    ):
        with pytest.raises(error, match=words):
            ask()
    server.delete("kept")


def test_tokens(command: Path, tmp_path: Path) -> None:
    made = subprocess.run(
        [command, "serve", "token", "create", tmp_path / "c", "--name", "n", "--right", "read"],
        check=True,
        capture_output=True,
        text=True,
    )
    running, url = start(command, tmp_path / "c")
    try:
        token = made.stdout.strip()
        reading = nearprint.connect(url, token=token)
        assert reading.collections() == [] and token not in repr(reading)
        with pytest.raises(nearprint.InvalidInputError) as forbidden:
            reading.create("new")
        with pytest.raises(nearprint.InvalidInputError) as unknown:
            nearprint.connect(url).collections()
        assert (forbidden.value.kind, unknown.value.kind) == ("forbidden", "unauthenticated")
    finally:
        stop(running)


def test_threads_and_forks_share_a_server(server: Server) -> None:
    shared = server.create("shared")
    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(lambda item: shared.insert(item[0], text=item[1]), TEXTS.items()))
    assert set(outcomes) == {"added"} and len(shared) == len(TEXTS)
    child = os.fork()
    if child == 0:
        os._exit(0 if len(shared) == len(TEXTS) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    server.delete("shared")


class RecordingServer(BaseHTTPRequestHandler):
    """A server that counts connections and requests, and on some paths closes the connection after or without an answer."""

    protocol_version = "HTTP/1.1"
    connections = 0
    requests: list[str]

    def setup(self) -> None:
        super().setup()
        type(self).connections += 1

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.requests.append(self.path)
        first = self.requests.count(self.path) == 1
        self.close_connection = first and "close" in self.path
        if first and "silent" in self.path:
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def kept() -> Iterator[Connection]:
    RecordingServer.connections, RecordingServer.requests = 0, []
    listener = ThreadingHTTPServer(("127.0.0.1", 0), RecordingServer)
    listener.daemon_threads = True
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield Connection(f"http://127.0.0.1:{listener.server_port}", None, 60.0, None)
    listener.shutdown()
    listener.server_close()


def test_a_connection_is_used_again_and_opened_again(kept: Connection) -> None:
    for _ in range(10):
        assert kept.json("GET", "/a") == {}
    assert RecordingServer.connections == 1
    # The server ends it after an answer. What changes something is sent once, over a new connection.
    assert kept.json("POST", "/close", {}) == {}
    (idle,) = kept._idle._held
    select.select([idle.sock], [], [])
    assert kept.json("POST", "/b", {}) == {} and RecordingServer.connections == 2
    # The server ends it without an answer: it may have done what it was asked.
    assert kept.json("GET", "/silent-get") == {} and RecordingServer.requests.count("/v1/silent-get") == 2
    assert kept.json("POST", "/silent-safe", {}, safe=True) == {}
    with pytest.raises(nearprint.InputOutputError):
        kept.json("POST", "/silent-post", {})
    assert RecordingServer.requests.count("/v1/silent-post") == 1
    # A first request that is not answered is not a fault of an idle connection.
    kept.close()
    with pytest.raises(nearprint.InputOutputError):
        kept.json("GET", "/silent-first")


def test_a_forked_process_opens_its_own_connection(kept: Connection) -> None:
    assert kept.json("GET", "/a") == {} and RecordingServer.connections == 1
    child = os.fork()
    if child == 0:
        os._exit(0 if kept.json("GET", "/b") == {} else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    # The child closed its copy alone.
    assert kept.json("GET", "/c") == {} and RecordingServer.connections == 2


class Other(BaseHTTPRequestHandler):
    """A server that is none of nearprint."""

    def do_GET(self) -> None:
        status, body = (200, b"<p>Hello") if "ok" in self.path else (404, b"no")
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_other_servers_and_none(server: Server) -> None:
    other = HTTPServer(("127.0.0.1", 0), Other)
    thread = threading.Thread(target=other.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{other.server_port}"
    for path in ("", "/ok"):
        with pytest.raises(nearprint.InputOutputError, match="no nearprint server"):
            nearprint.connect(url + path).collections()
    other.shutdown()
    other.server_close()
    thread.join()
    with pytest.raises(nearprint.InputOutputError, match=url) as gone:
        nearprint.connect(url, timeout=5).collections()
    assert isinstance(gone.value, OSError) and gone.value.kind == "io"
    for wrong in ("ftp://localhost", "http://", "http://a:b@c", "http://localhost:seven", "http://localhost?x"):
        with pytest.raises(nearprint.InvalidInputError, match="not an address"):
            nearprint.connect(wrong)
    for token in ("a b\n", "", "é"):
        with pytest.raises(nearprint.InvalidInputError, match="token"):
            nearprint.connect(url, token=token)
    assert nearprint.connect(server._http.url.removeprefix("http://")).collections() == server.collections()


def test_http_is_imported_by_those_who_connect() -> None:
    code = "import sys, nearprint; print('http.client' in sys.modules, 'ssl' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_guide_prints_what_it_says(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (ROOT / "docs" / "SERVER.md").read_text(encoding="utf-8")
    (tmp_path / "guide.md").write_text(guide.replace("http://127.0.0.1:7117", server._http.url), encoding="utf-8")
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(tmp_path / "guide.md"), module_relative=False, encoding="utf-8")
    assert found.attempted >= 5 and found.failed == 0
    assert json.dumps(server.collections())
