#!/usr/bin/env python3
"""Writes src/unicode/tables.rs: the Unicode data of the fingerprint's stages as lookup tables.

Sources: the standard's own tables (spec/tables: assigned, fold, classes) and, for canonical decomposition, combining
classes and composition, the unicodedata module of a Python whose Unicode version is 14.0.0 (Python 3.11).

  generate.py            writes the file
  generate.py --check    fails when the committed file is not what would be written

The tests of the crate hold the result a second time against spec/tables (every code point) and against an independent
implementation of the normalisation forms.
"""

from __future__ import annotations

import pathlib
import sys
import unicodedata
from collections.abc import Callable, Sequence

CRATE = pathlib.Path(__file__).resolve().parent.parent
TABLES = CRATE.parent.parent / "spec" / "tables"
OUTPUT = CRATE / "src" / "unicode" / "tables.rs"
UNICODE = "14.0.0"
SIZE = 0x110000

# The layout of a properties word, stated once: these constants are written into the generated file.
LETTER, DIGIT, CONNECTOR, MARK, PAIR, TRIGGER, WORD = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40
CLASSES = {"L": WORD | LETTER, "D": WORD | DIGIT, "C": WORD | CONNECTOR, "M": WORD | MARK, "P": PAIR}
TRIGGERS = ".:@"
NON_STARTER, QUICK, MAYBE, UNASSIGNED = 0x80, 0x100, 0x200, 0x400
CCC_SHIFT, DELTA_SHIFT = 11, 19
DELTA_BITS = 32 - DELTA_SHIFT
FAR = -(1 << (DELTA_BITS - 1))  # the delta that says: the target is the folding map's

# Below this the properties need no block number: what is of one or two bytes in UTF-8, and the scripts of India and Southeast Asia, whose words are as
# long as those of others and their code points three bytes each.
DIRECT = 0x1200

HANGUL = range(0xAC00, 0xD7A4)
JAMO_SECONDS = [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]


def read_assigned() -> list[bool]:
    assigned = [False] * SIZE
    for line in (TABLES / "assigned.txt").read_text("ascii").splitlines():
        first, last = (int(number, 16) for number in line.split(".."))
        assigned[first : last + 1] = [True] * (last + 1 - first)
    return assigned


def read_fold() -> dict[int, str]:
    fold = {}
    for line in (TABLES / "fold.txt").read_text("ascii").splitlines():
        point, mapping = line.split(";")
        fold[int(point, 16)] = "".join(chr(int(number, 16)) for number in mapping.split())
    return fold


def read_classes() -> list[int]:
    classes = [0] * SIZE
    for line in (TABLES / "classes.txt").read_text("ascii").splitlines():
        span, name = line.split(";")
        first, last = (int(number, 16) for number in span.split(".."))
        classes[first : last + 1] = [CLASSES[name]] * (last + 1 - first)
    for trigger in TRIGGERS:
        assert classes[ord(trigger)] == 0
        classes[ord(trigger)] = TRIGGER
    return classes


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def compositions() -> dict[tuple[int, int], int]:
    """The primary composites, without Hangul syllables: (first, second) to the composite."""
    pairs = {}
    for point in range(SIZE):
        mapping = unicodedata.decomposition(chr(point)).split()
        if (
            len(mapping) == 2
            and not mapping[0].startswith("<")
            and unicodedata.normalize("NFC", chr(point)) == chr(point)
        ):
            pairs[int(mapping[0], 16), int(mapping[1], 16)] = point
    return pairs


def properties(point: int, assigned: list[bool], fold: dict[int, str], classes: list[int], seconds: set[int]) -> int:
    """The properties word of a code point; its parts are explained in src/unicode/mod.rs.

    A code point is quick where what comes of it alone is one code point that can be appended as it stands, whatever
    precedes it (MAYBE: unless it composes with that), and that ends like its source, so that the same may follow.
    """
    if not assigned[point]:
        return UNASSIGNED
    decomposed = nfd(chr(point))
    folded = "".join(fold.get(ord(c), c) for c in decomposed)
    result = unicodedata.normalize("NFC", folded)
    if len(result) != 1 or unicodedata.normalize("NFC", chr(point)) != chr(point):
        return 0
    target, parts = ord(result), nfd(result)
    ccc = [unicodedata.combining(c) for c in decomposed]
    if [unicodedata.combining(c) for c in parts] != ccc:
        return 0
    joins_backward = {ord(decomposed[0]), ord(parts[0])} & seconds
    if joins_backward and not (point == target and len(decomposed) == 1):
        return 0
    if len(decomposed) > 1 and ccc[0] != 0:
        return 0
    delta = target - point
    if not FAR < delta < -FAR:
        if fold.get(point) != result:
            return 0
        delta = FAR
    maybe = MAYBE if joins_backward else 0
    moves = NON_STARTER if ccc[0] != 0 else 0
    return (
        QUICK
        | maybe
        | moves
        | classes[target]
        | ccc[-1] << CCC_SHIFT
        | (delta & ((1 << DELTA_BITS) - 1)) << DELTA_SHIFT
    )


def two_stage(values: Sequence[int], shift: int) -> tuple[list[int], list[int]]:
    """Block numbers, and the distinct blocks of 2^shift values one after another."""
    size = 1 << shift
    index, data, known = [], [], {}
    for start in range(0, SIZE, size):
        block = tuple(values[start : start + size])
        if block not in known:
            known[block] = len(data) >> shift
            data.extend(block)
        index.append(known[block])
    return index, data


