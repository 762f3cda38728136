"""Has third-party tools write packages of web archives (WACZ), and compares what nearprint reads of them.

Archives are written by warcio, and packed and validated by py-wacz. The captures of a package must be those of its archives, with the same
fingerprints, and a place must name the bytes of its record.
.venv/bin/python scripts/third_party/packages.py target/debug/nearprint
"""

import gzip
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

WORDS = ["fog", "harbour", "bells", "noon", "rain", "hills", "brook", "river", "lamp", "wind", "gull"]


def page(number: int) -> bytes:
    words = [WORDS[(number * 7 + place * (number + 3)) % len(WORDS)] for place in range(80)]
    return f"<html><title>{number}</title><p>{' '.join(words)} {number}.</html>".encode()


def write_archive(path: Path, numbers: range, *, lost: bool) -> None:
    """Writes pages, a revisit of the first, and a revisit of a page that is nowhere if `lost`."""
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=path.suffix == ".gz", warc_version="1.1")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "third-party tools"}))
        digests = []
        for number in numbers:
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            url = f"https://example.org/{number}"
            record = writer.create_warc_record(url, "response", payload=io.BytesIO(page(number)), http_headers=head)
            writer.write_record(record)
            fields = ["WARC-Payload-Digest", "WARC-Date"]
            digests.append((url, *(record.rec_headers.get_header(field) for field in fields)))
        url, digest, date = digests[0]
        writer.write_record(writer.create_revisit_record(f"{url}/again", digest, url, date))
        if lost:
            url, digest = "https://example.org/lost", "sha1:" + "A" * 32
            writer.write_record(writer.create_revisit_record(url, digest, f"{url}/first", "2020-01-01T00:00:00Z"))


class Check:
    """Runs programs and counts what does not hold."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.failures = 0

    def rows(self, path: Path, code: int = 0) -> list[dict]:
        command = [self.program, "fingerprint", "--format", "jsonl", path]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        self.equal(done.returncode, code, f"exit code for {path.name}: {done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def equal(self, found: object, expected: object, what: str) -> None:
        if found != expected:
            self.failures += 1
            print(f"{what}: {found!r}, expected {expected!r}", file=sys.stderr)


def prints(rows: list[dict]) -> dict[str, str]:
    return {row["id"]: row["fingerprint"] for row in rows if row["fingerprint"]}


def wacz(*arguments: str | Path) -> int:
    command = [Path(sys.executable).parent / "wacz", *arguments]
    return subprocess.run(command, capture_output=True, check=False).returncode


def check_places(check: Check, package: Path, rows: list[dict]) -> None:
    with zipfile.ZipFile(package) as members:
        for row in rows:
            place = row["place"]
            if "offset" not in place:
                continue
            stored = members.read(place["member"])[place["offset"] : place["offset"] + place["length"]]
            record = gzip.decompress(stored) if place["member"].endswith(".gz") else stored
            check.equal(f"<{place['record']}>".encode() in record.split(b"\r\n\r\n")[0], True, f"record of {place}")


def changed(package: Path, path: Path, name: str) -> Path:
    """The package with other bytes in a member, and its old digests."""
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(path, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            new.writestr(member, content + b"\n" if member.filename == name else content)
    return path


def main() -> int:
    check = Check(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        archives = [folder / "one.warc.gz", folder / "two.warc"]
        write_archive(archives[0], range(40), lost=False)
        write_archive(archives[1], range(30, 60), lost=True)
        package = folder / "crawl.wacz"
        pages = folder / "pages.jsonl"
        lines = [
            {"format": "json-pages-1.0", "id": "pages", "title": "Pages"},
            {"url": "https://example.org/1", "title": "1"},
        ]
        pages.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        check.equal(wacz("create", "-p", pages, "-o", package, *archives), 0, "wacz create")
        check.equal(wacz("validate", "-f", package), 0, "wacz validate")
        rows = check.rows(package)
        alone = {name: print_ for path in archives for name, print_ in prints(check.rows(path)).items()}
        check.equal(len(alone), 70, "captures")
        check.equal(prints(rows), alone, "fingerprints of the package and of its archives")
        check_places(check, package, rows)
        findings = {row["reason"]: row["detail"] for row in rows if row["reason"]}
        check.equal(set(findings), {"unresolved"}, f"findings: {findings}")
        check.equal("1 revisit refers" in findings.get("unresolved", ""), True, f"findings: {findings}")
        for name in ["pages/pages.jsonl", "indexes/index.idx", "archive/two.warc", "datapackage.json"]:
            rows = check.rows(changed(package, folder / "changed.wacz", name), code=1)
            wrong = [row["place"]["member"] for row in rows if row["reason"] == "damaged"]
            check.equal(wrong, [name], f"the member that was changed: {name}")
    print(f"packages: {check.failures} failures")
    return int(check.failures > 0)


if __name__ == "__main__":
    sys.exit(main())
