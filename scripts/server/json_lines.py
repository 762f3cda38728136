"""Teaches schemathesis lines of JSON: each generated object is a line, and of an answer the first line is looked at."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    values = value if isinstance(value, list) else [value]
    return "".join(json.dumps(value) + "\n" for value in values).encode()
