"""The job: its output, and that a second run repeats no stage that was done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nearprint
import pytest
from documents import make_documents, written
from nearprint.errors import InvalidInputError
from nearprint.spark import _task, job
from pyspark.sql import SparkSession


def test_a_job_keeps_what_the_command_keeps_and_resumes(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = make_documents(300)
    # Without a text: a line that is damaged, and one whose document is empty.
    path = written(documents, tmp_path / "pages.jsonl")
    with path.open("a") as out:
        out.write("{damaged\n")
    out_path, job_path = tmp_path / "kept", tmp_path / "job"
    arguments = [str(path), "--job", str(job_path), "--output", str(out_path)]

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the cluster is gone")

    with monkeypatch.context() as patched:
        patched.setattr(job, "decisions", broken)
        with pytest.raises(RuntimeError, match="gone"):
            job.main(arguments)
    capsys.readouterr()
    # What is read again would find no file.
    path.rename(tmp_path / "moved.jsonl")
    assert job.main(arguments) == 1
    said = capsys.readouterr().err
    assert "/documents: done before" in said and "/decisions: done before" not in said
    expected = nearprint.dedup(str(tmp_path / "moved.jsonl")).to_pylist()
    kept = {row["id"] for row in expected if row["decision"] == "keep" and not row["failure"]}
    rows = spark.read.parquet(str(out_path)).collect()
    assert {row["id"] for row in rows} == kept
    counts = json.loads(said.splitlines()[-1].partition(": ")[2])
    assert counts["documents"] == len(expected)
    assert counts["failed"] == sum(1 for row in expected if row["failure"])
    assert job.main(arguments) == 1
    assert "/kept: done before" in capsys.readouterr().err
    assert job.main([*arguments, "--threshold", "0.8"]) == 2
    assert "was begun with threshold 0.7, not 0.8" in capsys.readouterr().err


def test_another_version_on_an_executor_is_refused_and_both_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    version = nearprint.__version__
    task = _task.checked(lambda batches: batches)
    monkeypatch.setattr(nearprint, "__version__", "9.9.9")
    with pytest.raises(InvalidInputError, match=f"driver has nearprint {version} and an executor has 9.9.9"):
        list(task(iter([])))
