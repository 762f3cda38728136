"""Spark sessions on the loopback address, for the scripts that check and measure."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import SparkSession

# Python processes are those of the interpreter that runs the script, and no other of the machine.
VARIABLES = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
}


def kept_in(folder: Path) -> dict[str, str]:
    """Settings by which all that Spark writes is in a folder."""
    whole = folder.resolve()
    return {"spark.local.dir": str(whole / "local"), "spark.sql.warehouse.dir": str(whole / "warehouse")}


def events_in(folder: Path) -> dict[str, str]:
    """Settings by which the events of a session become one file in FOLDER/events, for spark_events.py."""
    (folder / "events").mkdir()
    return {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": (folder / "events").resolve().as_uri(),
    }


def session(master: str, settings: Mapping[str, str]) -> SparkSession:
    """A session of these settings beside those that all have."""
    os.environ.update(VARIABLES)
    builder = SparkSession.builder.master(master)
    for name, value in {**SETTINGS, **settings}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
