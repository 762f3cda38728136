"""`nearprint.connect`. HTTP and TLS take tens of milliseconds to import, which only those who connect should wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl

    from nearprint.client import Server


def connect(
    url: str = "http://127.0.0.1:7117",
    *,
    token: str | None = None,
    timeout: float = 60.0,
    context: ssl.SSLContext | None = None,
) -> Server:
    """A server (`nearprint serve`) by its address. Nothing is sent before it is used.

    Args:
        url: The address, with `http` or `https`, and with a path where the server is behind one.
        token: What `nearprint serve token create` printed, where the server has tokens.
        timeout: Seconds to wait for a connection, and for each part of an answer.
        context: How certificates are checked, for `https`; the authorities of the system by default.

    Returns:
        The server, as of `nearprint.client.Server`.

    Raises:
        InvalidInputError: Where the address or the token is malformed.
    """
    from nearprint.client import Server

    return Server(url, token=token, timeout=timeout, context=context)
