"""The report as Markdown: what was measured, with what, and the figures in tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from comparison import quantile
from fidelity import Fidelity
from intervals import bootstrap, family_means, mean
from labels import Labels
from pairs import PairScore
from recall import FEWEST_FAMILIES, FEWEST_PAIRS, Hamming, Rate, Share
from recipe import read_table

FALSE_KINDS = ("same language", "one site or template")
GOAL_MEDIAN, GOAL_FIFTH = 0.97, 0.80
PLOTS = "<!-- plots -->"
VERIFIED_BEGIN, VERIFIED_END = "<!-- verified: begin -->", "<!-- verified: end -->"


@dataclass(frozen=True)
class Heading:
    """What the report was made with."""

    maker: str
    scheme: str
    corpus: str
    date: str
    command: str
    left_out: Counter[str]


def left_out(corpus: Path) -> Counter[str]:
    """The reasons of left_out.tsv, numbers and names taken off."""
    file = corpus / "left_out.tsv"
    rows = read_table(file) if file.exists() else []
    reasons: Counter[str] = Counter()
    for row in rows:
        reason = row["reason"]
        known = ("package", "cosine", "containment", "nothing of its group")
        reasons[next((word for word in known if reason.startswith(word)), "too short or too different in length")] += 1
    return reasons


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines.extend(f"| {' | '.join(str(cell) for cell in row)} |" for row in rows)
    return "\n".join(lines)


def interval_text(value: float, low: float, high: float, families: int) -> str:
    """A value with its interval, where there is more than one family to draw it from."""
    return f"{value:.3f} ({low:.3f}-{high:.3f})" if families > 1 else f"{value:.3f}"


def share_text(share: Share) -> str:
    """A share with its interval."""
    return interval_text(share.value, share.low, share.high, share.families)


def rate_text(rate: Rate) -> str:
    """A rate with its interval."""
    return f"{rate.per_million:,.1f} ({rate.low:,.1f}-{rate.high:,.1f})"


def media_rows(figures: Sequence[Fidelity]) -> list[tuple[str, list[Fidelity]]]:
    """The figures by medium pair, the largest first."""
    by_media: dict[str, list[Fidelity]] = defaultdict(list)
    for one in figures:
        by_media[one.pair.media].append(one)
    return sorted(by_media.items(), key=lambda item: (-len(item[1]), item[0]))


def meets_goal(found: Sequence[Fidelity]) -> bool | None:
    """Whether the pairs of one medium pair meet the goal; none where they are too few to say."""
    if len(found) < FEWEST_PAIRS or len({one.pair.family for one in found}) < FEWEST_FAMILIES:
        return None
    values = [one.containment for one in found]
    return quantile(values, 0.5) >= GOAL_MEDIAN and quantile(values, 0.05) >= GOAL_FIFTH


def of_extraction(figures: Sequence[Fidelity], worst: int, labels: Labels) -> str:
    """The section on extraction."""
    rows = []
    for media, found in media_rows(figures):
        families = family_means((one.pair.family, one.containment) for one in found)
        low, high = bootstrap(families)
        middle = quantile((one.containment for one in found), 0.5)
        fifth = quantile((one.containment for one in found), 0.05)
        goal = {True: "met", False: "not met", None: "too few"}[meets_goal(found)]
        rows.append(
            [
                media,
                len(found),
                len(families),
                f"{quantile((one.cosine for one in found), 0.5):.3f}",
                f"{middle:.3f}",
                f"{fifth:.3f}",
                interval_text(mean(families), low, high, len(families)),
                goal,
            ]
        )
    head = [
        "media",
        "pairs",
        "families",
        "cosine, median",
        "containment, median",
        "5th percentile",
        "mean over families (95 %)",
        "goal",
    ]
    listed = sorted(figures, key=lambda one: (one.containment, one.pair.key))[:worst]
    worst_rows = [
        [
            f"{one.containment:.2f}",
            f"{one.cosine:.2f}",
            f"{one.found[0]:.2f} / {one.found[1]:.2f}",
            f"{one.tokens[0]:,} / {one.tokens[1]:,}",
            f"`{labels.files[one.pair.one].path}` `{labels.files[one.pair.other].path.partition('/')[2]}`",
            "; ".join(one.hints) or "-",
        ]
        for one in listed
    ]
    causes = Counter(
        (one.pair.media, cause_of(hint)) for one in figures if one.containment < GOAL_MEDIAN for hint in one.hints
    )
    return f"""## Extraction: the same words from every medium

