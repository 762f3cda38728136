"""Writes src/tables.js from the tables and stop lists of the standard; `--check` compares it instead.

Numbers are differences from the one before, in base 36: the whole module has some 80 KB, of which compression on the way
to a browser leaves a third.
"""

from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
SPEC = HERE.parent.parent / "spec"
TARGET = HERE / "src" / "tables.js"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
        if not number:
            return digits


def lines(name: str) -> list[str]:
    return (SPEC / "tables" / name).read_text("ascii").splitlines()


def ranges(name: str) -> str:
    """Each range: code points since the end of the one before, its length, and its class where it has one."""
    parts, end = [], 0
    for line in lines(name):
        numbers, _, kind = line.partition(";")
        first, last = (int(number, 16) for number in numbers.split(".."))
        parts.append(f"{base36(first - end)},{base36(last - first)}{'.' + kind if kind else ''}")
        end = last
    return " ".join(parts)


def fold() -> str:
    """Each code point as a difference, and its mapping as differences from the code point."""
    parts, before = [], 0
    for line in lines("fold.txt"):
        of, _, to = line.partition(";")
        number = int(of, 16)
        mapped = (int(other, 16) - number for other in to.split())
        signed = ("-" * (other < 0) + base36(abs(other)) for other in mapped)
        parts.append(f"{base36(number - before)}:{','.join(signed)}")
        before = number
    return " ".join(parts)


def normal() -> str:
    """Each code point as a difference, its combining class, its mapping as differences, and `=` where it composes."""
    parts, before = [], 0
    for line in lines("normal.txt"):
        of, combining, to, composes = line.split(";")
        number = int(of, 16)
        mapped = (int(other, 16) - number for other in to.split())
        signed = ("-" * (other < 0) + base36(abs(other)) for other in mapped)
        parts.append(f"{base36(number - before)}:{base36(int(combining))}:{','.join(signed)}{composes}")
        before = number
    return " ".join(parts)


def module() -> str:
    text = "// Written by generate.py from spec/tables and spec/stop; do not edit.\n"
    text += f'\n/** Ranges of assigned code points. [2.2] */\nexport const ASSIGNED = "{ranges("assigned.txt")}";\n'
    text += f'\n/** Ranges of code points of one class. [6.1] */\nexport const CLASSES = "{ranges("classes.txt")}";\n'
    text += f'\n/** The folding map. [2.2] */\nexport const FOLD = "{fold()}";\n'
    text += f'\n/** Combining classes and decompositions. [2.2] */\nexport const NORMAL = "{normal()}";\n'
    text += "\n/** The stop lists. [13.3] */\nexport const STOP_LISTS = {\n"
    for language in ("de", "en", "es", "fr"):
        words = (SPEC / "stop" / f"{language}.txt").read_text("utf-8").split("\n")[:-1]
        text += f'  {language}: "{" ".join(words)}",\n'
    return text + "};\n"


def main() -> int:
    made = module()
    if "--check" in sys.argv:
        if TARGET.read_text("utf-8") != made:
            print(f"{TARGET}: not what generate.py writes", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(made, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
