"""The job `nearprint-spark`: from files to the documents that are kept, in stages that a second run does not repeat.

Usage: nearprint-spark INPUT... --job DIRECTORY --output DIRECTORY; or by spark-submit, with the path of this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import fsspec
import nearprint
from nearprint._nearprint import question_options
from nearprint.errors import InvalidInputError, NearprintError
from nearprint.spark._dedup import decisions
from nearprint.spark._homes import Findings, numbered
from nearprint.spark._read import read
from nearprint.spark._stages import Stages
from pyspark.sql import SparkSession

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the job and returns its exit code: 0, 1 where some documents could not be read, 2 where it was refused."""
    asked = _parser().parse_args(arguments)
    spark = SparkSession.builder.appName("nearprint").getOrCreate()
    try:
        return _run(spark, asked)
    except NearprintError as error:
        print(f"nearprint-spark: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="nearprint-spark", description="Which documents of many to keep, by Spark.")
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders, patterns or URLs of documents")
    parser.add_argument(
        "--job",
        required=True,
        metavar="URL",
        help="directory where stages are written; the same job resumes there; on a cluster a URL with a scheme",
    )
    parser.add_argument(
        "--output",
        required=True,
        metavar="URL",
        help="directory where the kept documents are written, as Parquet; on a cluster a URL with a scheme",
    )
    parser.add_argument("--against", nargs="+", default=[], metavar="INPUT", help="also drop duplicates of these")
    parser.add_argument("--keep", choices=["first", "longest"], default="first", help="which of several is kept")
    # Kinds and defaults are the core's; `keep` is above, as a frame has an order of its own.
    for option in question_options()["dedup"]:
        name, usual = option["name"], option["default"]
        if name in ("threshold", "policy", "chains", "least_words"):
            kind: dict[str, Any] = (
                {"action": "store_true"} if usual is False else {"type": type(usual), "default": usual}
            )
            parser.add_argument("--" + name.replace("_", "-"), help=option["help"].replace("%", "%%"), **kind)
    return parser


def _run(spark: SparkSession, asked: argparse.Namespace) -> int:
    job = asked.job.rstrip("/")
    _refuse_another_job(job, {**vars(asked), "version": nearprint.__version__})

    stages = Stages(spark, job, _written)
    documents = stages.kept("documents", lambda: numbered(read(spark, asked.inputs)))
    references = None
    if asked.against:
        references = stages.kept("references", lambda: numbered(read(spark, asked.against), references=True))

    def decided() -> DataFrame:
        made = decisions(
            _with_texts(documents),
            id_field="id",
            text_field="text",
            keep=asked.keep,
            order="place",
            against=None if references is None else _with_texts(references),
            options={
                "threshold": asked.threshold,
                "policy": asked.policy,
                "chains": asked.chains,
                "least_words": asked.least_words,
            },
            stages=stages,
            has_numbers=True,
            progress=lambda name, number, total: _say(f"{name}: {number} of {total}"),
        )
        failed = documents.where("text IS NULL").selectExpr(
            "node",
            "id",
            "'keep' AS decision",
            "'no-fingerprint' AS reason",
            "CAST(NULL AS string) AS representative",
            "CAST(NULL AS double) AS similarity",
            "reason AS failure",
        )
        return made.unionByName(failed)

    decided_rows = stages.kept("decisions", decided)
    counts = {row["reason"]: row["count"] for row in decided_rows.groupBy("reason").count().collect()}
    output = asked.output.rstrip("/")
    if not _written(output):
        dropped = Findings(
            decided_rows.where("decision = 'drop'").selectExpr("node", "1L AS dropped"), "dropped", stages
        )
        kept_documents = dropped.beside(documents.where("text IS NOT NULL")).where("dropped IS NULL")
        kept_documents.drop("dropped", "node").write.mode("overwrite").parquet(output)
    failures = decided_rows.where("failure IS NOT NULL").count()
    _say(json.dumps({"documents": sum(counts.values()), "failed": failures, **dict(sorted(counts.items()))}))
    return 1 if failures else 0


def _with_texts(documents: DataFrame) -> DataFrame:
    return documents.where("text IS NOT NULL").select("node", "id", "text", "place")


def _written(path: str) -> bool:
    """Whether a stage was written as a whole, which is said."""
    found = _exists(f"{path}/_SUCCESS")
    if found:
        _say(f"{path}: done before")
    return found


def _refuse_another_job(job: str, settings: dict[str, Any]) -> None:
    """Writes the settings of a new job, and refuses to resume one that had others or to replace what exists."""
    path = f"{job}/settings.json"
    if not _exists(path):
        if _exists(settings["output"]):
            raise InvalidInputError(
                f"the output {settings['output']} exists and is not of this job: remove it, or give another --output"
            )
        with fsspec.open(path, "w", auto_mkdir=True) as out:
            json.dump(settings, out, indent=2)
        return
    with fsspec.open(path, "r") as source:
        before = json.load(source)
    differing = sorted(name for name in settings if before.get(name) != settings[name])
    if differing:
        name = differing[0]
        raise InvalidInputError(
            f"the job in {job} was begun with {name} {before.get(name)!r}, not {settings[name]!r}: "
            "give the same arguments, or another --job"
        )


def _exists(path: str) -> bool:
    system, name = fsspec.core.url_to_fs(path)
    return bool(system.exists(name))


def _say(message: str) -> None:
    print(f"nearprint-spark: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
