"""A collection of documents on a server: what is added to it and asked of it. `nearprint.client` makes it public."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from nearprint._http import JSON, Connection, Parameters, Row, error_of, lines
from nearprint._job import job_rows
from nearprint._nearprint import Fingerprint
from nearprint.errors import InvalidInputError, NearprintError

# A document: its text, its bytes of any medium, the path of a file, or a fingerprint in its place.
Document = str | bytes | PathLike[str] | Fingerprint
OnDuplicate = Literal["error", "replace", "skip"]

# Of one request; the server's usual limits are 1,000 items and 64 MiB.
_ITEMS = 1000
_BYTES = 32 << 20


class Collection:
    """A collection of documents on a server. Made by `Server.collection` and `Server.create`."""

    def __init__(self, http: Connection, name: str) -> None:
        self._http = http
        self.name = name
        self.path = f"/collections/{quote(name, safe='')}"

    def __repr__(self) -> str:
        return f"<nearprint.client.Collection {self.name} of {self._http.url}>"

    def __len__(self) -> int:
        return int(self.stats()["documents"])

    def stats(self) -> Row:
        """Name, scheme, number of documents, and `statistics`, the row `nearprint/index/1`."""
        return dict(self._http.json("GET", self.path))

    def insert(
        self,
        id: str,
        document: Document,
        *,
        on_duplicate: OnDuplicate | None = None,
        if_new: bool = False,
        k: int | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Row:
        """Adds one document. When this returns, it is on the server's disk, and the next query finds it.

        Args:
            id: What it is called, 1 to 4,096 bytes of UTF-8 without control characters.
            document: Its text, its bytes of any medium, the path of a file, or a fingerprint.
            on_duplicate: What to do where the id is there: "replace" by default, with `if_new` "error".
            if_new: Add it only where nothing is within the distance `k`.
            k: The distance for `if_new`, in bits; that of the scheme by default.
            metadata: What is stored with it as JSON, 64 KiB at most.

        Returns:
            The row `nearprint/item/1`: `outcome` is "added", "replaced", "skipped" or "near", and `near` lists why.

        Raises:
            DocumentError: Where the document cannot be read or has no fingerprint.
            InvalidInputError: Where the id is there and may not be, or the fingerprint is of another scheme.
        """
        item = _given(document) | ({"metadata": dict(metadata)} if metadata is not None else {})
        parameters = {"id": id, "on_duplicate": on_duplicate, "if_new": if_new, "k": k}
        body = json.dumps(item).encode()
        return dict(json.loads(self._http.send("PUT", f"{self.path}/documents", parameters, body, JSON, id=id)))

    def add(
        self,
        documents: Iterable[Document],
        ids: Iterable[str],
        *,
        on_duplicate: OnDuplicate | None = None,
        if_new: bool = False,
        k: int | None = None,
    ) -> list[Row]:
        """Adds many documents, up to 1,000 in a request. One with a problem does not hinder the others.

        Args:
            documents: As of `insert`.
            ids: As many ids.
            on_duplicate: As of `insert`.
            if_new: As of `insert`.
            k: As of `insert`.

        Returns:
            A row `nearprint/item/1` for each: with an `outcome`, or with a `problem`, of which `kind` and `detail` say why.
        """
        items = ({"id": id} | _given(document) for id, document in zip(ids, documents, strict=True))
        parameters = {"on_duplicate": on_duplicate, "if_new": if_new, "k": k}
        path = f"{self.path}/documents/batch"
        return [row for part in _parts(items) for row in self._http.rows(path, parameters, part)]

    def remove(self, ids: Sequence[str]) -> int:
        """Removes documents, and returns how many of them were there.

        Args:
            ids: Their ids.
        """
        parts = (list(ids[at : at + _ITEMS]) for at in range(0, len(ids), _ITEMS))
        path = f"{self.path}/documents/delete"
        return sum(int(self._http.json("POST", path, {"ids": part})["removed"]) for part in parts)

    def get(self, id: str) -> Row | None:
        """A document: the row `nearprint/indexed/1`. None where there is none.

        Args:
            id: Its id.

        Raises:
            InvalidInputError: Where there is no such collection.
        """
        return self._unless_unknown("/documents", id)

    def text(self, id: str) -> str:
        """The text of a document.

        Args:
            id: Its id.

        Raises:
            InvalidInputError: Where there is no such document, or its text was not kept.
        """
        return self._http.send("GET", f"{self.path}/documents/text", {"id": id}).decode()

    def documents(self, prefix: str = "") -> Iterator[Row]:
        """All documents in the order of their ids: rows `nearprint/indexed/1`, fetched 1,000 at a time.

        Args:
            prefix: Only documents whose ids begin with this.
        """
        cursor: str | None = None
        while True:
            parameters: Parameters = {"prefix": prefix, "limit": _ITEMS, "cursor": cursor}
            page = json.loads(self._http.send("GET", f"{self.path}/documents", parameters))
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def query(
        self,
        document: Document | None = None,
        *,
        id: str | None = None,
        limit: int | None = None,
        where: str | Sequence[str] = (),
        **options: Any,
    ) -> list[Row]:
        """What is nearly the same as a document.

        Args:
            document: As of `insert`.
            id: A document of the collection instead, which is no match of itself.
            limit: The most matches, 1 to 10,000; 100 by default.
            where: Conditions on metadata that must all hold: FIELD=VALUE, or with one of != < <= > >=.
            options: The options of the question `matches` (docs/OPTIONS.md), such as `k` and `threshold`.

        Returns:
            Rows `nearprint/match/1`: the most similar first where texts are compared, else the nearest.

        Raises:
            DocumentError: Where the document cannot be read or has no fingerprint.
            InvalidInputError: Where there is no such id, or the distance is beyond what is searched.
        """
        if (document is None) == (id is None):
            raise InvalidInputError("give either a document or an id")
        item = {"id": id} if document is None else _given(document)
        parameters = _asking(limit, where, options)
        body = json.dumps(item).encode()
        return lines(self._http.send("POST", f"{self.path}/query", parameters, body, JSON, safe=True))

    def query_many(
        self,
        documents: Iterable[Document],
        *,
        limit: int | None = None,
        where: str | Sequence[str] = (),
        **options: Any,
    ) -> list[list[Row] | NearprintError]:
        """What is nearly the same as each of many documents, up to 1,000 in a request.

        Args:
            documents: As of `insert`.
            limit: As of `query`, for each.
            where: As of `query`.
            options: As of `query`.

        Returns:
            For each document the rows that `query` returns, or the exception that it would raise.
        """
        parameters = _asking(limit, where, options)
        answers: list[list[Row] | NearprintError] = []
        items = ({"query": str(at)} | _given(document) for at, document in enumerate(documents))
        for part in _parts(items):
            begin = len(answers)
            found: list[list[Row] | NearprintError] = [[] for _ in part]
            for row in self._http.rows(f"{self.path}/query/batch", parameters, part, safe=True):
                at = int(row["query"]) - begin
                if "problem" in row:
                    found[at] = error_of(row["problem"])
                elif isinstance(rows := found[at], list):
                    rows.append(row)
            answers += found
        return answers

    def pairs(self, **options: Any) -> list[Row]:
        """All pairs of the collection, as a job of the server: rows `nearprint/pair/1`.

        Args:
            options: The options of the question (docs/OPTIONS.md). Texts are compared where the collection keeps features.

        Raises:
            InvalidInputError: Where an option has no such value, or two do not go together.
            InputOutputError: Where the server ends before the job.
        """
        return job_rows(self._http, "pairs", self.name, **options)

    def clusters(self, **options: Any) -> list[Row]:
        """All clusters of the collection, as a job of the server: rows `nearprint/cluster/1`.

        Args:
            options: The options of the question (docs/OPTIONS.md). Texts are compared where the collection keeps features.

        Raises:
            InvalidInputError: Where an option has no such value, or two do not go together.
            InputOutputError: Where the server ends before the job.
        """
        return job_rows(self._http, "clusters", self.name, **options)

    def dedup(self, **options: Any) -> list[Row]:
        """Which documents to keep, by the texts that the collection keeps, as a job of the server. It removes nothing.

        Args:
            options: The options of the question `dedup` (docs/OPTIONS.md), such as `threshold` and `keep`.

        Returns:
            A row `nearprint/decision/1` for each document, in the order in which they were added.

        Raises:
            InvalidInputError: Where the collection keeps no texts, or an argument is out of range.
            InputOutputError: Where the server ends before the job.
        """
        return job_rows(self._http, "dedup", self.name, **options)

    def import_(
        self,
        path: str,
        *,
        on_duplicate: Literal["replace", "skip"] | None = None,
        text_field: str | None = None,
        id_field: str | None = None,
        main_content: bool | None = None,
    ) -> tuple[Row, list[Row]]:
        """Adds the documents of a file or folder that lies on the server, as a job of the server.

        Args:
            path: Where it is in the directory that `nearprint serve --import-from` names.
            on_duplicate: What to do where an id is there: "replace" by default.
            text_field: The field or column of tables and lines of JSON that has the text; `text` by default.
            id_field: The field or column that has the id; `id` by default.
            main_content: Whether only the main content of HTML pages is read.

        Returns:
            What changed, the row `nearprint/index-change/1`, and a row `nearprint/fingerprint/1` for each document that
            has no fingerprint, which was not added.

        Raises:
            InvalidInputError: Where there is no such file or folder, or the server imports from no directory.
            InputOutputError: Where the job fails, or the server ends before it. What was added until then stays.
        """
        fields = {"text_field": text_field, "id_field": id_field, "main_content": main_content}
        rows = job_rows(self._http, "import", self.name, path=path, on_duplicate=on_duplicate, **fields)
        *failed, change = rows
        return change, failed

    def _unless_unknown(self, path: str, id: str) -> Row | None:
        try:
            return dict(json.loads(self._http.send("GET", self.path + path, {"id": id})))
        except InvalidInputError as error:
            if error.kind != "unknown-document":
                raise
            return None


def _given(document: Document) -> Row:
    """A document as the server takes it."""
    if isinstance(document, Fingerprint):
        return {"fingerprint": str(document)}
    if isinstance(document, str):
        return {"text": document}
    if isinstance(document, PathLike):
        document = Path(document).read_bytes()
    try:
        return {"document": base64.b64encode(document).decode()}
    except TypeError:
        raise TypeError(f"{type(document).__name__} is no text, bytes, path or Fingerprint") from None


def _asking(limit: int | None, where: str | Sequence[str], options: Row) -> dict[str, Any]:
    conditions = [where] if isinstance(where, str) else list(where)
    named = {name.replace("_", "-"): _parameter(value) for name, value in options.items()}
    return {"limit": limit, "where": conditions, **named}


def _parameter(value: Any) -> Any:
    """A flag as addresses have it."""
    return str(value).lower() if isinstance(value, bool) else value


def _parts(items: Iterable[Row]) -> Iterator[list[bytes]]:
    """Items as lines, in parts that the server takes in one request."""
    part: list[bytes] = []
    size = 0
    for item in items:
        line = json.dumps(item).encode()
        if part and (len(part) == _ITEMS or size + len(line) > _BYTES):
            yield part
            part, size = [], 0
        part.append(line)
        size += len(line) + 1
    if part:
        yield part
