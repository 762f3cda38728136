"""Checks that each verb of the command is short: arguments to settings, one call of the library, rows, exit code.

Counted are the lines of code in the file of a verb: its methods and functions, without what declares its arguments
(structs and enums), `use`, `mod`, attributes, comments, blank lines and tests. A file may define several verbs (types
whose name ends in Args); then each has the lines of its own methods and those that belong to none of them. What several
verbs share is in modules beside `verbs`, one subject each.

`--list` prints the number of each verb.
"""

from __future__ import annotations

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERBS = ROOT / "crates/nearprint-cli/src/verbs"
MOST = 80
"""Lines of a verb (<=)."""

DECLARES = re.compile(r"(pub(\([a-z]+\))? )?(struct|enum) ")
IMPORTS = re.compile(r"(pub(\([a-z]+\))? )?(use|mod) ")
METHODS = re.compile(r"impl(<.*?>)? (\w+Args)\b")


def balance(line: str) -> int:
    """How many brackets a line opens, without those in strings and comments."""
    line = re.sub(r"\"(\\.|[^\"\\])*\"|//.*", "", line)
    return sum(line.count(opening) - line.count(closing) for opening, closing in ("{}", "[]", "()"))


def items(lines: list[str]) -> list[list[str]]:
    """The attributes and items of a file, each with its lines."""
    found: list[list[str]] = []
    depth, item = 0, []
    for line in lines:
        if not depth and not item and (not line.strip() or line.lstrip().startswith("//")):
            continue
        item.append(line)
        depth += balance(line)
        if not depth and line.rstrip().endswith(("}", ";", "]")):
            found.append(item)
            item = []
    return found


def code(lines: list[str]) -> int:
    return sum(1 for line in lines if line.strip() and not line.lstrip().startswith(("//", "#[")))


def verbs(file: pathlib.Path) -> dict[str, int]:
    """Lines of code by verb."""
    text = file.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
    # An example of a verb is text of an attribute that spans lines; its brackets say nothing.
    text = re.sub(r"\"\\\n.*?(?<!\\)\"", '""', text, flags=re.DOTALL)
    own: dict[str, int] = dict.fromkeys(re.findall(r"struct (\w+Args)\b", text), 0)
    shared = 0
    for item in items(text.splitlines()):
        first = item[0]
        if first.startswith("#") or DECLARES.match(first) or IMPORTS.match(first):
            continue
        methods = METHODS.match(first)
        if methods and methods[2] in own:
            own[methods[2]] += code(item)
        else:
            shared += code(item)
    return {name: lines + shared for name, lines in own.items()}


def main() -> None:
    counts = {
        (str(file.relative_to(VERBS)), name): lines
        for file in sorted(VERBS.rglob("*.rs"))
        for name, lines in verbs(file).items()
    }
    if not counts:
        sys.exit("check_verbs.py found no verbs")
    if "--list" in sys.argv:
        for (file, name), lines in sorted(counts.items(), key=lambda entry: -entry[1]):
            print(f"{lines}\t{name}\t{file}")
    long = {verb: lines for verb, lines in counts.items() if lines > MOST}
    for (file, name), lines in long.items():
        print(f"{file}: {name} has {lines} lines of code, more than {MOST}; leave what it decides to the library")
    if long:
        sys.exit(1)


if __name__ == "__main__":
    main()
