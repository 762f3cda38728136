"""Texts and fingerprints of the corpus, by the command or by the crude stand-in, kept on disk.

What was taken from a file is kept under the digest of the program and of the file, so that a second run asks only for
what changed. The command is called as `nearprint extract FILE...` and `nearprint fingerprint FILE...` with JSON lines
on its standard output; ARGUMENTS and `line_of` are the only places that know its options and field names.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from crude import crude_text
from pages import unwrapped

BATCH = 64  # files in one call of the command
BATCH_SECONDS = 1800
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

    def lines(
        self, verb: str, corpus: Path, paths: list[str], *options: str
    ) -> Iterator[tuple[str, dict[str, object]]]:
        """The JSON lines of a verb about files, each with its path."""
        for start in range(0, len(paths), BATCH):
            batch = paths[start : start + BATCH]
            arguments = [self.program, verb, "--format", "jsonl", *self.options, *options, *batch]
            done = subprocess.run(arguments, cwd=corpus, capture_output=True, timeout=BATCH_SECONDS, check=False)
            answered = set()
            for line in done.stdout.decode("utf-8", "replace").splitlines():
                record = json.loads(line)
                path = str(record.get("id") or record.get("path"))
                answered.add(path)
                yield path, record
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            for path in batch:
                if path not in answered:
                    yield path, {"error": {"reason": f"no answer (status {done.returncode}): {''.join(last)}"}}

    def take(self, corpus: Path, paths: list[str]) -> Iterator[tuple[str, Taken]]:
        """The texts that `extract` prints."""
        for path, record in self.lines("extract", corpus, paths):
            yield path, taken_from(record)

    def fingerprints(self, corpus: Path, paths: list[str], scheme: str) -> Iterator[tuple[str, str | None]]:
        """The fingerprints that `fingerprint` prints; None where a document has none."""
        for path, record in self.lines("fingerprint", corpus, paths, "--scheme", scheme):
            value = record.get("fingerprint")
            yield path, None if value is None else str(value)


def taken_from(record: dict[str, object]) -> Taken:
    """What a line of `extract` says."""
    warnings = tuple(str(w.get("code", w)) if isinstance(w, dict) else str(w) for w in record.get("warnings") or ())
    error = record.get("error")
    reason = error.get("reason") or error.get("code") if isinstance(error, dict) else error or record.get("reason")
    text = record.get("text")
    return Taken(None if text is None or error else str(text), str(reason or ""), warnings)


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
