"""The recipes of docs/SERVER.md by the client that openapi-python-client generates: recipes.py ADDRESS SAMPLES TOKEN.

`nearprint_api` is that client. Prints each request that was sent, as clients.py writes those of the guide.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx
from nearprint_api import AuthenticatedClient, Client
from nearprint_api.api.captures import captures_list
from nearprint_api.api.collections import aliases_put, collections_create, collections_get, collections_list
from nearprint_api.api.documents import (
    additions_batch,
    additions_put,
    documents_change_metadata,
    documents_count,
    documents_delete_many,
    documents_fetch,
    documents_get,
)
from nearprint_api.api.documents_that_are_not_stored import compare_two, fingerprint
from nearprint_api.api.jobs import jobs_get, jobs_list, jobs_result, jobs_start
from nearprint_api.api.queries import queries_batch, queries_query
from nearprint_api.api.snapshots import (
    snapshots_create,
    snapshots_download,
    snapshots_list,
    snapshots_restore,
    snapshots_upload,
)
from nearprint_api.models import (
    AliasTarget,
    CaptureField,
    CompareBody,
    CreateBody,
    DocumentItem,
    DocumentItemMetadataType0,
    DocumentItems,
    FetchBody,
    JobRequest,
    JobsListState,
    JobState,
    JobType,
    MetadataBody,
    Problem,
    QueryItem,
    QueryItems,
    SelectionBody,
    Side,
)
from nearprint_api.types import File, Response

T = TypeVar("T")

NAMED_HEADERS = ("authorization", "content-encoding", "idempotency-key")


def note(request: httpx.Request) -> None:
    names = sorted(set(request.url.params.keys()))
    headers = [f" +{name}" for name in NAMED_HEADERS if name in request.headers]
    print(f"{request.method} {request.url.path}?{','.join(names)}{''.join(headers)}")


def settings(headers: dict[str, str] | None = None) -> dict[str, Any]:
    """Rows come as lines of JSON unless a client asks for an object."""
    return {
        "headers": {"Accept": "application/json", **(headers or {})},
        "httpx_args": {"event_hooks": {"request": [note]}},
    }


def fine(answer: Response[T | Problem]) -> T:
    """What was answered, which must be what the description says and no problem."""
    assert answer.status_code < 300, (answer.status_code, answer.content)
    assert answer.parsed is not None and not isinstance(answer.parsed, Problem), answer
    return answer.parsed


def refused(answer: Response[Any]) -> Problem:
    assert isinstance(answer.parsed, Problem) and answer.parsed.status == answer.status_code, answer
    return answer.parsed


def file(path: Path) -> File:
    return File(payload=io.BytesIO(path.read_bytes()))


def fields(model: type[T], **values: Any) -> T:
    """An object of which the description leaves the fields open, such as metadata."""
    made: T = model.from_dict(values)  # type: ignore[attr-defined]
    return made


def documents(client: Client, samples: Path) -> None:
    lights = {"collection": "lights", "client": client}
    made = fine(collections_create.sync_detailed(body=CreateBody(texts=True), **lights))
    assert (made.name, made.scheme, made.documents) == ("lights", "md1", 0)
    for name in ("lighthouse/en.txt", "ferry/de.html"):
        path = samples / name
        added = fine(additions_put.sync_detailed(body=file(path), id=path.name, **lights))
        assert (added.status, added.outcome) == (201, "added")
    pdf = samples / "lighthouse" / "en.pdf"
    [match] = fine(queries_query.sync_detailed(body=file(pdf), **lights)).items
    assert (match.id, match.duplicate) == ("en.txt", True)
    [match] = fine(queries_query.sync_detailed(body=file(pdf), measure="containment", threshold=0.9, **lights)).items
    assert (match.measure, match.similarity) == ("containment", 1.0)
    [match] = fine(queries_query.sync_detailed(body=file(pdf), verify=False, **lights)).items
    assert (match.distance, match.similarity) == (0, None)
    near = fine(additions_put.sync_detailed(body=file(pdf), id="en.pdf", if_new=True, **lights))
    assert (near.outcome, [one.id for one in near.near]) == ("near", ["en.txt"])
    page = samples / "lighthouse" / "en.html"
    spent = fine(additions_put.sync_detailed(body=file(page), id="en.html", budget=1, **lights))
    assert (spent.outcome, spent.similar, spent.near[0].id) == ("spent", 1, "en.txt")
    items = [DocumentItem(id="a", text="Fog came in at noon."), DocumentItem(id="b", text="12")]
    rows = fine(additions_batch.sync_detailed(body=DocumentItems(items=items), **lights)).items
    assert [row.status for row in rows] == [201, 422] and rows[1].problem.reason == "no-tokens"
    items = [QueryItem(id="en.txt"), QueryItem(text="Fog came in at noon.")]
    [match] = fine(queries_batch.sync_detailed(body=QueryItems(items=items), k=0, **lights)).items
    assert (match.query, match.id) == ("query-2", "a")


def without_a_collection(address: str, client: Client, samples: Path) -> None:
    page = (samples / "lighthouse" / "en.html").read_bytes()
    row = fine(fingerprint.sync_detailed(client=client, body=File(io.BytesIO(page)), id="en.html"))
    compressed = Client(base_url=address, **settings({"Content-Encoding": "gzip"}))
    body = File(io.BytesIO(gzip.compress(page)))
    again = fine(fingerprint.sync_detailed(client=compressed, body=body, id="en.html"))
    assert row["fingerprint"] == again["fingerprint"] and row["tokens"] == 606
    sides = Side(text="Fog came in at noon."), Side(text="Fog came in at one.")
    compared = fine(compare_two.sync_detailed(client=client, body=CompareBody(a=sides[0], b=sides[1])))
    assert (compared.a, compared.b, compared.distance) == ("a", "b", 8)


def until(state: JobState, ask: Callable[[], Response[Any]]) -> None:
    while fine(ask()).state != state:
        time.sleep(0.01)


def jobs(client: Client) -> None:
    body = JobRequest(type_=JobType.CLUSTERS, collection="lights")
    clusters = fine(jobs_start.sync_detailed(client=client, body=body, idempotency_key="first"))
    until(JobState.DONE, lambda: jobs_get.sync_detailed(clusters.id, client=client))
    # A result has as many lines as there are rows, and is read as it comes.
    lines = jobs_result.sync_detailed(clusters.id, client=client).content.splitlines()
    assert json.loads(lines[-1]) == {"schema": "nearprint/end/1", "rows": 0}
    body = JobRequest(type_=JobType.DEDUP, collection="lights")
    body["threshold"], body["keep"] = 0.8, "longest"
    dedup = fine(jobs_start.sync_detailed(client=client, body=body))
    until(JobState.DONE, lambda: jobs_get.sync_detailed(dedup.id, client=client))
    lines = jobs_result.sync_detailed(dedup.id, client=client).content.splitlines()
    assert json.loads(lines[0])["decision"] == "keep"
    body = JobRequest(type_=JobType.IMPORT, collection="lights", path="2026-11/crawl.warc.gz")
    assert refused(jobs_start.sync_detailed(client=client, body=body)).kind == "unsupported"
    page = fine(jobs_list.sync_detailed(client=client, collection="lights", state=JobsListState.DONE, limit=1))
    assert [job.id for job in page.items] == [dedup.id] and page.next_cursor == dedup.id


def metadata(client: Client) -> None:
    lights = {"collection": "lights", "client": client}
    item = DocumentItem(text="Fog came in at noon.", metadata=fields(DocumentItemMetadataType0, crawl="2026-11"))
    assert fine(additions_put.sync_detailed(id="note", body=item, **lights)).status == 201
    fog = QueryItem(text="Fog came in at noon.")
    where = "crawl=2026-11 and crawl!=2026-10"
    [match] = fine(queries_query.sync_detailed(body=fog, where=where, metadata=True, **lights)).items
    assert (match.id, match.metadata["crawl"]) == ("note", "2026-11")
    match, comparison = fine(queries_query.sync_detailed(body=fog, k=0, limit=1, explain=True, **lights)).items
    assert (match.id, comparison.a, comparison.b) == ("a", "query", "a") and comparison.passages
    body = fields(MetadataBody, ids=["note", "a"], metadata={"seen": True})
    assert fine(documents_change_metadata.sync_detailed(body=body, **lights)).changed == 2
    where = "crawl in (2026-10, 2026-11) or not seen exists"
    assert fine(documents_count.sync_detailed(where=where, **lights)).count == 3
    page = fine(documents_get.sync_detailed(text=True, limit=1, where="seen=true", **lights))
    assert [(one.id, one.text) for one in page.items] == [("a", "Fog came in at noon.")] and page.next_cursor
    body = FetchBody(ids=["note", "none"], text=True)
    [found] = fine(documents_fetch.sync_detailed(body=body, **lights)).items
    assert (found.id, found.metadata.additional_properties) == ("note", {"crawl": "2026-11", "seen": True})
    selection = SelectionBody(where="crawl<2020 and seen=true")
    assert fine(documents_delete_many.sync_detailed(body=selection, **lights)).removed == 0


def copies(client: Client) -> None:
    made = fine(snapshots_create.sync_detailed("lights", client=client))
    assert [one.id for one in fine(snapshots_list.sync_detailed("lights", client=client)).items] == [made.id]
    lines = snapshots_download.sync_detailed("lights", made.id, client=client).content
    body = File(io.BytesIO(lines))
    sent = fine(snapshots_upload.sync_detailed("copy", "first", client=client, body=body))
    assert (sent.documents, sent.bytes_) == (4, len(lines))
    assert fine(snapshots_restore.sync_detailed("copy", "first", client=client)).documents == 4
    fine(aliases_put.sync_detailed("current", client=client, body=AliasTarget(collection="copy")))
    assert fine(collections_get.sync_detailed("current", client=client)).name == "copy"


def captures(client: Client) -> None:
    missing = documents_get.sync_detailed("lights", client=client, id="nothing")
    assert refused(missing).kind == "unknown-document"
    items = [
        DocumentItem(
            id="1",
            text="Fog came in at noon.",
            capture=CaptureField(url="http://example.org/", date="20250101000000"),
        ),
        DocumentItem(
            id="2",
            text="Fog came in at dusk.",
            capture=CaptureField(url="https://www.example.org/", date="20260101000000"),
        ),
    ]
    rows = fine(additions_batch.sync_detailed("lights", client=client, body=DocumentItems(items=items))).items
    assert [row.status for row in rows] == [201, 201]
    page = fine(captures_list.sync_detailed("lights", client=client, url_query="example.org"))
    assert [(one.id, one.changed) for one in page.items] == [("1", None), ("2", 0.2)]


def main() -> None:
    address, samples, token = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    client = Client(base_url=address, **settings())
    documents(client, samples)
    without_a_collection(address, client, samples)
    jobs(client)
    metadata(client)
    copies(client)
    captures(client)
    # From the first token on, every request needs one; clients.py makes it when this line is read.
    print("token", flush=True)
    while not token.exists():
        time.sleep(0.01)
    signed = AuthenticatedClient(base_url=address, token=token.read_text().strip(), **settings())
    assert "lights" in [one.name for one in fine(collections_list.sync_detailed(client=signed)).items]
    assert refused(collections_list.sync_detailed(client=client)).kind == "unauthenticated"


if __name__ == "__main__":
    main()
