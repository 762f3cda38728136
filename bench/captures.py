"""Measures what captures cost a server: imports, additions one by one, lists and pages.

Usage: python bench/captures.py PROGRAM [PORT]. Prints one object of JSON; the server and its files are temporary. Rates
are captures a second, times are the best of three in milliseconds. An address that a program does not have is 404 or
400.
"""

import http.client
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CLIENTS, ADDITIONS, RUNS = 16, 100, 2


def page(source, words):
    text = " ".join(source.choice(words) for _ in range(400))
    return f"<html><head><title>A page</title></head><body><main><p>{text}</p></main></body></html>"


def record(url, date, html, number):
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}"
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:r:{number}>\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: {date}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return f"{head}{body}\r\n\r\n".encode()


def changed(source, words, html, edition):
    if source.random() >= 0.33:
        return html
    if len(html) > 20_000:
        return page(source, words)
    return html.replace("</p>", f" {source.choice(words)} ed{edition}</p>")


def archives(folder):
    """Six editions of 1,000 pages, and 6,000 captures of one address."""
    source, words = random.Random(5), [f"word{number}" for number in range(3000)]
    pages = [page(source, words) for _ in range(1000)]
    with (folder / "editions.warc").open("wb") as out:
        for edition in range(6):
            pages = [changed(source, words, html, edition) for html in pages]
            for at, html in enumerate(pages):
                date = f"20{10 + edition}-01-01T00:00:00Z"
                out.write(record(f"http://e.org/{at}", date, html, edition * 1000 + at))
    html = pages[0]
    with (folder / "one.warc").open("wb") as out:
        for at in range(6000):
            html = changed(source, words, html, 0)
            day = f"20{10 + at // 400:02d}-{1 + at // 33 % 12:02d}-{1 + at % 28:02d}"
            out.write(record("http://one.org/", f"{day}T{at % 24:02d}:00:{at % 60:02d}Z", html, 6000 + at))
    return pages


def call(port, method, path, body=None, connection=None):
    connection = connection or http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def imported(port, collection, path):
    call(port, "PUT", f"/v1/collections/{collection}", '{"texts":true}')
    started = time.time()
    asked = json.dumps({"type": "import", "collection": collection, "path": path})
    job = json.loads(call(port, "POST", "/v1/jobs", asked)[1])["id"]
    while json.loads(call(port, "GET", f"/v1/jobs/{job}")[1])["state"] not in ("done", "failed"):
        time.sleep(0.02)
    return round(6000 / (time.time() - started))


def additions(port, pages, first):
    def work(client):
        connection, source = http.client.HTTPConnection("127.0.0.1", port), random.Random(client)
        for at in range(ADDITIONS):
            number = client * ADDITIONS + at
            date = f"20{10 + at % 10}0101000{client % 10}{at % 60:02d}"
            html = source.choice(pages).replace("</p>", f" x{at}</p>")
            item = {"html": html, "capture": {"url": f"http://e.org/{number % 200}", "date": date}}
            call(port, "PUT", f"/v1/collections/puts/documents?id={number}", json.dumps(item), connection)

    threads = [threading.Thread(target=work, args=(first + client,)) for client in range(CLIENTS)]
    started = time.time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return round(CLIENTS * ADDITIONS / (time.time() - started))


def best(port, path):
    times = []
    for _ in range(3):
        started = time.time()
        status, body = call(port, "GET", path)
        times.append(time.time() - started)
    return {"status": status, "ms": round(min(times) * 1000, 1), "bytes": len(body)}


def main():
    program, port = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7411
    folder = Path(tempfile.mkdtemp())
    imports = folder / "imports"
    imports.mkdir()
    pages = archives(imports)
    command = [program, "serve", folder / "data", "--listen", f"127.0.0.1:{port}", "--import-from", imports]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                call(port, "GET", "/livez")
                break
            except OSError:
                time.sleep(0.1)
        found = {"editions": [imported(port, f"editions{run}", "editions.warc") for run in range(RUNS)]}
        found["one"] = imported(port, "one", "one.warc")
        call(port, "PUT", "/v1/collections/puts", '{"texts":true}')
        found["additions"] = [additions(port, pages, run * CLIENTS) for run in range(RUNS)]
        captures = "captures?url=one.org"
        for name, path in [
            ("list", f"/v1/collections/one/{captures}&limit=1000"),
            ("page", f"/collections/one/{captures}"),
            ("cdxj", f"/v1/collections/one/{captures}&format=cdxj&limit=10000"),
            ("addresses", "/v1/collections/editions0/addresses?host=e.org"),
        ]:
            found[name] = best(port, path)
        print(json.dumps(found))
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
