#!/usr/bin/env python3
"""Makes the vectors in spec/vectors from the inputs in vector_inputs.py and the reference.

    make_vectors.py            writes the files
    make_vectors.py --check    fails if a file is not what it would write
    --without-large            leaves large.json alone (it takes the most time)

Wherever an answer is known without the reference (the `want` of a case), the reference must give it.
"""

from __future__ import annotations

import argparse
import json
import sys

import nearprint_reference as reference
from vector_inputs import ALL, Planned
from vector_stages import SPEC_VERSION, STAGES, VECTORS, Case

TEXT_INPUT = (
    "The input is one of: text; bytes_hex, octets in hexadecimal; utf16, an array of UTF-16 code units as "
    "numbers, which may hold lone surrogates."
)
KNOWN = (
    "Answers known from outside (the standard's text, published values, hand work) were asserted when the file "
    "was made."
)
COMMENTS = {
    "repair": (
        f"Section 3. {TEXT_INPUT} repaired: the text of [3.1], where the input is octets. assigned: the text of "
        f"[3.2]. {KNOWN}"
    ),
    "normalise": (f"Section 4. The input is text after [3.2]. normalised: the normalised text. {KNOWN}"),
    "cuts": (f"Section 5. The input is normalised text: [4.1] to [4.5] leave it as it is. cut: the cut text. {KNOWN}"),
    "tokens": (
        f"Section 6. The input is cut text: sections 3 to 5 leave it as it is. tokens: the tokens in order. {KNOWN}"
    ),
    "hashes": (
        "Clause [7.1]. The input is token, hashed as UTF-8, or bytes_hex, octets in hexadecimal. hash: the "
        "64-bit value, 16 hexadecimal digits; c, b: its upper and lower half, hashlittle2's *pc and *pb. "
        f"{KNOWN}"
    ),
    "prints": (
        "Clauses [7.2] to [7.6] and [7.8]. The input is tokens, every occurrence. count: how many; signs: the "
        "signs of the 64 counters as + - 0, that of the most significant bit first; short: the mark of [7.5]; "
        "value: the fingerprint, 16 hexadecimal digits; string: [7.6]; decimal: [7.8]. Without tokens short, "
        f"value, string and decimal are null: there is no fingerprint. {KNOWN}"
    ),
    "strings": (
        "Clause [7.7], reading, by a reader that knows the id sd1 and no other. The input is string. value: the "
        "fingerprint, 16 hexadecimal digits, or null where it is refused; reason: of the refusal, or null; "
        f"position: of the first wrong character for the reason alphabet, else null. {KNOWN}"
    ),
    "distances": (
        "Clauses [7.9] and [7.10]. The input is one and other, fingerprints of 16 hexadecimal digits. distance "
        "and similarity: [7.9]; match: close, loose (but not close) or none; within_default: whether they are "
        f"within the default k. {KNOWN}"
    ),
    "documents": (
        f"From text to string, every stage. {TEXT_INPUT} repaired (only for octets), assigned, normalised, cut, "
        f"tokens, count, signs, short, value, string: as in the files of the single stages. {KNOWN}"
    ),
    "large": (
        "Texts made by a rule. kind every-code-point: for each code point from 0 to 10FFFF without the "
        "surrogates, in order: before, the code point, after. kind pieces: state = seed; repeat until the text "
        "has at least `octets` octets of UTF-8: state = (state * 6364136223846793005 + 1442695040888963407) mod "
        "2^64, append pieces[(state >> 33) mod the number of pieces]. octets: the size of the text in UTF-8; "
        "*_sha256: SHA-256 of the UTF-8 of the text and of each stage, of tokens: each token followed by "
        "U+000A; count, signs, short, value, string: as in documents.json."
    ),
}


def made(stage: str, planned: Planned) -> Case:
    """A case with its answer."""
    name, clauses, given, want = planned
    if stage == "cuts" and reference.normalise(given["text"]) != given["text"]:
        sys.exit(f"cuts, {name}: the text is not normalised")
    if stage == "tokens":
        given = {"text": reference.normalise(given["text"])}
        if reference.cut(given["text"]) != given["text"]:
            sys.exit(f"tokens, {name}: the text is not a cut text")
    expected = STAGES[stage](reference, given)
    for field, value in want.items():
        if expected[field] != value:
            sys.exit(f"{stage}, {name}: {field} is\n{expected[field]!a}, but known to be\n{value!a}")
    return {"name": name, "clauses": clauses.split(), "input": given, "expected": expected}


def file_content(stage: str) -> bytes:
    """The file of a stage: an object, one case a line, ASCII only."""
    cases = [made(stage, planned) for planned in ALL[stage]()]
    names = [case["name"] for case in cases]
    if len(set(names)) != len(names):
        sys.exit(f"{stage}: a name stands twice: {[name for name in names if names.count(name) > 1]}")
    lines = ",\n".join("    " + json.dumps(case) for case in cases)
    head = f'  "_comment": {json.dumps(COMMENTS[stage])},\n  "spec_version": {json.dumps(SPEC_VERSION)},\n'
    return f'{{\n{head}  "cases": [\n{lines}\n  ]\n}}\n'.encode("ascii")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--without-large", action="store_true")
    arguments = parser.parse_args()
    for stage in STAGES:
        if stage == "large" and arguments.without_large:
            continue
        file = VECTORS / f"{stage}.json"
        content = file_content(stage)
        if not arguments.check:
            file.write_bytes(content)
        elif not file.exists() or file.read_bytes() != content:
            sys.exit(f"{file.name} is stale: run make_vectors.py")
        print(f"{file.name}: {len(json.loads(content)['cases'])} cases")


if __name__ == "__main__":
    main()
