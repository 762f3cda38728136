"""The page about Dask with two local workers: results leave them. That of Ray, of 285 MB, is run by `test-long.sh ray`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import ROOT


def test_results_leave_workers(tmp_path: Path) -> None:
    # A process of its own, as the workers begin by importing the main module.
    script, page = Path(__file__).with_name("lone_extra.py"), ROOT / "docs" / "tutorials" / "ray-and-dask.md"
    code = f"import sys; sys.argv = ['', '-', {str(page)!r}, 'Dask']; sys.path.insert(0, {str(script.parent)!r})\n"
    code += "import lone_extra\nif __name__ == '__main__': sys.exit(lone_extra.main())"
    (tmp_path / "main.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "main.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
