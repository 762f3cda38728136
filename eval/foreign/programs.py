"""The programs that are compared: texts of pages by the command and, where they are installed, by packages of PyPI."""

from __future__ import annotations

import importlib
import json
import logging
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from volume_run import NEVER

from foreign.pages import Page


@dataclass(frozen=True)
class Texts:
    """What a program made of pages."""

    program: str
    version: str
    texts: dict[str, str]
    seconds: float  # by the clock, one page after the other; of the command with its start
    without: dict[str, int]  # pages without a text, by reason


def by_command(program: Path, pages: list[Page], options: list[str], name: str) -> Texts:
    """The texts by the command, all pages as one job of one thread."""
    reasons: dict[str, int] = {}
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        listed, out = Path(folder, "pages"), Path(folder, "texts.jsonl")
        listed.write_bytes(b"".join(bytes(page.path) + b"\0" for page in pages))
        arguments = ["extract", "-qq", "--json", "--threads", "1", *options, "--files-from", listed, "-o", out]
        started = time.perf_counter()
        status = subprocess.run([program, *arguments], check=False, stdin=subprocess.DEVNULL).returncode
        seconds = time.perf_counter() - started
        if status not in (0, 1) or not out.is_file():
            raise SystemExit(f"{program} extract: status {status}")
        rows = [json.loads(line) for line in out.read_bytes().splitlines()]
    by_path = {str(page.path): page.key for page in pages}
    for row in rows:
        reason = row.get("reason")
        if reason in NEVER:
            raise SystemExit(f"{row['id']}: {reason}")
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
        elif row["id"] in by_path:
            texts[by_path[row["id"]]] = row["text"]
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()
    return Texts(name, said[-1], texts, seconds, reasons)


def trafilatura() -> Callable[[bytes], str]:
    extract = importlib.import_module("trafilatura").extract
    return lambda page: extract(page, include_comments=False) or ""


def readability() -> Callable[[bytes], str]:
    document = importlib.import_module("readability").Document
    parse = importlib.import_module("lxml.html").fromstring
    decode = importlib.import_module("trafilatura.utils").decode_file
    return lambda page: "\n".join(parse(document(decode(page)).summary()).itertext())


def resiliparse() -> Callable[[bytes], str]:
    encoding = importlib.import_module("resiliparse.parse.encoding")
    extract = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda page: extract(encoding.bytes_to_str(page, encoding.detect_encoding(page)), main_content=True)


PEERS = {"trafilatura": trafilatura, "readability-lxml": readability, "Resiliparse": resiliparse}


def by_peer(name: str, pages: list[Page], read: Callable[[Path], bytes]) -> Texts | None:
    """The texts by a package, or nothing where it is not installed. A page that it fails on has no text."""
    try:
        found = version(name)
        extract = PEERS[name]()
    except (PackageNotFoundError, ImportError):
        return None
    logging.disable(logging.CRITICAL)
    texts, seconds, failed = {}, 0.0, 0
    for page in pages:
        source = read(page.path)
        started = time.perf_counter()
        try:
            texts[page.key] = extract(source)
        except Exception:  # whatever it raises, the page has no text
            failed += 1
        seconds += time.perf_counter() - started
    return Texts(name, found, texts, seconds, {"failed": failed} if failed else {})
