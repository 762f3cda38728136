"""docs/SPARK.md has what the model computes from the recorded runs, and the model's own check passes."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = ROOT / "bench/results/2026-11-23-spark-scale.json"


class TestModel(unittest.TestCase):
    def test_the_page_has_its_figures(self):
        page = set((ROOT / "docs/SPARK.md").read_text(encoding="utf-8").splitlines())
        for verb, least in ("check", 14), ("predict", 20):
            command = [sys.executable, str(ROOT / "bench/spark_model.py"), verb, str(RUNS)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line for line in done.stdout.splitlines() if line]
            self.assertGreaterEqual(len(lines), least)
            self.assertEqual([line for line in lines if line not in page], [])


if __name__ == "__main__":
    unittest.main()
