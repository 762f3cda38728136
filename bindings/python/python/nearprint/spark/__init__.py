"""Near-duplicates in Apache Spark, with the answers of the command `nearprint`.

Needs pyspark 3.5 or 4 and pyarrow (`pip install nearprint[spark]`), on the driver and on every executor. All functions
take and return DataFrames and use nothing else of Spark, so they work over Spark Connect too.
"""

from __future__ import annotations

# First, as it refuses what has too little memory for the others.
from nearprint.spark import _memory as _memory
from nearprint.spark._clusters import clusters
from nearprint.spark._deduplicate import deduplicate
from nearprint.spark._fingerprint import fingerprint
from nearprint.spark._pairs import pairs
from nearprint.spark._read import read, read_index
from nearprint.spark._verified import verified_pairs

__all__ = ["clusters", "deduplicate", "fingerprint", "pairs", "read", "read_index", "verified_pairs"]
