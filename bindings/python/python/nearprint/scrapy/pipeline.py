"""An item pipeline: drops items of which a near-duplicate was kept before."""

from __future__ import annotations

import json
from typing import Any

from itemadapter import ItemAdapter
from nearprint._http import JSON, Parameters, Row
from nearprint._server_collection import ServerCollection
from nearprint.scrapy.settings import ItemSettings, ServerSettings
from nearprint.scrapy.threads import ServerThreads
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem


class DuplicatesPipeline:
    """Drops an item where a collection has a near-duplicate of it, by the rule of `dedup`, and adds the others.

    An item whose id is there takes its place, unless its new text is a near-duplicate of another: then it is dropped, and what
    was there stays. The same item sent twice is kept twice.

    Statistics: `nearprint/pipeline/added`, `replaced`, `near` (dropped), `incomplete` (kept, without a text or an id),
    `unreadable` (kept, as the text has no words) and `failed_open/KIND` (kept, as the server did not decide).

    Args:
        crawler: The crawl.
        server: How the server is reached.
        items: Where items are kept, and which of their fields count.
    """

    def __init__(self, crawler: Crawler, server: ServerSettings, items: ItemSettings) -> None:
        self._items = items
        self._threads = ServerThreads(crawler, server, "nearprint/pipeline")
        self._path = ServerCollection(self._threads.connection, items.collection).path + "/documents"

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DuplicatesPipeline:
        """Makes it of the settings of a crawl.

        Args:
            crawler: The crawl.

        Raises:
            NotConfigured: Where there is no address or no collection.
            InvalidInputError: Where a number makes no sense.
        """
        return cls(crawler, ServerSettings.of(crawler.settings), ItemSettings.of(crawler.settings))

    def close_spider(self) -> None:
        """Ends the threads."""
        self._threads.close()

    async def process_item(self, item: Any) -> Any:
        """The item, which may be of any kind that Scrapy takes.

        Args:
            item: The item.

        Raises:
            DropItem: Where there is a near-duplicate of it; the message names the nearest.
        """
        fields = ItemAdapter(item)
        text, id = fields.get(self._items.text_field), fields.get(self._items.id_field)
        if not isinstance(text, str) or not text or id is None or id == "":
            self._threads.count("incomplete")
            return item
        row = await self._threads.answer(lambda: self._put(str(id), text))
        if row is None:
            return item
        self._threads.count(row["outcome"])
        if row["outcome"] == "near":
            raise DropItem(f"a near-duplicate of {row['near'][0]['id']}")
        return item

    def _put(self, id: str, text: str) -> Row:
        """What became of an item. Runs in a thread."""
        body = json.dumps({"text": text}).encode()
        parameters: Parameters = {"id": id, "if_new": True, "on_duplicate": "replace"}
        row: Row = json.loads(
            self._threads.connection.send("PUT", self._path, parameters, body, JSON, id=id, safe=True)
        )
        return row
