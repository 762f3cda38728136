#!/usr/bin/env python3
"""Derives the four tables of the standard (SPEC.md, section 2 and clause [6.1]) from published Unicode data.

Two derivations that share no data source must give identical bytes:

  perl     Perl 5.36's own Unicode 14.0.0 data, asked through Unicode::UCD
  debian   Debian's package unicode-data (15.0.0 or later), restricted by DerivedAge.txt to code points of Age <= 14.0

and Python 3.11's own Unicode 14.0.0 data must agree with both on everything it knows: the general categories, the
folding map recomputed from the definition of NFKC_Casefold, decompositions, combining classes and what composes.

  generate.py                 writes the tables and DIGESTS (from perl)
  generate.py --check         the committed files against their digests and every source found here (at least one)
  generate.py --check-perl    the same, against perl only
  generate.py --check-debian  the same, against unicode-data only
"""

from __future__ import annotations

import argparse
import hashlib
import pathlib
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
DEBIAN = pathlib.Path("/usr/share/unicode")
UNICODE = "14.0.0"
AGE = (14, 0)
TABLES = ("assigned.txt", "classes.txt", "fold.txt", "normal.txt")  # in the order of DIGESTS: a new one comes last
FOLD_ENTRIES = 6660
HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic [2.3]

PAIR_SCRIPTS = (
    "Han Hiragana Katakana Bopomofo Yi Thai Lao Khmer Myanmar Tai_Tham Tai_Le New_Tai_Lue Tai_Viet Javanese Balinese"
)
PAIR_EXTRA = frozenset([*range(0x3005, 0x3008), *range(0x3031, 0x3036), 0x303C, 0x30FC])
CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co"  # all but Cn

# Prints "G name first last", "S name first last" and "F code-point mapping..." for all code points; of those that are
# not syllables of Hangul "D code-point mapping..." for canonical decompositions, "K class first last" for combining
# classes, and "X x first last" for what does not compose.
PERL = r"""
use strict; use warnings; use Unicode::UCD qw(prop_invlist prop_invmap);
my $version = Unicode::UCD::UnicodeVersion(); $version eq "14.0.0" or die "perl's Unicode is $version, not 14.0.0\n";
sub ranges { my ($kind, $name, @list) = @_; push @list, 0x110000 if @list % 2;
  for (my $i = 0; $i < @list; $i += 2) { print "$kind $name $list[$i] ", $list[$i + 1] - 1, "\n" } }
my ($categories, $scripts) = @ARGV;
ranges("G", $_, prop_invlist("General_Category=$_")) for split / /, $categories;
ranges("S", $_, prop_invlist("Script=$_")) for split / /, $scripts;
my ($starts, $maps, $format) = prop_invmap("NFKC_Casefold"); $format eq "ale" or die "format $format\n";
for my $i (0 .. $#$starts) { my $map = $maps->[$i]; next if !ref $map && $map eq "0";
  my $end = $i < $#$starts ? $starts->[$i + 1] : 0x110000;
  for my $cp ($starts->[$i] .. $end - 1) {
    my @to = ref $map ? @$map : $map eq "" ? () : ($map + $cp - $starts->[$i]);
    print join(" ", "F", $cp, @to), "\n" } }
ranges("K", $_, prop_invlist("Canonical_Combining_Class=$_")) for 1 .. 254;
ranges("X", "x", prop_invlist("Full_Composition_Exclusion=Y"));
my %canonical; my @list = prop_invlist("Decomposition_Type=Canonical");
for (my $i = 0; $i < @list; $i += 2) { $canonical{$_} = 1 for $list[$i] .. $list[$i + 1] - 1 }
($starts, $maps, $format) = prop_invmap("Decomposition_Mapping"); $format eq "ad" or die "format $format\n";
for my $i (0 .. $#$starts) { my $map = $maps->[$i]; my $end = $i < $#$starts ? $starts->[$i + 1] : 0x110000;
  for my $cp ($starts->[$i] .. $end - 1) {
    next unless $canonical{$cp}; next if $cp >= 0xAC00 && $cp <= 0xD7A3;
    my @to = ref $map ? @$map : ($map + $cp - $starts->[$i]);
    print join(" ", "D", $cp, @to), "\n" } }
"""


class Data(NamedTuple):
    """What the tables need of a Unicode version: dictionaries by code point; absent means Cn, not asked for, itself."""

    category: dict[int, str]
    script: dict[int, str]
    fold: dict[int, tuple[int, ...]]
    combining: dict[int, int]
    decomposition: dict[int, tuple[int, ...]]  # canonical, one step; without the syllables of Hangul
    excluded: set[int]  # Full_Composition_Exclusion


