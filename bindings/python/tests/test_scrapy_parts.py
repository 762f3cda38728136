"""What of nearprint.scrapy needs no crawl: when a server is left alone, and which settings make no sense."""

from __future__ import annotations

import pytest
from nearprint import InvalidInputError
from nearprint.scrapy import BudgetSettings, ItemSettings, ServerSettings
from nearprint.scrapy.circuit import Circuit
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings


def test_a_circuit_opens_after_failures_in_a_row_and_tries_once() -> None:
    now = 0.0
    circuit = Circuit(failures=3, pause=30, clock=lambda: now)
    for _ in range(2):
        assert circuit.permits()
        circuit.failed()
    circuit.succeeded()
    for _ in range(3):
        assert circuit.permits() and not circuit.is_open
        circuit.failed()
    assert circuit.is_open and not circuit.permits()
    # What was asked before it opened does not prolong the pause.
    now = 29.0
    circuit.failed()
    assert not circuit.permits()
    now = 30.0
    assert circuit.permits() and not circuit.permits()
    # The trial fails: another pause.
    circuit.failed()
    assert not circuit.permits()
    now = 60.0
    # A trial that never reached the server leaves room for another.
    assert circuit.permits()
    circuit.abandoned()
    assert circuit.permits()
    circuit.succeeded()
    assert circuit.permits() and circuit.permits() and not circuit.is_open


def test_settings_are_checked() -> None:
    given = {"NEARPRINT_URL": "http://a", "NEARPRINT_COLLECTION": "b", "NEARPRINT_ITEM_COLLECTION": "c"}
    settings = Settings(given)
    assert ServerSettings.of(settings) == ServerSettings("http://a", None, 5.0, 8)
    assert BudgetSettings.of(settings) == BudgetSettings("b", 10, 0.7)
    assert ItemSettings.of(settings) == ItemSettings("c", "text", "id")
    for kind, name in ((ServerSettings, "URL"), (BudgetSettings, "COLLECTION"), (ItemSettings, "ITEM_COLLECTION")):
        with pytest.raises(NotConfigured, match=f"NEARPRINT_{name} is not set"):
            kind.of(Settings(given | {f"NEARPRINT_{name}": ""}))
    for kind, name, value in (
        (ServerSettings, "TIMEOUT", "0"),
        (ServerSettings, "TIMEOUT", "nan"),
        (ServerSettings, "CONCURRENCY", "0"),
        (BudgetSettings, "BUDGET", "0"),
        (BudgetSettings, "THRESHOLD", "1.5"),
    ):
        with pytest.raises(InvalidInputError, match=f"NEARPRINT_{name} is"):
            kind.of(Settings(given | {f"NEARPRINT_{name}": value}))
