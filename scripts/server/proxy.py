"""All pages of a server behind nginx, below a path, by the recipe of docs/SERVER.md: proxy.py NEARPRINT.

Every link of every page that is reached from the first one must lead to a page below the path; forms create a collection,
load samples and run a job; redirects, the description and a TimeMap name the path.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urljoin, urlsplit

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "/near"
RECIPE = re.compile(r"```nginx\n(.*?)```", re.S)
ADDRESS = re.compile(r"http://[\w.]+:(\d+)/")
LINK = re.compile(r" (?:href|action)=\"([^\"#]*)")
MOST_PAGES = 200


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def configuration(folder: Path, port: int, server: int) -> str:
    """nginx's configuration: the recipe of the guide, with the port of this server."""
    found = RECIPE.search((ROOT / "docs/SERVER.md").read_text())
    if found is None:
        raise SystemExit("docs/SERVER.md has no recipe for nginx")
    recipe = found[1].replace("127.0.0.1:7117", f"127.0.0.1:{server}")
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("proxy", "client_body", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; worker_processes 1; error_log stderr warn; pid {folder}/pid;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}server {{\nlisten 127.0.0.1:{port};\n{recipe}}}\n}}\n"
    )


class Site:
    """The server as a browser behind the proxy sees it."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(
        self, path: str, body: bytes | None = None, media: str = "", method: str = ""
    ) -> tuple[int, http.client.HTTPMessage, str]:
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": media} if media else {}
        if body is not None:
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
        connection.request(method or ("GET" if body is None else "POST"), path, body, headers)
        answer = connection.getresponse()
        got = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, got

    def form(self, path: str, **fields: str) -> str:
        """Sends a form, which must lead somewhere below the path, and gives where."""
        part = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
        body = "".join(part.format(name, value) for name, value in fields.items()) + "--x--\r\n"
        status, headers, got = self.ask(PREFIX + path, body.encode(), "multipart/form-data; boundary=x")
        to = headers.get("Location", "")
        assert status == 303 and to.startswith(PREFIX + "/"), (path, status, to, got[:500])
        return to

    def walk(self) -> set[str]:
        """All pages that links lead to."""
        seen: set[str] = set()
        rest = [PREFIX + "/"]
        while rest and len(seen) < MOST_PAGES:
            page = rest.pop()
            if page in seen:
                continue
            seen.add(page)
            status, headers, got = self.ask(page)
            to = headers.get("Location", "")
            if status == 302 and to.startswith("http://replay.example/"):
                continue
            assert status == 200, (page, status, got[:500])
            if not headers.get("Content-Type", "").startswith("text/html"):
                continue
            for link in LINK.findall(got):
                address = urlsplit(urljoin(page, link.replace("&amp;", "&")))
                if address.scheme in ("data", "http", "https"):
                    continue
                assert address.path.startswith(PREFIX + "/"), (page, link)
                is_form = f' action="{link}"' in got
                if not is_form:
                    rest.append(address.path + (f"?{address.query}" if address.query else ""))
        return seen


def check(site: Site) -> int:
    """Uses the server; the number of pages that were seen."""
    for _ in range(200):
        try:
            if site.ask(PREFIX + "/livez")[0] == 200:
                break
        except OSError:
            pass
        time.sleep(0.05)
    site.form("/samples")
    site.form("/collections", name="pages", scheme="md1", texts="true")
    job = site.form("/jobs", type="clusters", collection="samples")
    while site.ask(job + "/rows")[0] != 200:
        time.sleep(0.05)
    capture = {"text": "Fog came in at noon.", "capture": {"url": "http://example.org/a", "date": "20260101000000"}}
    put = f"{PREFIX}/v1/collections/pages/documents?id=a"
    status, _, got = site.ask(put, json.dumps(capture).encode(), "application/json", "PUT")
    assert status == 201, got
    replay = json.dumps({"replay": "http://replay.example/{timestamp}/{url}"}).encode()
    status, _, got = site.ask(f"{PREFIX}/v1/collections/pages", replay, "application/json", "PATCH")
    assert status == 200, got
    status, _, got = site.ask(f"{PREFIX}/v1/collections/pages/timemap/link/http://example.org/a")
    assert status == 200 and f"http://127.0.0.1:{site.port}{PREFIX}/v1/" in got, got
    _, _, described = site.ask(f"{PREFIX}/openapi.json")
    assert json.loads(described)["servers"][0]["url"] == PREFIX + "/", described[:300]
    seen = site.walk()
    for part in (
        "/collections/samples",
        "/collections/pages/captures",
        "/jobs/",
        "/reference",
        "/tokens",
        "/problems/",
    ):
        assert any(part in page for page in seen) or part == "/problems/", (part, sorted(seen))
    return len(seen)


def main() -> None:
    """Runs the server, nginx and a browser's questions."""
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        command = [program, "serve", str(folder / "collections"), "--listen", "127.0.0.1:0"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        proxy = None
        try:
            assert server.stderr is not None
            found = ADDRESS.search(server.stderr.readline())
            assert found is not None, "the server does not say where it listens"
            port = free_port()
            (folder / "nginx.conf").write_text(configuration(folder, port, int(found[1])))
            nginx = ["/usr/sbin/nginx", "-p", directory, "-c", str(folder / "nginx.conf")]
            proxy = subprocess.Popen(nginx)
            print(f"{check(Site(port))} pages below {PREFIX}")
        finally:
            for process in (proxy, server):
                if process is not None:
                    process.terminate()
                    process.wait()


if __name__ == "__main__":
    main()
