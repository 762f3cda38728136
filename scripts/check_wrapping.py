"""Checks that Markdown and Rust comments are wrapped at 120 columns; `--write` wraps what is not.

A paragraph is wrapped again only if one of its lines is too long, so short lines stay as they were written. Tables,
code, headings, link definitions and blocks that a program writes (between `<!-- NAME: made by` and `<!-- ... end`)
are left alone, and so are dated or generated records. A single word may be longer than a line, as addresses are.

Usage: check_wrapping.py [--write] [FILE...]
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 120
RECORDS = ("docs/accuracy/", "bench/results/", "samples/documents/", "eval/volume_page.md")
FENCE = re.compile(r"\s*(```|~~~)")
ITEM = re.compile(r"(\s*)((?:[-*+]|\d+[.)])\s+)")
VERBATIM = re.compile(r"\s*(\||#|<(?!!--figure:)|\[[^\]]+\]:|\$\$|---|===)")
# A line that began with one of these would be a list, a quotation or a heading.
OPENING = re.compile(r"([-*+>#]|\d+[.)]|=+|-+)$")
COMMENT = re.compile(r"(\s*(?://!|///|//))( ?)(.*)$")
# A comparison stays on one line: readers, and tests, look for it.
COMPARISON = re.compile(r"(\S+) ([<>=≤≥]{1,2}) (\S+)")


def fill(words: list[str], first: str, rest: str, width: int) -> list[str]:
    """The words as lines of at most `width` columns, where words allow it."""
    lines, line = [], first
    empty = True
    for word in words:
        fits = len(line) + (0 if empty else 1) + len(word) <= width
        # What would open a list or a heading may not begin a line.
        if empty or fits or OPENING.fullmatch(word):
            line += word if empty else " " + word
        else:
            lines.append(line)
            line = rest + word
        empty = False
    return [*lines, line]


def paragraph(lines: list[str], width: int) -> list[str]:
    """A paragraph or an item of a list, wrapped if one of its lines is too long."""
    if all(len(line) <= width for line in lines):
        return lines
    item = ITEM.match(lines[0])
    first = item.group(0) if item else re.match(r"\s*", lines[0]).group(0)
    text = " ".join(line.strip() for line in [lines[0][len(first) :], *lines[1:]])
    glued = COMPARISON.sub("\\1\0\\2\0\\3", text)
    words = [word.replace("\0", " ") for word in glued.split()]
    return fill(words, first, " " * len(first), width)


def wrapped(lines: list[str], width: int) -> list[str]:
    """Lines of Markdown with long paragraphs wrapped."""
    result, open_lines = [], []
    fenced = made = in_list = False

    def close():
        result.extend(paragraph(open_lines, width) if open_lines else [])
        open_lines.clear()

    for line in lines:
        was_made = made
        if re.match(r"<!-- .*: made by", line):
            made = True
        elif made and line.startswith("<!-- ") and " end" in line:
            made = False
        fence = FENCE.match(line) is not None
        code = not open_lines and not in_list and line.startswith("    ")
        if fence or fenced or was_made or made or code or not line.strip() or VERBATIM.match(line):
            close()
            result.append(line)
            fenced ^= fence
            in_list = in_list and not (line.strip() and not line.startswith(" "))
            continue
        item = ITEM.match(line)
        if item:
            close()
            in_list = True
        elif not open_lines and not line.startswith(" "):
            in_list = False
        open_lines.append(line)
    close()
    return result


def wrapped_comments(lines: list[str]) -> list[str]:
    """Lines of Rust with the long paragraphs of its comments wrapped."""
    result, block, prefix = [], [], None

    def close():
        if block:
            room = WIDTH - len(prefix) - 1
            result.extend((f"{prefix} {line}" if line else prefix) for line in wrapped(block, room))
            block.clear()

    for line in lines:
        comment = COMMENT.match(line)
        # A comment without a space after its slashes, as `////`, is none of ours to wrap.
        if comment is None or (comment.group(3) and not comment.group(2)):
            close()
            prefix = None
            result.append(line)
            continue
        if comment.group(1) != prefix:
            close()
            prefix = comment.group(1)
        block.append(comment.group(3).rstrip())
    close()
    return result


def sources() -> list[pathlib.Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", "*.rs"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    files = [ROOT / name for name in listed if not name.startswith(RECORDS)]
    return [file for file in files if file.is_file() and not file.is_symlink()]


def main() -> int:
    write = "--write" in sys.argv
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:] if name != "--write"]
    problems = 0
    for file in named or sources():
        before = file.read_text("utf-8").split("\n")
        after = wrapped_comments(before) if file.suffix == ".rs" else wrapped(before, WIDTH)
        if after == before:
            continue
        if write:
            file.write_text("\n".join(after), "utf-8")
            continue
        problems += 1
        line = next(number for number, (a, b) in enumerate(zip(before, after, strict=False), 1) if a != b)
        print(f"{file.relative_to(ROOT)}:{line}: longer than {WIDTH} columns", file=sys.stderr)
    if problems:
        print("scripts/check_wrapping.py --write wraps them", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
