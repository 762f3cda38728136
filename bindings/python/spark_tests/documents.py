"""Documents for the tests: those of the repository, generated ones with copies of all kinds, and documentation of the machine."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import nearprint
from pyspark.sql import DataFrame, SparkSession

SYLLABLES = ["ba", "de", "ki", "lo", "mu", "ra", "si", "to", "ne", "vu"]

Document = dict[str, Any]

DOCUMENTATION = [Path("/usr/share/doc"), Path("/usr/share/man")]
"""Real text that every Debian machine has, with the repetition of real text: licences, change logs, manual pages."""

PASSAGE = 250
"""Words of a real document, at most: the length of a page."""

MOST_OF_FILE = 8
"""Documents of one file, at most, so that a few long ones do not make up the whole."""

SCHEMA = "id string, text string, position int, score int"


def make_documents(number: int, seed: int = 1) -> list[Document]:
    """Texts in an order: some repeat another one, some are short, some hold no word."""
    source = random.Random(seed)
    vocabulary = ["".join(source.choices(SYLLABLES, k=3)) for _ in range(3_000)]
    texts: list[str] = []
    for at in range(number):
        words = source.choices(vocabulary, k=source.randrange(20, 120))
        kind = at % 10
        if kind in (7, 8) and texts:
            words = source.choice(texts).split()
            for _ in range(source.randrange(6)):
                if words:
                    words[source.randrange(len(words))] = source.choice(vocabulary)
        elif kind == 9:
            # Equal words and other numbers, equal texts but for white space or punctuation, short ones, none.
            start = texts[source.randrange(len(texts))]
            words = source.choice(
                [[start, str(at)], [start.replace(" ", "  ")], [f"{start}."], words[:3], [str(at)], [], ["", ""]]
            )
        texts.append(" ".join(words))
    # Ids whose order is not that of the documents.
    ids = [f"{source.getrandbits(40):010x}-{at}" for at in range(number)]
    return [
        {"id": name, "text": text, "position": at, "score": source.randrange(50)}
        for at, (name, text) in enumerate(zip(ids, texts, strict=True))
    ]


def real_documents(number: int, seed: int = 1) -> list[Document]:
    """Passages of the documentation that is installed, in an order."""
    source = random.Random(seed)
    paths = sorted(path for folder in DOCUMENTATION for path in folder.rglob("*") if path.is_file())
    source.shuffle(paths)
    documents: list[Document] = []
    for path in paths:
        words = _words(path)
        for at in range(0, min(len(words), MOST_OF_FILE * PASSAGE), PASSAGE):
            text = " ".join(words[at : at + PASSAGE])
            # Ids whose order is not that of the documents.
            name = f"{source.getrandbits(40):010x}-{len(documents)}"
            documents.append({"id": name, "text": text, "position": len(documents), "score": source.randrange(50)})
            if len(documents) == number:
                return documents
    raise ValueError(f"{len(documents)} documents below /usr/share/doc and /usr/share/man, fewer than {number}")


def _words(path: Path) -> list[str]:
    """The words of a file; none where it is no text."""
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode().split()
    except (OSError, EOFError, UnicodeDecodeError):
        return []


def sample_documents(samples: Path, start: int) -> list[Document]:
    """The texts of the documents of the repository."""
    records = [record for record in nearprint.read(samples) if record.text]
    return [
        {"id": record.id, "text": record.text, "position": start + at, "score": at % 7}
        for at, record in enumerate(records)
    ]


def frame_of(spark: SparkSession, documents: list[Document]) -> DataFrame:
    """The documents as a frame."""
    return spark.createDataFrame([tuple(document.values()) for document in documents], SCHEMA)


def written(documents: list[Document], path: Path) -> Path:
    """The documents as JSON lines, for the command."""
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    return path
