"""Makes a web archive whose changes are known: a site in four editions, served on this machine and captured by warcio.

The site has 200 addresses. Their words are drawn from the samples of this repository, by a seed. Each edition is
served by a proxy for its host, captured by warcio's `capture_http` as one WARC file, and all four are packed by py-wacz.
The second and fourth crawl write revisits where an address has the payload of an earlier capture, as crawlers that
deduplicate do; the others write it again. Some pages are served with gzip or in chunks, and every answer has the date of
its edition. What happened to each address in each edition is in `truth.tsv`, with the share of words that changed as
docs/INDEX.md defines it, counted from the words that were put in, and not from what is served.

Needs warcio and py-wacz, in the environment of this Python.
.venv/bin/python eval/archive_site.py FOLDER [--pages 200] [--seed 1]
Writes FOLDER/edition-1.warc.gz to edition-4.warc.gz, FOLDER/site.wacz and FOLDER/truth.tsv.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import html
import json
import random
import re
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

# warcio replaces the connections of http.client, so it comes before what makes them.
from warcio.capture_http import capture_http  # isort: skip
import http.client

from warcio.warcwriter import WARCWriter

ROOT = Path(__file__).resolve().parents[1]
HOST = "www.harbour.example"
DATES = ("2023-03-01", "2024-03-01", "2025-03-01", "2026-03-01")
MENUS = ("Home Tides Ferries Museum Contact", "Home Tides Ferries Museum Shop Newsletter Contact")
LANGUAGES = ("en", "de", "fr", "ru")
# Which share of the addresses meets each kind of change in an edition; of the rest the payload is equal.
# A new menu or footer is not a change of the text, as navigation and footers are left out of it.
CHANGES = {"date": 0.15, "footer": 0.10, "menu": 0.10, "paragraph": 0.15, "removed": 0.03, "moved": 0.03}
COLUMNS = ["edition", "date", "url", "status", "record", "change", "share", "twin_of", "twin"]


def vocabulary(language: str) -> list[str]:
    """The words of the samples in a language: those of letters alone, so that what a word is, is the same for everybody."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "samples" / "documents").glob(f"*/{language}.txt")]
    return sorted(set(re.findall(r"(?<!\S)[^\W\d_]+(?!\S)", " ".join(texts).lower())))


def paragraph(words: list[str], draw: random.Random) -> str:
    """Three sentences of words drawn at random, so that no two pages are alike by chance."""
    drawn = [" ".join(draw.choices(words, k=draw.randint(8, 16))).capitalize() for _ in range(3)]
    return ". ".join(drawn) + "."


def written(date: str) -> str:
    """A day of March, as a page writes it."""
    return f"1 March {date[:4]}"


@dataclass(frozen=True)
class Page:
    """A page of the site: its words, and how it is written."""

    title: str
    paragraphs: tuple[str, ...]
    language: str
    menu: str = MENUS[0]
    date: str = DATES[0]
    footer: str = f"Harbour Office, {DATES[0]}"
    template: str = "plain"

    def words(self) -> Counter[str]:
        """The words of its text: without menu and footer."""
        text = " ".join([self.title, "Updated", written(self.date), *self.paragraphs])
        return Counter(re.findall(r"\w+", text.lower()))

    def html(self) -> bytes:
        article = "\n".join(
            f"<p>{html.escape(text)}</p>" for text in (f"Updated {written(self.date)}", *self.paragraphs)
        )
        title, menu = html.escape(self.title), "".join(f'<li><a href="/">{word}</a>' for word in self.menu.split())
        if self.template == "print":
            body = f"<h1>{title}</h1>{article}"
            return (
                f'<!doctype html><html lang="{self.language}"><meta charset="utf-8"><body>{body}</body></html>'.encode()
            )
        return (
            f'<!doctype html>\n<html lang="{self.language}"><head><meta charset="utf-8"><title>{title}</title>'
            f'<link rel="stylesheet" href="/style.css"></head>\n<body><nav><ul>{menu}</ul></nav>\n'
            f"<main><h1>{title}</h1>\n{article}</main>\n<footer>{self.footer}</footer></body></html>\n"
        ).encode()


def share(before: Page, after: Page) -> float:
    """The share of the words of both that only one has (docs/INDEX.md)."""
    a, b = before.words(), after.words()
    common = (a & b).total()
    return (a.total() + b.total() - 2 * common) / (a.total() + b.total())


@dataclass(frozen=True)
class Answer:
    """What the site answers at an address."""

    status: int
    change: str
    page: Page | None = None
    location: str = ""
    share: float | None = None


