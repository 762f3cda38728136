"""Has a Memento client find captures by the server, and pywb replay them, from archives whose changes are known.

eval/archive_site.py makes a site in four editions. The server imports its WARC files, its package (WACZ) and the indexes
that pywb makes of them. Captures, their states and the share of words that changed must be those of its truth; a TimeMap
and a TimeGate must lead a client to the right capture in pywb, which answers with the status of then; pywb replays every
capture by the index of captures that the server exports, and from the copies that `nearprint dedup --revisits` writes,
byte for byte as from the archives.
scripts/server/replay.sh target/debug/nearprint [--pages 40]
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import requests
from memento_client import MementoClient
from requests.adapters import HTTPAdapter

sys.path.append(str(Path(__file__).resolve().parents[2] / "eval"))
from archive_site import HOST, make

PROGRAMS = Path(sys.executable).parent
# pywb waits for an acknowledgement before each body, some 40 ms.
THREADS = 8
# Before the first capture, twice between captures, after the last one.
MOMENTS = [datetime(year, month, 1, tzinfo=UTC) for year, month in ((2020, 1), (2023, 8), (2024, 10), (2030, 1))]


class Check:
    """Counts what does not hold."""

    def __init__(self) -> None:
        self.failures = 0

    def equal(self, found: object, expected: object, what: str) -> None:
        if found != expected:
            self.failures += 1
            print(f"{what}: {found!r}, expected {expected!r}", file=sys.stderr)


class Server:
    """A server of a new directory, which imports from a folder."""

    def __init__(self, program: Path, folder: Path, imports: Path) -> None:
        command = [program, "serve", folder / "collections", "--listen", "127.0.0.1:0", "--import-from", imports]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        found = re.search(r"http://[\d.]+:\d+", self.process.stderr.readline())
        assert found, "the server does not say where it listens"
        self.address = found[0]

    def collection(self, name: str, path: str, replay: str | None = None) -> dict:
        """Makes a collection, imports into it, and gives the row that says what changed."""
        made = requests.put(f"{self.address}/v1/collections/{name}", json={"texts": True, "replay": replay})
        made.raise_for_status()
        request = {"type": "import", "collection": name, "path": path, "revisits": True}
        job = f"{self.address}/v1/jobs/{requests.post(f'{self.address}/v1/jobs', json=request).json()['id']}"
        while (state := requests.get(job).json()["state"]) != "done":
            assert state != "failed", requests.get(job).text
            time.sleep(0.05)
        rows = [json.loads(line) for line in requests.get(f"{job}/result").text.splitlines()]
        return next(row for row in rows if row["schema"] == "nearprint/index-change/1")

    def captures(self, name: str) -> Iterator[dict]:
        query = {"prefix": "", "limit": "1000"}
        while True:
            page = requests.get(f"{self.address}/v1/collections/{name}/captures", query).json()
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def index(self, name: str) -> str:
        """All captures as CDXJ."""
        query = {"prefix": "", "limit": "10000", "format": "cdxj"}
        return requests.get(f"{self.address}/v1/collections/{name}/captures", query).text


class Pywb:
    """Collections of pywb, and the server that replays them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen | None = None

    def collection(self, name: str, archives: list[Path], index: str | None = None) -> Path:
        """Adds archives, under an index if one is given; the index."""
        self.run("wb-manager", "init", name)
        place = self.folder / "collections" / name
        if index is None:
            self.run("wb-manager", "add", name, *archives)
        else:
            for path in archives:
                shutil.copy(path, place / "archive")
            (place / "indexes" / "index.cdxj").write_text(index, encoding="utf-8")
        return place / "indexes" / "index.cdxj"

    def run(self, program: str, *arguments: str | Path) -> None:
        command = [PROGRAMS / program, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        command = [PROGRAMS / "wayback", "--port", str(self.port), "--bind", "127.0.0.1"]
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            assert self.process.poll() is None, "pywb ended"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise SystemExit("pywb does not start")

    def replay(self, session: requests.Session, name: str, row: dict) -> tuple:
        """The status, the time, the target of a redirect and the bytes of a capture, as they were served."""
        address = f"http://127.0.0.1:{self.port}/{name}/{timestamp(row)}id_/{row['url']}"
        answer = session.get(address, allow_redirects=False)
        return (
            answer.status_code,
            answer.headers.get("Memento-Datetime"),
            answer.headers.get("Location"),
            answer.content,
        )


class LiveSite(HTTPAdapter):
    """Answers in place of the site, to which a client of Memento looks first and which is on no network."""

    def send(self, request, **_):
        answer = requests.Response()
        answer.status_code, answer.url, answer.request = 200, request.url, request
        return answer


def timestamp(row: dict) -> str:
    return re.sub(r"\D", "", row["date"])


def moment(row: dict) -> datetime:
    return datetime.fromisoformat(row["date"])


def check_captures(check: Check, found: Iterator[dict], truth: list[dict], what: str) -> None:
    """All captures, with what changed since the one before."""
    captures = {(one["url"], one["date"]): one for one in found}
    check.equal(len(captures), len(truth), f"{what}: captures")
    for row in truth:
        capture = captures.get((row["url"], timestamp(row)), {})
        share = {"first": None, "none": 0}.get(row["change"], float(row["share"] or 0))
        if row["status"] != "200":
            share = None
        changed = capture.get("changed")
        is_close = changed is share or (None not in (changed, share) and abs(changed - share) < 2e-6)
        state = str(capture.get("status")), capture.get("revisit"), is_close
        check.equal(state, (row["status"], row["record"] == "revisit", True), f"{what}: {row} beside {changed}")


def check_indexes(check: Check, server: Server, pywb: Path, imports: Path) -> None:
    """Indexes that pywb makes, in both of its formats, give the captures that the archives give."""
    shutil.copy(pywb, imports / "pywb.cdxj")
    command = [PROGRAMS / "cdx-indexer", "--sort", imports / "archives"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (imports / "pywb.cdx").write_text(done.stdout, encoding="utf-8")
    fields = ("url", "status", "mime", "digest", "length", "offset", "filename")

    def known(name: str) -> dict[str, list]:
        found = {}
        for line in server.index(name).splitlines():
            key, date, values = line.split(" ", 2)
            read = json.loads(values)
            # pywb states no status of revisits.
            known = [read.get(field) for field in fields if (field, read["mime"]) != ("status", "warc/revisit")]
            found[f"{key} {date}"] = known
        return found

    for number, path in enumerate(("pywb.cdxj", "pywb.cdx")):
        server.collection(f"index{number}", path)
        found, expected = known(f"index{number}"), known("archives")
        check.equal(list(found), list(expected), f"keys of {path}")
        for key, values in expected.items():
            check.equal(found.get(key), values, f"{key} of {path}")


def check_timemap(check: Check, server: Server, rows: list[dict], replay: str) -> None:
    url = rows[0]["url"]
    answer = requests.get(f"{server.address}/v1/collections/archives/timemap/link/{url}")
    check.equal(answer.headers.get("Content-Type"), "application/link-format", f"type of the TimeMap of {url}")
    links = [
        (address, dict(re.findall(r'(\w+)="([^"]*)"', fields)))
        for address, fields in re.findall(r'<([^>]*)>((?:; \w+="[^"]*")*)', answer.text)
    ]
    found = {fields["rel"]: address for address, fields in links if "memento" not in fields["rel"]}
    check.equal(set(found), {"original", "timegate", "self"}, f"relations of the TimeMap of {url}")
    mementos = [(address, parsedate_to_datetime(of["datetime"])) for address, of in links if "datetime" in of]
    expected = [(replay.format(timestamp=timestamp(row), url=row["url"]), moment(row)) for row in rows]
    check.equal(mementos, expected, f"mementos of {url}")
    ends = [fields["rel"] for _, fields in links if "datetime" in fields]
    names = {0: "first ", len(rows) - 1: "last "} if len(rows) > 1 else {0: "first last "}
    check.equal(ends, [f"{names.get(at, '')}memento" for at in range(len(rows))], f"first and last of {url}")


def check_page(check: Check, server: Server, rows: list[dict], replay: str) -> None:
    """A TimeGate leads to the nearest capture of a page, as strictly as RFC 7089 says it, and by a client of others."""
    url, gate, session = rows[0]["url"], f"{server.address}/v1/collections/archives/timegate/", requests.Session()
    session.mount(f"http://{HOST}/", LiveSite())
    client = MementoClient(timegate_uri=gate, session=session)
    check_timemap(check, server, rows, replay)
    for wanted in MOMENTS:
        nearest = min(rows, key=lambda row: abs(moment(row) - wanted))
        header = {"Accept-Datetime": MementoClient.convert_to_http_datetime(wanted)}
        answer = session.head(f"{gate}{url}", headers=header, allow_redirects=False)
        place = answer.status_code, answer.headers.get("Vary"), answer.headers.get("Location")
        expected = 302, "accept-datetime", replay.format(timestamp=timestamp(nearest), url=url)
        check.equal(place, expected, f"TimeGate of {url} at {wanted}")
        relations = set(re.findall(r'rel="([^"]*)"', answer.headers.get("Link", "")))
        check.equal({"original", "timemap"} <= relations, True, f"relations of the TimeGate of {url}: {relations}")
        replayed = session.get(answer.headers["Location"], allow_redirects=False)
        check.equal(str(replayed.status_code), nearest["status"], f"status of the memento of {url} at {wanted}")
        found = client.get_memento_info(url, wanted.replace(tzinfo=None))["mementos"]
        times = [found[name]["datetime"].replace(tzinfo=UTC) for name in ("first", "last")]
        check.equal(times, [moment(rows[0]), moment(rows[-1])], f"first and last by the client, {url}")
        # Of a redirect the client says where it leads.
        if nearest["status"] != "301":
            closest = found["closest"]["datetime"].replace(tzinfo=UTC), str(found["closest"]["http_status_code"])
            check.equal(closest, (moment(nearest), nearest["status"]), f"closest by the client, {url} at {wanted}")


def check_mementos(check: Check, server: Server, truth: list[dict], replay: str) -> int:
    """All pages, of which it gives the number, and requests that are refused."""
    pages: dict[str, list[dict]] = {}
    for row in truth:
        pages.setdefault(row["url"], []).append(row)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda rows: check_page(check, server, rows, replay), pages.values()))
    gate, none = f"{server.address}/v1/collections/archives/timegate/", f"http://{HOST}/none"
    for url, header, status in ((truth[0]["url"], {"Accept-Datetime": "yesterday"}, 400), (none, {}, 404)):
        answer = requests.head(gate + url, headers=header, allow_redirects=False)
        check.equal(answer.status_code, status, f"TimeGate of {url} for {header}")
    return len(pages)


