"""Bars of progress, for `progress=True`."""

from __future__ import annotations

from typing import Any

from nearprint._extras import Extra


class Bar:
    """A callback that shows a bar of tqdm for each stage. The last one closes with the callback."""

    def __init__(self) -> None:
        self._stage: str | None = None
        self._bar: Any = None
        with Extra("progress", "progress=True"):
            from tqdm.auto import tqdm
        self._make = tqdm

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if stage != self._stage:
            self.close()
            self._stage, self._bar = stage, self._make(desc=stage, total=total, unit="" if total else f" {stage}")
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Ends the bar that is shown."""
        if self._bar is not None:
            self._bar.close()
        self._stage, self._bar = None, None

    def __del__(self) -> None:
        self.close()
