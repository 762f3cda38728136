"""What decontamination.py plants and counts, by examples made by hand."""

import random
import tempfile
import unittest
from pathlib import Path

import decontamination as evaluation
from decontamination_programs import EVALS, TRAIN, write_test
from decontamination_texts import (
    IN_LINES,
    VARIANTS,
    Filler,
    Item,
    Plant,
    changed,
    half,
    in_capitals,
    items_of,
    planted,
    with_dashes,
)

ITEMS = [Item(number, f"question {number} of five tokens", "") for number in range(4)]
PLANTS = [Plant("exact", ITEMS[0]), Plant("exact", ITEMS[1])]
# Item 1 is found in the text of item 0 only; item 2 is a negative.
FOUND = {"one": {(0, 0), (1, 0), (2, 0)}, "other": {(0, 0), (1, 1)}}


def row(instance: int, question: str, answer: str, **more: object) -> dict:
    """A row of a test as decon has them."""
    return {
        "eval_key": "k",
        "split": "test",
        "eval_instance_index": instance,
        "question": question,
        "answer": answer,
    } | more


def filler(seed: int = 1) -> Filler:
    """Filler of one text of distinct words."""
    letters = "abcdefghijklmnopqrst"
    return Filler([" ".join(f"w{one}{other}w" for one in letters for other in letters)], random.Random(seed))


class Items(unittest.TestCase):
    def test_an_item_is_a_question_with_its_right_answer(self) -> None:
        rows = [
            row(0, "Which bird?", "a gull", is_correct=False),
            row(0, "Which bird?", "a tern", is_correct=True),
            row(0, "Which bird?", "a crow", is_correct=False),
            row(1, "What is read?", "", passage="A text."),
            row(2, "Is it true?", "yes"),
            row(3, "is it TRUE", "no"),
            row(4, "What is fog?", "a cloud"),
        ]
        self.assertEqual(items_of(rows), [Item(0, "Which bird?", "a tern"), Item(1, "What is fog?", "a cloud")])

    def test_tokens_are_words_and_numbers(self) -> None:
        self.assertEqual(Item(0, "Is 3 + 4 = 7?", "").tokens, 4)
        self.assertEqual(Item(0, "Is 3 + 4 = 7?", "").words, 6)


class Variants(unittest.TestCase):
    def test_writing(self) -> None:
        self.assertEqual(in_capitals('He said: "no, don\'t."'), "HE SAID NO DON'T")
        self.assertEqual(with_dashes("1 2 3 4 5 6 7 8 9"), "1 2 3 4 5 6 7 8 -- 9")
        self.assertEqual(half("one two three four five"), "one two")

    def test_this_share_of_the_words_is_changed_and_at_least_one(self) -> None:
        words = [f"w{number}" for number in range(40)]
        for share, count in ((0.01, 1), (0.05, 2), (0.1, 4)):
            after = changed(" ".join(words), share, filler()).split()
            self.assertEqual(len(after), 40)
            self.assertEqual(sum(one != other for one, other in zip(words, after, strict=True)), count)

    def test_every_item_is_planted_once_and_with_filler_around_it(self) -> None:
        items = [
            Item(at, " ".join(f"q{at}x{word}" for word in range(6 + at % 50)), f"answer {at}") for at in range(400)
        ]
        texts, plants = planted(items, filler())
        self.assertEqual(len(texts), len(plants))
        self.assertEqual(len({plant.item for plant in plants}), len(plants))
        for text, plant in zip(texts, plants, strict=True):
            if plant.variant in (IN_LINES, VARIANTS[0][0]):
                self.assertIn(f"{plant.item.question} Answer: {plant.item.answer}", " ".join(text.split()))
            if plant.variant == IN_LINES:
                self.assertLessEqual(max(map(len, text.split("\n"))), 60)
            if plant.variant in (IN_LINES, VARIANTS[0][0], "question without its answer"):
                self.assertGreater(text.index(plant.item.question.split()[0]), 100)
        self.assertEqual(planted(items, filler()), (texts, plants))


class Counts(unittest.TestCase):
    def test_a_planted_item_counts_in_its_own_text(self) -> None:
        verdicts = evaluation.by_item(FOUND, ITEMS, PLANTS)
        self.assertEqual(verdicts, {"one": [True, False, True, False], "other": [True, True, False, False]})
        lines = evaluation.agreements(verdicts, [0, 1, 2, 3]).split("\n")
        self.assertEqual(lines[2], "| one | 1.000 | 0.500 |")

    def test_table_by_variant(self) -> None:
        lines = evaluation.by_variant(FOUND, PLANTS).split("\n")
        self.assertEqual(lines[2], "| exact | 2 | 1 | 2 |")
        self.assertEqual(lines[3], "| negatives | | 1 | 0 |")
        self.assertEqual(lines[4], "| texts with another item than theirs | | 1 | 0 |")

    def test_files_have_the_numbers(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            write_test(Path(name), [(7, "Q?", "A")], ["text"])
            self.assertIn('"id": "q7", "question": "Q?", "answer": "A", "doc_id": 8', (Path(name) / EVALS).read_text())
            self.assertEqual((Path(name) / TRAIN).read_text(), '{"id": "t0", "text": "text"}\n')


if __name__ == "__main__":
    unittest.main()