def array(name: str, kind: str, values: Sequence[int], comment: str, form: Callable[[int], str] = str) -> str:
    lines, line = [], "   "
    for value in values:
        item = f" {form(value)},"
        if len(line) + len(item) > 118:
            lines.append(line)
            line = "   "
        line += item
    lines.append(line)
    return f"/// {comment}\npub(super) static {name}: [{kind}; {len(values)}] = [\n" + "\n".join(lines) + "\n];\n"


def sequences(entries: dict[int, str]) -> tuple[list[int], list[int]]:
    """For each code point the offset of its sequence (0: none), and the sequences, each led by its length."""
    offsets, pool, known = [0] * SIZE, [0], {}
    for point, text in sorted(entries.items()):
        if text not in known:
            known[text] = len(pool)
            pool.extend([len(text), *map(ord, text)])
        offsets[point] = known[text]
    assert len(pool) < 1 << 16
    return offsets, pool


def generate() -> str:
    if unicodedata.unidata_version != UNICODE:
        sys.exit(
            f"generate.py needs a Python whose unicodedata is {UNICODE} (3.11); this one has {unicodedata.unidata_version}"
        )
    assigned, fold, classes = read_assigned(), read_fold(), read_classes()
    composites = compositions()
    seconds = {second for _, second in composites} | set(JAMO_SECONDS)
    # Surrogates never occur in Rust text; chr() of them would disturb the normalisation below.
    words = [
        UNASSIGNED if 0xD800 <= point < 0xE000 else properties(point, assigned, fold, classes, seconds)
        for point in range(SIZE)
    ]
    decompositions = {
        point: nfd(chr(point))
        for point in range(SIZE)
        if assigned[point] and point not in HANGUL and nfd(chr(point)) != chr(point)
    }
    assert max(len(text) for text in decompositions.values()) <= 4
    combining = [unicodedata.combining(chr(point)) if assigned[point] else 0 for point in range(SIZE)]

    parts = [
        "// Generated by unicode/generate.py from spec/tables and Unicode 14.0.0. Do not edit: change the generator.\n",
        "// Layout: see src/unicode/mod.rs, which reads these tables.\n",
        "".join(
            f"pub(crate) const {name}: {kind} = {value};\n"
            for name, kind, value in [
                ("LETTER", "u8", LETTER),
                ("DIGIT", "u8", DIGIT),
                ("CONNECTOR", "u8", CONNECTOR),
                ("MARK", "u8", MARK),
                ("PAIR", "u8", PAIR),
                ("TRIGGER", "u8", TRIGGER),
                ("WORD", "u8", WORD),
                ("NON_STARTER", "u32", NON_STARTER),
                ("QUICK", "u32", QUICK),
                ("MAYBE", "u32", MAYBE),
                ("UNASSIGNED", "u32", UNASSIGNED),
                ("CCC_SHIFT", "u32", CCC_SHIFT),
                ("DELTA_SHIFT", "u32", DELTA_SHIFT),
                ("FAR", "i32", FAR),
                ("PROPERTIES_DIRECT", "u32", DIRECT),
            ]
        ),
    ]

    def staged(
        name: str, kind: str, values: Sequence[int], shift: int, comment: str, form: Callable[[int], str] = str
    ) -> None:
        index, data = two_stage(values, shift)
        if name == "PROPERTIES":
            assert index[: DIRECT >> shift] == list(range(DIRECT >> shift))
        index_kind = "u8" if max(index) < 256 else "u16"
        parts.append(f"pub(super) const {name}_SHIFT: u32 = {shift};\n")
        parts.append(array(f"{name}_BLOCKS", index_kind, index, f"Block numbers of [`{name}`]."))
        parts.append(array(name, kind, data, comment, form))

    staged("PROPERTIES", "u32", words, 7, "Properties words, in blocks of 128.", lambda word: f"{word:#x}")
    staged(
        "CLASSES",
        "u8",
        classes,
        7,
        "Classes of the code points themselves, in blocks of 128.",
        lambda value: f"{value:#x}",
    )
    staged("COMBINING", "u8", combining, 7, "Canonical combining classes, in blocks of 128.")
    offsets, pool = sequences(decompositions)
    staged("DECOMPOSITIONS", "u16", offsets, 6, "Offsets into [`DECOMPOSED`], in blocks of 64; 0: none.")
    parts.append(
        array(
            "DECOMPOSED",
            "u32",
            pool,
            "Full canonical decompositions, each led by its length.",
            lambda value: f"{value:#x}",
        )
    )
    offsets, pool = sequences(fold)
    staged("FOLDINGS", "u16", offsets, 6, "Offsets into [`FOLDED`], in blocks of 64; 0: none.")
    parts.append(
        array(
            "FOLDED", "u32", pool, "Mappings of the folding map, each led by its length.", lambda value: f"{value:#x}"
        )
    )
    ordered = sorted((second, first, whole) for (first, second), whole in composites.items())
    parts.append(
        array(
            "COMPOSITION_KEYS",
            "u64",
            [second << 32 | first for second, first, _ in ordered],
            "Primary composites without Hangul: second code point in the upper half, first in the lower; sorted.",
            lambda value: f"{value:#x}",
        )
    )
    parts.append(
        array(
            "COMPOSITES",
            "u32",
            [whole for *_, whole in ordered],
            "The composites of [`COMPOSITION_KEYS`].",
            lambda value: f"{value:#x}",
        )
    )
    return "\n".join(parts)


def main() -> None:
    text = generate()
    if sys.argv[1:] == ["--check"]:
        if OUTPUT.read_text("utf-8") != text:
            sys.exit(f"{OUTPUT.relative_to(CRATE)} is stale: run unicode/generate.py")
        print("tables.rs is what unicode/generate.py writes")
    elif not sys.argv[1:]:
        OUTPUT.write_text(text, "utf-8")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
