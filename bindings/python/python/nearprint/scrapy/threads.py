"""Work with a server that the reactor does not wait for, and that is given up where the server does not answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar, cast

from nearprint.errors import DocumentError, InputOutputError, InvalidInputError, NearprintError
from nearprint.scrapy.circuit import Circuit
from nearprint.scrapy.settings import ServerSettings
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import is_asyncio_available
from twisted.internet.defer import Deferred
from twisted.internet.defer import TimeoutError as DeferredTimeoutError

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")

# What a server that is away or has too much to do says: it may be asked again later.
_PASSING = {408: "unavailable", 429: "throttled", 500: "unavailable", 503: "unavailable"}
_UNANSWERED = {"unreachable", "timeout", *_PASSING.values()}


class ServerThreads:
    """Threads of their own for what asks the server. Others that the crawl has, such as of its resolver, are never held by it.

    Args:
        crawler: The crawl, whose statistics count what passed without an answer.
        settings: How the server is reached.
        prefix: What the names of these statistics begin with.
    """

    def __init__(self, crawler: Crawler, settings: ServerSettings, prefix: str) -> None:
        self._stats, self._prefix = crawler.stats, prefix
        self._timeout = settings.timeout
        self._circuit = Circuit()
        self._executor = ThreadPoolExecutor(settings.concurrency, thread_name_prefix="nearprint")
        self._logged: set[str] = set()
        self.connection = settings.connection()

    def close(self) -> None:
        """Ends the threads after what they are at, and closes the connections."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        self.connection.close()

    def count(self, name: str) -> None:
        """Counts something in the statistics of the crawl.

        Args:
            name: What it is, after the prefix.
        """
        if self._stats is not None:
            self._stats.inc_value(f"{self._prefix}/{name}")

    async def answer(self, work: Callable[[], Answer]) -> Answer | None:
        """What the work returns; None where there is no answer, which is counted by its kind.

        Kinds are `unreadable` (a document without a text), and below `failed_open` `unreachable`, `timeout`, `unavailable`,
        `throttled`, `refused`, `error` and, where nothing was asked because the server did not answer before, `circuit_open`.

        Args:
            work: What is done in a thread. It should return something other than None.
        """
        if not self._circuit.permits():
            self.count("failed_open/circuit_open")
            return None
        try:
            answer = await self._done(self._executor.submit(work))
        except Exception as error:
            self._failed(error)
            return None
        except BaseException:
            # The crawl gave it up: a trial must not stay under way for ever.
            self._circuit.abandoned()
            raise
        self._circuit.succeeded()
        return answer

    async def _done(self, future: Future[Answer]) -> Answer:
        """The result of work in a thread. Work that has no thread yet when its time is over is never begun."""
        if is_asyncio_available():
            return await asyncio.wait_for(asyncio.wrap_future(future), self._timeout)
        try:
            return await _deferred(future, self._timeout)
        except DeferredTimeoutError:
            raise TimeoutError from None

    def _failed(self, error: Exception) -> None:
        kind = _kind(error)
        if kind in _UNANSWERED:
            was_open = self._circuit.is_open
            self._circuit.failed()
            if self._circuit.is_open and not was_open:
                logger.warning("nearprint does not answer (%s), and is left alone for a while: %s", kind, error)
        elif isinstance(error, NearprintError) and error.problem is not None:
            self._circuit.succeeded()
        else:
            self._circuit.abandoned()
        if kind == "unreadable":
            self.count(kind)
            return
        self.count(f"failed_open/{kind}")
        if kind not in _UNANSWERED and kind not in self._logged:
            self._logged.add(kind)
            logger.error("nearprint decides nothing (%s; said once): %s", kind, error, exc_info=kind == "error")


def _kind(error: Exception) -> str:
    """The kind of a failure, as the statistics have it."""
    if isinstance(error, DocumentError):
        return "unreadable"
    if isinstance(error, InputOutputError):
        return "timeout" if isinstance(error.__cause__, TimeoutError) else "unreachable"
    if isinstance(error, TimeoutError):
        return "timeout"
    if not isinstance(error, NearprintError):
        return "error"
    if error.problem is None:
        # Nothing was asked: the body is an archive of many documents, which has no text of its own.
        return "unreadable" if isinstance(error, InvalidInputError) else "error"
    return _PASSING.get(int(str(error.problem.get("status", 500))), "refused")


def _deferred(future: Future[Answer], timeout: float) -> Deferred[Answer]:
    """A future for a reactor that is not asyncio's."""
    # It exists by now, and importing it earlier would choose one.
    from twisted.internet import reactor as installed

    reactor = cast(Any, installed)

    def cancel(_: Deferred[Answer]) -> None:
        future.cancel()

    deferred: Deferred[Answer] = Deferred(cancel)

    def fire() -> None:
        if deferred.called:
            return
        if error := future.exception():
            deferred.errback(error)
        else:
            deferred.callback(future.result())

    def done(_: Future[Answer]) -> None:
        if not future.cancelled():
            reactor.callFromThread(fire)

    future.add_done_callback(done)
    return deferred.addTimeout(timeout, reactor)
