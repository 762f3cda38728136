"""`help` describes every public name: what it takes, with its units, what it returns and raises."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import nearprint
import pytest
from nearprint import _nearprint

PACKAGE = Path(nearprint.__file__).parent
MODULES = [
    ".".join(["nearprint", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if not any(part.startswith("_") and part != "__init__.py" for part in path.relative_to(PACKAGE).parts)
]


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a module defines, or exports from the compiled part: functions, classes, their methods and properties."""
    for name, thing in vars(module).items():
        home = getattr(thing, "__module__", None)
        if name.startswith("_") or not (inspect.isclass(thing) or callable(thing)):
            continue
        if home != module.__name__ and name not in getattr(module, "__all__", ()):
            continue
        yield f"{module.__name__}.{name}", thing
        if inspect.isclass(thing) and str(home).startswith("nearprint"):
            for inner, member in vars(thing).items():
                if not inner.startswith("_") and (callable(getattr(thing, inner)) or inspect.isdatadescriptor(member)):
                    yield f"{module.__name__}.{name}.{inner}", getattr(thing, inner)


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_help(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, name
    for called, thing in public(module):
        described = inspect.getdoc(thing) or ""
        assert len(described) > 10 and described[0].isupper() and "." in described, called
        if inspect.isclass(thing) or not callable(thing):
            continue
        parameters = [
            parameter
            for parameter in inspect.signature(thing).parameters.values()
            if parameter.name not in ("self", "cls", "_", "ctx")
        ]
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in described).split())
        missing = [p.name for p in parameters if p.name not in words and p.name.rstrip("_") not in words]
        # The sentence of a short function describes its one parameter.
        assert not missing or (len(parameters) == 1 and "Args:" not in described), f"{called}: {missing}"


def described() -> Iterator[tuple[str, Any, str]]:
    """Everything that has a docstring in the stubs: its name, what it is, and the docstring."""
    stubs = ast.parse((PACKAGE / "_nearprint.pyi").read_text(encoding="utf-8"))
    for node in stubs.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and hasattr(_nearprint, node.name):
            thing = getattr(_nearprint, node.name)
            # The last of several forms of a function has the docstring of all.
            is_form = any(isinstance(name, ast.Name) and name.id == "overload" for name in node.decorator_list)
            if is_form and ast.get_docstring(node) is None:
                continue
            yield node.name, thing, ast.get_docstring(node) or ""
            for inner in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    yield f"{node.name}.{inner.name}", getattr(thing, inner.name), ast.get_docstring(inner) or ""


def test_help_of_compiled_code_is_that_of_the_stubs() -> None:
    found = list(described())
    assert len(found) > 80
    for name, thing, docstring in found:
        assert docstring, name
        assert inspect.getdoc(thing) == docstring, name
        # What takes an argument by name can be called wrongly.
        if callable(thing) and "Args:" in docstring and "Returns:" in docstring and not inspect.isclass(thing):
            assert "Raises:" in docstring or "As of" in docstring, name
