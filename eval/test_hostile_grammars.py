"""Files of random phases, and the check of them on a program that answers from a table."""

from __future__ import annotations

import contextlib
import io
import random
import struct
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import hostile_grammars
import hostile_tables

# Stands for `measure_files`: seconds follow from the length of the file, as its argument says.
MEASURE = """#!{python}
import pathlib, sys
for line in sys.stdin:
    length = pathlib.Path(line.rstrip("\\n")).stat().st_size
    print({seconds}, {bytes}, "fingerprint=1", sep="\\t", flush=True)
"""


class MakerTests(unittest.TestCase):
    def test_every_kind_is_the_same_again_and_about_as_long_as_it_is_asked_to_be(self) -> None:
        makers = {**hostile_grammars.MAKERS, **{name: one for name, (one, _) in hostile_grammars.COMMANDS.items()}}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, make in makers.items():
                lengths = []
                for number in range(6):
                    data = make(random.Random(f"{name} {number}"), 20_000)
                    self.assertEqual(make(random.Random(f"{name} {number}"), 20_000), data, name)
                    lengths.append(len(data))
                # Compressed ones are shorter.
                self.assertTrue(5000 < max(lengths) < 80_000, f"{name}: {lengths}")

    def test_thrift_and_flatbuffers_are_as_they_are_written(self) -> None:
        self.assertEqual(hostile_tables.thrift(_1=6, _4=b"x", _5=[0, 3]), b"\x16\x0c\x38\x01x\x19\x25\x00\x06\x00")
        shared = hostile_tables.Table({0: ("i", 5)})
        root = hostile_tables.Table({0: ("t", shared), 1: ("q", 9), 2: ("v", [shared, shared])})
        data = hostile_tables.flatbuffer(root)
        at = struct.unpack_from("<I", data)[0]
        self.assertEqual(struct.unpack_from("<q", data, at + 16)[0], 9)
        first = at + 8 + struct.unpack_from("<I", data, at + 8)[0]
        self.assertEqual(struct.unpack_from("<i", data, first + 8)[0], 5)
        vector = at + 24 + struct.unpack_from("<I", data, at + 24)[0]
        self.assertEqual(struct.unpack_from("<I", data, vector)[0], 2)


class CheckTests(unittest.TestCase):
    def checked(self, seconds: str, taken: str = "0") -> tuple[int, str]:
        """What the check says of a program that takes so long, and so much memory."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            measure = Path(folder) / "measure"
            measure.write_text(MEASURE.format(python=sys.executable, seconds=seconds, bytes=taken))
            measure.chmod(0o755)
            options = ["--kind", "tar", "--cases", "1", "--length", "400000"]
            with contextlib.redirect_stderr(out):
                status = hostile_grammars.main([str(measure), "none", *options])
        return status, out.getvalue()

    def test_time_in_proportion_is_no_fault_and_in_the_square_is_one(self) -> None:
        status, said = self.checked("length / 1e6")
        self.assertEqual((status, "No fault" in said), (0, True), said)
        status, said = self.checked("(length / 4e5) ** 2")
        self.assertEqual((status, "1 fault" in said), (1, True), said)

    def test_another_way_to_read_a_quarter_is_no_growth(self) -> None:
        status, said = self.checked("0.05 if length < 250_000 else length / 2.5e5")
        self.assertEqual((status, "No fault" in said), (0, True), said)

    def test_time_and_memory_have_bounds(self) -> None:
        status, said = self.checked("26.0")
        self.assertEqual((status, "26.00 s of the processor" in said), (1, True), said)
        status, said = self.checked("0.0", "900 << 20")
        self.assertEqual((status, "MiB beyond its size" in said), (1, True), said)


if __name__ == "__main__":
    unittest.main()
