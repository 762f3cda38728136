"""Reads which modules of a Rust crate mention which: `use` and paths of `crate`, `super` and `self`.

Each name is followed through re-exports to the module that declares it. Items for tests only are left out, and so are
the re-exports of lib.rs, which list what a crate offers. This reads names and not types: a method that is called on a
value makes no arrow, and a macro hides what it expands to.
"""

import pathlib
import re
from collections.abc import Iterator

Path = tuple[str, ...]

NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|b?r(\#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'])'""", re.DOTALL
)
TOKEN = re.compile(r"[A-Za-z_]\w*|'[a-z_]\w*|::|[^\s\w]")
WORD = re.compile(r"[A-Za-z_]\w*$")
DECLARATIONS = {"fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"}
ALL_TEST = ["#", "[", "cfg", "(", "all", "(", "test"]
CLOSING = {"{": "}", "(": ")", "[": "]"}


class Module:
    """A module: what it declares, what its `use` name, and the paths that its code mentions."""

    def __init__(self, path: Path):
        self.path = path
        self.declared: set[str] = set()
        self.uses: dict[str, Path] = {}
        self.globs: list[Path] = []
        self.mentions: list[Path] = []


class Crate:
    """All modules of a crate, read from its root file; those of tests are left out."""

    def __init__(self, root: pathlib.Path):
        self.modules: dict[Path, Module] = {}
        self.read(root, (), root.parent)

    def read(self, file: pathlib.Path, path: Path, folder: pathlib.Path) -> None:
        tokens = TOKEN.findall(NOT_CODE.sub(" ", file.read_text(encoding="utf-8")))
        self.parse(without_tests(tokens), path, folder)

    def parse(self, tokens: list[str], path: Path, folder: pathlib.Path) -> None:
        module = self.modules.setdefault(path, Module(path))
        at = 0
        while at < len(tokens):
            token, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
            if token == "mod" and WORD.match(after) and tokens[at + 2 : at + 3] == ["{"]:
                end = closing(tokens, at + 2)
                self.parse(tokens[at + 3 : end], (*path, after), folder / after)
                at = end
            elif token == "mod" and WORD.match(after):
                # A module of another place (`#[path]`) is a twin of one that is read, or belongs to tests.
                for place in (folder / f"{after}.rs", folder / after / "mod.rs"):
                    if place.exists():
                        self.read(place, (*path, after), folder / after)
                at += 1
            elif token == "use" and after != "<":
                end = tokens.index(";", at)
                # In lib.rs a re-export is a line of the list of what the crate offers.
                listed = not path and tokens[at - 1 : at] in (["pub"], [")"])
                for names, name in use_tree(tokens[at + 1 : end], ()):
                    if name == "*":
                        module.globs.append(names)
                    elif name != "_":
                        module.uses[name] = names
                    if not listed:
                        module.mentions.append(names)
                at = end
            elif token in ("crate", "super", "self") and after == "::":
                end = at + 1
                while tokens[end : end + 1] == ["::"] and WORD.match(tokens[end + 1]):
                    end += 2
                module.mentions.append(tuple(tokens[at:end:2]))
                at = end - 1
            elif token in DECLARATIONS:
                module.declared.add(tokens[at + 2] if after in ("!", "mut") else after)
            at += 1

    def declaring(self, at: Path, names: Path, seen: frozenset = frozenset()) -> Path | None:
        """The module that declares what `names` mean in the module `at`; nothing for another crate's."""
        inside = bool(names) and names[0] in ("crate", "self", "super")
        while names and names[0] in ("crate", "self", "super"):
            at = () if names[0] == "crate" else at if names[0] == "self" else at[:-1]
            names = names[1:]
        for index, name in enumerate(names):
            module = self.modules[at]
            if (*at, name) in self.modules:
                at, inside = (*at, name), True
            elif name in module.declared:
                return at
            elif (at, name) in seen:
                return None
            elif name in module.uses:
                seen |= {(at, name)}
                return self.declaring(at, module.uses[name] + names[index + 1 :], seen)
            else:
                seen |= {(at, name)}
                opened = [self.declaring(at, glob, seen) for glob in module.globs]
                found = [self.declaring(place, names[index:], seen) for place in opened if place is not None]
                # What a macro declares is found nowhere: it is where its path leads.
                return next((place for place in found if place is not None), at if inside else None)
        return at

    def arrows(self) -> Iterator[tuple[Path, Path, Path]]:
        """From which module to which, and by which name."""
        for module in self.modules.values():
            for names in module.mentions:
                place = self.declaring(module.path, names)
                if place is not None:
                    yield module.path, place, names


def without_tests(tokens: list[str]) -> list[str]:
    """The tokens without items that are compiled for tests only."""
    kept, at = [], 0
    while at < len(tokens):
        if tokens[at : at + 5] != ["#", "[", "cfg", "(", "test"] and tokens[at : at + 7] != ALL_TEST:
            kept.append(tokens[at])
            at += 1
            continue
        at = closing(tokens, at + 1) + 1
        while tokens[at] not in (";", "{", ","):
            at = closing(tokens, at) if tokens[at] in CLOSING else at
            at += 1
        at = closing(tokens, at) + 1 if tokens[at] == "{" else at + 1
    return kept


def closing(tokens: list[str], at: int) -> int:
    """Where the bracket that opens at `at` is closed."""
    opens, closes, depth = tokens[at], CLOSING[tokens[at]], 0
    for index in range(at, len(tokens)):
        depth += (tokens[index] == opens) - (tokens[index] == closes)
        if depth == 0:
            return index
    raise ValueError(f"{opens} is not closed")


def use_tree(tokens: list[str], before: Path) -> Iterator[tuple[Path, str]]:
    """The paths of a `use`, each with the name that it is given here."""
    names, at = before, 0
    while at < len(tokens):
        if tokens[at] == "{":
            start, depth = at + 1, 0
            for index in range(at, len(tokens)):
                depth += (tokens[index] == "{") - (tokens[index] == "}")
                if (tokens[index] == "," and depth == 1) or depth == 0:
                    if start < index:
                        yield from use_tree(tokens[start:index], names)
                    start = index + 1
                if depth == 0:
                    return
        elif tokens[at] == "as":
            yield names, tokens[at + 1]
            return
        elif tokens[at] == "*":
            yield names, "*"
            return
        elif tokens[at] == "self" and names:
            pass
        elif tokens[at] != "::":
            names = (*names, tokens[at])
        at += 1
    yield names, names[-1]
