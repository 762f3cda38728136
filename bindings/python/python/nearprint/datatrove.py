"""Blocks for pipelines of datatrove: fingerprints as metadata, and deduplication of the documents of a task.

Needs datatrove (`pip install nearprint[datatrove]`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import nearprint
from nearprint._extras import Extra
from nearprint._names import old_names

with Extra("datatrove", __name__):
    from datatrove.data import Document
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.writers.disk_base import DiskWriter
    from datatrove.utils.typeshelper import StatHints

__all__ = ["AddFingerprint", "Dedup"]


class AddFingerprint(PipelineStep):  # type: ignore[misc]
    """Adds the fingerprint of each document to its metadata, None where there is none.

    Args:
        into: The key in the metadata.
        scheme: The scheme, as of `nearprint.fingerprint`.
        batch_size: Documents that are worked on at once.
    """

    name = "nearprint"
    type = "🔢 - FINGERPRINT"

    def __init__(self, into: str = "fingerprint", scheme: str = "sd1", batch_size: int = 1000) -> None:
        super().__init__()
        self.into = into
        self.scheme = scheme
        self.batch_size = batch_size

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        documents = iter(data or ())
        while batch := list(islice(documents, self.batch_size)):
            with self.track_time("batch"):
                made = nearprint.fingerprints([document.text for document in batch], self.scheme, "string")
            for document, fingerprint in zip(batch, made.to_pylist(), strict=True):
                self.stat_update(StatHints.total)
                document.metadata[self.into] = fingerprint
                yield document


class Dedup(PipelineStep):  # type: ignore[misc]
    """Keeps the documents that `nearprint.dedup` keeps, in their order, and drops the others.

    It decides among the documents of one task, all of which it holds in memory: run it with one task (`tasks=1`), or after
    a step that brings what may be alike into one task.

    Args:
        exclusion_writer: Writes the dropped documents, with `reason` and `representative` (an id) in their metadata.
        arguments: As of `nearprint.dedup`, such as `threshold`.
    """

    name = "nearprint"
    type = "🫂 - DEDUP"

    def __init__(self, exclusion_writer: DiskWriter | None = None, **arguments: Any) -> None:
        super().__init__()
        self.exclusion_writer = exclusion_writer
        self.arguments = arguments

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        documents = list(data or ())
        with self.track_time("task"):
            # By their positions: ids of documents need not be unique.
            texts = [document.text for document in documents]
            decisions = nearprint.dedup(texts=texts, **self.arguments).to_pylist()
        with self.exclusion_writer or contextlib.nullcontext() as writer:
            for document, decision in zip(documents, decisions, strict=True):
                self.stat_update(StatHints.total)
                if decision["decision"] == "keep":
                    self.stat_update(StatHints.forwarded)
                    self.update_doc_stats(document)
                    yield document
                    continue
                self.stat_update(StatHints.dropped, f"dropped_{decision['reason']}")
                if writer is not None:
                    document.metadata["reason"] = decision["reason"]
                    document.metadata["representative"] = documents[int(decision["representative"])].id
                    writer.write(document, rank)


__getattr__ = old_names(__name__, {"Deduplicate": "Dedup"})