def from_perl() -> Data:
    """The data of the perl on the path, which must be of Unicode 14.0.0."""
    command = ["perl", "-e", PERL, CATEGORIES, PAIR_SCRIPTS]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    data = Data({}, {}, {}, {}, {}, set())
    for line in printed.splitlines():
        kind, *rest = line.split()
        if kind == "F":
            data.fold[int(rest[0])] = tuple(map(int, rest[1:]))
        elif kind == "D":
            data.decomposition[int(rest[0])] = tuple(map(int, rest[1:]))
        elif kind == "K":
            data.combining.update(dict.fromkeys(range(int(rest[1]), int(rest[2]) + 1), int(rest[0])))
        elif kind == "X":
            data.excluded.update(range(int(rest[1]), int(rest[2]) + 1))
        else:
            target = data.category if kind == "G" else data.script
            target.update(dict.fromkeys(range(int(rest[1]), int(rest[2]) + 1), rest[0]))
    return data


def debian_lines(name: str) -> Iterator[tuple[range, list[str]]]:
    """The lines of a file of the Unicode Character Database: their code points and other fields."""
    for line in (DEBIAN / name).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if fields[0]:
            first, _, last = fields[0].partition("..")
            yield range(int(first, 16), int(last or first, 16) + 1), fields[1:]


def from_debian() -> Data:
    """The data of Debian's unicode-data, without the code points that are younger than 14.0."""
    old: set[int] = set()
    for points, (age, *_) in debian_lines("DerivedAge.txt"):
        if tuple(map(int, age.split("."))) <= AGE:
            old.update(points)
    data = Data({}, {}, {}, {}, {}, set())
    begun = 0
    for points, (name, category, combining, _, mapping, *_) in debian_lines("UnicodeData.txt"):
        if points[0] in old and combining != "0":
            data.combining[points[0]] = int(combining)
        if points[0] in old and mapping and not mapping.startswith("<"):
            data.decomposition[points[0]] = tuple(int(number, 16) for number in mapping.split())
        if name.endswith(", First>"):
            begun = points[0]
        else:
            first = begun if name.endswith(", Last>") else points[0]
            data.category.update((point, category) for point in range(first, points[-1] + 1) if point in old)
    for points, (script, *_) in debian_lines("Scripts.txt"):
        if script in PAIR_SCRIPTS.split():
            data.script.update((point, script) for point in points if point in old)
    for points, fields in debian_lines("DerivedNormalizationProps.txt"):
        if fields[0] == "NFKC_CF":
            mapping = tuple(int(number, 16) for number in fields[1].split())
            data.fold.update((point, mapping) for point in points if point in old)
        elif fields[0] == "Full_Composition_Exclusion":
            data.excluded.update(point for point in points if point in old)
    return data


def defined_fold(point: int, deleted: set[int]) -> tuple[int, ...]:
    """NFKC_Casefold of one code point from its definition: normalise and fold until nothing changes, then delete."""
    text, before = unicodedata.normalize("NFD", chr(point)), ""
    while text != before:
        before = text
        kept = "".join(c for c in text.casefold() if ord(c) not in deleted)
        text = unicodedata.normalize("NFKC", kept)
    return tuple(map(ord, text))


def assert_python_agrees(data: Data) -> None:
    """Compares the data with what Python knows of Unicode 14.0.0."""
    if unicodedata.unidata_version != UNICODE:
        sys.exit(f"needs a Python whose unicodedata is {UNICODE} (3.11), not {unicodedata.unidata_version}")
    deleted = {point for point, mapping in data.fold.items() if not mapping}
    for point in range(0x110000):
        category = unicodedata.category(chr(point))
        if data.category.get(point, "Cn") != category:
            sys.exit(f"U+{point:04X}: General_Category {data.category.get(point, 'Cn')}, but Python says {category}")
        if category not in ("Cn", "Cs"):
            mapping, defined = data.fold.get(point, (point,)), defined_fold(point, deleted)
            if mapping != defined:
                sys.exit(f"U+{point:04X}: NFKC_Casefold {mapping}, but by its definition {defined}")
        if point not in HANGUL:
            assert_python_normalises(point, data)


