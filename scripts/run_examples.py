"""Runs the commands of the documentation and compares what they print with what the page shows.

In README.md, docs/**/*.md and crates/*/README.md every block marked `console` is run: lines that begin with "$ " are
commands (a trailing backslash continues them), the lines that follow are their whole output, standard error included.
A line "..." stands for any lines, "…" inside a line for any characters. A line "# exit 3" after the output states
another exit code than 0. Each page runs top to bottom in one new directory that holds a copy of samples/, with the
directory of the built commands first on PATH. Blocks marked `sh` are not run: they are for what a test cannot do
(installing, make targets), and only such commands are allowed in them.

The rows of tables with the columns "command" and "prints" are run in their turn, too, each if its cell holds a command
as code. The pieces of code in the other cell must be found in what it prints, in this order ("…" again stands for any
characters); a cell "nothing" wants no output, and "exit 3" in it another exit code than 0.

Usage: run_examples.py DIRECTORY-OF-COMMANDS [PAGE...]
"""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_RUN = re.compile(r"^(make|cargo (add|install)|pip install|git clone|cd |#|sudo |$)")


def blocks(page: str):
    """(line number, language, lines) of each fenced block."""
    language, lines, start = None, [], 0
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                language, lines, start = line[3:].strip(), [], number
            else:
                yield start, language, lines
                language = None
        elif language is not None:
            lines.append(line)


def commands(lines):
    """(command, expected lines, expected exit code) of a console block."""
    found = []
    continues = False
    for line in lines:
        if continues:
            found[-1][0] += "\n" + line.lstrip("> ")
        elif line.startswith("$ "):
            found.append([line[2:], [], 0])
        elif found and (code := re.fullmatch(r"# exit (\d+)", line)):
            found[-1][2] = int(code.group(1))
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError(f"a console block begins with output: {line!r}")
        continues = (continues or line.startswith("$ ")) and line.endswith("\\")
    return found


CODE = re.compile(r"`([^`]+)`")


def rows(page: str):
    """(line number, command, pieces to be printed or None for nothing, exit code) of tables of commands."""
    columns = None
    for number, line in enumerate(page.splitlines(), 1):
        if not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if columns is None:
            columns = (cells.index("command"), cells.index("prints")) if {"command", "prints"} <= set(cells) else ()
        elif columns and (command := CODE.fullmatch(cells[columns[0]])):
            prints = cells[columns[1]]
            code = re.search(r"exit (\d+)", CODE.sub("", prints))
            pieces = CODE.findall(prints)
            if not pieces and "nothing" not in prints:
                raise ValueError(f"line {number}: what does the command print?")
            yield number, command.group(1), pieces or None, int(code.group(1)) if code else 0


def holds(pieces, got) -> bool:
    if pieces is None:
        return not got
    found = ".*?".join(".*?".join(map(re.escape, piece.split("…"))) for piece in pieces)
    return re.search(found, "\n".join(got), re.DOTALL) is not None


def matches(expected, got) -> bool:
    parts = []
    for line in expected:
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(map(re.escape, line.split("…"))) + r"\n")
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in got)) is not None


def run_page(page: pathlib.Path, path: str) -> tuple[int, list[str]]:
    count, problems = 0, []
    with tempfile.TemporaryDirectory() as directory:
        if (ROOT / "samples").is_dir():
            shutil.copytree(ROOT / "samples", pathlib.Path(directory) / "samples")
        environment = os.environ | {"PATH": path, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
        text = page.read_text(encoding="utf-8")
        steps = [(number, command, pieces, None, code) for number, command, pieces, code in rows(text)]
        for number, language, lines in blocks(text):
            where = f"{page.relative_to(ROOT)}:{number}"
            if language == "sh":
                problems += [f"{where}: not run and not allowed: {line}" for line in lines if not NOT_RUN.match(line)]
            if language == "console":
                steps += [(number, command, None, printed, code) for command, printed, code in commands(lines)]
        for number, command, pieces, printed, code in sorted(steps, key=lambda step: step[0]):
            count += 1
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command],
                cwd=directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=300,
                check=False,
            )
            got = [line.rstrip() for line in done.stdout.decode("utf-8", "replace").splitlines()]
            expected = [line.rstrip() for line in printed or pieces or []]
            while expected and not expected[-1]:
                expected.pop()
            while got and not got[-1]:
                got.pop()
            if done.returncode != code or not (holds(pieces, got) if printed is None else matches(expected, got)):
                difference = "\n    ".join(difflib.unified_diff(expected, got, "page", "run", lineterm="", n=1))
                where = f"{page.relative_to(ROOT)}:{number}"
                problems.append(f"{where}: $ {command}\n    exit {done.returncode}\n    {difference}")
    return count, problems


def main() -> int:
    tools = pathlib.Path(sys.argv[1]).resolve()
    # The Python of the checks has the libraries that pages show tables with.
    path = os.pathsep.join([str(tools), str(ROOT / ".venv/bin"), os.environ["PATH"]])
    pages = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or [
        ROOT / "README.md",
        *sorted(ROOT.glob("docs/**/*.md")),
        *sorted(ROOT.glob("crates/*/README.md")),
    ]
    total, problems = 0, []
    for page in pages:
        count, found = run_page(page, path)
        total += count
        problems += found
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{total} commands in {len(pages)} pages, {len(problems)} differ")
    return 1 if problems or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
