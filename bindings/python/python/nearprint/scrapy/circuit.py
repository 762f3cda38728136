"""When a server that does not answer is left alone, and when it is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable

# Failures in a row after which the server is left alone, and for how many seconds.
_FAILURES = 5
_PAUSE = 30.0


class Circuit:
    """Counts failures in a row. After some of them it is open: nothing is asked for a while, then one question as a trial.

    It has no lock: it is touched in the thread of the reactor alone.

    Args:
        failures: After how many failures in a row it opens.
        pause: For how many seconds.
        clock: Seconds that only grow.
    """

    def __init__(
        self, failures: int = _FAILURES, pause: float = _PAUSE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._pause, self._clock = failures, pause, clock
        self._failures = 0
        self._open_until: float | None = None
        self._trial = False

    @property
    def is_open(self) -> bool:
        """Whether it is open, also while a trial is under way."""
        return self._open_until is not None

    def permits(self) -> bool:
        """Whether a question may be asked now. What is permitted must end in `succeeded`, `failed` or `abandoned`."""
        if self._open_until is None:
            return True
        if self._trial or self._clock() < self._open_until:
            return False
        self._trial = True
        return True

    def succeeded(self) -> None:
        """The server answered."""
        self._failures, self._open_until, self._trial = 0, None, False

    def abandoned(self) -> None:
        """The server was not asked after all: the next question may be the trial."""
        self._trial = False

    def failed(self) -> None:
        """The server did not answer."""
        if self.is_open and not self._trial:
            # It was asked before the circuit opened, and says nothing new.
            return
        self._failures += 1
        if self._trial or self._failures >= self._most:
            self._open_until, self._trial = self._clock() + self._pause, False
