"""Which scans `pairs` finds beside the clean text, by the errors of their letters: `scans.py WORK --nearprint PROGRAM`.

Texts are the pages of the Debian Administrator's Handbook in English, German and Chinese (scans.tsv pins the package),
without their code, menus and titles. German is given the spelling of 1880, and its scans the long s of Fraktur. Each
text is written as plain text, and as ALTO and hOCR in lines, words divided at their ends, with letter_errors.py's errors
in 0, 1, 2, 5 and 10 % of its letters. `nearprint pairs` compares the plain texts of a language with its scans, once for
each rate, format and way of asking.

The table has, for each language, rate and way of asking, the share of texts whose scan is found, with Wilson's 95 %
interval, and how many pairs of different pages are reported; its first rows have those that the same question reports
among the plain texts. A cell has both formats, ALTO first, where they differ. Before it, `nearprint extract` says as
what each scan is read, and how many scans without errors have the tokens of the plain text.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

from crude import UNSPACED
from intervals import wilson
from letter_errors import damaged, fraktur, of_the_era
from packages import fetch
from recipe import read_packages
from words import tokens

HERE = Path(__file__).resolve().parent
PACKAGE = "debian-handbook"
FOLDERS = {"en": "en-US", "de": "de-DE", "zh": "zh-CN"}
BOOK = "usr/share/doc/debian-handbook/html"
RATES = (0.0, 0.01, 0.02, 0.05, 0.10)
FEWEST_TOKENS = 100
WIDTH = {"en": 64, "de": 56, "zh": 60}  # columns of a line of print
PARAGRAPH = re.compile(r'<div class="para">(.*?)</div>|<p>(.*?)</p>', re.S)
PIECE = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
WAYS = (
    "",
    "--threshold 0.1",
    "--threshold 0.05",
    "--measure jaccard-words --threshold 0.3",
    "--measure cosine --threshold 0.4 --search scheme=wd1",
    "--measure jaccard-shingles-2 --threshold 0.1",
)


def paragraphs(page: str) -> list[str]:
    """The paragraphs of a page of the book as text in one line each, without its code and what belongs to no paragraph."""
    page = re.sub(r"<pre\b.*?</pre>", "", page, flags=re.S)
    found = (re.sub(r"<[^<>]*>", "", one or other) for one, other in PARAGRAPH.findall(page))
    return [text for text in (" ".join(html.unescape(part).split()) for part in found) if text]


def book(folder: Path, language: str) -> dict[str, list[str]]:
    """The pages of the book with enough tokens, by name; of a translation the paragraphs that are translated."""
    pages = {
        path.stem: paragraphs(path.read_text("utf-8")) for path in sorted((folder / FOLDERS[language]).glob("*.html"))
    }
    if language != "en":
        english = {text for texts in book(folder, "en").values() for text in texts}
        pages = {name: [text for text in texts if text not in english] for name, texts in pages.items()}
    if language == "de":
        pages = {name: [of_the_era(text) for text in texts] for name, texts in pages.items()}
    return {name: texts for name, texts in pages.items() if len(tokens("\n".join(texts))) >= FEWEST_TOKENS}


def columns(text: str) -> int:
    """The width of a text, Chinese characters and signs twice as wide as others."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


def lines_of(text: str, width: int) -> Iterator[tuple[str, str]]:
    """Lines of print, and the second part of the word that each divides; it is the start of the next line."""
    line = ""
    for piece in re.findall(rf"{PIECE.pattern}|\s+", text):
        room = width - columns(line)
        if columns(piece) <= room or not piece.strip():
            line += piece if piece.strip() else " "
        elif len(piece) > 6 and 3 <= room < len(piece) - 2 and piece.isalpha():
            yield (line + piece[: room - 1]).strip(), piece[room - 1 :]
            line = piece[room - 1 :]
        else:
            if line.strip():
                yield line.strip(), ""
            line = piece
    if line.strip():
        yield line.strip(), ""


