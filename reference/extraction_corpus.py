#!/usr/bin/env python3
"""The corpus of extraction profile 1: writes what is expected of it, and judges texts.

    extraction_corpus.py write NEARPRINT
        writes spec/extraction/corpus.tsv and tokens/ by the texts that this program extracts
    extraction_corpus.py check NEARPRINT
        the files are those that `write` writes, and the extractor of nearprint_extraction.py agrees with them [21.3];
        needs lxml and pdftotext, and says what is missing

Texts come from nearprint, tokens and fingerprints from the reference. The documents of pages/ say themselves what is
text: no token of theirs may begin with `zz`, and all other words of theirs must be there (`test_extraction.py`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import nearprint_family as family
import nearprint_sd1 as sd1

SPEC = Path(__file__).resolve().parent.parent / "spec"
FOLDER = SPEC / "extraction"
CLASSES = {"html": "html", "xhtml": "html", "xml": "xml", "epub": "epub", "pdf": "pdf"}
MEDIA = ("html", "xml", "pdf")
OUTSIDE = {
    "recovered",
    "part-unreadable",
    "furniture-kept",
    "hidden-kept",
    "noscript-kept",
    "structured-data-kept",
    "entities-unknown",
    "includes-missing",
}
WITHIN = {"pdf": 6}
MD1_WITHIN = 89
PDF_SHARE = 0.9
HEAD = "path\tclass\ttokens\tsd1\tmd1"


def documents() -> list[str]:
    """The paths of the corpus, relative to spec/."""
    samples = SPEC.parent / "samples" / "documents"
    found = [p for form in MEDIA for p in samples.glob(f"*/*.{form}") if p.parent.name != "edge-cases"]
    pages = sorted(f"extraction/pages/{p.name}" for p in (FOLDER / "pages").iterdir())
    return pages + sorted(f"../{p.relative_to(SPEC.parent).as_posix()}" for p in found)


def class_of(path: str) -> str:
    return CLASSES.get(path.rpartition(".")[2], "office")


def tokens_file(path: str) -> Path:
    return FOLDER / "tokens" / Path(*path.split("/")[-2:]).with_name(f"{Path(path).name}.txt")


def extracted(nearprint: str) -> dict[str, str]:
    """The text of each document by nearprint."""
    paths = documents()
    command = [nearprint, "extract", "--json", *paths]
    done = subprocess.run(command, cwd=SPEC, capture_output=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for row in rows:
        outside = OUTSIDE & {warning["code"] for warning in row["warnings"]}
        if outside:
            raise SystemExit(f"{row['id']} is outside the profile: {outside}")
    if len(rows) != len(paths):
        raise SystemExit(f"{len(paths)} documents, {len(rows)} texts")
    return dict(zip(paths, (row["text"] for row in rows), strict=True))


def expected(text: str) -> tuple[list[str], list[str]]:
    """The tokens of a text, and its number of tokens and fingerprints as columns."""
    tokens = list(sd1.tokens(sd1.cut(sd1.normalise(sd1.unassigned_to_space(text)))))
    strings = []
    for scheme in ("sd1", "md1"):
        found = family.fingerprint(scheme, text)
        assert found is not None
        strings.append(family.to_string(scheme, found.value))
    return tokens, [str(len(tokens)), *strings]


def files(texts: dict[str, str]) -> dict[Path, str]:
    """The files of the corpus that are written."""
    rows, out = [HEAD], {}
    for path, text in texts.items():
        tokens, columns = expected(text)
        rows.append("\t".join([path, class_of(path), *columns]))
        wrapped = textwrap.fill(" ".join(tokens), 119, break_long_words=False, break_on_hyphens=False)
        out[tokens_file(path)] = wrapped + "\n"
    out[FOLDER / "corpus.tsv"] = "\n".join(rows) + "\n"
    return out


def judge(texts: dict[str, str]) -> list[str]:
    """What disagrees, by [21.3]: `texts` are those of another extractor."""
    faults, far, pdfs = [], 0, 0
    for line in (FOLDER / "corpus.tsv").read_text("utf-8").splitlines()[1:]:
        path, kind, _, *strings = line.split("\t")
        distances = []
        for scheme, string in zip(("sd1", "md1"), strings, strict=True):
            found = family.fingerprint(scheme, texts.get(path, ""))
            wanted = family.from_string(string)[1]
            distances.append(family.distance(scheme, wanted, found.value) if found else 1 << 10)
        is_far = distances[0] > WITHIN.get(kind, 3)
        pdfs += kind == "pdf"
        far += is_far and kind == "pdf"
        if (is_far and kind != "pdf") or distances[1] > MD1_WITHIN:
            faults.append(f"{path}: sd1 {distances[0]}, md1 {distances[1]}")
    if far > (1 - PDF_SHARE) * pdfs:
        faults.append(f"{far} of {pdfs} PDFs are not within {WITHIN['pdf']} bits")
    return faults


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in {"write", "check"}:
        print(__doc__, file=sys.stderr)
        return 2
    made = files(extracted(str(Path(sys.argv[2]).resolve())))
    if sys.argv[1] == "write":
        for path, content in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        return 0
    stale = [p for p, content in made.items() if not p.exists() or p.read_text("utf-8") != content]
    stale += set((FOLDER / "tokens").rglob("*.txt")) - set(made)
    faults = [f"{path.relative_to(SPEC)} is not what `write` writes" for path in stale]
    try:
        import nearprint_extraction as second
    except ImportError as error:
        faults.append(f"the second extractor cannot run: {error}")
    else:
        faults += judge({path: second.text_of(SPEC / path) for path in documents()})
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"extraction profile 1: {len(documents())} documents, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
