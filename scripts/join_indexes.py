"""Joins our index of captures (CDXJ) with those that cdxj-indexer, pywb and warcio make of the same archives, record by record, and
counts where they differ. Behind damage, at which all three stop, they are begun anew at the next record.

    build/indexers/bin/python scripts/join_indexes.py PROGRAM ARCHIVE... [--mixed COUNT]

`--mixed` adds archives of COUNT responses with requests, some of them POST, revisits, resources, and addresses of many forms, as records of
gzip and plain (scripts/third_party/archives.py writes them). Prints a table; the exit code is 1 where a record of one side has no partner on
the other, or a field differs in another way than FORMAT.md says.
"""

import argparse
import collections
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import warnings
import zlib

warnings.simplefilter("ignore")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "third_party"))

from archives import write_archive  # noqa: E402
from cdxj_indexer.main import CDXJIndexer  # noqa: E402
from pywb.indexer.cdxindexer import write_cdx_index  # noqa: E402
from warcio.indexer import Indexer  # noqa: E402

FIELDS = ["warc-type", "offset", "length", "warc-target-uri", "warc-date", "warc-payload-digest"]


def by_cdxj_indexer(file, name):
    out = io.StringIO()
    with contextlib.suppress(Exception):
        CDXJIndexer("-", [], records="response,revisit,resource,metadata").process_one(file, out, name)
    return [line_of_index(line) for line in out.getvalue().splitlines()]


def by_pywb(file, name, **options):
    out = io.BytesIO()
    with contextlib.suppress(Exception):
        write_cdx_index(out, file, name, cdxj=True, **options)
    return [line_of_index(line) for line in out.getvalue().decode().splitlines()]


def by_wb_manager(file, name):
    """As `wb-manager add` indexes: what a POST request sent is appended to the key. Holds a record back until it has seen the
    next, and loses it where it stops.
    """
    return by_pywb(file, name, append_post=True)


def by_warcio(file, name):
    out = io.StringIO()
    with contextlib.suppress(Exception):
        Indexer([*FIELDS, "filename", "http:status", "http:content-type"], [], None).process_one(file, out, name)
    return [(None, None, json.loads(line)) for line in out.getvalue().splitlines()]


# The first says of every record what kind it is.
INDEXERS = {
    "warcio index": by_warcio,
    "cdxj-indexer": by_cdxj_indexer,
    "pywb cdx-indexer": by_pywb,
    "pywb wb-manager": by_wb_manager,
}


def line_of_index(line):
    key, moment, fields = line.split(" ", 2)
    return key, moment, json.loads(fields)


def record_behind(data, at):
    """Where the next member of gzip that begins a record is; None where there is none."""
    while (at := data.find(b"\x1f\x8b\x08", at)) >= 0:
        with contextlib.suppress(zlib.error):
            if zlib.decompressobj(31).decompress(data[at : at + 200]).startswith(b"WARC/"):
                return at
        at += 1
    return None


def index(indexer, path):
    """Records by their offset, and how often the indexer had to be begun anew for them."""
    data = path.read_bytes()
    records, starts, at = {}, 0, 0
    with path.open("rb") as file, contextlib.redirect_stderr(io.StringIO()):
        while at is not None:
            file.seek(at)
            found = {int(fields["offset"]): (key, moment, fields) for key, moment, fields in indexer(file, path.name)}
            starts += bool(found)
            # Of a damaged record they may say that it reaches to the end of the file.
            records |= found
            at = record_behind(data, max(found, default=at) + 1) if path.suffix == ".gz" else None
    return records, starts - 1


