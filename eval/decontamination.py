"""Items of a test that were planted in training data: what `passages decontaminate` and other programs find of them.

    decontamination.py --evals FOLDER --train FOLDER --nearprint PROGRAM [--decon PROGRAM] [--harness FOLDER]
                       [--curator FOLDER] [--record FILE] [--read FILE] [--folder FOLDER]

It fetches nothing. `--evals` has JSON lines (.jsonl, .jsonl.gz) as decon's `bundled-evals`: question, answer, passage,
is_correct, eval_key, config, split, eval_instance_index. `--train` has texts (.txt, .txt.gz), the filler. `--decon` is
the program of allenai/decon, `--harness` a checkout of lm-evaluation-harness with its Janitor, `--curator` one of NeMo
Curator 0.9, the last with TaskDecontamination. Of both the very code runs; of NeMo Curator with empty stand-ins for the
packages that it imports and that looking for n-grams does not use. `--read` writes a sample of what they disagree on.

An item is a question with its right answer. Left out are items with a passage, and those whose words another item has
too. Every planted item is in a text of its own, with filler before and after it. All others are negatives. All programs
read the same items and texts, and are as they are by default. A planted item counts as found if it is found in its own
text, a negative if it is found in any text.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from decontamination_programs import Pair, curator_finds, decon_finds, janitor_finds, nearprint_finds, write_test
from decontamination_texts import IN_LINES, LEAST_TOKENS, Filler, Item, Plant, items_of, planted

SEED = 20261128
POLICIES = ["guaranteed", "share8", "gpt3", "decon-like"]
DISAGREE = [("decon-like", "decon"), ("guaranteed", "decon")]  # planted items are read where these two disagree
SAMPLE = 10  # pairs to read, of each kind of disagreement
Finds = dict[str, set[Pair]]  # by program


def opened(path: Path) -> str:
    """The text of a file, compressed or not."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace")


def table(head: list[str], rows: Iterable[list[object]]) -> str:
    """A table in Markdown."""
    lines = (head, ["---"] * len(head), *rows)
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in lines).replace("|  |", "| |") + "\n"


def by_variant(found: Finds, plants: list[Plant]) -> str:
    """How many of each variant every program finds."""
    pairs: dict[str, set[Pair]] = defaultdict(set)
    for at, plant in enumerate(plants):
        length = "fewer than" if plant.item.words < 13 else "at least"
        pairs[plant.variant + (f", {length} 13 words" if plant.variant == IN_LINES else "")].add(
            (plant.item.number, at)
        )
    rows: list[list[object]] = [
        [name, len(of_it), *(len(finds & of_it) for finds in found.values())] for name, of_it in pairs.items()
    ]
    own = set().union(*pairs.values())
    numbers = {item for item, _ in own}
    rows.append(["negatives", "", *(len({item for item, _ in finds} - numbers) for finds in found.values())])
    rows.append(
        ["texts with another item than theirs", "", *(len({at for _, at in finds - own}) for finds in found.values())]
    )
    return table(["planted", "items", *found], rows)


def by_item(found: Finds, items: list[Item], plants: list[Plant]) -> dict[str, list[bool]]:
    """Of each program whether it finds each item: a planted one in its own text, another one in any."""
    own = {plant.item.number: at for at, plant in enumerate(plants)}
    verdicts = {}
    for name, finds in found.items():
        numbers = {item for item, at in finds if own.get(item, at) == at}
        verdicts[name] = [item.number in numbers for item in items]
    return verdicts


def agreements(verdicts: dict[str, list[bool]], among: list[int]) -> str:
    """The shares of these items on which every two programs agree."""
    rows: list[list[object]] = []
    for name, one in verdicts.items():
        same = [sum(one[at] == other[at] for at in among) for other in verdicts.values()]
        rows.append([name, *(f"{count / max(1, len(among)):.3f}" for count in same)])
    return table(["", *verdicts], rows)


