"""Documents brought together with all their candidates, so that the core decides about them in one task.

What the core verifies are candidates: documents whose sketches agree in a band and are within a distance. A decision about
a document depends on nothing outside the component of candidates that it is in. So each component goes to one task, and
the core finds there what it would find among all documents.

Documents are named by a hash of 64 bits on the way. Two that have the same hash are brought together without need, which
changes no decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark._bands import BYTES, in_groups
from nearprint.spark._batches import returned, whole
from nearprint.spark._clusters import clusters
from nearprint.spark._copies import without_copies
from nearprint.spark._fingerprint import sketches
from nearprint.spark._memory import cores
from nearprint.spark._schema import arrow_schema, schema_of
from nearprint.spark._sketches import once
from nearprint.spark._task import Batches, checked
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from nearprint.spark._stages import Stages
    from pyspark.sql import DataFrame

MOST_TOGETHER = 500_000
"""Documents of a component, at most: a task holds their texts."""

MOST_BROADCAST = 1_000_000
"""Documents with candidates whose hashes every executor holds, some 50 MB; of more, all texts are shuffled to find them."""


@dataclass(frozen=True)
class Grouped:
    """Documents by whether another one is a candidate.

    Args:
        together: Documents that have candidates, in partitions that hold whole components.
        alone: Of all others `id`, `reference`, `tokens` and `reason`.
    """

    together: DataFrame
    alone: DataFrame


def grouped(
    documents: DataFrame,
    candidates: Mapping[str, Any],
    *,
    least_words: int = 1,
    copies: bool = False,
    repeated: DataFrame | None = None,
    stages: Stages,
) -> Grouped:
    """Brings documents together.

    Args:
        documents: Rows with `node`, a hash of the id and of `reference`, `id`, `text`, `reference`, and what else decides.
        candidates: What is compared, as the core resolves the question: `scheme`, `distance` and `bands`.
        least_words: Documents of fewer words are not compared.
        copies: Whether copies of documents that are not compared are brought together as well.
        repeated: Documents with equal texts, of which only the first is brought together (`_copies.repeats`).
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
    if repeated is not None:
        prints = without_copies(prints, repeated)
    compared = prints.where(fn.col("bits").isNotNull() & (fn.col("tokens") >= max(least_words, 1)))

    def every_edge() -> DataFrame:
        edges = _edges(compared.select("node", "bits"), scheme, distance, divided)
        if not copies:
            return edges
        others = prints.join(compared.select("node"), "node", "left_anti").select("node", "bits")
        return edges.unionByName(_copies(documents.join(others, "node")))

    def connected() -> DataFrame:
        edges = stages.kept("edges", every_edge)
        found = clusters(edges, workdir=stages.path("rounds"))
        return found.select(fn.col("id").alias("node"), fn.col("cluster").alias("component"))

    labels = stages.kept("components", connected)
    sizes = labels.groupBy("component").count().agg(fn.max("count").alias("largest"), fn.sum("count").alias("all"))
    row = sizes.first()
    largest, all_labels = (row["largest"] or 0, row["all"] or 0) if row is not None else (0, 0)
    if largest > MOST_TOGETHER:
        raise LimitError(
            f"{largest} documents are connected by candidates, more than the {MOST_TOGETHER} that a task holds: "
            "raise the threshold, or drop what they all repeat first"
        )
    if all_labels <= MOST_BROADCAST:
        labels = fn.broadcast(labels)
    named = documents.join(labels, "node")
    # Another document may have the same hash, and be a copy.
    together = (named if repeated is None else without_copies(named, repeated)).repartition("component")
    alone = prints.join(labels, "node", "left_anti")
    return Grouped(together, alone.select("id", "reference", "tokens", "reason"))


def _edges(prints: DataFrame, scheme: str, distance: int, bands: str) -> DataFrame:
    """Pairs that connect what candidates connect: fewer than there are candidates."""
    schema = schema_of(("a", "long"), ("b", "long"))
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        held = once(whole(batches), "node", "bits")
        if held is None:
            return
        found = nearprint.clusters(
            held["bits"].cast(pa.binary(BYTES)).combine_chunks(),
            scheme=scheme,
            k=distance,
            bands=bands,
            threads=cores(),
        ).to_arrow()
        nodes = [held["node"].take(found[name]) for name in ("id", "representative")]
        yield from returned(pa.table(nodes, names=arrow.names), arrow)

    found = in_groups(prints, bands).select("node", "bits").mapInArrow(checked(work), schema)
    return found.where(fn.col("a") != fn.col("b")).distinct()


def _copies(documents: DataFrame) -> DataFrame:
    """Pairs that connect documents with the same text, without a look at its white space. Empty ones are no copies.

    Identical texts have the same sketch. The core finds in each component what its documents are to one another.
    """
    solid = fn.regexp_replace("text", "[\\s\ufeff]", "")
    alike = fn.when(fn.col("bits").isNotNull(), fn.xxhash64("bits")).otherwise(fn.xxhash64(solid))
    texts = documents.where("length(text) > 0").select("node", alike.alias("alike"))
    firsts = texts.groupBy("alike").agg(fn.min("node").alias("b"))
    return texts.join(firsts, "alike").where("node != b").select(fn.col("node").alias("a"), "b")
