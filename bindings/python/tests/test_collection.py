"""The protocol `Collection`: the same calls of an index on this machine and of a collection of a server, with equal results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nearprint
import nearprint.client
import pytest
from conftest import edited, make_text
from nearprint import Collection
from test_client import start, stop

TEXTS = [edited(make_text(n // 2), n, edits=3 * (n % 2)) for n in range(40)]
IDS = [f"{n:02}/page" for n in range(40)]

Step = Callable[[Collection], Any]


def without(rows: Any, *names: str) -> Any:
    """Rows without what differs by nature, such as times."""
    if isinstance(rows, dict):
        return {name: value for name, value in rows.items() if name not in names}
    return [without(row, *names) for row in rows]


def counted(table: nearprint.Table) -> dict[str, Any]:
    return {name: table.summary[name] for name in ("added", "replaced", "skipped", "near", "failed", "documents")}


def reasons(table: nearprint.Table) -> list[tuple[str, str]]:
    return [(failure["id"], failure["reason"]) for failure in table.failures]


PRINT = nearprint.fingerprint(TEXTS[1], "md1")
assert PRINT is not None

STEPS: dict[str, Step] = {
    "add": lambda on: counted(on.add(texts=TEXTS, ids=IDS)),
    "add what has no words": lambda on: reasons(on.add(texts=["2024", None, "Fog came in."], ids=["x", "y", "fog"])),
    "add what is there": lambda on: on.add(texts=TEXTS[:1], ids=IDS[:1]),
    "add what is there and skip": lambda on: counted(on.add(texts=TEXTS[:2], ids=[IDS[0], "z"], on_duplicate="skip")),
    "add what is there in its place": lambda on: counted(
        on.add(texts=TEXTS[2:3], ids=IDS[2:3], on_duplicate="replace")
    ),
    "add what is near": lambda on: on.add(texts=TEXTS[3:5], ids=["n", "m"], if_new=True),
    "count": lambda on: (len(on), on.scheme, on.stats()["documents"], on.stats()["scheme"]),
    "is there": lambda on: ("fog" in on, "none" in on),
    "get": lambda on: (on.get("fog"), on.get("none")),
    "document": lambda on: (without(on.document(IDS[0]), "time"), on.document("none")),
    "list": lambda on: without(on.list(), "time"),
    "list a part": lambda on: on.list("0", after="02/page", limit=5)["id"].to_pylist(),
    "query": lambda on: on.query(PRINT, k=60),
    "query by the usual distance": lambda on: on.query(PRINT),
    "query many": lambda on: on.query_many([PRINT, PRINT], k=40),
    "query by another scheme": lambda on: on.query(nearprint.Fingerprint.from_int(1)),
    "matches": lambda on: on.matches(texts=[*TEXTS[:5], "2024"]),
    "matches with ids": lambda on: on.matches(texts=TEXTS[:2], ids=["p", "q"], threshold=0.9),
    "matches by another measure": lambda on: on.matches(texts=TEXTS[:2], measure="containment", max_matches=1),
    "matches without texts": lambda on: on.matches(texts=TEXTS[:2], verify=False, k=50),
    "matches by a wrong option": lambda on: on.matches(texts=TEXTS[:1], threshold=2.0),
    "matches of one text": lambda on: on.matches(texts=TEXTS[0]),  # type: ignore[arg-type]
    "ids of another type": lambda on: on.matches(texts=TEXTS[:1], ids=[1]),  # type: ignore[list-item]
    "pairs": lambda on: on.pairs(),
    "pairs of equal texts": lambda on: on.pairs(threshold=1.0),
    "clusters": lambda on: on.clusters(threshold=0.6),
    "dedup": lambda on: without(on.dedup(threshold=0.6), "place"),
    "dedup by a wrong option": lambda on: on.dedup(threshold=-1.0),
    "remove": lambda on: (on.remove("fog"), "fog" in on),
    "remove what is not there": lambda on: on.remove("fog"),
    "remove many by a condition": lambda on: (
        on.remove_many(where="x=1"),
        on.remove_many(where=["x=1", "not y exists"]),
    ),
    "remove many by no condition": lambda on: on.remove_many(where="x"),
    "remove many of nothing": lambda on: on.remove_many(),
    "remove many": lambda on: (on.remove_many([*IDS[:3], "none"]), len(on)),
}


def outcome(step: Step, on: Collection) -> Any:
    """What a step gives; of an exception its class."""
    try:
        given = step(on)
    except Exception as error:
        return type(error)
    if isinstance(given, nearprint.Table):
        return given.schema, given.to_pylist(), reasons(given)
    return given


@pytest.fixture(scope="module")
def server(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[nearprint.client.Server]:
    running, url = start(command, tmp_path_factory.mktemp("server"))
    with nearprint.connect(url) as connected:
        yield connected
    stop(running)


@pytest.mark.parametrize("texts", [True, False])
def test_an_index_and_a_server_give_equal_results(server: nearprint.client.Server, tmp_path: Path, texts: bool) -> None:
    with nearprint.Index.create(tmp_path / "index", texts=texts) as index:
        remote = server.create(f"same-{texts}".lower(), texts=texts)
        collections: list[Collection] = [index, remote]
        assert all(isinstance(one, Collection) for one in collections)
        seen = []
        for name, step in STEPS.items():
            # A server decides by texts alone, an index by features too.
            if name == "dedup" and not texts:
                continue
            local, served = (outcome(step, one) for one in collections)
            assert served == local, name
            seen.append(local)
        # The steps show something: rows, and the errors that they are about.
        assert sum(isinstance(one, tuple) for one in seen) >= 14
        assert {one.__name__ for one in seen if isinstance(one, type)} == {"InvalidInputError", "TypeError", "KeyError"}
        server.delete(remote.name)
