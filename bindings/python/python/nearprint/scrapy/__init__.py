"""Parts of a crawler of Scrapy that ask a nearprint server: has something like this been seen, and how often?

- `BudgetMiddleware`, a spider middleware: of pages that are similar, only so many are kept and followed. It ends calendars,
  search forms and other traps.
- `DuplicatesPipeline`, an item pipeline: drops an item where a near-duplicate of it is in a collection, and adds the others.

Both ask in threads of their own, so that the crawl goes on meanwhile, and let everything pass where the server does not answer;
the statistics of the crawl say how often. Their settings are those of `ServerSettings`, `BudgetSettings` and `ItemSettings`.

Needs Scrapy 2.14 or later (`pip install nearprint[scrapy]`).
"""

from __future__ import annotations

from nearprint._extras import Extra

with Extra("scrapy", __name__):
    from nearprint.scrapy.middleware import BudgetMiddleware
    from nearprint.scrapy.pipeline import DuplicatesPipeline
    from nearprint.scrapy.settings import BudgetSettings, ItemSettings, ServerSettings

__all__ = ["BudgetMiddleware", "BudgetSettings", "DuplicatesPipeline", "ItemSettings", "ServerSettings"]