def to_read(found: Finds, items: list[Item], texts: list[str], plants: list[Plant]) -> str:
    """A sample of what programs disagree on: planted items, and one negative each of some texts."""
    chance, blocks = random.Random(SEED), []
    own = {(plant.item.number, at) for at, plant in enumerate(plants)}
    planted_items = {item for item, _ in own}
    kinds = {
        f"{one} or {other}": sorted((found[one] ^ found[other]) & own)
        for one, other in DISAGREE
        if {one, other} <= {*found}
    }
    negatives: dict[int, list[Pair]] = defaultdict(list)
    for pair in sorted(set().union(*found.values()) - set.intersection(*found.values())):
        if pair[0] not in planted_items:
            negatives[pair[1]].append(pair)
    kinds["a negative"] = [chance.choice(pairs) for _, pairs in sorted(negatives.items())]
    for name, pairs in kinds.items():
        for item, at in chance.sample(pairs, min(SAMPLE, len(pairs))):
            finders = ", ".join(program for program, finds in found.items() if (item, at) in finds)
            title = f"{name} ({len(pairs)}): q{item} t{at}, {plants[at].variant}; found by {finders}"
            blocks.append(f"## {title}\n{items[item].question}\n-> {items[item].answer}\n{'-' * 60}\n{texts[at]}\n\n")
    return "".join(blocks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evals", type=Path, required=True)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--nearprint", required=True)
    parser.add_argument("--decon")
    parser.add_argument("--harness", type=Path)
    parser.add_argument("--curator", type=Path)
    parser.add_argument("--record", type=Path, help="the tables, as they are printed")
    parser.add_argument("--read", type=Path, help="a sample of what programs disagree on, with the texts")
    parser.add_argument("--folder", type=Path, default=Path("build/decontamination"))
    arguments = parser.parse_args()
    files = sorted(arguments.evals.glob("*.jsonl*"))
    items = items_of(json.loads(line) for file in files for line in opened(file).split("\n") if line)
    files = sorted(file for file in arguments.train.rglob("*") if file.name.endswith((".txt", ".txt.gz")))
    texts, plants = planted(items, Filler(map(opened, files), random.Random(SEED)))
    write_test(arguments.folder, [(item.number, item.question, item.answer) for item in items], texts)
    found: Finds = {}
    out = [f"{len(items)} items, {len(plants)} of them planted, each in a text of its own; seed {SEED}.\n\n"]
    for policy in POLICIES:
        finds = nearprint_finds(arguments.nearprint, arguments.folder, policy)
        if finds is None:
            print(f"no policy {policy}: left out", file=sys.stderr)
            continue
        answers, undecidable = finds
        found[policy] = set(answers)
        out.append(f"- `{policy}`: {len(undecidable)} items undecidable.")
        if policy == POLICIES[0]:
            short = [item.number for item in items if item.tokens < LEAST_TOKENS]
            out.append(
                f" Those with fewer than {LEAST_TOKENS} tokens: {sorted(undecidable) == short}. Answers follow: "
            )
            followed = Counter(plant.variant for at, plant in enumerate(plants) if answers.get((plant.item.number, at)))
            out.append("; ".join(f"{name} {count}" for name, count in followed.items()) + ".")
        out.append("\n")
    if arguments.decon:
        found["decon"], indexed = decon_finds(arguments.decon, arguments.folder)
        out.append(f"- decon: {indexed}.\n")
    questions = {item.number: item.question for item in items}
    if arguments.harness:
        found["Janitor"] = janitor_finds(arguments.harness, questions, texts)
    if arguments.curator:
        found["NeMo Curator"] = curator_finds(arguments.curator, questions, texts)
    verdicts = by_item(found, items, plants)
    out += ["\n", by_variant(found, plants), "Agreement on the planted items:\n\n"]
    out += [agreements(verdicts, [plant.item.number for plant in plants]), "Agreement on all items:\n\n"]
    out.append(agreements(verdicts, list(range(len(items)))))
    print("".join(out), end="")
    if arguments.record:
        arguments.record.write_text("".join(out), encoding="utf-8")
    if arguments.read:
        arguments.read.write_text(to_read(found, items, texts, plants), encoding="utf-8")


if __name__ == "__main__":
    main()
