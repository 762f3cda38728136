"""The notebooks are run, cell by cell, over the samples; what their cells show can be shown."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, SAMPLES

FOLDER = ROOT / "bindings" / "python" / "notebooks"


def cells(notebook: Path) -> list[str]:
    """The cells of code of a notebook in the percent format."""
    parts = notebook.read_text(encoding="utf-8").split("# %%")
    return [part.removeprefix("\n") for part in parts if not part.startswith(" [markdown]")]


def run_cell(code: str, names: dict[str, Any], name: str) -> Any:
    """Runs a cell and gives the value of its last expression, as notebooks do."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return eval(compile(ast.Expression(last.value), name, "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize("notebook", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_notebooks_run(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES, tmp_path / "samples" / "documents")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    run = cells(notebook)
    assert len(run) >= 5
    shown = [run_cell(code, names, notebook.name) for code in run]
    for value in shown:
        if value is not None:
            assert value._repr_html_()


def test_there_are_four() -> None:
    assert len(list(FOLDER.glob("*.py"))) == 4
