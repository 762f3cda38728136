"""A job of a nearprint server: started, waited for, its result fetched, and deleted. `nearprint.client` asks for jobs."""

from __future__ import annotations

import time
from typing import Any

from nearprint._http import Connection, Row, lines
from nearprint.errors import InputOutputError

# Seconds between two looks at a job: the first, and the most.
_FIRST = 0.01
_MOST = 0.5


def job_rows(http: Connection, kind: str, collection: str, **options: Any) -> list[Row]:
    """The rows of a job of the type `kind`. It is deleted afterwards, also where this is interrupted.

    Args:
        http: The server.
        kind: What the job does: `pairs`, `clusters`, `dedup` or `import`.
        collection: The name of its collection.
        options: Its other fields. What is None is not sent.
    """
    given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    job = http.json("POST", "/jobs", {"type": kind, "collection": collection} | given)
    path, pause = f"/jobs/{job['id']}", _FIRST
    try:
        while job["state"] in ("waiting", "running"):
            time.sleep(pause)
            pause = min(2 * pause, _MOST)
            job = http.json("GET", path)
        if job["state"] != "done":
            raise InputOutputError(f"job {job['id']} is {job['state']}: {job['detail'] or 'no reason is known'}")
        *rows, end = lines(http.send("GET", f"{path}/result")) or [{}]
    finally:
        http.send("DELETE", path)
    if end.get("rows") != len(rows):
        raise InputOutputError(f"the result of job {job['id']} was cut on its way")
    return rows
