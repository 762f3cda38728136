"""Texts and fingerprints of the corpus, by the command or by the crude stand-in, kept on disk.

What was taken from a file is kept under the digest of the program and of the file, so that a second run asks only for
what changed. The command is called as `nearprint extract --json FILE` and `nearprint fingerprint --format jsonl
FILE...`; the class Command is the only place that knows its options and field names.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from crude import crude_text
from pages import unwrapped

BATCH = 500  # files in one call of `fingerprint`
BATCH_SECONDS = 3600
AT_ONCE = 2  # calls of `extract`
FILE_SECONDS = 300
VERSION_SECONDS = 20


@dataclass(frozen=True)
class Taken:
    """What a program made of one file."""

    text: str | None
    reason: str = ""  # why there is no text
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0  # 0 where the program does not say


class Extractor(Protocol):
    """A program that takes texts out of files."""

    name: str  # for the report
    digest: str  # changes whenever its texts may

    def take(self, corpus: Path, paths: list[str]) -> Iterable[tuple[str, Taken]]:
        """What it makes of the files, each with its path."""


def own_digest(*names: str) -> str:
    """The digest of modules of this folder."""
    digest = hashlib.sha256()
    for name in names:
        digest.update((Path(__file__).resolve().parent / name).read_bytes())
    return digest.hexdigest()[:16]


class StandIn:
    """The crude extractor that labels are checked with, behind the interface of the real one."""

    name = "crude stand-in (pdftotext and regular expressions)"

    def __init__(self, media: dict[str, str]) -> None:
        self.media = media  # path to medium
        self.digest = "crude-" + own_digest("crude.py")

    def take(self, corpus: Path, paths: list[str]) -> Iterator[tuple[str, Taken]]:
        """The crude texts."""
        for path in paths:
            text = crude_text(unwrapped(corpus / path), self.media[path])
            yield path, Taken(text) if text.strip() else Taken(None, "no-text")


class Command:
    """The `nearprint` command."""

    def __init__(self, program: Path, options: tuple[str, ...] = ()) -> None:
        self.program = program.resolve()
        self.options = options
        told = subprocess.run(
            [self.program, "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS, check=True
        )
        self.name = " ".join([told.stdout.strip(), *options])
        with self.program.open("rb") as opened:
            built = hashlib.file_digest(opened, "sha256").hexdigest()[:16]
        self.digest = "-".join([built, *(option.strip("-") for option in options)])

    def extract(self, corpus: Path, path: str) -> Taken:
        """The text that `extract` prints of one file, or the reason it gives on standard error."""
        arguments = [self.program, "extract", "--json", *self.options, path]
        begun = time.perf_counter()
        try:
            done = subprocess.run(arguments, cwd=corpus, capture_output=True, timeout=FILE_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return Taken(None, f"no answer in {FILE_SECONDS} s", seconds=FILE_SECONDS)
        seconds = round(time.perf_counter() - begun, 3)
        if done.returncode or not done.stdout.strip():
            return Taken(
                None, reason_of(path, done.stderr.decode("utf-8", "replace"), done.returncode), seconds=seconds
            )
        return taken_from(json.loads(done.stdout), seconds)

    def take(self, corpus: Path, paths: list[str]) -> Iterator[tuple[str, Taken]]:
        """The texts, several files at a time."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            yield from zip(paths, pool.map(lambda path: self.extract(corpus, path), paths), strict=True)

    def fingerprints(self, corpus: Path, paths: list[str], scheme: str) -> Iterator[tuple[str, str | None]]:
        """The fingerprints that `fingerprint` prints; None where a document has none."""
        for start in range(0, len(paths), BATCH):
            batch = paths[start : start + BATCH]
            arguments = [self.program, "fingerprint", "-qq", "--format", "jsonl", "--scheme", scheme, *self.options]
            done = subprocess.run(
                [*arguments, *batch], cwd=corpus, capture_output=True, timeout=BATCH_SECONDS, check=False
            )
            if done.returncode not in (0, 1):  # 1: some documents failed, each has its line
                talk = done.stderr.decode(errors="replace")
                raise SystemExit(f"{self.program} fingerprint: status {done.returncode}: {talk}")
            for line in done.stdout.decode("utf-8", "replace").splitlines():
                record = json.loads(line)
                yield str(record["id"]), record["fingerprint"]


def taken_from(record: dict[str, object], seconds: float = 0.0) -> Taken:
    """What a line of `extract` says."""
    return Taken(str(record["text"]), "", tuple(warning["code"] for warning in record["warnings"]), seconds)


def reason_of(path: str, talk: str, status: int) -> str:
    """Why there is no text: the code behind the file's name in what `extract` says, such as `unsupported-media`."""
    for line in talk.splitlines():
        if line.startswith(f"{path}: "):
            return line.removeprefix(f"{path}: ").partition(":")[0]
    return f"status {status}: {talk.strip().splitlines()[-1] if talk.strip() else 'not a word'}"


class Cache:
    """Texts kept on disk: a file for each program and document."""

    def __init__(self, folder: Path, extractor: Extractor) -> None:
        self.folder = folder / extractor.digest
        self.extractor = extractor
        self.folder.mkdir(parents=True, exist_ok=True)

    def _place(self, corpus: Path, path: str) -> Path:
        digest = hashlib.sha256((corpus / path).read_bytes() + b"\0" + Path(path).suffix.encode()).hexdigest()
        return self.folder / f"{digest[:32]}.json"

    def fill(self, corpus: Path, paths: list[str]) -> None:
        """Takes the texts that are not there yet."""
        places = {path: self._place(corpus, path) for path in paths}
        absent = [path for path, place in places.items() if not place.exists()]
        if absent:
            print(f"extracting {len(absent)} files with {self.extractor.name}", flush=True)
        for path, taken in self.extractor.take(corpus, absent):
            places[path].write_text(json.dumps(asdict(taken), ensure_ascii=False), "utf-8")

    def get(self, corpus: Path, path: str) -> Taken:
        """The kept text of a file."""
        kept = json.loads(self._place(corpus, path).read_text("utf-8"))
        return Taken(kept["text"], kept["reason"], tuple(kept["warnings"]), kept["seconds"])
