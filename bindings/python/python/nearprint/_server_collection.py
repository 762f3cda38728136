"""A collection of documents on a server: what is added to it and asked of it. `nearprint.client` makes it public.

Its methods are those of `nearprint.Index`, with the same arguments, rules and tables: both are a `nearprint.Collection`.
"""

# States what an argument should be to those who do not check types.
# pyright: reportUnnecessaryIsInstance=false

from __future__ import annotations

import base64
import builtins
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from nearprint._http import JSON, Connection, Parameters, Row, error_of, lines
from nearprint._job import job_rows
from nearprint._nearprint import Fingerprint, Table, table_of_rows
from nearprint.errors import DocumentError, InvalidInputError, LimitError, NearprintError

# A document: the path of a file, its bytes of any medium, or a fingerprint in its place. Texts are given by name.
Document = str | bytes | PathLike[str] | Fingerprint
OnDuplicate = Literal["error", "replace", "skip"]

# Of one request; the server's usual limits are 1,000 items and 64 MiB.
_ITEMS = 1000
_BYTES = 32 << 20

# Matches of one query, at most: more than the server gives.
_MOST_MATCHES = 10_000


class ServerCollection:
    """A collection of documents on a server. Made by `Server.collection` and `Server.create`."""

    def __init__(self, http: Connection, name: str) -> None:
        self._http = http
        self.name = name
        self.path = f"/collections/{quote(name, safe='')}"

    def __repr__(self) -> str:
        return f"<nearprint.client.ServerCollection {self.name} of {self._http.url}>"

    def __len__(self) -> int:
        return int(self.stats()["documents"])

    def __contains__(self, id: str) -> bool:
        return self.get(id) is not None

    @property
    def scheme(self) -> str:
        """The scheme of all its fingerprints, as the server says it."""
        return str(self.stats()["scheme"])

    def stats(self) -> Row:
        """Name, scheme, number of documents, and `statistics`, the row `nearprint/index/1`."""
        return dict(self._http.json("GET", self.path))

    def insert(
        self,
        id: str,
        document: Document | None = None,
        *,
        text: str | None = None,
        on_duplicate: OnDuplicate = "error",
        metadata: Mapping[str, Any] | None = None,
    ) -> Literal["added", "replaced", "skipped"]:
        """Adds one document. When this returns, it is on the server's disk, and the next query finds it.

        Args:
            id: What it is called, 1 to 4,096 bytes of UTF-8 without control characters.
            document: The path of a file, its bytes of any medium, or a fingerprint.
            text: Instead of `document`, the text itself.
            on_duplicate: What to do where the id is there.
            metadata: What is stored with it as JSON, 64 KiB at most.

        Raises:
            DocumentError: Where the document cannot be read or has no fingerprint.
            InvalidInputError: Where the id is there and `on_duplicate` is "error", or the fingerprint is of another scheme.
        """
        item = _one(document, text) | ({"metadata": dict(metadata)} if metadata is not None else {})
        parameters: Parameters = {"id": id, "on_duplicate": on_duplicate}
        body = json.dumps(item).encode()
        row = json.loads(self._http.send("PUT", f"{self.path}/documents", parameters, body, JSON, id=id))
        outcome: Literal["added", "replaced", "skipped"] = row["outcome"]
        return outcome

    def admit(
        self,
        id: str,
        document: Document | None = None,
        *,
        text: str | None = None,
        budget: int,
        threshold: float | None = None,
        k: int | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Row:
        """Adds a document unless as many others as the budget has are similar to it: the question of a crawler, in one request.

        No other addition comes between the look and the addition, so that any number of clients share a budget. A document
        whose id is there takes its place again, whatever the budget.

        Args:
            id: What it is called, as of `insert`.
            document: The path of a file, its bytes of any medium, or a fingerprint.
            text: Instead of `document`, the text itself.
            budget: How many documents that are similar to one another are kept, 1 or more.
            threshold: From which similarity on two are similar, 0 to 1; that of `dedup` where it is None. A collection without
                features has none.
            k: Within which distance fingerprints are similar in a collection without features.
            metadata: What is stored with it as JSON, 64 KiB at most.

        Returns:
            Its row: `outcome` is "added", "replaced" or "spent", `similar` how many others are similar, `near` up to 100 of
            these where the budget is spent.

        Raises:
            DocumentError: Where the document cannot be read or has no fingerprint.
            InvalidInputError: Where the budget, the threshold or the distance make no sense.
        """
        item = _one(document, text) | ({"metadata": dict(metadata)} if metadata is not None else {})
        parameters: Parameters = {"id": id, "budget": budget, "threshold": threshold, "k": k}
        body = json.dumps(item).encode()
        return dict(json.loads(self._http.send("PUT", f"{self.path}/documents", parameters, body, JSON, id=id)))

    def add(
        self,
        data: Iterable[Document] | Document | None = None,
        *,
        texts: Iterable[str | None] | None = None,
        ids: Iterable[str] | None = None,
        on_duplicate: OnDuplicate = "error",
        if_new: bool = False,
        k: int | None = None,
    ) -> Table:
        """Adds many documents, up to 1,000 in a request and to a commit.

        Args:
            data: Documents, as of `insert`: paths of files, bytes or fingerprints.
            texts: Instead of `data`, the texts themselves.
            ids: As many ids; positions as strings, or the paths of files, where they are not given.
            on_duplicate: What to do with a document whose id is there.
            if_new: Leave out documents that are within `k` of one in the collection or of an earlier one of these.
            k: The distance of `if_new`, in bits; the server's choice where it is None.

        Returns:
            `query`, `id`, `distance` and so on of what `if_new` found. Its `summary` has `added`, `replaced`, `skipped`,
            `near` (left out by `if_new`), `failed` and `documents` (in the collection afterwards), and its `failures` are the
            documents that could not be read.

        Raises:
            InvalidInputError: As of `insert`; the requests before that stay.
        """
        named = _named(data, texts, ids)
        parameters: Parameters = {"on_duplicate": on_duplicate, "if_new": if_new, "k": k}
        counts = dict.fromkeys(("added", "replaced", "skipped", "near"), 0)
        near: list[Row] = []
        failures: list[Row] = []
        items = ({"id": id} | item for id, item in named)
        for part in _parts(items):
            refused: NearprintError | None = None
            for row in self._http.rows(f"{self.path}/documents/batch", parameters, part):
                if problem := row.get("problem"):
                    error = error_of(problem, row["id"])
                    if isinstance(error, DocumentError):
                        failures.append(_failure(error))
                    else:
                        refused = refused or error
                    continue
                counts[row["outcome"]] += 1
                for found in row.get("near") or ():
                    positions = Fingerprint(row["fingerprint"]).positions
                    near.append({"query": row["id"], "estimate": 1 - found["distance"] / positions} | found)
            if refused is not None:
                raise refused
        stats = self.stats()
        summary = {**counts, "failed": len(failures), "documents": stats["documents"]}
        return _table("matches", stats["scheme"], near, summary, failures)

    def remove(self, id: str) -> None:
        """Removes a document.

        Args:
            id: Its id.

        Raises:
            KeyError: Where there is none of this id.
        """
        if not isinstance(id, str):
            raise TypeError("remove takes one id; remove_many takes many")
        if not self.remove_many([id]):
            raise KeyError(id)

    def remove_many(self, ids: Sequence[str] | None = None, *, where: str | Sequence[str] | None = None) -> int:
        """Removes documents, and returns how many of them were there.

        Args:
            ids: Their ids, up to 1,000 in a request and in a commit.
            where: Instead of `ids`, conditions on the metadata, as of `matches`; all in one commit.

        Raises:
            InvalidInputError: Where neither or both are given, or a condition is none.
        """
        path = f"{self.path}/documents/delete"
        return sum(int(self._http.json("POST", path, part)["removed"]) for part in _selections(ids, where))

    def change_metadata(
        self,
        metadata: Mapping[str, Any],
        *,
        ids: Sequence[str] | None = None,
        where: str | Sequence[str] | None = None,
        replace: bool = False,
    ) -> int:
        """Changes the metadata of documents and nothing else of them, and returns how many of them are there.

        Args:
            metadata: The fields that are set. One that is None is removed, and all others stay.
            ids: The documents, up to 1,000 in a request and in a commit.
            where: Instead of `ids`, conditions on the metadata, as of `matches`; all in one commit.
            replace: Whether these fields are all that there are afterwards.

        Raises:
            InvalidInputError: As of `remove_many`, and where a document would have more than 64 KiB of metadata.
        """
        path, change = f"{self.path}/documents/metadata", {"metadata": dict(metadata), "replace": replace}
        parts = _selections(ids, where)
        return sum(int(self._http.json("POST", path, part | change)["changed"]) for part in parts)

    def count(self, prefix: str = "", *, where: str | Sequence[str] = ()) -> int:
        """The number of documents.

        Args:
            prefix: Only ids that begin with it.
            where: Conditions on the metadata, as of `matches`.

        Raises:
            InvalidInputError: Where a condition is none.
        """
        parameters: Parameters = {"prefix": prefix or None, "where": _conditions(where)}
        return int(json.loads(self._http.send("GET", f"{self.path}/documents/count", parameters))["count"])

    def fetch(self, ids: Sequence[str], *, text: bool = False) -> Iterator[Row]:
        """The rows `nearprint/indexed/1` of documents that are there, in the order of the ids, up to 1,000 in a request.

        Args:
            ids: Their ids. Those that are not there are left out.
            text: Whether the rows have the texts.

        Raises:
            InvalidInputError: Where texts are wanted, and none are kept.
            LimitError: Where the rows of 1,000 ids have more bytes than a body may: take fewer.
        """
        for part in _selections(ids, None):
            body = json.dumps(part | {"text": text}).encode()
            path = f"{self.path}/documents/fetch"
            yield from lines(self._http.send("POST", path, {}, body, JSON, safe=True))

    def get(self, id: str) -> Fingerprint | None:
        """The fingerprint of a document; None where there is none of this id.

        Args:
            id: Its id.

        Raises:
            InvalidInputError: Where there is no such collection.
        """
        row = self._row(id)
        return None if row is None else Fingerprint(row["fingerprint"])

    def document(self, id: str) -> Row | None:
        """All that is stored of a document but its features: the row `nearprint/indexed/1`, and `text` where texts are kept.

        Args:
            id: Its id.

        Raises:
            InvalidInputError: Where there is no such collection.
        """
        try:
            row = self._row(id, text=True)
        except InvalidInputError as error:
            if error.kind != "no-texts":
                raise
            row = self._row(id)
        if row is not None:
            row.pop("schema", None)
            # An index does not give it either.
            row.pop("main_content", None)
        return row

    def text(self, id: str) -> str:
        """The text of a document.

        Args:
            id: Its id.

        Raises:
            InvalidInputError: Where there is no such document, or its text was not kept.
        """
        return self._http.send("GET", f"{self.path}/documents/text", {"id": id}).decode()

    def list(self, prefix: str = "", *, after: str | None = None, limit: int | None = None) -> Table:
        """Documents in the order of their ids.

        Args:
            prefix: Only ids that begin with it.
            after: Only ids after this one, which need not be in the collection.
            limit: So many at most.

        Returns:
            `id`, `fingerprint`, `print`, `time`, `extractor`, `metadata`, `scheme`, as of `Index.list`.

        Raises:
            InvalidInputError: Where there is no such collection.
        """
        scheme = self.scheme
        rows = [_document_row(row) for row in self.documents(prefix, after=after, limit=limit)]
        return _table("documents", scheme, rows)

    def documents(
        self,
        prefix: str = "",
        *,
        after: str | None = None,
        limit: int | None = None,
        where: str | Sequence[str] = (),
        text: bool = False,
    ) -> Iterator[Row]:
        """The same as rows `nearprint/indexed/1`, which are fetched 1,000 at a time while they are iterated.

        Args:
            prefix: As of `list`.
            after: As of `list`.
            limit: As of `list`.
            where: Conditions on the metadata, as of `matches`.
            text: Whether the rows have the texts.
        """
        # A cursor of the server is the last id of the page before.
        cursor = None if after is None else base64.urlsafe_b64encode(after.encode()).decode().rstrip("=")
        while limit is None or limit > 0:
            most = _ITEMS if limit is None else min(limit, _ITEMS)
            parameters: Parameters = {
                "prefix": prefix,
                "limit": most,
                "cursor": cursor,
                "where": _conditions(where),
                "text": "true" if text else None,
            }
            page = json.loads(self._http.send("GET", f"{self.path}/documents", parameters))
            yield from page["items"]
            limit = None if limit is None else limit - len(page["items"])
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def query(
        self, fingerprint: Fingerprint | None = None, k: int | None = None, *, id: str | None = None
    ) -> builtins.list[tuple[str, int]]:
        """Ids and distances of all documents within k positions (<=), nearest first, then in the order of addition.

        Args:
            fingerprint: What is asked about, of the scheme of the collection.
            k: The distance; the scheme's default where it is None.
            id: Instead of `fingerprint`, a document of the collection, which is no match of itself.

        Raises:
            InvalidInputError: Where the fingerprint is of another scheme, or there is no such id.
            LimitError: Where more than 10,000 documents match.
        """
        if (fingerprint is None) == (id is None):
            raise InvalidInputError("give either a fingerprint or an id; of documents and texts matches are asked")
        item = {"id": id} if fingerprint is None else _fingerprint(fingerprint)
        parameters: Parameters = {"limit": _MOST_MATCHES, "k": k, "verify": "false"}
        body = json.dumps(item).encode()
        rows = lines(self._http.send("POST", f"{self.path}/query", parameters, body, JSON, safe=True))
        _refuse_more(len(rows))
        return [(row["id"], row["distance"]) for row in rows]

    def query_many(
        self, fingerprints: Sequence[Fingerprint], k: int | None = None
    ) -> builtins.list[builtins.list[tuple[str, int]]]:
        """The answers to many queries, in their order, up to 1,000 in a request.

        Args:
            fingerprints: What is asked about.
            k: As of `query`.

        Raises:
            InvalidInputError: As of `query`.
            LimitError: As of `query`.
        """
        items = [(str(at), _fingerprint(one)) for at, one in enumerate(fingerprints)]
        found: list[list[tuple[str, int]]] = [[] for _ in items]
        for row in self._matches(items, {"k": k, "verify": "false"}, raising=True):
            found[int(row["query"])].append((row["id"], row["distance"]))
        for some in found:
            _refuse_more(len(some))
        return found

    def matches(
        self,
        data: Iterable[Document] | Document | None = None,
        *,
        texts: Iterable[str | None] | None = None,
        ids: Iterable[str] | None = None,
        where: str | Sequence[str] = (),
        **options: Any,
    ) -> Table:
        """The documents of the collection that match documents, texts or fingerprints.

        Where the collection keeps features, texts are compared.

        Args:
            data: What is asked about, as of `add`.
            texts: Instead of `data`, the texts themselves.
            ids: As of `add`.
            where: Conditions on the metadata of what is found: FIELD=VALUE, or with one of != < <= > >=, FIELD in (VALUE,
                VALUE), or FIELD exists; joined by and, or, not and parentheses.
            options: The options of the question `matches` (docs/OPTIONS.md), such as `k` and `threshold`.

        Returns:
            `query`, `id`, `distance`, `similarity`, `estimate`, `measure`, `scheme`: the most similar first, or the nearest if
            no texts are compared. Its `failures` are the documents that could not be read.

        Raises:
            InvalidInputError: Where fingerprints are of another scheme, or an option makes no sense.
            LimitError: Where a query has more than 10,000 matches.
        """
        named = list(_named(data, texts, ids))
        if all("fingerprint" in item for _, item in named):
            # Fingerprints have no texts to compare.
            options = {"verify": False, **options}
        parameters = {name: _parameter(value) for name, value in options.items()} | {"where": _conditions(where)}
        items = [(str(at), item) for at, (_, item) in enumerate(named)]
        failures: builtins.list[Row] = []
        rows: builtins.list[Row] = []
        of_query = [0] * len(named)
        for row in self._matches(items, parameters):
            at = int(row["query"])
            if problem := row.get("problem"):
                error = error_of(problem, named[at][0])
                if not isinstance(error, DocumentError):
                    raise error
                failures.append(_failure(error))
                continue
            of_query[at] += 1
            rows.append(row | {"query": named[at][0]})
        _refuse_more(max(of_query, default=0))
        summary = {"documents": len(named), "failed": len(failures), "found": len(rows)}
        return _table("matches", self.scheme, rows, summary, failures)

    def pairs(self, **options: Any) -> Table:
        """All pairs of the collection, as a job of the server.

        Args:
            options: The options of the question (docs/OPTIONS.md). Texts are compared where the collection keeps features.

        Returns:
            `a`, `b` (ids), `distance` and so on, as of `Index.pairs`.

        Raises:
            InvalidInputError: Where an option has no such value, or two do not go together.
            InputOutputError: Where the server ends before the job.
        """
        return _table("pairs", self.scheme, job_rows(self._http, "pairs", self.name, **options))

    def clusters(self, **options: Any) -> Table:
        """All clusters of the collection, as a job of the server.

        Args:
            options: The options of the question (docs/OPTIONS.md). Texts are compared where the collection keeps features.

        Returns:
            A row for each member, as of `nearprint.clusters`.

        Raises:
            InvalidInputError: Where an option has no such value, or two do not go together.
            InputOutputError: Where the server ends before the job.
        """
        found = job_rows(self._http, "clusters", self.name, **options)
        return _table("clusters", self.scheme, [member for row in found for member in _members(row)])

    def dedup(self, **options: Any) -> Table:
        """Which documents to keep, by the texts that the collection keeps, as a job of the server. It removes nothing.

        Args:
            options: The options of the question `dedup` (docs/OPTIONS.md), such as `threshold` and `keep`.

        Returns:
            A row for each document, as of `nearprint.dedup`, in the order in which they were added.

        Raises:
            InvalidInputError: Where the collection keeps no texts, or an argument is out of range.
            InputOutputError: Where the server ends before the job.
        """
        return _table("decisions", options.get("scheme") or "md1", job_rows(self._http, "dedup", self.name, **options))

    def import_(
        self,
        path: str,
        *,
        on_duplicate: Literal["replace", "skip"] | None = None,
        text_field: str | None = None,
        id_field: str | None = None,
        main_content: bool | None = None,
    ) -> tuple[Row, builtins.list[Row]]:
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

    def _row(self, id: str, *, text: bool = False) -> Row | None:
        parameters: Parameters = {"id": id, "text": "true" if text else None}
        try:
            return dict(json.loads(self._http.send("GET", f"{self.path}/documents", parameters)))
        except InvalidInputError as error:
            if error.kind != "unknown-document":
                raise
            return None

    def _matches(self, items: Iterable[tuple[str, Row]], options: Row, *, raising: bool = False) -> Iterator[Row]:
        """Rows of matches, and of what could not be asked, by the numbers of the queries."""
        parameters = {"limit": _MOST_MATCHES, **{name.replace("_", "-"): value for name, value in options.items()}}
        for part in _parts({"query": name} | item for name, item in items):
            for row in self._http.rows(f"{self.path}/query/batch", parameters, part, safe=True):
                if raising and "problem" in row:
                    raise error_of(row["problem"])
                yield row


def _table(
    kind: Literal["matches", "pairs", "clusters", "decisions", "documents"],
    scheme: str,
    rows: Iterable[Row],
    summary: Row | None = None,
    failures: Sequence[Row] = (),
) -> Table:
    """Rows as the table that an index gives."""
    return table_of_rows(kind, scheme, [{"scheme": scheme} | row for row in rows], summary, failures)


def _one(document: Document | None, text: str | None) -> Row:
    """A document or a text as the server takes it."""
    if (document is None) == (text is None):
        raise TypeError("give either a path, bytes or a fingerprint, or a text by name (text=...)")
    if text is not None:
        if not isinstance(text, str):
            raise TypeError(f"text is a str, not {type(text).__name__}")
        return {"text": text}
    if isinstance(document, Fingerprint):
        return _fingerprint(document)
    if isinstance(document, str | PathLike):
        try:
            document = Path(document).read_bytes()
        except FileNotFoundError as error:
            said = "No such file or directory; a text is given by name: text=..., texts=[...]"
            raise FileNotFoundError(error.errno, said, str(document)) from None
    try:
        return {"document": base64.b64encode(document or b"").decode()}
    except TypeError:
        raise TypeError(f"a document is a path, bytes or a Fingerprint, not {type(document).__name__}") from None


def _fingerprint(fingerprint: Fingerprint) -> Row:
    if not isinstance(fingerprint, Fingerprint):
        kind = type(fingerprint).__name__
        raise TypeError(f"{kind} is no Fingerprint: of documents and texts matches are asked (texts=[...])")
    return {"fingerprint": str(fingerprint)}


def _named(
    data: Iterable[Document] | Document | None, texts: Iterable[str | None] | None, ids: Iterable[str] | None
) -> Iterator[tuple[str, Row]]:
    """Documents or texts with their ids, as the server takes them."""
    if (data is None) == (texts is None):
        raise TypeError("give either paths, bytes or fingerprints, or texts by name (texts=[...])")
    if isinstance(texts, str):
        raise TypeError("texts is one text: give a list of them")
    if isinstance(data, str | bytes | PathLike | Fingerprint):
        data = [data]
    # A text that is missing holds no words, as an empty one does.
    items = (_one(None, text or "") for text in texts) if texts is not None else None
    given = data if data is not None else ()
    if ids is None:
        if items is not None:
            return ((str(at), item) for at, item in enumerate(items))
        return ((_name(document, at), _one(document, None)) for at, document in enumerate(given))
    return zip(map(_id, ids), items if items is not None else (_one(one, None) for one in given), strict=True)


def _name(document: Document, at: int) -> str:
    return str(document) if isinstance(document, str | PathLike) else str(at)


def _id(id: str) -> str:
    if not isinstance(id, str):
        raise TypeError(f"ids are str, not {type(id).__name__}: give [str(id) for id in ids]")
    return id


def _conditions(where: str | Sequence[str]) -> list[str]:
    return [where] if isinstance(where, str) else list(where)


def _selections(ids: Sequence[str] | None, where: str | Sequence[str] | None) -> Iterator[Row]:
    """Documents as requests name them: ids in parts that the server takes, or conditions that all hold."""
    if (ids is None) == (not where):
        raise InvalidInputError("give either ids or where")
    if ids is None:
        yield {"where": " and ".join(f"({condition})" for condition in _conditions(where or ()))}
        return
    if isinstance(ids, str):
        raise TypeError("ids is one id: give a list of them")
    for at in range(0, len(ids), _ITEMS):
        yield {"ids": list(ids[at : at + _ITEMS])}


def _failure(error: DocumentError) -> Row:
    return {"id": error.id, "place": {"file": error.id}, "reason": error.reason, "detail": error.detail}


def _document_row(row: Row) -> Row:
    made = Fingerprint(row["fingerprint"])
    metadata = row.get("metadata")
    stored = None if metadata is None else json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
    number = len(bytes(made)) in (4, 8)
    return row | {"print": int(made) if number else bytes(made), "metadata": stored}


def _members(row: Row) -> Iterator[Row]:
    """The members of a cluster, a row each."""
    shared = {name: row[name] for name in ("cluster", "size", "representative", "chain") if name in row}
    members = row["members"]
    for at, id in enumerate(members):
        own = {name: (row.get(plural) or [None] * len(members))[at] for name, plural in _OF_MEMBERS.items()}
        yield shared | {"id": id} | own


# Columns of a member of a cluster, by the lists of the cluster.
_OF_MEMBERS = {
    "distance": "distances",
    "similarity": "similarities",
    "duplicate": "duplicates",
    "distinct": "distinct",
}


def _refuse_more(found: int) -> None:
    if found >= _MOST_MATCHES:
        raise LimitError(f"{_MOST_MATCHES} or more documents match, and a server gives no more: take a smaller k")


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