Containment is |A and B| / min(|A|, |B|) over the sets of 3-shingles of the two texts' tokens; cosine is that of
their word counts. The goal for a medium pair of {FEWEST_PAIRS} pairs and {FEWEST_FAMILIES} families or more:
median >= {GOAL_MEDIAN} and 5th percentile >= {GOAL_FIFTH:.2f}.

{table(head, rows)}

### What goes wrong, by guess

Hints of the program about pairs under {GOAL_MEDIAN}, a pair counted under each of its hints.

{table(["media", "hint", "pairs"], [[media, cause, count] for (media, cause), count in causes.most_common(30)])}

### The {len(listed)} worst pairs

Found is the share of each side's shingles that the other has.

{table(["containment", "cosine", "found", "tokens", "pair", "hints"], worst_rows)}
"""


def cause_of(hint: str) -> str:
    """A hint without its numbers and words, so that equal causes can be counted."""
    if " tokens, " in hint:
        return f"{hint.split()[0]} has far fewer tokens"
    return hint.partition(" has more of:")[0] + " has more of a few words" if " has more of:" in hint else hint


def of_distances(labels: Labels, hamming: Hamming) -> str:
    """The section on distances."""
    told = hamming.told
    rows = [
        [k, share_text(hamming.recall(k)), *(rate_text(hamming.false_rate(kind, k)) for kind in FALSE_KINDS)]
        for k in hamming.reported
    ]
    totals = [f"{hamming.false[kind].total():,} {kind}" for kind in FALSE_KINDS]
    parts = []
    for kind, named in hamming.strata.items():
        enough = {name: pairs for name, pairs in named.items() if len(pairs) >= 5}
        cells = [
            [
                name,
                len(pairs),
                share.families,
                share_text(share),
                share_text(hamming.recall(hamming.loose, pairs)),
                "" if share.is_enough else "few",
            ]
            for name, pairs in enough.items()
            for share in [hamming.recall(hamming.default, pairs)]
        ]
        parts.append(
            table([kind, "pairs", "families", f"recall k={hamming.default}", f"recall k={hamming.loose}", ""], cells)
        )
    by_stratum = "\n\n".join(parts)
    return f"""## Fingerprints: recall and false pairs by distance

{hamming.width} bits. {told["read"]:,} documents with a print, {told["none"]} without, {told["unknown"]} not of the
corpus. {len(hamming.pairs)} true pairs, of which {hamming.missing()} miss a print (counted as not found); pairs of
different documents: {", ".join(totals)}. Recall weighs every family the same, its interval is a bootstrap over
families; false pairs are per million pairs, their interval a jackknife over families.

{table(["k", "recall (95 %)", *(f"false: {kind}" for kind in FALSE_KINDS)], rows)}

{by_stratum}

"few": under {FEWEST_PAIRS} pairs or {FEWEST_FAMILIES} families; strata under 5 pairs are left out.
"""


def written(heading: Heading, labels: Labels, figures: Sequence[Fidelity], hamming: Hamming, worst: int) -> str:
    """The whole report."""
    families = {file.family or file.group for file in labels.files}
    languages = {file.language for file in labels.files}
    groups = len({file.group for file in labels.files})
    gone = ", ".join(f"{reason} {count}" for reason, count in heading.left_out.most_common()) or "none"
    scheme = f", scheme `{heading.scheme}`" if heading.scheme else ""
    sections = [of_extraction(figures, worst, labels)] if figures else []
    return f"""# Accuracy

