"""What superscript note marks that folding joins to words cost: `note_marks.py CORPUS TEXTS --nearprint PROGRAM`.

NFKC turns a superscript 1 into a 1, so that a word with a note mark behind it becomes another word. TEXTS is the folder of the texts that one program took out of the
corpus, as `eval/run.sh` keeps them (build/eval/texts/DIGEST). They are
fingerprinted as they are, and once more with every superscript and subscript digit behind a letter taken out; printed is, for each scheme of the standard, the recall within
its default distance of both, over all pairs and over those in which a document has such a mark.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

from extractor import Cache
from labels import read_labels
from prints import named_prints, prints_of
from recall import distance_of, recall_of, within
from report import share_text, table
from schemes import schemes_of

MARK = re.compile("(?<=[^\\W\\d_])[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u2080-\u2089]+")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--min-words", type=int, default=200)
    args = parser.parse_args()
    labels = read_labels(args.corpus, args.min_words)
    cache = Cache(args.texts.parent, SimpleNamespace(digest=args.texts.name))
    pairs = labels.true_pairs()
    needed = sorted({number for pair in pairs for number in (pair.one, pair.other)})
    marked: dict[int, int] = {}
    distances = {}
    with tempfile.TemporaryDirectory() as folder:
        ways = {"as they are": Path(folder, "whole.jsonl"), "without marks": Path(folder, "without.jsonl")}
        files = {name: path.open("w", encoding="utf-8") for name, path in ways.items()}
        for number in needed:
            path = labels.files[number].path
            text = cache.get(args.corpus, path).text or ""
            if found := len(MARK.findall(text)):
                marked[number] = found
            for name, changed in (("as they are", text), ("without marks", MARK.sub("", text))):
                files[name].write(json.dumps({"id": path, "text": changed}) + "\n")
        for file in files.values():
            file.close()
        schemes = schemes_of(args.nearprint)
        for scheme in schemes:
            for name, path in ways.items():
                command = [args.nearprint, "fingerprint", "-qq", "--scheme", scheme["id"], path]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode not in (0, 1):
                    sys.exit(f"{command}: status {done.returncode}: {done.stderr}")
                lines = named_prints(done.stdout.splitlines(), lambda found: labels.find(found) is not None)
                values, width, _ = prints_of(lines, labels)
                distances[scheme["id"], name] = {pair.key: distance_of(values, width, pair) for pair in pairs}
    touched = [pair for pair in pairs if pair.one in marked or pair.other in marked]
    print(
        f"{len(needed)} texts of {len(pairs)} pairs; {len(marked)} texts have {sum(marked.values())} marks; {len(touched)} pairs\n"
    )
    rows = []
    for scheme in schemes:
        for name in ways:
            found = within(distances[scheme["id"], name], scheme["default_distance"])
            rows.append([f"`{scheme['id']}`", name, *(share_text(recall_of(some, found)) for some in (pairs, touched))])
    print(table(["scheme", "texts", "recall (95 %)", "recall, pairs with a mark (95 %)"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
