"""Documents brought together with all their candidates, so that the core decides about them in one task.

What the core verifies are candidates: documents whose sketches agree in a band and are within a distance. A decision about
a document depends on nothing outside the component of candidates that it is in. So each component goes to one task, and
the core finds there what it would find among all documents.

Without a folder for stages, documents are named by a hash of 64 bits on the way. Two that have the same hash are brought
together without need, which changes no decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark._bands import BYTES, in_groups
from nearprint.spark._batches import returned
from nearprint.spark._clusters import clusters
from nearprint.spark._copies import unlike
from nearprint.spark._fingerprint import sketches
from nearprint.spark._homes import Findings
from nearprint.spark._memory import cores
from nearprint.spark._runs import held_bytes, runs
from nearprint.spark._schema import arrow_schema, schema_of
from nearprint.spark._sketches import once
from nearprint.spark._task import Batches, checked
from nearprint.spark._width import bounded, gathered
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from nearprint.spark._stages import Stages
    from pyspark.sql import DataFrame

MOST_TOGETHER = 500_000
"""Documents of a component, at most: a task holds their texts."""

BYTES_TOGETHER = "spark.nearprint.component.bytes"
"""The setting for the bytes of their texts, at most."""

MOST_BYTES_TOGETHER = 512 << 20
"""Its default."""


@dataclass(frozen=True)
class Grouped:
    """Documents by whether another one is a candidate.

    Args:
        together: Documents that have candidates, with `component`, by which partitions are sorted; each is in one of them.
        alone: Of all others `node`, `id`, `reference`, `tokens` and `reason`.
        connected: How many have candidates.
        largest: How many of them are in one component.
    """

    together: DataFrame
    alone: DataFrame
    connected: int
    largest: int


def grouped(
    documents: DataFrame,
    candidates: Mapping[str, Any],
    *,
    least_words: int = 1,
    copies: bool = False,
    repeated: DataFrame | None = None,
    most_pairs: int | None = None,
    stages: Stages,
) -> Grouped:
    """Brings documents together.

    Args:
        documents: Rows with `node`, a number of the document, `id`, `text`, `reference`, and what else decides. Where there is
            a folder for stages, numbers are those of `_homes`, and else hashes of `id` and `reference`.
        candidates: What is compared, as the core resolves the question: `scheme`, `distance` and `bands`.
        least_words: Documents of fewer words are not compared.
        copies: Whether copies of documents that are not compared are brought together as well.
        repeated: Documents that are left out, as their texts equal that of another one (`_copies.later`).
        most_pairs: Pairs of equal sketches, at most, where all pairs are wanted.
        stages: Where sketches and components are written; where they are not, sketches are made twice.

    Raises:
        InvalidInputError: Where the candidates of a measure cannot be divided.
        LimitError: Where more documents are connected than a task may hold.
    """
    scheme, distance, divided = (candidates[name] for name in ("scheme", "distance", "bands"))
    if divided is None:
        raise InvalidInputError(
            f'the bands of {scheme} for this measure depend on the number of documents: name them, such as bands="32x4"'
        )
    prints = stages.kept("fingerprints", lambda: sketches(documents, ["node", "id", "reference"], scheme))
    if repeated is not None and stages.folder is not None:
        copy = Findings(repeated.select("node", fn.lit(1).cast("long").alias("copy")), "copy", stages)
        prints = copy.beside(prints).where("copy IS NULL").drop("copy")
    elif repeated is not None:
        prints = unlike(prints, repeated)
    enough = fn.col("bits").isNotNull() & (fn.coalesce("tokens", fn.lit(0)) >= max(least_words, 1))
    if most_pairs is not None:
        _refuse_pairs(prints.where(enough), most_pairs)

    def every_edge() -> DataFrame:
        edges = _edges(prints.where(enough).select("node", "bits"), scheme, distance, divided)
        return edges.unionByName(_copies(prints.where(~enough))) if copies else edges

    def connected() -> DataFrame:
        edges = stages.kept("edges", every_edge)
        found = clusters(edges, workdir=stages.path("rounds"))
        return found.select(fn.col("id").alias("node"), fn.col("cluster").alias("component"))

    component = Findings(stages.kept("components", connected), "component", stages)
    placed = component.beside(prints.select("node", "id", "reference", "tokens", "reason", "size"))
    largest = _largest(placed.where("component IS NOT NULL"))
    named = component.beside(documents).where("component IS NOT NULL")
    if repeated is not None and stages.folder is None:
        # Another document may have the same hash, and be a copy.
        named = unlike(named, repeated)
    together = gathered(named, "component").sortWithinPartitions("component")
    alone = placed.where("component IS NULL")
    return Grouped(together, alone.select("node", "id", "reference", "tokens", "reason"), component.number, largest)


def _refuse_pairs(compared: DataFrame, most: int) -> None:
    """Refuses documents of which so many have equal sketches that there would be more pairs."""
    counted = bounded(compared.select(fn.xxhash64("bits").alias("alike")), "alike").groupBy("alike").count()
    found = counted.agg(fn.sum(fn.expr("count * (count - 1) div 2"))).first()
    number = 0 if found is None else found[0] or 0
    if number > most:
        raise LimitError(
            f"{number} pairs of documents have equal sketches alone, more than max_pairs={most}: "
            "drop copies first (nearprint.spark.dedup), or raise max_pairs"
        )


def _largest(placed: DataFrame) -> int:
    """The documents of the largest component. One that no task may hold is refused, by the name of a document in it."""
    said = str(placed.sparkSession.conf.get(BYTES_TOGETHER, str(MOST_BYTES_TOGETHER)))
    most_bytes = int(said) if said.isdigit() else MOST_BYTES_TOGETHER
    sizes = bounded(placed, "component").groupBy("component")
    found = sizes.agg(fn.count(fn.lit(1)).alias("number"), fn.sum("size").alias("size"), fn.min("id").alias("one"))
    largest = found.agg(
        fn.max("number").alias("number"),
        fn.max_by("one", "number").alias("one_of_many"),
        fn.max("size").alias("size"),
        fn.max_by("one", "size").alias("one_of_long"),
    ).first()
    if largest is None or largest["number"] is None:
        return 0
    remedy = "raise the threshold, or drop what they all repeat first"
    if largest["number"] > MOST_TOGETHER:
        raise LimitError(
            f"{largest['number']} documents are connected by candidates, among them {largest['one_of_many']!s:.80}, "
            f"more than the {MOST_TOGETHER} that a task holds: {remedy}"
        )
    if largest["size"] > most_bytes:
        raise LimitError(
            f"the documents that candidates connect with {largest['one_of_long']!s:.80} have {largest['size']} bytes of "
            f"text, more than the {most_bytes} that a task holds: {remedy}, or give the tasks more memory "
            f"(docs/SPARK.md) and set {BYTES_TOGETHER}"
        )
    return int(largest["number"])


def _edges(prints: DataFrame, scheme: str, distance: int, bands: str) -> DataFrame:
    """Pairs that connect what candidates connect: fewer than there are candidates."""
    schema = schema_of(("a", "long"), ("b", "long"))
    arrow = arrow_schema(schema)
    most_held = held_bytes(prints.sparkSession)

    def work(batches: Batches) -> Batches:
        for run in runs(batches, "group", most_held):
            held = once(run, "node", "bits")
            found = nearprint.clusters(
                held["bits"].cast(pa.binary(BYTES)).combine_chunks(),
                scheme=scheme,
                k=distance,
                bands=bands,
                threads=cores(),
            ).to_arrow()
            nodes = [held["node"].take(found[name]) for name in ("id", "representative")]
            yield from returned(pa.table(nodes, names=arrow.names), arrow)

    found = in_groups(prints, bands).select("group", "node", "bits").mapInArrow(checked(work), schema)
    return bounded(found.where(fn.col("a") != fn.col("b")), "a", "b").distinct()


def _copies(prints: DataFrame) -> DataFrame:
    """Pairs that connect documents with the same text, without a look at its white space. Empty ones are no copies.

    Identical texts have the same sketch. The core finds in each component what its documents are to one another.
    """
    alike = fn.when(fn.col("bits").isNotNull(), fn.xxhash64("bits")).otherwise(fn.xxhash64("solid"))
    texts = bounded(prints.where("size > 0").select("node", alike.alias("alike")), "alike")
    firsts = texts.groupBy("alike").agg(fn.min("node").alias("b"))
    return texts.join(firsts, "alike").where("node != b").select(fn.col("node").alias("a"), "b")
