"""Generated hostile packages: members that are changed, nested and repeated in an archive whose checksums are right,
and archives whose directories lie."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from hostile_shapes import EDGES, changed, numbers_changed, size_of

Members = list[tuple[str, bytes]]
MIB = 1 << 20


def members(seed: Path) -> Members:
    """The members of a seed of the fuzz target `members`: each behind a line of `%%` and its name."""
    parts = seed.read_bytes().split(b"\n%%")[1:]
    return [(name.decode(), content) for name, _, content in (part.partition(b"\n") for part in parts)]


def packed(rng: random.Random, found: Members) -> bytes:
    """An archive of them."""
    out = io.BytesIO()
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(out, "w", method, compresslevel=1) as archive:
        for name, content in found:
            head = zipfile.ZipInfo(name)
            head.compress_type = zipfile.ZIP_STORED if name == "mimetype" else method
            archive.writestr(head, content)
    return out.getvalue()


def grown(rng: random.Random, content: bytes) -> bytes:
    """XML with a fragment that is repeated or nested, or with a document type that expands."""
    tags = [match.span() for match in re.finditer(rb"<[^>?!]+>", content)]
    if not tags:
        return content
    kind = rng.randrange(4)
    # What is deflated may be more than an archive of 20 MiB would hold as it is.
    size = size_of(rng) * rng.choice((1, 1, 1, 8))
    first, last = sorted(rng.choices(range(len(tags)), k=2))
    start, end = tags[first][0], tags[last][1]
    piece = content[start:end]
    if kind == 0:
        return content[:start] + piece * max(1, size // len(piece)) + content[end:]
    if kind == 1:
        one = content[slice(*tags[first])]
        return content[:start] + one * max(1, size // len(one)) + content[start:]
    if kind == 2:
        levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 9}">' for n in range(1, rng.choice((3, 12, 400))))
        entities = f'<!DOCTYPE x [<!ENTITY e0 "word ">{levels}]>'.encode()
        return entities + re.sub(rb">([A-Za-z]+)", rb">&e2;\1", content, count=rng.choice((1, 50)))
    attributes = b"".join(b' a%d="&#65;%d"' % (n, n) for n in range(size // 12))
    at = tags[first][1] - (2 if content[tags[first][1] - 2 : tags[first][1]] == b"/>" else 1)
    return content[:at] + attributes + content[at:]


def lying(rng: random.Random, data: bytes) -> bytes:
    """An archive whose directory says something else."""
    found = bytearray(data)
    places = [match.start() for match in re.finditer(rb"PK(\x01\x02|\x05\x06|\x03\x04)", data)]
    for _ in range(rng.randrange(1, 4)):
        at = rng.choice(places) + rng.choice((8, 10, 20, 24, 28, 30, 32, 42, 12, 16))
        if at + 4 < len(found):
            found[at : at + rng.choice((2, 4))] = rng.choice(EDGES).to_bytes(8, "little")[:4]
    return bytes(found)


def overlapping(rng: random.Random, found: Members) -> bytes:
    """An archive with many entries that are the same bytes of the file."""
    data = packed(rng, found)
    start = data.index(b"PK\x01\x02")
    directory, end = data[start : data.index(b"PK\x05\x06")], data[data.index(b"PK\x05\x06") :]
    count = min(65_000, size_of(rng) // len(directory) + 1)
    many = directory * count
    total = min(0xFFFF, count * len(found))
    return data[:start] + many + end[:8] + total.to_bytes(2, "little") * 2 + len(many).to_bytes(4, "little") + end[16:]


def of(seed: Path) -> Callable[[random.Random], bytes]:
    """Packages grown from one seed."""

    def make(rng: random.Random) -> bytes:
        found = members(seed)
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = rng.randrange(len(found))
            name, content = found[at]
            kind = rng.random()
            if kind < 0.4:
                content = grown(rng, content)
            elif kind < 0.7:
                content = numbers_changed(rng, content)
            elif kind < 0.85:
                content = changed(rng, content)
            elif kind < 0.9:
                found += [(f"{name}{n}", content) for n in range(rng.choice((2, 500, 20_000)))]
            elif kind < 0.95:
                del found[at]
                if not found:
                    break
                continue
            else:
                name = rng.choice(("../" * 900 + name, name.upper(), name + "\x1b[2J", ""))
            found[at] = (name, content)
        chance = rng.random()
        if not found or (chance < 0.1 and len(found) < 100):
            return overlapping(rng, members(seed))
        data = packed(rng, found)
        if chance < 0.25:
            return lying(rng, data)
        if chance < 0.35:
            return data[: rng.randrange(len(data))]
        return data

    return make


def makers(folder: Path) -> dict[str, Callable[[random.Random], bytes]]:
    """One for each seed that a person wrote; those that fuzzing reached are named after that."""
    return {seed.name: of(seed) for seed in sorted(folder.iterdir()) if not seed.name.startswith("reached")}
