"""What pairs connect: by union-find on the driver, or for more pairs than it holds by rounds of stars.

The rounds are those of R. Kiveris et al., "Connected components in MapReduce and beyond", SoCC 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark._schema import schema_of, type_of
from nearprint.spark._stages import own_folder
from nearprint.spark._width import bounded, narrowed
from pyspark.sql import Window
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_ON_DRIVER = 2_000_000
"""Pairs that the driver takes: about half a GB of it, and some seconds."""

MOST_ROUNDS = 100
"""Rounds, at most. Their number grows with the logarithm of a component's size, so this is never reached."""


def clusters(
    pairs: DataFrame, *, workdir: str | None = None, method: Literal["auto", "driver", "stars"] = "auto"
) -> DataFrame:
    """The connected components of pairs.

    Args:
        pairs: Rows with `a` and `b`.
        workdir: A directory that all executors reach, where `stars` writes each round, in a folder of its
            own; it stays there.
        method: `driver` collects the pairs and connects them there; `stars` connects them in DataFrames. `auto` is `driver`
            up to 2,000,000 pairs.

    Returns:
        `id` and `cluster`, the smallest id of its component. What is in no pair is in no cluster.

    Raises:
        InvalidInputError: Where `stars` has no workdir.
        LimitError: Where there are more pairs than the driver takes, and no workdir.
    """
    edges = pairs.select("a", "b").where(fn.col("a") != fn.col("b"))
    if method == "stars":
        if workdir is None:
            raise InvalidInputError("stars write each round: name a directory that all executors reach (workdir=)")
        return _by_stars(edges, own_folder(workdir))
    # Collected at once and not counted before: the pairs may take work.
    rows = (edges if method == "driver" else edges.limit(MOST_ON_DRIVER + 1)).collect()
    if method == "auto" and len(rows) > MOST_ON_DRIVER:
        del rows
        if workdir is None:
            raise LimitError(f"more than {MOST_ON_DRIVER} pairs are not connected on the driver: name a workdir=")
        return _by_stars(edges, own_folder(workdir))
    kind = type_of(edges, "a")
    found = sorted(_connected([(row[0], row[1]) for row in rows]).items())
    return edges.sparkSession.createDataFrame(found, schema_of(("id", kind), ("cluster", kind)))


def _connected(edges: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """The smallest member of the component of each."""
    parent: dict[Any, Any] = {}

    def root(node: Any) -> Any:
        top = node
        while parent[top] != top:
            top = parent[top]
        while parent[node] != top:
            parent[node], node = top, parent[node]
        return top

    for a, b in edges:
        parent.setdefault(a, a)
        parent.setdefault(b, b)
        one, other = root(a), root(b)
        if one != other:
            # The smallest is the root, so it names the component.
            least, most = (one, other) if one < other else (other, one)
            parent[most] = least
    return {node: root(node) for node in parent}


def _by_stars(edges: DataFrame, folder: str | None) -> DataFrame:
    spark = edges.sparkSession
    known = None
    for number in range(MOST_ROUNDS):
        path = f"{folder}/round-{number}"
        _small_stars(_large_stars(edges)).write.mode("overwrite").parquet(path)
        edges = narrowed(spark.read.parquet(path))
        digest = fn.sum(fn.xxhash64("a", "b").cast("decimal(38,0)"))
        row = edges.agg(fn.count(fn.lit(1)), digest).first()
        if row == known:
            break
        known = row
    members = edges.select(fn.col("a").alias("id"), fn.col("b").alias("cluster"))
    roots = bounded(edges.select(fn.col("b").alias("id"), fn.col("b").alias("cluster")), "id").distinct()
    return members.unionByName(roots)


def _large_stars(edges: DataFrame) -> DataFrame:
    """Links the larger neighbours of each node to the smallest of its neighbours and itself."""
    both = edges.unionByName(edges.select(fn.col("b").alias("a"), fn.col("a").alias("b")))
    linked = _with_least(both).where(fn.col("b") > fn.col("a"))
    return bounded(linked.select(fn.col("b").alias("a"), fn.least("a", "least").alias("b")), "a", "b").distinct()


def _small_stars(edges: DataFrame) -> DataFrame:
    """Links each node and its smaller neighbours to the smallest of them."""
    down = edges.select(fn.greatest("a", "b").alias("a"), fn.least("a", "b").alias("b"))
    linked = _with_least(down)
    # The row of the smallest links the node itself.
    other = fn.when(fn.col("b") != fn.col("least"), fn.col("b")).otherwise(fn.col("a"))
    return bounded(linked.select(other.alias("a"), fn.col("least").alias("b")), "a", "b").distinct()


def _with_least(edges: DataFrame) -> DataFrame:
    """The edges with the smallest `b` of each `a`. By a window, as a join would make what is before it twice."""
    least = fn.min("b").over(Window.partitionBy("a"))
    return bounded(edges, "a").withColumn("least", least)
