"""Teaches schemathesis lines of JSON (each generated object is a line, and of an answer the first line is looked at) and
documents: bodies of bytes are those of this repository, whole, cut and damaged, or nonsense."""

import json
from pathlib import Path

import schemathesis
from hypothesis import strategies

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
DOCUMENTS = [
    path.read_bytes() for path in sorted(SAMPLES.rglob("*.*")) if path.is_file() and path.stat().st_size < 1 << 17
]


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    values = value if isinstance(value, list) else [value]
    return "".join(json.dumps(value) + "\n" for value in values).encode()


@strategies.composite
def bodies(draw):
    """Mostly whole documents, for which alone a request does all that it can."""
    document = draw(strategies.sampled_from(DOCUMENTS))
    if draw(strategies.integers(0, 3)):
        return document
    cut = draw(strategies.integers(0, len(document)))
    return document[:cut] + draw(strategies.binary(max_size=20))


schemathesis.openapi.media_type("application/octet-stream", bodies())
