"""The corpus of `make eval` as JSON lines, for programs that read texts: the text of each file as nearprint extracts it, and its document.

Renderings of one document (kinds `media` and `media+rev`, used as `ref` or `core`) are one; every file of a `neg` group is a document of
its own. Files of other kinds and those that the corpus lists as similar to one of another group count neither way, and are left out.
"""

import concurrent.futures
import csv
import json
import pathlib
import subprocess

SAME_KINDS = ("media", "media+rev")
# Fewer words than this say little about what a program for documents does; eval counts by the same bound.
LEAST_WORDS = 200


def chosen(corpus: pathlib.Path) -> dict[str, str]:
    """Path -> the document it is a rendering of."""
    similar = set()
    with (corpus / "similar_cross_group.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            similar |= {row["path_a"], row["path_b"]}
    files = {}
    with (corpus / "groups.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            path, own = row["path"], row["kind"] == "neg"
            counted = own or (row["kind"] in SAME_KINDS and row["use"] in ("ref", "core"))
            if counted and path not in similar and not row["same_as"] and int(row["words"]) >= LEAST_WORDS:
                files[path] = path if own else row["group_id"]
    return files


def write(program: str, corpus: pathlib.Path, out: pathlib.Path) -> None:
    """Writes the lines: `id`, `text`, and as `kind` the document, by which quality is told."""

    def line(item):
        path, document = item
        command = [program, "extract", "--json", "-qq", str(corpus / path)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        return json.dumps({"id": path, "text": json.loads(done.stdout)["text"], "kind": document})

    files = chosen(corpus)
    with concurrent.futures.ThreadPoolExecutor() as pool, out.open("w", encoding="utf-8") as lines:
        lines.writelines(f"{found}\n" for found in pool.map(line, files.items()))
