"""Builds the labelled corpus from Debian packages or git repositories: `build.py build/eval`.

Fetches what recipe.tsv names, or another recipe (`--recipe NAME.tsv`, with packages in NAME-packages.tsv), lays it out as
`corpus/GROUP/file`, checks every label, and writes

    corpus/groups.tsv               a row a file: what it is, how long, how like its group's reference, if it counts
    corpus/similar_cross_group.tsv  files of different groups too alike to be called different documents
    corpus/left_out.tsv             what the recipe names and the corpus has not, each with the reason

Exit status 0, or 3 where pinned packages were missing (the rest is built all the same).
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import sys
from collections import defaultdict
from pathlib import Path

import check
from packages import Fetched, fetch
from pages import joined, unwrapped
from recipe import HERE, Rendering, read_packages, read_recipe, write_table
from repositories import ARCHITECTURES, fetch_repositories

GROUP_COLUMNS = [
    "group_id",
    "path",
    "medium",
    "lang",
    "source",
    "kind",
    "words",
    "ref",
    "cos",
    "jac3",
    "cont3",
    "same_as",
    "family",
    "use",
]
SIMILAR_COLUMNS = ["containment", "path_a", "path_b"]
LEFT_OUT_COLUMNS = ["path", "reason"]


def packages_of(recipe: Path) -> Path:
    """The table of a recipe's packages."""
    return recipe.with_name("packages.tsv" if recipe.name == "recipe.tsv" else f"{recipe.stem}-packages.tsv")


def lay_out(renderings: list[Rendering], fetched: Fetched, corpus: Path) -> dict[str, str]:
    """Writes the renderings into the corpus; the reason for each that could not be."""
    reasons: dict[str, str] = {}
    for rendering in renderings:
        tree = fetched.trees.get(rendering.package)
        if tree is None:
            reasons[rendering.path] = f"package {rendering.package}: {fetched.missing[rendering.package]}"
            continue
        absent = [member for member in rendering.members if not (tree / member).is_file()]
        if absent:
            reasons[rendering.path] = f"package {rendering.package} has no {absent[0]}"
            continue
        target = corpus / rendering.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(joined([unwrapped(tree / member) for member in rendering.members], rendering.medium))
    return reasons


def source_of(rendering: Rendering, fetched: Fetched) -> str:
    """Where a file comes from, for the table."""
    more = f" (+{len(rendering.members) - 1} pages)" if len(rendering.members) > 1 else ""
    return f"{rendering.package}={fetched.versions[rendering.package]}:{rendering.members[0]}{more}"


def build(recipe: list[Rendering], fetched: Fetched, corpus: Path, workers: int) -> int:
    """Writes the corpus and its tables; how many files count."""
    shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True)
    reasons = lay_out(recipe, fetched, corpus)
    groups: dict[str, list[Rendering]] = defaultdict(list)
    for rendering in recipe:
        if rendering.path not in reasons:
            groups[rendering.group].append(rendering)
    rows: list[dict[str, object]] = []
    sketches: dict[str, check.Sketch] = {}
    with multiprocessing.Pool(workers) as pool:
        judged = pool.imap(check.judge, [(corpus, members) for members in groups.values()])
        for members, judgements in zip(groups.values(), judged, strict=True):
            for rendering, judgement in zip(members, judgements, strict=True):
                if judgement.reason:
                    reasons[rendering.path] = judgement.reason
                    (corpus / rendering.path).unlink()
                    continue
                sketches[rendering.path] = judgement.sketch
                rows.append(row_of(rendering, judgement, fetched))
    alone = {group for group in groups if sum(row["group_id"] == group for row in rows) < 2}
    kept = [row for row in rows if row["group_id"] not in alone]
    reasons.update(
        {str(row["path"]): "nothing of its group is left to hold it against" for row in rows if row not in kept}
    )
    for group in alone:
        shutil.rmtree(corpus / group, ignore_errors=True)
    similar = check.similar_pairs({str(row["path"]): (document_of(row), sketches[str(row["path"])]) for row in kept})
    write_table(corpus / "groups.tsv", GROUP_COLUMNS, kept)
    write_table(
        corpus / "similar_cross_group.tsv",
        SIMILAR_COLUMNS,
        [dict(zip(SIMILAR_COLUMNS, pair, strict=True)) for pair in similar],
    )
    left_out = [{"path": path, "reason": reason} for path, reason in sorted(reasons.items())]
    write_table(corpus / "left_out.tsv", LEFT_OUT_COLUMNS, left_out)
    return len(kept)


def document_of(row: dict[str, object]) -> str:
    """What the file is a rendering of: its group, or itself where each file of the group is a document."""
    return str(row["path"] if row["kind"] == "neg" else row["group_id"])


def row_of(rendering: Rendering, judgement: check.Judgement, fetched: Fetched) -> dict[str, object]:
    """A row of groups.tsv."""
    return {
        "group_id": rendering.group,
        "path": rendering.path,
        "medium": rendering.medium,
        "lang": rendering.language,
        "source": source_of(rendering, fetched),
        "kind": rendering.kind,
        "words": judgement.words,
        "ref": int(judgement.use == "ref"),
        "cos": f"{judgement.cosine:.3f}",
        "jac3": f"{judgement.jaccard:.3f}",
        "cont3": f"{judgement.containment:.3f}",
        "same_as": "",
        "family": rendering.family,
        "use": judgement.use,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where packages, trees and the corpus are kept")
    parser.add_argument(
        "--any-version", action="store_true", help="where apt has not the pinned version, take what it has"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--recipe", type=Path, default=HERE / "recipe.tsv", help="default: recipe.tsv beside this file")
    parser.add_argument(
        "--repositories",
        type=Path,
        metavar="DIR",
        help="folder of clones of the recipe's git repositories, OWNER+NAME or OWNER/NAME (default: from github.com)",
    )
    args = parser.parse_args()
    recipe = read_recipe(args.recipe)
    members: dict[str, list[str]] = defaultdict(list)
    for rendering in recipe:
        members[rendering.package].extend(rendering.members)
    packages = read_packages(packages_of(args.recipe))
    repositories = {name: package for name, package in packages.items() if package.architecture in ARCHITECTURES}
    others = {name: package for name, package in packages.items() if name not in repositories}
    fetched = fetch(others, members, args.folder, args.any_version)
    fetched.add(fetch_repositories(list(repositories.values()), members, args.folder, args.repositories))
    count = build(recipe, fetched, args.folder / "corpus", args.workers)
    print(f"{count} of the recipe's {len(recipe)} in {args.folder / 'corpus'}; why not the others: left_out.tsv")
    for name, reason in sorted(fetched.missing.items()):
        print(f"missing: {name}: {reason}", file=sys.stderr)
    return 3 if fetched.missing else 0


if __name__ == "__main__":
    sys.exit(main())
