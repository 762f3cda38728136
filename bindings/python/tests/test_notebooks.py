"""The notebooks are run as Jupyter runs them: by nbclient, in a kernel of their own, over the samples."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT, SAMPLES
from nbclient import NotebookClient

FOLDER = ROOT / "bindings" / "python" / "notebooks"
# With the number of tables and comparisons that they show.
NOTEBOOKS = {"clean_jsonl": 0, "compare_crawls": 2, "deduplicate_pdfs": 2, "keep_an_index": 0}


# What the kernel's own libraries warn of.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_run(name: str, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES, tmp_path / "samples" / "documents")
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # What a cell shows is made where it is run.
    assert len(cells) >= 5 and not any(cell.outputs or cell.execution_count for cell in cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in cells for output in cell.outputs]
    assert outputs and not any(output.output_type == "error" for output in outputs)
    assert sum("text/html" in output.get("data", {}) for output in outputs) == NOTEBOOKS[name]


def test_all_are_run() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(NOTEBOOKS)
