"""Checks that each test that docs/SECURITY-MODEL.md names exists, and that each of its promises names one.

Promises are the rows of its tables, and the sentences of the sections that are listed below: a sentence of these that
promises nothing is listed, too, by its first words, so whoever writes one decides which it is.
"""

from __future__ import annotations

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/SECURITY-MODEL.md"
# `crate::file::test`, in which the file may be a module of the crate or one of its integration tests.
NAME = re.compile(r"`(nearprint(?:-[a-z]+)?)::([a-z0-9_:]+)::([a-z0-9_]+)`")

SECTIONS = ("What is promised", "What confines what", "The server")
DESCRIPTIONS = (
    "The command starts the workers, sends them bytes, and reads text.",
    "The filter, Landlock and the rows after it exist on Linux",
    "Landlock needs Linux 5.13,",
    "`nearprint serve` without tokens is for the users of its machine,",
    "With tokens it trusts their owners",
    "Not trusted are documents, ids and names,",
)


def sentences(page: str) -> list[str]:
    """Every sentence of the sections with promises, but for their tables and what announces these."""
    found = []
    for section in page.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        if title not in SECTIONS:
            continue
        for paragraph in re.split(r"\n\s*\n", body):
            if not paragraph.lstrip().startswith("|"):
                found += re.split(r"(?<=[.:])\s+(?=[A-Z`])", " ".join(paragraph.split()))
    return [sentence for sentence in found if sentence]


def exists(crate: str, path: str, test: str) -> bool:
    """Whether a file of the crate on this path has the test."""
    module = [part for part in path.split("::") if part != "tests"]
    for file in (ROOT / "crates" / crate).rglob("*.rs"):
        parts = [part for part in file.relative_to(ROOT / "crates" / crate).with_suffix("").parts if part != "tests"]
        if parts[-1] == "mod":
            parts.pop()
        is_file = parts[-len(module) :] == module
        if is_file and re.search(rf"#\[(?:tokio::)?test[^{{}}]*\bfn {test}\b", file.read_text(encoding="utf-8")):
            return True
    return False


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    wrong = ["::".join(name) + " is no test" for name in sorted(set(NAME.findall(page))) if not exists(*name)]
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        is_head = "test" in cells or not set(line) - set("|- ")
        if line.startswith("|") and not is_head and not NAME.search(line):
            wrong.append(f"no test is named: {cells[0]}")
    said = sentences(page)
    for sentence in said:
        if not NAME.search(sentence) and not sentence.startswith(DESCRIPTIONS):
            wrong.append(f"no test is named: {sentence}")
    for start in DESCRIPTIONS:
        if not any(sentence.startswith(start) for sentence in said):
            wrong.append(f"scripts/check_promises.py lists what is not there: {start}")
    for text in wrong:
        print(f"{PAGE.relative_to(ROOT)}: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
