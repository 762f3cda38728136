"""A spider middleware: of pages that are similar to one another, only so many are kept and followed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import nearprint
from nearprint._server_collection import ServerCollection
from nearprint.scrapy.settings import BudgetSettings, ServerSettings
from nearprint.scrapy.threads import ServerThreads
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response


class BudgetMiddleware:
    """Drops what the spider makes of a page, items and requests, where a collection has enough pages that are similar to it.

    A page that is kept is added to the collection. One that was kept before, under the same address, is kept again. A page is
    asked about when its callback yields something, so one that yields nothing costs nothing. `meta={"nearprint": False}` of a
    request keeps its page without a question.

    `SPIDER_MIDDLEWARES = {"nearprint.scrapy.BudgetMiddleware": 950}` puts it nearer to the spider than those that count depth.

    Statistics: `nearprint/pages_kept`, `nearprint/pages_spent` (their budget was spent), `nearprint/items_dropped`,
    `nearprint/requests_dropped`, `nearprint/pages_exempt`, `nearprint/unreadable` (kept, as they have no text), and
    `nearprint/failed_open/KIND` (kept, as the server did not decide).

    Args:
        crawler: The crawl.
        server: How the server is reached.
        budget: Which pages are similar, and how many are kept.
    """

    def __init__(self, crawler: Crawler, server: ServerSettings, budget: BudgetSettings) -> None:
        self._crawler, self._budget = crawler, budget
        self._threads = ServerThreads(crawler, server, "nearprint")
        self._collection = ServerCollection(self._threads.connection, budget.collection)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BudgetMiddleware:
        """Makes it of the settings of a crawl.

        Args:
            crawler: The crawl.

        Raises:
            NotConfigured: Where there is no address or no collection.
            InvalidInputError: Where a number makes no sense.
        """
        made = cls(crawler, ServerSettings.of(crawler.settings), BudgetSettings.of(crawler.settings))
        crawler.signals.connect(made._threads.close, signal=signals.spider_closed)
        return made

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """What the spider made of a page, or nothing of it where its budget is spent.

        Args:
            response: The page.
            result: Its items and requests. All are taken, so that the callback comes to its end.
        """
        spent: bool | None = None
        async for output in result:
            if spent is None:
                spent = await self._is_spent(response)
            if not spent:
                yield output
            elif isinstance(output, Request):
                self._threads.count("requests_dropped")
            else:
                self._threads.count("items_dropped")

    async def _is_spent(self, response: Response) -> bool:
        request = response.request
        if request is not None and request.meta.get("nearprint") is False:
            self._threads.count("pages_exempt")
            return False
        id, body = self._id(response), response.body
        spent = await self._threads.answer(lambda: self._decide(id, body))
        if spent is not None:
            self._threads.count("pages_spent" if spent else "pages_kept")
        return spent is True

    def _id(self, response: Response) -> str:
        """What a page is called: by its address where that alone names it."""
        request, fingerprinter = response.request, self._crawler.request_fingerprinter
        if request is None or request.method == "GET" or fingerprinter is None:
            return response.url
        return f"{response.url} {request.method} {fingerprinter.fingerprint(request).hex()}"

    def _decide(self, id: str, body: bytes) -> bool:
        """Whether the budget of a page is spent; where it is not, the page is added. Runs in a thread."""
        text = nearprint.extract(body).text
        # Similar ones, not duplicates: the days of a calendar contradict one another by their numbers, and are not duplicates.
        row = self._collection.admit(id, text=text, budget=self._budget.budget, threshold=self._budget.threshold)
        return bool(row["outcome"] == "spent")
