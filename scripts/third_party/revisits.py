"""Rewrites archives with `nearprint dedup --revisits --write` and checks every record of the copies.

Every capture must keep its id, address, date and HTTP head, and its payload must be that of the record it refers to, byte for byte; all
other records stay as they are. pywb (`--replay`, where it is installed) replays every capture before
and after.
.venv/bin/python scripts/third_party/revisits.py target/debug/nearprint
"""

import argparse
import base64
import gzip
import hashlib
import json
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

PROFILE = "http://netpreserve.org/warc/{}/revisit/identical-payload-digest"
WORDS = [
    "fog",
    "came",
    "in",
    "at",
    "noon",
    "and",
    "stayed",
    "over",
    "the",
    "harbour",
    "until",
    "the",
    "bells",
    "of",
    "the",
    "old",
    "town",
    "rang",
    "for",
    "the",
    "evening",
]


def page(number: int) -> bytes:
    words = WORDS[number % 7 :] + [f"word{number}{place}" for place in range(30)]
    return f"<html><title>{number}</title><p>{' '.join(words)}.</html>".encode()


def sha1(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def chunked(body: bytes) -> bytes:
    parts = [body[at : at + 50] for at in range(0, len(body), 50)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


class Archive:
    """Records of a WARC file, written by hand so that each header is as it is wanted."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.records: list[bytes] = []

    def add(self, kind: str, fields: dict[str, str], block: bytes) -> None:
        lines = [f"WARC/{self.version}", f"WARC-Type: {kind}", *(f"{name}: {value}" for name, value in fields.items())]
        head = "\r\n".join([*lines, f"Content-Length: {len(block)}"]).encode()
        self.records.append(head + b"\r\n\r\n" + block + b"\r\n\r\n")

    def response(
        self,
        name: str,
        url: str,
        date: str,
        body: bytes,
        *,
        digest: str | None = None,
        head: str = "",
        status: str = "200 OK",
        **more: str,
    ) -> None:
        http = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nX-Served: {name}\r\n{head}\r\n".encode()
        fields = {"WARC-Target-URI": url, "WARC-Date": date, "WARC-Record-ID": f"<urn:n:{name}>"}
        fields |= {"Content-Type": "application/http; msgtype=response"}
        fields |= {field.replace("_", "-"): value for field, value in more.items()}
        if digest:
            fields["WARC-Payload-Digest"] = digest
        self.add("response", fields, http + body)

    def revisit(self, name: str, url: str, date: str, digest: str, refers: dict[str, str]) -> None:
        fields = {"WARC-Target-URI": url, "WARC-Date": date, "WARC-Record-ID": f"<urn:n:{name}>"}
        fields |= {"WARC-Profile": PROFILE.format(self.version), "WARC-Payload-Digest": digest, **refers}
        fields |= {"Content-Type": "application/http; msgtype=response"}
        self.add("revisit", fields, f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Served: {name}\r\n\r\n".encode())

    def write(self, path: Path, *, packed: str) -> None:
        members = (
            [gzip.compress(record) for record in self.records] if packed == "records" else [b"".join(self.records)]
        )
        path.write_bytes(gzip.compress(members[0]) if packed == "whole" else b"".join(members))


def archives() -> dict[str, tuple[Archive, str]]:
    """Three files. Of page 1 the earliest capture is in the last of them."""
    one, two, three = Archive("1.1"), Archive("1.0"), Archive("1.1")
    body, coded = page(1), chunked(page(2))
    one.add("warcinfo", {"WARC-Date": "2020-01-01T00:00:00Z", "WARC-Record-ID": "<urn:n:info>"}, b"software: none\r\n")
    one.response(
        "a1",
        "http://e.org/1",
        "2020-02-01T00:00:00Z",
        body,
        digest=sha1(body),
        WARC_Block_Digest="sha1:WRONG",
        WARC_IP_Address="192.0.2.7",
    )
    one.response("a2", "http://e.org/other", "2020-03-01T00:00:00Z", body)
    one.add(
        "request",
        {"WARC-Record-ID": "<urn:n:asked>", "WARC-Target-URI": "http://e.org/1", "WARC-Concurrent-To": "<urn:n:a1>"},
        b"GET / HTTP/1.1\r\n\r\n",
    )
    one.response(
        "moved", "http://e.org/moved", "2020-04-01T00:00:00Z", body, status="301 Moved", head="Location: /1\r\n"
    )
    one.response(
        "moved-again", "http://e.org/moved", "2020-04-02T00:00:00Z", body, status="301 Moved", head="Location: /1\r\n"
    )
    one.response("cut", "http://e.org/1", "2019-01-01T00:00:00Z", body, WARC_Truncated="time")
    one.response("segment", "http://e.org/1", "2019-01-01T00:00:00Z", body, WARC_Segment_Number="1")
    one.response(
        "chunked",
        "http://e.org/2",
        "2020-05-01T00:00:00.5Z",
        coded,
        digest=sha1(page(2)),
        head="Transfer-Encoding: chunked\r\n",
    )
    one.response(
        "chunked-later",
        "http://e.org/2",
        "2020-05-01T00:00:00.75Z",
        coded,
        digest=sha1(page(2)),
        head="Transfer-Encoding: chunked\r\n",
    )
    one.response("as-chunked", "http://e.org/3", "2020-06-01T00:00:00Z", coded)
    one.response("near", "http://e.org/1", "2020-07-01T00:00:00Z", body.replace(b"harbour", b"port"))
    two.response("empty", "http://e.org/empty", "2020-01-01T00:00:00Z", b"")
    two.response("empty-again", "http://e.org/empty", "2020-01-02T00:00:00Z", b"")
    two.response("lost", "http://e.org/lost", "2020-01-03T00:00:00Z", page(5), status="404 Not Found")
    two.response("lost-again", "http://e.org/gone", "2020-01-04T00:00:00Z", page(5), status="404 Not Found")
    two.response("found", "http://e.org/found", "2020-01-05T00:00:00Z", page(5))
    refers = {
        "WARC-Refers-To": "<urn:n:a1>",
        "WARC-Refers-To-Target-URI": "http://e.org/1",
        "WARC-Refers-To-Date": "2020-02-01T00:00:00Z",
    }
    two.revisit("by-id", "http://e.org/1", "2020-08-01T00:00:00Z", sha1(body), refers)
    del refers["WARC-Refers-To"]
    two.revisit("by-capture", "http://e.org/elsewhere", "2020-08-02T00:00:00Z", sha1(body), refers)
    two.revisit("by-digest", "http://e.org/other", "2020-08-03T00:00:00Z", sha1(body), {})
    three.response("first", "http://e.org/first", "2019-06-01T00:00:00Z", body, digest=sha256(body))
    three.response(
        "last", "http://e.org/1", "2021-01-01T00:00:00Z", body, digest=sha256(body), WARC_Block_Digest=sha256(b"wrong")
    )
    return {"one.warc.gz": (one, "records"), "two.warc": (two, "plain"), "three.warc.gz": (three, "whole")}


REVISITS = {"a1": "first", "a2": "first", "last": "first", "chunked-later": "chunked", "lost-again": "lost"}
REFERRING = {"by-id": "first", "by-capture": "first", "by-digest": "first"}


class Record:
    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        head, self.block = raw.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        self.version = lines[0].removeprefix("WARC/")
        self.fields = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
        assert len(self.fields) == len(lines) - 1, f"a field stands twice: {lines}"
        length = int(self.fields["content-length"])
        assert self.block[length:] == b"\r\n\r\n", raw
        self.block = self.block[:length]
        self.name = self.fields["warc-record-id"].strip("<>").removeprefix("urn:n:")
        self.http, _, self.payload = self.block.partition(b"\r\n\r\n")


def records(path: Path) -> Iterator[Record]:
    data = path.read_bytes()
    stream = b""
    while data.startswith(b"\x1f\x8b"):
        unpacking = zlib.decompressobj(31)
        stream += unpacking.decompress(data)
        data = unpacking.unused_data
    stream += data
    while stream:
        end = stream.index(b"\r\n\r\n")
        length = next(
            int(line[15:]) for line in stream[:end].split(b"\r\n") if line.lower().startswith(b"content-length:")
        )
        whole = end + 4 + length + 4
        yield Record(stream[:whole])
        stream = stream[whole:]


def check(before: Path, after: Path) -> None:
    """Every record of the copies against the one it was, and against the one it refers to."""
    names = sorted(path.name for path in before.iterdir())
    assert names == sorted(path.name for path in after.iterdir())
    old = {name: list(records(before / name)) for name in names}
    new = {name: list(records(after / name)) for name in names}
    stored = {record.name: record for found in old.values() for record in found}
    written = {record.name: record for found in new.values() for record in found}
    for name in names:
        assert [record.name for record in old[name]] == [record.name for record in new[name]], name
        for was, now in zip(old[name], new[name], strict=True):
            target = {**REVISITS, **REFERRING}.get(was.name)
            if target is None:
                assert was.raw == now.raw, was.name
                continue
            check_revisit(was, now, stored[target], written[target])


def check_revisit(was: Record, now: Record, stored: Record, written: Record) -> None:
    fields = now.fields
    assert fields["warc-type"] == "revisit" and written.fields["warc-type"] == "response", was.name
    assert fields["warc-profile"] == PROFILE.format(now.version) and now.version == was.version
    assert fields["warc-refers-to"] == stored.fields["warc-record-id"]
    assert fields["warc-refers-to-target-uri"] == stored.fields["warc-target-uri"]
    assert fields["warc-refers-to-date"] == stored.fields["warc-date"]
    assert fields["warc-payload-digest"] == stored.fields.get("warc-payload-digest", sha1(stored.payload))
    digest = sha256 if was.fields.get("warc-block-digest", "").startswith("sha256") else sha1
    assert fields["warc-block-digest"] == digest(now.block), fields
    assert now.http == was.http, was.name
    if was.fields["warc-type"] == "response":
        assert now.payload == b"" and fields["warc-truncated"] == "length"
        assert was.payload == written.payload, f"{was.name} has another payload than {written.name}"
    changed = {
        "warc-type",
        "warc-profile",
        "warc-payload-digest",
        "warc-block-digest",
        "warc-truncated",
        "content-length",
    }
    kept = {
        name: value for name, value in was.fields.items() if name not in changed and not name.startswith("warc-refers")
    }
    assert kept.items() <= fields.items(), was.name


def replayed(folder: Path, *, by_digest: bool) -> dict[str, tuple[bytes, bytes] | None]:
    """What pywb shows of every capture: the head of its HTTP message, and the body; None where it finds none.

    Payloads of revisits are looked for where they refer to, and first, if asked, by digest among the captures of the address.
    """
    from pywb.indexer.cdxindexer import write_multi_cdx_index
    from pywb.warcserver.index.aggregator import SimpleAggregator
    from pywb.warcserver.index.indexsource import FileIndexSource
    from pywb.warcserver.resource.responseloader import WARCPathLoader
    from warcio.exceptions import ArchiveLoadFailed

    index = folder.parent / f"{folder.name}.cdxj"
    files = [str(path) for path in sorted(folder.iterdir())]
    write_multi_cdx_index(str(index), files, sort=True, cdxj=True)
    source = SimpleAggregator({"all": FileIndexSource(str(index))})
    loader = WARCPathLoader([f"{folder}/"], source)
    found = {}
    for record in (record for path in files for record in records(Path(path))):
        if record.fields["warc-type"] not in ("response", "revisit"):
            continue
        url = record.fields["warc-target-uri"]
        timestamp = "".join(filter(str.isdigit, record.fields["warc-date"]))[:14]
        lines, _ = source({"url": url, "resolveRevisits": str(by_digest).lower()})
        # Two captures of one second are told apart by their files and places.
        served = f"X-Served: {record.name}\r\n".encode()
        found[record.name] = None
        for line in lines:
            if line["timestamp"] != timestamp:
                continue
            try:
                _, head, stream = loader.load_resource(line, {"url": url})
            except ArchiveLoadFailed:
                continue
            if served in head:
                found[record.name] = (head, b"".join(iter(lambda stream=stream: stream.read(1 << 16), b"")))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--replay", action="store_true", help="replay every capture with pywb, before and after")
    arguments = parser.parse_args()
    program = str(Path(arguments.program).resolve())
    with tempfile.TemporaryDirectory() as directory:
        here = Path(directory)
        before, after, again = here / "before", here / "after", here / "again"
        before.mkdir()
        for name, (archive, packed) in archives().items():
            # pywb reads no record out of a file that is compressed as a whole.
            if arguments.replay and packed == "whole":
                archive.write(before / name.removesuffix(".gz"), packed="plain")
            else:
                archive.write(before / name, packed=packed)
        run = [program, "dedup", "-qq", "--read", "any-status", "--keep", "longest", "--revisits", "--format", "jsonl"]
        report = here / "report.json"
        inputs = [str(before)]
        rows = subprocess.run(
            [*run, "--output", "-", "--report", report, "--write", after, *inputs],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        check(before, after)
        decided = {row["id"].removeprefix("urn:n:"): row for row in map(json.loads, rows.splitlines())}
        for name, target in REVISITS.items():
            row = decided[name]
            assert (row["decision"], row["reason"], row["representative"]) == (
                "revisit",
                "same-payload",
                f"urn:n:{target}",
            ), row
        near = decided["near"]
        # Not near: another word is in the place of one, and the page is short.
        assert near["decision"] == "keep" and near["reason"] == "contradicts" and near["similarity"] < 1, near
        assert all(row["decision"] == "keep" for name, row in decided.items() if name not in REVISITS)
        assert json.loads(report.read_text())["revisits"] == len(REVISITS)
        # Nothing is left to do in what was written.
        subprocess.run([*run, "--write", again, after], check=True, capture_output=True)
        for path in after.iterdir():
            assert path.read_bytes() == (again / path.name).read_bytes(), path.name
        if arguments.replay:
            for by_digest in (False, True):
                old, new = replayed(before, by_digest=by_digest), replayed(after, by_digest=by_digest)
                # It has no other way to its payload than the digest, before.
                lost = [] if by_digest else ["by-digest"]
                assert [name for name, shown in old.items() if shown is None] == lost, old
                for name in old:
                    assert name in lost or old[name] == new[name], (name, old[name], new[name])
                assert None not in new.values(), new
                print(f"pywb replays {len(old) - len(lost)} captures equally before and after")
    print(
        f"revisits: {len(REVISITS)} responses became revisits, {len(REFERRING)} revisits refer to other records, all else is as it was"
    )


if __name__ == "__main__":
    sys.exit(main())
