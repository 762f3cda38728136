"""The programs that decontamination.py compares, as they are by default: the pairs of an item and a text they find."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock

Pair = tuple[int, int]  # the number of an item and that of a text
EVALS, TRAIN = Path("evals") / "items.jsonl", Path("train") / "texts.jsonl"  # rows with these numbers


def write_test(folder: Path, items: Iterable[tuple[int, str, str]], texts: list[str]) -> None:
    """Items (number, question, answer) and texts as the programs read them."""
    for file in (EVALS, TRAIN):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
    with (folder / EVALS).open("w", encoding="utf-8") as out:
        for number, question, answer in items:
            row = {"id": f"q{number}", "question": question, "answer": answer, "doc_id": number + 1}
            out.write(json.dumps(row | {"eval_key": "items", "eval_instance_index": number}) + "\n")
    with (folder / TRAIN).open("w", encoding="utf-8") as out:
        for number, text in enumerate(texts):
            out.write(json.dumps({"id": f"t{number}", "text": text}) + "\n")


def nearprint_finds(program: str, folder: Path, policy: str) -> tuple[dict[Pair, bool | None], list[int]] | None:
    """The pairs that the command finds, of each whether the answer follows, and the undecidable items. Nothing if it
    has no such policy."""
    command = [program, "passages", "decontaminate", "-qq", "--format", "jsonl", "--policy", policy]
    command += [str(folder / TRAIN), "--against", str(folder / EVALS), "--fields", "question,answer"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        if "--policy" in done.stderr:
            return None
        raise SystemExit(done.stderr)
    found, undecidable = {}, []
    for row in (json.loads(line) for line in done.stdout.split("\n") if line):
        item = int(row["item"].removeprefix("q"))
        if row["verdict"] == "undecidable":
            undecidable.append(item)
        else:
            found[item, int(row["document"].removeprefix("t"))] = row["answer"]
    return found, undecidable


def decon_finds(program: str, folder: Path) -> tuple[set[Pair], str]:
    """The pairs that decon finds in its default configuration, and what it says about the items that it reads."""
    report = folder / "decon-report"
    shutil.rmtree(report, ignore_errors=True)
    command = [program, "detect", "--training-dir", str((folder / TRAIN).parent)]
    command += ["--evals-dir", str((folder / EVALS).parent), "--report-output-dir", str(report)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for file in report.rglob("*.jsonl") for line in file.open(encoding="utf-8")]
    counts = re.findall(r"(Lines indexed|Below [a-z ]+?)\s{2,}([\d,]+)", said)
    told = ", ".join(f"{name.lower()} {count}" for name, count in counts)
    return {(row["eval_instance_index"], row["training_line"]) for row in rows}, told


def module_of(name: str, path: Path) -> ModuleType:
    """A file of Python as a module, without its package."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        spec.loader.exec_module(module)
    return module


def janitor_finds(folder: Path, questions: dict[int, str], texts: list[str]) -> set[Pair]:
    """The pairs with a 13-gram of the Janitor of lm-evaluation-harness in common."""
    module = module_of("janitor", folder / "lm_eval" / "decontamination" / "janitor.py")
    janitor, items_by_run, found = module.Janitor(), defaultdict(set), set()
    for number, question in questions.items():
        janitor.register_contaminant_python(question)
        for run in module.word_ngrams(janitor.normalize_string(question), janitor.ngram_n):
            items_by_run[run].add(number)
    for at, text in enumerate(texts):
        runs = {janitor.normalize_string(run) for run, _ in module.word_ngrams_indices(text, janitor.ngram_n)}
        hits = {number for run in runs for number in items_by_run.get(run, ())}
        assert (janitor.clean_python(text) == [text]) == (not hits)  # what it does is what is counted
        found |= {(number, at) for number in hits}
    return found


def curator_finds(folder: Path, questions: dict[int, str], texts: list[str]) -> set[Pair]:
    """The pairs with an n-gram of NeMo Curator's TaskDecontamination in common that is not at more than 10 places."""
    package = folder / "nemo_curator"
    for name in ("dask", "dask.dataframe", "pandas", "nemo_curator", "nemo_curator.datasets", "nemo_curator.modules"):
        sys.modules[name] = MagicMock()
    for name in ("utils", "utils.distributed_utils", "utils.import_utils", "tasks", "modules.base"):
        sys.modules[f"nemo_curator.{name}"] = MagicMock()
    base = type("BaseModule", (), {"__init__": lambda self, **_: None})
    sys.modules["nemo_curator.modules.base"].BaseModule = base  # type: ignore[attr-defined]
    module_of("nemo_curator.utils.text_utils", package / "utils" / "text_utils.py")
    task = module_of("nemo_curator.tasks.downstream_task", package / "tasks" / "downstream_task.py")
    module = module_of("nemo_curator.modules.task", package / "modules" / "task.py")
    test = type("Test", (task.DownstreamTask,), {"generate_ngrams": lambda self: self.ngrams})
    search, items_by_run = module.TaskDecontamination(test()), defaultdict(set)
    for number, question in questions.items():
        one = test()
        one._update_ngrams(question)
        for run in one.ngrams:
            items_by_run[run].add(number)
    lengths = search._compute_ngram_freq_sorted(dict.fromkeys(items_by_run, 0))
    with contextlib.redirect_stdout(io.StringIO()):
        runs = [search._find_ngrams(text, items_by_run, lengths) for text in texts]
    counts: Counter[str] = Counter()
    for of_text in runs:
        counts.update(of_text)
    rare = search._threshold_ngram_count(counts)
    hits = [(at, run) for at, of_text in enumerate(runs) for run in of_text if run in rare]
    return {(number, at) for at, run in hits for number in items_by_run[run]}
