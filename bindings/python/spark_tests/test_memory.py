"""The Python memory of a task: what reading may take of it, and that too little is refused by name."""

from __future__ import annotations

import importlib
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import nearprint
import pyarrow as pa
import pytest
from nearprint.errors import ResourceError
from nearprint.spark import _memory, _task
from pyspark import cloudpickle


def test_reading_stays_within_the_python_memory_of_a_task(
    monkeypatch: pytest.MonkeyPatch, samples: Path, tmp_path: Path
) -> None:
    monkeypatch.delenv("PYSPARK_EXECUTOR_MEMORY_MB", raising=False)
    assert _memory.options() == {}
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "512")
    shares: Any = _memory.options()
    assert shares == {"memory": 128 << 20, "worker_memory": 256 << 20, "max_bytes": 64 << 20}
    (record,) = nearprint.read(str(samples / "lighthouse" / "en.pdf"), **shares)
    assert record.text
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "8")
    long = tmp_path / "long.txt"
    long.write_text("fog came in " * 200_000)
    (record,) = nearprint.read(str(long), max_bytes=_memory.options()["max_bytes"])
    assert record.reason == "too-large"


@pytest.mark.parametrize(("share", "mapped"), [(300, 0), (800, 700)])
def test_too_little_memory_is_refused_with_the_setting(
    monkeypatch: pytest.MonkeyPatch, share: int, mapped: int
) -> None:
    pool = pa.default_memory_pool()
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", str(share))
    monkeypatch.setattr(_memory, "_mapped", lambda: mapped << 20)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (share << 20, share << 20))
    wanted = rf"spark.executor.pyspark.memory, .* {share} MiB, .* to \d+m or more for each core"
    try:
        with pytest.raises(ResourceError, match=wanted):
            if mapped:
                _task.checked(lambda batches: batches)(iter([]))
            else:
                importlib.reload(_memory)
        monkeypatch.setattr(_memory, "_mapped", lambda: 400 << 20)
        monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "800")
        monkeypatch.setattr(resource, "getrlimit", lambda _: (800 << 20, 800 << 20))
        assert list(_task.checked(lambda batches: batches)(iter([]))) == []
    finally:
        pa.set_memory_pool(pool)


def test_a_task_imports_what_refuses_before_arrow() -> None:
    schema = pa.schema([("a", pa.int64())])

    def work(batches: Any) -> Any:
        yield schema, batches

    code = (
        "import sys, pickle\n"
        "from nearprint.errors import ResourceError\n"
        "try: pickle.loads(sys.stdin.buffer.read())\n"
        "except ResourceError: print('pyarrow' in sys.modules)\n"
    )
    dumps: Any = cloudpickle.dumps
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=dumps(_task.checked(work)),
        env={**os.environ, "PYSPARK_EXECUTOR_MEMORY_MB": "300"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == "False\n"
