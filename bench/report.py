"""A record as Markdown, and its table of goals in docs/SEARCH.md."""

import pathlib

import goals
from record import HERE

DOCUMENT = HERE.parent / "docs" / "SEARCH.md"
BEGIN = "<!-- goals: made by `python3 bench/run.py report` -->"
END = "<!-- goals end -->"


def table(head, lines):
    """Lines of a Markdown table."""
    return [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *("| " + " | ".join(line) + " |" for line in lines),
    ]


def goals_table(data):
    head = ["work", "goal", "measured", "verdict"]
    return table(head, [list(judged) for judged in goals.judge(data)])


def markdown(data):
    """The whole report."""
    lines = [f"# Speed, {data['form']} run of {data['date']}", ""]
    lines += [f"- {key}: {what}" for key, what in data["machine"].items()]
    lines += [
        f"- command: `python3 bench/run.py {data['form']}`, {data.get('seconds', 0)} s",
        '- input: SplitMix64 of seed 1; "skewed" as `bench/src/sets.rs` says; passages as `bench/passages.py` says, manuals as `bench/manuals.py`',
        "- of several runs the fastest; memory is the most a process held, its input included",
        "",
    ]
    if data.get("unfinished"):
        lines += [f"**Unfinished: {data['unfinished']}.** What was measured until then:", ""]
    if data["form"] == "full":
        lines += ["## Goals", "", *goals_table(data), ""]
    for section in data["sections"]:
        lines += [f"## {section['title']}", ""]
        if section["note"]:
            lines += [section["note"], ""]
        if section["lines"]:
            lines += [*table(section["head"], section["lines"]), ""]
        if "failed" in section:
            lines += [f"Not complete: {section['failed']}.", ""]
    failed = [row for row in data["rows"] if "failed" in row]
    if failed:
        lines += ["## What failed", "", *(f"- `{row['what']} {row['command']}`: {row['failed']}" for row in failed), ""]
    return "\n".join(lines)


def with_goals(document, data, name):
    """A document with the goals of a record between its marks."""
    before, _, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError("the marks of the table of goals are missing")
    record = f"From [{name}](../bench/results/{name}.md), {data['machine']['processor']}, {data['machine']['cores']} cores, {data['machine']['rustc']}."
    return "\n".join([before + BEGIN, record, "", *goals_table(data), "", END]) + after


def update_document(data, name, document: pathlib.Path = DOCUMENT):
    document.write_text(with_goals(document.read_text(), data, name))


def recorded_name(document: pathlib.Path = DOCUMENT):
    """The record the document's table is of; empty where nothing was measured yet."""
    text = document.read_text().partition(BEGIN)[2].partition(END)[0]
    return text.partition("[")[2].partition("]")[0]
