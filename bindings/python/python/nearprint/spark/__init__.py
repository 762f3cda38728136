"""Near-duplicates in Apache Spark, with the answers of the command `nearprint`.

Needs pyspark 3.5 or 4 and pyarrow (`pip install nearprint[spark]`), on the driver and on every executor. All functions
take and return DataFrames and use nothing else of Spark, so they work over Spark Connect too.
"""

from __future__ import annotations

from nearprint._extras import Extra
from nearprint._names import old_names

with Extra("spark", __name__):
    import pyspark as pyspark

    # Before Arrow, as it refuses what has too little memory for it.
    from nearprint.spark import _memory as _memory

    # Not pandas, which Spark wants on the driver alone: executors import this too.
    import fsspec as fsspec  # isort: skip
    import pyarrow as pyarrow  # isort: skip

from nearprint.spark._clusters import clusters
from nearprint.spark._dedup import dedup
from nearprint.spark._fingerprint import fingerprint
from nearprint.spark._pairs import pairs
from nearprint.spark._read import read, read_index
from nearprint.spark._verified import verified_pairs

__all__ = ["clusters", "dedup", "fingerprint", "pairs", "read", "read_index", "verified_pairs"]

__getattr__ = old_names(__name__, {"deduplicate": "dedup"})
