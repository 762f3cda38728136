"""Requests to a nearprint server, and its problems as exceptions. What is asked for is in `nearprint.client`."""

from __future__ import annotations

import contextlib
import json
import os
import select
import ssl
import weakref
from collections import deque
from collections.abc import Iterable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
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

# Connections that are kept while no request uses them.
_MOST_IDLE = 16

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
    """How a server is reached. Connections are kept and used again, by any number of threads; a forked process has its own.

    Args:
        url: The address of the server.
        token: What the server takes as proof of who asks.
        timeout: Seconds to wait.
        context: How certificates are checked.
    """

    def __init__(self, url: str, token: str | None, timeout: float, context: ssl.SSLContext | None) -> None:
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise InvalidInputError(f"{url} is not an address of a server: {error}") from None
        if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment or parts.username:
            raise InvalidInputError(f"{url} is not an address of a server: give one as http://127.0.0.1:7117")
        if token is not None and not (token.isascii() and token.isprintable() and token.strip() == token != ""):
            raise InvalidInputError("a token has visible characters of ASCII alone")
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._base, self._host, self._port = parts.path.rstrip("/"), host, port
        self._token, self._timeout = token, timeout
        self._context = (context or ssl.create_default_context()) if parts.scheme == "https" else None
        self._idle = IdleConnections()

    def close(self) -> None:
        """Closes the connections that are kept. The next request opens another."""
        self._idle.close()

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
        safe: bool | None = None,
    ) -> bytes:
        """The body of an answer; a problem is raised.

        Args:
            method: The method of HTTP.
            path: The path below the version.
            parameters: What follows the path.
            body: What is sent.
            media: The media type of the body.
            id: The document that a problem is about.
            safe: Whether the request changes nothing, so that it may be sent twice; of GET it is where this is None.
        """
        address = f"{self._base}/v1{path}"
        if parameters and (query := urlencode(_named(parameters), quote_via=quote)):
            address += f"?{query}"
        headers = {"Content-Type": media} if media else {}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        again = safe or (safe is None and method == "GET")
        while True:
            kept = self._idle.take()
            opened = kept or self._open()
            try:
                answer, content = _exchange(opened, method, address, body, headers)
            except (OSError, HTTPException) as error:
                opened.close()
                # The server closed an idle connection while the request was on its way, and may have read it or not.
                if kept is not None and again and isinstance(error, ConnectionError):
                    continue
                raise InputOutputError(f"{self.url}: {error or type(error).__name__}") from error
            except BaseException:
                opened.close()
                raise
            break
        if answer.will_close:
            opened.close()
        else:
            self._idle.give(opened)
        if answer.headers.get_content_type() == "application/problem+json":
            raise error_of(json.loads(content), id)
        if not 200 <= answer.status < 300:
            raise InputOutputError(f"{self.url}: {answer.status} {answer.reason}: this is no nearprint server")
        return content

    def json(self, method: str, path: str, body: object = None, *, safe: bool | None = None) -> Any:
        """The object that an answer is.

        Args:
            method: The method of HTTP.
            path: The path below the version.
            body: The object that is sent.
            safe: As of `send`.
        """
        sent = None if body is None else json.dumps(body).encode()
        content = self.send(method, path, body=sent, media=JSON if sent else None, safe=safe)
        try:
            return json.loads(content) if content else None
        except ValueError:
            raise InputOutputError(f"{self.url}: the answer is no JSON: this is no nearprint server") from None

    def rows(self, path: str, parameters: Parameters, items: Iterable[bytes], *, safe: bool = False) -> list[Row]:
        """The lines that answer lines.

        Args:
            path: The path below the version.
            parameters: What follows the path.
            items: The lines.
            safe: As of `send`.
        """
        return lines(self.send("POST", path, parameters, b"\n".join(items), LINES, safe=safe))


class IdleConnections:
    """Open connections that no request uses, in the process that opened them. They are closed with this, or by `close`."""

    def __init__(self) -> None:
        # Taking from it and giving to it are safe among threads.
        self._held: deque[HTTPConnection] = deque()
        self._process = os.getpid()
        weakref.finalize(self, _close_all, self._held)

    def take(self) -> HTTPConnection | None:
        """A connection that the server has not closed, for one request; None where there is none."""
        if self._process != os.getpid():
            # The parent process goes on using its connections. Closing our copies sends nothing to the server.
            self._process = os.getpid()
            _close_all(self._held)
        while True:
            try:
                connection = self._held.pop()
            except IndexError:
                return None
            if not _is_over(connection):
                return connection
            connection.close()

    def give(self, connection: HTTPConnection) -> None:
        """Keeps a connection whose answer was read to its end.

        Args:
            connection: The connection.
        """
        if len(self._held) < _MOST_IDLE and self._process == os.getpid():
            self._held.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """Closes all of them."""
        _close_all(self._held)


def _close_all(held: deque[HTTPConnection]) -> None:
    while held:
        with contextlib.suppress(IndexError):
            held.pop().close()


def _is_over(connection: HTTPConnection) -> bool:
    """Whether the server ended an idle connection: there is something to read where nothing was asked, its end."""
    if connection.sock is None:
        return True
    poll = select.poll()
    try:
        poll.register(connection.sock, select.POLLIN)
        return bool(poll.poll(0))
    except (OSError, ValueError):
        return True


def _exchange(
    opened: HTTPConnection, method: str, address: str, body: bytes | None, headers: Mapping[str, str]
) -> tuple[HTTPResponse, bytes]:
    """An answer and its body."""
    cut = False
    try:
        opened.request(method, address, body, headers)
    except (BrokenPipeError, ConnectionResetError):
        # A server that refuses a long body answers before it has read it, and closes.
        cut = True
    answer = opened.getresponse()
    content = answer.read()
    answer.will_close = answer.will_close or cut
    return answer, content


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