def assert_python_normalises(point: int, data: Data) -> None:
    """Compares decomposition, combining class and composition of a code point with Python's."""
    character = chr(point)
    known = unicodedata.decomposition(character)
    canonical = () if known.startswith("<") else tuple(int(number, 16) for number in known.split())
    composes = bool(canonical) and unicodedata.normalize("NFC", character) == character
    found = data.combining.get(point, 0), data.decomposition.get(point, ()), is_composite(point, data)
    if found != (unicodedata.combining(character), canonical, composes):
        sys.exit(f"U+{point:04X}: {found}, but Python says {unicodedata.combining(character), canonical, composes}")


def is_composite(point: int, data: Data) -> bool:
    """Whether two code points compose to this one."""
    return point in data.decomposition and point not in data.excluded


def ranges(values: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """The maximal ranges of neighbouring code points of one value; code points must ascend."""
    run: tuple[int, int, str] | None = None
    for point, value in values:
        if run and run[1] + 1 == point and run[2] == value:
            run = (run[0], point, value)
        else:
            if run:
                yield run
            run = (point, point, value)
    if run:
        yield run


def token_class(point: int, data: Data) -> str:
    """The class of clause [6.1], empty where the code point separates."""
    category = data.category[point]
    if point in PAIR_EXTRA or (category[0] == "L" and point in data.script):
        return "P"
    return {"Mn": "M", "Mc": "M", "Nd": "D", "Pc": "C"}.get(category, "L" if category[0] == "L" else "")


def normal_line(point: int, data: Data) -> str:
    """The line of a code point in normal.txt."""
    mapping = " ".join(f"{number:04X}" for number in data.decomposition.get(point, ()))
    composes = "=" if is_composite(point, data) else ""
    return f"{point:04X};{data.combining.get(point, 0)};{mapping};{composes}"


def tables(data: Data) -> dict[str, bytes]:
    """The files by their names."""
    assigned = sorted(point for point, category in data.category.items() if category not in ("Cn", "Cs"))
    classes = ((point, token_class(point, data)) for point in assigned)
    entries = [point for point in assigned if data.fold.get(point, (point,)) != (point,)]
    if len(entries) != FOLD_ENTRIES:
        sys.exit(f"the folding map has {len(entries)} entries, not {FOLD_ENTRIES}")
    normal = (point for point in assigned if point in data.combining or point in data.decomposition)
    texts = {
        "assigned.txt": "".join(f"{a:04X}..{b:04X}\n" for a, b, _ in ranges((point, "") for point in assigned)),
        "classes.txt": "".join(f"{a:04X}..{b:04X};{c}\n" for a, b, c in ranges(pair for pair in classes if pair[1])),
        "fold.txt": "".join(f"{p:04X};{' '.join(f'{q:04X}' for q in data.fold[p])}\n" for p in entries),
        "normal.txt": "".join(f"{normal_line(point, data)}\n" for point in normal),
    }
    return {name: text.encode("ascii") for name, text in texts.items()}


def digests(files: dict[str, bytes]) -> bytes:
    """The file DIGESTS, in the form `sha256sum -c` reads."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in TABLES).encode("ascii")


def check(sources: list[str]) -> None:
    """Fails unless the committed files are what each source gives."""
    committed = {name: (HERE / name).read_bytes() for name in TABLES}
    if (HERE / "DIGESTS").read_bytes() != digests(committed):
        sys.exit("DIGESTS does not fit the tables")
    for source in sources:
        data = SOURCES[source]()
        assert_python_agrees(data)
        fresh = tables(data)
        for name in TABLES:
            if fresh[name] != committed[name]:
                sys.exit(f"{name} is not what the data of {source} gives")
        print(f"{source}: {', '.join(TABLES)} are identical")


SOURCES = {"perl": from_perl, "debian": from_debian}


def available() -> list[str]:
    """The sources that this machine has."""
    probe = ["perl", "-MUnicode::UCD", "-e", f'exit(Unicode::UCD::UnicodeVersion() ne "{UNICODE}")']
    try:
        perl = subprocess.run(probe, check=False, stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        perl = False
    found = ["perl"] * perl + ["debian"] * (DEBIAN / "DerivedAge.txt").exists()
    if not found:
        sys.exit(f"needs a perl of Unicode {UNICODE} (5.36) with Unicode::UCD, or Debian's package unicode-data")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_mutually_exclusive_group()
    for mode in ("--check", "--check-perl", "--check-debian"):
        modes.add_argument(mode, action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        check(available())
    elif arguments.check_perl or arguments.check_debian:
        check(["perl" if arguments.check_perl else "debian"])
    else:
        data = from_perl()
        assert_python_agrees(data)
        files = tables(data)
        for name, content in {**files, "DIGESTS": digests(files)}.items():
            (HERE / name).write_bytes(content)


if __name__ == "__main__":
    main()
