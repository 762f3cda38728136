"""Parquet and Arrow IPC of random phases: of the schema, the dictionaries, the row groups, the pages and the batches,
one element many times, then another, then a third. `parquet_of(rng, size)` and `arrow_of(rng, size)` are files of about
so many bytes whose lengths and places are right."""

from __future__ import annotations

import random
from collections.abc import Callable

import hostile_tables as tables
from hostile_tables import Structure, Table

WORDS = b"some words of a text"
MOST_PHASES = 4


def shares(rng: random.Random, size: int) -> list[int]:
    """Bytes of one to four phases."""
    count = rng.randrange(1, MOST_PHASES + 1)
    return [size // count] * count


class Group:
    """A group of a schema, whose children are counted as they come."""

    def __init__(self) -> None:
        self.children = 0

    def element(self) -> Structure:
        # Groups without children are no Parquet.
        return tables.group(b"g", self.children) if self.children else tables.leaf(b"g")


def parquet_schema(rng: random.Random, size: int) -> list[Structure]:
    """Elements of a schema: `text`, and phases of columns and groups, of which some lie in each other."""
    root = Group()
    inside = root
    found: list[Structure | Group] = []
    for share in shares(rng, size) if size else ():
        kind = rng.choice(("column", "other column", "long name", "groups in groups", "groups", "list"))
        name = b"n" * 200 if kind == "long name" else b"x"
        if rng.random() < 0.3:
            inside = root
        for number in range(max(1, share // (len(name) + 8))):
            inside.children += 1
            if kind == "groups in groups":
                inside = Group()
                found.append(inside)
                continue
            if kind in ("groups", "list"):
                found.append(tables.group(b"g", 1, 2 if kind == "list" else 0))
            found.append(tables.leaf(b"%d" % number if kind == "other column" else name, rng.randrange(2)))
    elements = (one.element() if isinstance(one, Group) else one for one in found)
    return [tables.group(b"r", root.children + 1), tables.leaf(b"text"), *elements]


def parquet_pages(rng: random.Random, size: int) -> tuple[bytes, int]:
    """Pages of a column, and how many values they have."""
    values = tables.plain(WORDS)
    kinds: list[tuple[bytes, int]] = [
        (tables.data_page(values * 3, 3), 3),
        (tables.data_page(b"", 0), 0),
        (tables.data_page(tables.plain(b""), 1), 1),
        (tables.second_page(values, 1), 1),
        (tables.second_page(b"", 0), 0),
        (tables.dictionary_page(values * 2, 2), 0),
        (tables.dictionary_page(values * 200, 200), 0),
        (tables.data_page(b"\x01\x06\x01", 3, tables.DICTIONARY), 3),  # one run of three
        (tables.data_page(b"\x01" + b"\x02\x00" * 100, 100, tables.DICTIONARY), 100),  # a hundred runs
        (tables.thrift(_1=1, _2=0, _3=0), 0),  # of an index
        (tables.thrift(_1=9, _2=4, _3=4) + b"abcd", 0),
    ]
    found, count = [], 0
    for share in shares(rng, size):
        page, rows = rng.choice(kinds)
        times = max(1, share // len(page))
        found.append(page * times)
        count += rows * times
    return b"".join(found), count


def parquet_of(rng: random.Random, size: int) -> bytes:
    """A file in which one part is long, or several are."""
    long = rng.sample(("schema", "pages", "groups", "pairs"), rng.choice((1, 1, 2)))
    part = size // len(long)
    schema = parquet_schema(rng, part if "schema" in long else rng.choice((0, 0, 60)))
    pages, count = parquet_pages(rng, part if "pages" in long else 100)
    one = tables.row_group([tables.chunk([b"text"], 4, len(pages), count)], count, len(pages))
    groups, rows = [one], count
    if "groups" in long:
        groups, rows = [], 0
        few, few_rows = tables.data_page(tables.plain(WORDS), 1), 1
        pages = few
        for share in shares(rng, part):
            kind = rng.choice(("same", "empty", "without columns", "many columns"))
            columns = [tables.chunk([b"text"], 4, len(few), few_rows)]
            if kind == "without columns":
                columns = []
            if kind == "many columns":
                columns *= rng.choice((2, 100, share // 60))
            its = 0 if kind == "empty" else few_rows
            made = tables.row_group(columns, its, len(few))
            times = max(1, share // len(made))
            groups += [made] * times
            rows += its * times
    if rng.random() < 0.8 and "schema" in long:
        # Row groups need a chunk of each leaf; without one the schema alone is read.
        groups, rows = [], 0
    return tables.parquet(pages, schema, groups, rows, part // 8 if "pairs" in long else 0)


def arrow_fields(rng: random.Random, size: int) -> list[Table]:
    """Fields in phases: of their own, one that is referred to many times, with dictionaries, and in each other."""
    fields: list[Table] = []
    for share in shares(rng, size):
        kind = rng.choice(("shared", "own", "with dictionary", "nested", "structure"))
        if kind == "shared":
            fields += [tables.field(b"x")] * max(1, share // 4)
        elif kind == "own":
            fields += [tables.field(b"%d" % number) for number in range(max(1, share // 150))]
        elif kind == "with dictionary":
            fields += [tables.field(b"x", number) for number in range(max(1, share // 250))]
        elif kind == "structure":
            fields.append(tables.field(b"s", children=[tables.field(b"x", 7)] * max(1, share // 4)))
        else:
            inner = tables.field(b"x")
            for _ in range(min(60, max(1, share // 150))):
                inner = tables.field(b"s", children=[inner] * rng.choice((1, 1, 2)))
            fields.append(inner)
    return fields


def arrow_of(rng: random.Random, size: int) -> bytes:
    """A stream, or a file, whose messages come in phases."""
    has_dictionary = rng.random() < 0.6
    is_wide = rng.random() < 0.6
    fields = arrow_fields(rng, size // 3) if is_wide else []
    fields.insert(0, tables.field(b"text", 7 if has_dictionary else None))
    if rng.random() < 0.2:
        fields.append(tables.field(b"id"))
    first = tables.schema_message(fields)
    kinds: list[Callable[[], bytes]] = [
        lambda: tables.record_batch([WORDS], len(fields)) if len(fields) < 99 else tables.record_batch([WORDS]),
        lambda: tables.record_batch([]),
        lambda: tables.record_batch([b""] * rng.choice((1, 900))),
        lambda: tables.keys_batch([0] * rng.choice((1, 900))),
        lambda: tables.dictionary_batch(7, [WORDS]),
        lambda: tables.dictionary_batch(7, [WORDS] * rng.choice((1, size // 60))),
        lambda: tables.dictionary_batch(7, [WORDS], is_delta=True),
        lambda: tables.dictionary_batch(rng.randrange(9), [WORDS]),
        lambda: tables.message(0, Table({})),
    ]
    found = [first]
    if has_dictionary:
        found.append(tables.dictionary_batch(7, [WORDS] * rng.choice((1, 9, size // 60))))
    for share in shares(rng, max(1, size - sum(map(len, found)))):
        # A message again and again, or two in turn.
        cycle = b"".join(rng.choice(kinds)() for _ in range(rng.choice((1, 1, 2))))
        found.append(cycle * max(1, share // len(cycle)))
    stream = b"".join(found) + rng.choice((tables.END, b""))
    return b"ARROW1\0\0" + stream if rng.random() < 0.2 else stream


def deep_groups(_: random.Random, size: int) -> bytes:
    """As many columns as groups around them: each column keeps the names of all groups."""
    count = size // 16
    schema = [tables.group(b"r", 2), tables.leaf(b"text"), *[tables.group(b"g", 1)] * (count - 1)]
    return tables.parquet(b"", [*schema, tables.group(b"g", count), *[tables.leaf(b"x")] * count], [], 0)


def chain_of_groups(_: random.Random, size: int) -> bytes:
    schema = [tables.group(b"r", 2), tables.leaf(b"text"), *[tables.group(b"g", 1)] * (size // 8), tables.leaf(b"x")]
    return tables.parquet(b"", schema, [], 0)


def many_columns(_: random.Random, size: int) -> bytes:
    count = size // 8
    return tables.parquet(
        b"", [tables.group(b"r", count + 1), tables.leaf(b"text"), *[tables.leaf(b"x")] * count], [], 0
    )


def one_field(_: random.Random, size: int) -> bytes:
    """A field that is referred to very often."""
    fields = [tables.field(b"text"), *[tables.field(b"x")] * (size // 4)]
    return tables.schema_message(fields) + tables.record_batch([WORDS]) + tables.END


def dictionaries_of_many_fields(_: random.Random, size: int) -> bytes:
    fields = [tables.field(b"text", 7), *(tables.field(b"%d" % number) for number in range(size // 300))]
    dictionary = tables.dictionary_batch(7, [WORDS])
    return tables.schema_message(fields) + dictionary * (size // 2 // len(dictionary)) + tables.END


def additions_to_a_dictionary(_: random.Random, size: int) -> bytes:
    first = tables.dictionary_batch(7, [WORDS] * (size // 2 // (len(WORDS) + 4)))
    more = tables.dictionary_batch(7, [b"x"], is_delta=True)
    return tables.schema_message([tables.field(b"text", 7)]) + first + more * (size // 2 // len(more)) + tables.END


# What was found, each as one file of any length.
FOUND: dict[str, Callable[[random.Random, int], bytes]] = {
    "Parquet, columns in groups in groups": deep_groups,
    "Parquet, groups in groups": chain_of_groups,
    "Parquet, columns": many_columns,
    "Arrow IPC, one field many times": one_field,
    "Arrow IPC, dictionaries of many fields": dictionaries_of_many_fields,
    "Arrow IPC, additions to a dictionary": additions_to_a_dictionary,
}
