"""Writes the reference of the Python module as pages: `python_docs.py DIRECTORY`, by an interpreter with the package and pdoc.

pdoc takes types and docstrings of compiled code from stubs. It looks for one stub for each module, and the package's names are
those of its compiled part.
"""

import pathlib
import sys
import typing

import nearprint
import pdoc
import pdoc.doc_pyi
import pdoc.render

STUB = pathlib.Path(nearprint.__file__).parent / "_nearprint.pyi"
MODULES = ["nearprint", "nearprint.client", "nearprint.compat.simhash", "nearprint.datasets", "nearprint.datatrove"]
MODULES += ["nearprint.duckdb", "nearprint.errors", "nearprint.polars", "nearprint.scrapy", "nearprint.spark"]


def main() -> int:
    out = pathlib.Path(sys.argv[1])
    # Stubs are executed here, and this name is only there for who checks types.
    typing.type_check_only = lambda thing: thing  # type: ignore[attr-defined]
    pdoc.doc_pyi.find_stub_file = lambda name: STUB if name in ("nearprint", "nearprint._nearprint") else None
    pdoc.render.configure(docformat="google", footer_text=f"nearprint {nearprint.__version__}", show_source=False)
    pdoc.pdoc(*MODULES, output_directory=out)
    page = (out / "nearprint.html").read_text(encoding="utf-8")
    # Without its stub the page would have names alone.
    missing = [name for name in nearprint.__all__ if f'id="{name}"' not in page and not name.startswith("_")]
    if missing or "All pairs of near-duplicates" not in page:
        print(f"{out}: the page lacks docstrings, or {missing}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
