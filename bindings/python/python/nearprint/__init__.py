"""Near-duplicate documents: fingerprints, verified pairs, clusters and deduplication.

>>> import nearprint
>>> a = nearprint.fingerprint("The quick brown fox jumps over the lazy dog.")
>>> b = nearprint.fingerprint("the quick brown fox (jumps) over the LAZY dog 42")
>>> a.distance(b)
0

Everything here is done by the Rust library `nearprint`: the same text gives the same fingerprint, and the same documents
the same pairs, as with the command `nearprint`.
"""

from nearprint._connect import connect
from nearprint._nearprint import (
    Column,
    Extraction,
    Fingerprint,
    Index,
    KnownPassages,
    Reader,
    Record,
    Table,
    __version__,
    boilerplate,
    calibrate,
    clusters,
    compare,
    compare_texts,
    correlate,
    decontaminate,
    dedup,
    diff,
    extract,
    fingerprint,
    fingerprints,
    health,
    matches,
    pairs,
    passages,
    read,
    repeats,
)
from nearprint._protocol import Collection
from nearprint.errors import (
    DocumentError,
    InputOutputError,
    InternalError,
    InvalidInputError,
    LimitError,
    NearprintError,
    ResourceError,
)

__all__ = [
    "Collection",
    "Column",
    "DocumentError",
    "Extraction",
    "Fingerprint",
    "Index",
    "InputOutputError",
    "InternalError",
    "InvalidInputError",
    "KnownPassages",
    "LimitError",
    "NearprintError",
    "Reader",
    "Record",
    "ResourceError",
    "Table",
    "__version__",
    "boilerplate",
    "calibrate",
    "clusters",
    "compare",
    "compare_texts",
    "connect",
    "correlate",
    "decontaminate",
    "dedup",
    "diff",
    "extract",
    "fingerprint",
    "fingerprints",
    "health",
    "matches",
    "pairs",
    "passages",
    "read",
    "repeats",
]
