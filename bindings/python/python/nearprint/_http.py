"""Requests to a nearprint server, and its problems as exceptions. What is asked for is in `nearprint.client`."""

from __future__ import annotations

import contextlib
import json
import ssl
from collections.abc import Iterable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from nearprint.errors import (
    DocumentError,
    InputOutputError,
    InternalError,
    InvalidInputError,
    LimitError,
    NearprintError,
    ResourceError,
)

Row = dict[str, Any]
Parameters = Mapping[str, str | int | float | bool | Iterable[str] | None]

JSON = "application/json"
LINES = "application/x-ndjson"

_BY_STATUS: dict[int, type[NearprintError]] = {
    408: ResourceError,
    413: LimitError,
    429: LimitError,
    500: InternalError,
    503: ResourceError,
}


def error_of(problem: Row, id: str | None = None) -> NearprintError:
    """The exception that a problem of the server is: with its kind, and the whole answer as `problem`."""
    detail, status = str(problem.get("detail", "")), int(problem.get("status", 500))
    error: NearprintError
    if problem.get("reason"):
        error = DocumentError(str(problem["reason"]), detail, id)
    else:
        sentences = [detail, *(f"{wrong['pointer']}: {wrong['detail']}" for wrong in problem.get("errors", ()))]
        remedy = problem.get("remedy")
        said = "; ".join(dict.fromkeys([*filter(None, sentences), *([str(remedy)] if remedy else [])]))
        error = _BY_STATUS.get(status, InvalidInputError)(said)
    error.kind = str(problem.get("kind", error.kind))
    error.problem = problem
    return error


class Connection:
    """How a server is reached. Each request has a connection of its own, so threads and forked processes share this."""

    def __init__(self, url: str, token: str | None, timeout: float, context: ssl.SSLContext | None) -> None:
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise InvalidInputError(f"{url} is no address of a server: {error}") from None
        if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment or parts.username:
            raise InvalidInputError(f"{url} is no address of a server: give one as http://127.0.0.1:7117")
        if token is not None and not (token.isascii() and token.isprintable() and token.strip() == token != ""):
            raise InvalidInputError("a token has visible characters of ASCII alone")
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._base, self._host, self._port = parts.path.rstrip("/"), host, port
        self._token, self._timeout = token, timeout
        self._context = (context or ssl.create_default_context()) if parts.scheme == "https" else None

    def _open(self) -> HTTPConnection:
        if self._context is not None:
            return HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._context)
        return HTTPConnection(self._host, self._port, timeout=self._timeout)

    def send(
        self,
        method: str,
        path: str,
        parameters: Parameters | None = None,
        body: bytes | None = None,
        media: str | None = None,
        *,
        id: str | None = None,
    ) -> bytes:
        """The body of an answer; a problem is raised, of the document with this id."""
        address = f"{self._base}/v1{path}"
        if parameters and (query := urlencode(_named(parameters), quote_via=quote)):
            address += f"?{query}"
        headers = {"Content-Type": media} if media else {}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        opened = self._open()
        try:
            # A server that refuses a long body answers before it has read it, and closes.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                opened.request(method, address, body, headers)
            answer = opened.getresponse()
            content, kind = answer.read(), answer.headers.get_content_type()
        except (OSError, HTTPException) as error:
            raise InputOutputError(f"{self.url}: {error or type(error).__name__}") from error
        finally:
            opened.close()
        if kind == "application/problem+json":
            raise error_of(json.loads(content), id)
        if not 200 <= answer.status < 300:
            raise InputOutputError(f"{self.url}: {answer.status} {answer.reason}: this is no nearprint server")
        return content

    def json(self, method: str, path: str, body: object = None) -> Any:
        """The object that an answer is."""
        sent = None if body is None else json.dumps(body).encode()
        content = self.send(method, path, body=sent, media=JSON if sent else None)
        try:
            return json.loads(content) if content else None
        except ValueError:
            raise InputOutputError(f"{self.url}: the answer is no JSON: this is no nearprint server") from None

    def rows(self, path: str, parameters: Parameters, items: Iterable[bytes]) -> list[Row]:
        """The lines that answer lines."""
        return lines(self.send("POST", path, parameters, b"\n".join(items), LINES))


def lines(content: bytes) -> list[Row]:
    """Lines of JSON."""
    return [json.loads(line) for line in content.split(b"\n") if line]


def _named(parameters: Parameters) -> list[tuple[str, str]]:
    """Parameters as the server names them: flags without a value, and lists by repeating the name."""
    named: list[tuple[str, str]] = []
    for keyword, value in parameters.items():
        name = keyword.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            named.append((name, ""))
        elif isinstance(value, str | int | float):
            named.append((name, str(value)))
        else:
            named.extend((name, one) for one in value)
    return named
