#!/usr/bin/env python3
"""Tests of sl1, md1 and wd1, of comparisons, and of compare.py: properties, and the same again in another way.

python3 -m unittest discover -s reference -p "test_*.py"
"""

from __future__ import annotations

import base64
import contextlib
import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from math import sqrt
from pathlib import Path

import compare
import nearprint_family as family
import nearprint_reference
import nearprint_sd1 as sd1
import vector_stages

ROOT = Path(__file__).resolve().parent.parent
SPEC = (ROOT / "spec" / "SPEC.md").read_text("utf-8")
M64 = 2**64 - 1


def set_of(chance: random.Random, size: int) -> set[int]:
    """A set of elements."""
    return {chance.getrandbits(64) for _ in range(size)}


def some_tokens(chance: random.Random, most: int = 120) -> list[str]:
    """Tokens, some of them often."""
    return [f"w{int(chance.expovariate(0.1))}" for _ in range(chance.randint(1, most))]


class Standard(unittest.TestCase):
    """What the text of the standard says, against what the reference has."""

    def test_the_table_of_schemes(self) -> None:
        rows = re.findall(r"^\| `[a-z-]+` \| `([a-z0-9]+)` \|.*\| (\d+) bytes \|", SPEC, re.MULTILINE)
        self.assertEqual(dict(rows), {scheme: str(rules.bits // 8) for scheme, rules in family.SCHEMES.items()})

    def test_the_constants(self) -> None:
        text = SPEC.partition("## 11.")[2].lower()
        for number in (family.ROUND_STEP, family.SHINGLE_FACTOR, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            self.assertEqual(text.count(f"0x{number:x}"), 1)

    def test_the_distances_of_matches(self) -> None:
        close, md1, wd1 = map(
            int, re.findall(r"distance <= (\d+)", SPEC.partition("\n[11.10]")[2].partition("\n\n")[0])
        )
        for scheme, loose in (("md1", md1), ("wd1", wd1)):
            self.assertEqual([grade(scheme, apart) for apart in (0, close, close + 1)], ["close", "close", "loose"])
            self.assertEqual([grade(scheme, apart) for apart in (loose, loose + 1)], ["loose", "none"])

    def test_the_vectors_readme_names_every_file(self) -> None:
        readme = (vector_stages.VECTORS / "README.md").read_text("utf-8")
        self.assertEqual(re.findall(r"^\| `([a-z_]+)\.json` \|", readme, re.MULTILINE), [*in_readme()])


def in_readme() -> list[str]:
    """The files in the order of the table: those of sd1 first."""
    names = list(vector_stages.STAGES)
    return [name for name in names if name != "family_large"] + ["family_large"]


def grade(scheme: str, apart: int) -> str:
    """The match of two sketches with a distance."""
    other = sum(1 << 16 * place for place in range(apart))
    return family.compare(family.to_string(scheme, 0), family.to_string(scheme, other)).match


class Sketches(unittest.TestCase):
    """Section 11."""

    def test_bin_by_bin(self) -> None:
        chance = random.Random(111)
        for size in [1, 1, 2, 3, 4, 5, 6, 8, 13, 40, 127, 128, 129, 500]:
            elements = set_of(chance, size)
            winners = []
            for number in range(128):
                thrown = ((r, hashed(x, r)) for r in range(128) for x in elements)
                there = [(r, value) for r, value in thrown if value >> 57 == number]
                last = [(128 + number, hashed(x, 128 + number)) for x in elements]
                winners.append(min(there, default=min(last)))
            found = family.sketch(elements)
            self.assertEqual(found.numbers, [value & 0xFFFF for _, value in winners])
            self.assertEqual(found.rounds, max(r for r, _ in winners) + 1)

    def test_order_and_repetition_do_not_matter(self) -> None:
        chance = random.Random(112)
        for size in (1, 7, 300):
            elements = [*set_of(chance, size)]
            self.assertEqual(family.sketch(elements), family.sketch(elements[::-1] * 2))

    def test_a_union_has_the_numbers_of_its_parts(self) -> None:
        chance = random.Random(113)
        for size in (1, 3, 30, 200):
            one, other = set_of(chance, size), set_of(chance, chance.randint(1, 200))
            parts = zip(family.sketch(one).numbers, family.sketch(other).numbers, strict=True)
            union = family.sketch(one | other).numbers
            self.assertTrue(all(number in pair for number, pair in zip(union, parts, strict=True)))

    def test_equal_numbers_estimate_the_jaccard_similarity(self) -> None:
        chance = random.Random(114)
        for size in (6, 60, 600):
            for shared in (size // 6, size // 2, size * 5 // 6):
                true, sets = shared / size, 40 if size == 600 else 150
                errors = []
                for _ in range(sets):
                    elements = [*set_of(chance, size)]
                    cut = shared + (size - shared) // 2
                    one, other = elements[:cut], elements[:shared] + elements[cut:]
                    pairs = zip(family.sketch(one).numbers, family.sketch(other).numbers, strict=True)
                    errors.append(sum(a == b for a, b in pairs) / 128 - true)
                variance = true * (1 - true) / 128
                self.assertLess(abs(sum(errors) / sets), 4 * sqrt(variance / sets), (size, shared))
                self.assertLess(sum(error**2 for error in errors) / sets, 1.8 * variance, (size, shared))

    def test_shingles_by_position(self) -> None:
        chance = random.Random(115)
        for _ in range(200):
            hashes = [chance.choice([1, 2, 3, M64, chance.getrandbits(64)]) for _ in range(chance.randint(1, 12))]
            size = min(len(hashes), 3)
            expected = set()
            for start in range(len(hashes) - size + 1):
                element = 0
                for value in hashes[start : start + size]:
                    element = (element * 0x9E3779B97F4A7C15 + value) % 2**64
                expected.add(element)
            self.assertEqual(family.shingles(hashes), expected)

    def test_shared_elements_of_wd1_are_the_weighted_jaccard_similarity(self) -> None:
        chance = random.Random(116)
        for _ in range(100):
            one, other = (family.hashes(some_tokens(chance)) for _ in range(2))
            weights = [{h: len(f"{hashes.count(h):b}") for h in hashes} for hashes in (one, other)]
            both = [(weights[0].get(h, 0), weights[1].get(h, 0)) for h in {*one, *other}]
            a, b = family.weighted(one), family.weighted(other)
            self.assertEqual(Fraction(len(a & b), len(a | b)), Fraction(sum(map(min, both)), sum(map(max, both))))


def hashed(x: int, r: int) -> int:
    """`h(x, r)` of [11.1], line by line."""
    x = (x + r * 0xD6E8FEB86659FD93) % 2**64
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD % 2**64
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 % 2**64
    x ^= x >> 33
    return x


class Family(unittest.TestCase):
    """From tokens to strings and comparisons."""

    def test_order_of_tokens(self) -> None:
        chance = random.Random(101)
        moved = 0
        for _ in range(60):
            tokens = some_tokens(chance)
            shuffled = chance.sample(tokens, len(tokens))
            for scheme in ("sl1", "wd1"):
                found = family.fingerprint_of_tokens(scheme, tokens)
                self.assertEqual(family.fingerprint_of_tokens(scheme, shuffled), found)
            found = [family.fingerprint_of_tokens("md1", these) for these in (tokens, shuffled)]
            moved += found[0] != found[1]
        self.assertGreater(moved, 50)

    def test_sl1_of_single_occurrences_is_sd1(self) -> None:
        for count in (1, 2, 5, 100):
            tokens = [f"word{i}" for i in range(count)]
            self.assertEqual(family.fingerprint_of_tokens("sl1", tokens), sd1.fingerprint_of_tokens(tokens))

    def test_sl1_by_repeated_features(self) -> None:
        chance = random.Random(102)
        for _ in range(60):
            tokens = some_tokens(chance, 400)
            again = [token for token in set(tokens) for _ in range(len(f"{tokens.count(token):b}"))]
            found = family.fingerprint_of_tokens("sl1", tokens)
            self.assertEqual((found.value, found.count), (sd1.fingerprint_of_tokens(again).value, len(tokens)))

    def test_strings_there_and_back(self) -> None:
        chance = random.Random(103)
        for scheme, rules in family.SCHEMES.items():
            for value in [0, 1, (1 << rules.bits) - 1, *(chance.getrandbits(rules.bits) for _ in range(100))]:
                string = family.to_string(scheme, value)
                library = base64.b32encode(value.to_bytes(rules.bits // 8, "big")).decode("ascii").rstrip("=").lower()
                self.assertEqual(string, f"{scheme}:{library}")
                for form in (string, string.upper(), string.encode()):
                    self.assertEqual(family.from_string(form), (scheme, value))
                self.assertEqual(family.from_form(scheme, "hex", family.to_hex(scheme, value).upper()), value)

    def test_one_sketch_has_one_string(self) -> None:
        string = family.to_string("md1", int.from_bytes(bytes(range(256)), "big"))
        for position in [*range(8), 200, *range(408, len(string))]:
            for character in map(chr, range(0x20, 0x180)):
                changed = string[:position] + character + string[position + 1 :]
                with contextlib.suppress(sd1.RefusedError):
                    same = family.from_string(changed) == family.from_string(string)
                    self.assertEqual(same, changed.isascii() and changed.lower() == string, ascii(changed))

    def test_distances_place_by_place(self) -> None:
        chance = random.Random(104)
        for scheme in ("md1", "wd1"):
            for _ in range(50):
                one = [chance.randrange(65536) for _ in range(128)]
                other = [chance.choice([number, number ^ 1 << chance.randrange(16)]) for number in one]
                values = [int.from_bytes(family.bytes_of(numbers), "big") for numbers in (one, other)]
                apart = sum(a != b for a, b in zip(one, other, strict=True))
                self.assertEqual(family.distance(scheme, *values), apart)
        for _ in range(50):
            one, other = chance.getrandbits(64), chance.getrandbits(64)
            self.assertEqual(family.distance("sl1", one, other), sd1.distance(one, other))

    def test_sd1_compares_as_before(self) -> None:
        for bits in range(65):
            one, other = 0x0123456789ABCDEF, 0x0123456789ABCDEF ^ (1 << bits) - 1
            found = family.compare(sd1.to_string(one), sd1.to_string(other))
            self.assertEqual((found.distance, found.similarity), (bits, sd1.similarity(one, other)))
            self.assertEqual((found.match, found.within_default), (sd1.grade(one, other), sd1.is_within(one, other)))

    def test_unlike_schemes_are_named(self) -> None:
        with self.assertRaisesRegex(family.UnlikeSchemesError, "sd1 and sl1"):
            family.compare(family.to_string("sd1", 5), family.to_string("sl1", 5))

    def test_a_copy_with_a_changed_word_is_close(self) -> None:
        strings = {c["name"]: c["expected"]["strings"] for c in vector_stages.load("family_documents")}
        for scheme in family.SCHEMES:
            one, other = strings["English"][scheme], strings["English, one word changed"][scheme]
            self.assertNotEqual(family.compare(one, other).match, "none", scheme)
            self.assertLess(
                family.compare(one, other).distance, family.compare(one, strings["German"][scheme]).distance
            )


class Programs(unittest.TestCase):
    """The command line and compare.py."""

    def run_program(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, check=False)

    def test_schemes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder, "text")
            text.write_text("one two two three", "ascii")
            for scheme in family.SCHEMES:
                done = self.run_program(nearprint_reference.__file__, "--scheme", scheme, str(text))
                expected = family.to_string(scheme, family.fingerprint(scheme, "one two two three").value)
                self.assertEqual(done.stdout, f"{expected}\t{text}\n")
        self.assertEqual(self.run_program(nearprint_reference.__file__, "--scheme", "sd2", "x").returncode, 2)

    def compared(self, program: str) -> subprocess.CompletedProcess[str]:
        command = shlex.join([sys.executable, "-c", f"import sys\nsys.path.insert(0, 'reference')\n{program}"])
        return self.run_program(compare.__file__, "--texts", "40", "--rust", command)

    def test_parity_with_itself(self) -> None:
        done = self.compared("import nearprint_reference as n; sys.argv = ['', '--stages']; n.main()")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("every stage agrees", done.stdout)

    def test_a_difference_is_named_by_its_first_stage(self) -> None:
        change = (
            "import json, nearprint_family as f\n"
            "for line in sys.stdin:\n"
            "    record = json.loads(line)\n"
            "    done = {'id': record['id']} | f.stages(record)\n"
            "    if done['id'] == 7: done['cut'] += 'x'; done['tokens'] = []\n"
            "    if done['id'] == 9: done.pop('md1_string')\n"
            "    print(json.dumps(done))"
        )
        done = self.compared(change)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("cut differs in text 7", done.stdout)
        self.assertIn("2 differ, first in {'cut': 1, 'md1_string': 1}", done.stdout)

    def test_missing_answers_are_a_failure(self) -> None:
        done = self.compared("sys.stdin.read()")
        self.assertEqual(done.returncode, 1)
        self.assertIn("0 answers", done.stderr)

    def test_the_format_is_what_the_reference_prints(self) -> None:
        done = family.stages({"bytes_hex": "61", "declarations": ["custom:words,log,lookup3,64"]})
        self.assertEqual({"id", *done}, set(compare.FIELDS))
        self.assertLessEqual({len(json.dumps(done[field])) for field in ("value", "md1_value")}, {18, 514})


if __name__ == "__main__":
    unittest.main()
