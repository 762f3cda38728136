"""Passages of real text, to measure on prints as they occur: `python3 bench/passages.py FOLDER COUNT`.

Windows of 100 to 200 words of what documentation says, each beginning in the middle of the one before: the
repository's own, what Debian packages have installed (/usr/share/doc, manual pages, pods, Python's sources), and,
until there are enough, packages that apt downloads. Nothing is installed, nothing of it enters the repository.

FOLDER/passages.txt has one a line, FOLDER/english.txt longer pieces of English, FOLDER/sources.json what they are of.
"""

import gzip
import html
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
OWN = [REPOSITORY / "docs", REPOSITORY / "spec"]
INSTALLED = [
    pathlib.Path("/usr") / name for name in ("share/doc", "share/man", "share/perl", "share/info", "lib/python3")
]

# In several languages, some hundred thousand words to some million each.
PACKAGES = [
    "linux-doc-6.1",
    "debian-handbook",
    "perl-doc",
    "apache2-doc",
    "postgresql-doc-15",
    "python3.11-doc",
    "gnome-user-docs",
    "libreoffice-help-de",
    "libreoffice-help-fr",
    "libreoffice-help-es",
    "libreoffice-help-ru",
    "libreoffice-help-it",
    "manpages-de",
    "manpages-fr",
    "kicad-doc-en",
    "openjdk-17-doc",
    "python-django-doc",
    "libreoffice-help-pt-br",
    "libboost1.74-doc",
    "octave-doc",
    "git-doc",
]

WORDS = (100, 200)
ENGLISH_BYTES = 64 << 20
ENGLISH_WORDS = 600
PLAIN = {".txt", ".md", ".rst", ".pod", ".pm", ".pl", ".py", ".info", ".debian", ""}
MANUAL = re.compile(r"\.[1-9][a-z]*$")
LARGEST = 16 << 20  # a file; what is larger is data


def decoded(path):
    """A file's text as far as it is text; an empty one of anything else."""
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
        name = path.name.lower()
        if name.endswith(".gz"):
            with gzip.open(path) as packed:
                data = packed.read(LARGEST)
            name = name[:-3]
    except (OSError, EOFError, gzip.BadGzipFile):
        return ""
    if b"\0" in data[:4096]:
        return ""
    text = data.decode("utf-8", errors="replace")
    if name.endswith((".html", ".htm", ".xhtml")):
        text = re.sub(r"(?is)<(script|style|head|nav)\b.*?</\1>", " ", text)
        return html.unescape(re.sub(r"<[^>]*>", " ", text))
    if MANUAL.search(name):
        text = re.sub(r"(?m)^[.'](\\\".*|[A-Za-z]{1,3}\b)", " ", text)
        return re.sub(r"\\f.|\\[&|^%]|\\\(..|\\(?=-)", "", text)
    return text if pathlib.Path(name).suffix in PLAIN or name.startswith("changelog") else ""


def files(folder):
    """Files of a folder, in order, not through links. Sphinx's pages are left out where their sources are there too."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    sources = any("_sources" in path.parts for path in found)
    return [path for path in found if not (sources and path.suffix == ".html")]


def packages(work: pathlib.Path) -> Iterator[tuple[str, pathlib.Path]]:
    """Each package's name and the folder it is unpacked in; one that apt does not have is passed over."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        print("no apt-get or dpkg-deb here: no packages", file=sys.stderr)
        return
    for name in PACKAGES:
        tree = work / name
        if not tree.exists():
            part = work / f"{name}.part"
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            got = subprocess.run(["apt-get", "download", "-qq", name], cwd=part, capture_output=True, check=False)
            archives = list(part.glob("*.deb"))
            if got.returncode or not archives:
                print(f"apt has no {name}: passed over", file=sys.stderr)
                continue
            subprocess.run(["dpkg-deb", "-x", archives[0], part], check=True)
            archives[0].unlink()
            part.rename(tree)
        yield name, tree


def windows(words, chance):
    """Windows of WORDS words, each from the middle of the one before."""
    at = 0
    while at + WORDS[0] <= len(words):
        length = chance.randint(*WORDS)
        yield " ".join(words[at : at + length])
        at += length // 2


def make(folder, count, downloads=True):
    """Writes `count` passages, or as many as there are; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    chance, written, sources = random.Random(1), 0, []

    def trees():
        yield from ((str(path.relative_to(REPOSITORY)), path) for path in OWN)
        if downloads:
            yield from ((str(path), path) for path in INSTALLED)
            yield from packages(folder / "packages")

    part, english_part = folder / "passages.part", folder / "english.part"
    with part.open("w", encoding="utf-8") as out, english_part.open("w", encoding="utf-8") as english:
        for name, tree in trees():
            before = written
            # What is English, and mostly sentences.
            is_english = name in ("docs", "spec", "linux-doc-6.1", "perl-doc")
            for path in files(tree):
                if written >= count:
                    break
                words = decoded(path).split()
                for passage in windows(words, chance):
                    if written < count:
                        out.write(passage + "\n")
                        written += 1
                if is_english and english.tell() < ENGLISH_BYTES:
                    for at in range(0, len(words) - ENGLISH_WORDS // 2, ENGLISH_WORDS):
                        english.write(" ".join(words[at : at + ENGLISH_WORDS]) + "\n")
            if written > before:
                sources.append({"source": name, "passages": written - before})
            if written >= count:
                break
    (folder / "sources.json").write_text(json.dumps(sources, indent=1) + "\n")
    english_part.rename(folder / "english.txt")
    part.rename(folder / "passages.txt")
    return written


if __name__ == "__main__":
    print(make(pathlib.Path(sys.argv[1]), int(sys.argv[2])))
