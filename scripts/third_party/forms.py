"""PDF forms as others write and fill them: reportlab makes them, pypdf fills them, nearprint reads every answer at its label.

Forms with other answers have other texts, and `dedup` keeps both where the answers are a noticeable part of them.

.venv/bin/python scripts/third_party/forms.py target/debug/nearprint
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from pypdf import PdfWriter
from pypdf.annotations import FreeText, Text
from reportlab.pdfgen.canvas import Canvas

QUESTIONS = {"name": "Name", "town": "Town of birth", "work": "Occupation", "notes": "Remarks"}
ADA = {
    "name": "Ada Lovelace",
    "town": "London Marylebone",
    "work": "Analyst of engines",
    "notes": "Keeps a notebook of marginal comments and translates memoirs from Italian",
}
LISE = {
    "name": "Lise Meitner",
    "town": "Wien Leopoldstadt",
    "work": "Physicist at an institute",
    "notes": "Walks in the snow with her nephew and explains how a nucleus divides in two",
}


def write_form(path: Path) -> None:
    canvas = Canvas(str(path))
    form = canvas.acroForm
    canvas.drawString(50, 780, "Application for a reader's ticket of the harbour library")
    for line, (name, question) in enumerate(QUESTIONS.items()):
        canvas.drawString(50, 740 - 40 * line, question)
        form.textfield(name=name, x=200, y=733 - 40 * line, width=350, height=20, borderStyle="solid")
    canvas.drawString(80, 580, "I have read the rules")
    form.checkbox(name="rules", x=50, y=576, size=16)
    canvas.drawString(80, 550, "Send me the newsletter")
    form.checkbox(name="news", x=50, y=546, size=16)
    for line, kind in enumerate(("student", "guest")):
        canvas.drawString(80, 520 - 30 * line, f"as a {kind}")
        form.radio(name="kind", value=kind, x=50, y=516 - 30 * line, size=16)
    canvas.drawString(50, 450, "Branch")
    branches = [("North pier", "n"), ("South pier", "s")]
    form.choice(name="branch", options=branches, value="n", x=200, y=443, width=200, height=20)
    canvas.drawString(50, 400, "Languages")
    form.listbox(
        name="languages", options=["Danish", "Frisian", "Scots"], value="Danish", x=200, y=360, width=200, height=60
    )
    canvas.save()


def fill(form: Path, path: Path, answers: dict[str, str], how: dict[str, object]) -> None:
    writer = PdfWriter(clone_from=str(form))
    writer.update_page_form_field_values(writer.pages[0], answers, **how)
    writer.write(str(path))


class ThirdParty:
    def __init__(self, nearprint: str, folder: str) -> None:
        self.nearprint = nearprint
        self.folder = Path(folder)
        self.checks = 0

    def run(self, verb: str, *arguments: str | Path) -> str:
        done = subprocess.run([self.nearprint, verb, *arguments], capture_output=True, check=False)
        return done.stdout.decode()

    def words(self, path: Path) -> str:
        return " ".join(self.run("extract", path).split())

    def check(self, holds: bool, what: str) -> None:
        assert holds, what
        self.checks += 1

    def answers(self, form: Path) -> None:
        """Values with the appearances that pypdf draws, and with none, which viewers are to draw."""
        blank = self.words(form)
        self.check("Yes" not in blank and "North pier" in blank, blank)
        for name, how in {"drawn": {"auto_regenerate": False}, "left": {"auto_regenerate": True}}.items():
            path = self.folder / f"{name}.pdf"
            fill(form, path, ADA, how)
            found = self.words(path)
            for field, question in QUESTIONS.items():
                self.check(f"{question} {ADA[field]}" in found, f"{name}: {question} in {found}")

    def buttons_and_lists(self, form: Path) -> None:
        for answers, expected in (
            ({"rules": "/Yes"}, "Yes I have read the rules Send me the newsletter"),
            ({"news": "/Yes"}, "I have read the rules Yes Send me the newsletter"),
            ({"kind": "/guest"}, "as a student guest as a guest"),
            ({"branch": "s"}, "Branch South pier"),
            ({"languages": "Frisian"}, "Languages Frisian"),
        ):
            path = self.folder / "button.pdf"
            fill(form, path, answers, {"auto_regenerate": False})
            found = self.words(path)
            self.check(expected in found, f"{answers}: {expected} in {found}")

    def annotations(self, form: Path) -> None:
        writer = PdfWriter(clone_from=str(form))
        writer.add_annotation(0, FreeText(text="Typed over the form", rect=(50, 200, 400, 230)))
        writer.add_annotation(0, Text(text="A comment", rect=(450, 200, 470, 220)))
        path = self.folder / "annotated.pdf"
        writer.write(str(path))
        found = self.words(path)
        self.check("Typed over the form" in found, found)
        self.check("A comment" not in found, found)

    def duplicates(self, form: Path) -> None:
        """Other answers make another document; the same ones, drawn or left to the viewer, the same."""
        paths = {}
        for name, answers in {"a-ada": ADA, "b-lise": LISE, "c-ada-too": ADA}.items():
            paths[name] = self.folder / f"{name}.pdf"
            fill(form, paths[name], answers, {"auto_regenerate": name == "c-ada-too"})
        self.check(self.words(paths["a-ada"]) != self.words(paths["b-lise"]), "texts differ")
        self.check(self.words(paths["a-ada"]) == self.words(paths["c-ada-too"]), "texts are equal")
        decisions = [line.split("\t") for line in self.run("dedup", *paths.values()).splitlines()]
        dropped = [row[-1] for row in decisions if row[0] == "drop"]
        kept = [row[-1] for row in decisions if row[0] == "keep"]
        self.check([Path(name).stem for name in kept] == ["a-ada", "b-lise"], f"{decisions}")
        self.check([Path(name).stem for name in dropped] == ["c-ada-too"], f"{decisions}")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        tools = ThirdParty(sys.argv[1], folder)
        form = Path(folder) / "form.pdf"
        write_form(form)
        tools.answers(form)
        tools.buttons_and_lists(form)
        tools.annotations(form)
        tools.duplicates(form)
    print(f"{tools.checks} readings of forms agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