def alto(texts: list[str], width: int) -> str:
    """The paragraphs as ALTO: a block each, words as strings, divided words named as wholes."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>', '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout>']
    out.append('<Page ID="P1"><TopMargin><TextLine><String CONTENT="17"/></TextLine></TopMargin><PrintSpace>')
    for text in texts:
        out.append("<TextBlock>")
        divided = ""
        for line, rest in lines_of(text, width):
            words = line.split()
            cells = [f"<String CONTENT={quoteattr(word)}/>" for word in words]
            if divided:
                cells[0] = (
                    f'<String CONTENT={quoteattr(words[0])} SUBS_TYPE="HypPart2" SUBS_CONTENT={quoteattr(divided)}/>'
                )
            divided = words[-1] + rest if rest else ""
            if divided:
                whole = quoteattr(divided)
                cells[-1] = f'<String CONTENT={quoteattr(words[-1])} SUBS_TYPE="HypPart1" SUBS_CONTENT={whole}/>'
                cells[-1] += '<HYP CONTENT="-"/>'
            out.append(f"<TextLine>{'<SP/>'.join(cells)}</TextLine>")
        out.append("</TextBlock>")
    return "\n".join([*out, "</PrintSpace></Page></Layout></alto>", ""])


def hocr(texts: list[str], width: int) -> str:
    """The paragraphs as hOCR, divided words with a soft hyphen."""
    out = ['<html><head><meta charset="utf-8"/><meta name="ocr-system" content="none"/></head><body>']
    out.append("<div class='ocr_page'>")
    for text in texts:
        out.append("<p class='ocr_par'>")
        for line, rest in lines_of(text, width):
            words = line.split()
            words[-1] += "\u00ad" if rest else ""
            spans = " ".join(f"<span class='ocrx_word'>{html.escape(word)}</span>" for word in words)
            out.append(f"<span class='ocr_line'>{spans}</span>")
        out.append("</p>")
    return "\n".join([*out, "</div></body></html>", ""])


FORMATS = {"alto": (alto, ".xml"), "hocr": (hocr, ".html")}


def written(pages: dict[str, list[str]], language: str, folder: Path) -> dict[float, float]:
    """Writes the plain texts and the scans; the share of letters that is wrong, by rate."""
    shutil.rmtree(folder, ignore_errors=True)
    shares = {}
    (folder / "plain").mkdir(parents=True)
    for name, texts in pages.items():
        (folder / "plain" / f"{name}.txt").write_text("\n\n".join(texts) + "\n", "utf-8")
    for rate in RATES:
        errors = letters = 0
        for name, texts in pages.items():
            printed = [fraktur(text) for text in texts] if language == "de" else texts
            scans = [damaged(text, rate, language, f"{name} {rate} {at}") for at, text in enumerate(printed)]
            errors += sum(scan.errors for scan in scans)
            letters += sum(scan.letters for scan in scans)
            for form, (write, suffix) in FORMATS.items():
                place = folder / f"{form}-{rate}" / f"{name}{suffix}"
                place.parent.mkdir(exist_ok=True)
                place.write_text(write([scan.text for scan in scans if scan.text], WIDTH[language]), "utf-8")
        shares[rate] = errors / letters
    return shares


def called(program: Path, arguments: list[str | Path]) -> list[dict[str, object]]:
    """The rows that the command prints."""
    done = subprocess.run([program, *arguments, "-qq", "--format", "jsonl"], capture_output=True, check=False)
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode("utf-8", "replace"))
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


def page_of(name: object) -> str:
    """The page that a file is of."""
    return Path(str(name)).stem


def outcome(program: Path, folder: Path, scans: str, way: str) -> tuple[set[str], set[tuple[str, ...]]]:
    """The pages whose scan is found, and the pairs of different pages."""
    rows = called(program, ["pairs", folder / "plain", "--against", folder / scans, *way.split()])
    pairs = {tuple(sorted((page_of(row["a"]), page_of(row["b"])))) for row in rows}
    return {one for one, other in pairs if one == other}, {pair for pair in pairs if pair[0] != pair[1]}


def cell(program: Path, folder: Path, rate: float, way: str, pages: int) -> str:
    """The share that is found, its interval and the pairs of different pages; of both formats where they differ."""
    cells = []
    for form in FORMATS:
        found, different = outcome(program, folder, f"{form}-{rate}", way)
        low, high = wilson(len(found), pages)
        cells.append(f"{len(found) / pages:.3f} ({low:.3f} to {high:.3f}), {len(different)}")
    return " / ".join(dict.fromkeys(cells))


def reading(program: Path, folder: Path) -> str:
    """As what the scans are read, and how many without errors have the tokens of the plain text."""
    texts = {
        form: {page_of(row["id"]): row for row in called(program, ["extract", folder / form])}
        for form in ("plain", *(f"{form}-{RATES[0]}" for form in FORMATS))
    }
    told = []
    for form, rows in list(texts.items())[1:]:
        kinds = Counter(f"{row['media_type']} by {row['extractor']}" for row in rows.values())
        same = sum(tokens(row["text"]) == tokens(texts["plain"][name]["text"]) for name, row in rows.items())
        told.append(f"{form}: {', '.join(map(str, kinds.items()))}; {same} of {len(rows)} with equal tokens")
    return "; ".join(told)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="where the package, its tree and the scans are kept")
    parser.add_argument("--nearprint", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--language", choices=FOLDERS, action="append", help="only this one; can be repeated")
    args = parser.parse_args()
    members = {PACKAGE: [f"{BOOK}/{folder}" for folder in FOLDERS.values()]}
    fetched = fetch(read_packages(HERE / "scans.tsv"), members, args.work)
    if fetched.missing:
        raise SystemExit(f"{PACKAGE}: {fetched.missing[PACKAGE]}")
    table = [["language", "errors", "pages", *(f"`{way}`" if way else "default" for way in WAYS)]]
    table.append(["---"] * len(table[0]))
    for language in args.language or FOLDERS:
        pages = book(fetched.trees[PACKAGE] / BOOK, language)
        folder = args.work / "scans" / language
        shares = written(pages, language, folder)
        lengths = sorted(len(tokens("\n".join(texts))) for texts in pages.values())
        print(
            f"{language}: {len(pages)} pages of {lengths[0]} to {lengths[-1]} tokens, median {lengths[len(lengths) // 2]}; "
            f"wrong letters {', '.join(f'{share:.4f}' for share in shares.values())}; {reading(args.nearprint, folder)}"
        )
        alike = [len(outcome(args.nearprint, folder, "plain", way)[1]) for way in WAYS]
        table.append([language, "plain texts", str(len(pages)), *(f", {count}" for count in alike)])
        for rate in RATES:
            cells = [cell(args.nearprint, folder, rate, way, len(pages)) for way in WAYS]
            table.append([language, f"{rate:.0%}", str(len(pages)), *cells])
    print("\n" + "\n".join("| " + " | ".join(row) + " |" for row in table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
