#!/usr/bin/env python3
"""Answers the vectors for `nearprint prints conformance --command 'python3 reference/answer_vectors.py'`.

An example of such a command: it reads a case from each line of standard input and writes the fields of its `expected`.
Stages that it does not know, and the large ones with --small, are skipped.
"""

from __future__ import annotations

import json
import sys

import nearprint_family
import vector_stages

SMALL = "--small" in sys.argv


def answer(case: dict[str, object]) -> dict[str, object]:
    stage = case["file"]
    known = vector_stages.STAGES.get(stage)
    if known is None or (SMALL and stage in vector_stages.SLOW):
        return {"skipped": True}
    return known(nearprint_family, case["input"])


def main() -> int:
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
