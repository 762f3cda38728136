"""The readable reference of spec/PASSAGES.md in plain Python: tokens with their places, and all passages that texts share.

By brute force: all windows of all texts are counted, and all diagonals of all pairs of texts are read. For reading and
for comparing, not for use.
"""

from __future__ import annotations

import collections
import itertools
import sys
import unicodedata
from collections.abc import Iterator

import nearprint_sd1 as sd1

LONGEST_EVEN_RUN = 16

# Characters that compose with one before them.
SECONDS = {chr(code) for code in [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]}
for code in range(sys.maxunicode + 1):
    parts = unicodedata.decomposition(chr(code)).split()
    if len(parts) == 2 and not parts[0].startswith("<") and unicodedata.normalize("NFC", chr(code)) == chr(code):
        SECONDS.add(chr(int(parts[1], 16)))


def begins_cluster(character: str) -> bool:
    """Whether normalisation starts again here: the character becomes a starter that composes with nothing before it."""
    first = unicodedata.normalize("NFD", character)[0]
    if unicodedata.combining(first):
        return False
    folded = sd1.FOLD.get(first, first)
    if not folded:
        return False
    first = unicodedata.normalize("NFD", folded)[0]
    return not unicodedata.combining(first) and first not in SECONDS


def is_even(character: str) -> bool:
    """Whether a character that begins a cluster becomes one character of as many bytes."""
    normal = sd1.normalise(character)
    return len(normal) == 1 and len(normal.encode()) == len(character.encode())


def stays(character: str) -> bool:
    """Whether a non-starter is the same in the normalised text, whatever it follows."""
    is_mark = unicodedata.combining(character) and character != "\u0345"
    return bool(is_mark) and character not in SECONDS and sd1.normalise(character) == character


def clusters(text: str) -> Iterator[str]:
    """The parts of a text that are normalised by themselves: those of one character where that is possible."""
    starts = [at for at, character in enumerate(text) if at == 0 or begins_cluster(character)] + [len(text)]
    for start, end in itertools.pairwise(starts):
        marks = text[start + 1 : end]
        last = unicodedata.combining(unicodedata.normalize("NFD", text[start])[-1])
        classes = [last, *(unicodedata.combining(mark) for mark in marks)]
        is_simple = begins_cluster(text[start]) and is_even(text[start]) and len(marks) <= LONGEST_EVEN_RUN
        if is_simple and all(map(stays, marks)) and classes == sorted(classes):
            yield from text[start:end]
            continue
        yield text[start:end]


def placed_tokens(text: str, numbers: bool) -> list[tuple[str, int, int]]:
    """The tokens of a text with their places in bytes."""
    normal, places, at = [], [], 0
    for cluster in clusters(sd1.unassigned_to_space(text)):
        normalised = sd1.normalise(cluster)
        normal.append(normalised)
        places += [(at, at + len(cluster))] * len(normalised)
        at += len(cluster)
    normalised = "".join(normal)
    cut = sd1.CUT.sub(lambda match: " " * len(match[0]), normalised)
    found = []
    for start, end in token_ranges(cut, numbers):
        found.append((cut[start:end], places[start][0], places[end - 1][1]))
    bytes_before = [0]
    for character in text:
        bytes_before.append(bytes_before[-1] + len(character.encode()))
    return [(token, bytes_before[start], bytes_before[end]) for token, start, end in found]


def token_ranges(cut: str, numbers: bool) -> list[tuple[int, int]]:
    """The places of tokens in a cut text, and of numbers: maximal runs of digits outside tokens."""
    ranges, at = [], 0
    for kind, run in placed_runs(cut):
        start = run[0]
        if kind == "pair":
            length = run[1] - run[0]
            parts = [run] if length == 1 else [(at, at + 2) for at in range(run[0], run[1] - 1)]
        else:
            trimmed = sd1.trim(cut[run[0] : run[1]])
            start += cut[run[0] : run[1]].index(trimmed)
            parts = [(start, start + len(trimmed))] if len(trimmed) <= sd1.MAX_WORD else []
        ranges += [part for part in parts if sd1.has_letter(cut[part[0] : part[1]])]
    if numbers:
        covered = {at for start, end in ranges for at in range(start, end)}
        at = 0
        while at < len(cut):
            end = at
            while end < len(cut) and end not in covered and sd1.CLASSES.get(cut[end]) == "D":
                end += 1
            if end > at:
                ranges.append((at, end))
            at = max(end, at + 1)
    return sorted(ranges)


