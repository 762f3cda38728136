"""A crawl by the real Scrapy, as a process of its own: `scrapy_crawl.py JSON`, with `settings` and `start`, a list of requests.

The spider makes an item of each page and follows its links. Prints `items` and `stats`; the log goes to standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response

GIVEN = json.loads(sys.argv[1])
ITEMS: list[dict[str, Any]] = []


class Links(scrapy.Spider):
    """Follows all links."""

    name = "links"

    async def start(self) -> AsyncIterator[Any]:
        for request in GIVEN["start"]:
            yield scrapy.Request(dont_filter=True, **request)

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"id": response.css("h1::attr(id)").get(response.url), "text": response.css("p::text").get()}
        for link in response.css("a"):
            # What is exempt names itself, so that a test can follow a link without a question.
            meta = {"nearprint": False} if "exempt" in link.attrib["href"] else {}
            yield response.follow(link, meta=meta)


def keep(item: dict[str, Any]) -> None:
    ITEMS.append(item)


def main() -> None:
    settings = {"LOG_LEVEL": "INFO", "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0, **GIVEN["settings"]}
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Links)
    crawler.signals.connect(keep, signals.item_scraped)
    process.crawl(crawler)
    process.start()
    assert crawler.stats is not None
    print(json.dumps({"items": ITEMS, "stats": crawler.stats.get_stats()}, default=str))


if __name__ == "__main__":
    main()
