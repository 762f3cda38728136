"""What is made on the way to a result: written where there is a directory for it, and not made twice."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nearprint.spark._width import narrowed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def own_folder(workdir: str | None) -> str | None:
    """A folder in a directory for one call alone, so that it overwrites nothing: neither what another call still reads nor
    what is of somebody else."""
    return None if workdir is None else f"{workdir.rstrip('/')}/nearprint-{uuid.uuid4().hex}"


@dataclass(frozen=True)
class Stages:
    """Where stages are written.

    Args:
        spark: The session.
        folder: A directory that all executors reach; None where nothing is written.
        done: Whether a directory holds a whole stage of the same work. By default none does, and all are made again.
    """

    spark: SparkSession
    folder: str | None
    done: Callable[[str], bool] = lambda path: False

    def kept(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """What is made, read from where it was written."""
        if self.folder is None:
            return make()
        return narrowed(self.spark.read.parquet(self.written(name, make)))

    def written(self, name: str, make: Callable[[], DataFrame], by: str | None = None) -> str:
        """The directory of what is made, which has a folder for each value of the column `by`. There is one for stages."""
        path = f"{self.folder}/{name}"
        if not self.done(path):
            writer = make().write.mode("overwrite")
            (writer.partitionBy(by) if by else writer).parquet(path)
        return path

    def path(self, name: str) -> str | None:
        """A directory for what writes several stages by itself."""
        return None if self.folder is None else f"{self.folder}/{name}"
