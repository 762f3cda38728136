#!/usr/bin/env python3
"""Tests of the reference: the vectors, the examples of the standard, and properties of random texts.

    python3 -m unittest discover -s reference -p "test_*.py"

What the reference does in one way is done here in another: Python's own UTF-8 decoder, lookup3 written out step by
step, tokens by a regular expression over classes, cuts position by position, base32 by the library.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import random
import re
import subprocess
import sys
import tempfile
import unicodedata
import unittest
from pathlib import Path
from unittest import mock

import make_vectors
import nearprint_family as family
import nearprint_reference
import nearprint_sd1 as reference
import vector_inputs
import vector_stages

ROOT = Path(__file__).resolve().parent.parent
SPEC = (ROOT / "spec" / "SPEC.md").read_text("utf-8")
CUSTOM = (ROOT / "spec" / "CUSTOM.md").read_text("utf-8")
PIECES = [
    *vector_inputs.PIECES.split("|"),
    "\u0300",
    "\u3099",
    "\u094d",
    "\u200c",
    "h",
    "2",
    "a@b.c ",
    "10.1234/",
    "\ud800",
]
PIECES += ["\u0301" * 20, "\u0323" * 12, "w" * 70, "_", "www.", "\U000e0100", "\u115f", "\u1fb4", "\u0f73"]


def random_texts(count: int, seed: int, longest: int = 30) -> list[str]:
    """Texts of pieces that stages care for, and of code points from anywhere."""
    chance = random.Random(seed)
    texts = []
    for _ in range(count):
        size = chance.randint(0, longest)
        texts.append(
            "".join(
                chance.choice(PIECES) if chance.random() < 0.8 else chr(chance.randrange(0x110000)) for _ in range(size)
            )
        )
    return texts


class Vectors(unittest.TestCase):
    """The files in spec/vectors."""

    def test_the_reference_gives_every_answer(self) -> None:
        for stage in vector_stages.STAGES | vector_stages.FURTHER:
            if stage in vector_stages.SLOW:
                continue  # made anew below
            for case, answer in vector_stages.failures(family, stage):
                with self.subTest(stage=stage, case=case["name"]):
                    self.assertEqual(answer, case["expected"])

    def test_the_files_are_what_the_maker_makes(self) -> None:
        for stage in vector_stages.STAGES | vector_stages.FURTHER:
            with self.subTest(stage=stage):
                file = vector_stages.VECTORS / f"{stage}.json"
                self.assertTrue(file.read_bytes() == make_vectors.file_content(stage), f"{file.name} is stale")

    def test_no_other_files(self) -> None:
        names = {file.stem for file in vector_stages.VECTORS.glob("*.json")}
        self.assertEqual(names, set(vector_stages.STAGES))

    def test_strict_readers_can_read_them(self) -> None:
        for stage in vector_stages.STAGES:
            read = json.loads((vector_stages.VECTORS / f"{stage}.json").read_bytes().decode("ascii"))
            self.assertEqual(list(read), ["_comment", "spec_version", "cases"])
            json.dumps(read, ensure_ascii=False).encode("utf-8")  # fails on a lone surrogate

    def test_the_version_is_the_standards(self) -> None:
        self.assertIn(f"**Status: {vector_stages.SPEC_VERSION}**", SPEC)

    def test_every_clause_of_the_stages_has_a_case(self) -> None:
        covered = {
            clause for stage in vector_stages.STAGES for case in vector_stages.load(stage) for clause in case["clauses"]
        }
        clauses = set(re.findall(r"^\[((?:[1-7]|1[0134])\.\d+)\]", SPEC + CUSTOM, re.MULTILINE))
        self.assertEqual(covered, clauses)

    def test_every_reason_of_refusal_has_a_case(self) -> None:
        table = SPEC.partition("\n[7.7]")[2].partition("\n[7.8]")[0]
        reasons = set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE))
        self.assertEqual(len(reasons), 5)
        self.assertEqual({case["expected"]["reason"] for case in vector_stages.load("strings")}, reasons | {None})

    def test_a_wrong_known_answer_stops_the_maker(self) -> None:
        wrong = vector_inputs.case("wrong", "6.3", {"tokens": ["b"]}, text="a")
        with self.assertRaisesRegex(SystemExit, "tokens, wrong"):
            make_vectors.made("tokens", wrong)


class Standard(unittest.TestCase):
    """What the text of the standard says of itself."""

    def test_the_examples_of_section_6(self) -> None:
        rows = re.findall(
            r"^\| (.+?) \| (.+) \|$", SPEC.partition("Examples (text, then")[2].partition("## 7.")[0], re.MULTILINE
        )
        rows = [(text, joined) for text, joined in rows if text != "text"]
        self.assertEqual(len(rows), 9)
        for text, joined in rows:
            with self.subTest(text=text):
                found = list(reference.tokens(reference.cut(reference.normalise(reference.unassigned_to_space(text)))))
                self.assertEqual(found, joined.split(" \\| "))

    def test_the_patterns_of_section_5(self) -> None:
        patterns = re.findall(r"^\[5\.[2-5]\] \*\*.*?\*\*: `(.+?)`", SPEC, re.MULTILINE)
        ours = [reference.URL, reference.NAMED, reference.EMAIL, reference.DOI]
        self.assertEqual(patterns, [re.sub(r"^\(\?<!.*?\]\)", "", p).replace("(?:", "(") for p in ours])

    def test_the_published_hash(self) -> None:
        self.assertIn("c = 17770551, b = ce7226e6", SPEC)
        self.assertEqual(reference.token_hash(b"Four score and seven years ago"), 0x17770551CE7226E6)


class Tables(unittest.TestCase):
    """The tables and what the notes of the standard say of them."""

    def test_a_changed_table_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            for file in reference.TABLES.iterdir():
                if file.is_file():
                    (copy / file.name).write_bytes(file.read_bytes())
            with mock.patch.object(reference, "TABLES", copy):
                self.assertEqual(reference.read_fold(), reference.FOLD)
                changed = (copy / "fold.txt").read_bytes().replace(b"0041;0061\n", b"0041;0062\n")
                (copy / "fold.txt").write_bytes(changed)
                with self.assertRaisesRegex(ValueError, "fold.txt is not the table of the standard"):
                    reference.read_fold()

    def test_sizes(self) -> None:
        self.assertEqual(len(reference.FOLD), 6660)
        self.assertEqual(sum(not to for to in reference.FOLD.values()), 405)
        self.assertEqual(set(reference.CLASSES.values()), set("PLMDC"))
        self.assertLess(set(reference.CLASSES), reference.ASSIGNED)

    def test_classes_follow_the_categories(self) -> None:
        letters = {"Lu", "Ll", "Lt", "Lm", "Lo"}
        changed = {"\u0295", "\U0001171e"}  # whose category is another by Unicode 18.0; neither changes its class
        for character in reference.ASSIGNED - changed:
            category = unicodedata.category(character)
            here = {"Mn": "M", "Mc": "M", "Nd": "D", "Pc": "C"}.get(category, "L" if category in letters else None)
            found = reference.CLASSES.get(character)
            self.assertTrue(
                found == here or (found == "P" and (here == "L" or character == "\u3007")), hex(ord(character))
            )

    def test_the_iota_subscript_is_the_one_non_starter_that_folds(self) -> None:
        marks = [c for c in reference.FOLD if unicodedata.combining(c) and unicodedata.normalize("NFD", c) == c]
        self.assertEqual(marks, ["\u0345"])
        highest = max(unicodedata.combining(c) for c in reference.ASSIGNED)
        self.assertEqual([c for c in reference.ASSIGNED if unicodedata.combining(c) == highest], ["\u0345"])


class Properties(unittest.TestCase):
    """What holds for every text."""

    def test_repair_is_what_the_library_does(self) -> None:
        chance = random.Random(31)
        leads = bytes.fromhex("00417f8090a0bfc1c2dfe0e1edeeeff0f1f3f4f5ff")
        for _ in range(20_000):
            data = bytes(chance.choice(leads) for _ in range(chance.randint(0, 9)))
            self.assertEqual(reference.repair(data), data.decode("utf-8", "replace"), data.hex())

    def test_repair_leaves_valid_text(self) -> None:
        for text in random_texts(500, 32):
            valid = text.replace("\ud800", "")
            valid = "".join(c for c in valid if not 0xD800 <= ord(c) < 0xE000)
            self.assertEqual(reference.repair(valid.encode("utf-8")), valid)

    def test_decomposition_is_what_the_library_does(self) -> None:
        for text in [*random_texts(3000, 40), "".join(map(chr, range(0x110000)))]:
            assigned = reference.unassigned_to_space(text)
            self.assertTrue(reference.decompose(assigned) == unicodedata.normalize("NFD", assigned), ascii(text)[:200])

    def test_normalised_text(self) -> None:
        for text in random_texts(3000, 41):
            normalised = reference.normalise(reference.unassigned_to_space(text))
            self.assertEqual(reference.normalise(normalised), normalised, ascii(text))
            self.assertTrue(unicodedata.is_normalized("NFC", normalised))
            self.assertLessEqual(set(normalised), reference.ASSIGNED)
            self.assertTrue(set(unicodedata.normalize("NFD", normalised)).isdisjoint(reference.FOLD), ascii(text))
            marks = "".join("m" if unicodedata.combining(c) else "." for c in unicodedata.normalize("NFD", normalised))
            self.assertNotIn("m" * 31, marks)

    def test_canonically_equivalent_texts_are_one(self) -> None:
        chance = random.Random(42)
        for text in random_texts(3000, 43):
            assigned = reference.unassigned_to_space(text)
            normalised = reference.normalise(assigned)
            for form in ("NFC", "NFD"):
                self.assertEqual(reference.normalise(unicodedata.normalize(form, assigned)), normalised, ascii(text))
            swapped = list(unicodedata.normalize("NFD", assigned))
            for _ in range(len(swapped)):
                at = chance.randrange(len(swapped) - 1) if len(swapped) > 1 else 0
                one, other = (unicodedata.combining(c) for c in (swapped[at : at + 2] * 2)[:2])
                if one and other and one != other:
                    swapped[at : at + 2] = swapped[at + 1], swapped[at]
            self.assertEqual(reference.normalise("".join(swapped)), normalised, ascii(text))

    def test_short_runs_follow_the_unicode_standard(self) -> None:
        """Texts without U+0345, joiners or long runs: NFKC_Casefold as the library would build it. [4.2]"""
        for point in range(0x110000):
            character = chr(point)
            if character in reference.ASSIGNED and reference.FOLD.get(character) != "":
                folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character.casefold()).casefold())
                folded = "".join(c for c in folded if reference.FOLD.get(c) != "")
                self.assertEqual(reference.normalise(character), unicodedata.normalize("NFC", folded), hex(point))

    def test_cuts_position_by_position(self) -> None:
        patterns = [re.compile(p) for p in (reference.URL, reference.NAMED, reference.EMAIL, reference.DOI)]
        chance = random.Random(51)
        pieces = [
            "a",
            "b1",
            ".",
            "@",
            "-",
            "://",
            "www.",
            "doi:",
            "10.",
            "1234",
            "/",
            " ",
            "\u00e9",
            "\u4e2d",
            "x" * 33,
            "_",
            ":",
        ]
        for _ in range(5000):
            text = "".join(chance.choice(pieces) for _ in range(chance.randint(0, 14)))
            left, at = [], 0
            while at < len(text):
                match = next(filter(None, (pattern.match(text, at) for pattern in patterns)), None)
                left.append(" " if match else text[at])
                at = match.end() if match else at + 1
            self.assertEqual(reference.cut(text), "".join(left), ascii(text))

    def test_tokens_by_regular_expression(self) -> None:
        for raw in random_texts(3000, 61):
            text = reference.normalise(reference.unassigned_to_space(raw))
            classes = "".join(reference.CLASSES.get(c, ".") for c in text)
            expected = []
            for match in re.finditer(r"(P[PM]*)|[LMDC]+", classes):
                start, end = match.span()
                if match[1]:
                    spans = [(i, i + 2) for i in range(start, end - 1)] or [(start, end)]
                else:
                    inner = re.search(r"[LMD](?:[LMDC]*[LMD])?", match[0])
                    spans = [(start + inner.start(), start + inner.end())] if inner else []
                    spans = [(a, b) for a, b in spans if b - a <= 128]
                expected += [text[a:b] for a, b in spans if re.search("[PL]", classes[a:b])]
            self.assertEqual(list(reference.tokens(text)), expected, ascii(text))

    def test_token_hash_written_out(self) -> None:
        chance = random.Random(71)
        for size in [*range(64), *(chance.randrange(600) for _ in range(300))]:
            key = chance.randbytes(size)
            self.assertEqual(reference.token_hash(key), lookup3(key), key.hex())

    def test_counters_by_occurrence(self) -> None:
        chance = random.Random(72)
        for _ in range(200):
            tokens = [chance.choice("abcdefgh") * chance.randint(1, 3) for _ in range(chance.randint(1, 60))]
            totals = [0] * 64
            for token in tokens:
                for bit in range(64):
                    totals[bit] += 1 if lookup3(token.encode()) & 1 << bit else -1
            self.assertEqual(reference.counters(tokens), (totals, len(tokens)))
            found = reference.fingerprint_of_tokens(tokens)
            self.assertEqual([found.value >> bit & 1 for bit in range(64)], [int(total > 0) for total in totals])
            chance.shuffle(tokens)
            self.assertEqual(reference.fingerprint_of_tokens(tokens), found)

    def test_renderings_of_one_text_are_one(self) -> None:
        def print_of(name: str) -> object:
            return next(c["expected"]["string"] for c in vector_stages.load("documents") if c["name"] == name)

        self.assertEqual(print_of("English"), print_of("English, otherwise rendered"))
        self.assertEqual(print_of("English"), print_of("English, composed of full-width letters"))
        self.assertEqual(print_of("English"), print_of("valid UTF-8"))

    def test_strings_there_and_back(self) -> None:
        chance = random.Random(73)
        for value in [0, 1, 2**63, 2**64 - 1, *(chance.getrandbits(64) for _ in range(2000))]:
            string = reference.to_string(value)
            library = base64.b32encode(value.to_bytes(8, "big")).decode("ascii").rstrip("=").lower()
            self.assertEqual(string, f"sd1:{library}")
            self.assertEqual(reference.from_string(string), value)
            self.assertEqual(reference.from_string(string.upper()), value)
            self.assertEqual(int(reference.to_hex(value), 16), int(reference.to_decimal(value)))

    def test_one_fingerprint_has_one_string(self) -> None:
        string = reference.to_string(0x0123456789ABCDEF)
        for position in range(len(string)):
            for character in map(chr, range(0x20, 0x250)):
                changed = string[:position] + character + string[position + 1 :]
                with contextlib.suppress(reference.RefusedError):
                    same = reference.from_string(changed) == reference.from_string(string)
                    self.assertEqual(same, changed.isascii() and changed.lower() == string, ascii(changed))

    def test_distance_is_a_metric(self) -> None:
        chance = random.Random(74)
        for _ in range(500):
            a, b, c = (chance.getrandbits(64) for _ in range(3))
            self.assertEqual(reference.distance(a, b), bin(a ^ b).count("1"))
            self.assertLessEqual(reference.distance(a, c), reference.distance(a, b) + reference.distance(b, c))


class CommandLine(unittest.TestCase):
    """The two ways to call the reference."""

    def run_reference(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, nearprint_reference.__file__, *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, encoding="utf-8", check=False)

    def test_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            text, empty = Path(folder, "text"), Path(folder, "empty")
            text.write_bytes(b"\xef\xbb\xbfFingerprint\xff")
            empty.write_bytes(b"1 2 3")
            done = self.run_reference(str(text), str(empty))
        expected = reference.to_string(reference.fingerprint("fingerprint").value)
        self.assertEqual(done.stdout.splitlines(), [f"{expected}\t{text}", f"none\t{empty}"])

    def test_stages(self) -> None:
        cases = vector_stages.load("documents")
        lines = "".join(json.dumps({"id": number} | case["input"]) + "\n" for number, case in enumerate(cases))
        done = self.run_reference("--stages", stdin=lines)
        answers = [json.loads(line) for line in io.StringIO(done.stdout)]
        self.assertEqual(len(answers), len(cases), done.stderr)
        for number, (case, answer) in enumerate(zip(cases, answers, strict=True)):
            self.assertEqual(answer.pop("id"), number)
            self.assertEqual(answer.pop("hashes"), [f"{lookup3(t.encode()):016x}" for t in answer["tokens"]])
            of_the_family = {
                field: answer.pop(field) for field in list(answer) if field[:4] in ("sl1_", "md1_", "wd1_")
            }
            for scheme in ("sl1", "md1", "wd1"):
                found = family.fingerprint_of_tokens(scheme, answer["tokens"])
                string = family.to_string(scheme, found.value) if found else None
                self.assertEqual(of_the_family[f"{scheme}_string"], string)
            self.assertEqual(answer, case["expected"])

    def test_nothing_to_do_is_refused(self) -> None:
        self.assertEqual(self.run_reference().returncode, 2)


def lookup3(key: bytes) -> int:
    """Clause [7.1] line by line."""

    def rot(x: int, k: int) -> int:
        return (x << k) % 2**32 | x >> (32 - k)

    a = b = c = (0xDEADBEEF + len(key)) % 2**32
    while len(key) > 12:
        a += int.from_bytes(key[0:4], "little")
        b += int.from_bytes(key[4:8], "little")
        c += int.from_bytes(key[8:12], "little")
        a, b, c = a % 2**32, b % 2**32, c % 2**32
        a = (a - c) % 2**32 ^ rot(c, 4)
        c = (c + b) % 2**32
        b = (b - a) % 2**32 ^ rot(a, 6)
        a = (a + c) % 2**32
        c = (c - b) % 2**32 ^ rot(b, 8)
        b = (b + a) % 2**32
        a = (a - c) % 2**32 ^ rot(c, 16)
        c = (c + b) % 2**32
        b = (b - a) % 2**32 ^ rot(a, 19)
        a = (a + c) % 2**32
        c = (c - b) % 2**32 ^ rot(b, 4)
        b = (b + a) % 2**32
        key = key[12:]
    if key:
        tail = key + bytes(12 - len(key))
        a = (a + int.from_bytes(tail[0:4], "little")) % 2**32
        b = (b + int.from_bytes(tail[4:8], "little")) % 2**32
        c = (c + int.from_bytes(tail[8:12], "little")) % 2**32
        c = ((c ^ b) - rot(b, 14)) % 2**32
        a = ((a ^ c) - rot(c, 11)) % 2**32
        b = ((b ^ a) - rot(a, 25)) % 2**32
        c = ((c ^ b) - rot(b, 16)) % 2**32
        a = ((a ^ c) - rot(c, 4)) % 2**32
        b = ((b ^ a) - rot(a, 14)) % 2**32
        c = ((c ^ b) - rot(b, 24)) % 2**32
    return c << 32 | b


if __name__ == "__main__":
    unittest.main()
