"""Has third-party tools write what nearprint reads, and read what it writes.

Archives are written by warcio and indexed by cdxj-indexer, rows are read by Python's csv and json.
.venv/bin/python scripts/third_party/archives.py target/debug/nearprint
"""

import csv
import gzip
import io
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import brotli
from cdxj_indexer.main import CDXJIndexer
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

WORDS = ["fog", "harbour", "bells", "noon", "rain", "hills", "brook", "river", "lamp", "wind", "gull"]
CODINGS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "identity": bytes,
}


def page(number: int) -> bytes:
    words = [WORDS[(number * 7 + place * (number + 3)) % len(WORDS)] for place in range(80)]
    return f"<html><title>{number}</title><p>{' '.join(words)} caf\u00e9 {number}.</html>".encode()


def chunked(body: bytes) -> bytes:
    parts = [body[at : at + 100] for at in range(0, len(body), 100)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def addresses(number: int) -> str:
    forms = [
        "http://www.Example.org/page/{}/",
        "https://example.org:8443/Page/{}?b=2&a=1",
        "http://user@example.org/a/../{}//x#part",
        "http://example.org/caf%C3%A9/{}",
        "https://192.0.2.7/{}?",
    ]
    return forms[number % len(forms)].format(number)


def asked(number: int) -> dict:
    """What a request for it sent: nothing, or a form."""
    form = f"q={number}&r=%20x".encode() if number % 6 == 5 else b""
    fields = [("Content-Type", "application/x-www-form-urlencoded"), ("Content-Length", str(len(form)))] if form else []
    line = f"{'POST' if form else 'GET'} / HTTP/1.1"
    return {"payload": io.BytesIO(form), "http_headers": StatusAndHeaders(line, fields, is_http_request=True)}


def write_archive(path: Path, count: int, *, version: str, packed: bool) -> None:
    """Writes responses in every coding between records that are no documents."""
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=packed, warc_version=version)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "third-party tools"}))
        for number in range(count):
            coding = list(CODINGS)[number % len(CODINGS)]
            body = CODINGS[coding](page(number))
            fields = [("Content-Type", "Text/HTML; charset=utf-8" if number % 4 == 1 else "text/html;charset=utf-8")]
            if coding != "identity":
                fields.append(("Content-Encoding", coding))
            if number % 3 == 0:
                body = chunked(body)
                fields.append(("Transfer-Encoding", "chunked"))
            else:
                fields.append(("Content-Length", str(len(body))))
            status = "404 Not Found" if number % 10 == 9 else "200 OK"
            head = StatusAndHeaders(status, fields, protocol="HTTP/1.1")
            url = addresses(number)
            response = writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head)
            request = writer.create_warc_record(url, "request", **asked(number))
            writer.write_request_response_pair(request, response)
            if number % 7 == 0:
                digest = response.rec_headers.get_header("WARC-Payload-Digest")
                date = response.rec_headers.get_header("WARC-Date")
                writer.write_record(writer.create_revisit_record(url, digest, url, date))
            if number % 5 == 0:
                for kind, address, label in [
                    ("resource", f"http://example.org/resource/{number}", "text/html"),
                    ("metadata", url, "text/plain"),
                    ("response", f"dns:{number}.example.org", "text/dns"),
                ]:
                    payload = io.BytesIO(page(number))
                    writer.write_record(
                        writer.create_warc_record(address, kind, payload=payload, warc_content_type=label)
                    )


