"""How many pairs there will be, before the work: those of equal fingerprints counted, the others by a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
import pyarrow.compute as pc
from nearprint.spark._memory import cores
from nearprint.spark._task import Batches, checked
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CORE_SAMPLE = 1_000
SQL_SAMPLE = 200
"""Fingerprints that are compared with all others; without the core each comparison costs more."""


def expected_near(left: DataFrame, number: int, right: DataFrame, k: int, *, core: bool, two_sets: bool) -> float:
    """The expected number of pairs of documents, those of equal fingerprints of one set not counted.

    The sample is that of the smallest hashes, so it is the same in any partitioning. Where there are no more
    fingerprints than it takes, the number is exact.

    Args:
        left: Distinct fingerprints: `bits` and `n`, the number of documents that have it.
        number: Rows of `left`.
        right: Those they are compared with; of one set the same.
        k: The distance.
        core: Whether the core compares.
        two_sets: Whether pairs are of one document of each.
    """
    most = CORE_SAMPLE if core else SQL_SAMPLE
    # The hash of a hash: hashes alone may have been used for partitions, and then be alike in a sorted set.
    order = fn.xxhash64(fn.xxhash64("bits"))
    sample = left.select("bits", "n", order.alias("at")).orderBy("at").limit(most).collect()
    if not sample:
        return 0.0
    bits, counts = [row["bits"] for row in sample], [row["n"] for row in sample]
    if core:
        found = _by_core(right, bits, counts, k, two_sets=two_sets)
    else:
        chosen = left.sparkSession.createDataFrame(list(zip(bits, counts, strict=True)), "other long, m long")
        distance = fn.bit_count(fn.col("bits").bitwiseXOR(fn.col("other")))
        near = right.crossJoin(fn.broadcast(chosen)).where(distance.between(0 if two_sets else 1, k))
        found = near.select((fn.col("n") * fn.col("m")).alias("pairs"))
    total = found.agg(fn.sum("pairs")).first()
    pairs = float(total[0] or 0) if total is not None else 0.0
    return pairs * number / len(sample) / (1 if two_sets else 2)


def _by_core(right: DataFrame, bits: list[int], counts: list[int], k: int, *, two_sets: bool) -> DataFrame:
    sample, many = pa.array(bits, pa.int64()), pa.array(counts, pa.int64())

    def work(batches: Batches) -> Batches:
        for batch in batches:
            near = nearprint.pairs(batch["bits"], against=sample, scheme="sd1", k=k, max_pairs=None, threads=cores())
            found = near.to_arrow()
            if not two_sets:
                found = found.filter(pc.greater(found["distance"], 0))
            pairs = pc.multiply(batch["n"].take(found["a"].combine_chunks()), many.take(found["b"].combine_chunks()))
            total = pc.sum(pairs).as_py() or 0
            yield pa.RecordBatch.from_arrays([pa.array([total], pa.int64())], names=["pairs"])

    return right.select("bits", "n").mapInArrow(checked(work), "pairs long")
