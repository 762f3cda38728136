"""Writers of Parquet and Arrow IPC that write what no program would: any element as often as is wanted.

Parquet is written in the compact form of Thrift, Arrow in FlatBuffers, both by hand: a library of tables refuses to
write a schema of 10,000 groups in groups, and could not share one field among a million columns.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

BYTE_ARRAY = 6
PLAIN, DICTIONARY, DELTAS = 0, 8, 7


def varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def zigzag(number: int) -> bytes:
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def thrift(**fields: object) -> bytes:
    """A structure: each field as `_NUMBER=value`. Numbers are i32 and i64, which are written alike; bytes are strings,
    lists are of what their first element is, and what is a structure is `Structure`."""
    found, last = bytearray(), 0
    for name, value in fields.items():
        number = int(name[1:])
        kind = kind_of(value)
        found += bytes([number - last << 4 | kind])
        found += b"" if isinstance(value, bool) else value_of(value)
        last = number
    return bytes(found) + b"\0"


class Structure(bytes):
    """What `thrift` gave, as a value of a field."""


def kind_of(value: object) -> int:
    if isinstance(value, bool):
        return 1 if value else 2
    if isinstance(value, int):
        return 6
    if isinstance(value, Structure):
        return 12
    return 8 if isinstance(value, bytes) else 9


def value_of(value: object) -> bytes:
    if isinstance(value, int):
        return zigzag(value)
    if isinstance(value, Structure):
        return bytes(value)
    if isinstance(value, bytes):
        return varint(len(value)) + value
    assert isinstance(value, list)
    kind = kind_of(value[0]) if value else 12
    kind = 5 if kind == 6 else kind  # encodings, which are i32
    head = bytes([len(value) << 4 | kind]) if len(value) < 15 else bytes([0xF0 | kind]) + varint(len(value))
    return head + b"".join(map(value_of, value))


def leaf(name: bytes, repetition: int = 0, kind: int = BYTE_ARRAY) -> Structure:
    return Structure(thrift(_1=kind, _3=repetition, _4=name))


def group(name: bytes, children: int, repetition: int = 0) -> Structure:
    return Structure(thrift(_3=repetition, _4=name, _5=children))


def data_page(values: bytes, count: int, encoding: int = PLAIN) -> bytes:
    head = Structure(thrift(_1=count, _2=encoding, _3=3, _4=3))
    return thrift(_1=0, _2=len(values), _3=len(values), _5=head) + values


def second_page(values: bytes, count: int) -> bytes:
    """A data page of the second version."""
    head = Structure(thrift(_1=count, _2=0, _3=count, _4=PLAIN, _5=0, _6=0, _7=False))
    return thrift(_1=3, _2=len(values), _3=len(values), _8=head) + values


def dictionary_page(values: bytes, count: int) -> bytes:
    return thrift(_1=2, _2=len(values), _3=len(values), _7=Structure(thrift(_1=count, _2=PLAIN))) + values


def plain(value: bytes) -> bytes:
    return struct.pack("<I", len(value)) + value


def chunk(path: list[bytes], at: int, length: int, count: int) -> Structure:
    """The metadata of a column in a row group: its pages lie at this place of the file."""
    column = Structure(thrift(_1=BYTE_ARRAY, _2=[PLAIN, 3], _3=path, _4=0, _5=count, _6=length, _7=length, _9=at))
    return Structure(thrift(_2=at, _3=column))


def row_group(chunks: list[Structure], rows: int, length: int = 0) -> Structure:
    return Structure(thrift(_1=chunks, _2=length, _3=rows))


def parquet(pages: bytes, schema: list[Structure], groups: list[Structure], rows: int, pairs: int = 0) -> bytes:
    """A file: pages, and what its footer says of them."""
    kept = {"_5": [Structure(thrift(_1=b"k", _2=b"v"))] * pairs} if pairs else {}
    footer = thrift(_1=1, _2=schema, _3=rows, _4=groups, **kept)
    return b"PAR1" + pages + footer + struct.pack("<I", len(footer)) + b"PAR1"


@dataclass(eq=False)
class Table:
    """A table of FlatBuffers: its fields by slot, each as (kind, value). Kinds are `b`, `h`, `i`, `q` for numbers, `t`
    for a table, `s` for a string, `v` for a vector of tables, and `x` for a vector of structures, as bytes of 16."""

    fields: dict[int, tuple[str, object]]


def flatbuffer(root: Table) -> bytes:
    """The bytes of a table and of all that it refers to, each thing once for many references."""
    out = bytearray(8)
    places: dict[int, int] = {}
    waiting: list[tuple[int, str, object]] = [(0, "t", root)]
    for at, kind, value in waiting:
        # References lead forward only: what lies before is written again.
        if places.get(id(value), -1) <= at:
            places[id(value)] = written(out, kind, value, waiting)
        struct.pack_into("<I", out, at, places[id(value)] - at)
    return bytes(out) + bytes(-len(out) % 8)


def written(out: bytearray, kind: str, value: object, waiting: list[tuple[int, str, object]]) -> int:
    """Puts one thing at the end; what it refers to is put there later."""
    out += bytes(-len(out) % 8)
    if isinstance(value, Table):
        slots = max(value.fields, default=-1) + 1
        sizes = struct.pack("<HH", 4 + 2 * slots, 8 + 8 * slots)
        out += sizes + b"".join(struct.pack("<H", 8 + 8 * n if n in value.fields else 0) for n in range(slots))
        vtable = len(out) - 4 - 2 * slots
        out += bytes(-len(out) % 8)
        at = len(out)
        out += struct.pack("<ii", at - vtable, 0) + bytes(8 * slots)
        for slot, (inner, field) in value.fields.items():
            place = at + 8 + 8 * slot
            if inner in "tsvx":
                waiting.append((place, inner, field))
            else:
                struct.pack_into(f"<{inner}", out, place, field)
        return at
    if kind == "s":
        assert isinstance(value, bytes)
        at = len(out)
        out += struct.pack("<I", len(value)) + value + b"\0"
        return at
    out += bytes(4)
    at = len(out)
    if kind == "x":
        assert isinstance(value, bytes)
        out += struct.pack("<I", len(value) // 16) + value
    else:
        assert isinstance(value, list)
        out += struct.pack("<I", len(value)) + bytes(4 * len(value))
        waiting.extend((at + 4 + 4 * n, "t", one) for n, one in enumerate(value))
    return at


UTF8 = ("t", Table({}))
NOTHING: list[Table] = []
INT32 = Table({0: ("i", 32), 1: ("b", 1)})


def field(name: bytes, dictionary: int | None = None, children: list[Table] | None = None) -> Table:
    """A column of text, or a structure of the children."""
    kind = 5 if children is None else 13
    fields = {0: ("s", name), 1: ("b", 1), 2: ("b", kind), 3: UTF8, 5: ("v", NOTHING if children is None else children)}
    if dictionary is not None:
        fields[4] = ("t", Table({0: ("q", dictionary), 1: ("t", INT32)}))
    return Table(fields)


def message(kind: int, head: Table, body: bytes = b"") -> bytes:
    """A message: its length, its head, and its body."""
    body += bytes(-len(body) % 8)
    packed = flatbuffer(Table({0: ("h", 4), 1: ("b", kind), 2: ("t", head), 3: ("q", len(body))}))
    return b"\xff\xff\xff\xff" + struct.pack("<i", len(packed)) + packed + body


def schema_message(fields: list[Table]) -> bytes:
    return message(1, Table({0: ("h", 0), 1: ("v", fields)}))


def batch(rows: int, nodes: int, buffers: Iterable[tuple[int, int]]) -> Table:
    lengths = struct.pack("<qq", rows, 0) * nodes
    places = b"".join(struct.pack("<qq", at, length) for at, length in buffers)
    return Table({0: ("q", rows), 1: ("x", lengths), 2: ("x", places)})


def text_batch(texts: list[bytes], columns: int = 1) -> tuple[Table, bytes]:
    """A batch of columns of text that all show the same bytes."""
    ends = [0]
    for text in texts:
        ends.append(ends[-1] + len(text))
    offsets = struct.pack(f"<{len(ends)}i", *ends)
    offsets += bytes(-len(offsets) % 8)
    body = offsets + b"".join(texts)
    places = [(0, 0), (0, 4 * len(ends)), (len(offsets), ends[-1])] * columns
    return batch(len(texts), columns, places), body


def record_batch(texts: list[bytes], columns: int = 1) -> bytes:
    head, body = text_batch(texts, columns)
    return message(3, head, body)


def keys_batch(keys: list[int], columns: int = 1) -> bytes:
    """A batch of columns that have dictionaries."""
    body = struct.pack(f"<{len(keys)}i", *keys)
    return message(3, batch(len(keys), columns, [(0, 0), (0, len(body))] * columns), body)


def dictionary_batch(number: int, texts: list[bytes], is_delta: bool = False) -> bytes:
    head, body = text_batch(texts)
    return message(2, Table({0: ("q", number), 1: ("t", head), 2: ("b", int(is_delta))}), body)


END = b"\xff\xff\xff\xff\0\0\0\0"
