"""Sections on documents to text: HTML and XML beside other readers, PDF beside pdftotext, a folder on one core and more."""

import functools
import pathlib
import re
import shutil
import statistics
import subprocess
import unicodedata

import manuals
from comparison import containment, shingles  # of eval/, which manuals.py has found
from record import CORES, HERE, Section, ratio, value

# Made on first use and kept: some 200 MB.
FOLDER = HERE / ".manuals"
SAMPLES = HERE.parent / "samples" / "documents"
MEDIA = {"html": ("html5gum", "html5ever", "lol_html"), "xml": ("quick-xml",)}
TYPES = {"html": "text/html", "xml": "application/xml"}
REPEAT = {"tiny": 1, "short": 3, "full": 5}
# For the agreement of texts; reading is measured on all of them.
COMPARED = {"tiny": 1, "short": 6, "full": 100}


def folder(record) -> pathlib.Path:
    """Where this form's documents are, made if need be."""
    if record.form == "tiny":
        return SAMPLES
    for path, reason in manuals.make(FOLDER).items():
        print(f"{path}: {reason}")
    return FOLDER / "corpus"


def files(place, *endings):
    found = sorted(path for path in place.rglob("*") if path.suffix.lstrip(".") in endings and path.is_file())
    if not found:
        raise ValueError(f"no {' or '.join(endings)} in {place}: see bench/manuals.py")
    return found


def markup(record):
    place = folder(record)
    for media, others in MEDIA.items():
        listed = record.path.parent / f"{media}.list"
        listed.write_text("".join(f"{path}\n" for path in files(place, media)))
        try:
            options = {"list": listed, "media": TYPES[media], "repeat": REPEAT[record.form]}
            ours = record.nearprint("markup", **options)
            yield [media, "nearprint", ours.get("n"), megabytes(ours), value(ours, "mb_s"), None, ours.get("refused")]
            for engine in others:
                row = record.nearprint("markup", engine=engine, **options)
                yield [
                    media,
                    engine,
                    row.get("n"),
                    megabytes(row),
                    value(row, "mb_s"),
                    ratio(ours, row, "mb_s"),
                    row.get("refused"),
                ]
        finally:
            listed.unlink()


def megabytes(row):
    return row["bytes"] / 1e6 if "bytes" in row else None


def pages(path):
    """Pages of a PDF, by poppler."""
    told = subprocess.run(["pdfinfo", path], check=False, capture_output=True, text=True, errors="replace").stdout
    found = re.search(r"^Pages:\s+(\d+)", told, re.M)
    return int(found.group(1)) if found else 0


def twin(path) -> pathlib.Path | None:
    """The same document in another medium, if one lies beside it."""
    beside = [other for other in sorted(path.parent.iterdir()) if other.stem == path.stem or path.stem == "pdf"]
    for ending in (".html", ".xml", ".txt"):
        for other in beside:
            if other.suffix == ending:
                return other
    return None


def text_of(*command) -> str:
    return subprocess.run(command, check=False, capture_output=True).stdout.decode(errors="replace")


def words(text):
    """Words without the hyphens at line ends, which pdftotext leaves where they are."""
    joined = re.sub(r"-\n\s*(?=[a-z])", "", text)
    return shingles(re.findall(r"\w+", unicodedata.normalize("NFKC", joined).lower()))


def pdf(record):
    if shutil.which("pdftotext") is None or shutil.which("pdfinfo") is None:
        raise ValueError("no pdftotext here: apt-get install poppler-utils")
    place = folder(record)
    found = files(place, "pdf")
    # Of what is damaged or encrypted poppler tells no pages.
    found = [(path, count) for path in found if (count := pages(path))]
    count = sum(pages for _, pages in found)
    repeat = REPEAT[record.form]
    paths = [str(path) for path, _ in found]
    command = [record.command, "fingerprint", "-qq", "--threads", "1"]
    ours = record.timed("command", "pdf", [[*command, *paths]], repeat, allowed=(0, 1), n=len(found), pages=count)
    theirs = record.timed(
        "pdftotext", "pdf", [["pdftotext", "-q", path, "-"] for path in paths], repeat, n=len(found), pages=count
    )
    pairs = [(path, other) for path, _ in found if (other := twin(path))][: COMPARED[record.form]]
    extract = functools.partial(text_of, record.command, "extract")
    agreement = {"command": [], "pdftotext": []}
    for path, other in pairs:
        twins = words(extract(other))
        agreement["command"].append(containment(words(extract(path)), twins))
        agreement["pdftotext"].append(containment(words(text_of("pdftotext", "-q", path, "-")), twins))
    for name, row in (("command", ours), ("pdftotext", theirs)):
        for key, figure in (("agreement", statistics.median), ("least_agreement", min)):
            if agreement[name]:
                row[key] = round(figure(agreement[name]), 4)
        each = row["cpu"] / count * 1000 if "cpu" in row else None
        if each is not None:
            row["ms_page"] = round(each, 4)
        record.save()
        yield [
            "nearprint fingerprint" if name == "command" else "pdftotext",
            len(found),
            count,
            value(row, "cpu"),
            each,
            None if name == "command" else ratio(theirs, ours, "cpu"),
            len(pairs),
            row.get("agreement"),
            row.get("least_agreement"),
        ]


def cores(record):
    place = folder(record)
    data = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    for isolate in ("heavy", "everything"):
        rows = []
        for threads in sorted({1, CORES}):
            command = [
                record.command,
                "fingerprint",
                "-qq",
                f"--read=isolate={isolate}",
                "--threads",
                str(threads),
                str(place),
            ]
            options = {"isolate": isolate, "threads": threads, "bytes": data}
            # Samples are damaged in part, which is exit code 1 and no failure of the whole.
            rows.append(record.timed("command", "cores", [command], REPEAT[record.form], allowed=(0, 1), **options))
        alone, together = rows[0], rows[-1]
        yield [
            isolate,
            data / 1e6,
            value(alone, "seconds"),
            value(together, "seconds"),
            ratio(alone, together),
            together.get("cpu"),
        ]


SECTIONS = [
    Section(
        "markup",
        "HTML and XML in memory to text, one core",
        ["medium", "program", "files", "MB", "MB/s", "nearprint is", "refused"],
        markup,
        "Manuals of Debian packages (`bench/manuals.py`). nearprint finds medium and charset, leaves out what is not the document, "
        "and writes its record; the others read tokens and put all text together. By the clock of the processor.",
    ),
    Section(
        "pdf",
        "PDF to text, by the processor time of all processes",
        ["program", "files", "pages", "cpu s", "ms a page", "ratio", "twins", "agreement, median", "least"],
        pdf,
        "`nearprint fingerprint --threads 1` on all files, its worker process and the fingerprints included; `pdftotext` once a file. Agreement is the containment of the text's "
        "3-shingles in those of the document's own HTML, XML or text, hyphens at line ends taken out on both sides.",
    ),
    Section(
        "cores",
        "A folder of manuals in many media to prints, by the clock",
        ["in workers", "MB", "1 core, s", f"{CORES} cores, s", "ratio", "cpu s"],
        cores,
        "`nearprint fingerprint`, once with heavy media in workers, which is the default, once with all.",
    ),
]

# Those that run the command itself, which has to be built for them.
OF_THE_COMMAND = SECTIONS[1:]