def differences(ours, theirs, plain):
    """Names of fields of a record that differ in a way that FORMAT.md does not name."""
    key, moment, fields = ours
    their_key, their_moment, their_fields = theirs
    if their_key is None:
        # An index of warcio's has headers as they are.
        mime = re.split(r"[;\s]", their_fields.get("http:content-type", ""))[0]
        their_fields = {
            "url": their_fields["warc-target-uri"],
            "status": their_fields.get("http:status") if their_fields["warc-type"] == "response" else None,
            "digest": their_fields.get("warc-payload-digest", fields.get("digest")),
            "mime": mime or fields.get("mime"),
            "offset": their_fields["offset"],
            "length": their_fields["length"],
            "filename": their_fields["filename"],
        }
    elif (their_key, their_moment) != (key, moment) and "method" not in their_fields:
        yield "key" if their_key != key else "timestamp"
    for name in ["url", "status", "digest", "mime", "length", "offset", "filename"]:
        value, their_value = fields.get(name), their_fields.get(name)
        if name == "length" and plain:
            value = str(int(value) - 4)
        if name == "digest":
            # pywb leaves out which digest it is.
            value, their_value = (str(digest).split(":")[-1] for digest in (value, their_value))
        if name == "mime":
            their_value = (their_value or "").lower() or None
            their_value = None if their_value == "unk" else their_value
        if value != their_value:
            yield name


def join(program, path):
    """Prints a line for each indexer; whether all is as it should be."""
    report = path.with_suffix(".report")
    command = [program, "fingerprint", "--read", "any-status", "--format", "cdxj", "--force", "--report", report, path]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    seconds = time.monotonic() - start
    ours = {}
    for line in done.stdout.split("\n")[:-1]:
        each = line_of_index(line)
        ours[int(each[2]["offset"])] = each
    damaged = {int(at) for at in re.findall(r"@(\d+): no fingerprint: damaged", done.stderr)}
    summary = json.loads(report.read_text())
    report.unlink()
    print(f"{path.name}: {path.stat().st_size:,} bytes, records {summary['records']}, {len(damaged)} damaged")
    print(f"  nearprint: {len(ours):,} lines in {seconds:.1f} s")
    kinds, good = {}, bool(ours)
    for name, indexer in INDEXERS.items():
        start = time.monotonic()
        theirs, again = index(indexer, path)
        seconds = time.monotonic() - start
        if not kinds:
            kinds = {at: fields["warc-type"] for at, (_, _, fields) in theirs.items()}
            kinds |= {
                at: "dns"
                for at, (_, _, fields) in theirs.items()
                if fields.get("warc-target-uri", "").startswith("dns:")
            }
            kinds |= dict.fromkeys(damaged, "damaged")
        both = ours.keys() & theirs.keys()
        rest = collections.Counter(kinds[at] for at in theirs.keys() - ours.keys())
        differ, examples = collections.Counter(), {}
        for at in both:
            for field in differences(ours[at], theirs[at], path.suffix == ".warc"):
                differ[field] += 1
                examples.setdefault(field, (ours[at], theirs[at]))
        posts = sum("method" in fields for _, _, fields in theirs.values())
        print(
            f"  {name}: {len(theirs):,} lines in {seconds:.1f} s, begun anew {again} times; joined {len(both):,} of {len(ours):,} of ours, "
            f"fields that differ: {dict(differ) or 'none'}, keys with what a POST sent: {posts:,}; without a partner: {dict(rest) or 'none'}"
        )
        for field, example in examples.items():
            print(f"    {field}: {example}", file=sys.stderr)
        # Records without a text of their own are in no index of ours.
        lost = again if indexer is by_wb_manager else 0
        good &= (
            len(ours) - len(both) <= lost
            and not differ
            and rest.keys() <= {"revisit", "metadata", "request", "warcinfo", "dns", "damaged"}
        )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("archives", nargs="*", type=pathlib.Path)
    parser.add_argument("--mixed", type=int, default=0)
    given = parser.parse_args()
    good = True
    for archive in given.archives:
        good &= join(given.program, archive)
    if given.mixed:
        with tempfile.TemporaryDirectory() as folder:
            for name, packed in [("mixed.warc.gz", True), ("mixed.warc", False)]:
                path = pathlib.Path(folder) / name
                write_archive(path, given.mixed, version="1.1" if packed else "1.0", packed=packed)
                good &= join(given.program, path)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
