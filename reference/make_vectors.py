#!/usr/bin/env python3
"""Makes the vectors in spec/vectors from the inputs in vector_*inputs.py and the reference.

    make_vectors.py            writes the files
    make_vectors.py --check    fails if a file is not what it would write
    --without-large            leaves large.json and family_large.json alone (they take the most time)

Wherever an answer is known without the reference (the `want` of a case), the reference must give it.
"""

from __future__ import annotations

import argparse
import json
import sys

import nearprint_family as reference
import vector_addition_inputs
import vector_custom_inputs
import vector_family_inputs
import vector_idf_inputs
import vector_inputs
import vector_interchange
import vector_parts_inputs
from vector_inputs import Planned
from vector_stages import FURTHER, SINCE, SLOW, STAGES, VECTORS, Case

ALL = (
    vector_inputs.ALL
    | vector_family_inputs.ALL
    | vector_custom_inputs.ALL
    | vector_idf_inputs.ALL
    | vector_parts_inputs.ALL
    | vector_addition_inputs.ALL
    | vector_interchange.INPUTS
)

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
    "family_large": (
        "Texts made by the rules of large.json, under every scheme. The fields are those of family_documents.json."
    ),
    "logs": (
        "Section 10, sl1. The input is counted: [token, times] pairs; a token's occurrences are the sum of its times. "
        "count: token occurrences; features: [hash, term frequency, weight] of each feature, sorted by hash; signs: "
        "the signs of the 64 counters of [10.4] as + - 0, that of the most significant bit first; short: the mark of "
        "[7.5]; value, string, decimal: as in prints.json, null without tokens. " + KNOWN
    ),
    "elements": (
        "Clauses [11.4] to [11.6]. The input is scheme and tokens, every occurrence in order. elements: the set of "
        f"elements, each 16 hexadecimal digits, sorted. {KNOWN}"
    ),
    "sketches": (
        "Clauses [11.1] to [11.3] and [11.8]. The input is elements, each 16 hexadecimal digits, or rule: the set of "
        "(first + i * step) mod 2^64 for i from 0 to count - 1, first and step of 16 hexadecimal digits. rounds: how "
        "many rounds it takes until no bin is empty; value: the 256 octets of the sketch, 512 hexadecimal digits. "
        f"{KNOWN}"
    ),
    "family_strings": (
        "Clause [7.7] under [10.5] and [11.8], reading, by a reader that knows the ids sd1, sl1, md1 and wd1 and no "
        "others. The input is string, or bytes_hex, octets in hexadecimal. scheme and value: what was read, 16 or 512 "
        "hexadecimal digits, or null where it is refused; reason: of the refusal, or null; position: of the first "
        f"wrong character for the reason alphabet, else null. {KNOWN}"
    ),
    "exchange": (
        "Clause [7.8], reading. The input is scheme, form (hex or decimal) and digits. string: the string of the "
        f"fingerprint, or null where the digits are refused. {KNOWN}"
    ),
    "comparisons": (
        "Clauses [1.1], [7.9], [7.10], [11.9] and [11.10]. The input is one and other, strings. distance, similarity, "
        "match (close, loose but not close, or none) and within_default, whether they are within the default k of the "
        "scheme; all null where the schemes are unlike: unlike then has the two ids, in order, that the refusal must "
        f"name, else null. {KNOWN}"
    ),
    "family_documents": (
        f"From text to string under every scheme. {TEXT_INPUT} count: token occurrences; short: the mark of [7.5]; "
        "elements: how many md1 and wd1 have; strings: the string by scheme id. Without tokens short and the strings "
        f"are null. {KNOWN}"
    ),
    "feature_hashes": (
        "Clause [13.5]. The input is function and feature, hashed as UTF-8, or bytes_hex, octets in hexadecimal. hash: "
        f"the 64-bit value, 16 hexadecimal digits. {KNOWN}"
    ),
    "declarations": (
        "Clauses [13.1] and [13.2]. The input is declaration. id: the scheme's id, or null where the declaration is "
        f"refused. {KNOWN}"
    ),
    "custom_documents": (
        "Section 13. The input is declaration and text. count: token occurrences that take part; short: the mark of "
        "[7.5]; value: the fingerprint, two hexadecimal digits for each octet; string: [7.6]. Without tokens that take "
        f"part short, value and string are null. {KNOWN}"
    ),
    "logarithms": (f"Clause [13.11]. The input is number. logarithm: L of it. {KNOWN}"),
    "idf_tables": (
        "Clauses [13.9], [13.10] and [13.12]. The input is declaration, which says what is counted, least (T), texts, the "
        "collection, and features. table_hex: the octets of the table; digest: its name; documents: N; weights: the "
        f"inverse document frequency of each of the features, by the hash of its UTF-8. {KNOWN}"
    ),
    "idf_readings": (
        "Clause [13.10], reading. The input is table_hex, octets, and declaration. counted: what the table counts, or "
        "null where the octets are refused; id: the scheme's id, or null where the declaration is refused, given this "
        f"table. {KNOWN}"
    ),
    "idf_documents": (
        "Section 13 with a table. The input is table_hex, octets, declaration, and text; the fields are those of "
        f"custom_documents.json. {KNOWN}"
    ),
    "custom_hashes": (
        "Clause [13.5], the hashes since 1.2. The input is function and feature, hashed as UTF-8, or bytes_hex, bytes "
        "in hexadecimal: hash is the 64-bit value, 16 hexadecimal digits. Or it is declaration and text: id is the "
        "scheme's id, or null where the declaration is refused; the other fields are those of custom_documents.json. "
        f"{KNOWN}"
    ),
    "custom_ties": (
        "Clause [13.7], tie=1. The input is declaration and text, and where the declaration names a table table_hex, its "
        f"bytes. The fields are those of custom_hashes.json. {KNOWN}"
    ),
    "custom_whitespace": (
        "Clause [13.3], tokens=whitespace. The input is declaration and text, and where the declaration names a table "
        f"table_hex, its bytes. The fields are those of custom_hashes.json. {KNOWN}"
    ),
    "custom_stop_lists": (
        "Clause [13.13]. The input is list, the text of a user's list, declaration, which has no list yet, and text. digest: "
        "the list's, or null where it has no words; the other fields are those of custom_hashes.json for the declaration "
        f"with ,stop=DIGEST at its end. {KNOWN}"
    ),
    "custom_cuts": (
        "Clauses [13.14] and [13.15], cut=identifiers and digits=none. The input is declaration and text, and where the "
        "declaration names a table table_hex, its bytes. The fields are those of custom_hashes.json. "
        f"{KNOWN}"
    ),
    "normal_forms": (
        "Clauses [2.2] to [2.4]. The input is text after [3.2], which no fold changes. normalised: the normalised text. "
        f"{KNOWN}"
    ),
    "custom_lists": (
        "Clause [13.13], what makes a list. The input is list, the text of a user's list, declaration, which has no list "
        "yet, and text. digest: the list's, or null where it has no words; the other fields are those of "
        f"custom_hashes.json for the declaration with stop=DIGEST in its place. {KNOWN}"
    ),
    "custom_scans": (
        "Clause [13.14], the scan and its bounds. The input is declaration and text. The fields are those of "
        f"custom_hashes.json. {KNOWN}"
    ),
    "custom_comparisons": (
        "Clause [13.8]. The input is declaration, one and other, fingerprints in hexadecimal. strings: both; decimal: the "
        "first in decimal, null where the width has no such form; distance and similarity; match: close, loose (but not "
        f"close) or none; within_default: whether they are within the default k. {KNOWN}"
    ),
    "interchange/reading": (
        "Clauses [15.1] to [15.9]. The input is form (lines or jsonl) and a file, as text or as bytes_hex; "
        "with fill each U+2026 of text, and of the expected header, is for so many letters a. header: the names "
        "and values in order, rows: the fingerprint, whether it is short, and the bytes of the id in hexadecimal or null; "
        "count and sha256: those of the trailer. reason and line: of the refusal, all others null then. " + KNOWN
    ),
    "interchange/writing": (
        "Clauses [15.1] to [15.8]. The input is header and rows as in reading.json; with fill a U+2026 is for so many "
        "letters a, in an id for their bytes. lines and jsonl: the two forms of the "
        "file, null where they are refused. Of jsonl the order of names and white space are the writer's choice: compare "
        f"objects. {KNOWN}"
    ),
    "interchange/comparing": (
        "Clause [15.10]. The input is one and other, files. unlike: the two schemes where they are different, else null; "
        "same_profile, same_extractors, far (whether fingerprints of one document can be farther apart than the default k), "
        f"short and rows: how many of each. {KNOWN}"
    ),
    "seomoz_legacy": (
        "Section 14. The input is text. count: runs of letters; short, value, string: as in prints.json. The values "
        "are those of simhash-cpp at its last commit that had a tokenizer."
    ),
}


def made(stage: str, planned: Planned) -> Case:
    """A case with its answer."""
    name, clauses, given, want = planned
    if stage == "cuts" and reference.sd1.normalise(given["text"]) != given["text"]:
        sys.exit(f"cuts, {name}: the text is not normalised")
    if stage == "tokens":
        given = {"text": reference.sd1.normalise(given["text"])}
        if reference.sd1.cut(given["text"]) != given["text"]:
            sys.exit(f"tokens, {name}: the text is not a cut text")
    expected = (STAGES | FURTHER)[stage](reference, given)
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
    head = f'  "_comment": {json.dumps(COMMENTS[stage])},\n  "spec_version": {json.dumps(SINCE.get(stage, "1.3" if stage in FURTHER else "1.1"))},\n'
    return f'{{\n{head}  "cases": [\n{lines}\n  ]\n}}\n'.encode("ascii")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--without-large", action="store_true")
    arguments = parser.parse_args()
    for stage in STAGES | FURTHER:
        if stage in SLOW and arguments.without_large:
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