def check_replays(check: Check, pywb: Pywb, truth: list[dict]) -> None:
    """By the exported index and from the copies every capture is that of the archives."""
    session = requests.Session()

    def compare(row: dict) -> None:
        expected = pywb.replay(session, "archives", row)
        check.equal(str(expected[0]), row["status"], f"replay of {row}")
        for name in ("exported", "copies"):
            status, date, target, body = pywb.replay(session, name, row)
            target = target and target.replace(f"/{name}/", "/archives/")
            check.equal((status, date, target, body) == expected, True, f"replay of {row} by {name}")

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(compare, truth))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--pages", type=int, default=40, help="addresses of the first edition")
    given = parser.parse_args()
    program, check = given.program.resolve(), Check()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        imports, copies = folder / "imports", folder / "copies"
        truth = make(imports, given.pages)
        (imports / "archives").mkdir()
        archives = [path.rename(imports / "archives" / path.name) for path in sorted(imports.glob("*.warc.gz"))]
        # Every capture, also redirects and errors.
        command = [
            program,
            "dedup",
            "-qq",
            "--read",
            "any-status",
            "--revisits",
            "--write",
            copies,
            imports / "archives",
        ]
        subprocess.run(command, check=True)
        copied = sorted(copies.glob("*.warc.gz"))
        check.equal([path.name for path in copied], [path.name for path in archives], "copies")
        for path in copied:
            command = [PROGRAMS / "warcio", "check", path]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            check.equal((done.returncode, done.stdout), (0, ""), f"warcio check {path.name}")
        pywb, server = Pywb(folder / "pywb"), Server(program, folder, imports)
        try:
            replay = f"http://127.0.0.1:{pywb.port}/archives/{{timestamp}}mp_/{{url}}"
            server.collection("archives", "archives", replay)
            server.collection("package", "site.wacz")
            for name in ("archives", "package"):
                check_captures(check, server.captures(name), truth, name)
            check_indexes(check, server, pywb.collection("archives", archives), imports)
            pywb.collection("exported", archives, server.index("archives"))
            pywb.collection("copies", copied)
            pywb.start()
            pages = check_mementos(check, server, truth, replay)
            check_replays(check, pywb, truth)
        finally:
            for process in (server.process, pywb.process):
                if process is not None:
                    process.kill()
                    process.communicate()
    lines = f"{len(truth)} captures of {pages} addresses are found by a Memento client and replayed by pywb"
    print(f"replay: {check.failures} failures" if check.failures else lines)
    return int(check.failures > 0)


if __name__ == "__main__":
    sys.exit(main())
