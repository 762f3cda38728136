"""Names that were changed: an old one is an error that states the new one, in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def old_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose names changed.

    Args:
        module: The module.
        names: New names by the old ones.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name in names:
            # Of this class, `from module import name` tells its message too.
            raise ImportError(f"{module}.{name} is now called {names[name]}")
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return __getattr__


def refuse_old_arguments(given: Iterable[str], names: Mapping[str, str]) -> None:
    """Refuses arguments whose names changed.

    Args:
        given: The names of the arguments that were given.
        names: New names by the old ones.

    Raises:
        TypeError: Where one of them is an old name.
    """
    for name in given:
        if name in names:
            raise TypeError(f"the argument {name} is now called {names[name]}")