@dataclass
class Site:
    """The answers at all addresses, and which pages are the same by design."""

    answers: dict[str, Answer] = field(default_factory=dict)
    # The address that a page repeats, and how: `copy` (the same bytes), `print` (without menu and footer) or `word` (one
    # word differs).
    twins: dict[str, tuple[str, str]] = field(default_factory=dict)


def first_site(pages: int, draw: random.Random) -> Site:
    """The first edition: pages of four languages, and every tenth one a twin of one before it."""
    site, stock = Site(), {language: vocabulary(language) for language in LANGUAGES}
    for number in range(pages):
        if number % 10 == 9:
            kind = ("copy", "print", "word")[number // 10 % 3]
            url = f"http://{HOST}/{kind}/{number}"
            twin_of = next(url for url in reversed(site.answers) if url not in site.twins)
            page = site.answers[twin_of].page
            assert page is not None
            if kind == "print":
                page, url = replace(page, template="print"), f"{twin_of}?view=print"
            if kind == "word":
                last = page.paragraphs[-1].split(" ")
                last[len(last) // 2] = "lighthouses"
                page = replace(page, paragraphs=(*page.paragraphs[:-1], " ".join(last)))
            site.twins[url] = (twin_of, kind)
        else:
            language = LANGUAGES[0] if number % 4 else LANGUAGES[number // 4 % len(LANGUAGES)]
            paragraphs = tuple(paragraph(stock[language], draw) for _ in range(draw.randint(3, 8)))
            title = f"{' '.join(draw.choices(stock[language], k=3)).capitalize()} {number}"
            page = Page(title, paragraphs, language)
            forms = (f"/{number}.html", f"/page?id={number}", f"/{quote(f'Straße/{number}')}", f"/Notes/{number}/")
            url = f"http://{HOST}{forms[number % 4]}"
        site.answers[url] = Answer(200, "first", page)
    return site


def next_site(site: Site, edition: int, draw: random.Random, stock: dict[str, list[str]]) -> Site:
    """The next edition: a change of one kind, or none, at each address."""
    after = Site(twins=site.twins)
    twins = set(site.twins) | {twin_of for twin_of, _ in site.twins.values()}
    for url, answer in site.answers.items():
        page = answer.page
        change = draw.choices([*CHANGES, "none"], [*CHANGES.values(), 1 - sum(CHANGES.values())])[0]
        if page is None:
            # What was removed or moved stays so.
            after.answers[url] = replace(answer, change="none")
            continue
        if url in twins:
            # Twins stay what they are, so that they can be looked for in every edition.
            change = "none"
        if change == "removed":
            after.answers[url] = Answer(404, change)
            continue
        if change == "moved":
            location = f"http://{HOST}/moved/{edition}/{len(after.answers)}"
            after.answers[url] = Answer(301, change, location=location)
            after.answers[location] = Answer(200, "first", page)
            continue
        changed = page
        if change == "date":
            changed = replace(page, date=DATES[edition])
        if change == "footer":
            changed = replace(page, footer=f"Harbour Office, {DATES[edition]}")
        if change == "paragraph":
            at = draw.randrange(len(page.paragraphs))
            new = paragraph(stock[page.language], draw)
            changed = replace(page, paragraphs=(*page.paragraphs[:at], new, *page.paragraphs[at + 1 :]))
        if change == "menu":
            changed = replace(page, menu=MENUS[page.menu == MENUS[0]])
        after.answers[url] = Answer(200, change, changed, share=share(page, changed))
    return after


class Handler(BaseHTTPRequestHandler):
    """Answers as a proxy of the site's host, with the date of the edition."""

    protocol_version = "HTTP/1.1"
    # Heads and bodies are sent one by one: without this each waits for the acknowledgement of the one before.
    disable_nagle_algorithm = True
    server: SiteServer

    def do_GET(self) -> None:
        answer = self.server.answers.get(self.path)
        if answer is None or answer.status == 404:
            body = b"<!doctype html><title>Not found</title><p>There is no page at this address. Go back to the harbour.</p>"
            self.reply(404, body)
        elif answer.page is None:
            self.reply(answer.status, b"<title>Moved</title><p>This page has moved.</p>", Location=answer.location)
        else:
            self.reply(200, answer.page.html())

    def reply(self, status: int, body: bytes, **more: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        for name, value in more.items():
            self.send_header(name, value)
        # How a page is sent depends on its address alone, so that equal pages have equal payloads.
        place = len(self.path)
        if place % 3 == 0:
            body = gzip.compress(body, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        if place % 5 == 0:
            self.send_header("Transfer-Encoding", "chunked")
            half = len(body) // 2
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:], b""))
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def date_time_string(self, timestamp: float | None = None) -> str:
        return format_datetime(datetime.fromisoformat(f"{self.server.date}T12:00:00+00:00"), usegmt=True)

    def version_string(self) -> str:
        return "harbour"

    def log_message(self, *_: object) -> None:
        pass


class SiteServer(ThreadingHTTPServer):
    """Serves one edition after the other."""

    answers: dict[str, Answer]
    date: str


class Writer(WARCWriter):
    """Writes records with the time of an edition, a second after each other, and with ids by number."""

    date, count = "", 0

    def curr_warc_date(self) -> str:
        minutes, seconds = divmod(self.count, 60)
        return f"{self.date}T12:{minutes:02}:{seconds:02}Z"

    def _make_warc_id(self) -> str:  # type: ignore[override]
        self.count += 1
        return f"<urn:uuid:00000000-0000-4000-8000-{self.date.replace('-', '')}{self.count:04}>"


def crawl(server: SiteServer, path: Path, date: str, seen: dict[tuple[str, str], str], *, deduplicate: bool) -> dict:
    """Captures all addresses of an edition. The kinds of records by address, and their times."""
    kinds: dict[str, tuple[str, str]] = {}
    with path.open("wb") as stream:
        writer = Writer(stream, gzip=True, warc_version="1.1")
        writer.date = date

        def captured(request, response, recorder):
            url, digest = recorder.url, response.rec_headers.get_header("WARC-Payload-Digest")
            moment = response.rec_headers.get_header("WARC-Date")
            before = seen.setdefault((url, digest), moment)
            if deduplicate and before != moment and response.http_headers.get_statuscode() == "200":
                response = writer.create_revisit_record(
                    url, digest, url, before, response.http_headers, warc_headers_dict={"WARC-Date": moment}
                )
            kinds[url] = (response.rec_type, moment)
            for record in (request, response):
                # It has the port, which is another one in each run.
                record.rec_headers.remove_header("WARC-Proxy-Host")
            return request, response

        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "warcio", "isPartOf": "harbour"}))
        with capture_http(writer, captured):
            for url in server.answers:
                connection = http.client.HTTPConnection(*server.server_address)
                connection.request("GET", url, headers={"Host": HOST, "Accept-Encoding": "gzip"})
                connection.getresponse().read()
                connection.close()
    return kinds