class Check:
    """Runs the command and counts what does not hold."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.failures = 0

    def run(self, *arguments: str | Path) -> str:
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
        self.equal(done.returncode, 0, f"exit code of {arguments}: {done.stderr}")
        return done.stdout

    def equal(self, found: object, expected: object, what: str) -> None:
        if found != expected:
            self.failures += 1
            print(f"{what}: {found!r}, expected {expected!r}", file=sys.stderr)


def check_archive(check: Check, path: Path, count: int, prints: dict[bytes, str]) -> None:
    report = path.with_suffix(".report")
    lines = check.run("fingerprint", "--format", "cdxj", "--force", "--report", report, path).splitlines()
    pages = [number for number in range(count) if number % 10 != 9]
    resources = [number for number in range(count) if number % 5 == 0]
    records = json.loads(report.read_text())["records"]
    expected = {
        "warcinfo": 1,
        "request": count,
        "response": len(pages),
        "other-status": count - len(pages),
        "revisit": len(range(0, count, 7)),
        "resource": len(resources),
        "metadata": len(resources),
        "dns": len(resources),
    }
    check.equal(records, expected, f"kinds of records in {path.name}")

    index = path.with_suffix(".cdxj")
    CDXJIndexer(str(index), [str(path)]).process_all()
    theirs = {}
    for line in index.read_text(encoding="utf-8").splitlines():
        key, time, fields = line.split(" ", 2)
        fields = json.loads(fields)
        theirs[fields["filename"], fields["offset"]] = (key, time, fields)
    check.equal(len(lines), len(pages) + len(resources), f"lines about {path.name}")
    for line in lines:
        key, time, text = line.split(" ", 2)
        fields = json.loads(text)
        joined = theirs.get((fields["filename"], fields["offset"]))
        if joined is None:
            check.equal(joined, "a record", f"{path.name}: what stands at byte {fields['offset']}")
            continue
        for name in ["url", "mime", "status", "digest", "length"]:
            value = fields.get(name)
            if name == "length" and path.suffix == ".warc":
                # Of plain records warcio leaves out the two empty lines at the end.
                value = str(int(value) - 4)
            expected = joined[2].get(name)
            if name == "mime" and expected:
                # Theirs is written as it was served.
                expected = expected.lower()
            check.equal(value, expected, f"{name} of {line}")
        check.equal((key, time), joined[:2], f"key and time of {line}")
    found = [json.loads(line.split(" ", 2)[2])["print"] for line in lines]
    order = []
    for number in range(count):
        if number in pages:
            order.append(prints[page(number)])
        if number in resources:
            order.append(prints[page(number)])
    check.equal(found, order, f"prints of {path.name}")


def check_rows(check: Check, path: Path, *options: str) -> None:
    lines = check.run("fingerprint", *options, "--format", "jsonl", path).splitlines()
    objects = [json.loads(line) for line in lines]
    rows = list(csv.DictReader(io.StringIO(check.run("fingerprint", *options, "--format", "csv", path))))
    check.equal(len(rows), len(objects), f"rows about {path.name}")
    for row, whole in zip(rows, objects, strict=True):
        flat = {**whole, **(whole["capture"] or {}), **whole["place"]}
        for name, cell in row.items():
            value = flat.get(name)
            if name == "warnings":
                value = " ".join(warning["code"] for warning in value)
            elif isinstance(value, bool):
                value = str(value).lower()
            check.equal(cell, "" if value is None else str(value), f"column {name} of {row['id']}")


def check_tables(check: Check, directory: Path, count: int, prints: dict[bytes, str]) -> None:
    """Pages as rows that Python wrote, and rows about them that Python reads."""
    rows = [{"url": f"u,{n}", "html": page(n).decode(), "n": '"' + "\n" * n} for n in range(count)]
    lines = directory / "rows.jsonl.gz"
    with gzip.open(lines, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    tables = [lines]
    for name, dialect in [("rows.csv", "excel"), ("rows.tsv", "excel-tab"), ("unix.csv", "unix")]:
        with (directory / name).open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, ["n", "url", "html"], dialect=dialect)
            writer.writeheader()
            writer.writerows(rows)
        tables.append(directory / name)
    expected = [f"{prints[page(number)]}\tu,{number}" for number in range(count)]
    for table in tables:
        found = check.run("fingerprint", "--read", "id=url", "--read", "html=html", table).splitlines()
        check.equal(found, expected, f"prints of {table.name}")
        pairs = check.run("pairs", "-qq", "--format", "csv", "--read", "id=url", "--read", "html=html", table)
        text = check.run("pairs", "-qq", "--read", "id=url", "--read", "html=html", table)
        cells = [
            [row["a"], row["b"], row["distance"], f"{float(row['similarity']):.4f}"]
            for row in csv.DictReader(io.StringIO(pairs))
        ]
        check.equal(cells, [line.split("\t") for line in text.splitlines()], f"pairs of {table.name}")
    check_rows(check, lines, "--read", "id=url", "--read", "html=html")


def main() -> int:
    check = Check(Path(sys.argv[1]))
    count = 60
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        files = directory / "files"
        files.mkdir()
        for number in range(count):
            (files / f"{number:04}").write_bytes(page(number))
        lines = check.run("fingerprint", files).splitlines()
        prints = {page(number): line.split("\t")[0] for number, line in enumerate(lines)}
        for archive, version, packed in [
            ("plain.warc", "1.0", False),
            ("members.warc.gz", "1.1", True),
        ]:
            path = directory / archive
            write_archive(path, count, version=version, packed=packed)
            check_archive(check, path, count, prints)
            check_rows(check, path)
        check_tables(check, directory, count, prints)
    print(f"third-party tools: {check.failures} differences" if check.failures else "third-party tools agree")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