def placed_runs(cut: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """The runs of nearprint_sd1.runs, with their places."""
    at = 0
    for kind, run in sd1.runs(cut):
        at = cut.index(run, at)
        yield kind, (at, at + len(run))
        at += len(run)


def passages(
    texts: list[str], references: int | None, least: int, numbers: bool, most: int, gap: int = 0
) -> dict[str, object]:
    """What the collection shares: rows of shared and of frequent passages, as the library has them."""
    tokens = [placed_tokens(text, numbers) for text in texts]
    words = [[token for token, _, _ in of] for of in tokens]

    def may_pair(a: int, b: int) -> bool:
        return a < b if references is None else a < references <= b

    windows = collections.defaultdict(list)
    for number, of in enumerate(words):
        for start in range(len(of) - least + 1):
            windows[tuple(of[start : start + least])].append((number, start))

    def place(number: int, start: int, length: int) -> dict[str, int]:
        first, last = tokens[number][start][1], tokens[number][start + length - 1][2]
        data = texts[number].encode()
        return {
            "start_byte": first,
            "end_byte": last,
            "start_character": len(data[:first].decode()),
            "end_character": len(data[:last].decode()),
        }

    def source(number: int, start: int, length: int) -> str:
        at = place(number, start, length)
        return texts[number].encode()[at["start_byte"] : at["end_byte"]].decode()

    shared: list[dict[str, object]] = []
    for a, one in enumerate(words):
        for b, other in enumerate(words):
            if not may_pair(a, b):
                continue
            reported = []
            for in_a, in_b, length in sorted(runs(one, other)):
                if length < least:
                    continue
                starts = range(in_a, in_a + length - least + 1)
                frequent_starts = [at for at in starts if len(windows[tuple(one[at : at + least])]) > most]
                if not frequent_starts or 2 * longest_outside(frequent_starts, in_a, length, least) >= least:
                    reported.append((in_a, in_b, length))
            for (in_a, end_a), (in_b, end_b), length in joined_runs(reported, gap):
                row: dict[str, object] = {"a": a, "b": b, "tokens": length, "text": source(a, in_a, end_a - in_a)}
                row |= {"changed": end_a - in_a - length + end_b - in_b - length}
                row |= {"a_tokens": len(one), "b_tokens": len(other)}
                row |= {"a_place": place(a, in_a, end_a - in_a), "b_place": place(b, in_b, end_b - in_b)}
                shared.append(row)

    often = [of for of in windows.values() if len(of) > most and may_pair(of[0][0], of[-1][0])]
    joined: list[list[list[tuple[int, int]]]] = []
    for of in sorted(often):
        if joined and [(number, start + 1) for number, start in joined[-1][-1]] == of:
            joined[-1].append(of)
        else:
            joined.append([of])
    frequent, listed = [], []
    for passage, group in enumerate(joined):
        length, first = least + len(group) - 1, group[0][0]
        documents = {number for number, _ in group[0]}
        row = {"passage": passage, "tokens": length, "documents": len(documents), "places": len(group[0])}
        row |= {"document": first[0], "place": place(*first, length)}
        frequent.append(row | {"text": source(*first, length)})
        ranges: list[list[int]] = []
        for number, start in group[0]:
            if ranges and ranges[-1][0] == number and start < ranges[-1][2]:
                ranges[-1][2] = start + length
            else:
                ranges.append([number, start, start + length])
        for number, start, end in ranges:
            listed.append({"passage": passage, "document": number, "place": place(number, start, end - start)})
    return {"shared": shared, "frequent": frequent, "places": listed}


def joined_runs(reported: list[tuple[int, int, int]], gap: int) -> list[tuple[tuple[int, int], tuple[int, int], int]]:
    """Runs in their order, each joined to the first passage that ends at most `gap` tokens before it in both texts."""
    found: list[list[int]] = []
    for a, b, length in reported:
        for last in found if gap else []:
            follows_a = last[0] < a <= last[1] + gap and last[1] < a + length
            follows_b = last[2] < b <= last[3] + gap and last[3] < b + length
            if follows_a and follows_b:
                last[4] += length - max(last[1] - a, last[3] - b, 0)
                last[1], last[3] = a + length, b + length
                break
        else:
            found.append([a, a + length, b, b + length, length])
    return [((start_a, end_a), (start_b, end_b), length) for start_a, end_a, start_b, end_b, length in found]


def repeats(texts: list[str], least: int, numbers: bool, all_places: bool) -> list[tuple[int, int, int, int]]:
    """What the texts have a second time: of each stretch the text, its places in bytes, and its tokens."""
    tokens = [placed_tokens(text, numbers) for text in texts]
    windows = collections.defaultdict(list)
    for number, of in enumerate(tokens):
        for start in range(len(of) - least + 1):
            windows[tuple(token for token, _, _ in of[start : start + least])].append((number, start))
    repeated: set[tuple[int, int]] = set()
    for places in windows.values():
        first_number, first_start = places[0]
        apart = [place for place in places if place[0] != first_number or place[1] >= first_start + least]
        for number, start in places if all_places and apart else apart:
            repeated.update((number, token) for token in range(start, start + least))
    stretches: list[list[int]] = []
    for number, token in sorted(repeated):
        if stretches and stretches[-1][0] == number and stretches[-1][2] == token:
            stretches[-1][2] += 1
        else:
            stretches.append([number, token, token + 1])
    return [
        (number, tokens[number][start][1], tokens[number][end - 1][2], end - start) for number, start, end in stretches
    ]


def items(
    questions: list[list[str]],
    answers: list[list[str] | None],
    texts: list[list[str]],
    least: int = 13,
    within: int = 50,
) -> tuple[list[dict[str, object]], list[int]]:
    """Which texts have which items, by their tokens, and the items that cannot be decided about."""
    undecidable = [number for number, question in enumerate(questions) if len(question) < 5]
    rows: list[dict[str, object]] = []
    for document, text in enumerate(texts):
        for item, question in enumerate(questions):
            if item in undecidable:
                continue
            wanted = min(least, len(question))
            found = [(start, at, length) for start, at, length in runs(text, question) if length >= wanted]
            if not found:
                continue
            start, _, length = max(found, key=lambda run: (run[2], -run[0], -run[1]))
            row: dict[str, object] = {"document": document, "item": item, "start": start, "end": start + length}
            answer = answers[item]
            row["answer"] = (
                None
                if answer is None
                else any(
                    has_answer(text[start + length :], answer, len(question) - at - length + within)
                    for start, at, length in found
                )
            )
            rows.append(row)
    return rows, undecidable


def has_answer(after: list[str], answer: list[str], within: int) -> bool:
    """Whether an answer begins within so many tokens."""
    return any(after[at : at + len(answer)] == answer for at in range(within + 1))


def longest_outside(starts: list[int], start: int, length: int, least: int) -> int:
    """The most tokens in a row of a run that are in none of the windows that begin at these places."""
    longest, covered = 0, start
    for window in starts:
        longest, covered = max(longest, window - covered), window + least
    return max(longest, start + length - covered)


def runs(one: list[str], other: list[str]) -> Iterator[tuple[int, int, int]]:
    """All maximal runs of two lists: where each begins in both, and its length."""
    for diagonal in range(-len(other) + 1, len(one)):
        a, b, length = max(diagonal, 0), max(-diagonal, 0), 0
        while a <= len(one) and b <= len(other):
            if a < len(one) and b < len(other) and one[a] == other[b]:
                length += 1
            else:
                if length:
                    yield a - length, b - length, length
                length = 0
            a, b = a + 1, b + 1