def pack(folder: Path, archives: list[Path], site: Site) -> Path:
    """The package of all archives, with the pages of an edition, written and judged by py-wacz."""
    package, listed = folder / "site.wacz", folder / "pages.jsonl"
    program = Path(sys.executable).parent / "wacz"
    pages = [{"url": url, "title": answer.page.title} for url, answer in site.answers.items() if answer.page]
    head = {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}
    listed.write_text("".join(f"{json.dumps(line)}\n" for line in (head, *pages)), encoding="utf-8")
    create = [program, "create", "--pages", listed, "--title", "Harbour", "--output", package, *archives]
    for command in (create, [program, "validate", "-f", package]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    listed.unlink()
    return package


def make(folder: Path, pages: int = 200, seed: int = 1) -> list[dict]:
    """Makes everything; the rows of the truth."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(seed)
    site, stock = first_site(pages, draw), {language: vocabulary(language) for language in LANGUAGES}
    server = SiteServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    seen: dict[tuple[str, str], str] = {}
    rows, archives = [], []
    for edition, date in enumerate(DATES):
        if edition:
            site = next_site(site, edition, draw, stock)
        server.answers, server.date = site.answers, date
        archives.append(folder / f"edition-{edition + 1}.warc.gz")
        kinds = crawl(server, archives[-1], date, seen, deduplicate=edition % 2 == 1)
        for url, answer in site.answers.items():
            kind, moment = kinds[url]
            twin_of, twin = site.twins.get(url, ("", ""))
            share = "" if answer.share is None else f"{answer.share:.6f}"
            values = (edition + 1, moment, url, answer.status, kind, answer.change, share, twin_of, twin)
            rows.append(dict(zip(COLUMNS, map(str, values), strict=True)))
    server.shutdown()
    with (folder / "truth.tsv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    pack(folder, archives, site)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200, help="addresses of the first edition")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = make(given.folder, given.pages, given.seed)
    counted = Counter((row["status"], row["record"], row["change"]) for row in rows)
    for kind, count in sorted(counted.items()):
        print(f"{count:5} {' '.join(kind)}")


if __name__ == "__main__":
    main()
