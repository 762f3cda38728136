"""What all tests share: the documents they read and the command that they compare with."""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples" / "documents"

Rows = Callable[..., list[dict[str, Any]]]
Library = Callable[..., dict[str, list[dict[str, Any]]]]


@pytest.fixture(scope="session")
def command() -> Path:
    """The command, built by cargo."""
    path = Path(os.environ.get("NEARPRINT_COMMAND", ROOT / "target" / "debug" / "nearprint"))
    if not path.is_file():
        pytest.fail(f"{path} is missing: cargo build -p nearprint-cli, or set NEARPRINT_COMMAND")
    return path


@pytest.fixture(scope="session")
def rows(command: Path) -> Rows:
    """Runs the command and returns its rows."""

    def run(*arguments: object) -> list[dict[str, Any]]:
        # What an index is asked for says nothing beside its rows.
        quiet = [] if arguments[0] == "index" else ["-qq"]
        given = [command, *map(str, arguments), "--format", "jsonl", *quiet]
        done = subprocess.run(given, capture_output=True, check=False)
        # 1: some documents have no fingerprint, which the samples mean to show.
        assert done.returncode in (0, 1), done.stderr.decode()
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.fixture(scope="session")
def library(command: Path) -> Library:
    """Runs the library without a command around it (crates/nearprint/examples/all_answers.rs), and returns its rows by verb."""
    program = command.parent / "examples" / "all_answers"
    if not program.is_file():
        pytest.fail(f"{program} is missing: cargo build -p nearprint --example all_answers")

    def run(*arguments: object) -> dict[str, list[dict[str, Any]]]:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, *map(str, arguments), folder], check=True)
            files = sorted(Path(folder).iterdir())
            return {file.name: [json.loads(line) for line in file.read_bytes().splitlines()] for file in files}

    return run


@pytest.fixture(scope="session")
def samples() -> Path:
    """The documents of the repository: several languages and media, one of them damaged."""
    return SAMPLES


WORDS = [f"{a}{b}" for a in ("ba", "de", "ki", "lo", "mu", "ra", "si", "to") for b in ("n", "lar", "vek", "s", "mir")]


def make_text(seed: int, words: int = 120) -> str:
    """A text of made-up words, the same for the same seed."""
    source = random.Random(seed)
    return " ".join(source.choices(WORDS, k=words))


def edited(text: str, seed: int, edits: int = 4) -> str:
    """The text with some words replaced."""
    source, words = random.Random(seed), text.split()
    for _ in range(edits):
        words[source.randrange(len(words))] = source.choice(WORDS)
    return " ".join(words)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5,000 documents as JSON lines: a tenth of them repeat another one, more or less."""
    path = tmp_path_factory.mktemp("corpus") / "pages.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for number in range(5000):
            text = make_text(number)
            if number % 10 == 9:
                text = edited(make_text(number - 7), number, edits=number % 30)
            out.write(json.dumps({"id": f"page-{number}", "text": text}) + "\n")
    return path
