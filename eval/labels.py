"""What a labelled corpus says about two of its files: one document, different documents, or neither.

A corpus is a folder with `groups.tsv`, a row a file with the columns group_id, path and, where known, medium, lang,
kind, words, family, use, same_as; other columns are left alone. `similar_cross_group.tsv` beside it (path_a, path_b)
lists files of different groups too alike to be called different. Paths are `GROUP/file`; longer paths that end so,
and a `.gz` more, name the same file.

kind: `media`, `media+rev` (renderings of one document), `neg` (every file of the group is a different document); of
any other kind two files of one group count neither way. use: `ref` (what the others of a group are held against),
`core`, or a word such as `weak` that keeps a file out. Without a `use` column the first file of each group is its
`ref`; without `words` no file is too short.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from recipe import RecipeError, read_table

SAME_KINDS = ("media", "media+rev")
COUNTED_USES = ("ref", "core")
ANY_LENGTH = 1 << 60  # of a file whose words nobody counted


@dataclass(frozen=True)
class Labelled:
    """One file of the corpus."""

    path: str
    group: str
    medium: str
    language: str
    family: str
    kind: str
    use: str
    words: int
    same_as: tuple[str, ...]


@dataclass(frozen=True)
class TruePair:
    """Two renderings of one document."""

    one: int  # index into Labels.files, smaller than `other`
    other: int
    family: str
    media: str  # the two media in alphabetical order, joined by a hyphen
    weight: float  # all weights add up to 1, those of each family to the same

    @property
    def key(self) -> tuple[int, int]:
        """The two files."""
        return self.one, self.other


def short_name(path: str) -> str:
    """`GROUP/file` of a path."""
    return "/".join(path.replace("\\", "/").split("/")[-2:]).removesuffix(".gz")


def weighed(pairs: list[tuple[int, int, str, str]]) -> list[TruePair]:
    """Pairs with weights by which every family counts the same."""
    pairs_of = Counter(family for _, _, family, _ in pairs)
    return [TruePair(*pair, weight=1 / (pairs_of[pair[2]] * len(pairs_of))) for pair in pairs]


class Labels:
    """A labelled corpus; documents of fewer than `min_words` words are left out of every count."""

    def __init__(self, files: list[Labelled], similar: list[tuple[str, str]], min_words: int) -> None:
        self.files = files
        self.min_words = min_words
        self.index = {short_name(file.path): number for number, file in enumerate(files)}
        self.similar = {
            (min(a, b), max(a, b))
            for a, b in ((self.index.get(short_name(a)), self.index.get(short_name(b))) for a, b in similar)
            if a is not None and b is not None
        }
        self.document = self._documents()
        self.eligible = [file.words >= min_words for file in files]

    def _documents(self) -> list[str]:
        """The document each file belongs to: its group, groups that `same_as` connects taken as one."""
        parent: dict[str, str] = {}

        def root(group: str) -> str:
            while parent.setdefault(group, group) != group:
                group = parent[group]
            return group

        for file in self.files:
            for other in file.same_as:
                parent[root(file.group)] = root(other)
        return [root(file.group) for file in self.files]

    def find(self, name: str) -> int | None:
        """The file that a path names."""
        return self.index.get(short_name(name))

    def true_pairs(self) -> list[TruePair]:
        """Each file of a document with the document's reference."""
        groups: dict[str, list[int]] = defaultdict(list)
        for number, file in enumerate(self.files):
            if file.kind in SAME_KINDS and file.use in COUNTED_USES and self.eligible[number]:
                groups[file.group].append(number)
        found = []
        for members in groups.values():
            for one, other in combinations(members, 2):
                a, b = self.files[one], self.files[other]
                if "ref" in (a.use, b.use):
                    found.append((one, other, a.family or a.group, "-".join(sorted((a.medium, b.medium)))))
        return weighed(found)

    def verdict(self, one: int, other: int) -> bool | None:
        """True: one document. False: different ones. None: counts neither way."""
        if one == other or (min(one, other), max(one, other)) in self.similar:
            return None
        a, b = self.files[one], self.files[other]
        if self.document[one] != self.document[other]:
            return False
        if a.kind == "neg" and a.group == b.group:
            return False
        is_same = a.kind in SAME_KINDS and b.kind in SAME_KINDS and "weak" not in (a.use, b.use)
        return True if is_same else None


def read_labels(corpus: Path, min_words: int) -> Labels:
    """The labels of a corpus folder."""
    rows = read_table(corpus / "groups.tsv")
    missing = {"group_id", "path"} - set(rows[0] if rows else ())
    if missing:
        raise RecipeError(f"{corpus / 'groups.tsv'}: no column {' or '.join(sorted(missing))}")
    seen: set[str] = set()
    files = []
    for row in rows:
        group = row["group_id"]
        files.append(
            Labelled(
                path=row["path"],
                group=group,
                medium=row.get("medium") or Path(row["path"].removesuffix(".gz")).suffix.lstrip("."),
                language=row.get("lang", ""),
                family=row.get("family", ""),
                kind=row.get("kind") or "media",
                use=row.get("use", "core" if group in seen else "ref"),
                words=int(row["words"] or 0) if "words" in row else ANY_LENGTH,
                same_as=tuple(row.get("same_as", "").replace(",", " ").split()),
            )
        )
        seen.add(group)
    similar_file = corpus / "similar_cross_group.tsv"
    similar = [(row["path_a"], row["path_b"]) for row in read_table(similar_file)] if similar_file.exists() else []
    return Labels(files, similar, min_words)
