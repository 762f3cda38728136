"""Documents read from files: extraction, workers, iteration."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nearprint
import pytest
from conftest import Rows


@pytest.fixture(scope="module")
def pdf(samples: Path) -> Path:
    """One PDF of the samples that has text."""
    return next(path for path in sorted(samples.rglob("*.pdf")) if "edge" not in str(path))


def test_a_document_is_a_path_bytes_or_a_file(tmp_path: Path) -> None:
    page = b"<title>Fog</title><p>Fog came in at noon."
    path = tmp_path / "page.html"
    path.write_bytes(page)
    for source in (path, str(path), page, bytearray(page), io.BytesIO(page), gzip.compress(page)):
        found = nearprint.extract(source)
        assert (found.media_type, str(found)) == ("text/html", found.text)
        assert "Fog came in at noon." in found.text
    assert found.record["wrappers"] == ["gzip"]
    with path.open("rb") as file:
        assert nearprint.extract(file).text == found.text
    with pytest.raises(ValueError, match="closed"):
        nearprint.extract(file)
    with path.open() as file, pytest.raises(TypeError, match="'rb'"):
        nearprint.extract(file)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [7, None, ["a"], 1.5])
def test_other_types_are_no_documents(source: object) -> None:
    with pytest.raises(TypeError, match="a path, bytes or a file"):
        nearprint.extract(source)  # type: ignore[arg-type]


def test_a_document_without_text_says_why(tmp_path: Path) -> None:
    with pytest.raises(nearprint.DocumentError) as caught:
        nearprint.extract(b" \n ")
    error = caught.value
    assert (error.reason, error.failure, error.kind) == ("no-text", False, "document")
    with pytest.raises(nearprint.DocumentError) as caught:
        nearprint.extract(tmp_path / "missing.txt")
    assert caught.value.failure and "missing.txt" in str(caught.value)
    with pytest.raises(nearprint.InvalidInputError, match="is a directory"):
        nearprint.extract(tmp_path)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"nonsense": 1}, TypeError),
        ({"threads": "many"}, TypeError),
        ({"threads": 0}, ValueError),
        ({"max_bytes": -1}, OverflowError),
        ({"charset": "klingon"}, nearprint.InvalidInputError),
        ({"limits": {"nonsense": 1}}, nearprint.InvalidInputError),
        ({"isolate": "sometimes"}, nearprint.InvalidInputError),
        ({"include": ["["]}, nearprint.InvalidInputError),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        nearprint.extract(b"fog", **options)  # type: ignore[arg-type]


def test_options_reach_the_library() -> None:
    assert nearprint.extract("Größe".encode("latin-1"), charset="windows-1252").text.strip() == "Größe"
    with pytest.raises(nearprint.DocumentError) as caught:
        nearprint.extract(b"fog " * 100, max_bytes=100)
    assert caught.value.reason == "too-large"


def test_pdf_is_read_by_the_worker_of_the_package(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = nearprint.extract(pdf).text
    assert text == nearprint.extract(pdf, isolate="never").text
    monkeypatch.setenv("NEARPRINT_WORKER", "/nowhere/nearprint-worker")
    with pytest.raises(nearprint.DocumentError, match="/nowhere/nearprint-worker") as caught:
        nearprint.extract(pdf)
    assert caught.value.reason == "worker-unavailable"


WITHOUT_EXECUTE_BIT = """
import sys, nearprint
from nearprint import _worker
assert _worker.executable().startswith("/proc/self/fd/"), _worker.executable()
sys.stdout.write(nearprint.extract(sys.argv[1]).text)
"""


def test_a_worker_without_its_execute_bit_works(pdf: Path, tmp_path: Path) -> None:
    package = Path(nearprint.__file__).parent
    shutil.copytree(package, tmp_path / "nearprint")
    (tmp_path / "nearprint" / "bin" / "nearprint-worker").chmod(0o644)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXECUTE_BIT, pdf], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == nearprint.extract(pdf).text


def test_reading_gives_what_the_command_gives(samples: Path, rows: Rows) -> None:
    expected = rows("fingerprint", samples)
    records = list(nearprint.read(samples))
    assert [record.id for record in records] == [row["id"] for row in expected]
    for record, row in zip(records, expected, strict=True):
        assert str(record.fingerprint or "") == (row.get("fingerprint") or "")
        assert record.reason == row.get("reason")
        assert record.place["file"] == row["place"]["file"]
        assert (record.text is None) == (record.fingerprint is None)


def test_reading_stops_where_nobody_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as out:
        for number in range(3000):
            out.write(json.dumps({"id": str(number), "text": f"fog number {number}"}) + "\n")
    reader = nearprint.read(path)
    assert next(reader).id == "0"
    reader.close()
    # What was read ahead comes, and then the end.
    assert len(list(reader)) < 2999
    again = tmp_path / "again.jsonl"
    again.write_bytes(path.read_bytes())
    assert len(list(nearprint.read([path, again]))) == 6000
    # A file that is named twice is read once, and said so.
    *_, last = nearprint.read([path, path])
    assert (last.id, last.reason) == (str(path), "same-file")
    del reader


@pytest.mark.skipif(sys.platform != "linux", reason="limits address space")
@pytest.mark.parametrize("mebibytes", [4, 8, 16])
def test_reading_without_memory_for_its_threads_is_no_early_end(tmp_path: Path, mebibytes: int) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text('{"id": "a", "text": "Fog came in."}\n{"id": "b", "text": "Fog went out."}\n')
    # Python takes none of what is left: its modules are loaded before.
    script = (
        "import nearprint, resource, sys\n"
        "status = open('/proc/self/status').read().partition('VmSize:')[2]\n"
        "limit = (int(status.split()[0]) << 10) + (int(sys.argv[2]) << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "print('read', sum(1 for _ in nearprint.read(sys.argv[1])))\n"
    )
    command = [sys.executable, "-c", script, str(path), str(mebibytes)]
    # A trace that runs out of memory would wait for itself (in Rust's standard library).
    quiet = {**os.environ, "RUST_BACKTRACE": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=quiet)
    assert done.returncode != 0 or done.stdout == "read 2\n"


def test_records_have_digests_where_these_are_asked_for(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(b"<p>Fog came in")
    (record,) = nearprint.read(page, digests=True)
    assert record.content_sha256 == hashlib.sha256(b"<p>Fog came in").hexdigest()
    assert record.text_sha256 == hashlib.sha256((record.text or "").encode()).hexdigest()
    (record,) = nearprint.read(page)
    assert (record.content_sha256, record.text_sha256) == (None, None)


def test_collections_are_read_by_their_fields(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    path.write_text("url,body\nhttp://a,Fog came in\nhttp://b,2024\n")
    found = list(nearprint.read(path, text_field="body", id_field="url"))
    assert [(record.id, record.text, record.reason) for record in found] == [
        ("http://a", "Fog came in", None),
        ("http://b", None, "no-tokens"),
    ]
    path.write_bytes("1;Café\n2;Fog came in\n".encode("latin-1"))
    found = list(nearprint.read(path, delimiter=";", no_header=True, text_field="2", id_field="1", charset="latin1"))
    assert [(record.id, record.text) for record in found] == [("1", "Café"), ("2", "Fog came in")]
    path.write_text('[{"id": "a", "text": "Fog"}, {"id": "b", "text": "Rain"}]')
    assert [record.id for record in nearprint.read(path)] == ["a", "b"]
    with pytest.raises(nearprint.InvalidInputError, match="one ASCII character"):
        nearprint.read(path, delimiter="::")
    with pytest.raises(TypeError, match="a path, a list of paths, or a table"):
        nearprint.read(7)  # type: ignore[arg-type]
