"""Two parties with extractors of their own exchange files of fingerprints of the same documents: what do they find?

    two_parties.py NEARPRINT LIST FOLDER

LIST names a document in each line (HTML, XML, EPUB, PDF; gzip is undone). Party A fingerprints them with NEARPRINT, party B the
texts of reference/nearprint_extraction.py, which was written from spec/PROFILE.md alone. Each writes an interchange file and
reads that of the other. For each scheme: how many documents have both fingerprints within the distance, and of the pairs that
A finds among its own fingerprints, how many it finds between its own and those of B. First for the documents whose texts no
party calls outside of the profile, then for all. Needs lxml and pdftotext. FOLDER keeps the texts and the files.
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
MEDIA = {"htm": "html", "docbook": "xml", "page": "xml"}
OUTSIDE = "outside-profile"


def medium(path: str) -> str:
    suffix = path.removesuffix(".gz").rpartition(".")[2]
    return MEDIA.get(suffix, suffix)


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


class Party:
    """What a party has: a file of fingerprints of a scheme, and which of its texts are of the profile."""

    def __init__(self, nearprint: str, name: str, scheme: str, source: Path) -> None:
        self.nearprint, self.name, self.scheme = nearprint, name, scheme
        self.folder = source.parent
        done = self.run("fingerprint", "--quiet", "--json", "--scheme", scheme, str(source), may_fail=True)
        self.rows = {}
        for line in done.splitlines():
            row = json.loads(line)
            if row["fingerprint"]:
                row["id"] = row["id"].rpartition("/")[2]
                self.rows[row["id"]] = row

    def run(self, *arguments: str, may_fail: bool = False) -> str:
        done = subprocess.run([self.nearprint, *arguments], stdout=subprocess.PIPE, text=True, check=not may_fail)
        return done.stdout

    def outside(self) -> set[str]:
        """Documents whose texts do not follow the profile."""
        return {name for name, row in self.rows.items() if any(w["code"] == OUTSIDE for w in row["warnings"])}

    def give(self, names: list[str], extractor: str) -> Path:
        """The interchange file that the other party gets."""
        rows, file = self.folder / f"{self.name}-rows.jsonl", self.folder / f"{self.name}-{self.scheme}.nearprint"
        rows.write_text("".join(json.dumps(self.rows[name]) + "\n" for name in names), "utf-8")
        metadata = [word for value in (f"extractor={extractor}", "profile=1") for word in ("--metadata", value)]
        self.run("prints", "interchange", "write", *metadata, "--output", str(file), "--force", str(rows))
        return file

    def take(self, file: Path, prefix: str) -> Path:
        """The fingerprints of a file, with ids that say whose they are."""
        read = self.run("prints", "interchange", "read", str(file))
        out = self.folder / f"{self.name}-{prefix}.txt"
        lines = (line.split("\t")[:2] for line in read.splitlines())
        out.write_text("".join(f"{string}\t{prefix}:{name}\n" for string, name in lines), "utf-8")
        return out

    def pairs(self, one: Path, other: Path) -> set[tuple[str, str]]:
        """Pairs of two sets within the distance, by names without that of their set."""
        options = ["--quiet", "-k", str(DISTANCES[self.scheme])]
        found = self.run("prints", "pairs", *options, str(one), "--against", str(other))
        columns = (line.split("\t")[:2] for line in found.splitlines())
        return {(a.partition(":")[2], b.partition(":")[2]) for a, b in columns}


def measured(a: Party, b: Party, names: list[str], what: str) -> dict[str, object]:
    """What A finds with the file of B, and what it would find alone."""
    ours, theirs = a.give(names, "nearprint/0.1"), b.give(names, "second/1")
    relation = json.loads(a.run("prints", "interchange", "compare", "--json", str(ours), str(theirs)))
    one, copy, other = a.take(ours, "a"), a.take(ours, "a2"), a.take(theirs, "b")
    alone = {tuple(sorted(pair)) for pair in a.pairs(one, copy) if pair[0] != pair[1]}
    across = a.pairs(one, other)
    own = {name for name, same in across if name == same}
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name in names:
        kinds[medium(name)][0] += 1
        kinds[medium(name)][1] += name in own
    crossed = {tuple(sorted(pair)) for pair in across if pair[0] != pair[1]}
    long = {name for name in names if not a.rows[name]["short"]}
    long_pairs = {pair for pair in alone if long.issuperset(pair)}
    return {
        "scheme": a.scheme,
        "of": what,
        "within": DISTANCES[a.scheme],
        "documents": len(names),
        "equal": sum(a.rows[name]["fingerprint"] == b.rows[name]["fingerprint"] for name in names),
        "own": len(own),
        "pairs_alone": len(alone),
        "found": len(alone & crossed),
        "others": len(crossed - alone),
        "long_documents": len(long),
        "long_own": len(long & own),
        "long_pairs_alone": len(long_pairs),
        "long_found": len(long_pairs & crossed),
        "media": {kind: f"{found} of {count}" for kind, (count, found) in sorted(kinds.items())},
        "relation": relation,
        "far": sorted(set(names) - own)[:20],
    }


def main() -> int:
    nearprint, listed, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    (folder / "a").mkdir(parents=True, exist_ok=True)
    paths = listed.read_text("utf-8").split("\n")[:-1]
    rows = folder / "b.jsonl"
    write_texts(paths, folder, rows)
    for scheme in DISTANCES:
        a, b = Party(nearprint, "a", scheme, folder / "a"), Party(nearprint, "b", scheme, rows)
        both = sorted(set(a.rows) & set(b.rows))
        follows = sorted(set(both) - a.outside() - b.outside())
        print(json.dumps(measured(a, b, follows, "profile")), flush=True)
        if follows != both:
            print(json.dumps(measured(a, b, both, "all")), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
