"""Fingerprints as numbers: reading files of them, and every distance between them.

With numpy the distances of a corpus take seconds, without it minutes; both ways are the same numbers
(test_prints.py).
"""

from __future__ import annotations

import base64
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

try:
    import numpy
except ModuleNotFoundError:
    numpy = None

from labels import Labels

HEX_DIGITS = {8: 32, 16: 64, 32: 128}  # digits to bits
SKETCH_BITS = 2048  # of 128 numbers of 16 bits, compared number by number
BASE32_CHARACTERS = {7: 32, 13: 64, 26: 128, 410: SKETCH_BITS}
Counts = Counter[tuple[int, str, str]]  # (distance, family, family) to pairs


class PrintError(ValueError):
    """A fingerprint that cannot be read."""


def read_print(text: str) -> tuple[int, int]:
    """A fingerprint's value and its number of bits: hexadecimal or base32, behind an optional `scheme:`."""
    body = text.strip().rpartition(":")[2]
    if len(body) in HEX_DIGITS and all(character in "0123456789abcdefABCDEF" for character in body):
        return int(body, 16), HEX_DIGITS[len(body)]
    if len(body) in BASE32_CHARACTERS:
        try:
            data = base64.b32decode(body.upper() + "=" * (-len(body) % 8))
        except ValueError as error:
            raise PrintError(f"{text!r} is no fingerprint: {error}") from error
        return int.from_bytes(data, "big"), 8 * len(data)
    raise PrintError(
        f"{text!r} is no fingerprint: {len(body)} characters are neither hexadecimal nor base32 of 32, 64, 128 bits or a sketch"
    )


def named_prints(lines: Iterable[str], is_name: Callable[[str], bool]) -> Iterator[tuple[str, str | None]]:
    """(name, fingerprint) of JSON lines with `id` or `path` and `fingerprint`, or of two columns in either order."""
    for line in lines:
        if not line.strip():
            continue
        if line.lstrip().startswith("{"):
            record = json.loads(line)
            yield str(record.get("id") or record.get("path")), record.get("fingerprint")
        else:
            name, _, value = line.rstrip("\n").partition("\t")
            if not is_name(name) and is_name(value):
                name, value = value, name
            yield name, value or None


def prints_of(found: Iterable[tuple[str, str | None]], labels: Labels) -> tuple[dict[int, int], int, Counter[str]]:
    """The value of each labelled file, their width in bits, and how many names were `none`, `unknown` or `read`."""
    values: dict[int, int] = {}
    widths: Counter[int] = Counter()
    told: Counter[str] = Counter()
    for name, text in found:
        number = labels.find(name)
        if number is None:
            told["unknown"] += 1
        elif not text:
            told["none"] += 1
        else:
            values[number], width = read_print(text)
            widths[width] += 1
    if len(widths) > 1:
        raise PrintError(f"fingerprints of different widths cannot be compared: {dict(widths)}")
    told["read"] = len(values)
    return values, next(iter(widths), 64), told


def read_prints(path: Path, labels: Labels) -> tuple[dict[int, int], int, Counter[str]]:
    """`prints_of` a file."""
    with path.open(encoding="utf-8") as lines:
        return prints_of(named_prints(lines, lambda name: labels.find(name) is not None), labels)


def positions(width: int) -> int:
    """In how many positions two prints of so many bits can differ: bits, or of sketches numbers."""
    return width // 16 if width == SKETCH_BITS else width


def distance_between(one: int, other: int, width: int) -> int:
    """In how many positions two prints differ."""
    if width != SKETCH_BITS:
        return (one ^ other).bit_count()
    data = (one ^ other).to_bytes(width // 8, "big")
    return sum(data[at : at + 2] != b"\0\0" for at in range(0, len(data), 2))


def rows_of_distances(values: list[int], width: int) -> Iterator[list[int]]:
    """For each value its distances to all later ones."""
    if numpy is None:
        for at, value in enumerate(values):
            yield [distance_between(value, other, width) for other in values[at + 1 :]]
        return
    data = numpy.frombuffer(b"".join(value.to_bytes(width // 8, "big") for value in values), numpy.uint8)
    if width == SKETCH_BITS:
        numbers = data.view(numpy.uint16).reshape(len(values), positions(width))
        for at in range(len(values)):
            yield (numbers[at + 1 :] != numbers[at]).sum(axis=1).tolist()
        return
    signed = 2 * numpy.unpackbits(data).reshape(len(values), width).astype(numpy.float32) - 1
    for at in range(len(values)):
        yield ((width - signed[at + 1 :] @ signed[at]) / 2).round().astype(int).tolist()


def false_distances(labels: Labels, values: dict[int, int], width: int) -> dict[str, Counts]:
    """Distances of pairs of different documents: those of one language, and those within one site or template."""
    kinds: dict[str, Counts] = {"same language": Counter(), "one site or template": Counter()}
    numbers = [number for number in sorted(values) if labels.eligible[number]]
    files = [labels.files[number] for number in numbers]
    similar: dict[int, set[int]] = defaultdict(set)
    for one, other in labels.similar:
        similar[one].add(other)
    for at, distances in enumerate(rows_of_distances([values[number] for number in numbers], width)):
        number, file = numbers[at], files[at]
        for later, distance in enumerate(distances, at + 1):
            other = files[later]
            if labels.document[number] == labels.document[numbers[later]]:
                kind = "one site or template" if file.kind == "neg" else ""
            else:
                kind = "same language" if file.language == other.language else ""
            if kind and numbers[later] not in similar[number]:
                kinds[kind][distance, file.family or file.group, other.family or other.group] += 1
    return kinds
