"""What each vector file holds: how a stage answers the input of a case.

Used by the maker of the vectors, by the tests and by the mutations, so that all three mean the same by "the vectors
fail". The reference is passed as a module, because the mutations pass a changed one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

VECTORS = Path(__file__).resolve().parent.parent / "spec" / "vectors"
SPEC_VERSION = "0.9"
Case = dict[str, object]
Fields = dict[str, object]
Answer = Callable[[ModuleType, Fields], Fields]


def given_octets(given: Fields) -> bytes:
    """The input of a stage that works on octets: UTF-8 of `token`, or `bytes_hex`."""
    return given["token"].encode("utf-8") if "token" in given else bytes.fromhex(given["bytes_hex"])


def repair(reference: ModuleType, given: Fields) -> Fields:
    done = reference.stages(given)
    return {field: done[field] for field in ("repaired", "assigned") if field in done}


def normalise(reference: ModuleType, given: Fields) -> Fields:
    return {"normalised": reference.normalise(given["text"])}


def cuts(reference: ModuleType, given: Fields) -> Fields:
    return {"cut": reference.cut(given["text"])}


def tokens(reference: ModuleType, given: Fields) -> Fields:
    return {"tokens": list(reference.tokens(given["text"]))}


def hashes(reference: ModuleType, given: Fields) -> Fields:
    value = reference.token_hash(given_octets(given))
    return {"hash": f"{value:016x}", "c": f"{value >> 32:08x}", "b": f"{value & 0xFFFFFFFF:08x}"}


def prints(reference: ModuleType, given: Fields) -> Fields:
    totals, count = reference.counters(given["tokens"])
    found = reference.fingerprint_of_tokens(given["tokens"])
    decimal = reference.to_decimal(found.value) if found else None
    return {"count": count, "signs": reference.signs(totals)} | reference.described(found) | {"decimal": decimal}


def strings(reference: ModuleType, given: Fields) -> Fields:
    try:
        value = reference.from_string(given["string"])
    except reference.RefusedError as refused:
        return {"value": None, "reason": refused.reason, "position": refused.position}
    return {"value": reference.to_hex(value), "reason": None, "position": None}


def distances(reference: ModuleType, given: Fields) -> Fields:
    one, other = int(given["one"], 16), int(given["other"], 16)
    return {
        "distance": reference.distance(one, other),
        "similarity": reference.similarity(one, other),
        "match": reference.grade(one, other),
        "within_default": reference.is_within(one, other),
    }


def documents(reference: ModuleType, given: Fields) -> Fields:
    return reference.stages(given)


def large(reference: ModuleType, given: Fields) -> Fields:
    text = text_by_rule(given["rule"])
    done = reference.stages({"text": text})
    done["tokens"] = "".join(token + "\n" for token in done["tokens"])
    answer: Fields = {"octets": len(text.encode("utf-8")), "text_sha256": digest(text)}
    for field in ("assigned", "normalised", "cut", "tokens"):
        answer[f"{field}_sha256"] = digest(done[field])
    return answer | {field: done[field] for field in ("count", "signs", "short", "value", "string")}


def digest(text: str) -> str:
    """SHA-256 of the UTF-8 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def text_by_rule(rule: Fields) -> str:
    """The text that a rule of large.json describes."""
    if rule["kind"] == "every-code-point":
        points = [*range(0xD800), *range(0xE000, 0x110000)]
        return "".join(rule["before"] + chr(point) + rule["after"] for point in points)
    pieces, state, octets, text = rule["pieces"], int(rule["seed"]), 0, []
    sizes = [len(piece.encode("utf-8")) for piece in pieces]
    while octets < rule["octets"]:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        chosen = (state >> 33) % len(pieces)
        text.append(pieces[chosen])
        octets += sizes[chosen]
    return "".join(text)


STAGES: dict[str, Answer] = {
    "repair": repair,
    "normalise": normalise,
    "cuts": cuts,
    "tokens": tokens,
    "hashes": hashes,
    "prints": prints,
    "strings": strings,
    "distances": distances,
    "documents": documents,
    "large": large,
}


def load(stage: str) -> list[Case]:
    """The cases of a stage's file."""
    return json.loads((VECTORS / f"{stage}.json").read_text("ascii"))["cases"]


def failures(reference: ModuleType, stage: str) -> Iterator[tuple[Case, Case]]:
    """The cases of a stage that a reference answers otherwise, each with the wrong answer."""
    for case in load(stage):
        answer = STAGES[stage](reference, case["input"])
        if answer != case["expected"]:
            yield case, answer