Made {heading.date} by `{heading.command}` with {heading.maker}{scheme}.
How it is measured: [eval/README.md](../../eval/README.md).

Corpus `{heading.corpus}`: {len(labels.files):,} files, {groups:,} groups, {len(families)} families,
{len(languages)} languages. Documents under {labels.min_words} words are left out of every figure.
Rows of the recipe not in the corpus: {gone}.

{PLOTS}

{chr(10).join([*sections, of_distances(labels, hamming)])}
## Verified pairs

`nearprint pairs` on the same corpus: candidates by `md1`, verified by their texts.

{VERIFIED_BEGIN}
{VERIFIED_END}
"""


def with_verified(page: str, section: str) -> str:
    """The report with the score of verified pairs between its marks."""
    before, begin, rest = page.partition(VERIFIED_BEGIN)
    _, end, after = rest.partition(VERIFIED_END)
    if not begin or not end:
        raise ValueError("the report has no marks for verified pairs")
    return f"{before}{begin}\n{section}{end}{after}"


def with_plots(text: str, names: Sequence[tuple[str, str]]) -> str:
    """The report with its pictures: (file, what it shows)."""
    return text.replace(PLOTS, "\n".join(f"![{shows}]({name})" for name, shows in names))


def of_pairs(score: PairScore, unknown: int) -> str:
    """The score of a list of pairs, as the section of the report."""
    rows = [
        [kind, name, share.pairs, share.families, share_text(share), "" if share.is_enough else "few"]
        for kind, named in score.by_stratum.items()
        for name, share in named.items()
        if share.pairs >= 5
    ]
    precision = f"{score.precision:.4f} ({score.precision_low:.4f}-{score.precision_high:.4f})"
    unjudged = f", {unknown} not of the corpus" if unknown else ""
    return f"""Recall {share_text(score.recall)}, precision {precision}, F1 {score.f1:.4f}. Of {score.reported:,} reported pairs of the corpus
{score.same:,} are of one document, {score.different:,} of different ones, and {score.neither:,} **count neither way**: revisions of one document, and
documents of which one has at least a quarter of the other's shingles{unjudged}. Precision is that of the other {score.same + score.different:,}.
The true pairs of the corpus were selected by their texts (containment of 3-shingles of 0.5 or more, by other tools), so
recall says nothing of renderings that share less.

{table(["stratum", "", "pairs", "families", "recall (95 %)", ""], rows)}
"""


def figures_of_pairs(score: PairScore, date: str) -> dict[str, object]:
    """The same for programs, with the intervals."""
    return {
        "made": date,
        "recall": [round(value, 4) for value in (score.recall.value, score.recall.low, score.recall.high)],
        "precision": [round(value, 4) for value in (score.precision, score.precision_low, score.precision_high)],
        "reported": score.reported,
        "same": score.same,
        "different": score.different,
        "neither": score.neither,
        "documents": score.documents,
    }


def figures_of(labels: Labels, figures: Sequence[Fidelity], hamming: Hamming) -> dict[str, object]:
    """The figures a later run is compared with."""
    return {
        "files": len(labels.files),
        "extraction": {
            media: {
                "pairs": len(found),
                "cosine_median": round(quantile((one.cosine for one in found), 0.5), 4),
                "containment_median": round(quantile((one.containment for one in found), 0.5), 4),
                "containment_5th": round(quantile((one.containment for one in found), 0.05), 4),
            }
            for media, found in media_rows(figures)
        },
        "recall": {str(k): round(hamming.recall(k).value, 4) for k in hamming.reported},
        "false_per_million": {
            kind: {
                str(k): [round(value, 2) for value in (rate.per_million, rate.low, rate.high)]
                for k in hamming.reported
                for rate in [hamming.false_rate(kind, k)]
            }
            for kind in FALSE_KINDS
        },
    }
