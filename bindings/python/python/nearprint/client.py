"""A nearprint server (`nearprint serve`) from Python, over HTTP with the standard library alone: `nearprint.connect(url)`.

A collection has the methods of an index on this machine: both are a `nearprint.Collection`, and answer with tables. Rows that are
dictionaries have the fields that docs/FORMAT.md and the server's reference (its address `/reference`) describe. What the
server refuses raises the exceptions of `nearprint.errors`, with the server's `kind`, such as "unknown-collection", and its whole
answer as `problem`. A server that cannot be reached raises `InputOutputError`.

Connections stay open and are used again. Any number of threads, and forked processes, may use a server at a time. Where the
server has closed a connection meanwhile, another is opened; a request that might have arrived is sent again only where it changes
nothing.
"""

from __future__ import annotations

import ssl

from nearprint._http import Connection, Row
from nearprint._names import old_names
from nearprint._server_collection import ServerCollection

__all__ = ["Server", "ServerCollection"]


class Server:
    """A server by its address. Made by `nearprint.connect`.

    Args:
        url: The address.
        token: What `nearprint serve token create` printed.
        timeout: Seconds to wait for a connection, and for each part of an answer.
        context: How certificates are checked.
    """

    def __init__(
        self, url: str, *, token: str | None = None, timeout: float = 60.0, context: ssl.SSLContext | None = None
    ) -> None:
        self._http = Connection(url, token, timeout, context)

    def __repr__(self) -> str:
        return f"<nearprint.client.Server {self._http.url}>"

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are kept open, as dropping the server does. A later request opens another."""
        self._http.close()

    def collections(self) -> list[Row]:
        """All collections that the token is for, by name, with their statistics."""
        return list(self._http.json("GET", "/collections")["items"])

    def collection(self, name: str) -> ServerCollection:
        """A collection by its name or an alias. The server is not asked whether there is one.

        Args:
            name: The name, of a to z, 0 to 9, - and _.
        """
        return ServerCollection(self._http, name)

    def create(
        self, name: str, scheme: str | None = None, *, texts: bool = False, features: bool | None = None
    ) -> ServerCollection:
        """Makes a collection; one that is there with the same settings stays as it is.

        Args:
            name: The name, 1 to 64 of a to z, 0 to 9, - and _.
            scheme: The scheme of all its fingerprints: md1 where it is None, and sd1 without features.
            texts: Whether texts are kept, so that they can be shown and compared.
            features: Whether the features of texts are kept, so that matches and pairs are verified; documents are added
                then, and no fingerprints alone. With md1 they are, with another scheme they are not, where it is None.

        Raises:
            InvalidInputError: Where there is one of other settings, or the name or the scheme is none.
        """
        found = ServerCollection(self._http, name)
        settings = {"scheme": scheme, "texts": texts, "features": features}
        self._http.json("PUT", found.path, {name: value for name, value in settings.items() if value is not None})
        return found

    def delete(self, name: str) -> None:
        """Deletes a collection with all its documents.

        Args:
            name: The name.

        Raises:
            InvalidInputError: Where there is none, or an alias names it.
        """
        self._http.send("DELETE", ServerCollection(self._http, name).path)

    def compare(self, a: str, b: str) -> Row:
        """How similar two texts are: the row `nearprint/comparison/1`.

        Args:
            a: One text.
            b: The other.
        """
        return dict(self._http.json("POST", "/compare", {"a": {"text": a}, "b": {"text": b}}, safe=True))


__getattr__ = old_names(
    __name__, {"Collection": "ServerCollection; nearprint.Collection is what it has in common with Index"}
)
