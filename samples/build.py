#!/usr/bin/env python3
"""Render samples/sources into samples/documents and samples/clusters.tsv.

The rendered files are committed: this program is needed only to change them.
Text, XML and HTML need the Python standard library alone; `--pdf` also makes the PDFs
and needs chromium, groff, reportlab, weasyprint and the Noto fonts (see README.md).
"""

import argparse
import gzip
from pathlib import Path

from rendering import markup, plain, sheets, source, web

HERE = Path(__file__).resolve().parent
DOCUMENTS = HERE / "documents"
EXTENSIONS = ("html", "xml", "txt")
NO_PRINT, UNDECIDED = "-", "?"  # in clusters.tsv, see README.md
ENCODED = (  # source, encoding, how the file name says it
    ("clock-museum.ru", "koi8-r", "koi8-r"),
    ("market-soups.fr", "utf-16-le", "utf-16"),
    ("paper-town.ja", "cp932", "shift-jis"),
    ("tea-village.zh", "gb18030", "gb18030"),
)


def rendered(document, medium):
    """The bytes of `document` in a medium other than PDF."""
    if medium == "html":
        text = web.page(document)
    elif medium == "txt":
        text = plain.render(document)
    else:
        text = markup.VOCABULARIES[document.head["xml"]](document)
    return text.encode("utf-8")


def editions(path):
    """Yield (file name, PDF producer or None, document) for every file made of one source."""
    first = source.read(path)
    lang, head = first.lang, first.head
    if "media" in head:
        yield f"{lang}.{head['media']}", None, first
        return
    for extension in EXTENSIONS:
        yield f"{lang}.{extension}", None, first
    yield f"{lang}.pdf", head["pdf"], first
    revised = source.read(path, revised=True)
    medium, _, producer = head["revised"].partition("-")
    yield f"{lang}-revised.{medium}", producer or None, revised


def edge_cases():
    """Yield (name, bytes, cluster): wrapped and empty files, and other encodings."""

    def document(name):
        return source.read(HERE / "sources" / name)

    yield "empty.txt", b"", NO_PRINT
    table = "\n".join(
        " ".join(f"{(row * 7919 + column * 104729) % 10000:4d}" for column in range(12)) for row in range(40)
    )
    yield "numbers-only.txt", (table + "\n").encode(), NO_PRINT
    # No text, and no magic number that any format claims.
    noise = bytes((n * n * 31 + n * 7 + (n >> 3)) % 256 for n in range(1, 4097))
    yield "unknown.bin", b"\x00\x9d\xfe\x03NPX\x00" + noise, NO_PRINT
    page = web.page(document("lighthouse.en.txt")).encode("utf-8")
    yield "lighthouse.en.html.gz", gzip.compress(page, 9, mtime=0), "lighthouse"
    page = web.page(document("weather-station.de.txt"), charset="windows-1252")
    yield "weather-station.de.windows-1252.html", page.encode("cp1252"), "weather-station"
    for name, encoding, suffix in ENCODED:
        text = plain.render(document(f"{name}.txt"))
        if encoding == "koi8-r":  # it has neither dashes nor these quotation marks
            text = text.replace("—", "-").replace("«", '"').replace("»", '"')
        mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
        yield f"{name}.{suffix}.txt", mark + text.encode(encoding), name.split(".")[0]


def render(make_pdf):
    """All files by path under samples/, as {path: (bytes, cluster)}."""
    files = {}
    for path in sorted(HERE.glob("sources/**/*.txt")):
        for name, producer, document in editions(path):
            target = f"documents/{document.name}/{name}"
            if producer is None:
                data = rendered(document, name.rpartition(".")[2])
            elif make_pdf:
                data = sheets.render(document, producer)
            else:
                data = (HERE / target).read_bytes()
            files[target] = data, document.name
    for name, data, cluster in edge_cases():
        files[f"documents/edge-cases/{name}"] = data, cluster
    # Beside the documents: a first run over these reports no failure.
    whole = files["documents/lighthouse/en.pdf"][0]
    files["damaged/truncated.pdf"] = whole[: len(whole) * 2 // 5], UNDECIDED
    rows = "".join(f"{path}\t{cluster}\n" for path, (_, cluster) in sorted(files.items()))
    files["clusters.tsv"] = rows.encode("utf-8"), None
    return files


def main():
    """Write every file, or with --check say which committed ones differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pdf", action="store_true", help="make the PDF files too")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a committed file is stale, missing or extra"
    )
    options = parser.parse_args()
    files = render(options.pdf)
    folders = [*HERE.glob("documents/**/*"), *HERE.glob("damaged/*")]
    present = {path.relative_to(HERE).as_posix() for path in folders if path.is_file()} | {"clusters.tsv"}
    extra = sorted(present - files.keys())
    stale = sorted(
        path for path, (data, _) in files.items() if not (HERE / path).is_file() or (HERE / path).read_bytes() != data
    )
    if options.check:
        for path in stale:
            print(f"stale: {path}")
        for path in extra:
            print(f"no source makes: {path}")
        if stale or extra:
            raise SystemExit("samples: run build.py (with --pdf if a PDF is concerned)")
    else:
        for path in stale:
            (HERE / path).parent.mkdir(parents=True, exist_ok=True)
            (HERE / path).write_bytes(files[path][0])
        for path in extra:
            (HERE / path).unlink()
    size = sum(len(data) for data, _ in files.values())
    print(f"{len(files) - 1} documents, {size} bytes, {len(stale)} changed, {len(extra)} extra")


if __name__ == "__main__":
    main()
