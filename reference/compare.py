#!/usr/bin/env python3
"""Compares another program with the reference, stage by stage, on random and on real texts.

    compare.py [--rust COMMAND] [--texts N] [--seed S]

COMMAND is run from the root of the repository. It reads JSON lines from standard input, each one an object with

    id          an integer
    text        a string without lone surrogates; U+0000, unassigned code points and noncharacters do occur
    bytes_hex   instead of text: bytes in hexadecimal, to be repaired
    declarations
                array of declarations of custom schemes [13.1]
    table_hex   the bytes of the table that some of them name, in hexadecimal [13.10]

and writes to standard output, for each line and in the same order, one line with a JSON object with

    id          as given
    repaired    only for bytes_hex: the text of [3.1]
    assigned    the text of [3.2]
    normalised  the text of [4.5]
    cut         the text of [5.1]
    tokens      array of strings, in order
    hashes      the hash of each token, in order: array of strings of 16 lower-case hexadecimal digits [7.1]
    count       the number of token occurrences
    short       true or false [7.5]
    signs       the signs of the 64 counters of sd1 as + - 0, that of the most significant bit first [7.2]
    value       the fingerprint, 16 lower-case hexadecimal digits
    string      its string
    sl1_signs   as signs, of the counters of sl1 [10.4]
    sl1_value   sl1_string   md1_value   md1_string   wd1_value   wd1_string
                as value and string, of the other schemes; md1 and wd1 have 512 digits [11.8]
    custom      array of strings, of each of the declarations in order; null where no token takes part

Without tokens short, the values and the strings are null. How JSON escapes characters, the order of the fields and
further fields do not matter. The first field that differs, in this order, names the stage at fault; each text must agree
in all. The exit status is 1 where one does not.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nearprint_custom as custom
import nearprint_idf as idf
import nearprint_sd1 as sd1
import vector_inputs

ROOT = Path(__file__).resolve().parent.parent
RUST = "cargo run --quiet --package nearprint-fingerprint --example stages --features serde"
FIELDS = ["id", "repaired", "assigned", "normalised", "cut", "tokens", "hashes", "count", "short", "signs", "value"]
FIELDS += ["string", "sl1_signs"]
FIELDS += [f"{scheme}_{field}" for scheme in ("sl1", "md1", "wd1") for field in ("value", "string")]
FIELDS += ["custom"]
WEIGHTS = ["binary", "tf", "log"]
PARTS = [  # what a declaration may have after its bits, in order
    ["", "", ",tie=1"],
    ["", ",tokens=whitespace", ",cut=identifiers", ",cut=identifiers"],
    ["", "", ",digits=none"],
    ["", "", ",stop=de", ",stop=en,min=3", ",min=12"],
]
REPORTED = 10  # differences written out
PIECES = [piece for piece in vector_inputs.PIECES.split("|") if piece]
HARD = [  # what single stages care for, besides
    *(
        "https://example.org/a?b=c#d",
        "HTTP://X",
        "x+y-z.1://",
        "a" * 32 + "://y",
        "www.",
        "WWW.x",
        "urn:isbn:1",
        "doi:",
    ),
    *("10.1000/182", "10.1000.1.2/", "10.123/", ".10.1000/x", "arXiv:2001.00001", "a@b.c", "a@b", "a.b@c-d.e", "@@"),
    *(
        "x" * 64 + "@b.c",
        "y" * 65 + "@b.c",
        "a@" + "z" * 64 + ".c",
        "://",
        "\u0301" * 30,
        "\u0301" * 31,
        "\u0345\u0301",
    ),
    *(
        "\u0323\u0301" * 8,
        "\u0301\u034f\u0323",
        "\u1fb4",
        "\u0f73",
        "\u0344",
        "\u0958",
        "\u2126",
        "\u212a",
        "\ufb03",
        "\u0130",
    ),
    *(
        "\u1112\u1161\u11ab",
        "\uac00\u11a8",
        "\u115f",
        "\u3099",
        "\u304b\u3099",
        "\uff76\uff9e",
        "\u200d",
        "\u200c",
        "\ufe0f",
    ),
    *(
        "w" * 128,
        "w" * 129,
        "\ufb01" * 64,
        "\u4e00" * 130,
        "_" * 5,
        "a_b",
        "_\u203f_",
        "\u0e33",
        "\u0e01\u0e33",
        "1a",
        "\u0660",
    ),
    *(
        "pmc2774701",
        "550e8400-e29b-41d4-a716-446655440000",
        "da39a3ee" * 4,
        "f" * 129,
        "0000-0002-1694-233x",
        "hdl:2027/mdp",
        "ark:/12148/b",
        "swh:1:cnt:0",
        "example.org/a",
        "a." * 9 + "org:80/",
        "/usr/lib",
        "~/",
        "../",
        "c:\\x",
        "/",
        "-",
    ),
    *(
        "\U000e0100",
        "\U0001e4d0",
        "\ufdd0",
        "\U0010ffff",
        "\u2fff",
        "\x00",
        "\x0b",
        "\u0085",
        "\u2028",
        "\u3000",
        "\ufeff",
    ),
]
BROKEN = [
    bytes.fromhex(data)
    for data in [
        "ff",
        "c0af",
        "eda080",
        "f0808080",
        "f4908080",
        "e282",
        "f09f98",
        "c3",
        "80",
        "bf",
        "efbbbf",
        "e9",
        "fe",
    ]
]


def words_of(chance: random.Random, letters: list[str]) -> str:
    """Some words of a script, with repetitions: features of several term frequencies."""
    words = ["".join(chance.choices(letters, k=chance.randint(1, 8))) for _ in range(chance.randint(1, 12))]
    return " ".join(chance.choices(words, k=chance.randint(1, 60)))


def random_records(count: int, seed: int) -> Iterator[dict[str, object]]:
    """Texts of scripts, hard pieces, code points from anywhere and, of every third, broken bytes."""
    chance = random.Random(seed)
    in_order = sorted(sd1.CLASSES)
    for number in range(count):
        begin = chance.randrange(len(in_order) - 60)
        letters = chance.choice([in_order[begin : begin + 60], list("abcdefghijklmnopqrstuvwxyz"), ["a", "b", "E"]])
        parts = []
        for _ in range(chance.randint(0, 24)):
            kind = chance.random()
            if kind < 0.35:
                parts.append(chance.choice(PIECES))
            elif kind < 0.7:
                parts.append(chance.choice(HARD))
            elif kind < 0.8:
                point = chance.randrange(0x110000 - 0x800)
                parts.append(chr(point if point < 0xD800 else point + 0x800))
            elif kind < 0.9:
                parts.append(words_of(chance, letters))
            else:
                parts.append(chance.choice(" \n"))
        if number % 3:
            yield {"text": "".join(parts)}
        else:
            data = [chance.choice(BROKEN) if chance.random() < 0.2 else part.encode("utf-8") for part in parts]
            yield {"bytes_hex": b"".join(data).hex()}


def with_schemes(records: Iterator[dict[str, object]], seed: int) -> Iterator[dict[str, object]]:
    """Records with custom schemes for each, some with a table of what all pieces hold."""
    chance = random.Random(seed)
    tables = {}
    for counted in (
        "words,tf,lookup3,64",
        "words,log,xxh3,64,stop=en",
        "shingles-2,tf,fnv1a,64,min=2",
        "chars-3,tf,murmur3,64",
        "words,log,lookup3,64,cut=identifiers,digits=none",
    ):
        texts = [" ".join(chance.choices(PIECES + HARD, k=200)) for _ in range(20)]
        data = idf.bytes_of(idf.table_of(f"custom:{counted}", 2, texts))
        tables[data.hex()] = counted, idf.digest_of(data)
    for record in records:
        features = chance.choice(["words", f"shingles-{chance.randint(2, 8)}", f"chars-{chance.randint(1, 16)}"])
        function, bits = chance.choice([*custom.FUNCTIONS]), chance.choice([32, 64, 128])
        bits = 32 if function.endswith("-32") else bits
        rest = "".join(chance.choice(part) for part in PARTS)
        table, (counted, digest) = chance.choice([*tables.items()])
        kind, _, hashed, _, *left_out = counted.split(",")
        weighed = ["custom:" + kind, chance.choice(WEIGHTS), hashed, str(chance.choice([32, 64, 128])), *left_out]
        declared = [
            f"custom:{features},{chance.choice(WEIGHTS)},{function},{bits}{rest}",
            ",".join([*weighed, f"idf={digest}"]),
        ]
        yield record | {"declarations": declared, "table_hex": table}


def real_records() -> Iterator[dict[str, object]]:
    """The texts of the repository; those that are not UTF-8 as bytes."""
    for pattern in ("samples/documents/**/*.txt", "docs/*.md", "spec/*.md"):
        for file in sorted(ROOT.glob(pattern)):
            data = file.read_bytes()
            try:
                yield {"text": data.decode("utf-8")}
            except UnicodeDecodeError:
                yield {"bytes_hex": data.hex()}


def answers(command: list[str], records: Path) -> subprocess.Popen[bytes]:
    """A program at work on the records."""
    with records.open("rb") as stream:
        return subprocess.Popen(command, stdin=stream, stdout=subprocess.PIPE, cwd=ROOT)


def read(process: subprocess.Popen[bytes], name: str, count: int) -> list[dict[str, object]]:
    """What a program answered: a line for each record, or the end."""
    output, _ = process.communicate()
    lines = output.splitlines()
    if process.returncode or len(lines) != count:
        sys.exit(f"{name} ended with status {process.returncode} and {len(lines)} answers to {count} texts")
    return [json.loads(line) for line in lines]


def differing(ours: dict[str, object], theirs: dict[str, object]) -> str | None:
    """The first stage in which two answers differ."""
    missing = object()
    return next((name for name in FIELDS if ours.get(name, missing) != theirs.get(name, missing)), None)


def excerpt(value: object, other: object) -> str:
    """Where a value begins to differ from another, in ASCII."""
    one, two = (ascii(side) for side in (value, other))
    same = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"at {same}: {one[max(same - 30, 0) : same + 50]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rust", default=RUST, metavar="COMMAND", help="the program to compare (the stages example)")
    parser.add_argument("--texts", type=int, default=2000, metavar="N", help="random texts")
    parser.add_argument("--seed", type=int, default=20261120, metavar="S")
    arguments = parser.parse_args()
    started = time.monotonic()
    texts = [*random_records(arguments.texts, arguments.seed), *real_records()]
    records = list(with_schemes(texts, arguments.seed))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "records")
        file.write_text("".join(json.dumps({"id": i} | record) + "\n" for i, record in enumerate(records)), "ascii")
        reference = [sys.executable, str(ROOT / "reference" / "nearprint_reference.py"), "--stages"]
        running = [answers(command, file) for command in (shlex.split(arguments.rust), reference)]
        theirs, ours = (read(p, name, len(records)) for p, name in zip(running, ("it", "the reference"), strict=True))
    stages: Counter[str] = Counter()
    for record, our, their in zip(records, ours, theirs, strict=True):
        stage = differing(our, their)
        if stage is None:
            continue
        stages[stage] += 1
        if stages.total() <= REPORTED:
            print(f"{stage} differs in text {our['id']}: {json.dumps(record)[:200]}")
            for side, answer, other in (("reference", our, their), ("other    ", their, our)):
                print(f"  {side} {excerpt(answer.get(stage), other.get(stage))}")
    seconds = time.monotonic() - started
    print(f"{len(records)} texts, {arguments.texts} of them random: ", end="")
    print(f"{stages.total()} differ, first in {dict(stages)}" if stages else f"every stage agrees ({seconds:.0f} s)")
    sys.exit(bool(stages))


if __name__ == "__main__":
    main()
