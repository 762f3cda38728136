"""Documents brought together with all their candidates, so that the core decides about them in one task.

What the core verifies are candidates: documents whose sketches agree in a band and are within a distance. A decision about
a document depends on nothing outside the component of candidates that it is in. So each component goes to one task, and
the core finds there what it would find among all documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import nearprint
import pyarrow as pa
from nearprint._nearprint import candidates
from nearprint.errors import InvalidInputError, LimitError
from nearprint.spark._batches import returned, whole
from nearprint.spark._clusters import clusters
from nearprint.spark._fingerprint import fingerprint
from nearprint.spark._schema import arrow_schema, schema_of
from nearprint.spark._sketches import BYTES, in_parts, once
from nearprint.spark._task import Batches, checked, cores
from pyspark.sql import functions as fn

if TYPE_CHECKING:
    from typing import Literal

    from pyspark.sql import DataFrame

MOST_TOGETHER = 500_000
"""Documents of a component, at most: a task holds their texts."""


@dataclass(frozen=True)
class Grouped:
    """Documents by whether another one is a candidate.

    Args:
        together: Documents that have candidates, in partitions that hold whole components.
        alone: Of all others `node`, `id`, `tokens` and `reason`.
    """

    together: DataFrame
    alone: DataFrame


def grouped(
    documents: DataFrame,
    *,
    threshold: float,
    measure: Literal["jaccard", "containment", "cosine"] = "jaccard",
    least_words: int = 1,
    workdir: str | None = None,
) -> Grouped:
    """Brings documents together.

    Args:
        documents: Rows with `node`, a string that is unique, `id`, `text`, and what else decides.
        threshold: The least similarity.
        measure: Its measure.
        least_words: Documents of fewer words are not compared.
        workdir: Where fingerprints and rounds are written; without it fingerprints are made twice.

    Raises:
        InvalidInputError: Where the candidates of a measure cannot be divided.
        LimitError: Where more documents are connected than a task may hold.
    """
    distance, bands = candidates(threshold, measure=measure)
    if bands is None:
        raise InvalidInputError(f"candidates of {measure} cannot be divided among machines: use jaccard or containment")
    prints = fingerprint(documents, id="node", text="text", schemes="md1")
    prints = prints.select(fn.col("id").alias("node"), "bits", "tokens", "reason")
    if workdir is not None:
        prints.write.mode("overwrite").parquet(f"{workdir}/fingerprints")
        prints = documents.sparkSession.read.parquet(f"{workdir}/fingerprints")
    compared = prints.where(fn.col("bits").isNotNull() & (fn.col("tokens") >= max(least_words, 1)))
    edges = _edges(compared.select(fn.col("node").alias("id"), "bits"), distance, bands)
    labels = clusters(edges, workdir=None if workdir is None else f"{workdir}/components")
    labels = labels.select(fn.col("id").alias("node"), fn.col("cluster").alias("component"))
    largest = labels.groupBy("component").count().agg(fn.max("count")).first()
    if largest is not None and (largest[0] or 0) > MOST_TOGETHER:
        raise LimitError(
            f"{largest[0]} documents are connected by candidates, more than the {MOST_TOGETHER} that a task holds: "
            "raise the threshold, or drop what they all repeat first"
        )
    together = documents.join(labels, "node").repartition("component")
    alone = prints.join(labels, "node", "left_anti").join(documents.select("node", "id"), "node")
    return Grouped(together, alone.select("node", "id", "tokens", "reason"))


def _edges(prints: DataFrame, distance: int, bands: str) -> DataFrame:
    """Pairs that connect what candidates connect: fewer than there are candidates."""
    schema = schema_of(("a", "string"), ("b", "string"))
    arrow = arrow_schema(schema)

    def work(batches: Batches) -> Batches:
        held = once(whole(batches))
        if held is None:
            return
        sketches = held["bits"].cast(pa.binary(BYTES)).combine_chunks()
        near = nearprint.clusters(sketches, scheme="md1", k=distance, bands=bands, threads=cores())
        found = near.to_arrow()
        ids = [held["id"].take(found[name]) for name in ("id", "representative")]
        yield from returned(pa.table(ids, names=arrow.names), arrow)

    found = in_parts(prints, bands).mapInArrow(checked(work), schema)
    return found.where(fn.col("a") != fn.col("b")).distinct()
