"""Tables of inverse document frequencies: clauses 13.9 to 13.12 of spec/CUSTOM.md.

One function per stage, in the order of the standard, each naming its clauses. Everything else of custom schemes is in nearprint_custom.py.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import nearprint_custom as custom
import nearprint_sd1 as sd1

MAGIC = bytes.fromhex("894e504944460d0a")
HEAD = struct.Struct("<8sIIIIQ")
ENTRY = struct.Struct("<QI")
MOST_DOCUMENTS = 4294967294
MOST_ENTRIES = 67108864
DIGEST_BYTES = 16


def log2(number: int) -> int:
    """The binary logarithm in 1/65536. [13.11]"""
    result = number.bit_length() - 1
    mantissa = number << 31 - result
    for _ in range(16):
        mantissa = mantissa * mantissa >> 31
        result *= 2
        if mantissa >= 1 << 32:
            mantissa >>= 1
            result += 1
    return result


class Table(NamedTuple):
    """In how many documents of a collection each feature is. [13.9]"""

    counted: str  # FEATURES,HASH and what is left out
    documents: int
    least: int
    entries: dict[int, int]

    def weight(self, hashed: int) -> int:
        """The inverse document frequency of a feature in 1/65536. [13.12]"""
        count = self.entries.get(hashed, min(self.least - 1, self.documents))
        return 65536 + log2(self.documents + 1) - log2(count + 1)


def counted(declaration: str) -> str:
    """What a declaration says of its features and of what takes no part. [13.10]"""
    parts = declaration.removeprefix("custom:").split(",")
    return ",".join([parts[0], parts[2], *(part for part in parts[4:] if not part.startswith(("idf=", "tie=")))])


def table_of(declaration: str, least: int, texts: Iterable[str]) -> Table:
    """The table of a collection of texts. [13.9]"""
    scheme = custom.parse(declaration)
    documents, counts = 0, Counter()
    for text in texts:
        kept = custom.taken(scheme, custom.tokens(scheme, text))
        if kept:
            documents += 1
            counts.update({custom.FUNCTIONS[scheme.function](feature) for feature in custom.features(scheme, kept)})
    entries = {hashed: count for hashed, count in counts.items() if count >= least}
    return Table(counted(declaration), documents, least, entries)


def bytes_of(table: Table) -> bytes:
    """A table as bytes. [13.10]"""
    name = table.counted.encode("ascii")
    head = HEAD.pack(MAGIC, 1, table.documents, table.least, len(name), len(table.entries))
    data = head + name + b"".join(ENTRY.pack(*entry) for entry in sorted(table.entries.items()))
    return data + hashlib.sha256(data).digest()


def digest_of(data: bytes) -> str:
    """The name of a table. [13.10]"""
    first = data[-32:][:DIGEST_BYTES]
    return sd1.to_string(int.from_bytes(first, "big"), "", 8 * DIGEST_BYTES)[1:]


def table_from(data: bytes) -> Table | None:
    """The table that bytes are, none if they are refused. [13.10]"""
    if len(data) < HEAD.size or not data.startswith(MAGIC):
        return None
    _, version, documents, least, name_length, count = HEAD.unpack_from(data)
    end = HEAD.size + name_length + ENTRY.size * count
    if version != 1 or count > MOST_ENTRIES or len(data) != end + 32:
        return None
    if hashlib.sha256(data[:end]).digest() != data[end:]:
        return None
    name = data[HEAD.size : HEAD.size + name_length]
    entries = list(ENTRY.iter_unpack(data[HEAD.size + name_length : end]))
    ascending = all(one < other for (one, _), (other, _) in pairwise(entries))
    within = all(least <= times <= documents for _, times in entries)
    if not (1 <= documents <= MOST_DOCUMENTS and least >= 1 and ascending and within and is_counted(name)):
        return None
    return Table(name.decode("ascii"), documents, least, dict(entries))


def is_counted(name: bytes) -> bool:
    """Whether a table's name is that of a declaration's parts. [13.10]"""
    found = re.fullmatch(rb"([^,]*),([^,]*)((?:,.*)?)", name, re.DOTALL)
    if not found:
        return False
    declaration = b"custom:%b,tf,%b,32%b" % found.groups()
    scheme = custom.parse(declaration.decode("ascii", "replace"))
    return scheme is not None and scheme.idf is None and not scheme.tie


def serves(data: bytes, declaration: str) -> bool:
    """Whether bytes are the table that a declaration names. [13.10]"""
    table, scheme = table_from(data), custom.parse(declaration)
    if table is None or scheme is None:
        return False
    return scheme.idf == digest_of(data) and table.counted == counted(declaration)


def fingerprint(declaration: str, data: bytes, text: str) -> sd1.Print | None:
    """The fingerprint of a text under a declaration with a table, none where no token takes part. [13.7] [13.12]"""
    if not serves(data, declaration):
        raise ValueError("the table is not the one that the declaration names")
    scheme = custom.parse(declaration)
    return custom.fingerprint_of_tokens(scheme, custom.tokens(scheme, text), table_from(data).weight)
