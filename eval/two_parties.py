"""Two parties with extractors of their own exchange fingerprints of the same documents: what do they find?

    two_parties.py NEARPRINT LIST FOLDER

LIST names a document in each line (HTML, XML, EPUB, PDF; gzip is undone). Party A fingerprints them with NEARPRINT, party B the
texts of reference/nearprint_extraction.py, which was written from spec/PROFILE.md alone. For each scheme: how many
documents have both fingerprints within the distance, and of the pairs that A finds among its own fingerprints, how many it
finds between its own and those of B. Needs lxml and pdftotext. FOLDER keeps the texts.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "reference"))
import nearprint_extraction as second

DISTANCES = {"sd1": 3, "sl1": 6, "md1": 25}
MEDIA = ("html", "xhtml", "xml", "epub", "pdf")


def medium(path: str) -> str:
    return path.removesuffix(".gz").rpartition(".")[2].replace("htm", "html").replace("htmll", "html")


def write_texts(paths: list[str], folder: Path, rows: Path) -> None:
    """Copies each document for party A, and writes the text of party B; where there are rows, it continues after them."""
    done = len(rows.read_text("utf-8").splitlines()) if rows.exists() else 0
    with rows.open("a", encoding="utf-8") as out:
        for number, path in enumerate(paths[done:], done):
            content = Path(path).read_bytes()
            content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
            copy = folder / "a" / f"{number:05}.{medium(path)}"
            copy.write_bytes(content)
            try:
                text = second.text_of(copy)
            except Exception as error:
                print(f"B cannot read {path}: {error!r}"[:200], file=sys.stderr)
                text = ""
            out.write(json.dumps({"id": copy.name, "text": text}) + "\n")


def fingerprints(nearprint: str, scheme: str, *arguments: str) -> dict[str, str]:
    command = [nearprint, "fingerprint", "--quiet", "--scheme", scheme, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {columns[1].rpartition("/")[2]: columns[0] for columns in lines}


def pairs(nearprint: str, one: dict[str, str], other: dict[str, str], k: int, folder: Path) -> set[tuple[str, str]]:
    """Pairs of two sets within k, by names without that of their set."""
    for name, prints in (("one", one), ("other", other)):
        lines = (f"{string}\t{name}:{i}\n" for i, string in prints.items())
        (folder / name).write_text("".join(lines), "utf-8")
    command = [
        nearprint,
        "prints",
        "pairs",
        "--quiet",
        "-k",
        str(k),
        str(folder / "one"),
        "--against",
        str(folder / "other"),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found = set()
    for line in done.stdout.splitlines():
        a, b = line.split("\t")[:2]
        found.add((a.partition(":")[2], b.partition(":")[2]))
    return found


def main() -> int:
    nearprint, listed, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    (folder / "a").mkdir(parents=True, exist_ok=True)
    paths = listed.read_text("utf-8").split("\n")[:-1]
    rows = folder / "b.jsonl"
    write_texts(paths, folder, rows)
    for scheme, k in DISTANCES.items():
        a = fingerprints(nearprint, scheme, str(folder / "a"))
        b = fingerprints(nearprint, scheme, str(rows))
        both = sorted(set(a) & set(b))
        a, b = {name: a[name] for name in both}, {name: b[name] for name in both}
        alone = {pair for pair in pairs(nearprint, a, a, k, folder) if pair[0] != pair[1]}
        across = pairs(nearprint, a, b, k, folder)
        own = {one for one, other in across if one == other}
        kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for name in both:
            kinds[medium(name)][0] += 1
            kinds[medium(name)][1] += name in own
        across = {pair for pair in across if pair[0] != pair[1]}
        row = {
            "scheme": scheme,
            "within": k,
            "documents": len(both),
            "own": len(own),
            "pairs_alone": len(alone),
            "pairs_across": len(across),
            "found": len(alone & across),
            "media": {kind: f"{found} of {count}" for kind, (count, found) in sorted(kinds.items())},
        }
        print(json.dumps(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
