"""What each vector file holds: how a stage answers the input of a case.

Used by the maker of the vectors, by the tests and by the mutations, so that all three mean the same by "the vectors
fail". The reference is passed as a module (nearprint_family, through which nearprint_sd1 is reached), because the
mutations pass a changed one.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import vector_interchange

VECTORS = Path(__file__).resolve().parent.parent / "spec" / "vectors"
SPEC_VERSION = "1.3"
# Of the files that came after 1.1, the version they belong to.
SINCE = dict.fromkeys(
    ["custom_hashes", "custom_ties", "custom_whitespace", "custom_stop_lists", "custom_cuts"], "1.2"
) | dict.fromkeys(["normal_forms", "custom_lists", "custom_scans", "custom_comparisons"], "1.3")
Case = dict[str, object]
Fields = dict[str, object]
Answer = Callable[[ModuleType, Fields], Fields]


def given_bytes(given: Fields) -> bytes:
    """The input of a stage that works on bytes: UTF-8 of `token`, or `bytes_hex`."""
    return given["token"].encode("utf-8") if "token" in given else bytes.fromhex(given["bytes_hex"])


def repair(reference: ModuleType, given: Fields) -> Fields:
    done = reference.sd1.stages(given)
    return {field: done[field] for field in ("repaired", "assigned") if field in done}


def normalise(reference: ModuleType, given: Fields) -> Fields:
    return {"normalised": reference.sd1.normalise(given["text"])}


def cuts(reference: ModuleType, given: Fields) -> Fields:
    return {"cut": reference.sd1.cut(given["text"])}


def tokens(reference: ModuleType, given: Fields) -> Fields:
    return {"tokens": list(reference.sd1.tokens(given["text"]))}


def hashes(reference: ModuleType, given: Fields) -> Fields:
    value = reference.sd1.token_hash(given_bytes(given))
    return {"hash": f"{value:016x}", "c": f"{value >> 32:08x}", "b": f"{value & 0xFFFFFFFF:08x}"}


def prints(reference: ModuleType, given: Fields) -> Fields:
    totals, count = reference.sd1.counters(given["tokens"])
    found = reference.sd1.fingerprint_of_tokens(given["tokens"])
    decimal = reference.sd1.to_decimal(found.value) if found else None
    return (
        {"count": count, "signs": reference.sd1.signs(totals)} | reference.sd1.described(found) | {"decimal": decimal}
    )


def strings(reference: ModuleType, given: Fields) -> Fields:
    try:
        value = reference.sd1.from_string(given["string"])
    except reference.sd1.RefusedError as refused:
        return {"value": None, "reason": refused.reason, "position": refused.position}
    return {"value": reference.sd1.to_hex(value), "reason": None, "position": None}


def distances(reference: ModuleType, given: Fields) -> Fields:
    one, other = int(given["one"], 16), int(given["other"], 16)
    return {
        "distance": reference.sd1.distance(one, other),
        "similarity": reference.sd1.similarity(one, other),
        "match": reference.sd1.grade(one, other),
        "within_default": reference.sd1.is_within(one, other),
    }


def documents(reference: ModuleType, given: Fields) -> Fields:
    return reference.sd1.stages(given)


def large(reference: ModuleType, given: Fields) -> Fields:
    text = text_by_rule(given["rule"])
    done = stages_of(reference, json.dumps(given["rule"]))
    done = done | {"tokens": "".join(token + "\n" for token in done["tokens"])}
    answer: Fields = {"octets": len(text.encode("utf-8")), "text_sha256": digest(text)}
    for field in ("assigned", "normalised", "cut", "tokens"):
        answer[f"{field}_sha256"] = digest(done[field])
    return answer | {field: done[field] for field in ("count", "signs", "short", "value", "string")}


@functools.lru_cache(maxsize=1)
def stages_of(reference: ModuleType, rule: str) -> Fields:
    """The stages of a text made by a rule; kept, because the last of large.json is asked for twice."""
    return reference.sd1.stages({"text": text_by_rule(json.loads(rule))})


def logs(reference: ModuleType, given: Fields) -> Fields:
    occurrences = [token for token, times in given["counted"] for _ in range(times)]
    hashed = reference.hashes(occurrences)
    frequencies = sorted(reference.features(hashed).items())
    found = reference.fingerprint_of_tokens("sl1", occurrences)
    return {
        "count": len(occurrences),
        "features": [[f"{feature:016x}", times, reference.weight(times)] for feature, times in frequencies],
        "signs": reference.sd1.signs(reference.log_counters(hashed)),
        "short": found.short if found else None,
        "value": reference.to_hex("sl1", found.value) if found else None,
        "string": reference.to_string("sl1", found.value) if found else None,
        "decimal": reference.sd1.to_decimal(found.value) if found else None,
    }


def elements(reference: ModuleType, given: Fields) -> Fields:
    found = reference.ELEMENTS[given["scheme"]](reference.hashes(given["tokens"]))
    return {"elements": [f"{element:016x}" for element in sorted(found)]}


def sketches(reference: ModuleType, given: Fields) -> Fields:
    if "rule" in given:
        rule = given["rule"]
        numbers = {(int(rule["first"], 16) + i * int(rule["step"], 16)) % 2**64 for i in range(rule["count"])}
    else:
        numbers = {int(element, 16) for element in given["elements"]}
    found = reference.sketch(numbers)
    return {"rounds": found.rounds, "value": reference.bytes_of(found.numbers).hex()}


def family_strings(reference: ModuleType, given: Fields) -> Fields:
    string = bytes.fromhex(given["bytes_hex"]) if "bytes_hex" in given else given["string"]
    try:
        scheme, value = reference.from_string(string)
    except reference.sd1.RefusedError as refused:
        return {"scheme": None, "value": None, "reason": refused.reason, "position": refused.position}
    return {"scheme": scheme, "value": reference.to_hex(scheme, value), "reason": None, "position": None}


def exchange(reference: ModuleType, given: Fields) -> Fields:
    try:
        value = reference.from_form(given["scheme"], given["form"], given["digits"])
    except reference.sd1.RefusedError:
        return {"string": None}
    return {"string": reference.to_string(given["scheme"], value)}


def comparisons(reference: ModuleType, given: Fields) -> Fields:
    try:
        found = reference.compare(given["one"], given["other"])
    except reference.UnlikeSchemesError as refused:
        return dict.fromkeys(reference.Comparison._fields) | {"unlike": refused.schemes}
    return found._asdict() | {"unlike": None}


def family_documents(reference: ModuleType, given: Fields) -> Fields:
    return family_of(reference, reference.sd1.stages(given)["tokens"])


def family_large(reference: ModuleType, given: Fields) -> Fields:
    return family_of(reference, stages_of(reference, json.dumps(given["rule"]))["tokens"])


def family_of(reference: ModuleType, tokens: list[str]) -> Fields:
    """What family_documents.json and family_large.json say of a text."""
    hashed = reference.hashes(tokens)
    found = {scheme: reference.fingerprint_of_tokens(scheme, tokens) for scheme in reference.SCHEMES}
    return {
        "count": len(tokens),
        "short": found["md1"].short if found["md1"] else None,
        "elements": {scheme: len(make(hashed)) if hashed else 0 for scheme, make in reference.ELEMENTS.items()},
        "strings": {
            scheme: reference.to_string(scheme, print_.value) if print_ else None for scheme, print_ in found.items()
        },
    }


def feature_hashes(reference: ModuleType, given: Fields) -> Fields:
    data = bytes.fromhex(given["bytes_hex"]) if "bytes_hex" in given else given["feature"].encode("utf-8")
    return {"hash": f"{reference.custom.FUNCTIONS[given['function']](data):016x}"}


def declarations(reference: ModuleType, given: Fields) -> Fields:
    declared = given["declaration"]
    return {"id": reference.custom.id_of(declared) if reference.custom.parse(declared) else None}


def custom_documents(reference: ModuleType, given: Fields) -> Fields:
    declared = given["declaration"]
    found = reference.custom.fingerprint(declared, given["text"])
    bits = reference.custom.parse(declared).bits
    return described(reference, reference.custom.id_of(declared), bits, found)


def logarithms(reference: ModuleType, given: Fields) -> Fields:
    return {"logarithm": reference.idf.log2(given["number"])}


def idf_tables(reference: ModuleType, given: Fields) -> Fields:
    table = reference.idf.table_of(given["declaration"], given["least"], given["texts"])
    data = reference.idf.bytes_of(table)
    hashed = reference.custom.FUNCTIONS[reference.custom.parse(given["declaration"]).function]
    return {
        "table_hex": data.hex(),
        "digest": reference.idf.digest_of(data),
        "documents": table.documents,
        "weights": [table.weight(hashed(feature.encode("utf-8"))) for feature in given["features"]],
    }


def idf_readings(reference: ModuleType, given: Fields) -> Fields:
    data = bytes.fromhex(given["table_hex"])
    table, declared = reference.idf.table_from(data), given["declaration"]
    return {
        "counted": table.counted if table else None,
        "id": reference.custom.id_of(declared) if reference.idf.serves(data, declared) else None,
    }


def idf_documents(reference: ModuleType, given: Fields) -> Fields:
    declared = given["declaration"]
    found = reference.idf.fingerprint(declared, bytes.fromhex(given["table_hex"]), given["text"])
    bits = reference.custom.parse(declared).bits
    return described(reference, reference.custom.id_of(declared), bits, found)


def custom_part(reference: ModuleType, given: Fields) -> Fields:
    """A part of declarations since 1.2: a hash, or a declaration and a text."""
    if "function" in given:
        feature = given["feature"].encode("utf-8") if "feature" in given else bytes.fromhex(given["bytes_hex"])
        return {"hash": f"{reference.custom.FUNCTIONS[given['function']](feature):016x}"}
    declared = given["declaration"]
    scheme = reference.custom.parse(declared)
    if not scheme:
        return {"id": None} | described(reference, "", 0, None)
    scheme_id = reference.custom.id_of(declared)
    if "table_hex" in given:
        found = reference.idf.fingerprint(declared, bytes.fromhex(given["table_hex"]), given["text"])
    else:
        found = reference.custom.fingerprint(declared, given["text"])
    return {"id": scheme_id} | described(reference, scheme_id, scheme.bits, found)


def custom_stop_lists(reference: ModuleType, given: Fields) -> Fields:
    digest = reference.custom.know_list(given["declaration"], given["list"])
    if not digest:
        return {"digest": None, "id": None} | described(reference, "", 0, None)
    declared = reference.custom.with_list(given["declaration"], digest)
    return {"digest": digest} | custom_part(reference, {"declaration": declared, "text": given["text"]})


def custom_comparisons(reference: ModuleType, given: Fields) -> Fields:
    declared = given["declaration"]
    scheme, bits = reference.custom.id_of(declared), reference.custom.parse(declared).bits
    values = [reference.sd1.from_hex(given[which], bits) for which in ("one", "other")]
    return {
        "strings": [reference.sd1.to_string(value, scheme, bits) for value in values],
        "decimal": reference.sd1.to_decimal(values[0]) if bits == reference.sd1.BITS else None,
    } | reference.custom.compare(bits, *values)._asdict()


def seomoz_legacy(reference: ModuleType, given: Fields) -> Fields:
    return described(reference, "seomoz-legacy", reference.sd1.BITS, reference.custom.legacy(given["text"]))


def described(reference: ModuleType, scheme: str, bits: int, found: object) -> Fields:
    """What the files of custom schemes and seomoz-legacy say of a text."""
    return {
        "count": found.count if found else 0,
        "short": found.short if found else None,
        "value": reference.sd1.to_hex(found.value, bits) if found else None,
        "string": reference.sd1.to_string(found.value, scheme, bits) if found else None,
    }


def digest(text: str) -> str:
    """SHA-256 of the UTF-8 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def text_by_rule(rule: Fields) -> str:
    """The text that a rule of large.json describes."""
    if rule["kind"] == "every-code-point":
        points = [*range(0xD800), *range(0xE000, 0x110000)]
        return "".join(rule["before"] + chr(point) + rule["after"] for point in points)
    pieces, state, size, text = rule["pieces"], int(rule["seed"]), 0, []
    sizes = [len(piece.encode("utf-8")) for piece in pieces]
    while size < rule["octets"]:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        chosen = (state >> 33) % len(pieces)
        text.append(pieces[chosen])
        size += sizes[chosen]
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
    "family_large": family_large,  # next to large, whose stages it uses
    "logs": logs,
    "elements": elements,
    "sketches": sketches,
    "family_strings": family_strings,
    "exchange": exchange,
    "comparisons": comparisons,
    "family_documents": family_documents,
    "feature_hashes": feature_hashes,
    "declarations": declarations,
    "custom_documents": custom_documents,
    "logarithms": logarithms,
    "idf_tables": idf_tables,
    "idf_readings": idf_readings,
    "idf_documents": idf_documents,
    "custom_hashes": custom_part,
    "custom_ties": custom_part,
    "custom_whitespace": custom_part,
    "custom_stop_lists": custom_stop_lists,
    "custom_cuts": custom_part,
    "normal_forms": normalise,
    "custom_lists": custom_stop_lists,
    "custom_scans": custom_part,
    "custom_comparisons": custom_comparisons,
    "seomoz_legacy": seomoz_legacy,
}
SLOW = ("large", "family_large")
# Files in folders below, which no implementation of the schemes alone needs.
FURTHER: dict[str, Answer] = vector_interchange.ANSWERS


def load(stage: str) -> list[Case]:
    """The cases of a stage's file."""
    return json.loads((VECTORS / f"{stage}.json").read_text("ascii"))["cases"]


def failures(reference: ModuleType, stage: str) -> Iterator[tuple[Case, Case]]:
    """The cases of a stage that a reference answers otherwise, each with the wrong answer."""
    for case in load(stage):
        try:
            answer = (STAGES | FURTHER)[stage](reference, case["input"])
        except Exception as raised:  # a wrong answer like any other
            answer = {"raised": repr(raised)}
        if answer != case["expected"]:
            yield case, answer
