"""The settings of a crawl that concern nearprint, read once and checked."""

from __future__ import annotations

from dataclasses import dataclass

from nearprint._http import Connection
from nearprint.errors import InvalidInputError
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings


@dataclass(frozen=True)
class ServerSettings:
    """How the server is reached.

    Attributes:
        url: `NEARPRINT_URL`, its address.
        token: `NEARPRINT_TOKEN`, what `nearprint serve token create` printed; None where the server wants none.
        timeout: `NEARPRINT_TIMEOUT`, for how many seconds a page or item is held back at most, its wait for a turn included.
        concurrency: `NEARPRINT_CONCURRENCY`, how many questions are asked at a time. The server decides one page after
            another, so that the budget is exact with any number, and for several crawlers together.
    """

    url: str
    token: str | None = None
    timeout: float = 5.0
    concurrency: int = 8

    @classmethod
    def of(cls, settings: BaseSettings) -> ServerSettings:
        """Reads them.

        Args:
            settings: The settings of the crawl.

        Raises:
            NotConfigured: Where there is no address.
            InvalidInputError: Where a number makes no sense.
        """
        found = cls(
            url=_stated(settings, "NEARPRINT_URL"),
            token=settings.get("NEARPRINT_TOKEN") or None,
            timeout=settings.getfloat("NEARPRINT_TIMEOUT", cls.timeout),
            concurrency=settings.getint("NEARPRINT_CONCURRENCY", cls.concurrency),
        )
        if not found.timeout > 0:
            raise InvalidInputError("NEARPRINT_TIMEOUT is more than 0 seconds")
        if found.concurrency < 1:
            raise InvalidInputError("NEARPRINT_CONCURRENCY is 1 or more")
        return found

    def connection(self) -> Connection:
        """Connections to the server."""
        return Connection(self.url, self.token, self.timeout, None)


@dataclass(frozen=True)
class BudgetSettings:
    """Which pages are similar, and how many of them are kept.

    Attributes:
        collection: `NEARPRINT_COLLECTION`, the collection with the pages that were kept. It keeps features, as collections do
            unless they are told not to.
        budget: `NEARPRINT_BUDGET`, how many pages that are similar to one another are kept.
        threshold: `NEARPRINT_THRESHOLD`, from which similarity (Jaccard, of word 3-shingles and numbers) on two pages are
            similar, 0 to 1.
    """

    collection: str
    budget: int = 10
    threshold: float = 0.7

    @classmethod
    def of(cls, settings: BaseSettings) -> BudgetSettings:
        """Reads them.

        Args:
            settings: The settings of the crawl.

        Raises:
            NotConfigured: Where there is no collection.
            InvalidInputError: Where a number makes no sense.
        """
        found = cls(
            collection=_stated(settings, "NEARPRINT_COLLECTION"),
            budget=settings.getint("NEARPRINT_BUDGET", cls.budget),
            threshold=settings.getfloat("NEARPRINT_THRESHOLD", cls.threshold),
        )
        if found.budget < 1:
            raise InvalidInputError("NEARPRINT_BUDGET is 1 or more")
        if not 0 <= found.threshold <= 1:
            raise InvalidInputError("NEARPRINT_THRESHOLD is from 0 to 1")
        return found


@dataclass(frozen=True)
class ItemSettings:
    """Where items are kept, and which of their fields count.

    Attributes:
        collection: `NEARPRINT_ITEM_COLLECTION`, the collection with the items that were kept, another than that of pages.
        text_field: `NEARPRINT_ITEM_TEXT_FIELD`, the field with the text.
        id_field: `NEARPRINT_ITEM_ID_FIELD`, the field with the id, a string or a number.
    """

    collection: str
    text_field: str = "text"
    id_field: str = "id"

    @classmethod
    def of(cls, settings: BaseSettings) -> ItemSettings:
        """Reads them.

        Args:
            settings: The settings of the crawl.

        Raises:
            NotConfigured: Where there is no collection.
        """
        return cls(
            collection=_stated(settings, "NEARPRINT_ITEM_COLLECTION"),
            text_field=settings.get("NEARPRINT_ITEM_TEXT_FIELD", cls.text_field),
            id_field=settings.get("NEARPRINT_ITEM_ID_FIELD", cls.id_field),
        )


def _stated(settings: BaseSettings, name: str) -> str:
    value = settings.get(name)
    if not value:
        raise NotConfigured(f"{name} is not set")
    return str(value)
