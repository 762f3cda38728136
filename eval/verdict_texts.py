"""Texts of the cases of verdicts: where they stand in Debian packages, and what is changed in them.

A place is a line of words: `description PACKAGE`, `PACKAGE=VERSION FILE`, or `PACKAGE=VERSION FILE paragraph N`. An edit
is a line of words too: a name and what it is made by. Edits are of this file alone, so that a case is the same for ever.
"""

from __future__ import annotations

import gzip
import html
import random
import re
import subprocess
from functools import cache
from pathlib import Path

BLOCKS = re.compile(
    r"(?i)<(?:/?(?:p|div|h[1-6]|li|ul|ol|tr|table|dt|dd|dl|pre|blockquote|section|article|title)\b|br)[^>]*>"
)
UNSEEN = re.compile(r"(?is)<(script|style|head|nav|footer)\b.*?</\1\s*>|<!--.*?-->")

# Lines that pages carry without saying anything, by language: a date, a counter, how long the page took.
STAMPS = {
    "en": ["Last updated on {day} {month} {year}", "This page has been viewed {count} times.", "Generated in 0.{ms} seconds"],
    "de": ["Stand: {day:02}.{number:02}.{year}", "Diese Seite wurde bisher {count}-mal abgerufen.", "Zuletzt geändert am {day}. {month} {year} um {hour}:{minute} Uhr"],
    "fr": ["Dernière mise à jour : {day} {month} {year}", "Cette page a été consultée {count} fois.", "Page générée le {year}-{number:02}-{day:02} {hour}:{minute}:{second}"],
    "es": ["Última actualización: {day} de {month} de {year}", "Esta página se ha consultado {count} veces.", "Generado el {day}/{number}/{year} a las {hour}:{minute}"],
}  # fmt: skip
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}

# Forms: who it is about, and what it is about.
FORMS = {
    "en": "Customer: {name}\nContract number {long}\n\nDear {name},\nwe confirm {few} deliveries to {town} at {amount} euros each.",
    "de": "Patient: {name}\nAktenzeichen {long}\n\nSehr geehrte Frau {name},\nwir bestätigen {few} Behandlungen in {town} zu je {amount} Euro.",
    "fr": "Client : {name}\nNuméro de dossier {long}\n\nMadame {name},\nnous confirmons {few} livraisons à {town} au prix de {amount} euros.",
    "es": "Cliente: {name}\nNúmero de expediente {long}\n\nEstimada señora {name}:\nconfirmamos {few} entregas en {town} por {amount} euros.",
}  # fmt: skip
NAMES = [
    "Anders",
    "Becker",
    "Castillo",
    "Dupont",
    "Ekström",
    "Fischer",
    "Garnier",
    "Huber",
    "Ibáñez",
    "Jansen",
    "Keller",
    "Laurent",
    "Moreno",
    "Novak",
    "Olsen",
    "Petit",
]
TOWNS = [
    "Aachen",
    "Bilbao",
    "Cardiff",
    "Dresden",
    "Évora",
    "Freiburg",
    "Genf",
    "Halle",
    "Innsbruck",
    "Jena",
    "Kiel",
    "Lyon",
    "Metz",
    "Nantes",
    "Oviedo",
    "Porto",
]


def changed(text: str, edit: str) -> str:
    """The text with an edit; without one, itself."""
    if not edit:
        return text
    name, *words = edit.split()
    return EDITS[name](text, *words)


def stamp(text: str, language: str, kind: str, seed: str) -> str:
    draw = random.Random(f"stamp {seed}")
    number = draw.randint(1, 12)
    values = {
        "day": draw.randint(1, 28),
        "number": number,
        "month": MONTHS[language].split()[number - 1],
        "year": draw.randint(2009, 2024),
        "count": draw.randint(1000, 99999),
        "ms": f"{draw.randint(11, 980):03}",
        "hour": f"{draw.randint(0, 23):02}",
        "minute": f"{draw.randint(0, 59):02}",
        "second": f"{draw.randint(0, 59):02}",
    }
    return f"{text}\n\n{STAMPS[language][int(kind)].format(**values)}\n"


def form(text: str, language: str, seed: str) -> str:
    draw = random.Random(f"form {seed}")
    values = {
        "name": draw.choice(NAMES),
        "town": draw.choice(TOWNS),
        "long": draw.randint(100_000, 999_999),
        "few": draw.randint(2, 98),
        "amount": draw.randint(110, 9_900),
    }
    return FORMS[language].format(**values) + f"\n\n{text}\n"


def numbers(text: str, count: str, seed: str) -> str:
    """So many of the numbers of a text are others; those of one digit and those in words stay."""
    draw = random.Random(f"numbers {seed}")
    found = list(re.finditer(r"(?<![\w.:/-])\d{2,6}(?![\w.:/-])", text))
    for match in sorted(draw.sample(found, min(int(count), len(found))), key=lambda match: -match.start()):
        other = match.group()
        while other == match.group():
            other = str(draw.randint(1, 9)) + "".join(str(draw.randint(0, 9)) for _ in match.group()[1:])
        text = text[: match.start()] + other + text[match.end() :]
    return text


def address(text: str, seed: str) -> str:
    draw = random.Random(f"address {seed}")
    # Addresses are ASCII.
    name, town = (draw.choice([word for word in words if word.isascii()]).lower() for words in (NAMES, TOWNS))
    return f"{text}\nQuestions: {name}@{town}.example.org or https://{town}.example.org/{name}\n"


def wrap(text: str, width: str) -> str:
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= int(width):
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def typography(text: str) -> str:
    text = re.sub(r'"([^"\n]*)"', r"“\1”", text).replace("'", "’").replace(" - ", " – ").replace("...", "…")
    return re.sub(
        r"(?m)^([^\n]{3,60})$", lambda line: line.group().upper() if line.start() == 0 else line.group(), text
    )


EDITS = {
    "stamp": stamp,
    "form": form,
    "numbers": numbers,
    "address": address,
    "wrap": wrap,
    "typography": typography,
}


@cache
def descriptions(lists: Path) -> dict[str, str]:
    """The English descriptions of packages, by name."""
    found: dict[str, str] = {}
    for path in sorted(lists.glob("*bookworm_main_i18n_Translation-en*")):
        read = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", path], capture_output=True, check=True)
        for entry in read.stdout.decode("utf8").split("\n\n"):
            package = re.search(r"(?m)^Package: (.*)$", entry)
            text = re.search(r"(?ms)^Description-en: (.*)", entry)
            if package and text:
                lines = text.group(1).strip().split("\n")
                body = "\n".join("" if line == " ." else line.removeprefix(" ") for line in lines)
                found.setdefault(package.group(1), body + "\n")
    return found


def raw(tree: Path, file: str) -> bytes:
    """The bytes of a file of an unpacked package."""
    data = (tree / file).read_bytes()
    return gzip.decompress(data) if file.endswith(".gz") else data


def paragraphs(data: bytes, file: str) -> list[str]:
    """The paragraphs of a text or a page, by crude means: the same for ever, whatever nearprint extracts."""
    text = data.decode("utf8", "replace")
    if ".htm" in file:
        text = BLOCKS.sub("\n\n", UNSEEN.sub(" ", text))
        text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return [re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
