"""A section on containers: rows and records of archives and tables, beside their texts as one plain file."""

import csv
import gzip
import io
import json
import random

import manuals  # noqa: F401, finds eval/
from hostile_tables import END, chunk, data_page, field, group, leaf, plain, record_batch, row_group, schema_message
from hostile_tables import parquet as parquet_file
from record import Section, ratio, value

ROWS = {"tiny": 50, "short": 20_000, "full": 40_000}
REPEAT = {"tiny": 1, "short": 3, "full": 5}
BATCH = 1000  # rows of a page, and of a batch


def texts(count):
    """Texts of 60 to 200 words that differ."""
    rng = random.Random(34)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randrange(2, 10))) for _ in range(5000)]
    return [" ".join(rng.choices(words, k=rng.randrange(60, 200))) for _ in range(count)]


def lines(found):
    return "".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(found)).encode()


def separated(found, separator):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL if separator == "," else csv.QUOTE_MINIMAL)
    writer.writerow(("id", "text"))
    writer.writerows(enumerate(found))
    return out.getvalue().encode()


def records(found):
    """Records of WARC with responses of plain text."""
    for number, text in enumerate(found):
        body = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{text}".encode()
        address = f"http://example.org/{number}"
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: {address}\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        yield head.encode() + body + b"\r\n\r\n"


def batches(found):
    return ([text.encode() for text in found[at : at + BATCH]] for at in range(0, len(found), BATCH))


def parquet(found):
    pages = b"".join(data_page(b"".join(map(plain, batch)), len(batch)) for batch in batches(found))
    column = chunk([b"text"], 4, len(pages), len(found))
    groups = [row_group([column], len(found), len(pages))]
    return parquet_file(pages, [group(b"r", 1), leaf(b"text")], groups, len(found))


def arrow(found):
    return schema_message([field(b"text")]) + b"".join(map(record_batch, batches(found))) + END


FORMS = {
    "a.jsonl": lines,
    "a.csv": lambda found: separated(found, ","),
    "a.tsv": lambda found: separated(found, "\t"),
    "a.warc": lambda found: b"".join(records(found)),
    "a.warc.gz": lambda found: b"".join(gzip.compress(record, 6, mtime=0) for record in records(found)),
    "a.parquet": parquet,
    "a.arrows": arrow,
}


def containers(record):
    found = texts(ROWS[record.form])
    repeat = REPEAT[record.form]
    command = [record.command, "fingerprint", "-qq", "--format", "jsonl", "--threads", "1", "--read", "isolate=never"]
    folder = record.path.parent
    whole = folder / "containers.txt"
    whole.write_text("\n".join(found))
    megabytes = whole.stat().st_size / 1e6
    made = [whole]
    try:
        one = record.timed("command", "plain", [[*command, str(whole)]], repeat, bytes=whole.stat().st_size)
        for name, form in FORMS.items():
            path = folder / f"containers-{name}"
            path.write_bytes(form(found))
            made.append(path)
            row = record.timed("command", name, [[*command, str(path)]], repeat, bytes=path.stat().st_size)
            speed = megabytes / row["cpu"] if row.get("cpu") else None
            yield [name, len(found), path.stat().st_size / 1e6, value(row, "cpu"), speed, ratio(row, one, "cpu")]
    finally:
        for path in made:
            path.unlink(missing_ok=True)


SECTIONS = [
    Section(
        "containers",
        "Rows and records of archives and tables to prints, one core, without workers",
        ["form", "rows", "MB", "s", "MB of text/s", "of plain text"],
        containers,
        "The same texts of 60 to 200 words in each form. The last column is the time beside that of all texts as one plain "
        "file, which has one document: what a row costs is in it.",
    )
]
