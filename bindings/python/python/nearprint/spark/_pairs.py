"""All pairs of fingerprints within a distance, exact whatever the plan and the partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark import _core_plan, _sql_plan
from nearprint.spark._blocks import keyed
from nearprint.spark._expected import expected_near
from nearprint.spark._sketches import sketch_pairs
from nearprint.spark._tables import MOST_DISTANCE
from nearprint.spark._task import executors_have_nearprint
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Method = Literal["auto", "core", "sql"]


def pairs(
    prints: DataFrame,
    *,
    k: int = 3,
    method: Method = "auto",
    against: DataFrame | None = None,
    bands: str | None = None,
    max_pairs: int | None = 100_000_000,
    most_in_block: int | None = None,
) -> DataFrame:
    """All pairs of documents whose fingerprints are within k bits, or whose sketches are within k positions.

    The sizes of blocks are counted and the number of pairs is estimated when this is called. The pairs are found when the
    result is used. `prints` is read several times: write it to a table first where it takes work.

    Args:
        prints: The columns `id` and `bits` of `fingerprint`; rows without a fingerprint are left out. All of one scheme.
        k: The distance within which fingerprints match (<=), 0 to 16 bits; of sketches 0 to 128 positions.
        method: `core` searches blocks by the Rust core on the executors, `sql` by Spark's join alone, with nothing
            installed on them. `auto` is `core` where the executors have nearprint.
        against: Find only pairs of one of `prints` and one of these.
        bands: Of sketches, how they are divided, such as "42x3": only what agrees in a band is found.
        max_pairs: Raise where more pairs are expected; None is no bound.
        most_in_block: Rows that one block of bits may have before it is split to finer keys.

    Returns:
        `a`, `b` (ids, of one set a < b), `distance`. Each pair comes once.

    Raises:
        InvalidInputError: Where k or the columns make no sense, or there are fingerprints of several schemes.
        LimitError: Where more pairs than `max_pairs` are expected.
    """
    if method not in ("auto", "core", "sql"):
        raise InvalidInputError(f"method is auto, core or sql, not {method!r:.40}")
    _refuse_schemes(prints, against)
    if dict(prints.dtypes)["bits"] == "binary":
        if bands is None or method == "sql" or against is not None:
            raise InvalidInputError('sketches are searched in bands (bands="42x3"), by the core, in one set')
        return sketch_pairs(prints, k=k, bands=bands)
    if not 0 <= k <= MOST_DISTANCE:
        raise InvalidInputError(f"pairs are searched within 0 to {MOST_DISTANCE} bits, not {k}")
    core = method == "core" or (method == "auto" and executors_have_nearprint(prints.sparkSession))
    two_sets = against is not None
    left = _distinct(prints)
    right = _distinct(against) if against is not None else left
    sides = [_sizes(left), _sizes(right)] if two_sets else [_sizes(left)]
    if max_pairs is not None:
        equal = 0 if two_sets else sides[0].equal_pairs
        # What is counted may suffice to refuse.
        near = 0.0
        if equal <= max_pairs:
            near = expected_near(left, sides[0].distinct, right, k, core=core, two_sets=two_sets)
        if equal + near > max_pairs:
            raise LimitError(
                f"about {equal + near:.0f} pairs within {k} bits are expected, more than max_pairs={max_pairs}: "
                "take a smaller k, drop equal documents first, or raise the bound"
            )
    rows = left.select("bits", "id")
    if two_sets:
        sided = [
            side.select("bits", "id", fn.lit(at).cast("int").alias("side")) for at, side in enumerate((left, right))
        ]
        rows = sided[0].unionByName(sided[1])
    plan_most = _core_plan.MOST_IN_BLOCK if core else _sql_plan.MOST_IN_BLOCK
    number = sum(side.distinct for side in sides)
    blocks, known = keyed(rows, k, number, most_in_block or plan_most)
    plan = _core_plan.core_pairs if core else _sql_plan.sql_pairs
    found = plan(blocks, known, k, two_sets=two_sets)
    if two_sets:
        assert against is not None
        found = _expanded(found, prints, "a", sides[0])
        return _expanded(found, against, "b", sides[1]).select("a", "b", "distance")
    found = _expanded(_expanded(found, prints, "a", sides[0]), prints, "b", sides[0])
    found = found.select(fn.least("a", "b").alias("a"), fn.greatest("a", "b").alias("b"), "distance")
    if not sides[0].equal_pairs:
        return found
    copies = _copies(prints)
    one, other = copies.select("bits", fn.col("id").alias("a")), copies.select("bits", fn.col("id").alias("b"))
    equal_prints = one.join(other, "bits").where(fn.col("a") < fn.col("b"))
    return found.unionByName(equal_prints.select("a", "b", fn.lit(0).cast("int").alias("distance")))


class _Sizes:
    """How many fingerprints are distinct, and how many pairs of documents have equal ones."""

    def __init__(self, distinct: int, equal_pairs: int) -> None:
        self.distinct = distinct
        self.equal_pairs = equal_pairs


def _distinct(prints: DataFrame) -> DataFrame:
    """Each fingerprint once, with one of its ids and the number of them."""
    with_bits = prints.where(fn.col("bits").isNotNull())
    return with_bits.groupBy("bits").agg(fn.min("id").alias("id"), fn.count(fn.lit(1)).alias("n"))


def _sizes(distinct: DataFrame) -> _Sizes:
    equal = fn.sum((fn.col("n") * (fn.col("n") - 1) / 2).cast("double"))
    row = distinct.agg(fn.count(fn.lit(1)).alias("distinct"), equal.alias("equal")).first()
    return _Sizes(int(row["distinct"]), int(row["equal"] or 0)) if row is not None else _Sizes(0, 0)


def _copies(prints: DataFrame) -> DataFrame:
    """The documents whose fingerprint another one has too."""
    several = _distinct(prints).where(fn.col("n") > 1).select("bits")
    return prints.select("bits", "id").join(several, "bits", "left_semi")


def _expanded(found: DataFrame, prints: DataFrame, side: str, sizes: _Sizes) -> DataFrame:
    """The pairs of fingerprints as pairs of all the documents that have them."""
    if not sizes.equal_pairs:
        return found
    copies = _copies(prints).select(fn.col("bits").alias(f"bits_{side}"), fn.col("id").alias("copy"))
    joined = found.join(copies, f"bits_{side}", "left")
    return joined.withColumn(side, fn.coalesce("copy", side)).drop("copy")


def _refuse_schemes(*frames: DataFrame | None) -> None:
    """Refuses fingerprints of several schemes, which have no distance."""
    named: set[str] = set()
    for frame in frames:
        if frame is not None and "scheme" in frame.columns:
            rows = frame.where("bits IS NOT NULL").select("scheme").distinct().limit(3).collect()
            named.update(str(row["scheme"]) for row in rows)
    if len(named) > 1:
        raise InvalidInputError(f"fingerprints of {' and '.join(sorted(named))}: choose one scheme with where()")
